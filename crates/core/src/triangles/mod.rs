//! Triangles: three vertices that are all joined to each other.
//!
//! Counted on the simple undirected graph under the graph: the direction of arcs is ignored, parallel edges are one, and
//! self-loops are none. With `t[v]` triangles at a vertex of `d[v]` neighbours
//!
//! ```text
//! triangles          = sum of t[v] / 3
//! clustering[v]      = 2 t[v] / (d[v] (d[v] - 1)),  0 below two neighbours
//! transitivity       = 3 triangles / sum of d[v] (d[v] - 1) / 2,  0 without such pairs
//! average clustering = sum of clustering[v] / n
//! ```
//! as NetworkX defines them on undirected graphs. By default only the total is counted, which is faster; everything by
//! vertex is counted when `local` asks for it. O(m^1.5) work.

mod answer;
mod verify;

pub use answer::{Local, TrianglesAnswer, TrianglesSummary};

use crate::{Algorithm, Result};
use serde::{Deserialize, Serialize};
use warpgraph_graph::{Graph, NodeMap};

/// What to count.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Triangles {
    /// Count at every vertex too, with clustering coefficients; implied by --out
    #[cfg_attr(feature = "clap", arg(long))]
    pub local: bool,
}

impl Triangles {
    /// The total and the counts of every vertex.
    pub fn local() -> Self {
        Self { local: true }
    }
}

impl Algorithm for Triangles {
    const NAME: &'static str = "triangles";
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
