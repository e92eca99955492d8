//! Partitions of edges in host memory that are copied to the device ahead of a superstep.
//!
//! A *partition* is a group of consecutive pages. Before each superstep that pushes, a kernel counts what the frontier reads of
//! every partition. [`Choice`] then decides for each, with rates measured on this machine, whether kernels read it in place,
//! line by line, or the copy engine brings all of it to the *staging area* first. There it stays until a partition that is
//! read more needs the place, so a superstep *finds* what an earlier one copied. HyTGraph chooses so per partition and
//! iteration. Its third way, to gather the active rows on the host, is the residency `streamed`: it needs the frontier and
//! the processors of the host, while lines that kernels read in order cross the bus at nearly the speed of a copy already.
//!
//! The frontier is expanded in groups: first the rows of partitions that are found or read in place, then batch by batch those
//! of partitions that are copied. While kernels expand one group, the next batch crosses the bus. Between groups, a kernel
//! changes the table of pages. The table belongs to the run, and each run begins with one in which nothing is staged: no run
//! finds what another one left behind, however that ended.
//!
//! Costs, beside the staging area: [`bytes`] on the device, and per superstep two kernels over the frontier, one wait, and
//! three launches per batch. Supersteps that read too little to gain from that are expanded as they are.

mod choice;
mod rates;

use super::{
    counted::Counts,
    hot::{Column, FAR, Lent, PAGE},
};
use crate::{
    DeviceGraph,
    arguments::Edges,
    device_graph::{DeviceRows, Side},
    error::lift,
    frontier::Members,
    machine::{Grid, Launch, Machine},
    variants,
};
use bytemuck::Zeroable;
use choice::{Asked, Choice};
pub(crate) use choice::{Batch, Deal};
use std::{fmt::Write as _, ops::Range, sync::Arc};
use warpgraph_core::{Ahead, Partitions, Result};
use warpgraph_device::{Address, Array, Carrier, Landing, Pinned, arguments};
use warpgraph_graph::Vertex;

/// The most partitions of a direction: their counters come to the host in every superstep.
const MOST: usize = 2048;
/// What the list of a frontier is for.
const LIST: &str = "a frontier by partitions";
/// Numbers per partition that the device counts.
const NUMBERS: usize = 3;
/// The place of a partition that leaves the staging area: `NO_PLACE` in `kernels/staged.cu`.
const NO_PLACE: u64 = u32::MAX as u64;

arguments! {
    /// The arguments of the kernels of partitions.
    pub(crate) struct StagedArgs {
        pub(crate) offsets: Address<()>,
        /// The frontier; null if it is all vertices.
        pub(crate) items: Address<u32>,
        pub(crate) count: u64,
        /// Vertices of one copy of the graph.
        pub(crate) vertices: u64,
        /// Arcs and pages of all rows.
        pub(crate) arcs: u64,
        pub(crate) pages: u64,
        /// The logarithm of the arcs of a partition.
        pub(crate) shift: u64,
        /// How many pages before each are in host memory.
        pub(crate) far_before: Address<u32>,
        /// Get lines, rows and arcs of each partition.
        pub(crate) counts: Address<u64>,
        /// Where the rows of each partition go in the list.
        pub(crate) cursors: Address<u64>,
        pub(crate) list: Address<u32>,
        /// Partitions that move: the number of each, and its place in the upper half.
        pub(crate) moved: Address<u64>,
        pub(crate) moves: u64,
        /// The slots of pages without the staging area, and with it.
        pub(crate) fixed: Address<u32>,
        pub(crate) table: Address<u32>,
        /// The slot of the first page of the staging area.
        pub(crate) first_place: u64,
    }
}

/// Returns the `#define` lines that the kernels need.
pub(crate) fn defines() -> String {
    let mut text = String::new();
    let _ = writeln!(text, "#define PAGE_BITS {}\n#define FAR_PAGE {FAR:#x}u", PAGE.trailing_zeros());
    let _ = writeln!(
        text,
        "// A partition without a place in the staging area.\n#define NO_PLACE {NO_PLACE:#x}u"
    );
    text
}

/// Returns the pages of a partition of rows with so many pages.
pub(crate) fn pages_each(pages: usize) -> usize {
    pages.div_ceil(MOST).next_power_of_two()
}

/// Returns the bytes that a run takes beside its staging areas, on a graph of so many vertices, for so many directions of so
/// many arcs.
pub(crate) fn bytes(vertices: u64, sides: u64, arcs: u64) -> u64 {
    let pages = arcs.div_ceil(PAGE as u64);
    let partitions = pages.div_ceil(pages_each(pages as usize) as u64);
    4 * vertices + sides * (4 * pages + 4 * (pages + 1) + 8 * (NUMBERS as u64 + 1) * partitions)
}

/// The kernels that partitions need.
struct Kernels {
    count: Launch<StagedArgs>,
    group: Launch<StagedArgs>,
    map: Launch<StagedArgs>,
}

/// The staging areas of a run.
pub(crate) struct Staging {
    kernels: Kernels,
    areas: Areas,
    /// The frontier, by partitions.
    list: Array<Vertex>,
    /// Vertices of one copy of the graph.
    vertices: usize,
    carrier: Carrier,
    counts: Option<Arc<Counts>>,
    told: Partitions,
    /// What the superstep did.
    now: Partitions,
}

/// The staging areas by direction. Both directions of an undirected graph have the same rows, and so the same area.
struct Areas {
    all: Vec<(Side, Area)>,
    directed: bool,
}

impl Areas {
    fn of(&mut self, side: Side) -> Option<&mut Area> {
        let kept = if self.directed { side } else { Side::Out };
        self.all.iter_mut().find(|(known, _)| *known == kept).map(|(_, area)| area)
    }
}

/// The staging area of a direction.
struct Area {
    lent: Lent,
    targets: Arc<Column>,
    weights: Option<Arc<Column>>,
    choice: Choice,
    far_before: Array<u32>,
    table: Array<u32>,
    counts: Array<u64>,
    seen: Pinned<u64>,
    cursors: Array<u64>,
    first: Pinned<u64>,
    moved: Pinned<u64>,
    /// Entries of `moved` that are used.
    moves: usize,
    /// Pages per partition.
    each: usize,
    arcs: usize,
}

/// A frontier that is listed by partitions, and what to do with each.
pub(crate) struct Grouped {
    pub(crate) deal: Deal,
    /// The rows and arcs of every group: those that no copy is for, then those of each batch.
    pub(crate) groups: Vec<Group>,
}

/// Consecutive rows of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) rows: Range<u64>,
    pub(crate) arcs: u64,
}

impl Staging {
    /// Takes the staging areas of these directions for a run; `None` if there are none, or if another run uses one of them.
    ///
    /// # Errors
    /// When memory is short; those of compiling.
    pub(crate) fn new(
        machine: &Machine<'_>,
        device_graph: &DeviceGraph,
        sides: &[Side],
    ) -> Result<Option<Self>> {
        let ahead = device_graph.layout().residency.ahead();
        if ahead == Ahead::Off || sides.is_empty() {
            return Ok(None);
        }
        let mut areas: Vec<(Side, Area)> = Vec::with_capacity(sides.len());
        for side in sides.iter().map(|&side| device_graph.kept_side(side)) {
            if areas.iter().any(|(known, _)| *known == side) {
                continue;
            }
            let rows = device_graph.rows(side)?;
            let Some(lent) = device_graph.pages(side).and_then(|pages| pages.lend()) else { return Ok(None) };
            let Some(targets) = lent.column(rows.targets()) else { return Ok(None) };
            areas.push((side, Area::new(machine, device_graph, side, lent, targets)?));
        }
        let source = variants::staged(device_graph.is_wide())?;
        let kernel = |name| machine.kernel(&source, name);
        let kernels = Kernels {
            count: kernel("staged_count")?,
            group: kernel("staged_group")?,
            map: kernel("staged_map")?,
        };
        let vertices = device_graph.graph().vertices();
        let list = machine.array(vertices, LIST)?;
        let (pages, room) = areas.first().map_or((0, 0), |(_, area)| (area.each, area.choice.room()));
        Ok(Some(Self {
            kernels,
            areas: Areas { all: areas, directed: device_graph.graph().is_directed() },
            list,
            vertices,
            carrier: Carrier::new(machine.gpu()),
            counts: device_graph.counts(),
            told: Partitions { pages: pages as u64, room: room as u64, ..Partitions::default() },
            now: Partitions::default(),
        }))
    }

    /// Makes room for the frontiers of this many copies of the graph, which share what is staged.
    ///
    /// # Errors
    /// When memory is short.
    pub(crate) fn with_copies(mut self, machine: &Machine<'_>, copies: usize) -> Result<Self> {
        if copies > 1 {
            self.list = machine.array(self.vertices * copies, LIST)?;
        }
        Ok(self)
    }

    /// Returns the bytes that a further copy of the graph takes.
    pub(crate) fn bytes_per_copy(&self) -> u64 {
        (self.vertices * size_of::<Vertex>()) as u64
    }

    /// Returns what partitions were read how in the whole run.
    pub(crate) fn told(&self) -> Partitions {
        self.told
    }

    /// Returns what partitions were read how since the last call.
    pub(crate) fn now(&mut self) -> Partitions {
        std::mem::take(&mut self.now)
    }

    /// Returns the bytes that it takes on the device, beside the staging areas.
    pub(crate) fn bytes(&self) -> u64 {
        let areas = self.areas.all.iter().map(|(_, area)| {
            area.far_before.bytes() + area.table.bytes() + area.counts.bytes() + area.cursors.bytes()
        });
        self.list.bytes() + areas.sum::<u64>()
    }

    /// Returns edges of a direction as kernels read them with what is staged: its targets, or its weights.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn reached(&mut self, machine: &Machine<'_>, side: Side, edges: Edges) -> Result<Edges> {
        let Some(area) = self.areas.of(side) else { return Ok(edges) };
        let Some(column) = area.lent.column(edges) else { return Ok(edges) };
        let table = area.table.address();
        let is_known = Arc::ptr_eq(&column, &area.targets)
            || area.weights.as_ref().is_some_and(|weights| Arc::ptr_eq(weights, &column));
        if !is_known {
            // What was staged so far is without these weights.
            area.weights = Some(column);
            area.choice.empty();
            area.table.copy_from(area.lent.slots()).map_err(lift)?;
            // Copies into its places come after the kernels that read them.
            machine.wait()?;
        }
        Ok(Edges { slots: table, ..edges })
    }

    /// Counts what a frontier reads of each partition, decides what to do with each, and lists the frontier accordingly.
    /// Returns `None` if no partition is to be copied, so that the frontier can be expanded as it is. Waits for everything
    /// that was launched.
    ///
    /// # Errors
    /// When interrupted, or when the device fails.
    pub(crate) fn group(
        &mut self,
        machine: &Machine<'_>,
        side: Side,
        rows: &DeviceRows,
        members: Members,
        arcs: Option<u64>,
    ) -> Result<Option<Grouped>> {
        let (capacity, vertices) = (self.list.len() as u64, self.vertices as u64);
        let list = self.list.address();
        let Some(area) = self.areas.of(side) else { return Ok(None) };
        let is_listed = members.size.raw() == 0 && members.starts.raw() == 0 && members.count <= capacity;
        let most = area.arcs as u64 * (capacity / vertices.max(1));
        let all = arcs.unwrap_or(most).min(most);
        if !is_listed || !area.choice.is_worth_counting(all, members.count) {
            return Ok(None);
        }
        let args = StagedArgs { offsets: rows.offsets(), vertices, list, ..area.args(members) };
        let asked = area.count(machine, &self.kernels, &args)?;
        let deal = area.choice.deal(&asked);
        let told = deal.told();
        self.now = added(self.now, told);
        self.told = added(self.told, told);
        if deal.batches.is_empty() {
            return Ok(None);
        }
        let groups = area.list(machine, &self.kernels, &args, &asked, &deal)?;
        Ok(Some(Grouped { deal, groups }))
    }

    /// Takes the places that a batch needs from the partitions that have them, and queues its copies behind that. Nothing
    /// but kernels launched before may read these places.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn send(&mut self, machine: &Machine<'_>, side: Side, batch: &Batch) -> Result<Landing> {
        let Some(area) = self.areas.of(side) else {
            unreachable!("batches are of a direction that has a staging area")
        };
        area.map(machine, &self.kernels, batch.leaving.iter().map(|&partition| (partition, NO_PLACE)))?;
        self.carrier.after_kernels().map_err(lift)?;
        let before = self.carrier.moved();
        for column in std::iter::once(&area.targets).chain(&area.weights) {
            for (partitions, place) in runs(&batch.copies) {
                let arcs = area.arcs_of(partitions);
                let bytes = arcs.start * column.width..arcs.end.min(column.len) * column.width;
                let at = (area.lent.pages().len() + place * area.each) * PAGE * column.width;
                // SAFETY: kernels launched before have been told that nothing is there any more, and those launched later are
                // told that something is once the copy has ended, by `land`.
                unsafe { self.carrier.carry(&column.channel, bytes, at) }.map_err(lift)?;
            }
        }
        let bytes = self.carrier.moved() - before;
        (self.told.bytes, self.now.bytes) = (self.told.bytes + bytes, self.now.bytes + bytes);
        if let Some(counts) = &self.counts {
            counts.carried(bytes, bytes.min(batch.arcs * area.entry_bytes()));
        }
        self.carrier.landing().map_err(lift)
    }

    /// Makes kernels that are launched later wait for the copies of a batch, and read them.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn land(
        &mut self,
        machine: &Machine<'_>,
        side: Side,
        batch: &Batch,
        landing: &Landing,
    ) -> Result<()> {
        landing.before_kernels().map_err(lift)?;
        let kernels = &self.kernels;
        let Some(area) = self.areas.of(side) else { return Ok(()) };
        area.map(
            machine,
            kernels,
            batch.copies.iter().map(|&(partition, place)| (partition, u64::from(place))),
        )
    }

    /// Returns the rows of a group.
    pub(crate) fn members(&self, group: &Group) -> Members {
        let items = Address::new(self.list.address().raw() + 4 * group.rows.start);
        Members::listed(items, group.rows.end - group.rows.start)
    }
}

impl Area {
    fn new(
        machine: &Machine<'_>,
        device_graph: &DeviceGraph,
        side: Side,
        lent: Lent,
        targets: Arc<Column>,
    ) -> Result<Self> {
        let (pages, staged) = lent.counts();
        let each = pages_each(pages);
        let (partitions, room) = (pages.div_ceil(each), staged / each);
        let far_before = far_before(pages, lent.pages());
        let lines = |partition: usize| {
            let (first, end) = (partition * each, ((partition + 1) * each).min(pages));
            u64::from(far_before[end] - far_before[first]) * (PAGE / choice::LINE_ARCS) as u64
        };
        let lines = (0..partitions).map(lines).collect();
        let always = matches!(device_graph.layout().residency.ahead(), Ahead::All(_));
        let rates = rates::of(machine, device_graph, side, &lent, &targets, each)?;
        let gpu = machine.gpu();
        let mut table = machine.array(pages, "places of pages")?;
        table.copy_from(lent.slots()).map_err(lift)?;
        let pinned = |entries| gpu.pinned(entries, "counts of partitions").map_err(lift);
        Ok(Self {
            choice: Choice::new(lines, room, rates, always),
            far_before: gpu.array_of(&far_before, "pages in host memory").map_err(lift)?,
            table,
            counts: machine.zeros(NUMBERS * partitions, "counts of partitions")?,
            seen: pinned(NUMBERS * partitions)?,
            cursors: machine.array(partitions, "cursors of partitions")?,
            first: pinned(partitions)?,
            // A partition comes once in a superstep, and leaves twice at most: before it comes, and after.
            moved: pinned(3 * partitions)?,
            moves: 0,
            arcs: targets.len,
            weights: None,
            targets,
            lent,
            each,
        })
    }

    fn args(&self, members: Members) -> StagedArgs {
        StagedArgs {
            items: members.items,
            count: members.count,
            arcs: self.arcs as u64,
            pages: self.lent.counts().0 as u64,
            shift: u64::from((self.each * PAGE).trailing_zeros()),
            far_before: self.far_before.address(),
            counts: self.counts.address(),
            cursors: self.cursors.address(),
            ..StagedArgs::zeroed()
        }
    }

    /// Returns the arcs of some partitions; the last one may have fewer.
    fn arcs_of(&self, partitions: Range<usize>) -> Range<usize> {
        let arcs = self.each * PAGE;
        (partitions.start * arcs).min(self.arcs)..(partitions.end * arcs).min(self.arcs)
    }

    /// Returns the bytes of an arc in all columns.
    fn entry_bytes(&self) -> u64 {
        (self.targets.width + self.weights.as_ref().map_or(0, |weights| weights.width)) as u64
    }

    fn count(&mut self, machine: &Machine<'_>, kernels: &Kernels, args: &StagedArgs) -> Result<Vec<Asked>> {
        self.counts.fill_bytes(0).map_err(lift)?;
        // SAFETY: members are vertices of copies of the graph of these rows; there are counters for all partitions.
        unsafe { machine.start(&kernels.count, Grid::For(args.count), args)? };
        machine.fetch(&mut self.seen, &self.counts)?;
        // Nothing is running, so the entries of the last superstep may be written over.
        self.moves = 0;
        let partitions = 0..self.cursors.len();
        let number = |partition: usize, which: usize| self.seen.get(NUMBERS * partition + which);
        let asked =
            partitions.map(|at| Asked { lines: number(at, 0), rows: number(at, 1), arcs: number(at, 2) });
        Ok(asked.collect())
    }

    /// Lists the frontier by groups. Returns where each stands.
    fn list(
        &mut self,
        machine: &Machine<'_>,
        kernels: &Kernels,
        args: &StagedArgs,
        asked: &[Asked],
        deal: &Deal,
    ) -> Result<Vec<Group>> {
        let (mut at, mut groups) = (0, Vec::with_capacity(deal.batches.len() + 1));
        let copied = deal.batches.iter().map(|batch| batch.copies.iter().map(|copy| copy.0).collect());
        for partitions in std::iter::once(deal.stay.clone()).chain(copied) {
            let (first, mut arcs) = (at, 0);
            for &partition in &partitions {
                let asked = asked[partition as usize];
                self.first.set(partition as usize, at);
                (at, arcs) = (at + asked.rows, arcs + asked.arcs);
            }
            groups.push(Group { rows: first..at, arcs });
        }
        self.cursors.copy_from_pinned(&self.first).map_err(lift)?;
        // SAFETY: the list has room for all members, which are different vertices of copies; the cursors of all partitions that rows
        // end in were set, apart by the numbers of their rows.
        unsafe { machine.start(&kernels.group, Grid::For(args.count), args)? };
        Ok(groups)
    }

    /// Changes the places of some partitions in the table, behind all kernels launched so far.
    fn map(
        &mut self,
        machine: &Machine<'_>,
        kernels: &Kernels,
        moves: impl Iterator<Item = (u32, u64)>,
    ) -> Result<()> {
        let first = self.moves;
        for (partition, place) in moves {
            self.moved.set(self.moves, u64::from(partition) | place << 32);
            self.moves += 1;
        }
        let args = StagedArgs {
            moved: Address::new(self.moved.address().raw() + 8 * first as u64),
            moves: (self.moves - first) as u64,
            fixed: self.lent.slots().address(),
            table: self.table.address(),
            first_place: self.lent.pages().len() as u64,
            ..self.args(Members::listed(Address::NULL, 0))
        };
        // SAFETY: the table has an entry per page, and its places lie in the pool behind the hot pages. The entries of
        // `moved` stay as they are until the next wait.
        unsafe { machine.start(&kernels.map, Grid::For(args.moves * self.each as u64), &args) }
    }
}

/// Returns, for each page and behind the last, how many pages before are not hot.
fn far_before(pages: usize, hot: &[u32]) -> Vec<u32> {
    let (mut before, mut hot) = (Vec::with_capacity(pages + 1), hot.iter().peekable());
    let mut far = 0;
    for page in 0..pages as u32 {
        before.push(far);
        far += u32::from(hot.next_if_eq(&&page).is_none());
    }
    before.push(far);
    before
}

/// Returns the copies of a batch as runs of partitions that follow each other, in places that do too.
fn runs(copies: &[(u32, u32)]) -> Vec<(Range<usize>, usize)> {
    let mut runs: Vec<(Range<usize>, usize)> = Vec::new();
    for &(partition, place) in copies {
        let (partition, place) = (partition as usize, place as usize);
        match runs.last_mut() {
            Some((run, first)) if run.end == partition && *first + run.len() == place => run.end += 1,
            _ => runs.push((partition..partition + 1, place)),
        }
    }
    runs
}

fn added(all: Partitions, more: Partitions) -> Partitions {
    Partitions {
        copied: all.copied + more.copied,
        found: all.found + more.found,
        in_place: all.in_place + more.in_place,
        ..all
    }
}
