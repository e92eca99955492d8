//! Triangles: three vertices that are all connected to each other.
//!
//! They are counted on the underlying simple undirected graph: directions are ignored, parallel edges count once,
//! self-loops do not count. With `t[v]` triangles at a vertex of `d[v]` neighbours,
//!
//! ```text
//! triangles          = sum of t[v] / 3
//! clustering[v]      = 2 t[v] / (d[v] (d[v] - 1)),  0 below two neighbours
//! transitivity       = 3 triangles / sum of d[v] (d[v] - 1) / 2,  0 without such pairs
//! average clustering = sum of clustering[v] / n
//! ```
//! as NetworkX defines them on undirected graphs. By default only the total is counted, which is faster; `local` adds
//! the counts per vertex. O(m^1.5) work.

mod answer;
mod verify;

pub use answer::{Local, TrianglesAnswer, TrianglesSummary};

use crate::{
    About, Algorithm, Directions, General, Result, Rules,
    cost::{Cost, GpuWork, Term},
};
use serde::{Deserialize, Serialize};
use warpgraph_graph::{Graph, NodeMap};

/// Configures triangle counting: the total, or also the count of each vertex.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Triangles {
    /// Count at every vertex too, with clustering coefficients; implied by --out
    #[cfg_attr(feature = "clap", arg(long))]
    pub local: bool,
}

impl Triangles {
    /// Counts the total and the triangles of each vertex.
    pub fn local() -> Self {
        Self { local: true }
    }
}

/// Why a plan must not name a direction.
const WHY: &str = "it intersects lists of neighbours";

impl Algorithm for Triangles {
    const NAME: &'static str = "triangles";
    const ABOUT: About = About {
        title: "Triangles",
        asks: "triples of vertices that are all joined, in total or per vertex with clustering; ignores directions",
        details: "Directions and self-loops are ignored, parallel edges are one. Columns of --out: vertex, triangles (at it), clustering (the share of its pairs of neighbours that are joined; 0 below two neighbours).",
        verified_by: "bounds, sums, and a recount with another method",
    };
    const RULES: Rules = Rules {
        name: Self::NAME,
        on_cpu: Directions::Neither(WHY),
        on_gpu: General::Kernels(WHY),
        approximates: false,
        only_on_cpu: None,
    };
    const COST: Cost = Cost { on_gpu: Some(on_gpu), ..Cost::UNKNOWN };
    type Answer = TrianglesAnswer;

    fn check(&self, _: &Graph) -> Result<()> {
        Ok(())
    }

    fn for_table(&self) -> Self {
        Self::local()
    }

    fn restore(&self, answer: TrianglesAnswer, graph: &Graph, map: &NodeMap) -> Result<TrianglesAnswer> {
        answer.restore(graph, map)
    }
}

/// Reads each edge once, from one end, and the offsets of the other end.
fn on_gpu(work: &GpuWork) -> Vec<Term> {
    let m = work.arcs as f64;
    vec![Term::bytes(2.0 * m), Term::gathers(m / 2.0, 2 * work.values())]
}
