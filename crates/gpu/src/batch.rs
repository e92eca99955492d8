//! Breadth-first search from many sources at once \[1\], as filters.
//!
//! Every vertex has three sets of sources, with one bit per source and 1, 2 or 4 words per set: the sources that have
//! *seen* it, the sources whose *front* it is on, and the sources whose front it will be on *next*. One look at an arc
//! moves all sources across it, so 64 to 256 searches share the cost of reading the graph. A level either pushes along
//! the arcs of its front or pulls into every vertex that some source has not seen, whichever has fewer arcs to look at.
//! Atomic ORs join the sets, so their order does not matter. At the end of a level, a kernel visits all vertices that
//! were found once and counts how many each source has found.
//!
//! It also adds to sums per vertex, if the caller wants them ([`Sums`]).
//!
//! Memory: three sets per vertex, which take 24 bytes with one word; 12 bytes per vertex for two queues and stamps; 24 for
//! sums.
//!
//! \[1\] M. Then et al., The more the merrier: efficient multi-source graph traversal, VLDB 2015.

use crate::{
    DeviceGraph,
    advance::{Balancer, Expand, Expansion, Queue, Sides, Work},
    arguments::{Along, BatchArgs, MAX_WORDS},
    device_graph::{DeviceRows, Side},
    error::lift,
    frontier::Members,
    machine::{Grid, Launch, Machine},
    variants,
};
use bytemuck::Zeroable;
use std::sync::Arc;
use warpgraph_core::{Balance, Result};
use warpgraph_device::{Address, Array, Pinned};
use warpgraph_graph::Vertex;

/// The numbers of words that a set may have.
pub(crate) const WORDS: [usize; 3] = [1, 2, MAX_WORDS];
/// Indices into [`BatchArgs::counters`]: the arcs ahead of the vertices found; the arcs from behind into those of them
/// that all sources have now seen; the most arcs ahead of one vertex.
pub(crate) const ARCS: usize = 0;
pub(crate) const FINISHED: usize = 1;
pub(crate) const LONGEST: usize = 2;
/// The number of vertices found. The counts per source come after it.
const FOUND: usize = 3;
const COUNTERS: usize = 4;

/// Cost of pushing along an arc relative to pulling along one: a push is an atomic, a pull only a read.
const PUSH_COST: u64 = 2;

/// Returns the fewest words for sets of this many sources.
pub(crate) fn words_for(sources: usize) -> usize {
    WORDS.into_iter().find(|words| sources <= 64 * words).unwrap_or(MAX_WORDS)
}

impl Expand for BatchArgs {
    fn along(&mut self) -> &mut Along {
        &mut self.along
    }
}

/// Searches from one batch of sources after another.
pub(crate) struct Batch<'m, 'a> {
    device_graph: &'a DeviceGraph,
    machine: &'m Machine<'a>,
    pub(crate) balancer: Balancer,
    begin: Launch<BatchArgs>,
    settle: Launch<BatchArgs>,
    push: Expansion<BatchArgs>,
    pull: Expansion<BatchArgs>,
    /// The arcs that the searches follow, and the same arcs from their other end.
    ahead: (Side, Arc<DeviceRows>),
    behind: (Side, Arc<DeviceRows>),
    words: usize,
    seen: Array<u64>,
    front: Array<u64>,
    next: Array<u64>,
    stamps: Array<u32>,
    /// The front, and the vertices found.
    queues: [Array<Vertex>; 2],
    sources: Array<Vertex>,
    /// The sets of the vertices found, if the caller wants to read them.
    listed: Option<Array<u64>>,
    /// Sums over all sources so far, if the caller wants them.
    sums: Option<Sums>,
    counters: Array<u64>,
    read: Pinned<u64>,
}

/// For every vertex, sums over the sources that reach it.
pub(crate) struct Sums {
    /// How many they are.
    pub(crate) reached: Array<u32>,
    /// Their distances, and the inverses of these.
    pub(crate) total: Array<u64>,
    pub(crate) harmonic: Array<f64>,
    /// The greatest distance.
    pub(crate) farthest: Array<u32>,
}

impl Sums {
    /// Their bytes per vertex.
    pub(crate) const BYTES: u64 = 24;

    fn new(machine: &Machine<'_>, vertices: usize) -> Result<Self> {
        Ok(Self {
            reached: machine.zeros(vertices, "numbers of sources")?,
            total: machine.zeros(vertices, "sums of distances")?,
            harmonic: machine.zeros(vertices, "sums of inverses")?,
            farthest: machine.zeros(vertices, "greatest distances")?,
        })
    }
}

/// The vertices found on one level.
pub(crate) struct Level<'b> {
    /// The distance of the level from the sources.
    pub(crate) depth: u32,
    /// The number of vertices that each source found on this level.
    pub(crate) counts: &'b [u64],
    /// The number of vertices found.
    pub(crate) len: usize,
    found: &'b Array<Vertex>,
    listed: Option<&'b Array<u64>>,
}

impl Level<'_> {
    /// Copies the vertices found, and the sets of sources that found them: one entry per vertex, or per word of its
    /// set.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn read(&self, vertices: &mut [Vertex], sets: &mut [u64]) -> Result<()> {
        let Some(listed) = self.listed else { unreachable!("asked of a batch that lists") };
        self.found.read(vertices).map_err(lift)?;
        listed.read(sets).map_err(lift)
    }
}

/// A front as a queue, and the work ahead.
struct Front {
    vertices: u64,
    /// Its arcs, and those of its longest row; `None` if any row may be the longest.
    arcs: u64,
    longest: Option<u64>,
    /// Arcs from behind into vertices that some source has not seen.
    open: u64,
}

impl<'m, 'a> Batch<'m, 'a> {
    /// Creates a batch that searches along the arcs of a side, with sets of `words` words.
    ///
    /// # Errors
    /// When memory is short, or when compilation fails.
    pub(crate) fn new(
        device_graph: &'a DeviceGraph,
        machine: &'m Machine<'a>,
        asked: Option<Balance>,
        side: Side,
        words: usize,
    ) -> Result<Self> {
        let (n, wide) = (device_graph.graph().vertices(), device_graph.is_wide());
        let other = if side == Side::Out { Side::In } else { Side::Out };
        let (ahead, behind) = ((side, device_graph.rows(side)?), (other, device_graph.rows(other)?));
        let balancer = Balancer::new(machine, device_graph, asked, false, Sides::of(&[side, other]), 1)?;
        let vertices = variants::batch(wide, words, None)?;
        let source = |scheme| variants::batch(wide, words, Some(scheme));
        let sets = || machine.array(n * words, "sets of sources");
        let queue = || machine.array(n, "a queue");
        let counters = COUNTERS + 64 * words;
        Ok(Self {
            device_graph,
            machine,
            begin: machine.kernel(&vertices, "batch_begin")?,
            settle: machine.kernel(&vertices, "batch_settle")?,
            push: balancer.expansion(machine, source, "batch_push")?,
            pull: balancer.expansion(machine, source, "batch_pull")?,
            balancer,
            ahead,
            behind,
            words,
            seen: sets()?,
            front: sets()?,
            next: sets()?,
            stamps: machine.array(n, "stamps")?,
            queues: [queue()?, queue()?],
            sources: machine.array(64 * words, "sources")?,
            listed: None,
            sums: None,
            counters: machine.array(counters, "counters")?,
            read: machine.gpu().pinned(counters, "counters").map_err(lift)?,
        })
    }

    /// Makes [`Level::read`] available: the batch also writes out the sets of the vertices found.
    ///
    /// # Errors
    /// When memory is short.
    pub(crate) fn listing(mut self) -> Result<Self> {
        let n = self.device_graph.graph().vertices();
        self.listed = Some(self.machine.array(n * self.words, "sets of those found")?);
        Ok(self)
    }

    /// Makes [`Batch::sums`] available: every level is added to the sums of the vertices found. One thread per level adds to a
    /// vertex, so sums do not depend on the order of threads.
    ///
    /// # Errors
    /// When memory is short.
    pub(crate) fn summing(mut self) -> Result<Self> {
        self.sums = Some(Sums::new(self.machine, self.device_graph.graph().vertices())?);
        Ok(self)
    }

    /// Returns the sums over the sources of all runs so far.
    pub(crate) fn sums(&self) -> &Sums {
        self.sums.as_ref().unwrap_or_else(|| unreachable!("asked of a batch that sums"))
    }

    /// Returns how many sources search at once.
    pub(crate) fn at_once(&self) -> usize {
        64 * self.words
    }

    /// Returns the bytes of the arrays.
    pub(crate) fn bytes(&self) -> u64 {
        let listed = self.listed.as_ref().map_or(0, Array::bytes);
        let sets = [&self.seen, &self.front, &self.next, &self.counters].map(Array::bytes);
        let [front, found] = &self.queues;
        let numbers = [&self.stamps, front, found, &self.sources].map(Array::bytes);
        let sums = self.sums.as_ref().map_or(0, |sums| Sums::BYTES * sums.reached.len() as u64);
        listed + sums + sets.iter().chain(&numbers).sum::<u64>()
    }

    /// Copies the sets of sources that have seen each vertex, as the last search has left them.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn seen(&self, sets: &mut [u64]) -> Result<()> {
        self.seen.read(sets).map_err(lift)
    }

    /// Searches from at most [`Batch::at_once`] different sources, and calls `level` for every level from 1 on. Returns
    /// the greatest depth.
    ///
    /// # Errors
    /// When interrupted, or when the device fails.
    pub(crate) fn run(
        &mut self,
        sources: &[Vertex],
        mut level: impl FnMut(&Level<'_>) -> Result<()>,
    ) -> Result<u32> {
        let mut args = self.start(sources)?;
        let ahead = &self.device_graph.host(self.ahead.0)?.csr;
        let mut front = Front {
            vertices: sources.len() as u64,
            arcs: sources.iter().map(|&s| ahead.degree(s) as u64).sum(),
            longest: sources.iter().map(|&s| ahead.degree(s) as u64).max(),
            open: self.behind.1.arcs() as u64,
        };
        loop {
            self.machine.check()?;
            args.level += 1;
            self.counters.fill_bytes(0).map_err(lift)?;
            self.expand(&front, args)?;
            self.contract(&mut front, args)?;
            if front.vertices == 0 {
                return Ok(args.level - 1);
            }
            let counts: Vec<u64> = (0..sources.len()).map(|s| self.read.get(COUNTERS + s)).collect();
            let (found, listed) = (&self.queues[1], self.listed.as_ref());
            level(&Level {
                depth: args.level,
                counts: &counts,
                len: front.vertices as usize,
                found,
                listed,
            })?;
            std::mem::swap(&mut self.front, &mut self.next);
            self.queues.swap(0, 1);
        }
    }

    /// Places every source on its own vertex.
    fn start(&mut self, sources: &[Vertex]) -> Result<BatchArgs> {
        // Copy before any launch: a copy from pageable memory waits for all kernels and cannot be stopped.
        self.sources.write(sources).map_err(lift)?;
        for sets in [&mut self.seen, &mut self.front, &mut self.next] {
            sets.fill_bytes(0).map_err(lift)?;
        }
        self.stamps.fill_bytes(0).map_err(lift)?;
        let bits = |word: usize| match sources.len().saturating_sub(64 * word) {
            0 => 0,
            left => u64::MAX >> (64 - left.min(64)),
        };
        let args = BatchArgs {
            ahead: self.ahead.1.offsets(),
            behind: self.behind.1.offsets(),
            full: std::array::from_fn(bits),
            batch: sources.len() as u32,
            sources: self.sources.address(),
            counters: self.counters.address(),
            tally: Address::new(self.counters.address().raw() + 8 * COUNTERS as u64),
            ..BatchArgs::zeroed()
        };
        // SAFETY: sources are different vertices, at most as many as sets have bits; sets and queues have room for all
        // vertices.
        unsafe { self.machine.start(&self.begin, Grid::For(sources.len() as u64), &self.on_arrays(args))? };
        Ok(args)
    }

    /// Fills in the addresses of the arrays, which swap places after every level.
    fn on_arrays(&self, args: BatchArgs) -> BatchArgs {
        BatchArgs {
            seen: self.seen.address(),
            front: self.front.address(),
            next: self.next.address(),
            stamps: self.stamps.address(),
            items: self.queues[0].address(),
            found: self.queues[1].address(),
            found_size: Address::new(self.counters.address().raw() + 8 * FOUND as u64),
            listed: self.listed.as_ref().map_or(Address::NULL, Array::address),
            reached: self.sums.as_ref().map_or(Address::NULL, |sums| sums.reached.address()),
            total: self.sums.as_ref().map_or(Address::NULL, |sums| sums.total.address()),
            harmonic: self.sums.as_ref().map_or(Address::NULL, |sums| sums.harmonic.address()),
            farthest: self.sums.as_ref().map_or(Address::NULL, |sums| sums.farthest.address()),
            ..args
        }
    }

    fn expand(&mut self, front: &Front, args: BatchArgs) -> Result<()> {
        let args = self.on_arrays(args);
        let n = self.device_graph.graph().vertices();
        let next = Queue { items: args.found, size: args.found_size };
        let pushes = front.arcs * PUSH_COST < front.open + n as u64 / 8;
        let (filter, (side, rows), members, arcs) = if pushes {
            (&self.push, &self.ahead, Members::of(args.items, front.vertices), front.arcs)
        } else {
            (&self.pull, &self.behind, Members::all(n), self.behind.1.arcs() as u64)
        };
        let longest = front.longest.filter(|_| pushes);
        let work = Work { members, arcs: Some(arcs), longest, next };
        // SAFETY: members are vertices without duplicates. All arrays have an entry per vertex and live until the run
        // has ended. A vertex is appended once per level, by the thread that claims its stamp.
        unsafe { self.balancer.run(self.machine, filter, *side, rows, work, args) }
    }

    /// Ends a level: the vertices found become the front.
    fn contract(&mut self, front: &mut Front, args: BatchArgs) -> Result<()> {
        let args = BatchArgs { count: front.vertices, ..self.on_arrays(args) };
        // An arc of the front leads to each vertex found, so there are no more than arcs.
        let most = front.arcs.max(front.vertices).min(self.device_graph.graph().vertices() as u64);
        // SAFETY: as above; both queues hold vertices, each once.
        unsafe { self.machine.start(&self.settle, Grid::For(most), &args)? };
        self.machine.fetch(&mut self.read, &self.counters)?;
        front.vertices = self.read.get(FOUND);
        (front.arcs, front.longest) = (self.read.get(ARCS), Some(self.read.get(LONGEST)));
        front.open -= self.read.get(FINISHED).min(front.open);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_the_fewest_words_that_do() {
        let words = [0, 1, 64, 65, 128, 129, 256, 257, 1 << 20].map(words_for);
        assert_eq!(words, [1, 1, 1, 2, 2, 4, 4, 4, 4]);
    }
}
