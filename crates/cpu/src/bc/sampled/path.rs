//! A random shortest path between two vertices, by searches from both ends that meet.
//!
//! The search from s goes along arcs, the one from t against them. Each keeps the whole levels that it has completed, and
//! the two sets of vertices are disjoint. The side whose last level has fewer arcs goes on by one level, as in KADABRA. An
//! arc that leads from it into the other set ends at that side's last level: were it nearer, the other side would have
//! found the arc before. So once such arcs are found, all of them lie on shortest paths, and every shortest path has
//! exactly one of them, at this level. The run chooses one in proportion to the numbers of paths at its two ends, and goes
//! back from there to both ends, choosing predecessors in proportion to their numbers of paths.
//!
//! A step back looks at all arcs into the vertex, or looks the vertex up in the rows of the level before, whichever is
//! less. So a step back from a hub does not cost its degree.
//!
//! Numbers of paths have a scale as in [`walk`](crate::bc::walk). A search resets what it touched, and never the whole
//! array.

use super::choice::{Choice, Paths};
use crate::bc::walk::{add_scaled, carry};
use bytemuck::{Pod, Zeroable};
use std::ops::Range;
use warpgraph_core::{Draws, Result};
use warpgraph_graph::{Offset, Pages, Vertex, View};

/// The mark of a vertex that no search has reached.
const UNSEEN: u32 = u32::MAX;
/// Looking a vertex up in a row costs this many times as much as looking at an arc.
const LOOKUP: usize = 8;

/// What the searches know of a vertex.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Node {
    /// The number of shortest paths from the side's end.
    count: f64,
    /// Twice the level, and 1 more on the side of t.
    mark: u32,
    scale: u32,
}

const FRESH: Node = Node { count: 0.0, mark: UNSEEN, scale: 0 };

/// One of the two searches.
#[derive(Default)]
struct Side {
    /// The vertices reached, nearest first.
    queue: Vec<Vertex>,
    /// Where each level starts in the queue; the last one may still grow.
    levels: Vec<usize>,
    /// The arcs of the last level.
    arcs: usize,
}

impl Side {
    fn start(&mut self, end: Vertex, arcs: usize) {
        self.queue.clear();
        self.levels.clear();
        self.queue.push(end);
        self.levels.push(0);
        self.arcs = arcs;
    }

    fn level(&self, number: usize) -> Range<usize> {
        self.levels[number]..self.levels.get(number + 1).copied().unwrap_or(self.queue.len())
    }

    /// Returns the number of the last level.
    fn last(&self) -> usize {
        self.levels.len() - 1
    }
}

/// Returns the bytes of a sampler.
pub(super) fn bytes(vertices: usize) -> u64 {
    (vertices * (size_of::<Node>() + 2 * size_of::<Vertex>())) as u64
}

/// Draws paths, one after another.
pub(super) struct Sampler<'a, O, I> {
    out: View<'a, O>,
    incoming: View<'a, I>,
    nodes: Pages<Node>,
    sides: [Side; 2],
    /// Arcs looked at so far.
    arcs: u64,
}

/// An arc at which the searches meet.
#[derive(Clone, Copy)]
struct Meeting {
    /// Its ends, on the side of s and on the side of t.
    ends: [Vertex; 2],
}

impl<'a, O: Offset, I: Offset> Sampler<'a, O, I> {
    pub(super) fn new(out: View<'a, O>, incoming: View<'a, I>) -> Result<Self> {
        let mut nodes = Pages::scratch(out.vertices())?;
        nodes.fill(FRESH);
        Ok(Self { out, incoming, nodes, sides: Default::default(), arcs: 0 })
    }

    /// Returns the arcs looked at since the last call.
    pub(super) fn take_arcs(&mut self) -> u64 {
        std::mem::take(&mut self.arcs)
    }

    /// Calls `inner` for every inner vertex of a uniformly random shortest path from `s` to `t`, which are different; for
    /// none if there is no path.
    pub(super) fn path(&mut self, s: Vertex, t: Vertex, draws: &mut Draws, mut inner: impl FnMut(Vertex)) {
        self.start([s, t]);
        if let Some(Meeting { ends }) = self.meet(draws) {
            for (side, &end) in ends.iter().enumerate() {
                self.follow(side, end, draws, &mut inner);
            }
        }
        for v in self.sides.iter().flat_map(|side| &side.queue) {
            self.nodes[*v as usize] = FRESH;
        }
    }

    fn start(&mut self, ends: [Vertex; 2]) {
        for (side, &end) in ends.iter().enumerate() {
            let arcs = self.degree(side, end);
            self.sides[side].start(end, arcs);
            self.nodes[end as usize] = Node { count: 1.0, mark: side as u32, scale: 0 };
        }
    }

    /// Searches from both ends until they meet, and returns one of the arcs at which they do.
    fn meet(&mut self, draws: &mut Draws) -> Option<Meeting> {
        loop {
            if self.sides.iter().any(|side| side.arcs == 0) {
                return None;
            }
            let side = usize::from(self.sides[1].arcs < self.sides[0].arcs);
            let found = self.expand(side, draws);
            if found.is_some() {
                return found;
            }
        }
    }

    /// Goes on by one level on a side.
    fn expand(&mut self, side: usize, draws: &mut Draws) -> Option<Meeting> {
        let mut choice = Choice::new();
        let level = self.sides[side].level(self.sides[side].last());
        let next = 2 * (self.sides[side].levels.len() as u32) + side as u32;
        self.arcs += self.sides[side].arcs as u64;
        self.sides[side].levels.push(level.end);
        self.sides[side].arcs = 0;
        for place in level {
            let u = self.sides[side].queue[place];
            let from = self.carried(u);
            for &v in self.neighbors(side, u) {
                let node = self.nodes[v as usize];
                if node.mark == UNSEEN {
                    self.nodes[v as usize] = Node { count: from.count, mark: next, scale: from.scale };
                    self.sides[side].queue.push(v);
                    self.sides[side].arcs += self.degree(side, v);
                } else if node.mark == next {
                    let node = &mut self.nodes[v as usize];
                    add_scaled(&mut node.count, &mut node.scale, from.count, from.scale);
                } else if node.mark & 1 != side as u32 {
                    let ends = if side == 0 { [u, v] } else { [v, u] };
                    choice.offer_pairs(from, self.carried(v), Meeting { ends }, draws);
                }
            }
        }
        choice.chosen()
    }

    /// Calls `inner` for the vertices from `v` back to the end of its side, which is left out.
    fn follow(&mut self, side: usize, mut v: Vertex, draws: &mut Draws, inner: &mut impl FnMut(Vertex)) {
        for level in (0..self.nodes[v as usize].mark as usize / 2).rev() {
            inner(v);
            v = match level {
                0 => return,
                _ => self.before(side, v, level, draws),
            };
        }
    }

    /// Returns a predecessor of `v` on a level.
    fn before(&mut self, side: usize, v: Vertex, level: usize, draws: &mut Draws) -> Vertex {
        let mut choice = Choice::new();
        let (places, degree) = (self.sides[side].level(level), self.degree(1 - side, v));
        if degree <= LOOKUP * places.len() {
            self.arcs += degree as u64;
            let mark = 2 * level as u32 + side as u32;
            for &u in self.neighbors(1 - side, v) {
                if self.nodes[u as usize].mark == mark {
                    choice.offer(self.carried(u), u, draws);
                }
            }
        } else {
            self.arcs += (LOOKUP * places.len()) as u64;
            for place in places {
                let u = self.sides[side].queue[place];
                for _ in 0..times(self.neighbors(side, u), v) {
                    choice.offer(self.carried(u), u, draws);
                }
            }
        }
        // A vertex beyond level 0 was found from the level before, so there is a predecessor.
        choice.chosen().unwrap_or(v)
    }

    /// Returns the number of paths to a vertex, with a count below 2^512.
    #[inline(always)]
    fn carried(&mut self, v: Vertex) -> Paths {
        let node = &mut self.nodes[v as usize];
        carry(&mut node.count, &mut node.scale);
        Paths { count: node.count, scale: node.scale }
    }

    /// Returns the vertices that a side goes to from `v`.
    #[inline(always)]
    fn neighbors(&self, side: usize, v: Vertex) -> &'a [Vertex] {
        if side == 0 { self.out.neighbors(v) } else { self.incoming.neighbors(v) }
    }

    #[inline(always)]
    fn degree(&self, side: usize, v: Vertex) -> usize {
        if side == 0 { self.out.degree(v) } else { self.incoming.degree(v) }
    }
}

/// Returns how often a sorted row has a vertex.
fn times(row: &[Vertex], v: Vertex) -> usize {
    let start = row.partition_point(|&u| u < v);
    row[start..].iter().take_while(|&&u| u == v).count()
}
