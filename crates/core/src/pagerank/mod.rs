//! PageRank: how often a random walk along arcs visits each vertex.
//!
//! The rank x is the fixed point, with sum 1, of
//!
//! ```text
//! x[v] = d * (sum over arcs u -> v of x[u] * p(u, v)  +  t[v] * sum over sinks s of x[s])  +  (1 - d) * t[v]
//! ```
//! with damping d, p(u, v) = 1 / out-degree of u (or the share of the arc in u's outgoing weights), and the teleport
//! vector t: uniform, or the personalisation. Vertices without outgoing arcs (sinks) send their rank along the teleport
//! vector, as NetworkX does. Parallel arcs count separately. A run ends when the total change of a sweep, `sum |x_new -
//! x_old|`, falls below the tolerance: the total, not a mean per vertex. O(m) work per sweep.
//!
//! Let F be the right-hand side. It moves two vectors of ranks to at most d times their distance, in total: rank is only
//! passed on. So the total error of x is at most `sum |F(x) - x| / (1 - d)` \[1\]. Every form of every engine reports a
//! bound on that sum, its residual, with what rounding may hide. With `max_error`, a run ends when the bound is below the
//! error, so that a greater error ends it after fewer sweeps.
//!
//! \[1\] S. Banach's fixed-point theorem, for the norm L1. D. Gleich, PageRank beyond the web, SIAM Review 57, 2015.

mod answer;
mod cost;
mod program;
mod verify;

pub use answer::{PageRankAnswer, PageRankSummary, Ranked};
pub use program::{Walk, by_program};

use crate::{
    About, Algorithm, Direction, Directions, Error, General, Halt, Result, Rules, accuracy,
    cost::Cost,
    quoted,
    weighted::{self, Least},
};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use warpgraph_graph::{Graph, NodeMap, VertexId};

/// The default damping factor.
pub const DAMPING: f64 = 0.85;
/// The default tolerance on the total change.
pub const TOLERANCE: f64 = 1e-6;
/// The part of a maximum error that the residual may use; the rest is for rounding.
const ROOM: f64 = 0.9;
/// The default limit on sweeps.
pub const MAX_ITERATIONS: u64 = 100;

/// Configures PageRank: what to rank, and when to stop.
///
/// ```
/// use warpgraph_core::pagerank::PageRank;
/// let config = PageRank::default().tolerance(1e-9).personalize(17, 1.0);
/// assert_eq!(config.damping, 0.85);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct PageRank {
    /// Share of steps that follow an arc, from 0 to below 1; the others teleport
    #[cfg_attr(feature = "clap", arg(long, value_name = "D", default_value_t = DAMPING))]
    pub damping: f64,
    /// Stop when the total change of a sweep is below this
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", default_value_t = TOLERANCE))]
    pub tolerance: f64,
    /// Instead, stop when the sum of the errors of all ranks is proved to be at most E
    ///
    /// Ranks sum to 1. The proof needs no luck: it follows from the change of a sweep and the damping.
    #[cfg_attr(feature = "clap", arg(long, value_name = "E"))]
    pub max_error: Option<f64>,
    /// Stop after this many sweeps at the latest
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = MAX_ITERATIONS))]
    pub max_iterations: u64,
    /// Follow arcs in proportion to their weights
    #[cfg_attr(feature = "clap", arg(long))]
    pub weighted: bool,
    /// Teleport to these vertices only: ids, each with its share if not equal, e.g. `17,42=2`
    ///
    /// The flag may be repeated. An id with , or = in it stands in double quotes: --personalize '"a,b"=2,c'.
    #[cfg_attr(feature = "clap", arg(long, value_name = "V[=SHARE],...", value_delimiter = ','))]
    pub personalize: Vec<Share>,
}

/// A vertex and its share of the teleports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// The vertex.
    pub vertex: VertexId,
    /// Its share; shares are scaled to sum 1.
    pub share: f64,
}

/// Parses `17`, `17=2`, or `"a,b"=2`.
impl FromStr for Share {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        quoted::item(text, 1.0).map(|(vertex, share)| Self { vertex, share })
    }
}

impl Default for PageRank {
    fn default() -> Self {
        Self {
            damping: DAMPING,
            tolerance: TOLERANCE,
            max_error: None,
            max_iterations: MAX_ITERATIONS,
            weighted: false,
            personalize: Vec::new(),
        }
    }
}

impl PageRank {
    /// Stops when the total change of a sweep is below this.
    pub fn tolerance(mut self, total_change: f64) -> Self {
        self.tolerance = total_change;
        self
    }

    /// Stops when the sum of the errors of all ranks is proved to be at most this.
    pub fn max_error(mut self, total: f64) -> Self {
        self.max_error = Some(total);
        self
    }

    /// Returns the total change of an exact sweep below which a run ends: the tolerance, or what proves the error and leaves
    /// room for the rounding of sums in f64.
    pub fn target(&self) -> f64 {
        self.max_error.map_or(self.tolerance, |error| ROOM * error * (1.0 - self.damping))
    }

    /// Adds a vertex to the teleport targets, with this share.
    pub fn personalize(mut self, vertex: impl Into<VertexId>, share: f64) -> Self {
        self.personalize.push(Share { vertex: vertex.into(), share });
        self
    }

    /// Returns the stopping rule.
    pub fn halt(&self) -> Halt {
        Halt::l1(self.target()).or(Halt::rounds(self.max_iterations))
    }

    /// Returns the teleport vector, with sum 1; `None` if it is uniform.
    ///
    /// # Errors
    /// When a vertex is not in the graph.
    pub fn teleport(&self, graph: &Graph) -> Result<Option<Vec<f64>>> {
        if self.personalize.is_empty() {
            return Ok(None);
        }
        let mut teleport = vec![0.0; graph.vertices()];
        let total: f64 = self.personalize.iter().map(|s| s.share).sum();
        for Share { vertex, share } in &self.personalize {
            teleport[graph.ids().vertex(vertex)? as usize] += share / total;
        }
        Ok(Some(teleport))
    }
}

impl Algorithm for PageRank {
    const NAME: &'static str = "pagerank";
    const ABOUT: About = About {
        title: "PageRank",
        asks: "how often a random walk visits each vertex; also weighted and personalised",
        details: "Ranks sum to 1; vertices without outgoing arcs send their rank where teleports go, as NetworkX does. --max-error E bounds the sum of all errors. Columns of --out: vertex, rank.",
        verified_by: "the residual of one exact sweep",
    };
    const RULES: Rules = Rules {
        name: Self::NAME,
        on_cpu: Directions::Only(Direction::Pull, "ranks are summed over incoming arcs without atomics"),
        on_gpu: General::Sum,
        approximates: true,
        only_on_cpu: None,
    };
    const COST: Cost = cost::COST;
    const DETERMINISM: &'static str = "about twice the sweeps: each from the ranks of the one before";
    const DETERMINISM_ON_GPU: &'static str =
        "nothing; but by weights, or by a plan that names something, every row is summed by one thread";
    type Answer = PageRankAnswer;

    fn max_error(&self) -> Option<f64> {
        self.max_error
    }

    fn check_config(&self) -> Result<()> {
        let refuse = |what: String, help: &str| Err(Error::config(Self::NAME, what, help));
        if !(0.0..1.0).contains(&self.damping) {
            return refuse(
                format!("damping must be in [0, 1), got {}", self.damping),
                "0.85 is the usual choice",
            );
        }
        if !self.tolerance.is_finite() || self.tolerance < 0.0 {
            return refuse(
                format!("tolerance must be a number from 0, got {}", self.tolerance),
                "1e-6 is the default",
            );
        }
        accuracy::check(Self::NAME, self.max_error, accuracy::CONFIDENCE)?;
        if self.max_error.is_some() && self.tolerance != TOLERANCE {
            return refuse(
                format!("both a maximum error and the tolerance {} are given", self.tolerance),
                "give one of them: the error is of the ranks, the tolerance of the change of a sweep",
            );
        }
        if self.max_iterations == 0 {
            return refuse("max-iterations must be at least 1, got 0".to_owned(), "100 is the default");
        }
        let shares: f64 = self.personalize.iter().map(|s| s.share).sum();
        let bad = self.personalize.iter().find(|s| !(s.share.is_finite() && s.share >= 0.0));
        if let Some(share) = bad {
            return refuse(
                format!("the share of vertex {} must be a number from 0, got {}", share.vertex, share.share),
                "write --personalize 17,42=2",
            );
        }
        if !self.personalize.is_empty() && (shares == 0.0 || shares.is_infinite()) {
            return refuse(
                format!("the shares of --personalize sum to {shares}"),
                "give one vertex a positive share, and none a huge one",
            );
        }
        Ok(())
    }

    fn check(&self, graph: &Graph) -> Result<()> {
        self.check_config()?;
        self.teleport(graph)?;
        match self.weighted {
            true => weighted::check(Self::NAME, graph, Least::Zero, "to follow all arcs alike"),
            false => Ok(()),
        }
    }

    fn renumbered(&self, graph: &Graph, map: &NodeMap, _: u64, _: u64) -> Result<Self> {
        let inner = |share: &Share| {
            let vertex = map.inner(graph.ids().vertex(&share.vertex)?).into();
            Ok(Share { vertex, share: share.share })
        };
        let personalize = self.personalize.iter().map(inner).collect::<Result<_>>()?;
        Ok(Self { personalize, ..self.clone() })
    }

    fn restore(&self, answer: PageRankAnswer, graph: &Graph, map: &NodeMap) -> Result<PageRankAnswer> {
        answer.restore(self, graph, map)
    }
}
