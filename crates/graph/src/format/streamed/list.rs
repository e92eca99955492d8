//! Lists of edges that grow, and what the graphs that are built from them share.

use crate::{
    build::{self, EdgeChunk, EdgeList, EdgeWeights},
    control::Control,
    csr::Vertex,
    error::{Error, Result},
    graph::{Graph, Origin},
    ids::Ids,
    weights::WeightType,
};

/// Edges in a chunk of a list that is built.
const CHUNK: usize = 1 << 16;

/// An edge, and its weight if the graph has weights. Every weight that a graph can have is exact as f64.
pub(super) type Edge = ([Vertex; 2], f64);

/// What all parts of a graph share.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) ids: Ids,
    pub(super) weights: Option<WeightType>,
    pub(super) options: build::Options,
    pub(super) origin: Origin,
}

impl Shape {
    /// Builds some edges of the graph. Ends of edges must be vertices.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an end that is no vertex, and for a weight that does not fit; [`Error::TooLarge`] if
    /// memory is short; the error of `control` if it stops the work.
    pub(super) fn graph(&self, list: Listed, control: &Control) -> Result<Graph> {
        let list = EdgeList { vertices: self.ids.len(), chunks: list.chunks };
        let built = build::build(list, &self.options, control)?;
        let (ids, origin) = (self.ids.clone(), self.origin.clone());
        // SAFETY: the builder gives every arc a weight, or no arc. Unless the graph is directed, it mirrors every edge, with
        // one weight for both directions. It makes as many vertices as there are ids.
        Ok(unsafe { Graph::new_unchecked(built.arcs, self.options.directed, ids, origin) })
    }
}

/// A list of edges that grows in chunks.
pub(super) struct Listed {
    kind: Option<WeightType>,
    chunks: Vec<EdgeChunk>,
}

impl Listed {
    /// Returns an empty list. It has a chunk, which says the type of the weights.
    pub(super) fn new(kind: Option<WeightType>) -> Self {
        let mut list = Self { kind, chunks: Vec::new() };
        list.begin();
        list
    }

    fn begin(&mut self) {
        let room = if self.chunks.is_empty() { 0 } else { CHUNK };
        let weights = match self.kind {
            None => EdgeWeights::None,
            Some(WeightType::U32) => EdgeWeights::U32(Vec::with_capacity(room)),
            Some(WeightType::I32) => EdgeWeights::I32(Vec::with_capacity(room)),
            Some(WeightType::F32) => EdgeWeights::F32(Vec::with_capacity(room)),
            Some(WeightType::F64) => EdgeWeights::F64(Vec::with_capacity(room)),
        };
        self.chunks.push(EdgeChunk { pairs: Vec::with_capacity(room), weights });
    }

    /// Appends an edge.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a weight that is to be narrowed to f32, and does not fit.
    pub(super) fn push(&mut self, (pair, weight): Edge) -> Result<()> {
        if self.chunks.last().is_none_or(|chunk| chunk.pairs.len() == CHUNK) {
            self.begin();
        }
        let Some(chunk) = self.chunks.last_mut() else { return Ok(()) };
        chunk.pairs.push(pair);
        match &mut chunk.weights {
            EdgeWeights::None => {}
            // Each came from a number of this type.
            EdgeWeights::U32(weights) => weights.push(weight as u32),
            EdgeWeights::I32(weights) => weights.push(weight as i32),
            EdgeWeights::F64(weights) => weights.push(weight),
            EdgeWeights::F32(weights) if (weight as f32).is_finite() => weights.push(weight as f32),
            EdgeWeights::F32(_) => {
                let what = format!("the weight {weight} does not fit f32");
                return Err(Error::invalid(what, "leave the weights as f64"));
            }
        }
        Ok(())
    }
}
