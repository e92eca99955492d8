//! `tiled`: rows are cut into tiles of threads as they are met. It keeps nothing.

use super::{
    Balancing, Scheme, Sizes,
    balancing::Deal,
    model::{Cost, Load, Price, THREADS, WARP, Waits},
    own::{Own, own},
    probe::Shape,
    tiles,
};
use crate::{
    frontier::Frontiers,
    machine::{Grid, TILED_ARCS},
};
use warpgraph_core::{Balance, Result, Tiles};
use warpgraph_device::arguments;

/// The balance.
pub(super) struct Tiled {
    /// How rows are cut.
    pub(super) tiles: Tiles,
}

arguments! {
    /// What only the kernels of `tiled` take.
    pub(crate) struct TiledArgs {
        /// Threads of the smallest tile.
        least: u32,
        /// Tiles begin at multiples of so many arcs.
        align: u32,
        /// Not 0: elect tiles, and do nothing with them.
        dry: u64,
    }
}
own!(TiledArgs, Balance::TILED);

impl Balancing for Tiled {
    fn own(&self) -> String {
        tiles::board() + &TiledArgs::text()
    }

    fn schemes(&self) -> Vec<Scheme> {
        vec![Scheme::of(Balance::TILED)]
    }

    fn shared(&self) -> u32 {
        tiles::BOARD_BYTES
    }

    fn shares(&self) -> Option<&'static str> {
        Some("Cut")
    }

    fn price(&self) -> Option<Price> {
        Some(Price {
            assumed: Cost { first: 15_000.0, vertex: 0.03, arc: 0.037, step: 980.0, row: 1500.0 },
            shapes: &[Shape::One, Shape::Short, Shape::Long, Shape::Hub, Shape::Turns],
            many: [Shape::Short, Shape::Long],
            step: Shape::Hub,
            waits,
        })
    }

    fn bytes(&self, _: &Sizes<'_>) -> u64 {
        0
    }

    fn bytes_per_copy(&self, _: &Frontiers, _: u64) -> u64 {
        0
    }

    unsafe fn deal(&mut self, deal: Deal<'_, '_>) -> Result<()> {
        let (least, align) = (self.tiles.min, tiles::alignment(self.tiles));
        let [own, dry] = [0, 1].map(|dry| TiledArgs { least, align, dry });
        let grid = Grid::Tiles(deal.work.members.count, deal.work.arcs.unwrap_or(deal.rows.arcs() as u64));
        // SAFETY: the caller's promise.
        unsafe { tiles::start(&deal, grid, &own, &dry) }
    }
}

/// A block takes the steps of the longest row, or of its share of the arcs, by 256 arcs at a time; a warp lines up its short rows,
/// by 32 arcs at a time.
fn waits(load: Load, threads: f64) -> Waits {
    let (vertices, arcs, longest) = (load.vertices as f64, load.arcs as f64, load.longest as f64);
    let running = (threads / THREADS).max(1.0);
    let blocks = (vertices / THREADS).max((arcs / TILED_ARCS as f64).min(vertices)).clamp(1.0, running);
    let warps = blocks * THREADS / WARP;
    Waits {
        launches: 0.0,
        vertices,
        tail: longest / THREADS,
        steps: longest.max(arcs / blocks) / THREADS,
        turns: (arcs / (WARP * warps)).max(1.0),
    }
}
