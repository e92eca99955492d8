//! Estimates the number of triangles from sampled pairs of neighbours.
//!
//! A centre is drawn in proportion to its pairs of neighbours in the simple graph, then two of its neighbours. Rows may name a
//! neighbour more than once, in a directed graph or with parallel edges. So a drawn entry is taken with the probability of 1
//! over the number of entries that name its vertex, and drawn again otherwise; loops are never taken. Whether the two are
//! joined is looked up in the rows of the first.
//!
//! Sample i depends on the seed, the run and i alone, and the run looks at the count at numbers chosen ahead: the same bits
//! on any number of threads. O(log m) per sample, after O(m) for degrees. Memory: 12 bytes per vertex.

use crate::{
    Options, Recorder,
    parts::{BothWays, Team},
};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use warpgraph_core::{
    Direction, Draws, Result,
    triangles::{Estimate, sampling::Sampling},
};
use warpgraph_graph::{Offset, Vertex};

/// Samples that a thread takes at a time.
const TAKEN: u64 = 1 << 10;

/// An estimate, and the look at which the run ended with how many closed pairs.
pub(super) struct Estimated {
    pub(super) estimate: Estimate,
    pub(super) look: usize,
    pub(super) closed: u64,
}

/// Samples until the rule is met; `None` if the pairs of neighbours are too many to count, or if there are none.
///
/// # Errors
/// If interrupted, or if memory is short.
pub(super) fn estimate<O: Offset, I: Offset>(
    simple: &BothWays<'_, O, I>,
    sampling: &Sampling,
    team: &Team,
    options: &Options,
    recorder: &mut Recorder,
) -> Result<Option<Estimated>> {
    let Some(before) = pairs_before(&simple.degrees()?) else { return Ok(None) };
    let wedges = before.last().copied().unwrap_or(0);
    if wedges == 0 {
        return Ok(None);
    }
    let sampler = Sampler { simple, before: &before, wedges, options };
    let (mut look, mut drawn, mut closed) = (0, 0, 0);
    loop {
        let samples = sampling.looks()[look];
        closed += sampler.closed(team, drawn, samples)?;
        drawn = samples;
        recorder.step(samples as usize, Direction::Push, || format!("{closed} of these pairs are joined"));
        options.control.report("triangles", samples, sampling.looks().last().copied());
        if sampling.is_done(look, closed) {
            let estimate = Estimate { wedges, shares: sampling.interval(look, closed) };
            return Ok(Some(Estimated { estimate, look, closed }));
        }
        look += 1;
    }
}

/// Returns the pairs of neighbours of all vertices up to each one; `None` if they exceed 64 bits.
fn pairs_before(degrees: &[u32]) -> Option<Vec<u64>> {
    let mut sum = 0u64;
    let pairs = |&d: &u32| u64::from(d) * u64::from(d.saturating_sub(1)) / 2;
    degrees
        .iter()
        .map(|degree| {
            sum = sum.checked_add(pairs(degree))?;
            Some(sum)
        })
        .collect()
}

struct Sampler<'a, 'g, O, I> {
    simple: &'a BothWays<'g, O, I>,
    before: &'a [u64],
    wedges: u64,
    options: &'a Options,
}

impl<O: Offset, I: Offset> Sampler<'_, '_, O, I> {
    /// Returns how many of the samples from number `start` to before `end` are closed.
    fn closed(&self, team: &Team, start: u64, end: u64) -> Result<u64> {
        let closed = AtomicU64::new(0);
        let control = &self.options.control;
        team.round((end - start).div_ceil(TAKEN) as usize, &|_, piece| {
            if control.should_stop() {
                return;
            }
            let first = start + piece as u64 * TAKEN;
            let found = (first..end.min(first + TAKEN)).filter(|&number| self.is_closed(number)).count();
            closed.fetch_add(found as u64, Relaxed);
        });
        control.check("sampling pairs of neighbours")?;
        Ok(closed.into_inner())
    }

    /// Draws a sample and returns whether the pair is joined.
    fn is_closed(&self, number: u64) -> bool {
        let mut draws = Draws::of(self.options.seed, self.options.run, number);
        let wedge = draws.below(self.wedges);
        let centre = self.before.partition_point(|&before| before <= wedge) as Vertex;
        let a = self.neighbor(centre, &mut draws);
        loop {
            let b = self.neighbor(centre, &mut draws);
            if b != a {
                return self.times(a, b) > 0;
            }
        }
    }

    /// Draws a neighbour of a vertex that has one.
    fn neighbor(&self, centre: Vertex, draws: &mut Draws) -> Vertex {
        let [out, incoming] = self.simple.rows(centre);
        loop {
            let place = draws.below((out.len() + incoming.len()) as u64) as usize;
            let v = if place < out.len() { out[place] } else { incoming[place - out.len()] };
            if v != centre && draws.below(self.times(centre, v)) == 0 {
                return v;
            }
        }
    }

    /// Returns how many entries of the rows of `u` name `v`.
    fn times(&self, u: Vertex, v: Vertex) -> u64 {
        let of = |row: &[Vertex]| {
            let start = row.partition_point(|&w| w < v);
            row[start..].iter().take_while(|&&w| w == v).count()
        };
        self.simple.rows(u).iter().map(|row| of(row)).sum::<usize>() as u64
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, triangles};
    use warpgraph_core::{
        Answer as _, Draws, Word,
        triangles::{Triangles, TrianglesAnswer},
    };
    use warpgraph_graph::{Graph, Vertex};

    /// Vertices on a ring, joined to near ones: many triangles, loops and doubled edges included.
    fn near(n: u64, edges: u64, directed: bool) -> Graph {
        let edge = |i: u64| {
            let mut draws = Draws::of(6, 0, i);
            let u = draws.below(n);
            (u as Vertex, ((u + draws.below(draws.clone().below(40) + 1)) % n) as Vertex)
        };
        Graph::from_edges(n as usize, &(0..edges).map(edge).collect::<Vec<_>>(), directed)
            .expect("a small graph")
    }

    fn ask(graph: &Graph, config: &Triangles, seed: u64) -> TrianglesAnswer {
        triangles(graph, config, &Options { seed, ..Options::default() }).expect("an answer")
    }

    #[test]
    fn the_interval_holds_the_count_in_more_runs_than_promised() {
        for graph in [near(3000, 20_000, true), near(3000, 20_000, false)] {
            let right = ask(&graph, &Triangles::default(), 0).triangles();
            let config = Triangles::default().max_error(0.05).confidence(0.75);
            let is_off = |seed: u64| {
                let answer = ask(&graph, &config, seed);
                let report = answer.run().accuracy.clone().expect("a report");
                assert!(report.word == Word::Proved && report.achieved <= 0.05 + 1e-12, "{report:?}");
                let [_, low, high] = answer.estimate().expect("an estimate").triangles();
                !(low..=high).contains(&right)
            };
            let off = (0..200).filter(|&seed| is_off(seed)).count();
            assert!(off <= 50, "{off} of 200 intervals do not hold {right}");
        }
    }

    #[test]
    fn the_estimate_is_near_the_count_and_the_same_on_any_number_of_threads() {
        let graph = near(60_000, 500_000, true);
        let config = Triangles::default().max_error(0.004);
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let answer = pool.install(|| ask(&graph, &config, 1));
            answer.verify(&graph).expect("a right answer");
            answer.estimate().expect("an estimate")
        };
        assert_eq!(on(1), on(4));
    }

    #[test]
    fn few_arcs_and_no_pairs_are_counted_exactly() {
        let word = |graph: &Graph| {
            let answer = ask(graph, &Triangles::default().max_error(0.01), 0);
            (answer.run().accuracy.clone().expect("a report").word, answer.triangles())
        };
        let triangle = Graph::from_edges(3, &[(0, 1), (1, 2), (2, 0)], false).expect("a triangle");
        assert_eq!(word(&triangle), (Word::Exact, 1));
        let matching: Vec<_> = (0..100_000).map(|v| (2 * v, 2 * v + 1)).collect();
        assert_eq!(word(&Graph::from_edges(200_000, &matching, false).expect("pairs")), (Word::Exact, 0));
    }
}
