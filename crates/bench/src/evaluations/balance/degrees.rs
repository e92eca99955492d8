//! Degrees before and after node splitting: table II and figure 10.
//!
//! A vertex of degree d becomes ceil(d / MDT) worklist entries of evenly shared arcs, one without arcs none. Nothing is split
//! here: what `split` does to a graph follows from the degrees.

use serde::{Deserialize, Serialize};
use warpgraph::graph::{
    Csr,
    stats::{degree_counts, degree_threshold},
};

/// Bins of the histogram that the threshold is found by, as in the paper.
const BINS: u32 = 10;
/// Degrees below this are drawn one by one, those above in so many steps of equal width to each power of two.
const STEPS: u64 = 16;

/// Out-degrees of a graph, and what splitting makes of them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Degrees {
    /// Vertices.
    pub(super) vertices: u64,
    /// Arcs.
    pub(super) arcs: u64,
    /// The largest.
    pub(super) max: u64,
    /// The mean.
    pub(super) mean: f64,
    /// The standard deviation.
    pub(super) deviation: f64,
    /// The maximum degree threshold, MDT.
    pub(super) threshold: u64,
    /// Vertices above it.
    pub(super) split: u64,
    /// Worklist entries that all vertices make after splitting.
    pub(super) entries: u64,
    /// The largest degree of these.
    pub(super) max_after: u64,
    /// How many vertices have which degree.
    pub(super) before: Vec<Bin>,
    /// How many entries have which degree.
    pub(super) after: Vec<Bin>,
}

/// A range of degrees, and how many have one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Bin {
    /// The first degree.
    pub(super) from: u64,
    /// The last one.
    pub(super) to: u64,
    /// How many.
    pub(super) count: u64,
}

impl Bin {
    /// Its middle.
    pub(super) fn middle(&self) -> f64 {
        (self.from as f64 + self.to as f64) / 2.0
    }

    /// How many have each degree of it, on average.
    pub(super) fn density(&self) -> f64 {
        self.count as f64 / (self.to - self.from + 1) as f64
    }
}

impl Degrees {
    /// Of a graph; O(vertices) on all threads.
    pub(super) fn of(csr: &Csr) -> Self {
        Self::of_counts(&degree_counts(csr), degree_threshold(csr, BINS).into())
    }

    /// From the degrees that occur, in increasing order, each with how many vertices have it.
    fn of_counts(counts: &[(u64, u64)], threshold: u64) -> Self {
        let vertices: u64 = counts.iter().map(|c| c.1).sum();
        let arcs: u64 = counts.iter().map(|(degree, count)| degree * count).sum();
        let mean = arcs as f64 / (vertices as f64).max(1.0);
        let square = |&(degree, count): &(u64, u64)| count as f64 * (degree as f64 - mean).powi(2);
        let deviation = (counts.iter().map(square).sum::<f64>() / (vertices as f64).max(1.0)).sqrt();
        let after = split(counts, threshold);
        Self {
            vertices,
            arcs,
            max: counts.last().map_or(0, |c| c.0),
            mean,
            deviation,
            threshold,
            split: counts.iter().filter(|c| c.0 > threshold).map(|c| c.1).sum(),
            entries: after.iter().map(|c| c.1).sum(),
            max_after: after.last().map_or(0, |c| c.0),
            before: bins(counts),
            after: bins(&after),
        }
    }

    /// The share of the vertices that are split.
    pub(super) fn split_share(&self) -> f64 {
        self.split as f64 / (self.vertices as f64).max(1.0)
    }
}

/// Degrees of worklist entries: every vertex in as few parts as the threshold allows, of evenly shared arcs.
fn split(counts: &[(u64, u64)], threshold: u64) -> Vec<(u64, u64)> {
    let mut after: Vec<(u64, u64)> = Vec::with_capacity(counts.len());
    for &(degree, count) in counts {
        let parts = degree.div_ceil(threshold.max(1));
        if parts == 0 {
            continue;
        }
        let (least, larger) = (degree / parts, degree % parts);
        after.push((least, count * (parts - larger)));
        after.push((least + 1, count * larger));
    }
    after.sort_unstable();
    let same = after.chunk_by(|a, b| a.0 == b.0);
    same.map(|run| (run[0].0, run.iter().map(|c| c.1).sum())).filter(|c| c.1 > 0).collect()
}

/// Few bins for many degrees.
fn bins(counts: &[(u64, u64)]) -> Vec<Bin> {
    let first = |degree: u64| degree - degree % width(degree);
    let same = counts.chunk_by(|a, b| first(a.0) == first(b.0));
    let bin = |run: &[(u64, u64)]| {
        let from = first(run[0].0);
        Bin { from, to: from + width(from) - 1, count: run.iter().map(|c| c.1).sum() }
    };
    same.map(bin).collect()
}

/// Degrees in a bin with this one.
fn width(degree: u64) -> u64 {
    match degree {
        0..STEPS => 1,
        degree => (1 << degree.ilog2()) / STEPS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_vertex_becomes_parts_of_even_size_and_no_arc_is_lost() {
        // The paper's figure 5: degrees 7 and 5 under a threshold of 4.
        assert_eq!(split(&[(5, 1), (7, 1)], 4), [(2, 1), (3, 2), (4, 1)]);
        assert_eq!(
            split(&[(0, 3), (3, 5), (4, 2)], 4),
            [(3, 5), (4, 2)],
            "nothing to split, nothing to list"
        );
        let counts: Vec<(u64, u64)> = (0..500).map(|d| (d, 1 + d % 7)).collect();
        let arcs = |counts: &[(u64, u64)]| counts.iter().map(|(d, c)| d * c).sum::<u64>();
        for threshold in 1..60 {
            let after = split(&counts, threshold);
            assert_eq!(arcs(&after), arcs(&counts), "{threshold}");
            assert!(after.last().unwrap().0 <= threshold, "{threshold}: {after:?}");
        }
    }

    #[test]
    fn degrees_tell_what_splitting_costs() {
        let degrees = Degrees::of_counts(&[(1, 6), (2, 2), (30, 2)], 10);
        assert_eq!((degrees.vertices, degrees.arcs, degrees.max, degrees.mean), (10, 70, 30, 7.0));
        assert_eq!((degrees.split, degrees.split_share(), degrees.max_after), (2, 0.2, 10));
        assert_eq!(degrees.entries, 8 + 2 * 3);
        // (6 * 36 + 2 * 25 + 2 * 529) / 10
        assert!((degrees.deviation - 132.4f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn bins_are_single_degrees_at_first_and_wider_later() {
        let counts: Vec<(u64, u64)> = (0..200).map(|d| (d, 1)).collect();
        let bins = bins(&counts);
        assert_eq!(bins[31], Bin { from: 31, to: 31, count: 1 });
        assert_eq!(bins[32], Bin { from: 32, to: 33, count: 2 });
        assert!(bins.windows(2).all(|pair| pair[1].from == pair[0].to + 1), "{bins:?}");
        assert_eq!(bins.iter().map(|bin| bin.count).sum::<u64>(), 200);
        assert_eq!((bins[32].middle(), bins[32].density()), (32.5, 1.0));
    }

    #[test]
    fn no_vertices_have_degrees_too() {
        let none = Degrees::of_counts(&[], 1);
        assert_eq!((none.vertices, none.mean, none.deviation, none.split_share()), (0, 0.0, 0.0, 0.0));
        assert!(none.before.is_empty() && none.after.is_empty());
    }
}
