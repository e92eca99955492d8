//! Turns edges between ids into edges between vertices: the last step before building, for all formats that list edges.

use super::{
    names::{self, Named},
    numbers::{Dense, Marks, Wide},
    sparse,
    weights::{self, Piece},
};
use crate::{
    build::{self, Built, Numbering, Options, Ranks},
    control::Control,
    csr::MAX_VERTICES,
    error::{Error, Result},
    ids::Ids,
};

/// Edges between numbers below `bound`, which `numbering` maps to the vertices with these ids.
#[derive(Debug)]
pub(in crate::format) struct Numbered {
    ids: Ids,
    bound: u64,
    numbering: Numbering,
    pieces: Vec<Piece>,
}

/// The ids, the number of edges listed, and the arcs built from them.
pub(in crate::format) type Done = (Ids, u64, Built);

impl Numbered {
    /// Makes the marked numbers the vertices.
    pub(in crate::format) fn marked(pieces: Vec<Dense<'_>>, marks: &Marks) -> Self {
        let bound = pieces.iter().map(|p| p.end).max().unwrap_or(0);
        let pieces = pieces.into_iter().map(|p| (p.pairs, p.column)).collect();
        let (ids, numbering) = of_marks(marks, bound);
        Self { ids, bound, numbering, pieces }
    }

    /// Makes the numbers that occur the vertices.
    pub(in crate::format) fn compacted(pieces: Vec<Wide>) -> Result<Self> {
        let (ids, pieces) = sparse::compact(pieces)?;
        let (first, len) = (ids.first().copied().unwrap_or(0), ids.len());
        let is_range = ids.last().is_none_or(|last| last - first == len as u64 - 1);
        let ids = if is_range { Ids::Range { first, len } } else { Ids::Numbers(ids.into()) };
        Ok(Self { ids, bound: len as u64, numbering: Numbering::From(0), pieces })
    }

    /// Makes the `vertices` numbers from `base` on the vertices.
    pub(in crate::format) fn universe(pieces: Vec<Dense<'_>>, base: u64, vertices: u64) -> Self {
        let pieces = pieces.into_iter().map(|p| (p.pairs, p.column)).collect();
        let ids = Ids::Range { first: base, len: vertices as usize };
        Self { ids, bound: vertices, numbering: Numbering::From(0), pieces }
    }

    /// Makes the names that occur the vertices.
    pub(in crate::format) fn named(pieces: Vec<Named<'_>>, file: &str) -> Result<Self> {
        let (names, pieces) = names::compact(pieces, file)?;
        let bound = names.len() as u64;
        Ok(Self { ids: Ids::Names(names), bound, numbering: Numbering::From(0), pieces })
    }

    /// Builds the arcs. Decimal weights become f32 if `narrow` is true.
    pub(in crate::format) fn build(self, narrow: bool, options: &Options, control: &Control) -> Result<Done> {
        let listed = self.pieces.iter().map(|p| p.0.len() as u64).sum();
        let built = weights::build(self.pieces, self.bound, &self.numbering, narrow, options, control)?;
        Ok((self.ids, listed, built))
    }
}

/// Returns the ids that are marked, and their vertices. All marks are below `bound`, and the last number below it is marked.
pub(super) fn of_marks(marks: &Marks, bound: u64) -> (Ids, Numbering) {
    let ranks = Ranks::new(marks.words_below(bound));
    let first = ranks.numbers().next().unwrap_or(0);
    if bound - first == ranks.len() as u64 {
        return (Ids::Range { first, len: ranks.len() }, Numbering::From(first as u32));
    }
    let ids = Ids::Numbers(ranks.numbers().collect::<Vec<_>>().into());
    (ids, Numbering::Ranked(ranks))
}

/// Fails if the ids are names, `vertices` exceeds the largest supported count, or `base + vertices` exceeds 64 bits.
pub(in crate::format) fn check_universe(file: &str, names: bool, base: u64, vertices: u64) -> Result<()> {
    if names {
        return Err(Error::invalid(
            format!("{file}: {vertices} vertices were asked for, but the ids are names"),
            "leave the number of vertices out; the vertices are the names that occur",
        ));
    }
    if vertices > MAX_VERTICES {
        return Err(build::too_many_vertices(vertices));
    }
    if base.checked_add(vertices).is_none() {
        return Err(Error::invalid(
            format!("ids from {base} on and {vertices} vertices reach beyond 64 bits"),
            "lower the base",
        ));
    }
    Ok(())
}
