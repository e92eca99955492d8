//! The order axis: how vertices are numbered inside an engine. Results always speak original ids.

use crate::Error;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use warpgraph_graph::{OrderLabel, suggest};

/// The seed of a random order when none is given.
pub const DEFAULT_SEED: u64 = 1;

/// How an engine numbers the vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// By increasing original id.
    #[default]
    Natural,
    /// By a hash of the number and a seed: no locality at all, what others are measured against.
    Random,
    /// By decreasing out-degree; the smallest id first on ties.
    Degree,
}

impl Order {
    /// Every order there is.
    pub const ALL: [Self; 3] = [Self::Natural, Self::Random, Self::Degree];

    /// Its name: `natural`, `random`, `degree`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::Random => "random",
            Self::Degree => "degree",
        }
    }

    /// What a file says of a graph stored in this order, drawn from `seed` if it is drawn.
    pub fn label(self, seed: u64) -> OrderLabel {
        OrderLabel { name: self.name().to_owned(), seed: (self == Self::Random).then_some(seed) }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// By its name.
impl FromStr for Order {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let names = Self::ALL.map(Self::name);
        let unknown = || Error::Refused {
            what: format!("there is no order {text:?}"),
            help: suggest::did_you_mean(text, &names, &format!("orders: {}", names.join(", "))),
        };
        Self::ALL.into_iter().find(|order| order.name() == text).ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_reads_back_as_it_prints() {
        for order in Order::ALL {
            assert_eq!(order.to_string().parse::<Order>().unwrap(), order);
            assert_eq!(serde_json::to_value(order).unwrap(), order.name());
        }
    }

    #[test]
    fn a_slip_is_answered_with_the_order_that_was_meant() {
        let error = "degere".parse::<Order>().unwrap_err();
        assert_eq!(error.to_string(), "there is no order \"degere\"");
        assert_eq!(error.help().unwrap(), "did you mean degree? orders: natural, random, degree");
        let error = "best".parse::<Order>().unwrap_err();
        assert_eq!(error.help().unwrap(), "orders: natural, random, degree");
    }

    #[test]
    fn only_a_drawn_order_is_labelled_with_its_seed() {
        assert_eq!((Order::Degree.label(7).seed, Order::Random.label(7).seed), (None, Some(7)));
    }
}
