//! What `resident` keeps of the rows of one direction: the tiles of every vertex that was ever expanded.
//!
//! Records take 16 bytes a tile, 24 where offsets are wide; a row has one for every 256 arcs, one for every bit of what is left, and one for
//! what fills no tile. There is room for all that the rows can have, or for as many as a quarter of the free memory holds: rows
//! beyond that are cut as they are met. A graph that had to leave the device once keeps none.

use crate::{
    DeviceGraph,
    arguments::TilesArgs,
    device_graph::DeviceRows,
    error::lift,
    frontier::Members,
    machine::{Grid, Launch, Machine},
    variants,
};
use bytemuck::Zeroable;
use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
};
use warpgraph_core::{Result, Tiles};
use warpgraph_device::{Address, Array};

/// Arcs of a sector of memory: 32 bytes.
pub(crate) const SECTOR_ARCS: u32 = 8;
/// Tiles take no more than this share of the memory that is free.
const FREE_SHARE: u64 = 4;
/// Records are numbered by 32 bits, from 1, and one number is none.
const MOST_RECORDS: u64 = u32::MAX as u64 - 2;

/// Tiles that are kept.
#[derive(Debug)]
pub(crate) struct Store {
    tiles: Tiles,
    block: u32,
    /// The first record of each row, and how many it has.
    rows: Array<u64>,
    records: Array<u8>,
    used: Array<u64>,
    capacity: u64,
    /// There is room for all that the rows can have.
    is_roomy: bool,
    /// Every row was met at once, so that records are in the order of rows.
    is_complete: AtomicBool,
    /// Some rows were met.
    is_begun: AtomicBool,
    /// How many are kept; `None` if rows were met since that was last read.
    held: Mutex<Option<u64>>,
}

/// The most tiles that so many rows of so many arcs have.
pub(crate) fn most_tiles(tiles: Tiles, block: u32, rows: u64, arcs: u64) -> u64 {
    let (least, block) = (u64::from(tiles.min), u64::from(block));
    let sizes = u64::from((block / least.min(block)).ilog2());
    rows + (sizes * rows).min(arcs / least) + arcs / block
}

/// Bytes of a record.
pub(crate) fn record_bytes(wide: bool) -> u64 {
    if wide { 24 } else { 16 }
}

impl Store {
    /// Nothing is met yet.
    pub(crate) fn new(
        device_graph: &DeviceGraph,
        machine: &Machine<'_>,
        rows: &DeviceRows,
        tiles: Tiles,
    ) -> Result<Self> {
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

    /// Bytes on the device.
    pub(crate) fn bytes(&self) -> u64 {
        self.rows.bytes() + self.records.bytes()
    }

    /// May there be rows whose tiles are not kept?
    pub(crate) fn has_loose(&self, copies: u64) -> bool {
        !self.is_roomy || copies > 1
    }

    /// Where the number of all records stands, if they are those of all rows in their order: then no list is needed. In any other order values would be
    /// read from all over, and told later than they could be.
    pub(crate) fn everything(&self) -> Option<Address<u64>> {
        self.is_complete.load(Ordering::Relaxed).then(|| self.used.address())
    }

    /// Are all records in the order of rows, or will they be if all rows are met now?
    pub(crate) fn may_take_all(&self) -> bool {
        let is_begun = self.is_begun.load(Ordering::Relaxed);
        self.everything().is_some() || (self.is_roomy && !is_begun)
    }

    /// Rows are being met, by a kernel that was started: all of them, or some.
    pub(crate) fn meet(&self, is_everything: bool) {
        *self.known() = None;
        let is_first = !self.is_begun.swap(true, Ordering::Relaxed);
        if is_first && is_everything {
            self.is_complete.store(self.is_roomy, Ordering::Relaxed);
        }
    }

    pub(crate) fn records(&self) -> Address<()> {
        self.records.address().cast()
    }

    /// How many are kept. Waits if rows were met since it was last asked.
    pub(crate) fn held(&self) -> Result<u64> {
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

    /// Arguments for the tiles of some rows.
    pub(crate) fn args(&self, rows: &DeviceRows, vertices: u64, members: Members) -> TilesArgs {
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

/// Where tiles begin: at multiples of so many arcs.
pub(crate) fn alignment(tiles: Tiles) -> u32 {
    if tiles.align { SECTOR_ARCS } else { 1 }
}

/// The kernel that lists tiles.
pub(crate) fn lister(machine: &Machine<'_>, wide: bool) -> Result<Launch<TilesArgs>> {
    machine.kernel(&*variants::tiles(wide)?, "tiles_list")
}

/// Starts it.
///
/// # Safety
/// The arrays of `args` are large enough for all members, and live until the next wait.
pub(crate) unsafe fn list(machine: &Machine<'_>, lister: &Launch<TilesArgs>, args: &TilesArgs) -> Result<()> {
    // SAFETY: as the caller promises.
    unsafe { machine.start(lister, Grid::For(args.count), args) }
}
