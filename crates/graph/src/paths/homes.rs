//! [`Homes`]: the chunks in which each vertex has mirrors. Whoever changes a vertex wakes these chunks.

use super::{LANES, Paths, SLOTS, slot, used};
use crate::{atomics::atomics, csr::Vertex, error::Result, memory::Pages, par};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Marks a home in which the vertex has more than one mirror: a change by one of them concerns the others.
pub const REPEATED: u32 = 1 << 31;

/// The chunks of every vertex, each once.
#[derive(Debug)]
pub struct Homes {
    /// Where the chunks of each vertex begin; one entry more than there are vertices.
    offsets: Pages<u32>,
    /// The chunks in ascending order, with [`REPEATED`] where it applies.
    chunks: Pages<u32>,
}

impl Homes {
    /// Builds the table: O(slots) work in two parallel passes over the chunks.
    pub(super) fn of(paths: &Paths, vertices: usize) -> Result<Self> {
        let mut counts = Pages::<u32>::zeroed(vertices + 1)?;
        let cells = atomics(&mut counts);
        each_home(paths, |v, _| {
            cells[v as usize].fetch_add(1, Relaxed);
        });
        let mut total = 0;
        for count in counts.iter_mut() {
            total += std::mem::replace(count, total);
        }
        let mut chunks = Pages::<u32>::scratch(total as usize)?;
        let mut next = Pages::<u32>::scratch(vertices)?;
        next.copy_from_slice(&counts[..vertices]);
        let (next, cells) = (atomics(&mut next), atomics(&mut chunks));
        each_home(paths, |v, home| {
            let at = next[v as usize].fetch_add(1, Relaxed);
            AtomicU32::store(&cells[at as usize], home, Relaxed);
        });
        let offsets = counts;
        sort_rows(&offsets, &mut chunks);
        Ok(Self { offsets, chunks })
    }

    /// Returns the homes of a vertex.
    #[inline]
    pub fn of_vertex(&self, v: Vertex) -> &[u32] {
        &self.chunks[self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize]
    }

    /// Returns where the homes of each vertex begin, and the homes.
    pub fn arrays(&self) -> (&[u32], &[u32]) {
        (&self.offsets, &self.chunks)
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        4 * (self.offsets.len() + self.chunks.len()) as u64
    }
}

/// Calls `found` for every vertex of every chunk once, with the chunk and its mark.
fn each_home(paths: &Paths, found: impl Fn(Vertex, u32) + Sync) {
    par::ranges(paths.chunks(), 4, |chunks| {
        let mut own = Vec::with_capacity(SLOTS);
        for chunk in chunks {
            own.clear();
            for lane in 0..LANES {
                let mut rows = used(paths.joined()[chunk * LANES + lane]);
                while rows != 0 {
                    own.push(paths.vertices()[slot(chunk, rows.trailing_zeros() as usize, lane)]);
                    rows &= rows - 1;
                }
            }
            own.sort_unstable();
            for same in own.chunk_by(|a, b| a == b) {
                found(same[0], chunk as u32 | if same.len() > 1 { REPEATED } else { 0 });
            }
        }
    });
}

/// Sorts the homes of every vertex by chunk, so that the table does not depend on threads.
fn sort_rows(offsets: &[u32], chunks: &mut [u32]) {
    let vertices = offsets.len() - 1;
    let parts = vertices.div_ceil(1 << 14).max(1);
    let (mut rest, mut rows) = (chunks, Vec::new());
    for part in 0..parts {
        let (first, last) = (part << 14, ((part + 1) << 14).min(vertices));
        let (mine, others) = rest.split_at_mut((offsets[last] - offsets[first]) as usize);
        rest = others;
        rows.push((first..last, mine));
    }
    par::consume_each(rows, |_, (vertices, chunks)| {
        let base = offsets[vertices.start] as usize;
        for v in vertices {
            let row = offsets[v] as usize - base..offsets[v + 1] as usize - base;
            chunks[row].sort_unstable_by_key(|home| home & !REPEATED);
        }
    });
}
