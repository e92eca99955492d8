//! Strongly connected components: which vertices can reach each other along arcs.
//!
//! u and v are in one component if and only if a way leads from u to v and one from v to u. `component[v]` is the smallest
//! vertex of v's component. Every vertex reaches itself, so a vertex on no cycle is a component of its own, with or
//! without a self-loop. On an undirected graph these are the weakly connected components. O(n + m) work.

mod answer;
mod verify;

pub use answer::{SccAnswer, SccSummary};

use crate::{Algorithm, Result};
use serde::{Deserialize, Serialize};
use warpgraph_graph::{Graph, NodeMap};

/// What to search: nothing to choose.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Scc {}

impl Algorithm for Scc {
    const NAME: &'static str = "scc";
    type Answer = SccAnswer;

    fn check(&self, _: &Graph) -> Result<()> {
        Ok(())
    }

    fn restore(&self, answer: SccAnswer, graph: &Graph, map: &NodeMap) -> Result<SccAnswer> {
        answer.restore(graph, map)
    }
}
