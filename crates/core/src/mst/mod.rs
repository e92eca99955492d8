//! Minimum spanning forest: the lightest edges that keep every component connected.
//!
//! Of all edge sets that connect the two ends of every edge, it is the one of smallest total weight. It has no cycle,
//! and one tree per component. Directions are ignored: an arc is an edge, and of several edges between two vertices, in
//! either direction, the lightest counts. Edges without weights count 1; weights may be negative; self-loops are
//! ignored.
//!
//! Edges are compared by (weight, smaller end, larger end), with ends by their original numbers, so the forest is
//! unique. At most O(m log n) work.

mod answer;
mod verify;

pub use answer::{MstAnswer, MstSummary};

use crate::{
    About, Algorithm, Bound, Directions, General, Result, Rules, accuracy,
    cost::{Cost, GpuWork, Term},
};
use serde::{Deserialize, Serialize};
use warpgraph_graph::{Graph, NodeMap};

/// Configures minimum spanning forest: the error that the user allows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Mst {
    /// Allow this error; the answer is exact all the same, because nothing faster has a bound
    #[cfg_attr(feature = "clap", arg(long, value_name = "E"))]
    pub max_error: Option<f64>,
}

/// Why a plan must not name a direction.
const WHY: &str = "it hooks trees along the lightest arc of each";

impl Algorithm for Mst {
    const NAME: &'static str = "mst";
    const ABOUT: About = About {
        title: "Minimum spanning forest",
        asks: "the lightest edges that connect everything, ignoring directions; unique even where weights tie",
        details: "Directions are ignored: of all arcs between two vertices, either way, the lightest counts. Edges without weights count 1; ties go to the smaller ends, so the forest is unique. Columns of --out, one row per edge: source (its smaller end), target, weight.",
        verified_by: "the cycle property for every edge",
    };
    const RULES: Rules = Rules {
        name: Self::NAME,
        on_cpu: Directions::Neither(WHY),
        on_gpu: General::Kernels(WHY),
        approximates: true,
        only_on_cpu: None,
    };
    const COST: Cost = Cost { on_gpu: Some(on_gpu), ..Cost::UNKNOWN };
    const BOUND: Bound = Bound::Exact("the forest of a changed graph may be of any weight");
    type Answer = MstAnswer;

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

    fn restore(&self, answer: MstAnswer, graph: &Graph, _: &NodeMap) -> Result<MstAnswer> {
        Ok(answer.restore(graph))
    }
}

/// The first pass reads target and weight per arc and offsets per vertex, and the component of the other end per arc.
fn on_gpu(work: &GpuWork) -> Vec<Term> {
    let (with_arcs, m) = (work.with_arcs as f64, work.arcs as f64);
    vec![Term::bytes(8.0 * m + 8.0 * with_arcs), Term::along(m, work.values())]
}
