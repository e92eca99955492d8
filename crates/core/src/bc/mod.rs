//! Betweenness centrality: how many shortest paths pass through each vertex [1, 2].
//!
//! ```text
//! c[v] = sum over sources s and targets t, s != v != t, of sigma(s, t | v) / sigma(s, t)
//! ```
//! where `sigma(s, t)` counts the shortest paths from s to t, and `sigma(s, t | v)` those that pass through v. The
//! sources are all vertices, or some (named, or drawn from the seed); the targets are all vertices that a source
//! reaches. With endpoints, a path also counts for its two ends.
//!
//! Scores are scaled as in NetworkX 3.6 (`betweenness_centrality(G, k, normalized, weight, endpoints)`), for n
//! vertices, k of them sources, N = n with endpoints and N = n - 1 without:
//!
//! | | all sources | k sources |
//! | --- | --- | --- |
//! | plain, directed | c | c N / k |
//! | plain, undirected: a pair counts once | c / 2 | c N / 2k |
//! | normalized: a share of all pairs | c / N(N - 1) | c / k(N - 1) |
//!
//! Without endpoints, a source lies on none of its own paths, so the score of a source uses k - 1 instead of k. A
//! single source has nothing to estimate its own score from, so that score is NaN (an empty field in files). k = n
//! means all sources.
//!
//! Weighted paths are shortest by the sum of weights. Weights must be greater than zero, because a cycle of zero weight
//! would allow infinitely many paths. Floating-point sums are compared as rounded, as everywhere; a run refuses a
//! weight so small that adding it changes nothing. Self-loops lie on no shortest path. Each parallel edge, where the
//! graph keeps them, is a path of its own; merged on reading (the default) they are one, as in NetworkX. A vertex from
//! which no other is reached has score 0, and so has a leaf of an undirected graph.
//!
//! Brandes' dependencies, computed backwards from the farthest vertices:
//!
//! ```text
//! delta[u] = sum over v with u before v of sigma[u] / sigma[v] * (1 + delta[v])         c[u] = sum over sources of delta[u]
//! ```
//! With `max_error` or `top`, shortest paths of random pairs are sampled in place of that, until the error of every
//! normalised score is proved to be small enough, or the order of the highest scores is settled: see [`sampling`].
//!
//! Work per source: O(n + m), weighted O(m + n log n). Path counts can exceed the range of floating-point numbers (a
//! 4096 x 4096 grid has 2^8000 paths from corner to corner), so engines add an exponent where needed. All terms are
//! positive, so the relative error of a score is about 2^-52 times the number of additions along a longest path; shares
//! of paths below 2^-512 may count as zero.
//!
//! \[1\] L. Freeman, A set of measures of centrality based on betweenness, Sociometry 40, 1977.
//! \[2\] U. Brandes, A faster algorithm for betweenness centrality, J. Mathematical Sociology 25, 2001.

mod answer;
mod paths;
pub mod sampling;
mod verify;

pub use answer::{BcAnswer, BcSummary, Scored};

use crate::{
    About, Algorithm, Directions, Error, General, Result, Rules, Sources, accuracy,
    cost::{Cost, GpuWork, Term},
    weighted::{self, Least},
};
use serde::{Deserialize, Serialize};
use warpgraph_graph::{Graph, NodeMap, Vertex, VertexId};

/// Configures betweenness: which paths to count, and how to scale.
///
/// ```
/// use warpgraph_core::bc::Bc;
/// let config = Bc::default().sources(64).normalized();
/// assert_eq!(
///     serde_json::to_string(&config).unwrap(),
///     r#"{"sources":64,"source":[],"weighted":false,"normalized":true,"endpoints":false,"max_error":null,"confidence":0.9,"top":null}"#
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Bc {
    /// Count paths from all vertices, or from this many drawn from the seed
    #[cfg_attr(feature = "clap", arg(long, value_name = "K|all", default_value_t = Sources::All))]
    pub sources: Sources,
    /// Count paths from these vertices only
    ///
    /// The flag may be repeated. An id with a comma in it stands in double quotes: --source '"a,b",c'.
    #[cfg_attr(feature = "clap", arg(long, value_name = "V,...", value_delimiter = ',', value_parser = crate::quoted::id))]
    pub source: Vec<VertexId>,
    /// Measure paths by the sum of weights, not by hops
    #[cfg_attr(feature = "clap", arg(long))]
    pub weighted: bool,
    /// Scale scores to shares of all pairs, from 0 to 1
    #[cfg_attr(feature = "clap", arg(long))]
    pub normalized: bool,
    /// Count a path for its two ends as well
    #[cfg_attr(feature = "clap", arg(long))]
    pub endpoints: bool,
    /// Allow an error of E in each normalised score: sample shortest paths until it is proved
    ///
    /// E is of scores as --normalized gives them, from 0 to 1, also if the answer is not normalised. It holds for all
    /// vertices at once, with the probability --confidence.
    #[cfg_attr(feature = "clap", arg(long, value_name = "E"))]
    pub max_error: Option<f64>,
    /// The probability with which --max-error and --top hold
    #[cfg_attr(feature = "clap", arg(long, value_name = "P", default_value_t = accuracy::CONFIDENCE))]
    pub confidence: f64,
    /// Stop sampling as soon as the order of the K highest scores is settled
    ///
    /// Scores that cannot be told apart when both are known within --max-error (0.001 if left out) count as a tie.
    #[cfg_attr(feature = "clap", arg(long, value_name = "K"))]
    pub top: Option<u64>,
}

impl Default for Bc {
    fn default() -> Self {
        Self {
            sources: Sources::All,
            source: Vec::new(),
            weighted: false,
            normalized: false,
            endpoints: false,
            max_error: None,
            confidence: accuracy::CONFIDENCE,
            top: None,
        }
    }
}

/// The factors that scale the sums of dependencies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scales {
    /// For vertices that are sources.
    pub source: f64,
    /// For all others.
    pub other: f64,
}

impl Bc {
    /// Counts paths from this many sources, drawn from the seed.
    pub fn sources(mut self, count: u64) -> Self {
        self.sources = Sources::Count(count);
        self
    }

    /// Adds this vertex to the sources.
    pub fn source(mut self, id: impl Into<VertexId>) -> Self {
        self.source.push(id.into());
        self
    }

    /// Measures paths by the sum of weights.
    pub fn weighted(mut self) -> Self {
        self.weighted = true;
        self
    }

    /// Scales scores to shares of all pairs.
    pub fn normalized(mut self) -> Self {
        self.normalized = true;
        self
    }

    /// Counts a path for its two ends as well.
    pub fn endpoints(mut self) -> Self {
        self.endpoints = true;
        self
    }

    /// Allows this error in each normalised score.
    pub fn max_error(mut self, error: f64) -> Self {
        self.max_error = Some(error);
        self
    }

    /// Sets the probability with which the error, or the order of the highest scores, holds.
    pub fn confidence(mut self, probability: f64) -> Self {
        self.confidence = probability;
        self
    }

    /// Stops sampling as soon as the order of this many highest scores is settled.
    pub fn top(mut self, count: u64) -> Self {
        self.top = Some(count);
        self
    }

    /// Returns the error of normalised scores within which paths are sampled; `None` if the answer must be exact.
    pub fn allowed(&self) -> Option<f64> {
        self.max_error.or(self.top.map(|_| sampling::TIE))
    }

    /// Refuses what sampled paths do not answer.
    fn check_sampling(&self) -> Result<()> {
        accuracy::check(Self::NAME, self.max_error, self.confidence)?;
        let refuse = |what: &str, help: &str| Err(Error::config(Self::NAME, what, help));
        match () {
            () if self.top == Some(0) => refuse("top must be at least 1, got 0", "10 is a usual choice"),
            () if self.allowed().is_none() => Ok(()),
            () if self.sources != Sources::All || !self.source.is_empty() => refuse(
                "paths are sampled between all vertices, and --sources or --source asks for some",
                "give --max-error or --top, or else sources; --sources K estimates without a bound",
            ),
            () if self.weighted => refuse(
                "paths are sampled by hops: a search from both ends knows no bound for sums of weights",
                "use --sources K to estimate from weighted paths, without a bound",
            ),
            () if self.endpoints => refuse(
                "samples count inner vertices only, and --endpoints asks for the ends of paths",
                "leave --endpoints out, or --max-error and --top",
            ),
            () => Ok(()),
        }
    }

    /// Returns the sources in ascending order; `None` if every vertex is a source.
    ///
    /// # Errors
    /// When a vertex is not in the graph, or is named twice.
    pub fn resolve(&self, graph: &Graph, seed: u64, run: u64) -> Result<Option<Vec<Vertex>>> {
        self.sources.resolve(Self::NAME, &self.source, graph, seed, run)
    }

    /// Returns the scaling of the module head for this graph and this number of sources (`None`: all).
    pub fn scales(&self, graph: &Graph, sources: Option<usize>) -> Scales {
        let n = graph.vertices() as f64;
        let pairs = if self.endpoints { n } else { n - 1.0 };
        if pairs < 2.0 {
            return Scales { source: 1.0, other: 1.0 };
        }
        let of = |k: f64| match (self.normalized, graph.is_directed()) {
            (true, _) => 1.0 / (k * (pairs - 1.0)),
            (false, true) => pairs / k,
            (false, false) => pairs / (2.0 * k),
        };
        match sources.map(|k| k as f64) {
            None => Scales { source: of(pairs), other: of(pairs) },
            Some(k) if self.endpoints => Scales { source: of(k), other: of(k) },
            Some(k) if k > 1.0 => Scales { source: of(k - 1.0), other: of(k) },
            Some(k) => Scales { source: f64::NAN, other: of(k) },
        }
    }
}

/// Returns the error for an arc whose weight is so small that adding it does not make a path longer.
pub fn vanishes(graph: &Graph, u: Vertex, v: Vertex, arc: usize, distance: f64) -> Error {
    let (ids, weight) = (graph.ids(), graph.out().weights.get(arc));
    Error::config(
        Bc::NAME,
        format!(
            "the weight {weight:e} of {} -> {} vanishes beside the distance {distance:e}",
            ids.id(u),
            ids.id(v)
        ),
        "weights of so different sizes make paths of equal length; give weights of like size",
    )
}

/// Why a plan must not name a direction.
const WHY: &str = "it goes forward and back, each way in its own direction";

impl Algorithm for Bc {
    const NAME: &'static str = "bc";
    const ABOUT: About = About {
        title: "Betweenness centrality",
        asks: "how many shortest paths pass through each vertex, from all sources or a sample; also weighted",
        details: "Exact from all vertices, or estimated from --sources K drawn from --seed (a new draw per run), scaled as NetworkX does. --max-error E and --top K sample paths instead, with a proved bound. Columns of --out: vertex, score (empty for the only source, where there is nothing to estimate from).",
        verified_by: "a forward count of paths at some vertices, and sums of path lengths",
    };
    const RULES: Rules = Rules {
        name: Self::NAME,
        on_cpu: Directions::Neither(WHY),
        on_gpu: General::FilteredSum(WHY),
        approximates: true,
        only_on_cpu: None,
    };
    const COST: Cost = Cost { on_gpu: Some(on_gpu), ..Cost::UNKNOWN };
    const DETERMINISM_ON_GPU: &'static str =
        "the form by supersteps, in which every row is summed by one thread, whatever its length";
    type Answer = BcAnswer;

    fn usual() -> Self {
        Self::default().sources(4)
    }

    fn max_error(&self) -> Option<f64> {
        self.allowed()
    }

    /// From all vertices of an undirected graph, the processor searches its blocks one by one: of the merged graph.
    fn reflects_on_cpu(&self, merged: &Graph) -> bool {
        merged.is_directed() || self.sources != Sources::All || !self.source.is_empty()
    }

    fn check_config(&self) -> Result<()> {
        self.sources.check_config(Self::NAME, &self.source)?;
        self.check_sampling()
    }

    fn check(&self, graph: &Graph) -> Result<()> {
        self.check_config()?;
        self.sources.check(Self::NAME, &self.source, graph)?;
        if self.weighted {
            weighted::check(Self::NAME, graph, Least::Positive, "to count hops")
        } else {
            Ok(())
        }
    }

    fn renumbered(&self, graph: &Graph, map: &NodeMap, seed: u64, run: u64) -> Result<Self> {
        let source = Sources::renumbered(self.resolve(graph, seed, run)?, map);
        Ok(Self { sources: Sources::All, source, ..self.clone() })
    }

    fn restore(&self, answer: BcAnswer, graph: &Graph, map: &NodeMap) -> Result<BcAnswer> {
        answer.restore(self, graph, map)
    }
}

/// Targets of both passes, and per vertex offsets, level, path count and score; one level per arc in each pass; two
/// barriers per level of bfs.
fn on_gpu(work: &GpuWork) -> Vec<Term> {
    let (r, a) = (work.reached as f64, work.arcs_reached as f64);
    let levels = work.levels.unwrap_or(0) as f64;
    vec![Term::bytes(8.0 * a + 24.0 * r), Term::along(2.0 * a, work.values()), Term::barriers(2.0 * levels)]
}
