//! The plan: how a run is carried out, as a value with a text form.
//!
//! ```text
//! plan = "auto" | part { "+" part }        part = name [ "(" key "=" value { "," key "=" value } ")" ]
//! name = bsp | paths | push | pull | the name of a Balance | the name of a Residency
//! ```
//! Names are unique over all axes, so they may come in any order. The engine decides each axis that is not named. A
//! plan displays as model, direction, balance, residency, without options at their defaults, and `parse(display(p)) ==
//! p`. The model `paths` fixes direction and balance, so a plan names none of them beside it.

mod balance;
mod check;
mod paths;
mod residency;
mod rules;
mod text;

pub use balance::{Balance, Threshold, Tiles};
pub use check::Accepted;
pub use paths::{Importance, PathPlan, Share};
pub use residency::{Ahead, Code, Heads, Residency, Staging};
pub use rules::{Directions, General, Rules};

use serde::{Deserialize, Serialize};

/// The direction in which values travel in a superstep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// From each vertex of the frontier along its outgoing arcs.
    Push,
    /// To each vertex along its incoming arcs.
    Pull,
}

/// How a run proceeds: the execution model and its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Model {
    /// Supersteps over a frontier.
    Bsp {
        /// One direction for the whole run; the engine decides per superstep if `None`.
        direction: Option<Direction>,
        /// One balance for the whole run; the engine chooses if `None`.
        balance: Option<Balance>,
    },
    /// Asynchronous walks along paths that contain every edge once.
    Paths(PathPlan),
}

/// How to run. The engine decides every axis that is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Plan {
    /// The execution model. A plan without one is *open*: the fastest form of the algorithm runs.
    pub model: Option<Model>,
    /// Where the edges are stored. Naming a residency leaves the plan open.
    pub residency: Option<Residency>,
}

/// The number of plans of supersteps with default options, `auto` included.
const STEPPED: usize = 1 + 3 * (1 + Balance::ALL.len());
const PLANS: usize = STEPPED + Residency::ALL.len() + 1;

impl Plan {
    /// The engine decides everything.
    pub const AUTO: Self = Self { model: None, residency: None };

    /// The model `paths` with default options.
    pub const PATHS: Self = Self { model: Some(Model::Paths(PathPlan::DEFAULT)), residency: None };

    /// All plans with default options: `auto`, every pair of direction and balance, every residency alone, and `paths`.
    pub const ALL: [Self; PLANS] = {
        const DIRECTIONS: [Option<Direction>; 3] = [None, Some(Direction::Push), Some(Direction::Pull)];
        let mut all = [Self::AUTO; PLANS];
        let mut at = 1;
        while at < STEPPED {
            let balance = match (at - 1) / 3 {
                0 => None,
                nth => Some(Balance::ALL[nth - 1]),
            };
            all[at] = Self::bsp(DIRECTIONS[(at - 1) % 3]).by(balance);
            at += 1;
        }
        let mut nth = 0;
        while nth < Residency::ALL.len() {
            all[at + nth].residency = Some(Residency::ALL[nth]);
            nth += 1;
        }
        all[PLANS - 1] = Self::PATHS;
        all
    };

    /// Returns a plan of supersteps in this direction, with the balance left to the engine.
    pub const fn bsp(direction: Option<Direction>) -> Self {
        Self { model: Some(Model::Bsp { direction, balance: None }), residency: None }
    }

    /// Returns this plan with another balance; a plan without a model gets supersteps.
    pub const fn by(self, balance: Option<Balance>) -> Self {
        Self { model: Some(Model::Bsp { direction: self.direction(), balance }), ..self }
    }

    /// Returns true if the plan names no model, direction or balance: the fastest form of the algorithm may run.
    pub const fn is_open(&self) -> bool {
        self.model.is_none()
    }

    /// Returns the direction that the plan names for the whole run.
    pub const fn direction(&self) -> Option<Direction> {
        match self.model {
            None | Some(Model::Paths(_)) => None,
            Some(Model::Bsp { direction, .. }) => direction,
        }
    }

    /// Returns the direction that the plan fixes for the whole run, by name or through a balance that works in one
    /// direction only.
    pub fn fixed_direction(&self) -> Option<Direction> {
        let by_balance = self.balance().filter(Balance::only_pushes).map(|_| Direction::Push);
        self.direction().or(by_balance)
    }

    /// Returns the balance that the plan names for the whole run.
    pub const fn balance(&self) -> Option<Balance> {
        match self.model {
            None | Some(Model::Paths(_)) => None,
            Some(Model::Bsp { balance, .. }) => balance,
        }
    }

    /// Returns the options of the model `paths`, if the plan names it.
    pub const fn paths(&self) -> Option<PathPlan> {
        match self.model {
            Some(Model::Paths(paths)) => Some(paths),
            _ => None,
        }
    }
}
