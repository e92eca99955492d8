//! Minimum spanning forest: the lightest edges that hold together all that hangs together.
//!
//! Of all sets of edges that join the ends of every edge, the one of least total weight; it has no cycle, and one tree for
//! each component. Directions are ignored: an arc is an edge, and of several edges between two vertices, whichever way
//! they point, the lightest counts. Edges without weights count 1; weights may be negative; self-loops take no part.
//!
//! Edges are compared by (weight, smaller end, larger end), ends by their original numbers, so the forest is unique.
//! O(m log n) work at most.

mod answer;
mod verify;

pub use answer::{MstAnswer, MstSummary};

use crate::{Algorithm, Result};
use serde::{Deserialize, Serialize};
use warpgraph_graph::{Graph, NodeMap};

/// What to span: nothing to choose.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Mst {}

impl Algorithm for Mst {
    const NAME: &'static str = "mst";
    type Answer = MstAnswer;

    fn check(&self, _: &Graph) -> Result<()> {
        Ok(())
    }

    fn restore(&self, answer: MstAnswer, graph: &Graph, _: &NodeMap) -> Result<MstAnswer> {
        Ok(answer.restore(graph))
    }
}
