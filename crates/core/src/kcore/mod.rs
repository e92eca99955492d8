//! K-core decomposition: how deep in the dense parts of the graph each vertex lies.
//!
//! The k-core is the largest subgraph in which every vertex has degree k or more. `core[v]` is the largest k whose
//! k-core contains v; the largest core number is the graph's *degeneracy*.
//!
//! The degree of a vertex counts its arcs to other vertices. In a directed graph it counts arcs in and out, as NetworkX
//! does, so two opposite arcs count twice. Parallel arcs count separately; self-loops do not count (NetworkX refuses
//! them). Read a graph with `--undirected` to count neighbours instead. O(n + m) work.

mod answer;
mod verify;

pub use answer::{KcoreAnswer, KcoreSummary};

use crate::{
    About, Algorithm, Directions, Error, General, Result, Rules,
    cost::{Cost, GpuWork, Term},
};
use serde::{Deserialize, Serialize};
use warpgraph_graph::{Graph, NodeMap};

/// Configures k-core decomposition, which has no options.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Kcore {}

/// Why a plan must not name a direction.
const WHY: &str = "it peels vertices by degree";

impl Algorithm for Kcore {
    const NAME: &'static str = "kcore";
    const ABOUT: About = About {
        title: "Cores",
        asks: "the core number of each vertex, and the degeneracy",
        details: "A directed graph counts arcs in and out, as NetworkX does; read it with --undirected to count neighbours. Self-loops do not count. Columns of --out: vertex, core.",
        verified_by: "enough arcs inside every core, and a serial peeling that finds no deeper one",
    };
    const RULES: Rules = Rules {
        name: Self::NAME,
        on_cpu: Directions::Neither(WHY),
        on_gpu: General::Filters(WHY),
        approximates: false,
        only_on_cpu: None,
    };
    const COST: Cost = Cost { on_gpu: Some(on_gpu), ..Cost::UNKNOWN };
    type Answer = KcoreAnswer;

    fn check(&self, _: &Graph) -> Result<()> {
        Ok(())
    }

    fn restore(&self, answer: KcoreAnswer, graph: &Graph, map: &NodeMap) -> Result<KcoreAnswer> {
        answer.restore(graph, map)
    }
}

/// Returns the error for a vertex whose degree does not fit the counters.
pub fn too_many_arcs(degree: u64) -> Error {
    Error::Refused {
        what: format!("kcore counts degrees below {}, and a vertex has {degree} arcs", u32::MAX),
        help: "merge parallel edges (--parallel first)".to_owned(),
    }
}

/// All targets once, and offset and degree per vertex; one atomic decrement per edge.
fn on_gpu(work: &GpuWork) -> Vec<Term> {
    let (with_arcs, m) = (work.with_arcs as f64, work.arcs as f64);
    vec![Term::bytes(4.0 * m + 12.0 * with_arcs), Term::atomics(m / 2.0, work.values())]
}
