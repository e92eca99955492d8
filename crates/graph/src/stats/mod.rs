//! What a graph looks like: degrees and their skew, loops, sinks and sources, reciprocity, weights, memory.
//!
//! O(n + m) on all threads, and for a directed graph one search per arc for its reverse, O(m log d). The transpose is
//! not built: in-degrees are counted (4 bytes a vertex while that lasts). Components are an algorithm, not counted here.

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

/// Statistics of a graph.
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
    /// Vertices.
    pub vertices: u64,
    /// Edges; an undirected edge counts once.
    pub edges: u64,
    /// Arcs, the entries of the CSR; an undirected edge counts twice, a self-loop once.
    pub arcs: u64,
    /// Is it directed?
    pub directed: bool,
    /// Out-degrees, the degrees of an undirected graph.
    pub out: DegreeStats,
    /// In-degrees of a directed graph.
    #[serde(rename = "in")]
    pub incoming: Option<DegreeStats>,
    /// Vertices without any arc.
    pub isolated: u64,
    /// Vertices without an outgoing arc, the isolated among them.
    pub sinks: u64,
    /// Vertices without an incoming arc, the isolated among them.
    pub sources: u64,
    /// Arcs from a vertex to itself.
    pub self_loops: u64,
    /// The share of a directed graph's arcs, self-loops left out, whose reverse is an arc too; `None` without such arcs.
    pub reciprocity: Option<f64>,
    /// The weights of a weighted graph that has arcs.
    pub weights: Option<WeightStats>,
    /// Memory, array by array.
    pub memory: Vec<ArrayBytes>,
}

/// The type and the range of weights.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WeightStats {
    /// Their type.
    #[serde(rename = "type")]
    pub kind: WeightType,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

/// An array and the memory it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ArrayBytes {
    /// `offsets`, `targets`, `weights`, `ids` or `transpose`.
    pub array: &'static str,
    /// Its size.
    pub bytes: u64,
}

impl Stats {
    /// Goes once over the graph.
    ///
    /// # Errors
    /// What `control` asks for, or [`crate::Error::TooLarge`] when memory is short.
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

/// The arrays that take memory.
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
