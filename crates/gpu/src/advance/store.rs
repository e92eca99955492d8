//! [`Store`]: what `resident` keeps of the rows of one direction, the tiles of every vertex that a run has expanded.
//!
//! A record takes 16 bytes per tile, 24 where offsets are wide; a row has one for every 256 arcs, one for every bit of what is
//! left, and one for what fills no tile. There is room for all that the rows can have, or for as many as a quarter of the free
//! memory holds: rows beyond that are cut as they are met. A graph that had to leave the device once keeps none.

use super::{balancing::Ground, tiles::alignment};
use crate::{
    device_graph::{BALANCES, DeviceRows, Prepare, Side},
    error::lift,
    frontier::Members,
};
use bytemuck::Zeroable;
use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
};
use warpgraph_core::{Result, Tiles};
use warpgraph_device::{Address, Array, arguments};

/// Tiles take no more than this share of the memory that is free.
const FREE_SHARE: u64 = 4;
/// Records are numbered by 32 bits, from 1, and one number is none.
const MOST_RECORDS: u64 = u32::MAX as u64 - 2;

arguments! {
    /// What the kernel takes that cuts rows into the tiles of `resident`, and lists those of a frontier.
    pub(crate) struct TilesArgs {
        pub(crate) offsets: Address<()>,
        pub(crate) vertices: u64,
        /// The frontier; null if it is all vertices.
        pub(crate) items: Address<u32>,
        pub(crate) count: u64,
        /// The first tile of each row and how many it has; what is kept of all tiles, how many that is, and how many there is room for.
        pub(crate) rows: Address<u64>,
        pub(crate) records: Address<()>,
        pub(crate) used: Address<u64>,
        pub(crate) capacity: u64,
        /// Get the tiles of the frontier, and the first vertex of their copy of the graph unless that is null.
        pub(crate) list: Address<u32>,
        pub(crate) bases: Address<u32>,
        pub(crate) list_size: Address<u64>,
        /// Get the rows whose tiles are not kept.
        pub(crate) loose: Address<u32>,
        pub(crate) loose_size: Address<u64>,
        /// Count tiles.
        pub(crate) made: Address<u64>,
        pub(crate) reused: Address<u64>,
        /// Threads of the smallest tile and of the largest, and arcs of a sector.
        pub(crate) least: u32,
        pub(crate) block: u32,
        pub(crate) align: u64,
    }
}

/// Tiles that are kept.
#[derive(Debug)]
pub(super) struct Store {
    tiles: Tiles,
    block: u32,
    /// The first record of each row, and how many it has.
    rows: Array<u64>,
    records: Array<u8>,
    used: Array<u64>,
    capacity: u64,
    /// There is room for all that the rows can have.
    is_roomy: bool,
    /// All rows were met at once, so that records are in the order of rows.
    is_complete: AtomicBool,
    /// Some rows were met.
    is_begun: AtomicBool,
    /// How many are kept; `None` if rows were met since that was last read.
    held: Mutex<Option<u64>>,
}

/// Returns the most tiles that so many rows of so many arcs have.
pub(super) fn most_tiles(tiles: Tiles, block: u32, rows: u64, arcs: u64) -> u64 {
    let (least, block) = (u64::from(tiles.min), u64::from(block));
    let sizes = u64::from((block / least.min(block)).ilog2());
    rows + (sizes * rows).min(arcs / least) + arcs / block
}

/// Returns the bytes of a record.
pub(super) fn record_bytes(wide: bool) -> u64 {
    if wide { 24 } else { 16 }
}

impl Prepare for Store {
    type Slot = Side;
    type Options = Tiles;
    const PURPOSE: &'static str = BALANCES;

    fn bytes(&self) -> u64 {
        self.rows.bytes() + self.records.bytes()
    }
}

impl Store {
    /// Makes one that has met no row yet.
    pub(super) fn new(ground: &Ground<'_, '_>, rows: &DeviceRows, tiles: Tiles) -> Result<Self> {
        let Ground { machine, device_graph, .. } = *ground;
        let (n, arcs) = (device_graph.graph().vertices(), rows.arcs() as u64);
        let block = machine.block();
        let most = most_tiles(tiles, block, n as u64, arcs).min(MOST_RECORDS);
        let bytes = record_bytes(device_graph.is_wide());
        let free = machine.gpu().memory().map_err(lift)?.free;
        let fit = if device_graph.is_short() { 0 } else { free / FREE_SHARE / bytes };
        let capacity = most.min(fit);
        let rows_met = machine.zeros::<u64>(n, "the tiles of each row, for `resident`")?;
        let records = machine.array::<u8>((capacity * bytes) as usize, "tiles, for `resident`");
        // Without room for any, all rows are cut as they are met.
        let (records, capacity) = match records {
            Ok(records) => (records, capacity),
            Err(_) => (machine.array(0, "tiles, for `resident`")?, 0),
        };
        Ok(Self {
            tiles,
            block,
            rows: rows_met,
            records,
            used: machine.zeros(1, "a counter")?,
            capacity,
            is_roomy: capacity == most,
            is_complete: AtomicBool::new(false),
            is_begun: AtomicBool::new(false),
            held: Mutex::new(Some(0)),
        })
    }

    /// True if there may be rows whose tiles are not kept.
    pub(super) fn has_loose(&self, copies: u64) -> bool {
        !self.is_roomy || copies > 1
    }

    /// Returns where the number of all records stands, if they are those of all rows in their order: then no list is needed. In any
    /// other order kernels would read values from all over, and tell them later than they could.
    pub(super) fn everything(&self) -> Option<Address<u64>> {
        self.is_complete.load(Ordering::Relaxed).then(|| self.used.address())
    }

    /// True if all records are in the order of rows, or will be if all rows are met now.
    pub(super) fn may_take_all(&self) -> bool {
        let is_begun = self.is_begun.load(Ordering::Relaxed);
        self.everything().is_some() || (self.is_roomy && !is_begun)
    }

    /// Notes that a kernel was started that meets rows: all of them, or some.
    pub(super) fn meet(&self, is_everything: bool) {
        *self.known() = None;
        let is_first = !self.is_begun.swap(true, Ordering::Relaxed);
        if is_first && is_everything {
            self.is_complete.store(self.is_roomy, Ordering::Relaxed);
        }
    }

    /// Returns where the records lie.
    pub(super) fn records(&self) -> Address<()> {
        self.records.address().cast()
    }

    /// Returns how many tiles are kept. Waits if rows were met since it was last asked.
    pub(super) fn held(&self) -> Result<u64> {
        let mut known = self.known();
        if let Some(held) = *known {
            return Ok(held);
        }
        let mut used = [0];
        self.used.read(&mut used).map_err(lift)?;
        Ok(*known.insert(used[0].min(self.capacity)))
    }

    fn known(&self) -> MutexGuard<'_, Option<u64>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the arguments that list the tiles of some rows.
    pub(super) fn args(&self, rows: &DeviceRows, vertices: u64, members: Members) -> TilesArgs {
        TilesArgs {
            offsets: rows.offsets(),
            vertices,
            items: members.items,
            count: members.count,
            rows: self.rows.address(),
            records: self.records(),
            used: self.used.address(),
            capacity: self.capacity,
            least: self.tiles.min,
            block: self.block,
            align: u64::from(alignment(self.tiles)),
            ..TilesArgs::zeroed()
        }
    }
}
