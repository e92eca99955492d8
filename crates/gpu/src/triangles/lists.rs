//! The lists of the neighbours before each vertex in the order of ranks, built on the device from its rows.
//!
//! Invariants: the list of u is `entries[first[u]..first[u + 1]]`: ranks less than that of u, each once. Of two
//! neighbours, exactly one has the other in its list. Lists of at most [`Sizes::sorted`](super::Sizes) entries are in
//! increasing order.

use super::{TrianglesArgs, order::Ranked};
use crate::{
    arguments::Edges,
    device_graph::DeviceRows,
    machine::{Grid, Launch, Machine},
    memory::{Extent, LEAST_BLOCK},
    scan::{Room, Scan},
};
use bytemuck::Zeroable;
use warpgraph_core::Result;
use warpgraph_device::{Address, Array, Pinned, Source};

/// Bits per word.
const WORD: usize = 32;

/// Lists on the device; see the module head.
pub(super) struct Lists {
    pub(super) first: Array<u8>,
    pub(super) entries: Array<u32>,
}

impl Lists {
    /// Returns the number of entries.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.first.bytes() + self.entries.bytes()
    }
}

/// The kernels that build lists.
pub(super) struct Maker<'m, 'a> {
    machine: &'m Machine<'a>,
    width: usize,
    keep: Launch<TrianglesArgs>,
    first: Launch<TrianglesArgs>,
    list: Launch<TrianglesArgs>,
    add: Launch<TrianglesArgs>,
    part: Launch<TrianglesArgs>,
    sort: Launch<TrianglesArgs>,
    scan: Scan,
    total: Array<u64>,
    seen: Pinned<u64>,
}

/// The kept arcs of a direction as bits, the number of kept arcs before each word of bits, and before each row.
struct Kept<'r> {
    rows: &'r DeviceRows,
    bits: Array<u32>,
    before: Array<u8>,
    first: Array<u8>,
    room: Room,
}

impl<'m, 'a> Maker<'m, 'a> {
    pub(super) fn new(machine: &'m Machine<'a>, source: &Source, wide: bool) -> Result<Self> {
        let kernel = |name| machine.kernel(source, name);
        Ok(Self {
            machine,
            width: if wide { 8 } else { 4 },
            keep: kernel("triangles_keep")?,
            first: kernel("triangles_first")?,
            list: kernel("triangles_list")?,
            add: kernel("triangles_add")?,
            part: kernel("triangles_part")?,
            sort: kernel("triangles_sort")?,
            scan: Scan::new(machine, wide)?,
            total: machine.zeros(1, "the number of edges")?,
            seen: machine.gpu().pinned(1, "the number of edges").map_err(crate::lift)?,
        })
    }

    /// Returns the lists of the ranked vertices, when the device is idle. `args` has the sizes that tune the kernels.
    pub(super) fn lists(
        &mut self,
        out: &DeviceRows,
        incoming: Option<&DeviceRows>,
        ranked: &Ranked,
        args: TrianglesArgs,
    ) -> Result<Lists> {
        let args = TrianglesArgs {
            rank: ranked.rank.address(),
            entries: self.total.address(),
            cancel: self.machine.gpu().cancel_address(),
            vertices: args.vertices,
            sorted: args.sorted,
            ..TrianglesArgs::zeroed()
        };
        let kept = self.kept(out, None, args)?;
        let lists = match incoming {
            None => self.of_one(kept, args)?,
            Some(incoming) => {
                let others = self.kept(incoming, Some(out), args)?;
                self.of_both(&kept, &others, args)?
            }
        };
        let args =
            TrianglesArgs { list: lists.entries.address(), first: lists.first.address().cast(), ..args };
        // SAFETY: the lists are as the kernel requires, and live until the wait.
        unsafe { self.machine.start(&self.sort, Grid::For(args.vertices), &args)? };
        self.machine.wait()?;
        Ok(lists)
    }

    /// Allocates the starts of lists.
    fn starts(&self, vertices: u64) -> Result<Array<u8>> {
        self.machine.array((vertices as usize + 1) * self.width, "where lists begin")
    }

    /// Marks the arcs of these rows that belong in lists, except arcs that the rows of the other direction have too.
    fn kept<'r>(
        &self,
        rows: &'r DeviceRows,
        others: Option<&DeviceRows>,
        args: TrianglesArgs,
    ) -> Result<Kept<'r>> {
        let words = rows.arcs().div_ceil(WORD);
        let kept = Kept {
            rows,
            bits: self.machine.array(words, "arcs that are kept")?,
            before: self.machine.array((words + 1) * self.width, "places of arcs")?,
            first: self.starts(args.vertices)?,
            room: self.scan.room(self.machine, words)?,
        };
        let args = TrianglesArgs {
            other_offsets: others.map_or(Address::NULL, DeviceRows::offsets),
            other_targets: others.map_or(Edges::NONE, DeviceRows::targets),
            ..kept.args(args)
        };
        // SAFETY: both rows are of one graph; there is a word and a number per 32 arcs; all arrays live until a wait.
        unsafe { self.machine.start(&self.keep, Grid::For(words as u64), &args)? };
        self.scan.run(self.machine, &kept.before, words, &kept.room)?;
        // SAFETY: as above; `first` has an entry per vertex and one more.
        unsafe { self.machine.start(&self.first, Grid::For(args.vertices + 1), &args)? };
        Ok(kept)
    }

    /// Waits for the number of entries, and allocates them.
    fn entries(&mut self) -> Result<Array<u32>> {
        self.machine.fetch(&mut self.seen, &self.total)?;
        self.machine.array(self.seen.get(0) as usize, "lists")
    }

    /// Builds the lists from the rows of one direction.
    fn of_one(&mut self, kept: Kept<'_>, args: TrianglesArgs) -> Result<Lists> {
        let entries = self.entries()?;
        let args = TrianglesArgs { list: entries.address(), ..kept.args(args) };
        // SAFETY: there are as many entries as kept arcs; all arrays live until the wait.
        unsafe { self.machine.start(&self.list, Grid::For(kept.rows.arcs() as u64), &args)? };
        self.machine.wait()?;
        Ok(Lists { first: kept.first, entries })
    }

    /// Builds the lists from the kept outgoing arcs, followed by the kept incoming arcs.
    fn of_both(&mut self, out: &Kept<'_>, incoming: &Kept<'_>, args: TrianglesArgs) -> Result<Lists> {
        let first = self.starts(args.vertices)?;
        let sum = TrianglesArgs {
            offsets: out.first.address().cast(),
            other_offsets: incoming.first.address().cast(),
            first: first.address().cast(),
            ..args
        };
        // SAFETY: all three arrays have an entry per vertex and one more, and live until the wait.
        unsafe { self.machine.start(&self.add, Grid::For(args.vertices + 1), &sum)? };
        let entries = self.entries()?;
        for (kept, other, behind) in [(out, incoming, 0), (incoming, out, 1)] {
            let list = entries.address();
            let args = TrianglesArgs { first: other.first.address().cast(), behind, list, ..kept.args(args) };
            let words = kept.rows.arcs().div_ceil(WORD) as u64;
            // SAFETY: the position of an entry is the number of entries before it in both directions, so it is below
            // their sum; all arrays live until the wait.
            unsafe { self.machine.start(&self.part, Grid::For(words), &args)? };
        }
        self.machine.wait()?;
        Ok(Lists { first, entries })
    }
}

impl Kept<'_> {
    fn args(&self, args: TrianglesArgs) -> TrianglesArgs {
        TrianglesArgs {
            offsets: self.rows.offsets(),
            targets: self.rows.targets(),
            kept: self.bits.address(),
            before: self.before.address().cast(),
            first: self.first.address().cast(),
            ..args
        }
    }
}

/// Returns the most bytes that building lists takes, the lists included.
pub(super) fn bytes(graph: &dyn Extent, offset: u64) -> u64 {
    let (n, m) = (graph.vertices() as u64, graph.arcs() as u64);
    let words = m.div_ceil(WORD as u64);
    let starts = offset * (n + 1);
    let kept = 4 * words + offset * (words + 1 + words.div_ceil(LEAST_BLOCK)) + starts;
    match graph.is_directed() {
        true => 2 * kept + starts + 4 * m,
        false => kept + 4 * (m / 2),
    }
}
