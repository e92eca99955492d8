//! Measures a graph: degrees and their skew, self-loops, sinks and sources, reciprocity, weights, memory.
//!
//! Work O(n + m) on all threads, and for a directed graph one binary search per arc for its reverse, O(m log d).
//! In-degrees are counted without building the transpose, which takes 4 bytes per vertex temporarily. Connected
//! components are the task of an algorithm and not part of these statistics.

mod degrees;
mod distribution;
mod histogram;
mod reciprocity;
#[cfg(test)]
mod tests;
mod threshold;

pub use degrees::DegreeStats;
pub use distribution::degree_counts;
pub use histogram::{Blocks, Histogram};
pub use threshold::degree_threshold;

use self::distribution::Distribution;
use crate::{
    control::Control,
    error::Result,
    graph::Graph,
    ids::Ids,
    weights::{WeightType, Weights},
};
use serde::Serialize;

/// The statistics of a graph.
///
/// ```
/// use warpgraph_graph::{Control, generate::Spec, stats::Stats};
/// let graph = "grid:10x10".parse::<Spec>()?.generate(&Control::new())?;
/// let stats = Stats::of(&graph, &Control::new())?;
/// assert_eq!((stats.out.min, stats.out.max, stats.out.p50), (2, 4, 4));
/// # Ok::<(), warpgraph_graph::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stats {
    /// The number of vertices.
    pub vertices: u64,
    /// The number of edges; an undirected edge counts once.
    pub edges: u64,
    /// The number of arcs, the entries of the CSR; an undirected edge counts twice, a self-loop once.
    pub arcs: u64,
    /// True if the graph is directed.
    pub directed: bool,
    /// The out-degrees, which are the degrees of an undirected graph.
    pub out: DegreeStats,
    /// The in-degrees of a directed graph.
    #[serde(rename = "in")]
    pub incoming: Option<DegreeStats>,
    /// The number of vertices without any arc.
    pub isolated: u64,
    /// The number of vertices without outgoing arcs, including isolated ones.
    pub sinks: u64,
    /// The number of vertices without incoming arcs, including isolated ones.
    pub sources: u64,
    /// The number of arcs from a vertex to itself.
    pub self_loops: u64,
    /// The share of a directed graph's arcs, without self-loops, whose reverse is also an arc; `None` if there are no
    /// such arcs.
    pub reciprocity: Option<f64>,
    /// The weights, if the graph is weighted and has arcs.
    pub weights: Option<WeightStats>,
    /// The memory of each array.
    pub memory: Vec<ArrayBytes>,
}

/// The type and the range of the weights.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WeightStats {
    /// The type of the weights.
    #[serde(rename = "type")]
    pub kind: WeightType,
    /// The smallest weight.
    pub min: f64,
    /// The largest weight.
    pub max: f64,
}

/// The size of one array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ArrayBytes {
    /// The array: `offsets`, `targets`, `weights`, `ids` or `transpose`.
    pub array: &'static str,
    /// The size in bytes.
    pub bytes: u64,
}

impl Stats {
    /// Computes the statistics of a graph.
    ///
    /// # Errors
    /// [`crate::Error::Interrupted`] or [`crate::Error::DeadlinePassed`] if `control` stops the work;
    /// [`crate::Error::TooLarge`] if memory is short.
    pub fn of(graph: &Graph, control: &Control) -> Result<Self> {
        const STAGE: &str = "measuring the graph";
        control.check(STAGE)?;
        let counts = *graph.counts();
        let csr = &graph.out().csr;
        let out = Distribution::of(graph.vertices(), |v| csr.degree(v) as u64);
        control.check(STAGE)?;
        let incoming = graph.is_directed().then(|| degrees::incoming(graph)).transpose()?;
        control.check(STAGE)?;
        let sources = incoming.as_ref().map_or(counts.sinks, Distribution::zeroes);
        Ok(Self {
            vertices: graph.vertices() as u64,
            edges: graph.edges(),
            arcs: graph.arcs() as u64,
            directed: graph.is_directed(),
            out: DegreeStats::of(&out),
            incoming: incoming.as_ref().map(DegreeStats::of),
            isolated: counts.isolated,
            sinks: counts.sinks,
            sources,
            self_loops: counts.self_loops,
            reciprocity: if graph.is_directed() { reciprocity::reciprocity(csr, control)? } else { None },
            weights: weight_stats(&graph.out().weights),
            memory: memory(graph),
        })
    }
}

fn weight_stats(weights: &Weights) -> Option<WeightStats> {
    let (min, max) = weights.range()?;
    Some(WeightStats { kind: weights.weight_type()?, min, max })
}

/// Returns the arrays that take memory.
fn memory(graph: &Graph) -> Vec<ArrayBytes> {
    let out = graph.out();
    let parts = [
        ("offsets", out.csr.offsets().bytes()),
        ("targets", out.csr.targets().bytes()),
        ("weights", out.weights.bytes()),
        ("ids", if matches!(graph.ids(), Ids::Range { .. }) { 0 } else { graph.ids().bytes() }),
    ];
    let own: u64 = out.csr.bytes() + out.weights.bytes() + graph.ids().bytes();
    let transpose = [("transpose", graph.bytes() - own)];
    let arrays = parts.into_iter().chain(transpose).filter(|p| p.1 > 0);
    arrays.map(|(array, bytes)| ArrayBytes { array, bytes }).collect()
}
