//! Passes over the rows: the lightest edge of each row, and edges between trees within limits.

use super::{
    boruvka::{Between, Trees, append},
    weight::{Edge, Weighing},
};
use crate::{
    Options,
    parts::{Forest, Team, balanced},
};
use std::sync::Mutex;
use warpgraph_core::program::Copies;
use warpgraph_graph::{NO_VERTEX, Offset, Vertex, View, hash};

/// Arcs and vertices that a thread takes at a time.
const WORK: usize = 1 << 14;
/// Listing edges pays off up to the arcs divided by this, since a pass over all rows costs as much.
const LIST_SHARE: usize = 16;
/// Arcs sampled to estimate how many edges there are between trees.
const SAMPLES: usize = 1 << 12;

/// The graph to span.
pub(super) struct Rows<'a, O, W> {
    pub(super) out: View<'a, O>,
    pub(super) weights: W,
    pub(super) options: &'a Options,
    /// Whether every edge is in the rows of both its ends.
    pub(super) is_undirected: bool,
    /// Copies of vertices, if there are any: the rows of copies are parts of those of their masters.
    pub(super) copies: Option<&'a Copies>,
}

impl<O: Offset, W: Weighing> Rows<'_, O, W> {
    /// Returns the edge of an arc from `u` to `v`.
    #[inline(always)]
    fn edge(&self, u: Vertex, v: Vertex, arc: usize) -> Edge<W::Key> {
        let (a, b) = (self.options.original(u), self.options.original(v));
        Edge { key: self.weights.key(arc), low: a.min(b), high: a.max(b) }
    }

    /// Returns the vertex whose arcs a row holds: of a copy, its master.
    #[inline(always)]
    fn owner(&self, row: Vertex) -> Vertex {
        match (self.copies, &self.options.map) {
            (Some(copies), Some(map)) if !copies.is_master(row) && map.original(row) != NO_VERTEX => {
                map.inner(map.original(row))
            }
            _ => row,
        }
    }

    /// Runs a round of Borůvka: joins every vertex to the other end of its lightest edge.
    pub(super) fn join_lightest(&self, team: &Team, forest: &Forest<'_>, edges: &mut Vec<Edge<W::Key>>) {
        let ranges = balanced(self.out, WORK);
        let taken = Mutex::new(edges);
        team.round(ranges.len(), &|_, range| {
            let mut own = Vec::with_capacity(ranges[range].len());
            for v in ranges[range].clone() {
                if let Some((u, edge)) = self.lightest(v as Vertex)
                    && forest.link(v as Vertex, u)
                {
                    own.push(edge);
                }
            }
            append(&taken, &own);
        });
    }

    /// Returns the lightest edge of a vertex with its copies, and its other end; none of a copy.
    #[inline(always)]
    fn lightest(&self, v: Vertex) -> Option<(Vertex, Edge<W::Key>)> {
        let Some(copies) = self.copies else { return self.lightest_of_row(v) };
        if !copies.is_master(v) {
            return None;
        }
        let rows = std::iter::once(v).chain(copies.of_master(v).iter().copied());
        rows.filter_map(|row| self.lightest_of_row(row)).min_by_key(|&(_, edge)| edge)
    }

    /// Returns the lightest edge of a row, and its other end.
    #[inline(always)]
    fn lightest_of_row(&self, v: Vertex) -> Option<(Vertex, Edge<W::Key>)> {
        let (arcs, owner) = (self.out.arcs_of(v), self.owner(v));
        let mut best: Option<(W::Key, usize)> = None;
        for arc in arcs {
            let u = self.out.targets()[arc];
            let key = self.weights.key(arc);
            if u == owner {
                continue;
            }
            let is_less = match best {
                None => true,
                // In the original order, a row lists the edges of its vertex in their order, so the first one stays.
                Some((least, held)) if key == least => {
                    self.options.map.is_some()
                        && self.edge(v, u, arc) < self.edge(v, self.out.targets()[held], held)
                }
                Some((least, _)) => key < least,
            };
            if is_less {
                best = Some((key, arc));
            }
        }
        let (_, arc) = best?;
        let u = self.out.targets()[arc];
        Some((u, self.edge(v, u, arc)))
    }

    /// Returns the edge up to which there are about `wanted` edges above `done` between trees; more if that is few
    /// compared with the arcs. Returns `None` if not many more edges are left.
    pub(super) fn limit(
        &self,
        forest: &Forest<'_>,
        done: Option<Edge<W::Key>>,
        wanted: usize,
    ) -> Option<Edge<W::Key>> {
        let arcs = self.out.arcs();
        let wanted = wanted.max(arcs / LIST_SHARE);
        if arcs <= 2 * wanted.max(SAMPLES) {
            return None;
        }
        let draw = |i: usize| (hash::mix(arcs as u64, i as u64) % arcs as u64) as usize;
        let between = |i: usize| {
            let arc = draw(i);
            let (u, v) = (self.source_of(arc), self.out.targets()[arc]);
            let edge = self.edge(u, v, arc);
            let counts = forest.get(u) != forest.get(v) && done.is_none_or(|done| edge > done);
            counts.then_some(edge)
        };
        let mut met: Vec<Edge<W::Key>> = (0..SAMPLES).filter_map(between).collect();
        let copies = if self.is_undirected { 2 } else { 1 };
        let left = arcs as f64 * met.len() as f64 / SAMPLES as f64 / f64::from(copies);
        let share = wanted as f64 / left.max(1.0);
        if share > 0.6 || met.is_empty() {
            return None;
        }
        met.sort_unstable();
        met.get((share * met.len() as f64) as usize).copied()
    }

    /// Returns the vertex whose row holds an arc.
    fn source_of(&self, arc: usize) -> Vertex {
        (self.out.offsets().partition_point(|o| o.index() <= arc) - 1) as Vertex
    }

    /// Collects all edges between trees above `done` and up to `limit`, and clears their trees. Skips the rows inside
    /// the `giant` tree, whose edges the other rows have.
    pub(super) fn collect(
        &self,
        team: &Team,
        trees: &Trees<'_>,
        giant: Option<Vertex>,
        done: Option<Edge<W::Key>>,
        limit: Option<Edge<W::Key>>,
    ) -> Vec<Between<W::Key>> {
        let (ranges, forest) = (balanced(self.out, WORK), &trees.forest);
        let mut all = Vec::new();
        let found = Mutex::new(&mut all);
        team.round(ranges.len(), &|_, range| {
            let mut own = Vec::new();
            for v in ranges[range].clone() {
                let (v, tree) = (v as Vertex, forest.get(v as Vertex));
                if Some(tree) == giant {
                    continue;
                }
                let owner = self.owner(v);
                for arc in self.out.arcs_of(v) {
                    let u = self.out.targets()[arc];
                    // An edge in two rows is taken from the row of its smaller end, unless that row is skipped.
                    if self.is_undirected && u < owner && (giant.is_none() || Some(forest.get(u)) != giant) {
                        continue;
                    }
                    let (key, other) = (self.weights.key(arc), forest.get(u));
                    if done.is_some_and(|done| key < done.key)
                        || limit.is_some_and(|limit| key > limit.key)
                        || other == tree
                    {
                        continue;
                    }
                    let edge = self.edge(v, u, arc);
                    if done.is_none_or(|done| edge > done) && limit.is_none_or(|limit| edge <= limit) {
                        trees.clear(tree);
                        trees.clear(other);
                        own.push(Between { edge, a: tree, b: other });
                    }
                }
            }
            append(&found, &own);
        });
        all
    }
}
