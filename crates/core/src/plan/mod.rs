//! The plan: how a run is carried out, as a value with a text form.
//!
//! ```text
//! plan = "auto" | name { "+" name }        name = bsp | push | pull | node | workload
//! ```
//! Names are unique over all axes, so their order is free; an axis not named is decided by the engine. A plan prints as
//! model, direction, balance, and `parse(print(p)) == p`.

mod check;
mod text;

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

/// How a GPU's threads share the arcs of a frontier. The processor's engine balances by itself and takes none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Balance {
    /// A thread a vertex: the baseline of the literature.
    Node,
    /// The frontier's degrees are summed up, and every thread gets an equal, contiguous share of the arcs.
    Workload,
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
    /// Every plan there is.
    pub const ALL: [Self; 10] = {
        const DIRECTIONS: [Option<Direction>; 3] = [None, Some(Direction::Push), Some(Direction::Pull)];
        const BALANCES: [Option<Balance>; 3] = [None, Some(Balance::Node), Some(Balance::Workload)];
        let mut all = [Self::Auto; 10];
        let mut at = 1;
        while at < all.len() {
            all[at] = Self::Bsp { direction: DIRECTIONS[(at - 1) % 3], balance: BALANCES[(at - 1) / 3] };
            at += 1;
        }
        all
    };

    /// Supersteps in a direction, the balance left open.
    pub const fn bsp(direction: Option<Direction>) -> Self {
        Self::Bsp { direction, balance: None }
    }

    /// The direction it fixes for the whole run.
    pub fn direction(&self) -> Option<Direction> {
        match self {
            Self::Auto => None,
            Self::Bsp { direction, .. } => *direction,
        }
    }

    /// The balance it fixes for the whole run.
    pub fn balance(&self) -> Option<Balance> {
        match self {
            Self::Auto => None,
            Self::Bsp { balance, .. } => *balance,
        }
    }
}
