//! Weakly connected components: which vertices are connected when directions are ignored.
//!
//! `component[v]` is the smallest vertex of v's component. O(n + m) work in practice.

mod answer;
mod cost;
mod program;
mod verify;

pub use answer::{WccAnswer, WccSummary};
pub use program::by_program;

use crate::{About, Algorithm, Directions, General, Result, Rules, cost::Cost};
use serde::{Deserialize, Serialize};
use warpgraph_graph::{Graph, NodeMap};

/// Configures weakly connected components, which have no options.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Wcc {}

impl Algorithm for Wcc {
    const NAME: &'static str = "wcc";
    const ABOUT: About = About {
        title: "Weakly connected components",
        asks: "which vertices hang together when directions are ignored",
        details: "Columns of --out: vertex, component (the smallest vertex of its component).",
        verified_by: "a serial union-find",
    };
    const RULES: Rules = Rules {
        name: Self::NAME,
        on_cpu: Directions::Neither("it hooks trees along arcs of either direction"),
        on_gpu: General::Program,
        approximates: false,
        only_on_cpu: None,
    };
    const COST: Cost = cost::COST;
    type Answer = WccAnswer;

    fn check(&self, _: &Graph) -> Result<()> {
        Ok(())
    }

    fn restore(&self, answer: WccAnswer, graph: &Graph, map: &NodeMap) -> Result<WccAnswer> {
        answer.restore(graph, map)
    }
}
