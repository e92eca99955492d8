//! Brandes' algorithm for one source on one thread, by increasing weighted distance: Dijkstra's order.
//!
//! Distances are stored as keys of the same order: integers as they are, floats as their bits. Path counts always have
//! scales, as in [`super::walk`].

use super::{
    ledger::{Searches, Walk},
    masses::Stands,
    walk::{FEW, add_scaled, carry, shrink},
};
use std::{cmp::Reverse, collections::BinaryHeap};
use warpgraph_core::{Result, bc::vanishes};
use warpgraph_graph::{Control, Graph, Offset, Vertex, View, Weights};

/// Vertices between two checks of the control.
const PATIENCE: usize = 1 << 12;

/// Weights as lengths of arcs.
pub(super) trait Metric: Copy + Send + Sync {
    /// The key of a vertex that is not reached, at least as large as any other.
    const FAR: u64;
    /// Returns the key of a distance that is longer by one arc.
    fn longer(self, key: u64, arc: usize) -> u64;
    fn print(key: u64) -> f64;
}

macro_rules! metric {
    ($($weight:ty: $far:expr, |$key:ident, $w:ident| $longer:expr, $print:expr);*) => {$(
        impl Metric for &[$weight] {
            const FAR: u64 = $far;
            #[inline(always)]
            fn longer(self, $key: u64, arc: usize) -> u64 {
                let $w = self[arc];
                $longer
            }
            fn print(key: u64) -> f64 {
                $print(key)
            }
        }
    )*};
}
metric!(
    u32: u64::MAX, |key, w| key + u64::from(w), |key| key as f64;
    i32: u64::MAX, |key, w| key + u64::from(w.unsigned_abs()), |key| key as f64;
    f32: f64::INFINITY.to_bits(), |key, w| (f64::from_bits(key) + f64::from(w)).to_bits(), f64::from_bits;
    f64: f64::INFINITY.to_bits(), |key, w| (f64::from_bits(key) + w).to_bits(), f64::from_bits
);

#[derive(Debug, Clone, Copy)]
struct Node {
    key: u64,
    /// The number of shortest paths; on the way back `(mass + delta) / count`.
    count: f64,
    scale: u32,
}

/// Walks from one source after another.
pub(super) struct Dijkstra<'a, O, M> {
    graph: &'a Graph,
    out: View<'a, O>,
    stands: Stands<'a>,
    lengths: M,
    /// All far except for the vertices reached.
    nodes: Vec<Node>,
    heap: BinaryHeap<Reverse<(u64, Vertex)>>,
    /// The vertices reached, nearest first.
    order: Vec<Vertex>,
    deltas: Vec<f64>,
}

impl<'a, O: Offset> Dijkstra<'a, O, ()> {
    /// Makes searches by increasing distance, and returns the bytes of all walkers.
    ///
    /// # Errors
    /// Those of the searches.
    pub(super) fn walk_all(
        out: View<'a, O>,
        graph: &'a Graph,
        stands: Stands<'a>,
        searches: impl Searches,
    ) -> Result<u64> {
        match &graph.out().weights {
            Weights::U32(w) => Dijkstra::with(out, graph, stands, &w[..], searches),
            Weights::I32(w) => Dijkstra::with(out, graph, stands, &w[..], searches),
            Weights::F32(w) => Dijkstra::with(out, graph, stands, &w[..], searches),
            Weights::F64(w) => Dijkstra::with(out, graph, stands, &w[..], searches),
            // Only a graph without arcs passes the check without weights, and none of its sources reaches anything.
            Weights::None => Ok(0),
        }
    }
}

impl<'a, O: Offset, M: Metric> Dijkstra<'a, O, M> {
    fn with(
        out: View<'a, O>,
        graph: &'a Graph,
        stands: Stands<'a>,
        lengths: M,
        searches: impl Searches,
    ) -> Result<u64> {
        let n = out.vertices();
        let bytes = n * (size_of::<Node>() + 2 * size_of::<(u64, Vertex)>() + size_of::<f64>());
        let make = || {
            Ok(Self {
                graph,
                out,
                stands,
                lengths,
                nodes: vec![Self::FRESH; n],
                heap: BinaryHeap::new(),
                order: Vec::new(),
                deltas: Vec::new(),
            })
        };
        searches.run(make, bytes as u64)
    }

    const FRESH: Node = Node { key: M::FAR, count: 0.0, scale: 0 };

    /// Makes all nodes fresh. Every vertex that has a distance was settled, unless an error ended the search.
    fn forget(&mut self) {
        if self.order.len() > self.nodes.len() / FEW {
            self.nodes.fill(Self::FRESH);
        } else {
            self.order.iter().for_each(|&v| self.nodes[v as usize] = Self::FRESH);
        }
    }

    fn forward(&mut self, source: Vertex, control: &Control) -> Result<()> {
        self.forget();
        self.nodes[source as usize] = Node { key: 0, count: 1.0, scale: 0 };
        self.order.clear();
        self.heap.clear();
        self.heap.push(Reverse((0, source)));
        while let Some(Reverse((key, u))) = self.heap.pop() {
            if self.nodes[u as usize].key == key {
                if self.order.len().is_multiple_of(PATIENCE) {
                    control.check("counting paths")?;
                }
                self.order.push(u);
                self.relax_all(u, key)?;
            }
        }
        Ok(())
    }

    fn relax_all(&mut self, u: Vertex, key: u64) -> Result<()> {
        let node = &mut self.nodes[u as usize];
        carry(&mut node.count, &mut node.scale);
        let stands = self.stands;
        stands.rows(u).try_for_each(|row| self.relax(u, row, key))
    }

    /// Relaxes along the arcs in one row of `u`.
    fn relax(&mut self, u: Vertex, row: Vertex, key: u64) -> Result<()> {
        let Node { count, scale, .. } = self.nodes[u as usize];
        for arc in self.out.arcs_of(row) {
            let (v, longer) = (self.out.targets()[arc], self.lengths.longer(key, arc));
            if v == u {
                continue;
            }
            let node = &mut self.nodes[v as usize];
            if longer < node.key {
                *node = Node { key: longer, count: 0.0, scale };
                self.heap.push(Reverse((longer, v)));
            }
            if longer == node.key && longer < M::FAR {
                if longer == key {
                    return Err(vanishes(self.graph, u, v, arc, M::print(key)));
                }
                add_scaled(&mut node.count, &mut node.scale, count, scale);
            }
        }
        Ok(())
    }

    fn backward(&mut self) {
        self.deltas.clear();
        self.deltas.resize(self.order.len(), 0.0);
        for at in (1..self.order.len()).rev() {
            let u = self.order[at];
            let Node { key, count, scale } = self.nodes[u as usize];
            let mut behind = 0.0;
            for arc in self.stands.rows(u).flat_map(|row| self.out.arcs_of(row)) {
                let next = self.nodes[self.out.targets()[arc] as usize];
                if key < next.key && next.key < M::FAR && self.lengths.longer(key, arc) == next.key {
                    behind += next.count * shrink(next.scale - scale);
                }
            }
            let delta = count * behind;
            self.deltas[at] = delta;
            self.nodes[u as usize].count = (self.stands.masses.of(u) + delta) / count;
        }
    }
}

impl<O: Offset, M: Metric> Walk for Dijkstra<'_, O, M> {
    fn walk(&mut self, source: Vertex, control: &Control) -> Result<()> {
        self.forward(source, control)?;
        self.backward();
        Ok(())
    }

    fn dependencies(&self) -> (&[Vertex], &[f64]) {
        (&self.order, &self.deltas)
    }

    fn degree(&self, v: Vertex) -> usize {
        self.stands.degree(self.out, v)
    }
}
