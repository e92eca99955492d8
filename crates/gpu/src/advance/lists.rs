//! The lists that balances make of a frontier: arcs, children, and what is left of rows. Made when first needed, used again.

use super::{
    Kept,
    tiles::{self, Store},
};
use crate::{
    arguments::{TilesArgs, WorklistArgs},
    device_graph::DeviceRows,
    error::lift,
    frontier::Members,
    machine::{Account, Grid, Launch, Machine},
    variants,
};
use bytemuck::Zeroable;
use warpgraph_core::{Balance, Result};
use warpgraph_device::{Address, Array, Pinned};
use warpgraph_graph::Vertex;

/// Counters: the length of the worklist and, behind it, of the list of rows whose tiles are not kept; of what is left of rows; and what is
/// read at once or never.
const WORK: usize = 0;
const REST: usize = 1;
const SCRATCH: usize = 2;
const COUNTERS: usize = 3;

/// The lists.
pub(super) struct Lists {
    wide: bool,
    fill: Option<Launch<WorklistArgs>>,
    work: Option<Array<u8>>,
    rest: [Option<(Array<Vertex>, Array<u8>)>; 2],
    /// The first vertices of the copies that tiles are of, and rows whose tiles are not kept.
    bases: Option<Array<Vertex>>,
    loose: Option<Array<Vertex>>,
    lister: Option<Launch<TilesArgs>>,
    /// Tiles that were made, and that were there.
    tiles: Array<u64>,
    /// Tiles were listed.
    has_listed: bool,
    counters: [Array<u64>; COUNTERS],
    seen: Pinned<u64>,
}

/// Where what is left of rows is put down.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rest {
    pub(super) items: Address<Vertex>,
    pub(super) starts: Address<()>,
    pub(super) size: Address<u64>,
}

/// Tiles of a frontier, the first vertices of their copies, and how many they are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listed {
    pub(super) tiles: Address<()>,
    pub(super) bases: Address<u32>,
    pub(super) size: Address<u64>,
}

impl Lists {
    pub(super) fn new(machine: &Machine<'_>, wide: bool, asked: Option<Balance>) -> Result<Self> {
        let fill = match asked {
            Some(Balance::Edge { .. }) => Some("edge_fill"),
            Some(Balance::Split(_)) => Some("split_fill"),
            _ => None,
        };
        let counter = |len| machine.zeros::<u64>(len, "a counter");
        Ok(Self {
            wide,
            fill: match fill {
                Some(name) => Some(machine.kernel(&*variants::worklist(wide)?, name)?),
                None => None,
            },
            work: None,
            rest: [None, None],
            bases: None,
            loose: None,
            lister: match asked {
                Some(Balance::Resident(_)) => Some(tiles::lister(machine, wide)?),
                _ => None,
            },
            tiles: machine.zeros(2, "counters of tiles")?,
            has_listed: false,
            counters: [counter(2)?, counter(1)?, counter(1)?],
            seen: machine.gpu().pinned(1, "a counter").map_err(lift)?,
        })
    }

    pub(super) fn bytes(&self) -> u64 {
        let rest = self.rest.iter().flatten().map(|(items, starts)| items.bytes() + starts.bytes());
        let lists = [&self.bases, &self.loose].into_iter().flatten().map(Array::bytes);
        self.work.as_ref().map_or(0, Array::bytes) + rest.sum::<u64>() + lists.sum::<u64>()
    }

    /// Bytes of both lists of what is left of so many rows.
    pub(super) fn rest_bytes_of(&self, rows: u64) -> u64 {
        2 * rows * (4 + self.width())
    }

    /// Bytes of an arc's number.
    fn width(&self) -> u64 {
        if self.wide { 8 } else { 4 }
    }

    /// A number that nobody reads.
    pub(super) fn scratch(&self) -> Address<u64> {
        self.counters[SCRATCH].address()
    }

    fn clear(&mut self, which: usize) -> Result<Address<u64>> {
        self.counters[which].fill_bytes(0).map_err(lift)?;
        Ok(self.counters[which].address())
    }

    fn read(&mut self, machine: &Machine<'_>, which: usize) -> Result<u64> {
        machine.fetch(&mut self.seen, &self.counters[which])?;
        Ok(self.seen.get(0))
    }

    pub(super) fn clear_scratch(&mut self) -> Result<Address<u64>> {
        self.clear(SCRATCH)
    }

    pub(super) fn read_scratch(&mut self, machine: &Machine<'_>) -> Result<u64> {
        self.read(machine, SCRATCH)
    }

    /// A worklist of at least so many bytes. One that was too short goes: no kernel may still read it.
    fn worklist(&mut self, machine: &Machine<'_>, bytes: usize) -> Result<Address<()>> {
        if self.work.as_ref().is_none_or(|work| work.bytes() < bytes as u64) {
            self.work = None;
            self.work = Some(machine.array(bytes, "a worklist")?);
        }
        Ok(self.work.as_ref().map_or(Address::NULL, |work| work.address().cast()))
    }

    fn start_fill(&self, machine: &Machine<'_>, args: &WorklistArgs) -> Result<()> {
        let Some(fill) = &self.fill else { unreachable!("only balances with a worklist fill one") };
        // SAFETY: members are vertices, and the worklist has room for the arcs or children of all of them.
        unsafe { machine.start(fill, Grid::For(args.count), args) }
    }

    /// The arcs of some rows, of which there are no more than `room`; where they lie, and where their number stands.
    pub(super) fn arcs(
        &mut self,
        machine: &Machine<'_>,
        members: Members,
        rows: &DeviceRows,
        vertices: u64,
        room: u64,
        chunking: bool,
    ) -> Result<(Address<()>, Address<u64>)> {
        let work = self.worklist(machine, (room * self.width()) as usize)?;
        let args = WorklistArgs {
            offsets: rows.offsets(),
            vertices,
            items: members.items,
            count: members.count,
            work,
            work_size: self.clear(WORK)?,
            chunking: u64::from(chunking),
            ..WorklistArgs::zeroed()
        };
        self.start_fill(machine, &args)?;
        Ok((work, args.work_size))
    }

    /// The children of some rows; there are no more than `room`.
    pub(super) fn children(
        &mut self,
        machine: &Machine<'_>,
        members: Members,
        rows: &DeviceRows,
        vertices: u64,
        kept: &Kept,
        room: u64,
    ) -> Result<(Address<Vertex>, Address<u64>)> {
        let work = self.worklist(machine, room as usize * 4)?;
        let args = WorklistArgs {
            offsets: rows.offsets(),
            vertices,
            items: members.items,
            count: members.count,
            children_of: kept.children_of(),
            children: kept.children,
            work,
            work_size: self.clear(WORK)?,
            ..WorklistArgs::zeroed()
        };
        self.start_fill(machine, &args)?;
        Ok((work.cast(), args.work_size))
    }

    /// The tiles of some rows, of which there are no more than `room`: how to go along them, and along the rows whose tiles are not kept, if
    /// there can be any.
    pub(super) fn tiles(
        &mut self,
        machine: &Machine<'_>,
        store: &Store,
        args: TilesArgs,
        room: u64,
        slots: u64,
    ) -> Result<(Listed, Option<Members>)> {
        let copies = slots / args.vertices.max(1);
        let list = self.worklist(machine, room as usize * 4)?.cast();
        if copies > 1 && self.bases.is_none() {
            self.bases = Some(machine.array(room as usize, "copies of tiles")?);
        }
        // What one direction keeps whole another may not.
        let rows = if store.has_loose(copies) { slots as usize } else { 0 };
        if self.loose.as_ref().is_none_or(|loose| loose.len() < rows) {
            self.loose = Some(machine.array(rows, "rows without tiles")?);
        }
        let loose = self.loose.as_ref().map_or(Address::NULL, Array::address);
        let (loose, bases) = (loose, self.bases.as_ref().map_or(Address::NULL, Array::address));
        let (made, list_size) = (self.tiles.address(), self.clear(WORK)?);
        let behind = |counter: Address<u64>| Address::new(counter.raw() + 8);
        let (loose_size, reused) = (behind(list_size), behind(made));
        let args = TilesArgs { list, bases, list_size, loose, loose_size, made, reused, ..args };
        let Some(lister) = &self.lister else { unreachable!("only `resident` lists tiles") };
        // SAFETY: the list has room for the tiles of all members, as `most_tiles` says, and the other one for all rows where any can get there.
        let start = || unsafe { tiles::list(machine, lister, &args) };
        if machine.prices_tiling() {
            machine.on_account(Account::Listing, start)?;
        } else {
            start()?;
        }
        self.has_listed = true;
        let listed = Listed { tiles: list.cast(), bases, size: args.list_size };
        let loose = Members::counted(loose, args.loose_size, args.count);
        Ok((listed, store.has_loose(copies).then_some(loose)))
    }

    /// Tiles that were made, and that were there. Waits if any were listed.
    pub(super) fn tiles_used(&self) -> Result<[u64; 2]> {
        let mut used = [0; 2];
        if !self.has_listed {
            return Ok(used);
        }
        self.tiles.read(&mut used).map_err(lift)?;
        Ok(used)
    }

    /// One of two lists of what is left of rows, empty.
    pub(super) fn rest(&mut self, machine: &Machine<'_>, which: usize, slots: u64) -> Result<Rest> {
        let size = self.clear(REST)?;
        let bytes = slots as usize * self.width() as usize;
        let (items, starts) = match &mut self.rest[which] {
            Some(rest) => rest,
            none => none.insert((
                machine.array(slots as usize, "rows that are not done")?,
                machine.array(bytes, "what is left of rows")?,
            )),
        };
        Ok(Rest { items: items.address(), starts: starts.address().cast(), size })
    }

    /// Waits, and says how many rows are left.
    pub(super) fn read_rest(&mut self, machine: &Machine<'_>) -> Result<u64> {
        self.read(machine, REST)
    }
}
