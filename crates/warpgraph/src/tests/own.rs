//! An algorithm of a user's own: components by another name. It has no form for GPUs.

use crate::{Dispatch, Graph, Result, Wcc, WccAnswer};
use serde::Serialize;
use warpgraph_core::{Algorithm, Options};
use warpgraph_graph::NodeMap;

/// Its configuration: nothing to choose.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Own {}

impl Algorithm for Own {
    const NAME: &'static str = "own";
    type Answer = WccAnswer;

    fn check(&self, graph: &Graph) -> Result<()> {
        Wcc {}.check(graph)
    }

    fn restore(&self, answer: WccAnswer, graph: &Graph, map: &NodeMap) -> Result<WccAnswer> {
        Wcc {}.restore(answer, graph, map)
    }
}

impl Dispatch for Own {
    fn on_cpu(&self, graph: &Graph, options: &Options) -> Result<WccAnswer> {
        warpgraph_cpu::wcc(graph, &Wcc {}, options)
    }
}
