//! Lists of the neighbours above each vertex, made on the device of rows that are there.
//!
//! Invariants: the list of u is `entries[first[u]..first[u + 1]]`, in increasing order, without duplicates; of two neighbours
//! exactly one has the other in its list.

use super::TrianglesArgs;
use crate::{
    Resident,
    machine::{Grid, Launch, Machine},
    memory::LEAST_BLOCK,
    resident::{DeviceRows, Side},
    scan::{Room, Scan},
    variants,
};
use bytemuck::Zeroable;
use std::sync::Arc;
use warpgraph_core::Result;
use warpgraph_device::{Address, Array, Pinned};
use warpgraph_graph::{Graph, Vertex};

/// Bits of a word.
const WORD: usize = 32;

/// Lists on the device; see the module head.
pub(super) struct Lists {
    pub(super) first: Array<u8>,
    pub(super) entries: Array<Vertex>,
}

impl Lists {
    /// How many entries there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.first.bytes() + self.entries.bytes()
    }
}

/// The rows, and the kernels that make lists of them.
pub(super) struct Maker<'m, 'a> {
    machine: &'m Machine<'a>,
    vertices: usize,
    width: usize,
    out: Arc<DeviceRows>,
    /// Of a directed graph.
    incoming: Option<Arc<DeviceRows>>,
    keep: Launch<TrianglesArgs>,
    first: Launch<TrianglesArgs>,
    list: Launch<TrianglesArgs>,
    add: Launch<TrianglesArgs>,
    merge: Launch<TrianglesArgs>,
    scan: Scan,
    total: Array<u64>,
    seen: Pinned<u64>,
}

/// Which arcs are kept, how many before each word of them, and room to add those up.
struct Kept {
    bits: Array<u32>,
    ranks: Array<u8>,
    room: Room,
}

impl<'m, 'a> Maker<'m, 'a> {
    /// Brings the rows to the device and compiles.
    pub(super) fn new(resident: &Resident, machine: &'m Machine<'a>) -> Result<Self> {
        let wide = resident.is_wide();
        let out = resident.rows(Side::Out)?;
        let incoming = if resident.graph().is_directed() { Some(resident.rows(Side::In)?) } else { None };
        let source = variants::triangles(wide)?;
        let kernel = |name| machine.kernel(&source, name);
        Ok(Self {
            machine,
            vertices: resident.graph().vertices(),
            width: if wide { 8 } else { 4 },
            out,
            incoming,
            keep: kernel("triangles_keep")?,
            first: kernel("triangles_first")?,
            list: kernel("triangles_list")?,
            add: kernel("triangles_add")?,
            merge: kernel("triangles_merge")?,
            scan: Scan::new(machine, wide)?,
            total: machine.zeros(1, "the number of edges")?,
            seen: machine.gpu().pinned(1, "the number of edges").map_err(crate::lift)?,
        })
    }

    /// The lists. Nothing is under way when they are there.
    pub(super) fn lists(&mut self) -> Result<Lists> {
        let words = self.out.arcs().div_ceil(WORD);
        let kept = Kept {
            bits: self.machine.array(words, "arcs that are kept")?,
            ranks: self.machine.array((words + 1) * self.width, "places of arcs")?,
            room: self.scan.room(self.machine, words)?,
        };
        let out = Arc::clone(&self.out);
        let Some(incoming) = self.incoming.clone() else {
            return self.of_rows(&kept, &out, None, false);
        };
        let lists = self.of_rows(&kept, &out, Some(&incoming), false)?;
        let others = self.of_rows(&kept, &incoming, Some(&out), true)?;
        drop(kept);
        self.merged(&lists, &others)
    }

    /// Where lists begin, not yet written.
    fn starts(&self) -> Result<Array<u8>> {
        self.machine.array((self.vertices + 1) * self.width, "where lists begin")
    }

    /// The part of the lists that is in these rows; what the rows of the other direction have is left out if that is said.
    fn of_rows(
        &mut self,
        kept: &Kept,
        rows: &DeviceRows,
        others: Option<&DeviceRows>,
        unless_there: bool,
    ) -> Result<Lists> {
        let (vertices, arcs) = (self.vertices as u64, rows.arcs());
        let first = self.starts()?;
        let mut args = TrianglesArgs {
            offsets: rows.offsets(),
            targets: rows.targets(),
            other_offsets: others.map_or(Address::NULL, DeviceRows::offsets),
            other_targets: others.map_or(Address::NULL, DeviceRows::targets),
            vertices,
            unless_there: u64::from(unless_there),
            kept: kept.bits.address(),
            ranks: kept.ranks.address().cast(),
            first: first.address().cast(),
            total: self.total.address(),
            cancel: self.machine.gpu().cancel_address(),
            ..TrianglesArgs::zeroed()
        };
        // SAFETY: rows of one graph, of as many arcs either way; a word and a rank for each 32 of them; all lives until the wait.
        unsafe { self.machine.start(&self.keep, Grid::For(arcs.div_ceil(WORD) as u64), &args)? };
        self.scan.run(self.machine, &kept.ranks, arcs.div_ceil(WORD), &kept.room)?;
        // SAFETY: as above; `first` has an entry a vertex and one more.
        unsafe { self.machine.start(&self.first, Grid::For(vertices + 1), &args)? };
        self.machine.fetch(&mut self.seen, &self.total)?;
        let entries = self.machine.array(self.seen.get(0) as usize, "lists")?;
        args.list = entries.address();
        // SAFETY: as above; there are as many entries as arcs are kept.
        unsafe { self.machine.start(&self.list, Grid::For(arcs as u64), &args)? };
        self.machine.wait()?;
        Ok(Lists { first, entries })
    }

    /// One list a vertex of two that have no entry in common.
    fn merged(&self, lists: &Lists, others: &Lists) -> Result<Lists> {
        let merged = Lists {
            first: self.starts()?,
            entries: self.machine.array(lists.len() + others.len(), "merged lists")?,
        };
        for (own, other) in [(lists, others), (others, lists)] {
            let args = TrianglesArgs {
                other_offsets: other.first.address().cast(),
                other_targets: other.entries.address(),
                first: merged.first.address().cast(),
                list: merged.entries.address(),
                cancel: self.machine.gpu().cancel_address(),
                ..own.args(self.vertices)
            };
            // SAFETY: an entry's place is its number in its own lists and that of all lesser ones in the others, so less than the
            // sum of both; all lists live until the wait.
            unsafe {
                self.machine.start(&self.add, Grid::For(args.vertices + 1), &args)?;
                self.machine.start(&self.merge, Grid::For(own.len().div_ceil(WORD) as u64), &args)?;
            }
        }
        self.machine.wait()?;
        Ok(merged)
    }
}

/// Bytes that making lists takes at most, and so what they take themselves.
pub(super) fn bytes(graph: &Graph, offset: u64) -> u64 {
    let (n, m) = (graph.vertices() as u64, graph.arcs() as u64);
    let words = m.div_ceil(WORD as u64);
    let kept = 4 * words + offset * (words + 1 + words.div_ceil(LEAST_BLOCK));
    let starts = offset * (n + 1);
    match graph.is_directed() {
        // Bits and ranks are let go before lists are merged, which takes more.
        true => 3 * starts + 2 * 4 * m,
        false => kept + starts + 4 * (m / 2),
    }
}
