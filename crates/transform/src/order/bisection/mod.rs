//! Recursive bisection of a bipartite graph: orders in which the members of every query lie close together.
//!
//! The result is an order of the *data vertices*; a *query* is a set of them. BP, by Dhulipala et al. \[1\] and as
//! described by HALO \[2\], section 8, splits the vertices into two halves, exchanges vertices between the halves while
//! that lowers the cost, and recurses into both halves. The cost is equation (5) of \[2\]: the bits of the gaps between
//! members of a query if the members are spread evenly over each half. With `deg_1(q)` and `deg_2(q)` members in halves
//! of `n_1` and `n_2` vertices it is
//!
//! ```text
//! sum over q of  deg_1(q) log2(n_1 / (deg_1(q) + 1)) + deg_2(q) log2(n_2 / (deg_2(q) + 1))
//! ```
//!
//! The *gain* of a vertex is the drop of the cost when it alone changes halves: a sum over its queries. A *sweep* takes
//! both halves by decreasing gain and exchanges pairs whose gains have a positive sum. There are at most 20 sweeps per
//! block.
//!
//! Departures from the paper:
//! - The initial halves follow the vertex numbers, not a random order, so that existing locality is kept. Inside a
//!   half, and so inside the last blocks of at most 8 vertices, vertices stay in the order of their numbers. Ties
//!   between gains go to the smallest number in small blocks, and are decided by a hash of the number in large ones
//!   ([`select`]).
//! - A query with one member in a block, or with all vertices of the block, costs the same however the block is halved,
//!   and is dropped there. The other queries get new numbers inside the block, so that tables are as small as the
//!   block.
//! - No sweep raises the cost. Exchanging many vertices at once changes the gains that the exchange was based on. So in
//!   a large block fewer pairs are exchanged if the cost would rise ([`batch`]), and in a small block each pair is
//!   judged by the current gains ([`pairs`]). A block is done when a sweep gains almost nothing.
//!
//! Work: O(entries of rows * sweeps) per level of the recursion, of which there are log2(n / 8). All threads sweep a
//! large block together; small blocks are swept in parallel. The order is the same on any number of threads and on any
//! machine: counts are integers, gains are summed in the order of the rows, and logarithms are our own. Memory,
//! including the given rows: 8 bytes per entry, 9 per vertex besides the order, 16 per query and 12 more per further
//! thread; half a byte per entry for counting.
//!
//! \[1\] L. Dhulipala, I. Kabiljo, B. Karrer, G. Ottaviano, S. Pupyrev, A. Shalita. Compressing Graphs and Indexes with
//! Recursive Graph Bisection. KDD 2016. \[2\] P. Gera, H. Kim, P. Sao, H. Kim, D. Bader. Traversing Large Graphs on
//! GPUs with Unified Memory. PVLDB 13(7), 2020.

mod batch;
mod block;
mod cost;
mod pairs;
mod select;
mod split;
mod tables;
#[cfg(test)]
mod tests;

use block::Block;
use cost::Costs;
use std::sync::atomic::{AtomicU64, Ordering};
use tables::Shelf;
use warpgraph_core::Result;
use warpgraph_graph::{Control, Pages, Vertex};

/// Blocks of at most this many vertices stay in the order of their numbers.
const LEAF: usize = 8;
/// The most sweeps per block.
const SWEEPS: usize = 20;
/// All threads sweep a block together if it has more vertices than this, or more entries in its rows than `LARGE_ROWS`.
const LARGE: usize = 1 << 11;
const LARGE_ROWS: usize = 1 << 20;
/// Entries or vertices processed between two checks of the control.
const PIECE: usize = 1 << 16;

/// Rows copied between two checks of the control.
pub(super) const CHECK: usize = 1 << 10;
pub(super) const DURING: &str = "ordering the vertices";

/// The queries of every data vertex, row after row. No row contains a query twice.
#[derive(Debug)]
pub(super) struct Rows {
    /// Number of queries of each vertex.
    pub(super) lengths: Pages<u32>,
    /// All rows, one after the other.
    pub(super) queries: Pages<u32>,
}

/// Returns the data vertices in an order of low cost; those without queries come last, by number. `queries` is larger
/// than every query.
pub(super) fn order(rows: Rows, queries: usize, control: &Control) -> Result<Pages<Vertex>> {
    let Rows { mut lengths, queries: mut rows } = rows;
    control.check(DURING)?;
    let mut vertices = by_number(&lengths)?;
    let n = split::keep_rows(&mut lengths);
    let degrees = split::root(&mut lengths[..n], &mut rows, queries, control)?;
    let kept = lengths[..n].iter().map(|&length| length as usize).sum();
    rows.truncate(kept);
    let (mut room, mut scratch) = (Pages::zeroed_lazily(kept)?, Pages::scratch(n)?);
    let mut sides = Pages::scratch(n)?;
    let root = Block {
        vertices: &mut vertices[..n],
        lengths: &mut lengths[..n],
        rows: &mut rows,
        room: &mut room,
        scratch: &mut scratch,
        sides: &mut sides,
        degrees,
    };
    bisect(root, &Work::new(n, control))?;
    Ok(vertices)
}

/// Returns all vertices by number, those with rows first.
fn by_number(lengths: &[u32]) -> Result<Pages<Vertex>> {
    let mut vertices = Pages::scratch(lengths.len())?;
    let with = (0..lengths.len()).filter(|&v| lengths[v] > 0);
    let without = (0..lengths.len()).filter(|&v| lengths[v] == 0);
    for (slot, v) in vertices.iter_mut().zip(with.chain(without)) {
        *slot = v as Vertex;
    }
    Ok(vertices)
}

/// Orders the vertices of a block.
fn bisect(mut block: Block<'_>, work: &Work<'_>) -> Result<()> {
    let n = block.vertices.len();
    if n <= LEAF || block.degrees.is_empty() {
        return work.add(n * levels(n));
    }
    let entries: usize = block.degrees.iter().map(|&members| members as usize).sum();
    let is_large = n > LARGE || entries > LARGE_ROWS;
    let more = if is_large { batch::tables(entries, block.degrees.len()) } else { 0 };
    let mut tables = work.shelf.take(block.degrees.len(), more)?;
    let parts = tables.parts(more);
    let sweep = if is_large { batch::sweep } else { pairs::sweep };
    sweep(&mut block, parts, work)?;
    let (first, second) = split::split(block, tables.firsts(), work)?;
    work.shelf.put(tables);
    work.add(n)?;
    let (one, other) = rayon::join(|| bisect(first, work), || bisect(second, work));
    one.and(other)
}

/// Returns the depth of the recursion below a block of `n` vertices.
fn levels(n: usize) -> usize {
    n.div_ceil(LEAF).next_power_of_two().ilog2() as usize
}

/// What all blocks share.
struct Work<'a> {
    control: &'a Control,
    costs: Costs,
    shelf: Shelf,
    /// Vertices times levels that are done, and their total.
    done: AtomicU64,
    total: u64,
}

impl<'a> Work<'a> {
    /// About how many times progress is reported.
    const REPORTS: u64 = 64;

    fn new(n: usize, control: &'a Control) -> Self {
        let (costs, shelf) = (Costs::new(), Shelf::default());
        Self { control, costs, shelf, done: AtomicU64::new(0), total: (n * levels(n)) as u64 }
    }

    /// Adds finished vertices times levels. Returns an error if the work must stop.
    fn add(&self, done: usize) -> Result<()> {
        let before = self.done.fetch_add(done as u64, Ordering::Relaxed);
        let (after, step) = (before + done as u64, (self.total / Self::REPORTS).max(1));
        if before / step != after / step {
            self.control.report("bisecting", after, Some(self.total));
        }
        self.check()
    }

    fn check(&self) -> Result<()> {
        Ok(self.control.check(DURING)?)
    }
}
