//! Single-source shortest paths: the smallest sum of weights from a source to each vertex.
//!
//! `distance[v] = min over arcs u -> v of distance[u] + w(u, v)`, 0 at the source. Unweighted arcs count 1. Integer
//! distances never wrap: they are u32 if the largest weight times n is below 2^32 - 1 (a path has n - 1 arcs, and the
//! engine tries one more from its end), else u64; i64 if a weight is negative. Floating-point distances have the type
//! of the weights; because rounding is monotone, they satisfy the equation bit for bit. Negative weights are allowed; a
//! negative cycle within reach is an error that names it. A floating-point sum beyond the range of its type is an error
//! that names the vertex, because infinity marks unreached vertices.

mod answer;
mod cost;
mod distances;
mod kinds;
mod overflow;
mod parents;
mod program;
mod verify;

pub use answer::{SsspAnswer, SsspSummary};
pub use distances::{Distance, Distances, with_distances};
pub use kinds::{Kinds, kinds};
pub use program::{Finds, answer as answer_by, by_program};

use crate::{
    About, Algorithm, Bound, Direction, Directions, Error, General, Result, Rules, Source, accuracy,
    cost::Cost,
};
use serde::{Deserialize, Serialize};
use warpgraph_graph::{Graph, NodeMap, VertexId};

/// Configures the search: its source, and optionally the bucket width of delta-stepping.
///
/// ```
/// use warpgraph_core::sssp::Sssp;
/// assert_eq!(serde_json::to_string(&Sssp::from("libc6")).unwrap(), r#"{"source":"libc6","delta":null,"max_error":null}"#);
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Sssp {
    /// Where to start: an id of the file, `random`, or `max-degree`
    #[cfg_attr(feature = "clap", arg(long, value_name = "V|random|max-degree", default_value_t = Source::MaxDegree))]
    pub source: Source,
    /// Width of a distance bucket; chosen from the weights and degrees if left out
    #[cfg_attr(feature = "clap", arg(long, value_name = "WIDTH"))]
    pub delta: Option<f64>,
    /// Allow this mean relative error of distances, measured on other sources
    ///
    /// The engine tries approximations of the graph on other sources and takes the fastest one that stays within the error,
    /// if it is faster than exact runs. That pays off for many runs on one graph. The report says what was measured.
    #[cfg_attr(feature = "clap", arg(long, value_name = "E"))]
    pub max_error: Option<f64>,
}

impl Sssp {
    /// Returns a search from a vertex, given by its original id.
    pub fn from(source: impl Into<VertexId>) -> Self {
        Self { source: Source::Vertex(source.into()), ..Self::default() }
    }

    /// Uses buckets of this width.
    pub fn delta(mut self, width: f64) -> Self {
        self.delta = Some(width);
        self
    }
}

impl Algorithm for Sssp {
    const NAME: &'static str = "sssp";
    const ABOUT: About = About {
        title: "Shortest paths",
        asks: "the least sum of weights from a source to every vertex, and a shortest path; weights may be negative",
        details: "Edges without weights count 1. Negative weights are allowed; a negative cycle within reach is an error that names it, and so is a distance too large for its type. Columns of --out: vertex, distance (empty if unreached), parent.",
        verified_by: "the triangle inequality for every arc, and a path of tight arcs to every reached vertex",
    };
    const RULES: Rules = Rules {
        name: Self::NAME,
        on_cpu: Directions::Only(Direction::Push, "delta-stepping relaxes outgoing arcs"),
        on_gpu: General::Program,
        approximates: true,
        only_on_cpu: None,
    };
    const COST: Cost = cost::COST;
    const FINDS_PATHS: bool = true;
    const BOUND: Bound = Bound::Measured;
    type Answer = SsspAnswer;

    fn max_error(&self) -> Option<f64> {
        self.max_error
    }

    fn held_out(&self) -> Option<Self> {
        Some(Self { source: Source::Random, max_error: None, ..self.clone() })
    }

    fn check_config(&self) -> Result<()> {
        accuracy::check(Self::NAME, self.max_error, accuracy::CONFIDENCE)?;
        if let Some(delta) = self.delta
            && !(delta.is_finite() && delta > 0.0)
        {
            let what = format!("delta must be a positive number, got {delta}");
            return Err(Error::config(Self::NAME, what, "leave --delta out to have it chosen"));
        }
        Ok(())
    }

    fn check(&self, graph: &Graph) -> Result<()> {
        self.check_config()?;
        self.source.resolve(graph, 0, 0)?;
        Ok(())
    }

    fn renumbered(&self, graph: &Graph, map: &NodeMap, seed: u64, run: u64) -> Result<Self> {
        Ok(Self { source: self.source.renumbered(graph, map, seed, run)?, ..self.clone() })
    }

    fn restore(&self, answer: SsspAnswer, graph: &Graph, map: &NodeMap) -> Result<SsspAnswer> {
        answer.restore(graph, map)
    }
}
