//! Measures how close together the vertices of each search level lie: what an order is worth to traversals.
//!
//! In every level, a push search (Algorithm 1 of HALO \[1\]) reads the rows of that level's vertices, in increasing
//! order, from the one array of all edges. Over any number of searches:
//!
//! - The gap **within** levels is the mean of `log2(u[i + 1] - u[i])` over consecutive vertices `u[0] < u[1] < ...` of
//!   every level of every search: the MinIntraBFS cost with logarithms, equation (1), divided by the number of its
//!   terms (figure 10).
//! - The gap **between** levels is the mean of `log2` of the distance from a vertex, of any level but the first, to the
//!   nearest vertex of the level before. The paper (section 5) wants it small too, but does not define it, since all
//!   pairs of two levels are too many terms. With the nearest vertex there is one term per vertex, and it measures what
//!   matters: how far this row lies from what the previous level read. It is 0 bits where frontiers move like a
//!   staircase (figures 2(c) and 8).
//! - **Pages** are the 4 KiB pages of the edge array that hold an edge of a level's rows, counted again in every level:
//!   what moves if no page stays from one level to the next and nothing is prefetched. The *ideal* number of pages is
//!   that of all those edges packed side by side.
//!
//! A search is given by its [`Frontiers`]. One parallel pass over its vertices and their offsets; O(n) work, negligible
//! memory; the same bits on any number of threads.
//!
//! \[1\] P. Gera, H. Kim, P. Sao, H. Kim, D. Bader. Traversing Large Graphs on GPUs with Unified Memory. PVLDB 13(7),
//! 2020.

mod frontiers;
mod staircase;
mod sums;
#[cfg(test)]
pub(crate) mod tests;

pub use frontiers::{Frontiers, UNREACHED, in_order};
pub use staircase::{MOST_BINS, MOST_ROWS, Staircase};

use crate::unified::{self, PAGE};
use serde::Serialize;
use sums::{LogSum, Sums};
use warpgraph_graph::{Control, Csr, Result, par, with_view};

/// Vertices per block of sums, independent of the number of threads.
const BLOCK: usize = 1 << 14;

/// Figures of some searches; `None` where there is nothing to average.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelLocality {
    /// Number of searches.
    pub sources: u64,
    /// Mean number of levels per search, including that of the source.
    pub levels: Option<f64>,
    /// Vertices reached, summed over all searches.
    pub reached: u64,
    /// Edges traversed, summed over all searches: the edges in the rows of all vertices reached.
    pub edges: u64,
    /// Mean of log2 of the gap between consecutive vertices of a level.
    pub intra_gap: Option<f64>,
    /// Mean of log2 of the distance to the nearest vertex of the level before.
    pub inter_gap: Option<f64>,
    /// Pages touched, summed over levels and searches.
    pub pages: u64,
    /// Pages that the traversed edges would fill if packed.
    pub ideal_pages: f64,
    /// Pages touched divided by ideal pages.
    pub page_ratio: Option<f64>,
    /// Mean number of pages touched per level.
    pub pages_per_level: Option<f64>,
}

/// Sums over searches. [`Traversal::means`] turns them into figures.
///
/// ```
/// use warpgraph_graph::{Control, Graph};
/// use warpgraph_transform::levels::{Frontiers, Traversal};
///
/// # fn main() -> warpgraph_graph::Result<()> {
/// let star = Graph::from_edges(5, &[(0, 1), (0, 2), (0, 4)], true)?;
/// let frontiers = Frontiers::of(&[0, 1, 1, u32::MAX, 1], &Control::new())?;
/// let mut sums = Traversal::default();
/// sums.add(&Traversal::of(&star.out().csr, &frontiers, 4, &Control::new())?);
/// assert_eq!(sums.means().intra_gap, Some(0.5)); // 1 to 2 is 0 bits, 2 to 4 is 1
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Traversal {
    sources: u64,
    levels: u64,
    reached: u64,
    edges: u64,
    bytes: u64,
    intra: LogSum,
    inter: LogSum,
    pages: u64,
}

impl Traversal {
    /// Measures one search of the graph whose outgoing arcs are `csr`, with `edge_bytes` bytes per edge in the edge
    /// array (4 as stored here, 8 in the paper).
    ///
    /// # Errors
    /// [`Error::Invalid`](warpgraph_graph::Error::Invalid) if the search is of another graph, or if an edge has no
    /// bytes or more than a page; if `control` stops the work.
    pub fn of(csr: &Csr, frontiers: &Frontiers, edge_bytes: u32, control: &Control) -> Result<Self> {
        unified::check_edge_bytes(edge_bytes)?;
        frontiers.check(csr)?;
        let block = |first: usize| {
            let places = first..frontiers.reached().min(first + BLOCK);
            match control.should_stop() {
                true => Sums::default(),
                false => with_view!(csr, |g| Sums::of(g, frontiers, places, edge_bytes)),
            }
        };
        let starts: Vec<usize> = (0..frontiers.reached()).step_by(BLOCK).collect();
        let blocks: Vec<Sums> = par::map_each(starts, |_, first| block(first));
        control.check("measuring levels")?;
        let sums = blocks.into_iter().fold(Sums::default(), Sums::plus);
        Ok(Self {
            sources: 1,
            levels: frontiers.levels() as u64,
            reached: frontiers.reached() as u64,
            edges: sums.edges,
            bytes: sums.edges * u64::from(edge_bytes),
            intra: sums.intra,
            inter: sums.inter,
            pages: sums.touched.pages,
        })
    }

    /// Adds other searches to these.
    pub fn add(&mut self, other: &Self) {
        self.sources += other.sources;
        self.levels += other.levels;
        self.reached += other.reached;
        self.edges += other.edges;
        self.bytes += other.bytes;
        self.intra = self.intra.plus(other.intra);
        self.inter = self.inter.plus(other.inter);
        self.pages += other.pages;
    }

    /// Returns the figures.
    pub fn means(&self) -> LevelLocality {
        let mean = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
        LevelLocality {
            sources: self.sources,
            levels: mean(self.levels as f64, self.sources),
            reached: self.reached,
            edges: self.edges,
            intra_gap: self.intra.mean(),
            inter_gap: self.inter.mean(),
            pages: self.pages,
            ideal_pages: self.bytes as f64 / PAGE as f64,
            page_ratio: mean((self.pages * PAGE) as f64, self.bytes),
            pages_per_level: mean(self.pages as f64, self.levels),
        }
    }
}
