//! Estimates closeness from searches along the arcs from some drawn vertices, some hundreds at once.
//!
//! A batch tells at every level which vertices it reaches from how many sources. Each vertex has sums of its own, which one
//! thread at a time adds to, level by level: so the bits do not depend on the number of threads.
//!
//! Memory: 24 bytes per vertex for the sums, beside the batch.

use crate::{
    Options, Recorder,
    batch::{Batch, Lanes},
    parts::{atomics, team},
};
use std::{
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
    time::Instant,
};
use warpgraph_core::{
    Direction, Halted, Plan, Result,
    closeness::{ClosenessAnswer, Distances, sampling::Sampling},
};
use warpgraph_graph::{Graph, Pages, Vertex, with_views};

/// The sets of a batch.
type Set = [u64; 4];

/// Computes estimates for every vertex.
///
/// # Errors
/// If interrupted, or if memory is short.
pub(super) fn closeness(graph: &Graph, sampling: &Sampling, options: &Options) -> Result<ClosenessAnswer> {
    let prepared = Instant::now();
    graph.incoming()?;
    let mut recorder = Recorder::start(options, prepared);
    options.control.check("searching")?;
    let (n, start) = (graph.vertices(), Instant::now());
    let drawn = sampling.drawn(options.seed, options.run);
    let csr = &graph.out().csr;
    // Others reach nothing.
    let sources: Vec<Vertex> = drawn.iter().copied().filter(|&s| csr.degree(s) > 0).collect();
    let mut sums = Sums::new(n)?;
    let bytes = search(graph, &sources, options, &mut recorder, &mut sums)?;
    let all = (0..n as Vertex).filter(|&v| csr.degree(v) > 0).count() as f64;
    let exact_seconds = start.elapsed().as_secs_f64() * all / sources.len().max(1) as f64;
    let mut run = recorder.finish(Plan::bsp(None), Halted::Tolerance, bytes + 24 * n as u64);
    run.accuracy = Some(sampling.accuracy(Some(exact_seconds)));
    let Sums { reached, total, harmonic, farthest } = sums;
    Ok(ClosenessAnswer::estimated(graph, drawn, Distances::of(reached, total, harmonic, farthest), run))
}

/// For every vertex: how many of the sources reach it, the sums of distances and of their inverses, and the greatest one.
pub(super) struct Sums {
    pub(super) reached: Pages<u32>,
    pub(super) total: Pages<u64>,
    pub(super) harmonic: Pages<f64>,
    pub(super) farthest: Pages<u32>,
}

impl Sums {
    pub(super) fn new(n: usize) -> Result<Self> {
        let (reached, farthest) = (Pages::zeroed(n)?, Pages::zeroed(n)?);
        Ok(Self { reached, total: Pages::zeroed(n)?, harmonic: Pages::zeroed(n)?, farthest })
    }

    pub(super) fn shared(&mut self) -> Shared<'_> {
        Shared {
            reached: atomics(&mut self.reached),
            total: atomics(&mut self.total),
            harmonic: atomics(&mut self.harmonic),
            farthest: atomics(&mut self.farthest),
        }
    }
}

/// The same for threads, of which one at a time adds to a vertex.
pub(super) struct Shared<'a> {
    reached: &'a [AtomicU32],
    total: &'a [AtomicU64],
    harmonic: &'a [AtomicU64],
    farthest: &'a [AtomicU32],
}

impl Shared<'_> {
    /// Sets the sums of `v`, given the number of vertices at each distance.
    pub(super) fn set(&self, v: usize, counts: &[u32]) {
        let (mut reached, mut total, mut harmonic) = (0, 0, 0.0);
        for (distance, &count) in (0_u32..).zip(counts).skip(1).filter(|&(_, &count)| count > 0) {
            reached += count;
            total += u64::from(distance) * u64::from(count);
            harmonic += f64::from(count) / f64::from(distance);
        }
        self.reached[v].store(reached, Relaxed);
        self.total[v].store(total, Relaxed);
        self.harmonic[v].store(f64::to_bits(harmonic), Relaxed);
        self.farthest[v].store(counts.len().saturating_sub(1) as u32, Relaxed);
    }

    /// Adds `count` sources that reach `v` at `distance`.
    fn add(&self, v: usize, distance: u32, count: u32) {
        let add = |cell: &AtomicU64, value: u64| cell.store(cell.load(Relaxed) + value, Relaxed);
        self.reached[v].store(self.reached[v].load(Relaxed) + count, Relaxed);
        add(&self.total[v], u64::from(distance) * u64::from(count));
        let harmonic =
            f64::from_bits(self.harmonic[v].load(Relaxed)) + f64::from(count) / f64::from(distance);
        self.harmonic[v].store(harmonic.to_bits(), Relaxed);
        if self.farthest[v].load(Relaxed) < distance {
            self.farthest[v].store(distance, Relaxed);
        }
    }
}

/// Searches from all sources and returns the bytes of the batch.
fn search(
    graph: &Graph,
    sources: &[Vertex],
    options: &Options,
    recorder: &mut Recorder,
    sums: &mut Sums,
) -> Result<u64> {
    let (incoming, total, sums) = (graph.incoming()?, sources.len() as u64, sums.shared());
    let mut done = 0;
    with_views!(graph.out().csr, incoming.csr, |ahead, behind| {
        let mut batch = Batch::<_, _, Set>::new(ahead, behind)?;
        team(|team| {
            for together in sources.chunks(64 * Set::WORDS) {
                let distance = AtomicU32::new(1);
                let reach = |(): &mut (), v: Vertex, new: Set| {
                    let count = new.iter().map(|word| word.count_ones()).sum();
                    sums.add(v as usize, distance.load(Relaxed), count);
                };
                let next =
                    |depth: u32, _: &mut dyn Iterator<Item = &mut ()>| distance.store(depth + 1, Relaxed);
                let depth = batch.run(team, together, &options.control, reach, next)?;
                done += together.len() as u64;
                recorder.step(together.len(), Direction::Push, || format!("{depth} levels"));
                options.control.report("closeness", done, Some(total));
            }
            Ok(batch.bytes())
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::{Options, closeness};
    use warpgraph_core::{Answer as _, Draws, Word, closeness::Closeness};
    use warpgraph_graph::{Graph, Vertex};

    fn uniform(n: u64, edges: u64, directed: bool) -> Graph {
        let edge = |i: u64| {
            let mut draws = Draws::of(4, 0, i);
            (draws.below(n) as Vertex, draws.below(n) as Vertex)
        };
        Graph::from_edges(n as usize, &(0..edges).map(edge).collect::<Vec<_>>(), directed)
            .expect("a small graph")
    }

    #[test]
    fn all_three_means_are_within_the_error_in_more_runs_than_promised() {
        let path = Graph::from_edges(400, &(0..399).map(|v| (v, v + 1)).collect::<Vec<_>>(), false);
        for graph in [uniform(400, 900, true), uniform(400, 350, false), path.expect("a path")] {
            let exact = closeness(&graph, &Closeness::default(), &Options::default()).expect("an answer");
            let (others, diameter) = (399.0, f64::from(exact.figures().diameter));
            let mean = |answer: &warpgraph_core::closeness::ClosenessAnswer, v: usize| {
                let reached = f64::from(answer.reached()[v]) / others;
                if answer.closeness()[v] > 0.0 { reached * reached / answer.closeness()[v] } else { 0.0 }
            };
            let is_off = |seed: u64| {
                let options = Options { seed, ..Options::default() };
                let config = Closeness::default().max_error(0.25).confidence(0.75);
                let answer = closeness(&graph, &config, &options).expect("an answer");
                let report = answer.run().accuracy.clone().expect("a report");
                assert!(report.word == Word::Proved && report.achieved <= 0.25 && report.samples < Some(400));
                (0..400).any(|v| {
                    let reached = f64::from(answer.reached()[v].abs_diff(exact.reached()[v])) / others;
                    let far = (mean(&answer, v) - mean(&exact, v)).abs() / diameter;
                    // Numbers of vertices are rounded.
                    (answer.harmonic()[v] - exact.harmonic()[v]).abs() / others > 0.25
                        || reached.max(far) > 0.252
                })
            };
            let off = (0..200).filter(|&seed| is_off(seed)).count();
            assert!(off <= 50, "{off} of 200 runs are off by more than they say");
        }
    }

    #[test]
    fn threads_make_no_difference_and_small_graphs_are_answered_exactly() {
        let graph = uniform(3000, 9000, true);
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let ask = || closeness(&graph, &Closeness::default().max_error(0.1), &Options::default());
            let answer = pool.install(ask).expect("an answer");
            answer.verify(&graph).expect("a right answer");
            (answer.closeness().to_vec(), answer.harmonic().to_vec(), answer.eccentricity().to_vec())
        };
        assert_eq!(on(1), on(4));
        let small = uniform(100, 300, false);
        let answer =
            closeness(&small, &Closeness::default().max_error(0.1), &Options::default()).expect("an answer");
        assert_eq!(answer.run().accuracy.as_ref().map(|accuracy| accuracy.word), Some(Word::Exact));
    }
}
