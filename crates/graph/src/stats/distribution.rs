//! Counts the vertices of each degree in one pass, from which all degree statistics follow.

use crate::{
    csr::{Csr, Vertex},
    par,
};

/// A table counts degrees below this value; a list holds the few larger ones.
const TABLE: usize = 1 << 16;

/// Returns the out-degrees that occur, in increasing order, each with its number of vertices. O(vertices) on all
/// threads.
///
/// ```
/// use warpgraph_graph::{Control, generate::Spec, stats::degree_counts};
/// let grid = "grid:10x10".parse::<Spec>()?.generate(&Control::new())?;
/// assert_eq!(degree_counts(&grid.out().csr), [(2, 4), (3, 32), (4, 64)]);
/// # Ok::<(), warpgraph_graph::Error>(())
/// ```
pub fn degree_counts(csr: &Csr) -> Vec<(u64, u64)> {
    Distribution::of(csr.vertices(), |v| csr.degree(v) as u64).counts
}

/// The degrees that occur, in increasing order, each with its number of vertices (at least one).
pub(super) struct Distribution {
    pub(super) counts: Vec<(u64, u64)>,
}

struct Partial {
    table: Vec<u64>,
    large: Vec<u64>,
}

impl Distribution {
    /// Counts the degrees of `vertices` vertices; O(vertices) plus a sort of the degrees of 65536 and more.
    pub(super) fn of(vertices: usize, degree: impl Fn(Vertex) -> u64 + Sync) -> Self {
        // One table per piece, and few pieces, so that adding the tables costs little compared with filling them.
        let piece = vertices.div_ceil(4 * rayon::current_num_threads()).max(TABLE);
        let parts = par::map(vertices.div_ceil(piece), |i| {
            count(i * piece..((i + 1) * piece).min(vertices), &degree)
        });
        let none = Partial { table: vec![0; TABLE], large: Vec::new() };
        let Partial { table, mut large } = parts.into_iter().fold(none, join);
        par::sort_numbers(&mut large);
        let small = table.into_iter().enumerate().filter(|c| c.1 > 0).map(|(d, c)| (d as u64, c));
        let large = large.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64));
        Self { counts: small.chain(large).collect() }
    }

    /// Returns the number of vertices.
    pub(super) fn vertices(&self) -> u64 {
        self.counts.iter().map(|c| c.1).sum()
    }

    /// Returns the sum of all degrees.
    pub(super) fn arcs(&self) -> u64 {
        self.counts.iter().map(|(d, c)| d * c).sum()
    }

    /// Returns the number of vertices of degree 0.
    pub(super) fn zeroes(&self) -> u64 {
        self.counts.first().filter(|c| c.0 == 0).map_or(0, |c| c.1)
    }

    /// Returns the smallest degree that at least a `share` of the vertices do not exceed; 0 if there are no vertices.
    pub(super) fn percentile(&self, share: f64) -> u64 {
        let wanted = (share * self.vertices() as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        let found = self.counts.iter().find(|c| {
            seen += c.1;
            seen >= wanted
        });
        found.or(self.counts.last()).map_or(0, |c| c.0)
    }
}

fn count(vertices: std::ops::Range<usize>, degree: impl Fn(Vertex) -> u64) -> Partial {
    let mut partial = Partial { table: vec![0; TABLE], large: Vec::new() };
    for v in vertices {
        let degree = degree(v as Vertex);
        match partial.table.get_mut(degree as usize) {
            Some(count) => *count += 1,
            None => partial.large.push(degree),
        }
    }
    partial
}

fn join(mut a: Partial, b: Partial) -> Partial {
    a.table.iter_mut().zip(b.table).for_each(|(a, b)| *a += b);
    a.large.extend(b.large);
    a
}
