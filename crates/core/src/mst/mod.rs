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

use crate::{
    About, Algorithm, Directions, General, Result, Rules,
    cost::{Cost, GpuWork, Term},
};
use serde::{Deserialize, Serialize};
use warpgraph_graph::{Graph, NodeMap};

/// What to span: nothing to choose.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Mst {}

/// Why no plan may name a direction.
const WHY: &str = "it hooks trees along the lightest arc of each";

impl Algorithm for Mst {
    const NAME: &'static str = "mst";
    const ABOUT: About = About {
        title: "Minimum spanning forest",
        asks: "the lightest edges that connect everything, ignoring directions; unique even where weights tie",
        details: "Directions are ignored: of all arcs between two vertices, either way, the lightest counts. Edges without weights count 1; ties go to the smaller ends, so the forest is unique. Columns of --out, one row per edge: source (its smaller end), target, weight.",
        verified_by: "the cycle property for every edge",
    };
    const RULES: Rules =
        Rules { name: Self::NAME, on_cpu: Directions::Neither(WHY), on_gpu: General::Kernels(WHY) };
    const COST: Cost = Cost { on_gpu: Some(on_gpu), ..Cost::UNKNOWN };
    type Answer = MstAnswer;

    fn check(&self, _: &Graph) -> Result<()> {
        Ok(())
    }

    fn restore(&self, answer: MstAnswer, graph: &Graph, _: &NodeMap) -> Result<MstAnswer> {
        Ok(answer.restore(graph))
    }
}

/// Target and weight of every arc in a first pass, offsets; the other end's component per arc.
fn on_gpu(work: &GpuWork) -> Vec<Term> {
    let (with_arcs, m) = (work.with_arcs as f64, work.arcs as f64);
    vec![Term::bytes(8.0 * m + 8.0 * with_arcs), Term::along(m, work.values())]
}
