//! Renumbers the vertices of a graph, which gives the same graph in another order.
//!
//! Row `i` of the result is the row of `map.original(i)`, with its targets replaced by their masters and sorted again
//! together with their weights. Equal targets (parallel arcs) keep their order, so renumbering there and back gives the
//! same arrays bit for bit. Work O(arcs): every row is read and written once, and a radix sort orders the long rows.
//! Memory: the result, and one row per thread.
//!
//! The work runs on threads of its own instead of the pool, since the first call of [`Graph::out`] may come from inside
//! a pool whose threads all wait for it.

use crate::{
    build::Scratch,
    control::Control,
    csr::{Csr, NO_VERTEX, Offset, Offsets, Vertex},
    error::{Error, Result},
    graph::{Arcs, Graph},
    ids::Ids,
    memory::Pages,
    node_map::NodeMap,
    weights::Weights,
};
use bytemuck::{Pod, cast_slice, cast_slice_mut};
use std::{
    sync::{Mutex, PoisonError},
    thread,
};

/// Vertices plus arcs per piece of work: few enough for an even share per thread, enough to keep queue contention low.
const PIECE: usize = 1 << 16;
const DURING: &str = "renumbering the graph";

impl Graph {
    /// Returns the graph with its vertices in the order of `map`. The ids of the result are its vertex numbers; `map`
    /// leads back to the vertices of this graph.
    ///
    /// # Errors
    /// [`Error::Invalid`] if `map` has copies or holes, or is for another number of vertices; [`Error::TooLarge`] if
    /// memory is short; [`Error::Interrupted`] or [`Error::DeadlinePassed`] if `control` stops the work.
    pub fn renumbered(&self, map: &NodeMap, control: &Control) -> Result<Self> {
        let arcs = self.out();
        if map.len() != self.vertices() || !map.is_renumbering() {
            let (n, from, to) = (self.vertices(), map.len(), map.inner_len());
            return Err(Error::invalid(
                format!("a map from {from} to {to} vertices does not renumber a graph of {n}"),
                "make the order anew for this graph",
            ));
        }
        let mut room = Room::of(arcs)?;
        room.fill(arcs, map, control)?;
        let ids = Ids::zero_based(self.vertices());
        // SAFETY: `fill` has succeeded; as many ids as vertices; the arcs are those of a consistent graph, renumbered.
        Ok(unsafe { Self::new_unchecked(room.finish(), self.is_directed(), ids, self.origin().clone()) })
    }
}

/// Memory for renumbered arcs: reserved while an allocation failure can still be reported, filled when needed.
#[derive(Debug)]
pub(crate) struct Room {
    offsets: OffsetRoom,
    targets: Pages<Vertex>,
    weights: WeightRoom,
}

#[derive(Debug)]
enum OffsetRoom {
    Narrow(Pages<u32>),
    Wide(Pages<u64>),
}

#[derive(Debug)]
enum WeightRoom {
    None,
    U32(Pages<u32>),
    I32(Pages<i32>),
    F32(Pages<f32>),
    F64(Pages<f64>),
}

impl Room {
    /// Allocates as much memory as `arcs` take.
    pub(crate) fn of(arcs: &Arcs) -> Result<Self> {
        let (entries, m) = (arcs.csr.vertices() + 1, arcs.csr.arcs());
        let offsets = match arcs.csr.offsets() {
            Offsets::Narrow(_) => OffsetRoom::Narrow(Pages::zeroed(entries)?),
            Offsets::Wide(_) => OffsetRoom::Wide(Pages::zeroed(entries)?),
        };
        let weights = match &arcs.weights {
            Weights::None => WeightRoom::None,
            Weights::U32(_) => WeightRoom::U32(Pages::scratch(m)?),
            Weights::I32(_) => WeightRoom::I32(Pages::scratch(m)?),
            Weights::F32(_) => WeightRoom::F32(Pages::scratch(m)?),
            Weights::F64(_) => WeightRoom::F64(Pages::scratch(m)?),
        };
        Ok(Self { offsets, targets: Pages::scratch(m)?, weights })
    }

    /// Fills the memory with `arcs` in the order of `map`, a renumbering of their vertices. The memory was allocated
    /// for arcs of the same size and types.
    pub(crate) fn fill(&mut self, arcs: &Arcs, map: &NodeMap, control: &Control) -> Result<()> {
        control.check(DURING)?;
        match (&mut self.offsets, arcs.csr.offsets()) {
            (OffsetRoom::Narrow(to), Offsets::Narrow(from)) => {
                offsets(from, to, map);
                fill_rows(from, to, &mut self.targets, &mut self.weights, arcs, map, control);
            }
            (OffsetRoom::Wide(to), Offsets::Wide(from)) => {
                offsets(from, to, map);
                fill_rows(from, to, &mut self.targets, &mut self.weights, arcs, map, control);
            }
            _ => unreachable!("room of another width"),
        }
        control.check(DURING)
    }

    /// Returns the renumbered arcs.
    ///
    /// # Safety
    /// [`Room::fill`] has succeeded.
    pub(crate) unsafe fn finish(self) -> Arcs {
        let offsets = match self.offsets {
            OffsetRoom::Narrow(o) => Offsets::Narrow(o.into()),
            OffsetRoom::Wide(o) => Offsets::Wide(o.into()),
        };
        let weights = match self.weights {
            WeightRoom::None => Weights::None,
            WeightRoom::U32(w) => Weights::U32(w.into()),
            WeightRoom::I32(w) => Weights::I32(w.into()),
            WeightRoom::F32(w) => Weights::F32(w.into()),
            WeightRoom::F64(w) => Weights::F64(w.into()),
        };
        // SAFETY: `fill` has succeeded, so the offsets are the prefix sums of the row lengths, and every row consists
        // of sorted masters, which are below the number of vertices because the map has no copies or holes.
        let csr = unsafe { Csr::new_unchecked(offsets, self.targets.into()) };
        Arcs { csr, weights }
    }
}

/// Writes the offsets in the new order: prefix sums inside each block, then adds the sum of all earlier blocks.
fn offsets<O: Offset>(from: &[O], to: &mut [O], map: &NodeMap) {
    let degree = |&v: &Vertex| match v {
        NO_VERTEX => 0,
        v => from[v as usize + 1].index() - from[v as usize].index(),
    };
    let (Some((first, to)), originals) = (to.split_first_mut(), map.originals()) else { return };
    *first = O::from_index(0);
    let sums = Mutex::new(vec![0; originals.len().div_ceil(PIECE)]);
    let blocks = originals.chunks(PIECE).zip(to.chunks_mut(PIECE)).enumerate();
    on_threads(
        blocks,
        || (),
        |(), (i, (block, ends))| {
            let mut sum = 0;
            for (end, v) in ends.iter_mut().zip(block) {
                sum += degree(v);
                *end = O::from_index(sum);
            }
            sums.lock().unwrap_or_else(PoisonError::into_inner)[i] = sum;
        },
    );
    let mut before = 0;
    for (ends, sum) in to.chunks_mut(PIECE).zip(sums.into_inner().unwrap_or_else(PoisonError::into_inner)) {
        if before > 0 {
            ends.iter_mut().for_each(|end| *end = O::from_index(end.index() + before));
        }
        before += sum;
    }
}

fn fill_rows<O: Offset>(
    from: &[O],
    to: &[O],
    targets: &mut [Vertex],
    room: &mut WeightRoom,
    arcs: &Arcs,
    map: &NodeMap,
    control: &Control,
) {
    let old = &arcs.csr.targets()[..];
    // Weights move as raw bits.
    let mut narrow =
        |w: &[u32], room: &mut [u32]| rows((from, old, w), (to, &mut *targets, room), map, control);
    match (room, &arcs.weights) {
        (WeightRoom::None, Weights::None) => {
            let (none, mut room) = (vec![(); old.len()], vec![(); old.len()]);
            rows((from, old, &none), (to, targets, &mut room), map, control);
        }
        (WeightRoom::U32(room), Weights::U32(w)) => narrow(w, room),
        (WeightRoom::I32(room), Weights::I32(w)) => narrow(cast_slice(w), cast_slice_mut(room)),
        (WeightRoom::F32(room), Weights::F32(w)) => narrow(cast_slice(w), cast_slice_mut(room)),
        (WeightRoom::F64(room), Weights::F64(w)) => {
            rows::<O, u64>((from, old, cast_slice(w)), (to, targets, cast_slice_mut(room)), map, control);
        }
        _ => unreachable!("room for other weights"),
    }
}

/// A run of rows in the new order, and the memory for them.
struct Piece<'a, O, W> {
    /// The old numbers of the vertices of these rows.
    originals: &'a [Vertex],
    /// The offsets of these rows in the new order, including the end of the last row.
    offsets: &'a [O],
    targets: &'a mut [Vertex],
    weights: &'a mut [W],
}

fn rows<O: Offset, W: Pod + Send + Sync>(
    (offsets, targets, weights): (&[O], &[Vertex], &[W]),
    to: (&[O], &mut [Vertex], &mut [W]),
    map: &NodeMap,
    control: &Control,
) {
    let bits = 0..usize::BITS - map.len().saturating_sub(1).leading_zeros();
    let masters = &map.masters()[..];
    on_threads(pieces(to, map.originals()).into_iter(), Scratch::<Vertex, W>::new, |scratch, piece| {
        if control.should_stop() {
            return;
        }
        let mut at = 0;
        for (&v, ends) in piece.originals.iter().zip(piece.offsets.windows(2)) {
            let old = offsets[v as usize].index()..offsets[v as usize + 1].index();
            let new = at..at + ends[1].index() - ends[0].index();
            at = new.end;
            let (row, along) = (&mut piece.targets[new.clone()], &mut piece.weights[new]);
            row.iter_mut().zip(&targets[old.clone()]).for_each(|(t, &u)| *t = masters[u as usize]);
            along.copy_from_slice(&weights[old]);
            scratch.sort_in_place(row, along, bits.clone());
        }
    });
}

/// Cuts the new arrays at row boundaries into pieces of about [`PIECE`] vertices plus arcs.
fn pieces<'a, O: Offset, W>(
    (offsets, mut targets, mut weights): (&'a [O], &'a mut [Vertex], &'a mut [W]),
    originals: &'a [Vertex],
) -> Vec<Piece<'a, O, W>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for end in 1..=originals.len() {
        let arcs = offsets[end].index() - offsets[start].index();
        if end - start + arcs >= PIECE || end == originals.len() {
            let (now, later) = targets.split_at_mut(arcs);
            let (along, after) = weights.split_at_mut(arcs);
            let (originals, offsets) = (&originals[start..end], &offsets[start..=end]);
            pieces.push(Piece { originals, offsets, targets: now, weights: along });
            (targets, weights, start) = (later, after, end);
        }
    }
    pieces
}

/// Runs all jobs on as many threads as the pool has, each thread with its own state.
fn on_threads<J: Send, S>(
    jobs: impl Iterator<Item = J> + Send,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, J) + Sync,
) {
    let queue = Mutex::new(jobs);
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let labour = || {
        let mut state = state();
        while let Some(job) = next() {
            work(&mut state, job);
        }
    };
    thread::scope(|scope| {
        for _ in 1..rayon::current_num_threads() {
            // If the system refuses a thread, the other threads take over its share.
            let _ = thread::Builder::new().spawn_scoped(scope, labour);
        }
        labour();
    });
}
