//! Supersteps that push: every frontier vertex adds its neighbours that are not done to the tree.
//!
//! Threads that claim vertices with atomics compete for cache lines. Instead every vertex has an owner. Finders process
//! equal shares of the frontier's arcs and sort the candidates into boxes by owner; then each owner processes its boxes
//! alone, with plain reads and writes. Every candidate is written and read once, sequentially, without locks.

use super::{Frontier, Search, Tree, claim::Piece};
use crate::parts::{Spare, Team, prefetch};
use std::sync::Mutex;
use warpgraph_graph::{Offset, Vertex, View};

/// Frontiers with fewer arcs than this are claimed vertex by vertex.
const SMALL: usize = 1 << 16;
/// The most arcs that finders process before the owners take over. Bounds the memory of the boxes.
const ROUND: usize = 1 << 22;
/// How many vertices ahead arcs are prefetched.
const AHEAD: usize = 4;
/// Vertices or words per piece.
const BATCH: usize = 1 << 12;
/// Shares per thread, on average, so that uneven ones balance out.
const SHARES_PER_THREAD: usize = 4;

/// A vertex and the frontier vertex that found it.
pub(super) type Candidate = (Vertex, Vertex);

/// The queues and boxes, kept between supersteps and runs.
#[derive(Default)]
pub(super) struct Exchange {
    /// The frontier, while pushing.
    pub(super) queue: Vec<Vertex>,
    next: Vec<Vertex>,
    /// The pieces of a small frontier, and how many of them hold it now; 0 if the queue does.
    pub(super) pieces: Vec<Mutex<Piece>>,
    pub(super) dealt: usize,
    /// The owner of vertex `v` is `v >> shift`. Each has at least 64 vertices, so that a bitmap word has one owner.
    shift: u32,
    /// `boxes[finder][owner]`.
    boxes: Vec<Vec<Vec<Candidate>>>,
    /// The vertices that each owner added to the tree.
    taken: Vec<Vec<Vertex>>,
}

static SPARE: Spare<Exchange> = Spare::new();

impl Exchange {
    /// Creates an exchange for the threads of the current pool, with a queue of one vertex.
    pub(super) fn new(vertices: usize, source: Vertex) -> Self {
        let shares = rayon::current_num_threads() * SHARES_PER_THREAD;
        let shift = vertices.div_ceil(shares).max(64).next_power_of_two().trailing_zeros();
        let owners = vertices.div_ceil(1 << shift);
        let mut exchange = SPARE.take_or(Self::default);
        exchange.shift = shift;
        exchange.boxes.resize_with(shares, Vec::new);
        exchange.boxes.iter_mut().for_each(|boxes| boxes.resize_with(owners, Vec::new));
        exchange.boxes.iter_mut().flatten().for_each(Vec::clear);
        exchange.taken.resize_with(owners, Vec::new);
        exchange.dealt = 0;
        exchange.queue.clear();
        exchange.queue.push(source);
        exchange
    }

    /// Keeps the memory for the next run.
    pub(super) fn keep(self) {
        let boxes: usize = self.boxes.iter().flatten().map(|b| b.capacity() * size_of::<Candidate>()).sum();
        let queues = self.taken.iter().map(Vec::capacity).sum::<usize>()
            + self.queue.capacity()
            + self.next.capacity();
        SPARE.keep(self, boxes + queues * size_of::<Vertex>());
    }
}

impl<O: Offset, I: Offset> Search<'_, O, I> {
    /// Pushes from the frontier, which has `arcs` outgoing arcs.
    pub(super) fn push(&mut self, team: &Team, distance: u32, arcs: usize) -> Frontier {
        if arcs < SMALL {
            return self.push_claiming(team, distance, arcs);
        }
        self.exchange.gather();
        let arcs = self.push_owning(team, distance);
        let Exchange { queue, next, .. } = &mut self.exchange;
        std::mem::swap(queue, next);
        Frontier { vertices: queue.len(), arcs }
    }

    /// Runs finders and owners in turns, and returns the number of arcs of the new frontier.
    fn push_owning(&mut self, team: &Team, distance: u32) -> usize {
        let (starts, total) = self.starts(team);
        self.exchange.next.clear();
        let mut arcs = 0;
        for first in (0..total).step_by(ROUND) {
            self.find(team, &starts, first..total.min(first + ROUND));
            arcs += self.take(team, distance);
        }
        arcs
    }

    /// Returns where the arcs of each frontier vertex start when all are concatenated, and their total.
    fn starts(&self, team: &Team) -> (Vec<usize>, usize) {
        let (out, queue) = (self.out, &self.exchange.queue);
        let mut starts = vec![0; queue.len()];
        let mut parts: Vec<_> = starts.chunks_mut(BATCH).zip(queue.chunks(BATCH)).collect();
        team.each(&mut parts, |_, (starts, queue)| {
            starts.iter_mut().zip(&**queue).for_each(|(start, &u)| *start = out.degree(u));
        });
        let mut total = 0;
        for start in &mut starts {
            total += std::mem::replace(start, total);
        }
        (starts, total)
    }

    /// Sorts the candidates of a range of the frontier's arcs into boxes.
    fn find(&mut self, team: &Team, starts: &[usize], range: std::ops::Range<usize>) {
        let (out, done) = (self.out, &self.done);
        let Exchange { queue, boxes, shift, .. } = &mut self.exchange;
        let (queue, shift) = (&*queue, *shift);
        let share = range.len().div_ceil(boxes.len());
        team.each(boxes, |finder, boxes| {
            let first = range.start + finder * share;
            let mut left = range.end.min(first + share).saturating_sub(first);
            let mut at = starts.partition_point(|&s| s <= first).saturating_sub(1);
            let mut skip = first - starts[at].min(first);
            while left > 0 {
                let u = queue[at];
                if let Some(&soon) = queue.get(at + AHEAD) {
                    prefetch(out.targets(), out.arcs_of(soon).start);
                }
                let neighbors = &out.neighbors(u)[skip..];
                let neighbors = &neighbors[..neighbors.len().min(left)];
                for &v in neighbors {
                    if !done.contains(v) {
                        boxes[(v >> shift) as usize].push((v, u));
                    }
                }
                left -= neighbors.len();
                (at, skip) = (at + 1, 0);
            }
        });
    }

    /// Lets every owner add its candidates to the tree, once each, and returns the number of arcs of what was added.
    fn take(&mut self, team: &Team, distance: u32) -> usize {
        let Exchange { shift, boxes, taken, next, .. } = &mut self.exchange;
        let (out, tree, mask) = (self.out, self.tree, (1usize << *shift) - 1);
        let owned = self.done.words_mut().chunks_mut(1 << (*shift - 6));
        let mut owners: Vec<_> = owned.zip(taken).map(|(done, taken)| (done, taken, 0)).collect();
        team.each(&mut owners, |owner, (done, taken, arcs)| {
            taken.clear();
            for found in &*boxes {
                hang_all(&found[owner], mask, done, tree, distance, taken);
            }
            *arcs = taken.iter().map(|&v| out.degree(v)).sum::<usize>();
        });
        owners.iter().for_each(|(_, taken, _)| next.extend_from_slice(taken));
        boxes.iter_mut().flatten().for_each(Vec::clear);
        owners.iter().map(|(_, _, arcs)| arcs).sum()
    }

    /// Turns the queue into the frontier's bitmap.
    pub(super) fn queue_to_front(&mut self) {
        self.exchange.gather();
        let front = self.front.words_mut();
        front.fill(0);
        for &v in &self.exchange.queue {
            front[v as usize / 64] |= 1 << (v % 64);
        }
    }

    /// Turns the frontier's bitmap into the queue, and returns the number of outgoing arcs.
    pub(super) fn front_to_queue(&mut self, team: &Team) -> usize {
        let out: View<'_, O> = self.out;
        let words = self.front.words().chunks(BATCH).map(|words| (words, Vec::new(), 0));
        let mut parts: Vec<(&[u64], Vec<Vertex>, usize)> = words.collect();
        team.each(&mut parts, |part, (words, found, arcs)| {
            *found = members(words, part * BATCH);
            *arcs = found.iter().map(|&v| out.degree(v)).sum();
        });
        self.exchange.dealt = 0;
        self.exchange.queue.clear();
        self.exchange.queue.extend(parts.iter().flat_map(|(_, found, _)| found));
        parts.iter().map(|(_, _, arcs)| arcs).sum()
    }
}

/// Adds the candidates whose bit in the owner's words is not set to the tree, and sets it.
fn hang_all(
    found: &[Candidate],
    mask: usize,
    done: &mut [u64],
    tree: Tree<'_>,
    distance: u32,
    taken: &mut Vec<Vertex>,
) {
    for &(v, u) in found {
        let (word, bit) = (&mut done[(v as usize & mask) / 64], 1 << (v % 64));
        if *word & bit == 0 {
            *word |= bit;
            tree.hang(v, u, distance);
            taken.push(v);
        }
    }
}

/// Returns the vertices in some words of a bitmap, the first of which is word `base`.
fn members(words: &[u64], base: usize) -> Vec<Vertex> {
    let mut found = Vec::new();
    for (i, &word) in words.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            found.push(((base + i) * 64) as Vertex + left.trailing_zeros());
            left &= left - 1;
        }
    }
    found
}
