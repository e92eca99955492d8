//! Programs against the hand-written forms: `cargo run --release -p warpgraph --example program_speed -- kron20.sg ...`
//!
//! Alternates both on each graph and prints medians in milliseconds and their ratio: breadth-first search from ten sources, and PageRank
//! to a total change of 1e-4.

use std::{error::Error, time::Instant};
use warpgraph::{
    Answer, Bfs, Control, Engine, Graph, Halt, Loaded, Order, PageRank,
    graph::generate::Spec,
    program::library::{Hops, Ranks},
};

const RUNS: usize = 11;

fn main() -> Result<(), Box<dyn Error>> {
    let engine = Engine::auto()?;
    for name in std::env::args().skip(1) {
        let graph = open(&engine, &name)?;
        let loaded = engine.load(&graph, Order::Natural)?;
        report(&name, "bfs", search(&loaded)?);
        report(&name, "pagerank", rank(&loaded)?);
    }
    Ok(())
}

fn open(engine: &Engine, name: &str) -> Result<Graph, Box<dyn Error>> {
    let control = Control::new();
    if let Ok(spec) = name.parse::<Spec>() {
        return Ok(engine.install(|| spec.generate(&control))?);
    }
    Ok(engine.install(|| Graph::open(name))?)
}

/// Milliseconds of the hand-written form and of the program.
type Pair = (Vec<f64>, Vec<f64>);

fn search(loaded: &Loaded) -> Result<Pair, Box<dyn Error>> {
    let (mut hand, mut program) = (Vec::new(), Vec::new());
    for run in 0..RUNS as u64 + 1 {
        let source = warpgraph::Source::Random.resolve(loaded.graph(), 1, run)?;
        let start = Instant::now();
        let a = loaded.bfs(Bfs::from(loaded.graph().ids().id(source))).run()?;
        let middle = Instant::now();
        let b = loaded.program(Hops::from(source)).run()?;
        let end = Instant::now();
        assert_eq!(a.distances(), b.values());
        hand.push((middle - start).as_secs_f64() * 1e3);
        program.push((end - middle).as_secs_f64() * 1e3);
    }
    // The first run grows arrays.
    Ok((hand.split_off(1), program.split_off(1)))
}

fn rank(loaded: &Loaded) -> Result<Pair, Box<dyn Error>> {
    let (mut hand, mut program) = (Vec::new(), Vec::new());
    let halt = Halt::l1(1e-4).or(Halt::rounds(100));
    for run in 0..RUNS / 2 + 1 {
        let start = Instant::now();
        let a = loaded.pagerank(PageRank::default().tolerance(1e-4)).run()?;
        let middle = Instant::now();
        let b = loaded.program(Ranks::<f32>::of(loaded.graph(), 0.85, halt)).run()?;
        let end = Instant::now();
        if run == 0 {
            println!("{} sweeps by hand, {} by program", a.run().rounds, b.run().rounds);
            b.verify(loaded.graph())?;
            continue;
        }
        hand.push((middle - start).as_secs_f64() * 1e3);
        program.push((end - middle).as_secs_f64() * 1e3);
    }
    Ok((hand, program))
}

fn report(name: &str, what: &str, (mut hand, mut program): Pair) {
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let (hand, program) = (median(&mut hand), median(&mut program));
    println!("{name} {what}: by hand {hand:.2} ms, by program {program:.2} ms, ratio {:.2}", program / hand);
}
