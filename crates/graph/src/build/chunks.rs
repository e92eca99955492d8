//! Holds the input of the builder: chunks of edges, cut into parts of even size.

use super::{EdgeList, EdgeWeights, weight::Bits};
use crate::{
    csr::Vertex,
    error::{Error, Result},
    memory::Pages,
};
use bytemuck::Pod;
use std::{ops::Range, sync::Arc};

/// An array whose first `len` elements are in use.
#[derive(Debug)]
pub(crate) struct Filled<T: Pod> {
    pages: Pages<T>,
    len: usize,
}

impl<T: Pod> Filled<T> {
    /// Returns an empty array with room for `room` elements; large ones take physical memory only where written.
    pub(crate) fn with_room(room: usize) -> Result<Self> {
        Ok(Self { pages: Pages::zeroed_lazily(room)?, len: 0 })
    }

    /// Appends an element. Panics if there is no room.
    #[inline(always)]
    pub(crate) fn push(&mut self, value: T) {
        self.pages[self.len] = value;
        self.len += 1;
    }

    /// Returns the same bytes as elements of another type of the same size.
    pub(crate) fn cast<U: Pod>(self) -> Filled<U> {
        Filled { pages: self.pages.cast(), len: self.len }
    }

    /// Returns the elements converted by `change`, with the same room.
    pub(crate) fn convert<U: Pod>(&self, change: impl Fn(T) -> U) -> Result<Filled<U>> {
        let mut other = Filled::with_room(self.pages.len())?;
        self.iter().for_each(|&value| other.push(change(value)));
        Ok(other)
    }
}

impl<T: Pod> From<Vec<T>> for Filled<T> {
    fn from(vec: Vec<T>) -> Self {
        let len = vec.len();
        Self { pages: vec.into(), len }
    }
}

impl<T: Pod> std::ops::Deref for Filled<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.pages[..self.len]
    }
}

impl<T: Pod> std::ops::DerefMut for Filled<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.pages[..self.len]
    }
}

/// A chunk of an edge list whose weights are bits `W`, one per edge (also for `()`).
#[derive(Debug)]
pub(crate) struct Chunk<W: Bits> {
    pairs: Filled<[Vertex; 2]>,
    weights: Filled<W>,
}

impl<W: Bits> Chunk<W> {
    /// Takes edges and weights; refuses them if their numbers differ.
    pub(crate) fn new(pairs: Filled<[Vertex; 2]>, weights: Filled<W>) -> Result<Self> {
        if pairs.len() != weights.len() {
            return Err(Error::invalid(
                format!("{} weights for {} edges of a chunk", weights.len(), pairs.len()),
                "give every edge one weight, or none of them",
            ));
        }
        Ok(Self { pairs, weights })
    }

    /// Returns the weights.
    pub(super) fn weights(&self) -> &[W] {
        &self.weights
    }

    /// Returns the number of edges.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }
}

/// Returns the chunks of an unweighted list.
pub(super) fn unweighted(list: EdgeList) -> Result<Vec<Chunk<()>>> {
    typed(list, |weights, len| match weights {
        EdgeWeights::None => Some(vec![(); len]),
        _ => None,
    })
}

/// Returns the chunks of a list. `unwrap` takes the weights and the number of edges of a chunk; it returns `None` for
/// weights of another type.
pub(super) fn typed<W: Bits>(
    list: EdgeList,
    unwrap: impl Fn(EdgeWeights, usize) -> Option<Vec<W>>,
) -> Result<Vec<Chunk<W>>> {
    let convert = |(pairs, weights): (Vec<[Vertex; 2]>, EdgeWeights)| {
        let weights = match weights {
            EdgeWeights::None if pairs.is_empty() => Some(Vec::new()),
            weights => unwrap(weights, pairs.len()),
        };
        let weights = weights.ok_or_else(|| {
            Error::invalid(
                "the chunks of the edge list have weights of different types",
                "give all chunks weights of one type, or none of them",
            )
        })?;
        Chunk::new(pairs.into(), weights.into())
    };
    list.chunks.into_iter().map(|c| convert((c.pairs, c.weights))).collect()
}

/// A run of arcs in the order they were listed.
pub(crate) trait Part<W>: Send + Sync {
    /// Returns the number of edges, for progress reports.
    fn len(&self) -> usize;
    /// Calls `visit` with the source, target and weight of every arc.
    fn for_each(&self, visit: impl FnMut(Vertex, Vertex, W));
}

/// A part of a list of edges, mirrored or without self-loops as the options require. Dropping the last part of a chunk
/// frees the chunk.
#[derive(Debug)]
pub(super) struct EdgePart<W: Bits> {
    slices: Vec<(Arc<Chunk<W>>, Range<usize>)>,
    len: usize,
    pub(super) mirror: bool,
    pub(super) drop_loops: bool,
}

impl<W: Bits> Part<W> for EdgePart<W> {
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn for_each(&self, mut visit: impl FnMut(Vertex, Vertex, W)) {
        for (chunk, range) in &self.slices {
            let weights = &chunk.weights[range.clone()];
            for (&[u, v], &w) in chunk.pairs[range.clone()].iter().zip(weights) {
                if u == v {
                    if !self.drop_loops {
                        visit(u, v, w);
                    }
                    continue;
                }
                visit(u, v, w);
                if self.mirror {
                    visit(v, u, w);
                }
            }
        }
    }
}

/// Cuts chunks into parts of `aim` edges (the last may be shorter), in order: combines small chunks and divides large
/// ones.
pub(super) fn cut<W: Bits>(
    chunks: Vec<Chunk<W>>,
    aim: usize,
    mirror: bool,
    drop_loops: bool,
) -> Vec<EdgePart<W>> {
    let empty = || EdgePart { slices: Vec::new(), len: 0, mirror, drop_loops };
    let (mut parts, mut part) = (Vec::new(), empty());
    for chunk in chunks {
        let (chunk, mut start) = (Arc::new(chunk), 0);
        while start < chunk.pairs.len() {
            let end = chunk.pairs.len().min(start + aim - part.len);
            part.len += end - start;
            part.slices.push((chunk.clone(), start..end));
            start = end;
            if part.len == aim {
                parts.push(std::mem::replace(&mut part, empty()));
            }
        }
    }
    parts.push(part);
    parts
}
