//! Numbers of arcs of either width, in arrays that threads write together.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use warpgraph_graph::{Offset, Offsets, Pages, atomics::atomics};

/// The number of an arc.
pub(super) trait Cells: Offset {
    /// The type of a cell that threads write.
    type Cell: Sync;

    /// Returns an array as cells.
    fn cells(array: &mut [Self]) -> &[Self::Cell];
    /// Writes a cell.
    fn store(cell: &Self::Cell, arc: Self);
    /// Returns the array as part of a decomposition.
    fn finish(array: Pages<Self>) -> Offsets;
}

impl Cells for u32 {
    type Cell = AtomicU32;
    fn cells(array: &mut [Self]) -> &[AtomicU32] {
        atomics(array)
    }
    #[inline(always)]
    fn store(cell: &AtomicU32, arc: Self) {
        cell.store(arc, Relaxed);
    }
    fn finish(array: Pages<Self>) -> Offsets {
        Offsets::Narrow(array.into())
    }
}

impl Cells for u64 {
    type Cell = AtomicU64;
    fn cells(array: &mut [Self]) -> &[AtomicU64] {
        atomics(array)
    }
    #[inline(always)]
    fn store(cell: &AtomicU64, arc: Self) {
        cell.store(arc, Relaxed);
    }
    fn finish(array: Pages<Self>) -> Offsets {
        Offsets::Wide(array.into())
    }
}
