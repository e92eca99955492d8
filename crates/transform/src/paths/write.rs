//! Writes paths into chunks, in parallel: every piece has its place.

use super::{
    cells::Cells,
    layout::{Piece, Section, Task},
    strands::Strand,
};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use warpgraph_core::Result;
use warpgraph_graph::{
    NO_VERTEX, Pages, Paths, par,
    paths::{Found, LANES, ROWS, Recipe, SLOTS},
};

/// Returns the paths of both sections, hub paths first.
pub(super) fn write<O: Cells>(
    recipe: Recipe,
    found: Found,
    hub: &Section<'_, O>,
    cold: &Section<'_, O>,
) -> Result<Paths> {
    let chunks = hub.chunks() + cold.chunks();
    let mut vertices = Pages::scratch(chunks * SLOTS)?;
    par::parts_mut(&mut vertices, SLOTS, |_, part| part.fill(NO_VERTEX));
    let mut arcs = Pages::<O>::zeroed(chunks * SLOTS)?;
    let mut joined = Pages::zeroed(chunks * LANES)?;
    let table = Table {
        vertices: warpgraph_graph::atomics::atomics(&mut vertices),
        arcs: O::cells(&mut arcs),
        joined: warpgraph_graph::atomics::atomics(&mut joined),
    };
    for (section, first) in [(hub, 0), (cold, hub.chunks() * SLOTS)] {
        par::each(section.tasks.len(), |i| table.write(&section.tasks[i], &section.places, first));
    }
    Ok(Paths::new(recipe, found, hub.chunks(), vertices.into(), O::finish(arcs), joined.into())?)
}

/// The arrays of a decomposition while they are written. No two pieces share a slot; they may share a word of `joined`.
struct Table<'a, O: Cells> {
    vertices: &'a [AtomicU32],
    arcs: &'a [O::Cell],
    joined: &'a [AtomicU32],
}

impl<O: Cells> Table<'_, O> {
    /// Writes the pieces of a task to their places, counted from slot `first`.
    fn write(&self, task: &Task<'_, O>, places: &[u32], first: usize) {
        let places = &places[task.first..task.first + task.len];
        let mut joins = Joins { words: self.joined, word: 0, bits: 0 };
        for (piece, &place) in task.pieces.clone().zip(places) {
            self.piece(&piece, task.pieces.strand, first + place as usize, &mut joins);
        }
        joins.flush();
    }

    /// Writes a piece down from its first slot.
    #[inline(always)]
    fn piece(&self, piece: &Piece, strand: &Strand<O>, place: usize, joins: &mut Joins<'_>) {
        let edges = piece.first..piece.first + piece.edges;
        let (mut slot, mut above) = (place, piece.from);
        self.vertices[slot].store(above, Relaxed);
        for (&below, &arc) in strand.ends[edges.clone()].iter().zip(&strand.arcs[edges]) {
            if slot / LANES % ROWS == ROWS - 1 {
                slot += LANES;
                self.vertices[slot].store(above, Relaxed);
            }
            O::store(&self.arcs[slot], arc);
            joins.add(slot);
            slot += LANES;
            self.vertices[slot].store(below, Relaxed);
            above = below;
        }
    }
}

/// Bits of one lane that are still to be set: most pieces follow one another in a lane.
struct Joins<'a> {
    words: &'a [AtomicU32],
    word: usize,
    bits: u32,
}

impl Joins<'_> {
    /// Joins the row of a slot to the next one.
    #[inline(always)]
    fn add(&mut self, slot: usize) {
        let word = slot / SLOTS * LANES + slot % LANES;
        if word != self.word {
            self.flush();
            self.word = word;
        }
        self.bits |= 1 << (slot / LANES % ROWS);
    }

    #[inline(always)]
    fn flush(&mut self) {
        if self.bits != 0 {
            self.words[self.word].fetch_or(std::mem::take(&mut self.bits), Relaxed);
        }
    }
}
