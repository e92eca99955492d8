//! Numbers vertices whose ids are far larger than the file is long: sorts the ids, then looks each one up by hashing.

use super::{numbers::Wide, weights::Piece};
use crate::{
    build::{self, Filled},
    csr::{MAX_VERTICES, Vertex},
    error::Result,
    par,
};

/// Returns the ids that occur, in ascending order, and the pieces with vertices instead of ids.
pub(super) fn compact(pieces: Vec<Wide>) -> Result<(Vec<u64>, Vec<Piece>)> {
    let mut ids = par::map(pieces.len(), |i| {
        let mut ids: Vec<u64> = pieces[i].pairs.iter().flatten().copied().collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    })
    .concat();
    par::sort_numbers(&mut ids);
    ids.dedup();
    if ids.len() as u64 > MAX_VERTICES {
        return Err(build::too_many_vertices(ids.len() as u64));
    }
    let table = Table::new(&ids);
    let number = |piece: Wide| {
        let mut pairs = Filled::with_room(piece.pairs.len())?;
        piece.pairs.iter().for_each(|&[u, v]| pairs.push([table.vertex(u), table.vertex(v)]));
        Ok((pairs, piece.column))
    };
    let pieces = par::try_map_each(pieces, |_, piece| number(piece))?;
    Ok((ids, pieces))
}

/// An open-addressing hash table from ids to their places in a sorted list.
struct Table<'a> {
    ids: &'a [u64],
    /// The place plus one, or 0 for an empty slot. At least half of the slots are empty, so every search ends.
    slots: Vec<Vertex>,
    shift: u32,
}

impl<'a> Table<'a> {
    fn new(ids: &'a [u64]) -> Self {
        let bits = (2 * ids.len()).max(2).next_power_of_two().trailing_zeros();
        let mut table = Self { ids, slots: vec![0; 1 << bits], shift: 64 - bits };
        for (place, &id) in ids.iter().enumerate() {
            let slot = table.slot(id);
            table.slots[slot] = place as Vertex + 1;
        }
        table
    }

    /// Returns the slot of an id, or the empty slot where it belongs.
    #[inline(always)]
    fn slot(&self, id: u64) -> usize {
        let mut slot = (id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        while self.slots[slot] != 0 && self.ids[self.slots[slot] as usize - 1] != id {
            slot = (slot + 1) % self.slots.len();
        }
        slot
    }

    /// Returns the place of an id, which must be in the list.
    #[inline(always)]
    fn vertex(&self, id: u64) -> Vertex {
        self.slots[self.slot(id)].wrapping_sub(1)
    }
}
