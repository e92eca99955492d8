//! The order axis: how vertices are numbered inside an engine. Results always use original ids.

use crate::{
    Error,
    brackets::{Brackets, Wrong},
};
use serde::{Deserialize, Serialize};
use std::{fmt, ops::RangeInclusive, str::FromStr};
use warpgraph_graph::{OrderLabel, suggest};

/// The seed of a randomised order if none is given.
pub const DEFAULT_SEED: u64 = 1;

/// How an engine numbers the vertices.
///
/// Its text is the name, followed by options that differ from their defaults: `halo2`, `halo2(k=20)`, `gorder(w=7)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Order {
    /// By ascending original id.
    #[default]
    Natural,
    /// By a hash of the vertex number and a seed: no locality at all. The baseline for other orders.
    Random,
    /// By descending out-degree; smallest id first on ties.
    Degree,
    /// By descending in-degree: the first-order case of `halo1`.
    InDegree,
    /// By descending in-degree, each vertex followed by its out-neighbours: the first-order case of `halo2`.
    DegreeNeighbours,
    /// Reverse Cuthill-McKee on the symmetrised graph, from pseudo-peripheral roots.
    Rcm,
    /// By descending harmonic centrality, estimated from sampled searches.
    Halo1 {
        /// Number of searches.
        samples: u32,
    },
    /// By descending harmonic centrality, each vertex followed by its out-neighbours.
    Halo2 {
        /// Number of searches.
        samples: u32,
    },
    /// By recursive bisection over adjacency.
    Bp,
    /// By recursive bisection over the levels of sampled searches.
    BfsBp {
        /// Number of searches.
        samples: u32,
    },
    /// Greedily: next comes the vertex that shares the most with the vertices placed last.
    Gorder {
        /// How many of the last vertices are compared.
        window: u32,
    },
    /// By layered label propagation.
    Llp,
    /// Learned in rounds while a GPU runs, from the accesses of tiles. It is the state of a graph on that GPU.
    Sampled,
}

/// The default number of searches that estimate centrality.
const SAMPLES: u32 = 32;
/// At least 2, because one search says nothing about its own source.
const SAMPLE_LIMITS: RangeInclusive<u32> = 2..=1 << 16;
/// The window that the authors of Gorder found best.
const WINDOW: u32 = 5;
const WINDOW_LIMITS: RangeInclusive<u32> = 1..=1 << 10;

impl Order {
    /// All orders that can be computed before a run, with default options: all but [`Order::Sampled`].
    pub const ALL: [Self; 12] = [
        Self::Natural,
        Self::Random,
        Self::Degree,
        Self::InDegree,
        Self::DegreeNeighbours,
        Self::Rcm,
        Self::Halo1 { samples: SAMPLES },
        Self::Halo2 { samples: SAMPLES },
        Self::Bp,
        Self::BfsBp { samples: SAMPLES },
        Self::Gorder { window: WINDOW },
        Self::Llp,
    ];

    /// Returns its name: `natural`, `random`, `degree` and so on.
    pub fn name(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::Random => "random",
            Self::Degree => "degree",
            Self::InDegree => "in-degree",
            Self::DegreeNeighbours => "degree-neighbours",
            Self::Rcm => "rcm",
            Self::Halo1 { .. } => "halo1",
            Self::Halo2 { .. } => "halo2",
            Self::Bp => "bp",
            Self::BfsBp { .. } => "bfs-bp",
            Self::Gorder { .. } => "gorder",
            Self::Llp => "llp",
            Self::Sampled => "sampled",
        }
    }

    /// Returns true if the order depends on a seed.
    pub fn is_drawn(self) -> bool {
        matches!(self, Self::Random | Self::Llp) || self.searches()
    }

    /// Returns true if the order is computed from searches.
    pub fn searches(self) -> bool {
        matches!(self, Self::Halo1 { .. } | Self::Halo2 { .. } | Self::BfsBp { .. })
    }

    /// Returns the label that a file stores for a graph in this order, with `seed` if the order depends on one.
    pub fn label(self, seed: u64) -> OrderLabel {
        OrderLabel { name: self.to_string(), seed: self.is_drawn().then_some(seed) }
    }

    /// Returns its option: key, value, default and limits.
    fn option(&mut self) -> Option<(&'static str, &mut u32, u32, RangeInclusive<u32>)> {
        match self {
            Self::Halo1 { samples } | Self::Halo2 { samples } | Self::BfsBp { samples } => {
                Some(("k", samples, SAMPLES, SAMPLE_LIMITS))
            }
            Self::Gorder { window } => Some(("w", window, WINDOW, WINDOW_LIMITS)),
            _ => None,
        }
    }

    fn read(text: &str) -> Result<Self, Wrong> {
        let (name, mut options) = Brackets::of(text)?;
        let mut names = Self::ALL.map(Self::name).to_vec();
        names.push(Self::Sampled.name());
        let unknown = || {
            let help = suggest::did_you_mean(name, &names, &format!("orders: {}", names.join(", ")));
            (format!("there is no order {name:?}"), help)
        };
        let mut all = Self::ALL.into_iter().chain([Self::Sampled]);
        let mut order = all.find(|order| order.name() == name).ok_or_else(unknown)?;
        if let Some((key, value, default, limits)) = order.option() {
            *value = options.number(key, limits, default)?.unwrap_or(default);
        }
        options.end()?;
        Ok(order)
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match { *self }.option() {
            Some((key, value, default, _)) if *value != default => write!(f, "({key}={value})"),
            _ => Ok(()),
        }
    }
}

/// Parses a name with options in brackets.
impl FromStr for Order {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        Self::read(text).map_err(|(what, help)| Error::Refused { what, help })
    }
}

impl Serialize for Order {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Order {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_reads_back_as_it_prints() {
        let options = ["halo1(k=2)", "halo2(k=20)", "bfs-bp(k=3)", "gorder(w=7)"]
            .map(|text| text.parse::<Order>().unwrap());
        for order in Order::ALL.into_iter().chain(options).chain([Order::Sampled]) {
            assert_eq!(order.to_string().parse::<Order>().unwrap(), order);
            assert_eq!(serde_json::to_value(order).unwrap(), order.to_string());
            assert_eq!(serde_json::from_value::<Order>(order.to_string().into()).unwrap(), order);
        }
        assert_eq!(
            options.map(|order| order.to_string()),
            ["halo1(k=2)", "halo2(k=20)", "bfs-bp(k=3)", "gorder(w=7)"]
        );
        assert_eq!("halo2(k=32)".parse::<Order>().unwrap().to_string(), "halo2");
    }

    #[test]
    fn a_slip_is_answered_with_the_order_that_was_meant() {
        let error = "degere".parse::<Order>().unwrap_err();
        assert_eq!(error.to_string(), "there is no order \"degere\"");
        let all = format!("orders: {}, sampled", Order::ALL.map(Order::name).join(", "));
        assert_eq!(error.help().unwrap(), format!("did you mean degree? {all}"));
        assert_eq!("best".parse::<Order>().unwrap_err().help().unwrap(), all);
    }

    #[test]
    fn wrong_options_are_refused_with_the_right_ones() {
        let refused = |text: &str| {
            let error = text.parse::<Order>().unwrap_err();
            (error.to_string(), error.help().unwrap())
        };
        let (what, help) = refused("halo2(k=1)");
        assert_eq!(what, "k is a whole number from 2 to 65536, got \"1\"");
        assert_eq!(help, "halo2(k=32)");
        assert_eq!(refused("halo2(samples=4)").1, "halo2 takes: k");
        assert_eq!(refused("degree(k=4)").1, "degree takes none");
        assert_eq!(refused("halo2(k=4").0, "\"halo2(k=4\" does not end with a closing bracket");
    }

    #[test]
    fn only_a_drawn_order_is_labelled_with_its_seed() {
        assert_eq!((Order::Degree.label(7).seed, Order::Random.label(7).seed), (None, Some(7)));
        let label = "halo2(k=20)".parse::<Order>().unwrap().label(7);
        assert_eq!((label.name.as_str(), label.seed), ("halo2(k=20)", Some(7)));
    }
}
