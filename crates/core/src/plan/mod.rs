//! The plan: how a run is carried out, as a value with a text form.
//!
//! ```text
//! plan = "auto" | part { "+" part }        part = name [ "(" key "=" value { "," key "=" value } ")" ]
//! name = bsp | push | pull | the name of a Balance
//! ```
//! Names are unique over all axes, so their order is free; an axis not named is decided by the engine. A plan prints as
//! model, direction, balance, leaving out options that have their default, and `parse(print(p)) == p`.

mod balance;
mod check;
mod text;

pub use balance::{Balance, Threshold, Tiles};

use serde::{Deserialize, Serialize};

/// Which way values travel in a superstep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// From the frontier along outgoing arcs.
    Push,
    /// To every vertex from its incoming arcs.
    Pull,
}

/// How to run: `auto`, or a model with what it leaves to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Plan {
    /// The engine decides everything.
    #[default]
    Auto,
    /// Supersteps over a frontier.
    Bsp {
        /// One direction for the whole run; decided per superstep if `None`.
        direction: Option<Direction>,
        /// One balance for the whole run; the engine's choice if `None`.
        balance: Option<Balance>,
    },
}

impl Plan {
    /// Every plan there is, options at their defaults.
    pub const ALL: [Self; 1 + 3 * (1 + Balance::ALL.len())] = {
        const DIRECTIONS: [Option<Direction>; 3] = [None, Some(Direction::Push), Some(Direction::Pull)];
        let mut all = [Self::Auto; 1 + 3 * (1 + Balance::ALL.len())];
        let mut at = 1;
        while at < all.len() {
            let balance = match (at - 1) / 3 {
                0 => None,
                nth => Some(Balance::ALL[nth - 1]),
            };
            all[at] = Self::Bsp { direction: DIRECTIONS[(at - 1) % 3], balance };
            at += 1;
        }
        all
    };

    /// Supersteps in a direction, the balance left open.
    pub const fn bsp(direction: Option<Direction>) -> Self {
        Self::Bsp { direction, balance: None }
    }

    /// The direction it names for the whole run.
    pub fn direction(&self) -> Option<Direction> {
        match self {
            Self::Auto => None,
            Self::Bsp { direction, .. } => *direction,
        }
    }

    /// The direction it fixes for the whole run, by name or by a balance that goes only one way.
    pub fn fixed_direction(&self) -> Option<Direction> {
        let by_balance = self.balance().filter(Balance::only_pushes).map(|_| Direction::Push);
        self.direction().or(by_balance)
    }

    /// The balance it fixes for the whole run.
    pub fn balance(&self) -> Option<Balance> {
        match self {
            Self::Auto => None,
            Self::Bsp { balance, .. } => *balance,
        }
    }
}
