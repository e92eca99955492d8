//! Strongly connected components: which vertices can reach each other along arcs.
//!
//! u and v are in one component if and only if a path leads from u to v and one from v to u. `component[v]` is the
//! smallest vertex of v's component. Every vertex reaches itself, so a vertex on no cycle is a component of its own,
//! with or without a self-loop. On an undirected graph these are the weakly connected components. O(n + m) work.

mod answer;
mod verify;

pub use answer::{SccAnswer, SccSummary};

use crate::{About, Algorithm, Bound, Directions, General, Result, Rules, accuracy, cost::Cost};
use serde::{Deserialize, Serialize};
use warpgraph_graph::{Graph, NodeMap};

/// Configures strongly connected components: the error that the user allows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Scc {
    /// Allow this error; the answer is exact all the same, because nothing faster has a bound
    #[cfg_attr(feature = "clap", arg(long, value_name = "E"))]
    pub max_error: Option<f64>,
}

/// Why a plan must not name a direction.
const WHY: &str = "it searches along arcs of both directions";

impl Algorithm for Scc {
    const NAME: &'static str = "scc";
    const ABOUT: About = About {
        title: "Strongly connected components",
        asks: "which vertices can reach each other along arcs",
        details: "On an undirected graph the same as wcc. Columns of --out: vertex, component (the smallest vertex of its component).",
        verified_by: "searches in both directions inside each component, and an order of the components without a cycle",
    };
    const RULES: Rules = Rules {
        name: Self::NAME,
        on_cpu: Directions::Neither(WHY),
        on_gpu: General::Filters(WHY),
        approximates: true,
        only_on_cpu: None,
    };
    const COST: Cost = Cost::UNKNOWN;
    const BOUND: Bound = Bound::Exact("one edge may join any number of components");
    type Answer = SccAnswer;

    fn max_error(&self) -> Option<f64> {
        self.max_error
    }

    fn reflects_on_cpu(&self, _: &Graph) -> bool {
        true
    }

    fn check_config(&self) -> Result<()> {
        accuracy::check(Self::NAME, self.max_error, accuracy::CONFIDENCE)
    }

    fn check(&self, _: &Graph) -> Result<()> {
        self.check_config()
    }

    fn restore(&self, answer: SccAnswer, graph: &Graph, map: &NodeMap) -> Result<SccAnswer> {
        answer.restore(graph, map)
    }
}
