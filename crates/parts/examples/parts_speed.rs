//! Times pagerank per sweep and components in parts, beside the engine of one process on as many threads.
//!
//! `cargo run --release -p warpgraph-parts --example parts_speed -- kron:20 2 5` prints a line of JSON: for the graph, so many
//! parts of one thread each, and so many runs. Medians, in seconds; runs of the two engines alternate.

use std::{sync::Arc, time::Instant};
use warpgraph_core::{Answer, Options, pagerank::PageRank, wcc::Wcc};
use warpgraph_graph::{Control, Graph, generate::Spec};
use warpgraph_parts::{Cut, Exchange, Part, Question, start, together};

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let mut words = std::env::args().skip(1);
    let spec = words.next().unwrap_or_else(|| "kron:18".to_owned());
    let parts: usize = words.next().map_or(Ok(2), |word| word.parse())?;
    let runs: usize = words.next().map_or(Ok(5), |word| word.parse())?;
    let graph = spec.parse::<Spec>()?.generate(&Control::new())?;
    let cut = Cut::even(&graph.out().csr, parts)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(parts).build()?;
    let (mut one, mut many) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for _ in 0..runs {
        one[0].push(pool.install(|| {
            let answer = warpgraph_cpu::pagerank(&graph, &PageRank::default(), &Options::default())?;
            Ok::<_, Failure>(answer.run().seconds / answer.run().rounds as f64)
        })?);
        many[0].push(in_parts(&graph, &cut, "pagerank", true)?);
        one[1].push(pool.install(|| {
            Ok::<_, Failure>(warpgraph_cpu::wcc(&graph, &Wcc {}, &Options::default())?.run().seconds)
        })?);
        many[1].push(in_parts(&graph, &cut, "wcc", false)?);
    }
    let figure = |at: usize| {
        let (one, many) = (median(&one[at]), median(&many[at]));
        serde_json::json!({"one_process": one, "in_parts": many, "ratio": many / one})
    };
    let line = serde_json::json!({
        "graph": spec, "parts": parts, "runs": runs,
        "pagerank_per_sweep": figure(0), "wcc": figure(1),
    });
    println!("{line}");
    Ok(())
}

/// Returns the seconds of the supersteps of a run, or per superstep. What parts share is learned before.
fn in_parts(graph: &Graph, cut: &Cut, algorithm: &str, per_step: bool) -> Result<f64, Failure> {
    let question = Question { algorithm: algorithm.to_owned(), ..Question::default() };
    let seconds = together(cut.parts(), 1, |mut member| -> warpgraph_parts::Result<f64> {
        let control = Control::new();
        let part = Arc::new(Part::of(graph, cut, member.part())?);
        let mut run = start(&question, &part, &mut member, &control)?;
        member.barrier()?;
        let began = Instant::now();
        while run.step(&mut member, &control)?.is_none() {}
        let steps = if per_step { run.supersteps() } else { 1 };
        Ok(began.elapsed().as_secs_f64() / steps as f64)
    })?;
    Ok(seconds.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().fold(0.0, f64::max))
}

fn median(seconds: &[f64]) -> f64 {
    let mut sorted = seconds.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
