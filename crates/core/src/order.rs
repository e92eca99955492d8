//! The order axis: how vertices are numbered inside an engine. Results always use original ids.
//!
//! The `orders!` table below is the only list of orders: an entry declares the variant, its name, its option, what it draws
//! from a seed, and its help. [`Order::ALL`], the parser and the help texts follow from the table.

use crate::{
    Error,
    brackets::{Brackets, Wrong},
};
use serde::{Deserialize, Serialize};
use std::{fmt, ops::RangeInclusive, str::FromStr};
use warpgraph_graph::{OrderLabel, suggest};

/// The seed of a randomised order if none is given.
pub const DEFAULT_SEED: u64 = 1;

/// An entry of the table: everything about an order but the value of its option.
struct Entry {
    /// Its name.
    name: &'static str,
    /// The order with its option at the default.
    default: Order,
    /// What it draws from a seed.
    draws: Draws,
    /// Its option, if it has one.
    option: Option<Setting>,
    /// True if a GPU learns it while it runs, so that it cannot be computed before a run.
    is_learned: bool,
    /// How it sorts the vertices, and what it is good for, in a few words.
    help: &'static str,
}

/// What an order draws from a seed.
enum Draws {
    Nothing,
    /// Choices of its own.
    Choices,
    /// The sources of the searches that it is computed from.
    Searches,
}

/// An option of an order, a whole number in brackets after the name.
struct Setting {
    key: &'static str,
    default: u32,
    limits: RangeInclusive<u32>,
}

/// The number of searches that estimate centrality. At least 2, because one search says nothing about its own source.
const SEARCHES: Setting = Setting { key: "k", default: 32, limits: 2..=1 << 16 };
/// How many of the last vertices Gorder compares. The default is the window that its authors found best.
const WINDOW: Setting = Setting { key: "w", default: 5, limits: 1..=1 << 10 };
const SAMPLES: u32 = SEARCHES.default;

/// An order without options that draws nothing.
const PLAIN: Entry = Entry {
    name: "",
    default: Order::Natural,
    draws: Draws::Nothing,
    option: None,
    is_learned: false,
    help: "",
};

macro_rules! orders {
    ($($(#[$doc:meta])* $variant:ident $({ $(#[$about:meta])* $field:ident: u32 })? = $entry:expr;)+) => {
        /// How an engine numbers the vertices.
        ///
        /// Its text is the name, followed by options that differ from their defaults: `halo2`, `halo2(k=20)`, `gorder(w=7)`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
        pub enum Order {
            $($(#[$doc])* $variant $({ $(#[$about])* $field: u32 })?,)+
        }

        const TABLE: &[Entry] = &[$($entry),+];

        impl Order {
            const fn entry(self) -> &'static Entry {
                match self {
                    $(Self::$variant { .. } => const { &$entry },)+
                }
            }

            /// The value of its option.
            fn value(&mut self) -> Option<&mut u32> {
                match self {
                    $(Self::$variant $({ $field })? => orders!(@value $($field)?),)+
                }
            }
        }
    };
    (@value $field:ident) => { Some($field) };
    (@value) => { None };
}

orders! {
    /// By ascending original id.
    #[default]
    Natural = Entry { name: "natural", default: Order::Natural, help: "by id", ..PLAIN };
    /// By a hash of the vertex number and a seed: no locality at all. The baseline for other orders.
    Random = Entry {
        name: "random", default: Order::Random, draws: Draws::Choices, help: "drawn from the seed", ..PLAIN
    };
    /// By descending out-degree; smallest id first on ties.
    Degree = Entry { name: "degree", default: Order::Degree, help: "largest out-degree first", ..PLAIN };
    /// By descending in-degree: the first-order case of `halo1`.
    InDegree = Entry { name: "in-degree", default: Order::InDegree, help: "largest in-degree first", ..PLAIN };
    /// By descending in-degree, each vertex followed by its out-neighbours: the first-order case of `halo2`.
    DegreeNeighbours = Entry {
        name: "degree-neighbours", default: Order::DegreeNeighbours,
        help: "largest in-degree first, each vertex followed by its out-neighbours", ..PLAIN
    };
    /// Reverse Cuthill-McKee on the symmetrised graph, from pseudo-peripheral roots.
    Rcm = Entry {
        name: "rcm", default: Order::Rcm, help: "reverse Cuthill-McKee, for meshes and roads", ..PLAIN
    };
    /// By descending harmonic centrality, estimated from sampled searches.
    Halo1 {
        /// Number of searches.
        samples: u32
    } = Entry {
        name: "halo1", default: Order::Halo1 { samples: SAMPLES }, draws: Draws::Searches, option: Some(SEARCHES),
        help: "by harmonic centrality, from k sampled searches", ..PLAIN
    };
    /// By descending harmonic centrality, each vertex followed by its out-neighbours.
    Halo2 {
        /// Number of searches.
        samples: u32
    } = Entry {
        name: "halo2", default: Order::Halo2 { samples: SAMPLES }, draws: Draws::Searches, option: Some(SEARCHES),
        help: "as halo1, each vertex followed by its out-neighbours; for searches in graphs that do not fit a GPU",
        ..PLAIN
    };
    /// By recursive bisection over adjacency.
    Bp = Entry { name: "bp", default: Order::Bp, help: "by recursive bisection of neighbourhoods", ..PLAIN };
    /// By recursive bisection over the levels of sampled searches.
    BfsBp {
        /// Number of searches.
        samples: u32
    } = Entry {
        name: "bfs-bp", default: Order::BfsBp { samples: SAMPLES }, draws: Draws::Searches, option: Some(SEARCHES),
        help: "by recursive bisection of the levels of k sampled searches", ..PLAIN
    };
    /// Greedily: next comes the vertex that shares the most with the vertices placed last.
    Gorder {
        /// How many of the last vertices are compared.
        window: u32
    } = Entry {
        name: "gorder", default: Order::Gorder { window: WINDOW.default }, option: Some(WINDOW),
        help: "greedily, next comes the vertex that shares the most with the last w; slow", ..PLAIN
    };
    /// By layered label propagation.
    Llp = Entry {
        name: "llp", default: Order::Llp, draws: Draws::Choices,
        help: "by layered label propagation, for graphs with communities", ..PLAIN
    };
    /// Learned in rounds while a GPU runs, from the accesses of tiles. It is the state of a graph on that GPU.
    Sampled = Entry {
        name: "sampled", default: Order::Sampled, is_learned: true,
        help: "learned on a GPU from the accesses of its runs, with --plan tiled or resident; \
               --reorder-rounds says how long it learns before the timed runs",
        ..PLAIN
    };
}

/// Counts the orders that can be computed before a run.
const fn count() -> usize {
    let (mut count, mut i) = (0, 0);
    while i < TABLE.len() {
        count += !TABLE[i].is_learned as usize;
        i += 1;
    }
    count
}

/// Lists the orders that can be computed before a run.
const fn list() -> [Order; count()] {
    let (mut orders, mut len, mut i) = ([Order::Natural; count()], 0, 0);
    while i < TABLE.len() {
        if !TABLE[i].is_learned {
            orders[len] = TABLE[i].default;
            len += 1;
        }
        i += 1;
    }
    orders
}

impl Order {
    /// All orders that can be computed before a run, with default options: all but [`Order::Sampled`].
    pub const ALL: [Self; count()] = list();

    /// Returns its name: `natural`, `random`, `degree` and so on.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns true if the order depends on a seed.
    pub fn is_drawn(self) -> bool {
        !matches!(self.entry().draws, Draws::Nothing)
    }

    /// Returns true if the order is computed from searches.
    pub fn searches(self) -> bool {
        matches!(self.entry().draws, Draws::Searches)
    }

    /// Returns every order with its option at the default and its help, a sentence each.
    pub fn help() -> String {
        let sentence = |Entry { name, option, help, .. }: &Entry| match option {
            Some(Setting { key, default, .. }) => format!("{name}({key}={default}): {help}."),
            None => format!("{name}: {help}."),
        };
        TABLE.iter().map(sentence).collect::<Vec<_>>().join(" ")
    }

    /// Returns the label that a file stores for a graph in this order, with `seed` if the order depends on one.
    pub fn label(self, seed: u64) -> OrderLabel {
        OrderLabel { name: self.to_string(), seed: self.is_drawn().then_some(seed) }
    }

    fn read(text: &str) -> Result<Self, Wrong> {
        let (name, mut options) = Brackets::of(text)?;
        let unknown = || {
            let names: Vec<&str> = TABLE.iter().map(|entry| entry.name).collect();
            let help = suggest::did_you_mean(name, &names, &format!("orders: {}", names.join(", ")));
            (format!("there is no order {name:?}"), help)
        };
        let entry = TABLE.iter().find(|entry| entry.name == name).ok_or_else(unknown)?;
        let mut order = entry.default;
        if let (Some(Setting { key, default, limits }), Some(value)) = (&entry.option, order.value()) {
            *value = options.number(key, limits.clone(), *default)?.unwrap_or(*default);
        }
        options.end()?;
        Ok(order)
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match (&self.entry().option, { *self }.value()) {
            (Some(Setting { key, default, .. }), Some(value)) if value != default => {
                write!(f, "({key}={value})")
            }
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
    fn an_order_has_a_value_exactly_if_it_has_an_option() {
        for (entry, mut order) in TABLE.iter().map(|entry| (entry, entry.default)) {
            assert_eq!(order.name(), entry.name);
            assert_eq!(order.value().copied(), entry.option.as_ref().map(|option| option.default));
            assert!(!entry.help.is_empty() && Order::help().contains(entry.help), "{}", entry.name);
        }
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
