//! Searches from one source at a time and thread, for graphs with long distances.
//!
//! Where distances are long, the searches of a batch reach a vertex at many different distances, so they share little work,
//! and every level of every batch ends with a barrier. Here every thread searches by itself: one bit per vertex says whether
//! it was seen, and the vertices of a level are counted, with the trees that hang at them ([`Folded`]).
//!
//! Work O(n + m) per vertex of the core, and O(diameter) per folded vertex. Memory: that of [`Folded`], 24 bytes per vertex
//! for sums, and 4.1 bytes per core vertex and thread.

use super::{
    folded::Folded,
    sampled::{Shared, Sums},
};
use crate::{Options, Recorder, parts::team};
use std::sync::{Mutex, PoisonError};
use warpgraph_core::{Direction, Error, Result, closeness::Distances};
/// The sources of a batch.
const BATCH: u64 = 64 * super::WIDE as u64;
/// Searches between two reports of progress.
const ROUND: usize = 1024;

/// The cost of a vertex and of an arc in a search, and of a vertex that a batch finds at one distance from some of its 256
/// sources: in nanoseconds, measured on meshes, street networks and graphs with hubs.
const VERTEX: u64 = 4;
const ARC: u64 = 1;
const FIND: u64 = 50;

/// Returns true if searches from one source each take less time than batches, of which one has found so many vertices.
pub(super) fn pays(folded: &Folded, finds: u64) -> bool {
    let (core, n) = (folded.core as u64, folded.ids.len() as u64);
    let alone = core * (VERTEX * core + ARC * folded.targets.len() as u64);
    alone < FIND * finds / BATCH * n
}

/// Searches from all vertices. Returns the sums, and the bytes of the arrays.
///
/// # Errors
/// If interrupted, or if memory is short.
pub(super) fn all(folded: &Folded, options: &Options, recorder: &mut Recorder) -> Result<(Distances, u64)> {
    let n = folded.ids.len();
    let mut sums = Sums::new(n)?;
    let shared = sums.shared();
    let bytes = team(|team| {
        let searches: Vec<_> = (0..team.members()).map(|_| Mutex::new(Search::new(folded))).collect();
        for first in (0..folded.core).step_by(ROUND) {
            options.control.check("searching")?;
            let sources = ROUND.min(folded.core - first);
            team.round(sources, &|member, piece| {
                let mut search = searches[member].lock().unwrap_or_else(PoisonError::into_inner);
                if options.control.check("searching").is_ok() {
                    search.sum_up((first + piece) as u32, &shared);
                }
            });
            recorder.step(sources, Direction::Pull, || "searches of one source each".to_owned());
            options.control.report("closeness", (first + sources) as u64, Some(folded.core as u64));
        }
        options.control.check("searching")?;
        Ok::<_, Error>(folded.bytes() + searches.len() as u64 * (33 * folded.core as u64 / 8) + 24 * n as u64)
    })?;
    let Sums { reached, total, harmonic, farthest } = sums;
    Ok((Distances::of(reached, total, harmonic, farthest), bytes))
}

/// The arrays of a thread.
struct Search<'a> {
    folded: &'a Folded,
    /// The core vertices that were reached, in order, and room for one more.
    queue: Vec<u32>,
    /// One bit per core vertex.
    seen: Vec<u64>,
    /// The number of vertices at each distance: from the core vertex, from the folded vertex below it, and so on.
    counts: Vec<Vec<u32>>,
}

impl<'a> Search<'a> {
    fn new(folded: &'a Folded) -> Self {
        let core = folded.core;
        Self { folded, queue: vec![0; core + 1], seen: vec![0; core.div_ceil(64)], counts: vec![Vec::new()] }
    }

    /// Finds the sums of a core vertex and of all that are folded into it.
    fn sum_up(&mut self, source: u32, sums: &Shared<'_>) {
        self.run(source);
        let folded = self.folded;
        sums.set(folded.ids[source as usize] as usize, &self.counts[0]);
        let mut path = vec![folded.below(source)];
        while let Some(below) = path.last_mut() {
            let Some(place) = below.next() else {
                path.pop();
                continue;
            };
            let (child, depth) = (folded.child(place), path.len());
            if self.counts.len() == depth {
                self.counts.push(Vec::new());
            }
            let (above, counts) = self.counts.split_at_mut(depth);
            folded.step(child, &above[depth - 1], &mut counts[0]);
            sums.set(folded.ids[child as usize] as usize, &counts[0]);
            path.push(folded.below(child));
        }
    }

    /// Counts the vertices at each distance from a core vertex.
    fn run(&mut self, source: u32) {
        let Self { folded, queue, seen, counts } = self;
        let counts = &mut counts[0];
        counts.clear();
        seen.fill(0);
        seen[source as usize / 64] |= 1 << (source % 64);
        queue[0] = source;
        let (mut first, mut end, mut depth) = (0, 1, 0);
        while first < end {
            let mut next = end;
            if counts.len() <= depth {
                counts.push(0);
            }
            counts[depth] += (end - first) as u32;
            for at in first..end {
                let v = queue[at];
                let arcs = folded.offsets[v as usize] as usize..folded.offsets[v as usize + 1] as usize;
                for &u in &folded.targets[arcs] {
                    // Written in any case, and kept if it is new: a branch here would often be mispredicted.
                    let (word, bit) = (&mut seen[u as usize / 64], 1 << (u % 64));
                    queue[next] = u;
                    next += usize::from(*word & bit == 0);
                    *word |= bit;
                }
                let trees = &folded.sizes(v)[1..];
                if !trees.is_empty() {
                    if counts.len() <= depth + trees.len() {
                        counts.resize(depth + trees.len() + 1, 0);
                    }
                    counts[depth + 1..].iter_mut().zip(trees).for_each(|(count, more)| *count += more);
                }
            }
            (first, end, depth) = (end, next, depth + 1);
        }
    }
}
