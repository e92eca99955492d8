//! Measures how close together the neighbours of a vertex lie: what an order is worth, before anything runs.
//!
//! - The **log gap** is the mean of `log2(u[i + 1] - u[i])` over consecutive neighbours `u[0] < u[1] < ...` of every
//!   vertex: equation (2) of HALO \[1\] (the cost of BiMLogA, of which MinLogGapA is the case that every vertex is a
//!   query), divided by the number of its terms. It equals HALO's MinIntraBFS cost, equation (1), for traversals that
//!   end after one level. Parallel arcs, of gap 0, count as gap 1: 0 bits.
//! - **Sectors per tile** follows SAGE \[2\], section 6: the values of a *tile*, [`TILE`] consecutive neighbours of one
//!   vertex read at once, lie in `count(distinct(floor(neighbour / SECTOR)))` memory sectors of 32 bytes, [`SECTOR`]
//!   values of 4 bytes each. A vertex of d neighbours has `ceil(d / TILE)` tiles, cut from the start of its row; the
//!   last may be shorter. The mean is over all tiles. A full tile touches 4 sectors at best and 32 at worst.
//!
//! Both are about outgoing arcs. One parallel pass over the arcs; the same bits on any number of threads.
//!
//! \[1\] P. Gera, H. Kim, P. Sao, H. Kim, D. Bader. Traversing Large Graphs on GPUs with Unified Memory. PVLDB 13(7),
//! 2020. \[2\] M. Sha, Y. Li, K.-L. Tan. Self-adaptive Graph Traversal on GPUs. SIGMOD 2021.

use serde::Serialize;
use warpgraph_graph::{Csr, Vertex, par, with_view};

/// Neighbours read at the same time.
pub const TILE: usize = 32;
/// Values of 4 bytes in a memory sector of 32 bytes.
pub const SECTOR: u32 = 8;

/// Vertices per block of sums, independent of the number of threads.
const BLOCK: usize = 1 << 12;
/// How many factors below 2^32 have a finite product.
const FACTORS: usize = 31;

/// Figures of one pass over the arcs; `None` where there is nothing to average.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Locality {
    /// Mean of log2 of the gap between consecutive neighbours.
    pub log_gap: Option<f64>,
    /// Mean number of distinct sectors per tile.
    pub sectors_per_tile: Option<f64>,
    /// Mean number of neighbours per tile: at most 32, fewer where vertices have few.
    pub neighbours_per_tile: Option<f64>,
}

#[derive(Default)]
struct Sums {
    bits: f64,
    gaps: u64,
    sectors: u64,
    tiles: u64,
    arcs: u64,
}

impl Locality {
    /// Measures the arcs of one direction.
    pub fn of(csr: &Csr) -> Self {
        let n = csr.vertices();
        let block = |first: usize| {
            let rows = first as Vertex..n.min(first + BLOCK) as Vertex;
            let mut sums = Sums::default();
            with_view!(csr, |g| rows.for_each(|v| sums.add(g.neighbors(v))));
            sums
        };
        let starts: Vec<usize> = (0..n).step_by(BLOCK).collect();
        let blocks: Vec<Sums> = par::map_each(starts, |_, first| block(first));
        blocks.into_iter().fold(Sums::default(), Sums::plus).means()
    }
}

impl Sums {
    fn add(&mut self, row: &[Vertex]) {
        // The logarithm of a product: one call of `log2` for many gaps.
        let mut product = 1.0;
        for (i, pair) in row.windows(2).enumerate() {
            product *= f64::from((pair[1] - pair[0]).max(1));
            if i % FACTORS == FACTORS - 1 {
                self.bits += f64::log2(product);
                product = 1.0;
            }
        }
        self.bits += f64::log2(product);
        self.gaps += row.len().saturating_sub(1) as u64;
        for tile in row.chunks(TILE) {
            let changes = tile.windows(2).filter(|pair| pair[0] / SECTOR != pair[1] / SECTOR).count();
            self.sectors += 1 + changes as u64;
        }
        self.tiles += row.len().div_ceil(TILE) as u64;
        self.arcs += row.len() as u64;
    }

    fn plus(self, other: Self) -> Self {
        Self {
            bits: self.bits + other.bits,
            gaps: self.gaps + other.gaps,
            sectors: self.sectors + other.sectors,
            tiles: self.tiles + other.tiles,
            arcs: self.arcs + other.arcs,
        }
    }

    fn means(&self) -> Locality {
        let mean = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
        Locality {
            log_gap: mean(self.bits, self.gaps),
            sectors_per_tile: mean(self.sectors as f64, self.tiles),
            neighbours_per_tile: mean(self.arcs as f64, self.tiles),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph_graph::Graph;

    fn of(n: usize, edges: &[(Vertex, Vertex)]) -> Locality {
        Locality::of(&Graph::from_edges(n, edges, true).unwrap().out().csr)
    }

    #[test]
    fn gaps_are_those_between_consecutive_neighbours() {
        // Gaps 1, 2 and 64: 0 + 1 + 6 bits.
        let got = of(100, &[(0, 1), (0, 2), (0, 4), (0, 68)]);
        assert_eq!(got.log_gap, Some(7.0 / 3.0));
        // Sectors 0 and 8, in one tile of four.
        assert_eq!((got.sectors_per_tile, got.neighbours_per_tile), (Some(2.0), Some(4.0)));
    }

    #[test]
    fn a_tile_is_32_neighbours_from_the_start_of_a_row() {
        // 33 neighbours, every 8th vertex: a full tile of 32 sectors and one of a single neighbour.
        let edges: Vec<_> = (0..33).map(|i| (0, 8 * i)).collect();
        let got = of(300, &edges);
        assert_eq!((got.sectors_per_tile, got.neighbours_per_tile), (Some(33.0 / 2.0), Some(33.0 / 2.0)));
        assert_eq!(got.log_gap, Some(3.0));
        // 64 neighbours side by side: 8 values per sector.
        let edges: Vec<_> = (0..64).map(|i| (0, i)).collect();
        assert_eq!(of(300, &edges).sectors_per_tile, Some(4.0));
    }

    #[test]
    fn without_terms_there_is_no_mean() {
        let none = Locality { log_gap: None, sectors_per_tile: None, neighbours_per_tile: None };
        assert_eq!((of(0, &[]), of(5, &[])), (none, none));
        let one = of(2, &[(0, 1)]);
        assert_eq!((one.log_gap, one.sectors_per_tile), (None, Some(1.0)));
    }

    #[test]
    fn huge_gaps_by_the_hundred_are_summed_without_overflow() {
        let n = 1 << 21;
        let edges: Vec<_> = (0..500).map(|i| (0, i * 4096)).collect();
        assert_eq!(of(n, &edges).log_gap, Some(12.0));
    }
}
