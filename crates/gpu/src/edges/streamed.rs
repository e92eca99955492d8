//! Streams the rows of a frontier: the host gathers them, chunk by chunk, and sends each chunk ahead of its use.
//!
//! A *chunk* has the rows of consecutive entries of the frontier: where the row of each begins within the chunk, the
//! targets of their arcs, and weights if the functor reads them. Rows are never cut. While kernels work on one chunk, the
//! host fills the next on all threads, and the copy stream carries it over ([`Relay`]). What is not in the frontier is
//! neither read nor sent, so a mapped file may be larger than the host's memory.
//!
//! A [`Streamer`] stays with the graph between runs: see [`Lease`].

mod frontier;
mod lease;

pub(crate) use frontier::Frontier;
pub(crate) use lease::{Lease, longest_of};

use crate::{arguments::Edges, error::lift, frontier::Members, machine::Machine};
use frontier::{List, first_without};
use std::ops::Range;
use warpgraph_core::Result;
use warpgraph_device::{Address, Pinned, Relay};
use warpgraph_graph::{Csr, Vertex, par};

/// Slots of the relay.
const SLOTS: usize = 3;
/// Parts of a chunk start at multiples of this.
const ALIGNMENT: usize = 128;
/// Chunks of a frontier at least, so that gathering, copying and kernels overlap.
const OVERLAP: usize = 8;
/// A chunk of fewer bytes takes longer to start than to send.
const LEAST_CHUNK: usize = 1 << 20;
/// Entries of a list that come to the host at a time.
const LANDING: usize = 1 << 20;
/// Entries of a list whose rows are sent before the host reads more of it. They take 12 bytes each of the host's memory.
const SEGMENT: usize = 1 << 24;

/// What is sent of every row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Columns<'h> {
    pub(crate) targets: &'h [Vertex],
    /// The weights and the bytes of one; `None` if they are on the device or the functor reads none.
    pub(crate) weights: Option<(&'h [u8], usize)>,
    /// True if offsets are 64 bits wide on the device.
    pub(crate) wide: bool,
}

/// A chunk on the device.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chunk {
    /// The vertices; `None` if they were not sent, since the device has the list.
    pub(crate) items: Option<Address<Vertex>>,
    /// Where the row of each begins.
    pub(crate) firsts: Address<()>,
    pub(crate) count: u64,
    pub(crate) arcs: u64,
    pub(crate) targets: Edges,
    /// `None` if weights were not sent.
    pub(crate) weights: Option<Edges>,
}

/// What a streamer takes at a time, at most.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Bytes of a chunk.
    capacity: usize,
    /// Entries of a list.
    segment: usize,
}

/// Reads frontiers, and sends their rows.
#[derive(Debug)]
pub(crate) struct Streamer {
    pub(crate) reader: Reader,
    pub(crate) sender: Sender,
}

/// Brings frontiers to the host.
#[derive(Debug)]
pub(crate) struct Reader {
    /// Where their entries arrive.
    landing: Pinned<Vertex>,
    list: List,
    /// The most entries of a list that are read at a time.
    segment: usize,
}

/// Sends chunks.
#[derive(Debug)]
pub(crate) struct Sender {
    relay: Relay,
    /// The most bytes of a chunk.
    capacity: usize,
    /// Bytes of all edges that were sent.
    ideal: u64,
}

/// Where the parts of a chunk begin, in bytes.
struct Parts {
    firsts: usize,
    targets: usize,
    weights: usize,
    end: usize,
}

impl Parts {
    fn new(columns: Columns<'_>, frontier: &Frontier<'_>, rows: usize, arcs: usize) -> Self {
        let next = |at: usize, bytes: usize| (at + bytes).next_multiple_of(ALIGNMENT);
        let firsts = if frontier.listed.is_some() { 0 } else { next(0, 4 * rows) };
        let targets = next(firsts, (rows + 1) * if columns.wide { 8 } else { 4 });
        let weights = next(targets, 4 * arcs);
        let end = next(weights, columns.weights.map_or(0, |(_, width)| width * arcs));
        Self { firsts, targets, weights, end }
    }

    /// Returns the most bytes that a chunk of one row takes.
    fn of_one_row(arcs: u64) -> u64 {
        12 * arcs + 8 * ALIGNMENT as u64
    }
}

/// Returns the least bytes of device memory that streaming takes, given the arcs of the longest row of all directions that are
/// sent: every chunk has room for it.
pub(crate) fn least_bytes(longest: u64) -> u64 {
    SLOTS as u64 * Parts::of_one_row(longest)
}

impl Streamer {
    /// Allocates for chunks of at most this many bytes.
    ///
    /// # Errors
    /// When memory is short.
    fn new(machine: &Machine<'_>, limits: Limits, vertices: usize) -> Result<Self> {
        let Limits { capacity, segment } = limits;
        let gpu = machine.gpu();
        let relay = Relay::new(gpu, capacity, SLOTS, "rows on their way").map_err(lift)?;
        let landing = gpu.pinned(vertices.clamp(1, LANDING), "entries of a frontier").map_err(lift)?;
        let reader = Reader { landing, list: List::default(), segment };
        Ok(Self { reader, sender: Sender { relay, capacity, ideal: 0 } })
    }
}

impl Reader {
    /// Returns the members with a number that the host knows.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn counted(machine: &Machine<'_>, members: Members) -> Result<Members> {
        if members.size.raw() == 0 {
            return Ok(members);
        }
        let mut count = [0];
        // SAFETY: one counter lies there.
        unsafe { machine.gpu().read_from(members.size, &mut count) }.map_err(lift)?;
        Ok(Members::of(members.items, count[0].min(members.count)))
    }

    /// Reads members from number `from` on: all that are left, or as many as the host takes at a time. Waits for the
    /// kernels that list them.
    ///
    /// # Errors
    /// When interrupted, when memory is short, or when the device fails.
    pub(crate) fn read<'a>(
        &'a mut self,
        machine: &Machine<'_>,
        csr: &'a Csr,
        members: Members,
        from: u64,
    ) -> Result<Frontier<'a>> {
        let left = (members.count - from) as usize;
        if members.is_all() {
            return Ok(Frontier { csr, len: left, listed: None });
        }
        let len = left.min(self.segment);
        let mut at = entry(members.items, from);
        for piece in self.list.entries(len)?.chunks_mut(self.landing.bytes() as usize / 4) {
            // SAFETY: the list of the frontier has that many entries behind this one, and lives until the wait.
            unsafe { self.landing.fetch_from(at, piece.len()) }.map_err(lift)?;
            machine.wait()?;
            // SAFETY: the copy has ended, and nothing else writes there.
            let landed = unsafe { self.landing.entries(piece.len()) };
            par::parts_mut(piece, LANDING / 16, |first, part| {
                part.copy_from_slice(&landed[first..first + part.len()]);
            });
            at = entry(at, piece.len() as u64);
        }
        Ok(Frontier { csr, len, listed: Some(self.list.summed(csr, len)) })
    }
}

impl Sender {
    /// Sends the rows of the entries from `at` on, as many as a chunk takes. Returns the chunk.
    ///
    /// # Errors
    /// When the run must stop, or when the device fails.
    pub(crate) fn send(
        &mut self,
        machine: &Machine<'_>,
        columns: Columns<'_>,
        frontier: &Frontier<'_>,
        at: usize,
    ) -> Result<Chunk> {
        let end = self.end(columns, frontier, at);
        let (rows, arcs) = (end - at, (frontier.before(end) - frontier.before(at)) as usize);
        let parts = Parts::new(columns, frontier, rows, arcs);
        self.relay.ready(|| machine.should_stop()).map_err(|error| machine.ended(error))?;
        let fill = |buffer: &mut [u8]| {
            fill(&mut buffer[..parts.end], &parts, columns, frontier, at..end);
            (parts.end, ())
        };
        let (address, ()) = self.relay.send(fill).map_err(lift)?;
        self.ideal += (arcs * (4 + columns.weights.map_or(0, |(_, width)| width))) as u64;
        let part = |offset: usize| address.raw() + offset as u64;
        Ok(Chunk {
            items: frontier.listed.is_none().then(|| Address::new(part(0))),
            firsts: Address::new(part(parts.firsts)),
            count: rows as u64,
            arcs: arcs as u64,
            targets: Edges::plain(Address::new(part(parts.targets))),
            weights: columns.weights.map(|_| Edges::plain(Address::new(part(parts.weights)))),
        })
    }

    /// Returns the end of the chunk that begins at this entry: at least one row.
    fn end(&self, columns: Columns<'_>, frontier: &Frontier<'_>, at: usize) -> usize {
        let bytes = |entries: Range<usize>| {
            let arcs = frontier.before(entries.end) - frontier.before(entries.start);
            Parts::new(columns, frontier, entries.len(), arcs as usize).end
        };
        let most = (bytes(0..frontier.len) / OVERLAP).clamp(LEAST_CHUNK.min(self.capacity), self.capacity);
        first_without(at + 2..frontier.len + 1, |end| bytes(at..end) <= most) - 1
    }

    /// Marks the end of the kernels that use the last chunk.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn used(&mut self) -> Result<()> {
        self.relay.used().map_err(lift)
    }
}

/// Returns the address of an entry of a list.
pub(crate) fn entry(items: Address<Vertex>, entry: u64) -> Address<Vertex> {
    Address::new(items.raw() + 4 * entry)
}

/// Fills a buffer with the rows of some entries.
fn fill(
    buffer: &mut [u8],
    parts: &Parts,
    columns: Columns<'_>,
    frontier: &Frontier<'_>,
    entries: Range<usize>,
) {
    let (rows, at) = (entries.len(), entries.start);
    let arcs = (frontier.before(entries.end) - frontier.before(at)) as usize;
    let (head, edges) = buffer.split_at_mut(parts.targets);
    let (items, firsts) = head.split_at_mut(parts.firsts);
    if frontier.listed.is_none() {
        let items: &mut [Vertex] = bytemuck::cast_slice_mut(&mut items[..4 * rows]);
        par::parts_mut(items, par::FINE, |first, part| {
            part.iter_mut().zip(at + first..).for_each(|(item, v)| *item = v as Vertex);
        });
    }
    match columns.wide {
        true => frontier.firsts(at, bytemuck::cast_slice_mut(&mut firsts[..8 * (rows + 1)]), |first| first),
        false => {
            let firsts = bytemuck::cast_slice_mut(&mut firsts[..4 * (rows + 1)]);
            frontier.firsts(at, firsts, |first| first as u32);
        }
    }
    let (targets, weights) = edges.split_at_mut(parts.weights - parts.targets);
    let host = bytemuck::cast_slice(columns.targets);
    frontier.gather(entries.clone(), host, 4, &mut targets[..4 * arcs]);
    if let Some((host, width)) = columns.weights {
        frontier.gather(entries, host, width, &mut weights[..width * arcs]);
    }
}
