//! Degrees before and after node splitting (table II and figure 10), and the kind of a graph as the statements need it.
//!
//! A vertex of degree d becomes ceil(d / MDT) worklist entries of evenly shared arcs, one without arcs none. Nothing is split
//! here: what `split` does to a graph follows from the degrees. A kind follows from what was measured, not from a name.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use warpgraph::graph::{
    Csr,
    stats::{degree_counts, degree_threshold},
};

/// Bins of the histogram that the threshold is found by, as in the paper.
const BINS: u32 = 10;
/// Degrees below this are drawn one by one, those above in so many steps of equal width to each power of two.
const STEPS: u64 = 16;
/// Arcs from which a skewed graph is a large one: the paper's Graph500 graphs have 335 million, all others fewer than 58.
const LARGE: u64 = 100_000_000;
/// Largest degree over mean degree from which a graph is skewed: 148 for the paper's RMAT graph, 4 for its random ones.
const SKEWED: f64 = 16.0;
/// Supersteps of BFS over log2 of the vertices from which a diameter is large: 0.5 for an RMAT graph, 1 for random ones, 50 and
/// more for road networks.
const LONG: f64 = 4.0;

/// Out-degrees of a graph, and what splitting makes of them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Degrees {
    pub(super) vertices: u64,
    pub(super) arcs: u64,
    /// The largest degree, the mean and the standard deviation.
    pub(super) max: u64,
    pub(super) mean: f64,
    pub(super) deviation: f64,
    /// The maximum degree threshold, MDT, and the vertices above it.
    pub(super) threshold: u64,
    pub(super) split: u64,
    /// Worklist entries that all vertices make after splitting, and the largest degree of these.
    pub(super) entries: u64,
    pub(super) max_after: u64,
    /// How many vertices have which degree, and how many entries.
    pub(super) before: Vec<Bin>,
    pub(super) after: Vec<Bin>,
}

/// A range of degrees from the first to the last one, and how many have one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Bin {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) count: u64,
}

impl Bin {
    /// Returns its middle, and how many have each degree of it, on average.
    pub(super) fn point(&self) -> (f64, f64) {
        ((self.from as f64 + self.to as f64) / 2.0, self.count as f64 / (self.to - self.from + 1) as f64)
    }
}

/// A kind of graph. Every graph is of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// A large diameter: the paper's road networks.
    Road,
    /// Skewed degrees and 100 million arcs or more: the paper's Graph500 graphs.
    Large,
    /// Skewed degrees: the paper's RMAT graph.
    Skewed,
    /// None of that: the paper's Erdos-Renyi graphs.
    Even,
}

impl Kind {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Road => "road-like",
            Self::Large => "large and skewed",
            Self::Skewed => "skewed",
            Self::Even => "even",
        }
    }
}

impl Degrees {
    /// Returns those of a graph; O(vertices) on all threads.
    pub(super) fn of(csr: &Csr) -> Self {
        Self::of_counts(&degree_counts(csr), degree_threshold(csr, BINS).into())
    }

    /// Returns them from the degrees that occur, in increasing order, each with how many vertices have it.
    fn of_counts(counts: &[(u64, u64)], threshold: u64) -> Self {
        let vertices = total(counts);
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
            split: total(&counts[counts.partition_point(|c| c.0 <= threshold)..]),
            entries: total(&after),
            max_after: after.last().map_or(0, |c| c.0),
            before: bins(counts),
            after: bins(&after),
        }
    }

    /// Returns the share of the vertices that are split.
    pub(super) fn split_share(&self) -> f64 {
        self.split as f64 / (self.vertices as f64).max(1.0)
    }

    /// Returns the kind of a graph on which BFS took so many supersteps, if it ran.
    pub(super) fn kind(&self, rounds: Option<u64>) -> Kind {
        let levels = (self.vertices.max(2) as f64).log2();
        match () {
            () if rounds.is_some_and(|rounds| rounds as f64 > LONG * levels) => Kind::Road,
            () if (self.max as f64) < SKEWED * self.mean => Kind::Even,
            () if self.arcs >= LARGE => Kind::Large,
            () => Kind::Skewed,
        }
    }
}

fn total(counts: &[(u64, u64)]) -> u64 {
    counts.iter().map(|c| c.1).sum()
}

/// Returns degrees of worklist entries: every vertex in as few parts as the threshold allows, of evenly shared arcs.
fn split(counts: &[(u64, u64)], threshold: u64) -> Vec<(u64, u64)> {
    let mut after: BTreeMap<u64, u64> = BTreeMap::new();
    for &(degree, count) in counts.iter().filter(|c| c.0 > 0) {
        let parts = degree.div_ceil(threshold.max(1));
        let (least, larger) = (degree / parts, degree % parts);
        *after.entry(least).or_default() += count * (parts - larger);
        *after.entry(least + 1).or_default() += count * larger;
    }
    after.into_iter().filter(|c| c.1 > 0).collect()
}

/// Returns few bins for many degrees.
fn bins(counts: &[(u64, u64)]) -> Vec<Bin> {
    let ends = |degree: u64| {
        let width = if degree < STEPS { 1 } else { (1 << degree.ilog2()) / STEPS };
        let from = degree - degree % width;
        (from, from + width - 1)
    };
    let bin = |run: &[(u64, u64)]| {
        let (from, to) = ends(run[0].0);
        Bin { from, to, count: total(run) }
    };
    counts.chunk_by(|a, b| ends(a.0) == ends(b.0)).map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table II of the paper, with supersteps of about the right size; then graphs that BFS did not run on.
    #[test]
    fn the_graphs_of_the_paper_are_of_the_kinds_it_says() {
        for (vertices, arcs, max, rounds, kind) in [
            (1_050_000, 8_260_000, 1_181, Some(10), Kind::Skewed),
            (1_070_000, 2_710_000, 8, Some(1_400), Kind::Road),
            (23_950_000, 57_710_000, 9, Some(6_000), Kind::Road),
            (1_050_000, 4_190_000, 15, Some(20), Kind::Even),
            (8_390_000, 33_550_000, 10, Some(23), Kind::Even),
            (16_780_000, 335_000_000, 924_000, Some(8), Kind::Large),
            (100, 200, 50, None, Kind::Skewed),
            (0, 0, 0, None, Kind::Skewed),
        ] {
            let mean = arcs as f64 / f64::max(vertices as f64, 1.0);
            let degrees = Degrees { vertices, arcs, max, mean, ..Degrees::default() };
            assert_eq!(degrees.kind(rounds), kind, "{vertices} vertices, {arcs} arcs");
        }
    }

    #[test]
    fn a_large_vertex_becomes_parts_of_even_size_and_no_arc_is_lost() {
        // The paper's figure 5: degrees 7 and 5 under a threshold of 4.
        assert_eq!(split(&[(5, 1), (7, 1)], 4), [(2, 1), (3, 2), (4, 1)]);
        assert_eq!(split(&[(0, 3), (3, 5), (4, 2)], 4), [(3, 5), (4, 2)], "nothing to split or list");
        let counts: Vec<(u64, u64)> = (0..500).map(|d| (d, 1 + d % 7)).collect();
        let arcs = |counts: &[(u64, u64)]| counts.iter().map(|(d, c)| d * c).sum::<u64>();
        for threshold in 1..60 {
            let after = split(&counts, threshold);
            assert_eq!(arcs(&after), arcs(&counts), "{threshold}");
            assert!(after.last().unwrap().0 <= threshold, "{threshold}: {after:?}");
        }
    }

    #[test]
    fn degrees_tell_what_splitting_costs_even_where_there_are_none() {
        // (6 * 36 + 2 * 25 + 2 * 529) / 10 is the square of the deviation.
        let (some, deviation) = (Degrees::of_counts(&[(1, 6), (2, 2), (30, 2)], 10), 132.4f64.sqrt());
        assert_eq!((some.vertices, some.arcs, some.max, some.mean), (10, 70, 30, 7.0));
        assert_eq!((some.split, some.split_share(), some.entries, some.max_after), (2, 0.2, 8 + 2 * 3, 10));
        assert!((some.deviation - deviation).abs() < 1e-12);
        let none = Degrees::of_counts(&[], 1);
        assert_eq!((none.split_share(), none), (0.0, Degrees { threshold: 1, ..Degrees::default() }));
    }

    #[test]
    fn bins_are_single_degrees_at_first_and_wider_later() {
        let bins = bins(&(0..200).map(|d| (d, 1)).collect::<Vec<_>>());
        assert_eq!(bins[31], Bin { from: 31, to: 31, count: 1 });
        assert_eq!(bins[32], Bin { from: 32, to: 33, count: 2 });
        assert!(bins.windows(2).all(|pair| pair[1].from == pair[0].to + 1), "{bins:?}");
        assert_eq!(bins.iter().map(|bin| bin.count).sum::<u64>(), 200);
        assert_eq!(bins[32].point(), (32.5, 1.0));
    }
}
