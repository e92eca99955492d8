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
//!
//! With `max_error`, the total is estimated from sampled pairs of neighbours: see [`sampling`].

mod answer;
pub mod sampling;
mod verify;

pub use answer::{Estimate, Local, TrianglesAnswer, TrianglesSummary};

use crate::{
    About, Algorithm, Directions, Error, General, Result, Rules, accuracy,
    cost::{Cost, GpuWork, Term},
};
use serde::{Deserialize, Serialize};
use warpgraph_graph::{Graph, NodeMap};

/// Configures triangle counting: the total, or also the count of each vertex.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Triangles {
    /// Count at every vertex too, with clustering coefficients; implied by --out
    #[cfg_attr(feature = "clap", arg(long))]
    pub local: bool,
    /// Allow an error of E in the transitivity, and so of E times a third of all pairs of neighbours in the total
    ///
    /// Pairs of neighbours are sampled until that is proved; a GPU counts all triangles instead, which is faster there.
    #[cfg_attr(feature = "clap", arg(long, value_name = "E"))]
    pub max_error: Option<f64>,
    /// The probability with which --max-error holds
    #[cfg_attr(feature = "clap", arg(long, value_name = "P", default_value_t = accuracy::CONFIDENCE))]
    pub confidence: f64,
}

impl Default for Triangles {
    fn default() -> Self {
        Self { local: false, max_error: None, confidence: accuracy::CONFIDENCE }
    }
}

impl Triangles {
    /// Counts the total and the triangles of each vertex.
    pub fn local() -> Self {
        Self { local: true, ..Self::default() }
    }

    /// Allows this error in the transitivity.
    pub fn max_error(mut self, error: f64) -> Self {
        self.max_error = Some(error);
        self
    }

    /// Sets the probability with which the error holds.
    pub fn confidence(mut self, probability: f64) -> Self {
        self.confidence = probability;
        self
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

    fn max_error(&self) -> Option<f64> {
        self.max_error
    }

    fn check_config(&self) -> Result<()> {
        accuracy::check(Self::NAME, self.max_error, self.confidence)?;
        if self.local && self.max_error.is_some() {
            let what = "samples estimate the total, and --local or --out asks for every vertex";
            return Err(Error::config(Self::NAME, what, "leave out --max-error, or else --local and --out"));
        }
        Ok(())
    }

    fn check(&self, _: &Graph) -> Result<()> {
        self.check_config()
    }

    fn for_table(&self) -> Self {
        Self { local: true, ..self.clone() }
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
