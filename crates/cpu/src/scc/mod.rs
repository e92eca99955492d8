//! Strongly connected components: the giant by searching both ways [1], the rest by Tarjan [2].
//!
//! The vertex with the most pairs of an incoming and an outgoing arc lies in the giant component of nearly every graph that
//! has one. What it reaches and what reaches it are found by two searches on all threads; what is in both is its component.
//! No component lies across the border of either set, and what is left is small where there is a giant, so Tarjan's
//! depth-first search takes it, in O(1) an arc however long its chains are: rounds of trimming, which other schemes
//! need there, would each be a pass over what is left.
//!
//! Without a transpose, searching backwards needs one first, and that costs more than Tarjan on the whole graph does
//! ([`TRANSPOSE`]).
//!
//! Work O(n + m). Memory: 4 bytes a vertex for the answer, 4 for Tarjan's numbers, 4 to 16 for its stacks, 2 bits for the
//! sets.
//!
//! [1] L. K. Fleischer, B. Hendrickson, A. Pınar, On identifying strongly connected components in parallel, IPDPS 2000; G. M.
//! Slota, S. Rajamanickam, K. Madduri, BFS and coloring-based parallel algorithms for strongly connected components, IPDPS
//! 2014. [2] R. E. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Computing 1, 1972.

mod reach;
mod tarjan;

use crate::{
    Options, Recorder,
    parts::{Bitmap, Team, team},
    wcc,
};
use rayon::prelude::*;
use std::time::Instant;
use tarjan::{DONE, Tarjan};
use warpgraph_core::{
    Direction, Halted, Plan, Result,
    scc::{Scc, SccAnswer},
};
use warpgraph_graph::{Control, Graph, Offset, Pages, Vertex, View, with_view};

/// Vertices and arcs up to which Tarjan is faster than waking the threads.
const SMALL: usize = 1 << 14;
/// Words of a bitmap looked at in one piece.
const WORDS: usize = 1 << 7;

/// The strong component of every vertex, named by its smallest vertex.
///
/// # Errors
/// When interrupted or when memory is short.
pub fn scc(graph: &Graph, _: &Scc, options: &Options) -> Result<SccAnswer> {
    if !graph.is_directed() {
        let (components, run) = wcc::components(graph, options)?;
        return Ok(SccAnswer::new(graph, components, run));
    }
    options.control.check("searching components")?;
    let prepared = Instant::now();
    let n = graph.vertices();
    let alone = n + graph.arcs() < SMALL;
    let incoming = if alone { graph.out() } else { graph.incoming()? };
    let mut recorder = Recorder::start(options, prepared);
    let (mut components, mut numbers) = (Pages::scratch(n)?, Pages::scratch(n)?);
    with_view!(graph.out().csr, |out| with_view!(incoming.csr, |incoming| {
        if alone {
            numbers.fill(0);
        } else {
            team(|team| -> Result<()> {
                let arcs = Both { out, incoming, control: &options.control };
                arcs.take_giant(team, &mut components, &mut numbers, &mut recorder)
            })?;
        }
        let mut search = Tarjan::new(out, &mut numbers, &mut components);
        let found = search.run(&options.control)?;
        recorder.step(found, Direction::Push, || "searched what was left depth first".to_owned());
    }));
    let run = recorder.finish(Plan::Bsp { direction: None }, Halted::Converged, 8 * n as u64);
    Ok(SccAnswer::new(graph, components, run))
}

/// The arcs of a graph and the same ones turned round.
struct Both<'a, O, I> {
    out: View<'a, O>,
    incoming: View<'a, I>,
    control: &'a Control,
}

impl<O: Offset, I: Offset> Both<'_, O, I> {
    /// Names the component of the pivot; what is in it is done for Tarjan, all else is not yet numbered.
    fn take_giant(
        &self,
        team: &Team,
        components: &mut [Vertex],
        numbers: &mut [u32],
        recorder: &mut Recorder,
    ) -> Result<()> {
        let pivot = self.pivot();
        let after = reach::reach(team, self.out, self.incoming, pivot, self.control)?;
        recorder.step(1, Direction::Push, || "searched what the pivot reaches".to_owned());
        let before = reach::reach(team, self.incoming, self.out, pivot, self.control)?;
        recorder.step(1, Direction::Pull, || "searched what reaches the pivot".to_owned());
        let name = smallest(&after, &before).unwrap_or(pivot);
        let words = after.words().chunks(WORDS).zip(before.words().chunks(WORDS));
        let values = components.chunks_mut(64 * WORDS).zip(numbers.chunks_mut(64 * WORDS));
        let mut parts: Vec<_> = words.zip(values).collect();
        team.each(&mut parts, |_, ((after, before), (components, numbers))| {
            let both = after.iter().zip(*before).map(|(a, b)| a & b);
            let rows = components.chunks_mut(64).zip(numbers.chunks_mut(64));
            for (word, (components, numbers)) in both.zip(rows) {
                for (bit, (component, number)) in components.iter_mut().zip(numbers).enumerate() {
                    let inside = word >> bit & 1 != 0;
                    *component = name;
                    *number = if inside { DONE } else { 0 };
                }
            }
        });
        Ok(())
    }

    /// The vertex with the most pairs of an incoming and an outgoing arc, the smallest on ties.
    fn pivot(&self) -> Vertex {
        let pairs = |v: Vertex| self.out.degree(v) as u128 * self.incoming.degree(v) as u128;
        let all = (0..self.out.vertices() as Vertex).into_par_iter().with_min_len(1 << 14);
        all.max_by_key(|&v| (pairs(v), std::cmp::Reverse(v))).unwrap_or(0)
    }
}

/// The smallest vertex in both sets.
fn smallest(a: &Bitmap, b: &Bitmap) -> Option<Vertex> {
    let mut words = a.words().iter().zip(b.words()).enumerate();
    words.find_map(|(i, (a, b))| (a & b != 0).then(|| (i * 64) as Vertex + (a & b).trailing_zeros()))
}
