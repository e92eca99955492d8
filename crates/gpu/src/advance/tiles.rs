//! What `tiled` and `resident` have in common: see `kernels/advance/tiles.cuh`.

use super::{Scheme, balancing::Deal, own::Own};
use crate::{
    frontier::Tally,
    machine::{Account, Grid},
};
use warpgraph_core::{Result, Tiles};

/// Arcs of a sector of memory: 32 bytes.
const SECTOR_ARCS: u32 = 8;
/// Bytes of the board on which the threads of a block put what several warps take. `tiles.cuh` checks that it is enough.
pub(super) const BOARD_BYTES: u32 = 10 << 10;

/// Returns the CUDA text that kernels know BOARD_BYTES by.
pub(super) fn board() -> String {
    format!("#define BOARD_BYTES {BOARD_BYTES}u\n")
}

/// Returns where tiles begin: at multiples of so many arcs.
pub(super) fn alignment(tiles: Tiles) -> u32 {
    if tiles.align { SECTOR_ARCS } else { 1 }
}

/// Starts a kernel that goes by tiles. If the run prices tiles, it starts the kernel before that with the arguments `dry`, by
/// which it only elects tiles; if the run samples accesses, it starts the kernel that samples.
///
/// # Safety
/// As for [`Deal::start`].
pub(super) unsafe fn start<O: Own>(deal: &Deal<'_, '_>, grid: Grid, own: &O, dry: &O) -> Result<()> {
    let Deal { machine, rows, work, scratch, .. } = *deal;
    // SAFETY: the caller's promise; a kernel that elects or samples reads what the other one reads, and writes nothing of it.
    unsafe {
        if machine.prices_tiling() {
            deal.start_on(grid, dry, Account::Tiling)?;
            // What every balance does: looks at the rows.
            machine.on_account(Account::Bare, || {
                deal.frontiers.count_arcs(machine, work.members, rows, Tally::of(scratch))
            })?;
        }
        if let Some(sampling) = deal.sampling {
            sampling.start(machine, Scheme::of(O::BALANCE), grid, deal.along, own.bytes())?;
        }
        deal.start(grid, own)
    }
}
