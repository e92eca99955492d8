//! The kind of a graph, as the paper's statements need it: by what was measured, not by its name.

use super::degrees::Degrees;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Arcs from which a skewed graph is a large one: the paper's Graph500 graphs have 335 million, all others fewer than 58.
const LARGE: u64 = 100_000_000;
/// Largest degree over mean degree from which a graph is skewed: 148 for the paper's RMAT graph, 4 for its random ones.
const SKEWED: f64 = 16.0;
/// Supersteps of BFS over log2 of the vertices from which a diameter is large: 0.5 for an RMAT graph, 1 for random ones, 50 and
/// more for road networks.
const LONG: f64 = 4.0;

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
    /// Returns the kind of a graph with such degrees on which BFS took so many supersteps, if it ran.
    pub(super) fn of(degrees: &Degrees, rounds: Option<u64>) -> Self {
        let levels = (degrees.vertices.max(2) as f64).log2();
        match () {
            () if rounds.is_some_and(|rounds| rounds as f64 > LONG * levels) => Self::Road,
            () if (degrees.max as f64) < SKEWED * degrees.mean => Self::Even,
            () if degrees.arcs >= LARGE => Self::Large,
            () => Self::Skewed,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Road => "road-like",
            Self::Large => "large and skewed",
            Self::Skewed => "skewed",
            Self::Even => "even",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table II of the paper: vertices, arcs and the largest degree, with supersteps of about the right size.
    #[test]
    fn the_graphs_of_the_paper_are_of_the_kinds_it_says() {
        let kind = |vertices: u64, arcs: u64, max: u64, rounds: u64| {
            let mean = arcs as f64 / vertices as f64;
            let degrees = Degrees { vertices, arcs, max, mean, ..Degrees::default() };
            Kind::of(&degrees, Some(rounds))
        };
        assert_eq!(kind(1_050_000, 8_260_000, 1_181, 10), Kind::Skewed);
        assert_eq!(kind(1_070_000, 2_710_000, 8, 1_400), Kind::Road);
        assert_eq!(kind(23_950_000, 57_710_000, 9, 6_000), Kind::Road);
        assert_eq!(kind(1_050_000, 4_190_000, 15, 20), Kind::Even);
        assert_eq!(kind(8_390_000, 33_550_000, 10, 23), Kind::Even);
        assert_eq!(kind(16_780_000, 335_000_000, 924_000, 8), Kind::Large);
    }

    #[test]
    fn a_graph_that_bfs_did_not_run_on_is_judged_by_its_degrees() {
        let degrees = Degrees { vertices: 100, arcs: 200, max: 50, mean: 2.0, ..Degrees::default() };
        assert_eq!(Kind::of(&degrees, None), Kind::Skewed);
        assert_eq!(Kind::of(&Degrees::default(), None), Kind::Skewed, "nothing to be even in");
    }
}
