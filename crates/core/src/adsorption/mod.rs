//! Adsorption: labels injected at some vertices spread along arcs, and each vertex holds the mix that arrives there.
//!
//! With a label of value `I[v]` injected at vertex v (0 at vertices without a label), the value x is the fixed point of
//!
//! ```text
//! x[v] = p_inject * I[v]  +  p_continue * (sum over arcs u -> v of w(u, v) * x[u]) / (sum over arcs u -> v of w(u, v))
//! ```
//! A vertex takes the injected label with probability `p_inject`, takes the weighted mean of what arrives with
//! probability `p_continue`, and abandons with the remaining probability, `1 - p_inject - p_continue` \[1\]. Arcs weigh
//! 1 unless `weighted`. A vertex without incoming arcs has only its injected part.
//!
//! In the gather-apply-scatter form \[2\] a change of x\[u\] crosses an arc as `change * w(u, v) * pass[v]`. `pass` is
//! a read-only column: `p_continue` divided by the sum of incoming weights. The form is linear, so programs can send
//! changes instead of values.
//!
//! Each sweep shrinks the largest difference between two vectors by the factor `p_continue`. A run ends when the
//! residual, `sum |F(x) - x|`, is below the tolerance; each value is then at most `tolerance / (1 - p_continue)` away
//! from the fixed point. Work: O(m) per sweep, and about `log(tolerance) / log(p_continue)` sweeps.
//!
//! \[1\] S. Baluja et al., Video suggestion and discovery for YouTube: taking random walks through the view graph, WWW
//! 2008.
//!
//! \[2\] Y. Zhang et al., AsynGraph: maximizing data parallelism for efficient iterative graph processing on GPUs, TACO
//! 2020.

mod answer;
mod program;
mod verify;

pub use answer::{Adsorbed, AdsorptionAnswer, AdsorptionSummary};
pub use program::by_program;

use crate::{
    About, Algorithm, Direction, Directions, Error, General, Halt, Result, Rules,
    cost::Cost,
    quoted,
    weighted::{self, Least},
};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use warpgraph_graph::{Graph, NodeMap, Vertex, VertexId, par};

/// The default probability of taking the injected label.
pub const P_INJECT: f64 = 0.2;
/// The default probability of taking the mean of what arrives.
pub const P_CONTINUE: f64 = 0.8;
/// The default tolerance on the residual.
pub const TOLERANCE: f64 = 1e-6;
/// The default limit on sweeps.
pub const MAX_ITERATIONS: u64 = 200;

/// Configures adsorption: the labels to inject, the probabilities, and when to stop.
///
/// ```
/// use warpgraph_core::adsorption::Adsorption;
/// let config = Adsorption::default().inject(17, 1.0).inject(42, -1.0);
/// assert_eq!((config.p_inject, config.p_continue), (0.2, 0.8));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Adsorption {
    /// Inject labels here: ids, each with its value if not 1, e.g. `17,42=-1`; default: 1 at the vertex of largest degree
    ///
    /// The flag may be repeated. An id with , or = in it stands in double quotes: --inject '"a,b"=2,c'.
    #[cfg_attr(feature = "clap", arg(long, value_name = "V[=VALUE],...", value_delimiter = ','))]
    pub inject: Vec<Label>,
    /// Probability of taking the injected label
    #[cfg_attr(feature = "clap", arg(long, value_name = "P", default_value_t = P_INJECT))]
    pub p_inject: f64,
    /// Probability of taking the mean of what arrives, below 1; the rest up to 1 is the probability to give up
    #[cfg_attr(feature = "clap", arg(long, value_name = "P", default_value_t = P_CONTINUE))]
    pub p_continue: f64,
    /// Stop when another sweep would change less than this in total
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", default_value_t = TOLERANCE))]
    pub tolerance: f64,
    /// Stop after this many sweeps at the latest
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = MAX_ITERATIONS))]
    pub max_iterations: u64,
    /// Mix what arrives in proportion to the weights of arcs
    #[cfg_attr(feature = "clap", arg(long))]
    pub weighted: bool,
}

/// A vertex and the label injected there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Label {
    /// The vertex.
    pub vertex: VertexId,
    /// The value of the label. Labels at the same vertex add up.
    pub value: f64,
}

/// Parses `17`, `17=2`, or `"a,b"=2`.
impl FromStr for Label {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        quoted::item(text, 1.0).map(|(vertex, value)| Self { vertex, value })
    }
}

impl Default for Adsorption {
    fn default() -> Self {
        Self {
            inject: Vec::new(),
            p_inject: P_INJECT,
            p_continue: P_CONTINUE,
            tolerance: TOLERANCE,
            max_iterations: MAX_ITERATIONS,
            weighted: false,
        }
    }
}

impl Adsorption {
    /// Injects one more label, at this vertex.
    pub fn inject(mut self, vertex: impl Into<VertexId>, value: f64) -> Self {
        self.inject.push(Label { vertex: vertex.into(), value });
        self
    }

    /// Stops when another sweep would change less than this in total.
    pub fn tolerance(mut self, residual: f64) -> Self {
        self.tolerance = residual;
        self
    }

    /// Returns the stopping rule.
    pub fn halt(&self) -> Halt {
        Halt::l1(self.tolerance).or(Halt::rounds(self.max_iterations))
    }

    /// Returns `p_inject * I[v]` for each vertex.
    ///
    /// # Errors
    /// When a vertex is not in the graph.
    pub fn injected(&self, graph: &Graph) -> Result<Vec<f64>> {
        let mut injected = vec![0.0; graph.vertices()];
        for Label { vertex, value } in &self.inject {
            injected[graph.ids().vertex(vertex)? as usize] += self.p_inject * value;
        }
        if self.inject.is_empty() && graph.vertices() > 0 {
            injected[graph.counts().max_degree_vertex as usize] = self.p_inject;
        }
        Ok(injected)
    }

    /// Returns `p_continue` divided by the sum of incoming weights for each vertex; 0 if that sum is 0.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn passed(&self, graph: &Graph) -> Result<Vec<f64>> {
        let incoming = graph.incoming()?;
        let weight = |arc: usize| if self.weighted { incoming.weights.get(arc) } else { 1.0 };
        let pass = |v: Vertex| {
            let sum: f64 = incoming.csr.arcs_of(v).map(weight).sum();
            if sum > 0.0 { self.p_continue / sum } else { 0.0 }
        };
        Ok(par::map(graph.vertices(), |v| pass(v as Vertex)))
    }
}

impl Algorithm for Adsorption {
    const NAME: &'static str = "adsorption";
    const ABOUT: About = About {
        title: "Adsorption",
        asks: "how much of a label, injected at some vertices, arrives at each vertex",
        details: "A vertex takes what is injected with one probability, and goes on with the mean of what arrives with another. Columns of --out: vertex, value.",
        verified_by: "the residual of one exact sweep",
    };
    const RULES: Rules = Rules {
        name: Self::NAME,
        on_cpu: Directions::Only(Direction::Pull, "values are summed over incoming arcs without atomics"),
        on_gpu: General::Sum,
        approximates: false,
        only_on_cpu: None,
    };
    const COST: Cost = Cost::UNKNOWN;
    const DETERMINISM_ON_GPU: &'static str = "every row is summed by one thread, whatever its length";
    type Answer = AdsorptionAnswer;

    fn check_config(&self) -> Result<()> {
        let refuse = |what: String, help: &str| Err(Error::config(Self::NAME, what, help));
        if !(0.0..1.0).contains(&self.p_continue) {
            let what = format!("p-continue must be in [0, 1), got {}", self.p_continue);
            return refuse(what, "0.8 is the default");
        }
        if !(self.p_inject >= 0.0 && self.p_inject + self.p_continue <= 1.0 + 1e-12) {
            let what = format!("p-inject must be from 0 to 1 - p-continue, got {}", self.p_inject);
            return refuse(what, "what both leave of 1 is the probability to give up");
        }
        if !self.tolerance.is_finite() || self.tolerance < 0.0 {
            let what = format!("tolerance must be a number from 0, got {}", self.tolerance);
            return refuse(what, "1e-6 is the default");
        }
        if self.max_iterations == 0 {
            return refuse("max-iterations must be at least 1, got 0".to_owned(), "200 is the default");
        }
        match self.inject.iter().find(|label| !label.value.is_finite()) {
            Some(Label { vertex, value }) => refuse(
                format!("the label of vertex {vertex} must be a number, got {value}"),
                "write --inject 17,42=-1",
            ),
            None => Ok(()),
        }
    }

    fn check(&self, graph: &Graph) -> Result<()> {
        self.check_config()?;
        self.injected(graph)?;
        match self.weighted {
            true => weighted::check(Self::NAME, graph, Least::Zero, "to follow all arcs alike"),
            false => Ok(()),
        }
    }

    fn renumbered(&self, graph: &Graph, map: &NodeMap, _: u64, _: u64) -> Result<Self> {
        let inner = |label: &Label| {
            let vertex = map.inner(graph.ids().vertex(&label.vertex)?).into();
            Ok(Label { vertex, value: label.value })
        };
        let mut inject = self.inject.iter().map(inner).collect::<Result<Vec<_>>>()?;
        if inject.is_empty() && graph.vertices() > 0 {
            let vertex = map.inner(graph.counts().max_degree_vertex).into();
            inject.push(Label { vertex, value: 1.0 });
        }
        Ok(Self { inject, ..self.clone() })
    }

    fn restore(&self, answer: AdsorptionAnswer, graph: &Graph, map: &NodeMap) -> Result<AdsorptionAnswer> {
        answer.restore(self, graph, map)
    }
}
