//! Gives places to the vertices that a part must know: its own, and those at the other ends of its arcs.

use crate::bits::Bits;
use std::ops::Range;
use warpgraph_graph::{Buffer, Offsets, Pages, Result, Vertex, par};

/// The vertices that have a place. Takes 1.5 bits per vertex of the whole graph, while a part is made.
pub(crate) struct Compact {
    held: Bits,
    ranks: Vec<u32>,
    base: usize,
}

impl Compact {
    /// Takes the own vertices of a part, and the lists of the other ends of its arcs, all of them below `vertices`.
    pub(crate) fn of<'a>(
        vertices: usize,
        own: Range<Vertex>,
        targets: impl Iterator<Item = &'a [Vertex]>,
    ) -> Self {
        let mut held = Bits::empty(vertices);
        own.clone().for_each(|v| _ = held.insert(v as usize));
        held.insert_all(targets);
        let ranks = held.ranks();
        let base = if own.is_empty() {
            held.iter().take_while(|&v| v < own.start as usize).count()
        } else {
            held.rank(&ranks, own.start as usize) as usize
        };
        Self { held, ranks, base }
    }

    /// Returns the place of a vertex that has one.
    #[inline(always)]
    pub(crate) fn place(&self, v: Vertex) -> Vertex {
        self.held.rank(&self.ranks, v as usize)
    }

    /// Returns the place of own vertex 0.
    pub(crate) fn base(&self) -> usize {
        self.base
    }

    /// Returns the numbers of the vertices that have a place, rising.
    pub(crate) fn numbers(&self) -> Result<Buffer<Vertex>> {
        let mut numbers = Pages::scratch(self.held.count())?;
        numbers.iter_mut().zip(self.held.iter()).for_each(|(number, v)| *number = v as Vertex);
        Ok(numbers.into())
    }

    /// Replaces vertices by their places.
    pub(crate) fn renumber(&self, targets: &mut [Vertex]) {
        par::parts_mut(targets, par::FINE, |_, part| part.iter_mut().for_each(|v| *v = self.place(*v)));
    }
}

/// Returns the offsets of so many rows in the narrowest width that holds the number of arcs.
pub(crate) fn offsets(rows: usize, offset: impl Fn(usize) -> usize + Sync) -> Result<Offsets> {
    if u32::try_from(offset(rows)).is_err() {
        let mut wide = Pages::<u64>::scratch(rows + 1)?;
        par::parts_mut(&mut wide, par::FINE, |first, part| {
            part.iter_mut().zip(first..).for_each(|(to, v)| *to = offset(v) as u64);
        });
        return Ok(Offsets::Wide(wide.into()));
    }
    let mut narrow = Pages::<u32>::scratch(rows + 1)?;
    par::parts_mut(&mut narrow, par::FINE, |first, part| {
        part.iter_mut().zip(first..).for_each(|(to, v)| *to = offset(v) as u32);
    });
    Ok(Offsets::Narrow(narrow.into()))
}
