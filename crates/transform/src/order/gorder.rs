//! Gorder \[1\]: every vertex near those that it shares in-neighbours with.
//!
//! Greedy: the next vertex `v` is one with the greatest sum of `S(u, v) = Ss(u, v) + Sn(u, v)` over the window, the last
//! `window` vertices `u` that were placed. `Ss` counts the common in-neighbours, `Sn` the arcs between the two, one for each
//! direction; an edge of an undirected graph is two arcs. Parallel arcs count once, loops only as an in-neighbour of
//! their own. Where no vertex left has a score, at the start and between components, the one of the largest in-degree is
//! next, the smallest on ties. Otherwise equal scores go to whom the heap has on top, which is the same on every machine.
//! Vertices without arcs are last, by number.
//!
//! As in the authors' program, in-neighbours of more than sqrt(n) out-neighbours are left out of `Ss`: a hub is common to
//! nearly all pairs, so it does not tell them apart, and it would cost the square of its degree.
//!
//! When `v` enters the window, the scores of all out-neighbours of its in-neighbours rise by one; when it leaves, they fall.
//! These steps are nearly all of the work: the sum of the squared out-degrees of those who are no hubs, twice at worst. So
//!
//! - rows that the one who enters has in common with the one who leaves cancel out and are not walked ([`changes`]),
//! - vertices that are placed are dropped from the rows they are met in, which halves the rest ([`rows`]),
//! - scores lie by decreasing in-degree, which is how often they are changed: most steps stay in the cache,
//! - a step is one addition; a vertex moves in the heap only when it passes its bound ([`heap`]).
//!
//! Serial, by its nature. Memory beside the result: 4 bytes an arc of those who are no hubs, 32 bytes a vertex, and 4 bytes
//! times the greatest score. Directed graphs need the transpose.
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

/// Steps between two looks at the control.
const PATIENCE: u64 = 1 << 24;

/// Neighbours whose rows are asked for at once.
const GROUP: usize = 16;

/// All vertices, each next to those before it that it has most in common with; a window of 0 is one of 1.
pub(super) fn order(graph: &Graph, window: u32, control: &Control) -> Result<Pages<Vertex>> {
    let (out, incoming) = (&graph.out().csr, &graph.incoming()?.csr);
    let by_rank = by_in_degree(out, incoming)?;
    Greedy::new(out, incoming, &by_rank, window.max(1), control)?.place_all(&by_rank)
}

/// By decreasing in-degree, the smallest vertex first on ties; those without arcs last.
fn by_in_degree(out: &Csr, incoming: &Csr) -> Result<Pages<Vertex>> {
    let n = out.vertices();
    let key = |v: Vertex| match (incoming.degree(v), out.degree(v)) {
        (0, 0) => u32::MAX,
        (degree, _) => (u32::MAX - 1).saturating_sub(u32::try_from(degree).unwrap_or(u32::MAX)),
    };
    super::degree::by_key(n, key)
}

/// The state of the greedy choice. A *rank* is a vertex's place by in-degree.
struct Greedy<'a> {
    out: &'a Csr,
    incoming: &'a Csr,
    /// The rank of every vertex.
    ranks: Pages<Vertex>,
    rows: Rows,
    heap: UnitHeap,
    window: usize,
    control: &'a Control,
    /// Vertices that are placed.
    placed: usize,
    /// Steps since the control was looked at.
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
        // A vertex shares at most all of its in-neighbours with each of the window, and at most all rows with all of them.
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

    /// Counts steps, and looks at the control now and then.
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

    /// Changes the scores as one vertex enters the window and another leaves it.
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

    /// Changes the scores of a few vertices.
    #[inline(always)]
    fn shift(&mut self, group: &[(Change, Vertex)]) {
        for &(change, v) in group {
            self.heap.shift(change, self.ranks[v as usize]);
        }
    }
}
