//! What was seen beside the cells: orders and rounds, the price of tiles, tiles that are met again, first runs.

use super::Question;
use crate::{result::Failure, statistics::Spread};
use serde::{Deserialize, Serialize};
use warpgraph::{Round, TileUse};

/// What making an order of a graph took.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Making {
    /// The graph, as it is called.
    pub graph: String,
    /// The order: `rcm`, `sampled`.
    pub order: String,
    /// Seconds until it was there; of `sampled`, device time of sampling, over all rounds.
    pub seconds: Option<f64>,
    /// Seconds of writing the graph in that order, over all rounds.
    pub renumber: Option<f64>,
    /// The most bytes held beside the graph until the order was there.
    pub memory: Option<u64>,
    /// Rounds of `sampled`.
    pub rounds: Vec<RoundSeen>,
    /// Why there are no figures.
    pub error: Option<Failure>,
}

/// A round of `sampled`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "as warpgraph::Round has them")]
pub struct RoundSeen {
    pub round: u32,
    pub samples: u32,
    pub moved: u64,
    pub sectors_before: f64,
    pub sectors_after: Option<f64>,
    pub sampling_seconds: f64,
    pub renumbering_seconds: f64,
    pub speed_before: Option<f64>,
    pub speed_after: Option<f64>,
}

impl From<&Round> for RoundSeen {
    fn from(of: &Round) -> Self {
        Self {
            round: of.round,
            samples: of.samples,
            moved: of.moved,
            sectors_before: of.sectors_before,
            sectors_after: of.sectors_after,
            sampling_seconds: of.sampling_seconds,
            renumbering_seconds: of.renumbering_seconds,
            speed_before: of.speed_before,
            speed_after: of.speed_after,
        }
    }
}

/// What electing tiles costs: medians of seconds of device time in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "as cells have them")]
pub struct Tiling {
    pub graph: String,
    pub algorithm: Question,
    pub plan: String,
    /// Kernels that expand frontiers.
    pub kernel: Option<f64>,
    /// Of those, electing tiles: what kernels take that elect them and do nothing else.
    pub tiling: Option<f64>,
    pub error: Option<Failure>,
}

impl Tiling {
    /// The share of the kernels' time.
    pub fn share(&self) -> Option<f64> {
        Some(self.tiling? / self.kernel.filter(|&seconds| seconds > 0.0)?)
    }
}

/// Tiles of the first run on a graph, and of the last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "as cells have them")]
pub struct Kept {
    pub graph: String,
    pub algorithm: Question,
    pub plan: String,
    /// Runs, the first and the last included.
    pub runs: u64,
    pub first: Option<TilesSeen>,
    pub last: Option<TilesSeen>,
    pub error: Option<Failure>,
}

/// Tiles that a run went through.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "as warpgraph::TileUse has them")]
pub struct TilesSeen {
    pub made: u64,
    pub reused: u64,
    pub held: u64,
    pub held_bytes: u64,
    pub reuse_rate: f64,
}

impl From<TileUse> for TilesSeen {
    fn from(of: TileUse) -> Self {
        let TileUse { made, reused, held, held_bytes } = of;
        Self { made, reused, held, held_bytes, reuse_rate: of.reuse_rate() }
    }
}

/// The first bfs on a graph that is on the device, with kernels compiled, and later ones from the same vertex.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "as cells have them")]
pub struct First {
    pub graph: String,
    pub plan: String,
    /// Seconds of the first run, and beside it of copying the graph, compiling kernels, and preparing what is kept.
    pub first: Option<f64>,
    pub transfer: f64,
    pub compile: f64,
    pub prepare: f64,
    /// Later runs.
    pub later: Option<Spread>,
    pub error: Option<Failure>,
}

impl First {
    /// The first run over the median of later ones.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.first? / self.later?.median).filter(|ratio| ratio.is_finite())
    }
}
