//! What each scheme makes of a frontier before its kernel starts: lists, prefix sums, sub-iterations.

use super::{Balancer, Expand, Expansion, Scheme, Work, tiles};
use crate::{
    device_graph::{DeviceRows, Side},
    frontier::{Members, Tally},
    machine::{Account, Grid, Machine},
};
use std::sync::Arc;
use warpgraph_core::{Balance, Result, Tiles};
use warpgraph_device::Address;

/// `hierarchical` gives lists of fewer rows than so many blocks to `workload`: 1024 rows, as in the paper, where blocks have 256 threads.
const SHORT_LIST_BLOCKS: u64 = 4;

/// Rows to be expanded, by whom, and what the functor's kernel is given.
#[derive(Clone, Copy)]
pub(super) struct Deal<'d, 'm, A: Expand> {
    pub(super) machine: &'d Machine<'m>,
    pub(super) expansion: &'d Expansion<A>,
    pub(super) side: Side,
    pub(super) rows: &'d DeviceRows,
    pub(super) work: Work,
    pub(super) args: A,
}

impl Balancer {
    /// # Safety
    /// As for [`Balancer::run`].
    pub(super) unsafe fn workload<A: Expand>(&mut self, deal: Deal<'_, '_, A>) -> Result<()> {
        let Deal { machine, expansion, rows, work: Work { members, .. }, mut args, .. } = deal;
        if members.count == 0 {
            return Ok(());
        }
        args.along().first = self.frontiers.prefix(machine, members, rows, self.lists.scratch())?;
        let grid = Grid::Shares(self.copies() * rows.arcs() as u64);
        // SAFETY: as promised to `run`.
        unsafe { expansion.start(machine, Scheme::Workload, grid, &args) }
    }

    /// # Safety
    /// As for [`Balancer::run`].
    pub(super) unsafe fn edge<A: Expand>(&mut self, deal: Deal<'_, '_, A>) -> Result<()> {
        let Deal { machine, expansion, side, rows, work, mut args } = deal;
        let kept = Arc::clone(self.kept_of(side)?);
        args.along().sources = kept.sources();
        if self.is_everything(work.members) {
            args.along().count = rows.arcs() as u64;
        } else {
            // With repeats there can be more arcs on the list than the graph has.
            let repeats = self.asked.is_some_and(|balance| balance.repeats());
            let room = work.arcs.filter(|_| repeats).unwrap_or(0).max(rows.arcs() as u64);
            let chunking = !matches!(self.asked, Some(Balance::Edge { chunking: false, .. }));
            let list = self.lists.arcs(machine, work.members, rows, self.vertices, room, chunking)?;
            (args.along().work, args.along().size) = list;
        }
        let arcs = work.arcs.unwrap_or(rows.arcs() as u64);
        // SAFETY: as promised to `run`; the list holds arcs of the rows.
        unsafe { expansion.start(machine, Scheme::Edge, Grid::Shares(arcs), &args) }
    }

    /// # Safety
    /// As for [`Balancer::run`].
    pub(super) unsafe fn split<A: Expand>(&mut self, deal: Deal<'_, '_, A>) -> Result<()> {
        let Deal { machine, expansion, side, rows, work, mut args } = deal;
        let kept = Arc::clone(self.kept_of(side)?);
        let copies = self.copies();
        let all = kept.children * copies;
        let along = args.along();
        (along.sources, along.firsts, along.children) = (kept.sources(), kept.firsts(), kept.children);
        let mut most = all;
        if self.is_everything(work.members) {
            along.count = all;
        } else {
            // Once for both directions: a list that grows would be taken from kernels that still read it.
            let room = copies * self.children();
            let list = self.lists.children(machine, work.members, rows, self.vertices, &kept, room)?;
            (along.items, along.size) = list;
            // Every row has one child more than whole ones at most.
            let arcs = work.arcs.unwrap_or(u64::MAX);
            most = (arcs / kept.mdt.max(1)).saturating_add(work.members.count).min(all);
        }
        // SAFETY: as promised to `run`; the list holds children of the rows.
        unsafe { expansion.start(machine, Scheme::Split, Grid::For(most), &args) }
    }

    /// # Safety
    /// As for [`Balancer::run`].
    pub(super) unsafe fn hierarchical<A: Expand>(&mut self, deal: Deal<'_, '_, A>) -> Result<()> {
        let Deal { machine, expansion, side, work, mut args, .. } = deal;
        let mut members = work.members;
        let most = self.kept_of(side)?.mdt;
        let short = SHORT_LIST_BLOCKS * u64::from(machine.block());
        let mut which = 0;
        while members.count >= short {
            let rest = self.lists.rest(machine, which, self.slots)?;
            let along = args.along();
            (along.items, along.starts, along.count) = (members.items, members.starts, members.count);
            along.most = most;
            (along.rest, along.rest_starts, along.rest_size) = (rest.items, rest.starts, rest.size);
            // SAFETY: as promised to `run`; a row is on the list once, so it has room.
            unsafe {
                expansion.start(machine, Scheme::Hierarchical, Grid::For(members.count), &args)?;
            }
            let count = self.lists.read_rest(machine)?;
            members = Members { items: rest.items, starts: rest.starts, count, size: Address::NULL };
            which = 1 - which;
        }
        let along = args.along();
        (along.items, along.starts, along.count) = (members.items, members.starts, members.count);
        // SAFETY: as promised to `run`.
        unsafe { self.workload(Deal { work: Work { members, ..work }, args, ..deal }) }
    }

    /// How rows are cut.
    fn tiles(&self) -> Tiles {
        match self.asked {
            Some(Balance::Tiled(tiles) | Balance::Resident(tiles)) => tiles,
            _ => Tiles::DEFAULT,
        }
    }

    /// # Safety
    /// As for [`Balancer::run`].
    pub(super) unsafe fn tiled<A: Expand>(&mut self, mut deal: Deal<'_, '_, A>) -> Result<()> {
        let (tiles, work) = (self.tiles(), deal.work);
        let along = deal.args.along();
        (along.least, along.align) = (tiles.min, tiles::alignment(tiles));
        let grid = Grid::Tiles(work.members.count, work.arcs.unwrap_or(deal.rows.arcs() as u64));
        // SAFETY: as promised to `run`.
        unsafe { self.by_tiles(Scheme::Tiled, grid, deal) }
    }

    /// Starts a kernel that goes by tiles; before it one that only elects them, if that is to be found out.
    ///
    /// # Safety
    /// As for [`Balancer::run`].
    unsafe fn by_tiles<A: Expand>(
        &mut self,
        scheme: Scheme,
        grid: Grid,
        deal: Deal<'_, '_, A>,
    ) -> Result<()> {
        let Deal { machine, expansion, rows, work, mut args, .. } = deal;
        // SAFETY: as promised by the caller; one that elects reads what the other does, and writes nothing.
        unsafe {
            if self.prices {
                args.along().dry = 1;
                expansion.start_on(machine, scheme, grid, &args, Account::Tiling)?;
                args.along().dry = 0;
                // What every balance does: looks at the rows.
                let scratch = self.lists.scratch();
                machine.on_account(Account::Bare, || {
                    self.frontiers.count_arcs(machine, work.members, rows, Tally::of(scratch))
                })?;
            }
            if let Some(sampling) = self.sampling() {
                sampling.start(machine, scheme, grid, *args.along())?;
            }
            expansion.start(machine, scheme, grid, &args)
        }
    }

    /// # Safety
    /// As for [`Balancer::run`].
    pub(super) unsafe fn resident<A: Expand>(&mut self, mut deal: Deal<'_, '_, A>) -> Result<()> {
        let Deal { machine, side, rows, work, .. } = deal;
        let kept = Arc::clone(self.kept_of(side)?);
        let Some(store) = &kept.tiles else { unreachable!("prepared for `resident`") };
        let tiles = self.tiles();
        let (members, arcs) = (work.members, work.arcs.unwrap_or(self.copies() * rows.arcs() as u64));
        let along = deal.args.along();
        (along.least, along.align) = (tiles.min, tiles::alignment(tiles));
        along.records = store.records();
        let is_everything = self.is_everything(members);
        let most = tiles::most_tiles(tiles, machine.block(), members.count, arcs);
        let mut loose = None;
        match store.everything().filter(|_| self.takes_everything(members)) {
            Some(size) => {
                (along.items, along.size) = (Address::NULL, size);
                self.taken += store.held()?;
            }
            None => {
                let room = self.copies() * self.most_tiles;
                let listed = store.args(rows, self.vertices, members);
                let listed = self.lists.tiles(machine, store, listed, room, self.slots)?;
                (along.work, along.sources, along.size) = (listed.0.tiles, listed.0.bases, listed.0.size);
                loose = listed.1;
                store.meet(is_everything);
            }
        }
        // SAFETY: as promised to `run`; the list holds tiles of the rows.
        unsafe {
            let grid = Grid::Tiles(most, arcs);
            self.by_tiles(Scheme::Resident, grid, deal)?;
            let Some(loose) = loose else { return Ok(()) };
            let along = deal.args.along();
            (along.items, along.size, along.count) = (loose.items, loose.size, loose.count);
            (along.work, along.sources) = (Address::NULL, Address::NULL);
            self.tiled(Deal { work: Work { members: loose, ..work }, ..deal })
        }
    }
}
