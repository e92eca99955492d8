//! Builds graphs from edges in memory.

use super::{EdgeChunk, EdgeList, EdgeWeights, Loops, Options, Parallel, build};
use crate::{
    control::Control,
    csr::Vertex,
    error::{Error, Result},
    graph::{Graph, Origin},
    ids::Ids,
};

/// Builds a graph from edges in memory. The default is directed, keeps self-loops, and merges parallel edges to the
/// smallest weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FromEdges {
    /// The options of the builder.
    pub options: Options,
}

impl Default for FromEdges {
    fn default() -> Self {
        let options = Options { directed: true, loops: Loops::default(), parallel: Parallel::default() };
        Self { options }
    }
}

impl FromEdges {
    /// Builds the graph of the vertices `0..vertices`.
    ///
    /// # Errors
    /// As [`build`], and [`Error::Invalid`] for a weight that is NaN or infinite.
    pub fn build(&self, vertices: usize, pairs: Vec<[Vertex; 2]>, weights: EdgeWeights) -> Result<Graph> {
        refuse_infinite(&weights)?;
        let listed = pairs.len() as u64;
        let list = EdgeList { vertices, chunks: vec![EdgeChunk { pairs, weights }] };
        let built = build(list, &self.options, &Control::new())?;
        let origin = Origin {
            name: "memory".to_owned(),
            format: "memory".to_owned(),
            listed,
            direction_because: "the caller said so".to_owned(),
            symmetrised: !self.options.directed,
            loops_dropped: built.loops_dropped,
            merged: built.merged,
            warnings: Vec::new(),
            ..Origin::default()
        };
        let ids = Ids::zero_based(vertices);
        // SAFETY: the builder makes as many weights as arcs, and mirrors every arc of an undirected list with the same
        // weight; there are as many ids as vertices.
        Ok(unsafe { Graph::new_unchecked(built.arcs, self.options.directed, ids, origin) })
    }
}

fn refuse_infinite(weights: &EdgeWeights) -> Result<()> {
    let bad = match weights {
        EdgeWeights::F32(w) => w.iter().position(|w| !w.is_finite()),
        EdgeWeights::F64(w) => w.iter().position(|w| !w.is_finite()),
        _ => None,
    };
    bad.map_or(Ok(()), |edge| {
        Err(Error::invalid(
            format!("the weight of edge {edge} is not a finite number"),
            "leave such edges out, or give them a finite weight",
        ))
    })
}

impl Graph {
    /// Builds a graph of the vertices `0..vertices` and these edges. Keeps self-loops and merges parallel edges;
    /// [`FromEdges`] offers other choices.
    ///
    /// ```
    /// let graph = warpgraph_graph::Graph::from_edges(3, &[(0, 2), (2, 1), (0, 2)], false)?;
    /// assert_eq!((graph.edges(), graph.out().csr.neighbors(2)), (2, &[0, 1][..]));
    /// # Ok::<(), warpgraph_graph::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if an endpoint is not below `vertices`; [`Error::TooLarge`] if memory is short.
    pub fn from_edges(vertices: usize, edges: &[(Vertex, Vertex)], directed: bool) -> Result<Self> {
        let pairs = edges.iter().map(|&(u, v)| [u, v]).collect();
        directed_or_not(directed).build(vertices, pairs, EdgeWeights::None)
    }

    /// Builds like [`Graph::from_edges`] with one weight per edge; parallel edges merge to the smallest weight.
    ///
    /// ```
    /// let graph = warpgraph_graph::Graph::from_weighted_edges(2, &[(0, 1, 2.5), (0, 1, 1.5)], true)?;
    /// assert_eq!(graph.out().weights.get(0), 1.5);
    /// # Ok::<(), warpgraph_graph::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Graph::from_edges`], and [`Error::Invalid`] for a weight that is NaN or infinite.
    pub fn from_weighted_edges(
        vertices: usize,
        edges: &[(Vertex, Vertex, f64)],
        directed: bool,
    ) -> Result<Self> {
        let pairs = edges.iter().map(|&(u, v, _)| [u, v]).collect();
        let weights = EdgeWeights::F64(edges.iter().map(|e| e.2).collect());
        directed_or_not(directed).build(vertices, pairs, weights)
    }
}

fn directed_or_not(directed: bool) -> FromEdges {
    let mut from = FromEdges::default();
    from.options.directed = directed;
    from
}
