//! `resident`: tiles that are kept. It keeps the tiles of every vertex that it meets, and lists those of a frontier.

use super::{
    Balancing, Scheme, Sizes,
    balancing::{Deal, Ground, Lists},
    kept::Kept,
    model::{Cost, Load, Price, THREADS, WARP, Waits},
    own::{Own, own},
    probe::Shape,
    store::{Store, TilesArgs, most_tiles, record_bytes},
    tiled::Tiled,
    tiles,
    worklist::Worklist,
};
use crate::{
    DeviceGraph,
    device_graph::Side,
    error::lift,
    frontier::{Frontiers, Members},
    machine::{Account, BLOCK, Grid, Launch, Machine},
    memory::LEAST_BLOCK,
};
use bytemuck::Zeroable;
use warpgraph_core::{Balance, Result, TileUse, Tiles};
use warpgraph_device::{Address, Arguments, Array, arguments};
use warpgraph_graph::Vertex;

/// A row of as many arcs as so many blocks have threads is better shared among all blocks.
const LONG_ROW_BLOCKS: u64 = 16;
/// What is kept for an open balance takes no more than this share of the memory that is free.
const FREE_SHARE: u64 = 8;

/// The balance.
pub(super) struct Resident {
    tiles: Tiles,
    kept: Kept<Store>,
    listing: Option<Listing>,
    /// The most tiles that the rows of a direction have.
    most_tiles: u64,
    /// Tiles that were taken all at once, without a list.
    taken: u64,
}

arguments! {
    /// What only the kernels of `resident` take.
    pub(crate) struct ResidentArgs {
        /// All tiles that are kept.
        records: Address<()>,
        /// Numbers of the tiles of the frontier; null if they are all tiles.
        tiles: Address<u32>,
        /// The first vertex of each tile's copy of the graph; null if that is 0.
        bases: Address<u32>,
        /// Where the number of tiles of the frontier stands.
        size: Address<u64>,
        /// Threads of the smallest tile.
        least: u32,
        /// Not 0: elect tiles, and do nothing with them.
        dry: u32,
    }
}
own!(ResidentArgs, Balance::RESIDENT);

/// The kernel that lists tiles, with its lists.
struct Listing {
    lister: Launch<TilesArgs>,
    /// Its counters: the tiles, and the rows whose tiles are not kept.
    list: Worklist,
    /// The first vertices of the copies that tiles are of.
    bases: Option<Array<Vertex>>,
    /// Rows whose tiles are not kept.
    loose: Option<Array<Vertex>>,
    /// Tiles that were made, and that were there.
    counts: Array<u64>,
    has_listed: bool,
}

impl Listing {
    fn new(ground: &Ground<'_, '_>) -> Result<Self> {
        let machine = ground.machine;
        Ok(Self {
            lister: ground.kernel(Balance::RESIDENT, "tiles_list")?,
            list: Worklist::new(machine, 2)?,
            bases: None,
            loose: None,
            counts: machine.zeros(2, "counters of tiles")?,
            has_listed: false,
        })
    }

    fn bytes(&self) -> u64 {
        let lists = [&self.bases, &self.loose].into_iter().flatten().map(Array::bytes);
        self.list.bytes() + lists.sum::<u64>()
    }

    /// Lists the tiles of a frontier, of which there are no more than `room`, in the arguments. Returns the rows whose tiles are not
    /// kept, if there can be any.
    fn list(
        &mut self,
        deal: &Deal<'_, '_>,
        store: &Store,
        room: u64,
        own: &mut ResidentArgs,
    ) -> Result<Option<Members>> {
        let (machine, copies) = (deal.machine, deal.copies());
        let list = self.list.with_room(machine, room as usize * 4)?.cast();
        if copies > 1 && self.bases.is_none() {
            self.bases = Some(machine.array(room as usize, "copies of tiles")?);
        }
        // What one direction keeps whole another may not.
        let rows = if store.has_loose(copies) { deal.slots as usize } else { 0 };
        if self.loose.as_ref().is_none_or(|loose| loose.len() < rows) {
            self.loose = Some(machine.array(rows, "rows without tiles")?);
        }
        let address = |array: &Option<Array<Vertex>>| array.as_ref().map_or(Address::NULL, Array::address);
        let (loose, bases) = (address(&self.loose), address(&self.bases));
        let (made, list_size) = (self.counts.address(), self.list.clear()?);
        let behind = |counter: Address<u64>| Address::new(counter.raw() + 8);
        let (loose_size, reused) = (behind(list_size), behind(made));
        let args = store.args(deal.rows, deal.vertices, deal.work.members);
        let args = TilesArgs { list, bases, list_size, loose, loose_size, made, reused, ..args };
        self.start(machine, &args)?;
        (own.tiles, own.bases, own.size) = (list, bases, list_size);
        Ok(store.has_loose(copies).then_some(Members::counted(loose, loose_size, args.count)))
    }

    fn start(&mut self, machine: &Machine<'_>, args: &TilesArgs) -> Result<()> {
        self.has_listed = true;
        // SAFETY: the list has room for the tiles of all members, as `most_tiles` says, and the other one for all rows where any can get
        // there.
        let start = || unsafe { machine.start(&self.lister, Grid::For(args.count), args) };
        if machine.prices_tiling() { machine.on_account(Account::Listing, start) } else { start() }
    }

    /// Returns the tiles that were made, and that were there. Waits if any were listed.
    fn used(&self) -> Result<[u64; 2]> {
        let mut used = [0; 2];
        if self.has_listed {
            self.counts.read(&mut used).map_err(lift)?;
        }
        Ok(used)
    }
}

impl Resident {
    /// Makes one with its options.
    pub(super) fn new(tiles: Tiles) -> Self {
        Self { tiles, kept: Kept::default(), listing: None, most_tiles: 0, taken: 0 }
    }
}

impl Balancing for Resident {
    fn own(&self) -> String {
        tiles::board() + &ResidentArgs::text()
    }

    fn lists(&self) -> Option<Lists> {
        Some(Lists { arguments: TilesArgs::cuda(), kernels: &["tiles_list"] })
    }

    fn schemes(&self) -> Vec<Scheme> {
        // `tiled` cuts the rows whose tiles cannot be kept.
        [Balance::RESIDENT, Balance::TILED].map(Scheme::of).to_vec()
    }

    fn shared(&self) -> u32 {
        tiles::BOARD_BYTES
    }

    fn shares(&self) -> Option<&'static str> {
        Some("Kept")
    }

    fn price(&self) -> Option<Price> {
        Some(Price {
            assumed: Cost { first: 20_500.0, vertex: 0.19, arc: 0.037, step: 980.0, row: 2500.0 },
            shapes: &[Shape::One, Shape::Short, Shape::Long, Shape::Turns],
            many: [Shape::Short, Shape::Long],
            // Arcs are dealt out so evenly that no wait is long enough to show a step: it is as long as that of `tiled`.
            step: Shape::Hub,
            waits,
        })
    }

    fn bytes(&self, sizes: &Sizes<'_>) -> u64 {
        let (n, m) = sizes.counts();
        // Records take a quarter of what is free at most. The lists of tiles, and of rows without, cannot be done without.
        let most = [LEAST_BLOCK as u32, BLOCK].map(|block| most_tiles(self.tiles, block, n, m));
        let most = most[0].max(most[1]);
        sizes.sides * (8 * n + record_bytes(sizes.offset == 8) * most) + 4 * most + 4 * n
    }

    fn bytes_per_copy(&self, _: &Frontiers, vertices: u64) -> u64 {
        // A tile's number and copy, and a row without tiles.
        8 * self.most_tiles + 4 * vertices
    }

    fn prepare(&mut self, ground: &Ground<'_, '_>, side: Side) -> Result<()> {
        let arcs = ground.device_graph.rows(side)?.arcs() as u64;
        let most = most_tiles(self.tiles, ground.machine.block(), ground.vertices(), arcs);
        self.most_tiles = self.most_tiles.max(most);
        self.kept.add(side, ground.keep(side, self.tiles, |rows| Store::new(ground, rows, self.tiles))?);
        if self.listing.is_none() {
            self.listing = Some(Listing::new(ground)?);
        }
        Ok(())
    }

    fn is_listed(&self, side: Side, takes_everything: bool) -> bool {
        !(takes_everything && self.kept.get(side).is_some_and(|store| store.may_take_all()))
    }

    fn extra_bytes(&self) -> u64 {
        self.kept.bytes() + self.listing.as_ref().map_or(0, Listing::bytes)
    }

    fn tile_use(&self) -> Result<Option<TileUse>> {
        let [made, reused] = self.listing.as_ref().map_or(Ok([0; 2]), Listing::used)?;
        let mut tiles = TileUse { made, reused: reused + self.taken, ..TileUse::default() };
        for store in self.kept.different() {
            tiles.held += store.held()?;
        }
        tiles.held_bytes = self.kept.bytes();
        Ok(Some(tiles))
    }

    unsafe fn deal(&mut self, mut deal: Deal<'_, '_>) -> Result<()> {
        let store = self.kept.of(deal.side)?;
        let (members, is_everything) = (deal.work.members, deal.is_everything());
        let arcs = deal.work.arcs.unwrap_or(deal.copies() * deal.rows.arcs() as u64);
        let most = most_tiles(self.tiles, deal.machine.block(), members.count, arcs);
        let (records, least) = (store.records(), self.tiles.min);
        let mut own = ResidentArgs { records, least, ..ResidentArgs::zeroed() };
        let mut loose = None;
        match store.everything().filter(|_| is_everything && deal.copies() == 1) {
            Some(size) => {
                own.size = size;
                self.taken += store.held()?;
            }
            None => {
                let room = deal.copies() * self.most_tiles;
                let Some(listing) = &mut self.listing else { unreachable!("`prepare` comes first") };
                loose = listing.list(&deal, &store, room, &mut own)?;
                store.meet(is_everything);
            }
        }
        // SAFETY: the caller's promise; the list holds tiles of the rows.
        unsafe {
            tiles::start(&deal, Grid::Tiles(most, arcs), &own, &ResidentArgs { dry: 1, ..own })?;
            let Some(loose) = loose else { return Ok(()) };
            deal.set_members(loose);
            Tiled { tiles: self.tiles }.deal(deal)
        }
    }
}

/// A thread takes the steps of an equal share of the arcs, a warp one tile after another. Tiles that need no list save its launch.
fn waits(load: Load, threads: f64) -> Waits {
    let (vertices, arcs) = (load.vertices as f64, load.arcs as f64);
    let tiles = vertices + arcs / THREADS;
    Waits {
        launches: if load.is_listed { 0.0 } else { -1.0 },
        vertices: if load.is_listed { vertices } else { 0.0 },
        tail: 0.0,
        steps: arcs / threads,
        turns: (tiles * WARP / threads).max(1.0),
    }
}

/// True if an open balance should keep tiles: there are rows too long for one block, and the tiles take a small part of the free
/// memory.
pub(super) fn is_worth_keeping(
    machine: &Machine<'_>,
    device_graph: &DeviceGraph,
    sides: &[Side],
) -> Result<bool> {
    if device_graph.is_short() {
        return Ok(false);
    }
    let keeps =
        |&side: &Side| device_graph.has_prepared::<Store>(device_graph.kept_side(side), Tiles::DEFAULT);
    if !sides.is_empty() && sides.iter().all(keeps) {
        return Ok(true);
    }
    let (n, mut bytes, mut is_long) = (device_graph.graph().vertices() as u64, 0, false);
    for &side in sides {
        let rows = device_graph.rows(side)?;
        let most = most_tiles(Tiles::DEFAULT, machine.block(), n, rows.arcs() as u64);
        bytes += 8 * n + most * (record_bytes(device_graph.is_wide()) + 8);
        let long = LONG_ROW_BLOCKS * u64::from(machine.block());
        is_long |= rows.longest().is_some_and(|longest| longest > long);
    }
    Ok(is_long && bytes < machine.gpu().memory().map_err(lift)?.free / FREE_SHARE)
}
