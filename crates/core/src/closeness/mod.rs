//! Closeness: how near each vertex is to the vertices that reach it. Also harmonic centrality and eccentricity.
//!
//! For a vertex v that r other vertices reach, at distances d(u, v) in hops, in a graph of n vertices:
//!
//! ```text
//! closeness[v]    = r / (sum of d(u, v)) * r / (n - 1)      0 if r = 0      (Wasserman and Faust's form [1])
//! harmonic[v]     = sum of 1 / d(u, v)
//! eccentricity[v] = the greatest d(u, v)                    0 if r = 0
//! ```
//! Distances are *towards* v, as in NetworkX 3.6 (`closeness_centrality(G)`, `harmonic_centrality(G)`); in an
//! undirected graph the direction makes no difference. Vertices that do not reach v count only in n: in a disconnected
//! graph, closeness is scaled by the share of vertices that reach v, and eccentricity is measured within v's component.
//! (NetworkX's `eccentricity` measures outwards and refuses such graphs.) Self-loops and parallel edges make no
//! difference.
//!
//! The sources are all vertices, or some (named, or drawn from the seed); other vertices get no value. All sources need
//! a search from every vertex, O(n (n + m)) in the worst case, of which a batch runs some tens or hundreds at once.
//! `--sources` limits the number.
//!
//! With `max_error`, searches from some drawn vertices estimate the values of all: see [`sampling`]. Eccentricities are then
//! lower bounds, and so are the diameter and the radius.
//!
//! \[1\] S. Wasserman, K. Faust, Social network analysis, 1994, p. 201.

mod answer;
mod distances;
pub mod sampling;
mod verify;

pub use answer::{ClosenessAnswer, ClosenessSummary, Near};
pub use distances::Distances;

use crate::{About, Algorithm, Directions, Error, General, Result, Rules, Sources, accuracy, cost::Cost};
use serde::{Deserialize, Serialize};
use warpgraph_graph::{Graph, NodeMap, Vertex, VertexId};

/// Configures closeness: which vertices to ask about.
///
/// ```
/// use warpgraph_core::closeness::Closeness;
/// let config = Closeness::default().sources(64);
/// assert_eq!(serde_json::to_string(&config).unwrap(), r#"{"sources":64,"source":[],"max_error":null,"confidence":0.9}"#);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Closeness {
    /// Ask about all vertices, or about this many drawn from the seed
    #[cfg_attr(feature = "clap", arg(long, value_name = "K|all", default_value_t = Sources::All))]
    pub sources: Sources,
    /// Ask about these vertices only
    ///
    /// The flag may be repeated. An id with a comma in it stands in double quotes: --source '"a,b",c'.
    #[cfg_attr(feature = "clap", arg(long, value_name = "V,...", value_delimiter = ',', value_parser = crate::quoted::id))]
    pub source: Vec<VertexId>,
    /// Allow an error of E in harmonic / (n - 1), in the share of vertices that reach v, and in mean distance / diameter
    ///
    /// Searches from drawn vertices estimate the values of all vertices; closeness follows from them. All errors hold at
    /// once, with the probability --confidence. Eccentricities are then lower bounds.
    #[cfg_attr(feature = "clap", arg(long, value_name = "E"))]
    pub max_error: Option<f64>,
    /// The probability with which --max-error holds
    #[cfg_attr(feature = "clap", arg(long, value_name = "P", default_value_t = accuracy::CONFIDENCE))]
    pub confidence: f64,
}

impl Default for Closeness {
    fn default() -> Self {
        let confidence = accuracy::CONFIDENCE;
        Self { sources: Sources::All, source: Vec::new(), max_error: None, confidence }
    }
}

impl Closeness {
    /// Asks about this many vertices, drawn from the seed.
    pub fn sources(mut self, count: u64) -> Self {
        self.sources = Sources::Count(count);
        self
    }

    /// Adds this vertex to those asked about.
    pub fn source(mut self, id: impl Into<VertexId>) -> Self {
        self.source.push(id.into());
        self
    }

    /// Allows this error; see the module.
    pub fn max_error(mut self, error: f64) -> Self {
        self.max_error = Some(error);
        self
    }

    /// Sets the probability with which the error holds.
    pub fn confidence(mut self, probability: f64) -> Self {
        self.confidence = probability;
        self
    }

    /// Returns the vertices asked about in ascending order; `None` if they are all.
    ///
    /// # Errors
    /// When a vertex is not in the graph, or is named twice.
    pub fn resolve(&self, graph: &Graph, seed: u64, run: u64) -> Result<Option<Vec<Vertex>>> {
        self.sources.resolve(Self::NAME, &self.source, graph, seed, run)
    }
}

/// Why a plan must not name a direction.
const WHY: &str = "a batch of searches chooses its direction by the level";

impl Algorithm for Closeness {
    const NAME: &'static str = "closeness";
    const ABOUT: About = About {
        title: "Closeness and harmonic centrality, and eccentricity",
        asks: "how close each vertex is to those that reach it",
        details: "For all vertices, which is a search from each of them and takes long on large graphs, or for --sources K drawn from --seed. Distances are hops towards the vertex, as in NetworkX. --max-error E estimates all values from searches from some vertices. Columns of --out: vertex, closeness, harmonic, eccentricity (empty for vertices not asked about).",
        verified_by: "bounds on the sums, differences between neighbours, and some searches with a plain queue",
    };
    const RULES: Rules = Rules {
        name: Self::NAME,
        on_cpu: Directions::Neither(WHY),
        on_gpu: General::Filters(WHY),
        approximates: false,
        only_on_cpu: None,
    };
    const COST: Cost = Cost::UNKNOWN;
    type Answer = ClosenessAnswer;

    fn usual() -> Self {
        Self::default().sources(64)
    }

    fn max_error(&self) -> Option<f64> {
        self.max_error
    }

    fn check_config(&self) -> Result<()> {
        self.sources.check_config(Self::NAME, &self.source)?;
        accuracy::check(Self::NAME, self.max_error, self.confidence)?;
        let asks_some = self.sources != Sources::All || !self.source.is_empty();
        if self.max_error.is_some() && asks_some {
            let what =
                "samples estimate the values for all vertices, and --sources or --source asks about some";
            return Err(Error::config(Self::NAME, what, "give --max-error or sources, not both"));
        }
        Ok(())
    }

    fn check(&self, graph: &Graph) -> Result<()> {
        self.check_config()?;
        self.sources.check(Self::NAME, &self.source, graph)
    }

    fn renumbered(&self, graph: &Graph, map: &NodeMap, seed: u64, run: u64) -> Result<Self> {
        let source = Sources::renumbered(self.resolve(graph, seed, run)?, map);
        Ok(Self { sources: Sources::All, source, ..self.clone() })
    }

    fn restore(&self, answer: ClosenessAnswer, graph: &Graph, map: &NodeMap) -> Result<ClosenessAnswer> {
        answer.restore(graph, map)
    }
}
