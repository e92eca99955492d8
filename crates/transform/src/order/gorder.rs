//! Gorder \[1\]: places every vertex near those with which it shares in-neighbours.
//!
//! Greedy: the next vertex `v` is one with the greatest sum of `S(u, v) = Ss(u, v) + Sn(u, v)` over the window, the
//! last `window` vertices `u` that were placed. `Ss` counts the common in-neighbours, `Sn` the arcs between the two,
//! one per direction; an edge of an undirected graph is two arcs. Parallel arcs count once; a loop makes a vertex an
//! in-neighbour of itself. If no remaining vertex has a score, at the start and between components, the one with the
//! largest in-degree is next, the smallest on ties. Otherwise, among equal scores, the vertex on top of the heap is
//! next, which is the same on every machine. Vertices without arcs come last, by number.
//!
//! As in the authors' program, `Ss` ignores in-neighbours with more than sqrt(n) out-neighbours: a hub is common to
//! nearly all pairs, so it does not distinguish them, and it would cost the square of its degree.
//!
//! When `v` enters the window, the scores of all out-neighbours of its in-neighbours rise by one; when it leaves, they
//! fall. These steps are nearly all of the work: at worst twice the sum of the squared out-degrees of the vertices that
//! are not hubs. So
//!
//! - rows common to the vertex that enters and the one that leaves cancel out and are not scanned ([`changes`]),
//! - placed vertices are dropped from the rows in which they are met, which halves the rest ([`rows`]),
//! - scores are stored by decreasing in-degree, that is, by how often they change: most steps stay in the cache,
//! - a step is one addition; a vertex moves in the heap only when its score passes its bound ([`heap`]).
//!
//! Inherently serial. Memory besides the result: 4 bytes per arc of the vertices that are not hubs, 32 bytes per
//! vertex, and 4 bytes times the greatest score. Directed graphs need the transpose.
//!
//! \[1\] H. Wei, J. X. Yu, C. Lu, X. Lin. Speedup Graph Processing by Graph Ordering. SIGMOD 2016.

mod changes;
mod heap;
mod rows;
#[cfg(test)]
mod tests;

use changes::{Change, Changes};
use heap::UnitHeap;
use rows::Rows;
use warpgraph_graph::{Control, Csr, Graph, Pages, Result, Vertex};

/// What a stopped order was doing.
const DURING: &str = "ordering the vertices";

/// Steps between two checks of the control.
const PATIENCE: u64 = 1 << 24;

/// Neighbours whose rows are requested from memory together.
const GROUP: usize = 16;

/// Returns all vertices, each close to those before it with which it has most in common; a window of 0 counts as 1.
pub(super) fn order(graph: &Graph, window: u32, control: &Control) -> Result<Pages<Vertex>> {
    let (out, incoming) = (&graph.out().csr, &graph.incoming()?.csr);
    let by_rank = by_in_degree(out, incoming)?;
    Greedy::new(out, incoming, &by_rank, window.max(1), control)?.place_all(&by_rank)
}

/// Returns the vertices by decreasing in-degree, the smallest first on ties; those without arcs come last.
fn by_in_degree(out: &Csr, incoming: &Csr) -> Result<Pages<Vertex>> {
    let n = out.vertices();
    let key = |v: Vertex| match (incoming.degree(v), out.degree(v)) {
        (0, 0) => u32::MAX,
        (degree, _) => (u32::MAX - 1).saturating_sub(u32::try_from(degree).unwrap_or(u32::MAX)),
    };
    super::degree::by_key(n, key)
}

/// The state of the greedy choice. The *rank* of a vertex is its position by in-degree.
struct Greedy<'a> {
    out: &'a Csr,
    incoming: &'a Csr,
    /// The rank of every vertex.
    ranks: Pages<Vertex>,
    rows: Rows,
    heap: UnitHeap,
    window: usize,
    control: &'a Control,
    /// Number of vertices placed.
    placed: usize,
    /// Steps since the last check of the control.
    steps: u64,
}

impl<'a> Greedy<'a> {
    fn new(
        out: &'a Csr,
        incoming: &'a Csr,
        by_rank: &[Vertex],
        window: u32,
        control: &'a Control,
    ) -> Result<Self> {
        let mut ranks: Pages<Vertex> = Pages::scratch(by_rank.len())?;
        by_rank.iter().enumerate().for_each(|(rank, &v)| ranks[v as usize] = rank as Vertex);
        let rows = Rows::new(out, &ranks, control)?;
        // A vertex shares at most all of its in-neighbours with each vertex of the window, and at most all rows with
        // all of them.
        let most = u64::from(window).min(by_rank.len() as u64);
        let in_degree = by_rank.first().map_or(0, |&v| incoming.degree(v) as u64);
        let shared = most.saturating_mul(in_degree).min(rows.arcs());
        let heap = UnitHeap::new(by_rank.len(), shared + 2 * most)?;
        Ok(Self { out, incoming, ranks, rows, heap, window: window as usize, control, placed: 0, steps: 0 })
    }

    fn place_all(mut self, by_rank: &[Vertex]) -> Result<Pages<Vertex>> {
        let mut order: Pages<Vertex> = Pages::scratch(by_rank.len())?;
        for place in 0..by_rank.len() {
            let enters = by_rank[self.heap.take() as usize];
            order[place] = enters;
            self.placed = place + 1;
            self.slide(enters, place.checked_sub(self.window).map(|first| order[first]))?;
            self.pause(1)?;
        }
        Ok(order)
    }

    /// Counts steps, and checks the control every [`PATIENCE`] steps.
    #[inline(always)]
    fn pause(&mut self, steps: usize) -> Result<()> {
        self.steps += steps as u64;
        if self.steps < PATIENCE {
            return Ok(());
        }
        self.steps = 0;
        self.control.report("gorder", self.placed as u64, Some(self.ranks.len() as u64));
        self.control.check(DURING)
    }

    /// Updates the scores as one vertex enters the window and another leaves it.
    fn slide(&mut self, enters: Vertex, leaves: Option<Vertex>) -> Result<()> {
        let mut group = Vec::with_capacity(GROUP);
        let mut arcs_out = Changes::between(self.out, enters, leaves);
        while arcs_out.fill(&mut group, GROUP) {
            self.shift(&group);
            self.pause(GROUP)?;
        }
        let mut arcs_in = Changes::between(self.incoming, enters, leaves);
        while arcs_in.fill(&mut group, GROUP) {
            self.shift(&group);
            self.rows.touch(&group);
            for &(change, u) in &group {
                let row = self.rows.of(u);
                let steps = row.len();
                let left = self.heap.shift_all(change, row);
                self.rows.shorten(u, left);
                self.pause(steps)?;
            }
        }
        Ok(())
    }

    /// Updates the scores of a few vertices.
    #[inline(always)]
    fn shift(&mut self, group: &[(Change, Vertex)]) {
        for &(change, v) in group {
            self.heap.shift(change, self.ranks[v as usize]);
        }
    }
}
