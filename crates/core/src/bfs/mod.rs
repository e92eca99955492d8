//! Breadth-first search: the fewest hops from a source to each vertex, and a tree of shortest paths.
//!
//! `distance[v]` is the number of arcs on a shortest path from the source, or [`UNREACHED`] if there is none.
//! `parent[v]` is the vertex before `v` on such a path, or [`NO_VERTEX`](warpgraph_graph::NO_VERTEX) if `v` is
//! unreached; the source is its own parent. O(n + m) work.

mod answer;
mod cost;
mod program;
mod verify;

pub use answer::{BfsAnswer, BfsSummary};
pub use program::by_program;

use crate::{About, Algorithm, Directions, General, Result, Rules, Source, cost::Cost};
use serde::{Deserialize, Serialize};
use warpgraph_graph::{Graph, NodeMap, VertexId};

/// The distance of a vertex that was not reached.
pub const UNREACHED: u32 = u32::MAX;

/// Configures the search: its source, and optionally a depth limit.
///
/// ```
/// use warpgraph_core::bfs::Bfs;
/// let config = Bfs::from(17).max_depth(3);
/// assert_eq!(serde_json::to_string(&config).unwrap(), r#"{"source":17,"max_depth":3}"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Bfs {
    /// Where to start: an id of the file, `random`, or `max-degree`
    #[cfg_attr(feature = "clap", arg(long, value_name = "V|random|max-degree", default_value_t = Source::MaxDegree))]
    pub source: Source,
    /// Stop after this many hops
    #[cfg_attr(feature = "clap", arg(long, value_name = "HOPS"))]
    pub max_depth: Option<u32>,
}

impl Bfs {
    /// Returns a search from a vertex, given by its original id.
    pub fn from(source: impl Into<VertexId>) -> Self {
        Self { source: Source::Vertex(source.into()), max_depth: None }
    }

    /// Limits the search to this many hops.
    pub fn max_depth(mut self, hops: u32) -> Self {
        self.max_depth = Some(hops);
        self
    }
}

impl Algorithm for Bfs {
    const NAME: &'static str = "bfs";
    const ABOUT: About = About {
        title: "Breadth-first search",
        asks: "the fewest hops from a source to every vertex, and a shortest path",
        details: "Columns of --out: vertex, distance (hops; empty if unreached), parent (the vertex before it on a shortest way; the source is its own).",
        verified_by: "the rules of Graph500 for distances and parents",
    };
    const RULES: Rules = Rules {
        name: Self::NAME,
        on_cpu: Directions::Both,
        on_gpu: General::Program,
        approximates: false,
        only_on_cpu: None,
    };
    const COST: Cost = cost::COST;
    const FINDS_PATHS: bool = true;
    const DETERMINISM: &'static str = "one more pass over the incoming arcs, for the smallest parent of each";
    const DETERMINISM_ON_GPU: &'static str = "the form by supersteps, for the smallest parent of each";
    type Answer = BfsAnswer;

    fn check(&self, graph: &Graph) -> Result<()> {
        self.source.resolve(graph, 0, 0)?;
        Ok(())
    }

    fn renumbered(&self, graph: &Graph, map: &NodeMap, seed: u64, run: u64) -> Result<Self> {
        Ok(Self { source: self.source.renumbered(graph, map, seed, run)?, ..self.clone() })
    }

    fn restore(&self, answer: BfsAnswer, graph: &Graph, map: &NodeMap) -> Result<BfsAnswer> {
        answer.restore(graph, map)
    }
}
