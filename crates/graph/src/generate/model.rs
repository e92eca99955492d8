//! Dispatches to the generators: [`Model`] has one variant per generator.

use super::{
    Edges, community::Community, grid::Grid, keys::Keys, kron::Kron, powerlaw::PowerLaw, uniform::Uniform,
};
use crate::{control::Control, error::Result};
use std::fmt;

pub(super) const NAMES: [&str; 5] = ["kron", "uniform", "grid", "powerlaw", "community"];

/// A generator with its own parameters.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Model {
    Kron(Kron),
    Uniform(Uniform),
    Grid(Grid),
    PowerLaw(PowerLaw),
    Community(Community),
}

impl Model {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Kron(_) => "kron",
            Self::Uniform(_) => "uniform",
            Self::Grid(_) => "grid",
            Self::PowerLaw(_) => "powerlaw",
            Self::Community(_) => "community",
        }
    }

    pub(super) fn keys_of(name: &str) -> Option<&'static [&'static str]> {
        match name {
            "kron" => Some(Kron::KEYS),
            "uniform" => Some(Uniform::KEYS),
            "grid" => Some(Grid::KEYS),
            "powerlaw" => Some(PowerLaw::KEYS),
            "community" => Some(Community::KEYS),
            _ => None,
        }
    }

    pub(super) fn read(name: &str, keys: &Keys<'_>) -> Result<Self> {
        Ok(match name {
            "kron" => Self::Kron(Kron::read(keys)?),
            "uniform" => Self::Uniform(Uniform::read(keys)?),
            "grid" => Self::Grid(Grid::read(keys)?),
            "powerlaw" => Self::PowerLaw(PowerLaw::read(keys)?),
            _ => Self::Community(Community::read(keys)?),
        })
    }

    pub(super) fn directed_by_default(&self) -> bool {
        matches!(self, Self::PowerLaw(_))
    }

    /// Prepares the generator; for `powerlaw` and `community` this draws the degrees of all vertices.
    pub(super) fn edges(&self, seed: u64, control: &Control) -> Result<Box<dyn Edges>> {
        Ok(match self {
            Self::Kron(m) => Box::new(m.edges(seed)),
            Self::Uniform(m) => Box::new(m.edges(seed)),
            Self::Grid(m) => Box::new(m.edges(seed)),
            Self::PowerLaw(m) => Box::new(m.edges(seed, control)?),
            Self::Community(m) => Box::new(m.edges(seed, control)?),
        })
    }

    pub(super) fn vertices(&self) -> u64 {
        match self {
            Self::Kron(m) => m.vertices(),
            Self::Uniform(m) => m.vertices(),
            Self::Grid(m) => m.vertices(),
            Self::PowerLaw(m) => m.vertices(),
            Self::Community(m) => m.vertices(),
        }
    }

    pub(super) fn expected_edges(&self) -> f64 {
        match self {
            Self::Kron(m) => m.expected_edges(),
            Self::Uniform(m) => m.expected_edges(),
            Self::Grid(m) => m.expected_edges(),
            Self::PowerLaw(m) => m.expected_edges(),
            Self::Community(m) => m.expected_edges(),
        }
    }
}

/// Writes the size, then those of the model's own keys that differ from their default.
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kron(m) => m.fmt(f),
            Self::Uniform(m) => m.fmt(f),
            Self::Grid(m) => m.fmt(f),
            Self::PowerLaw(m) => m.fmt(f),
            Self::Community(m) => m.fmt(f),
        }
    }
}
