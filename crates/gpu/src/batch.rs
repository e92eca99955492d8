//! Breadth-first search from many sources at once \[1\], as filters.
//!
//! Every vertex has three sets of sources, one bit a source, 1, 2 or 4 words each: those that have *seen* it, those whose *front* it
//! is on, and those that will be there *next*. One look at an arc moves all sources across it, so that 64 to 256 searches share the
//! reading of the graph. A level pushes along the arcs of its front, or pulls from everyone that some source misses, whichever has fewer
//! arcs to look at; sets are joined by atomic ors, whose order does not matter. Then all that were found are gone through once, to see
//! how many each source has found.
//!
//! Memory: three sets a vertex, 24 bytes with one word; 12 bytes a vertex for two queues and stamps.
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

/// The numbers of words that sets may have.
pub(crate) const WORDS: [usize; 3] = [1, 2, MAX_WORDS];
/// [`BatchArgs::counters`]: arcs ahead of those found, arcs from behind into those of them that all sources have seen now, and the most
/// arcs ahead of one.
pub(crate) const ARCS: usize = 0;
pub(crate) const FINISHED: usize = 1;
pub(crate) const LONGEST: usize = 2;
/// How many were found; what each source has found comes after it.
const FOUND: usize = 3;
const COUNTERS: usize = 4;

/// An arc pushed along costs about as much as this many pulled along: each is an atomic, not a read.
const PUSH_COST: u64 = 2;

/// The fewest words for sets of so many sources.
pub(crate) fn words_for(sources: usize) -> usize {
    WORDS.into_iter().find(|words| sources <= 64 * words).unwrap_or(MAX_WORDS)
}

impl Expand for BatchArgs {
    fn along(&mut self) -> &mut Along {
        &mut self.along
    }
}

/// Searches from a batch of sources after another.
pub(crate) struct Batch<'m, 'a> {
    device_graph: &'a DeviceGraph,
    machine: &'m Machine<'a>,
    pub(crate) balancer: Balancer,
    begin: Launch<BatchArgs>,
    settle: Launch<BatchArgs>,
    push: Expansion<BatchArgs>,
    pull: Expansion<BatchArgs>,
    /// The arcs that searches follow, and the same arcs from their other end.
    ahead: (Side, Arc<DeviceRows>),
    behind: (Side, Arc<DeviceRows>),
    words: usize,
    seen: Array<u64>,
    front: Array<u64>,
    next: Array<u64>,
    stamps: Array<u32>,
    /// The front, and those found.
    queues: [Array<Vertex>; 2],
    sources: Array<Vertex>,
    /// The sets of those found, where somebody wants them.
    listed: Option<Array<u64>>,
    counters: Array<u64>,
    read: Pinned<u64>,
}

/// What was found on a level.
pub(crate) struct Level<'b> {
    /// Its distance from the sources.
    pub(crate) depth: u32,
    /// How many vertices each source has found there.
    pub(crate) counts: &'b [u64],
    /// How many vertices were found.
    pub(crate) len: usize,
    found: &'b Array<Vertex>,
    listed: Option<&'b Array<u64>>,
}

impl Level<'_> {
    /// Copies those found, and the sets of sources that found them; one entry each, or as many as sets have words.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn read(&self, vertices: &mut [Vertex], sets: &mut [u64]) -> Result<()> {
        let Some(listed) = self.listed else { unreachable!("asked of a batch that lists") };
        self.found.read(vertices).map_err(lift)?;
        listed.read(sets).map_err(lift)
    }
}

/// A front as a queue, and what is ahead.
struct Front {
    vertices: u64,
    /// Its arcs, and the most of one vertex; `None`: as many as any has.
    arcs: u64,
    longest: Option<u64>,
    /// Arcs from behind into vertices that some source has not seen.
    open: u64,
}

impl<'m, 'a> Batch<'m, 'a> {
    /// Along arcs of a direction, with sets of so many words.
    ///
    /// # Errors
    /// When memory is short; those of compiling.
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
            counters: machine.array(counters, "counters")?,
            read: machine.gpu().pinned(counters, "counters").map_err(lift)?,
        })
    }

    /// The same batch, but [`Level::read`] tells who was found.
    ///
    /// # Errors
    /// When memory is short.
    pub(crate) fn listing(mut self) -> Result<Self> {
        let n = self.device_graph.graph().vertices();
        self.listed = Some(self.machine.array(n * self.words, "sets of those found")?);
        Ok(self)
    }

    /// How many sources go at once.
    pub(crate) fn at_once(&self) -> usize {
        64 * self.words
    }

    /// Bytes of the arrays.
    pub(crate) fn bytes(&self) -> u64 {
        let listed = self.listed.as_ref().map_or(0, Array::bytes);
        let sets = [&self.seen, &self.front, &self.next, &self.counters].map(Array::bytes);
        let [front, found] = &self.queues;
        let numbers = [&self.stamps, front, found, &self.sources].map(Array::bytes);
        listed + sets.iter().chain(&numbers).sum::<u64>()
    }

    /// Searches from at most [`Batch::at_once`] different sources; `level` is told of every level from 1 on. Gives the greatest depth.
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

    /// Puts every source on its own vertex.
    fn start(&mut self, sources: &[Vertex]) -> Result<BatchArgs> {
        // Before any kernel: a copy from ordinary memory waits for all of them, and cannot be stopped.
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
        // SAFETY: sources are different vertices, as many as sets have bits at most; sets and queues have room for all vertices.
        unsafe { self.machine.start(&self.begin, Grid::For(sources.len() as u64), &self.on_arrays(args))? };
        Ok(args)
    }

    /// Arguments for the arrays as they are now: they change places after every level.
    fn on_arrays(&self, args: BatchArgs) -> BatchArgs {
        BatchArgs {
            seen: self.seen.address(),
            front: self.front.address(),
            next: self.next.address(),
            stamps: self.stamps.address(),
            items: self.queues[0].address(),
            found: self.queues[1].address(),
            found_size: Address::new(self.counters.address().raw() + 8 * FOUND as u64),
            listed: self.listed.as_ref().map_or(Address::new(0), Array::address),
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
        // SAFETY: members are vertices without duplicates; all arrays have an entry for each and live until the run has ended; a vertex is
        // found once a level, by who claims its stamp.
        unsafe { self.balancer.run(self.machine, filter, *side, rows, work, args) }
    }

    /// Ends a level: those found become the front.
    fn contract(&mut self, front: &mut Front, args: BatchArgs) -> Result<()> {
        let args = BatchArgs { count: front.vertices, ..self.on_arrays(args) };
        // An arc leads from the front to each of those found.
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
