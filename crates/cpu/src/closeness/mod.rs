//! Closeness, harmonic centrality and eccentricity: one batch of searches after another, against the arcs.
//!
//! Sources that are close together share a batch ([`near`](mod@near)), which saves most of the work where distances are long.
//! Where even these share little, as in street networks, every thread searches from one source at a time ([`alone`]), and
//! pendant trees are folded away ([`folded`]). One batch of a question about all vertices finds out. The bits of the answer are
//! the same.
//!
//! All three follow from the number of vertices that a source has at each distance, so a batch counts only these
//! ([`Tally`]). If the question allows an error, searches along the arcs from some vertices estimate the values of all
//! ([`sampled`]).

mod alone;
mod folded;
mod near;
mod sampled;

use self::folded::Folded;
use crate::{
    Options, Recorder,
    batch::{Batch, Lanes, Tally},
    parts::team,
};
use std::time::Instant;
use warpgraph_core::{
    Accuracy, Answer as _, Direction, Halted, Plan, Result,
    closeness::{
        Closeness, ClosenessAnswer, Distances,
        sampling::{NO_FEWER, OF, Sampling},
    },
};
use warpgraph_graph::{Graph, Vertex, with_views};

/// From this many sources on, sets are [`WIDE`].
const MANY: usize = 129;
/// The words of a wide set.
const WIDE: usize = 4;
/// Graphs with so many vertices, and fewer than 2^32 arcs, are worth a batch that finds out how to search. Larger ones take
/// days either way.
const WORTH_A_TRIAL: std::ops::Range<usize> = 1 << 12..1 << 26;

/// Computes how close every source is to the vertices that reach it.
///
/// # Errors
/// If interrupted, if memory is short, or if a source is not in the graph.
pub fn closeness(graph: &Graph, config: &Closeness, options: &Options) -> Result<ClosenessAnswer> {
    match (config.max_error, Sampling::new(config, graph.vertices())) {
        (None, _) => exact(graph, config, options),
        (Some(_), Some(sampling)) => sampled::closeness(graph, &sampling, options),
        (Some(asked), None) => {
            let mut answer = exact(graph, config, options)?;
            answer.run_mut().accuracy = Some(Accuracy::exact(OF, asked, NO_FEWER));
            Ok(answer)
        }
    }
}

fn exact(graph: &Graph, config: &Closeness, options: &Options) -> Result<ClosenessAnswer> {
    let prepared = Instant::now();
    let chosen = config.resolve(graph, options.seed, options.run)?;
    let incoming = graph.incoming()?;
    let mut recorder = Recorder::start(options, prepared);
    options.control.check("searching")?;
    let n = graph.vertices();
    // No vertex reaches the others.
    let is_reached = |s: Vertex| incoming.csr.degree(s) > 0;
    let sources: Vec<Vertex> = match &chosen {
        None => near::near(&incoming.csr, 64 * WIDE, is_reached),
        Some(sources) => sources.iter().copied().filter(|&s| is_reached(s)).collect(),
    };
    let is_small = WORTH_A_TRIAL.contains(&n) && u32::try_from(incoming.csr.arcs()).is_ok();
    if chosen.is_none() && is_small && sources.len() >= 64 * WIDE {
        let folded = Folded::new(&incoming.csr, !graph.is_directed());
        let finds = finds(graph, &sources[..64 * WIDE], options)?;
        if alone::pays(&folded, finds) {
            let (distances, bytes) = alone::all(&folded, options, &mut recorder)?;
            let run = recorder.finish(Plan::bsp(None), Halted::Converged, bytes);
            return Ok(ClosenessAnswer::new(graph, chosen, distances, run));
        }
    }
    let mut distances = Distances::none(n)?;
    match &chosen {
        None => (0..n as Vertex).for_each(|s| distances.add(s, 0, 0)),
        Some(sources) => sources.iter().for_each(|&s| distances.add(s, 0, 0)),
    }
    let mut task = Task { graph, options, recorder: &mut recorder, distances: &mut distances };
    let bytes = if sources.len() < MANY {
        task.run::<[u64; 1]>(&sources)?
    } else {
        task.run::<[u64; WIDE]>(&sources)?
    };
    let run = recorder.finish(Plan::bsp(None), Halted::Converged, bytes + 24 * n as u64);
    Ok(ClosenessAnswer::new(graph, chosen, distances, run))
}

/// Returns how often a batch of searches finds a vertex at a distance from some of its sources.
fn finds(graph: &Graph, sources: &[Vertex], options: &Options) -> Result<u64> {
    let (out, incoming) = (graph.out(), graph.incoming()?);
    with_views!(incoming.csr, out.csr, |ahead, behind| {
        let mut batch = Batch::<_, _, [u64; WIDE]>::new(ahead, behind)?;
        team(|team| {
            let mut total = 0;
            let reach = |finds: &mut u64, _: Vertex, _: [u64; WIDE]| *finds += 1;
            batch.run(team, sources, &options.control, reach, |_, finds| {
                total += finds.map(std::mem::take).sum::<u64>();
            })?;
            Ok(total)
        })
    })
}

struct Task<'a> {
    graph: &'a Graph,
    options: &'a Options,
    recorder: &'a mut Recorder,
    distances: &'a mut Distances,
}

impl Task<'_> {
    /// Searches from all sources and returns the bytes of the arrays.
    fn run<L: Lanes>(&mut self, sources: &[Vertex]) -> Result<u64> {
        let (out, incoming) = (self.graph.out(), self.graph.incoming()?);
        let total = sources.len();
        let mut done = 0;
        with_views!(incoming.csr, out.csr, |ahead, behind| {
            let mut batch = Batch::<_, _, L>::new(ahead, behind)?;
            team(|team| {
                for sources in sources.chunks(64 * L::WORDS) {
                    let reach = |tally: &mut Tally<L>, _: Vertex, new: L| tally.add(new);
                    let distances = &mut *self.distances;
                    let depth =
                        batch.run(team, sources, &self.options.control, reach, |depth, tallies| {
                            let mut counts = vec![0; 64 * L::WORDS];
                            tallies.for_each(|tally| tally.take(&mut counts));
                            sources
                                .iter()
                                .zip(&counts)
                                .for_each(|(&s, &count)| distances.add(s, depth, count));
                        })?;
                    done += sources.len();
                    self.recorder.step(sources.len(), Direction::Pull, || format!("{depth} levels"));
                    self.options.control.report("closeness", done as u64, Some(total as u64));
                }
                Ok(batch.bytes())
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{closeness, folded::Folded};
    use crate::{Options, Recorder};
    use std::time::Instant;
    use warpgraph_core::{
        Answer as _,
        closeness::{Closeness, ClosenessAnswer},
    };
    use warpgraph_graph::{Graph, Vertex, generate::Spec};

    fn by_batches(graph: &Graph) -> ClosenessAnswer {
        // Naming all vertices asks the same of batches.
        let all = (0..graph.vertices() as u64).fold(Closeness::default(), |config, v| config.source(v));
        closeness(graph, &all, &Options::default()).unwrap()
    }

    fn alone(graph: &Graph, folds: bool) -> ClosenessAnswer {
        let options = Options::default();
        let mut recorder = Recorder::start(&options, Instant::now());
        let folded = Folded::new(&graph.incoming().unwrap().csr, folds);
        let (distances, _) = super::alone::all(&folded, &options, &mut recorder).unwrap();
        let run = recorder.finish(super::Plan::bsp(None), super::Halted::Converged, 0);
        ClosenessAnswer::new(graph, None, distances, run)
    }

    fn assert_same(graph: &Graph, ours: &ClosenessAnswer, theirs: &ClosenessAnswer) {
        ours.verify(graph).unwrap();
        assert_eq!(ours.reached(), theirs.reached());
        assert_eq!(ours.eccentricity(), theirs.eccentricity());
        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(ours.closeness()), bits(theirs.closeness()));
        assert_eq!(bits(ours.harmonic()), bits(theirs.harmonic()));
    }

    #[test]
    fn searches_alone_have_the_bits_of_batches_with_and_without_trees() {
        let mut graphs: Vec<Graph> =
            ["grid:30x20", "kron:9", "uniform:9,directed,degree=2", "uniform:9,degree=1", "grid:1x200"]
                .iter()
                .map(|spec| spec.parse::<Spec>().unwrap().generate(&Default::default()).unwrap())
                .collect();
        let edges: Vec<(Vertex, Vertex)> =
            (1..300).map(|v| (v, v * v % 7 * v / 7)).chain([(4, 4), (299, 290)]).collect();
        graphs.push(Graph::from_edges(310, &edges, false).unwrap());
        graphs.push(Graph::from_edges(0, &[], false).unwrap());
        for graph in &graphs {
            let batches = by_batches(graph);
            for folds in [false, !graph.is_directed()] {
                assert_same(graph, &alone(graph, folds), &batches);
            }
        }
    }

    #[test]
    fn long_thin_graphs_are_searched_alone_and_others_in_batches() {
        for (spec, is_alone) in
            [("grid:3x2000", true), ("grid:80x80", false), ("kron:12", false), ("grid:1x5000", true)]
        {
            let graph = spec.parse::<Spec>().unwrap().generate(&Default::default()).unwrap();
            let options = Options { trace: true, ..Options::default() };
            let answer = closeness(&graph, &Closeness::default(), &options).unwrap();
            let trace = format!("{:?}", answer.run().trace);
            assert_eq!(trace.contains("one source each"), is_alone, "{spec}");
        }
    }
}
