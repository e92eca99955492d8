//! Weakly connected components: which vertices hang together when the direction of arcs is ignored.
//!
//! `component[v]` is the smallest vertex of v's component. O(n + m) work in practice.

mod answer;
mod verify;

pub use answer::{WccAnswer, WccSummary};

use crate::{Algorithm, Result};
use serde::{Deserialize, Serialize};
use warpgraph_graph::{Graph, NodeMap};

/// What to search: nothing to choose.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Wcc {}

impl Algorithm for Wcc {
    const NAME: &'static str = "wcc";
    type Answer = WccAnswer;

    fn check(&self, _: &Graph) -> Result<()> {
        Ok(())
    }

    fn restore(&self, answer: WccAnswer, graph: &Graph, map: &NodeMap) -> Result<WccAnswer> {
        answer.restore(graph, map)
    }
}
