//! The order that a graph is in while a cell is measured.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use warpgraph::{Error, Order};

/// An order, or a stage on the way to one.
///
/// As text it is the order, and for those that are none of [`Order::ALL`] `sampled(rounds=5)`, `planted` and
/// `bfs-bp after random`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Held {
    /// An order that is made before anything runs.
    Order(Order),
    /// `sampled` after so many rounds, or fewer where it settles.
    Sampled(u32),
    /// The order in which a generator made the graph, before it shuffled the vertices.
    Planted,
    /// An order that is made after the vertices were put in random places, for orders that start from where vertices are.
    Shuffled(Order),
}

/// What stands behind the name of an order that is made from random places.
const SHUFFLED: &str = " after random";

impl Default for Held {
    fn default() -> Self {
        Self::NATURAL
    }
}

impl Held {
    /// The natural order.
    pub const NATURAL: Self = Self::Order(Order::Natural);

    /// Returns true if one handle serves both: that of `sampled` has all its stages.
    pub(super) fn is_made_with(self, other: Self) -> bool {
        self == other || matches!((self, other), (Self::Sampled(_), Self::Sampled(_)))
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order(order) => order.fmt(f),
            Self::Sampled(rounds) => write!(f, "sampled(rounds={rounds})"),
            Self::Planted => f.write_str("planted"),
            Self::Shuffled(order) => write!(f, "{order}{SHUFFLED}"),
        }
    }
}

impl From<Held> for String {
    fn from(held: Held) -> Self {
        held.to_string()
    }
}

impl TryFrom<String> for Held {
    type Error = Error;
    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl FromStr for Held {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let rounds = text.strip_prefix("sampled(rounds=").and_then(|rest| rest.strip_suffix(')'));
        match rounds.and_then(|rounds| rounds.parse().ok()) {
            Some(rounds) => Ok(Self::Sampled(rounds)),
            None if text == "planted" => Ok(Self::Planted),
            None => match text.strip_suffix(SHUFFLED) {
                Some(order) => order.parse().map(Self::Shuffled),
                None => text.parse().map(Self::Order),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_reads_back_as_it_prints_and_stages_of_sampled_are_made_together() {
        for text in ["natural", "gorder(w=7)", "sampled(rounds=10)", "planted", "bfs-bp(k=7) after random"] {
            assert_eq!(text.parse::<Held>().unwrap().to_string(), text);
        }
        assert_eq!("sampled(rounds=10)".parse::<Held>().unwrap(), Held::Sampled(10));
        assert!("sampled(rounds=x)".parse::<Held>().is_err() && "planed".parse::<Held>().is_err());
        assert!(Held::Sampled(1).is_made_with(Held::Sampled(5)) && Held::Planted.is_made_with(Held::Planted));
        assert!(!Held::NATURAL.is_made_with(Held::Order(Order::Rcm)));
    }
}
