//! Cores: how deep in the dense parts of the graph each vertex lies.
//!
//! The k-core is the largest part of the graph in which every vertex has degree k or more. `core[v]` is the greatest k
//! whose k-core holds v; the greatest of all is the graph's *degeneracy*.
//!
//! The degree of a vertex counts its arcs to other vertices: in a directed graph arcs in plus arcs out, as NetworkX does,
//! so that a pair of opposite arcs counts twice. Parallel arcs count each, self-loops do not count (NetworkX refuses
//! them). Read a graph with `--undirected` to count neighbours instead. O(n + m) work.

mod answer;
mod verify;

pub use answer::{KcoreAnswer, KcoreSummary};

use crate::{Algorithm, Error, Result};
use serde::{Deserialize, Serialize};
use warpgraph_graph::{Graph, NodeMap};

/// What to search: nothing to choose.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Kcore {}

impl Algorithm for Kcore {
    const NAME: &'static str = "kcore";
    type Answer = KcoreAnswer;

    fn check(&self, _: &Graph) -> Result<()> {
        Ok(())
    }

    fn restore(&self, answer: KcoreAnswer, graph: &Graph, map: &NodeMap) -> Result<KcoreAnswer> {
        answer.restore(graph, map)
    }
}

/// The error when a vertex has more arcs than degrees are counted to.
pub fn too_many_arcs(degree: u64) -> Error {
    Error::Refused {
        what: format!("kcore counts degrees below {}, and a vertex has {degree} arcs", u32::MAX),
        help: "merge parallel edges (--parallel first)".to_owned(),
    }
}
