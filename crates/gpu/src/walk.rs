//! The parts that persistent walkers share: one coresident grid goes from level to level, and the host waits once.
//!
//! A block of *control words* in device memory holds what the blocks agree on: the tallies of three frontiers in turn
//! (the current one, the next one, and one that is cleared for the level after), the count of the barrier, and the
//! numbers that the host reads at the end. Every few levels the kernel writes its level to a word in host memory, as
//! progress, and reads the cancel word.

use crate::{
    error::lift,
    machine::{Launch, Machine},
    memory::Extent,
};
use std::fmt::Write as _;
use warpgraph_core::{Direction, Options, Result, Step};
use warpgraph_device::{Address, Arguments, Array, Pinned};

/// Threads per block. Fewer blocks make the barrier cheaper; registers suffice for four windows of arcs in flight.
pub(crate) const WALK_BLOCK: u32 = 1024;
/// Blocks of a walker's grid per multiprocessor.
const BLOCKS_EACH: u32 = 1;

/// Indices of control words: three tallies, the tally of a list made from a bitmap, the count of the barrier, and
/// whether the next frontier has a long row. Then the words that the host reads: the number of levels, and whether the
/// walk was stopped. Then five words in which a block that has walked alone says where the walk is. `OWN` is the first word
/// of an algorithm's own.
const TALLY: usize = 0;
const COLLECTED: usize = 3;
const ARRIVED: usize = 4;
const LONG: usize = 5;
pub(crate) const LEVELS: usize = 9;
const STOPPED: usize = 10;
const ALONE: usize = 11;
pub(crate) const OWN: usize = 16;
const CONTROL: usize = 29;

/// Bytes of control words on the device.
pub(crate) const BYTES: u64 = 8 * CONTROL as u64;

/// Levels between two reads of the cancel word, which lies in host memory.
const LEVELS_A_LOOK: usize = 16;
/// The most levels that are traced, counted from the first.
const LOGGED: usize = 1 << 12;
/// Numbers per traced level: its tally, its direction and its start time.
const LOG_ENTRY: usize = 3;

/// Bytes of the log of a traced run.
pub(crate) const LOG_BYTES: u64 = (8 * LOGGED * LOG_ENTRY) as u64;

/// Below this bound, the frontier's length and its arc count pack into one u64.
const MOST_ARCS: usize = u32::MAX as usize - 64;

/// Returns the `#define` lines that the kernels of walkers need.
pub(crate) fn defines() -> String {
    let mut text = String::new();
    for (name, number) in [
        ("TALLY", TALLY),
        ("COLLECTED", COLLECTED),
        ("ARRIVED", ARRIVED),
        ("LONG", LONG),
        ("LEVELS", LEVELS),
        ("STOPPED", STOPPED),
        ("ALONE", ALONE),
        ("OWN", OWN),
        ("LEVELS_A_LOOK", LEVELS_A_LOOK),
        ("WALK_BLOCK", WALK_BLOCK as usize),
    ] {
        let _ = writeln!(text, "#define {name} {number}u");
    }
    text
}

/// Returns true if a walker can search this graph: it has 32-bit offsets and fewer than `MOST_ARCS` arcs.
pub(crate) fn can_walk(graph: &dyn Extent) -> bool {
    !graph.is_wide() && is_walkable(graph.arcs() as u64)
}

/// Returns true if a walker can search a graph with 32-bit offsets and this many arcs.
pub(crate) fn is_walkable(arcs: u64) -> bool {
    arcs < MOST_ARCS as u64
}

/// Control words, on the device and on the host.
pub(crate) struct Walker<'m, 'a> {
    machine: &'m Machine<'a>,
    control: Array<u64>,
    /// The control words as the kernel left them, followed by the progress.
    seen: Pinned<u64>,
    log: Option<Array<u64>>,
}

impl<'m, 'a> Walker<'m, 'a> {
    /// Allocates control words that are all 0.
    ///
    /// # Errors
    /// When memory is short.
    pub(crate) fn new(machine: &'m Machine<'a>, options: &Options) -> Result<Self> {
        let log = options.trace.then(|| machine.zeros(LOGGED * LOG_ENTRY, "a log of levels")).transpose()?;
        let seen = machine.gpu().pinned(CONTROL + 1, "counters").map_err(lift)?;
        Ok(Self { machine, control: machine.zeros(CONTROL, "counters")?, seen, log })
    }

    /// Returns the address of the control words.
    pub(crate) fn control(&self) -> Address<u64> {
        self.control.address()
    }

    /// Returns the address of the cancel word.
    pub(crate) fn cancel(&self) -> Address<u32> {
        self.machine.gpu().cancel_address()
    }

    /// Returns the address of the progress.
    pub(crate) fn progress(&self) -> Address<u32> {
        Address::new(self.seen.address().raw() + 8 * CONTROL as u64)
    }

    /// Returns the address and the capacity of the log of levels; null and 0 if the run is not traced.
    pub(crate) fn log(&self) -> (Address<u64>, u32) {
        self.log.as_ref().map_or((Address::NULL, 0), |log| (log.address(), LOGGED as u32))
    }

    /// Launches a walker's kernel.
    ///
    /// # Safety
    /// As for [`Machine::start`].
    pub(crate) unsafe fn start<A: Arguments>(&self, launch: &Launch<A>, args: &A) -> Result<()> {
        let most = BLOCKS_EACH * self.machine.gpu().properties().multiprocessors;
        // The simulator has few multiprocessors, each with room for several blocks; more blocks find more mistakes.
        let most = if self.machine.is_small() { u32::MAX } else { most };
        // SAFETY: the caller promises what `start_coresident` requires.
        unsafe { self.machine.start_coresident(launch, most, args) }
    }

    /// Waits for everything launched and calls `watch` with the progress meanwhile. After that the control words can be
    /// read.
    ///
    /// # Errors
    /// When interrupted, or when the device fails.
    pub(crate) fn wait(&mut self, watch: impl Fn(u64)) -> Result<()> {
        self.seen.fetch(&self.control).map_err(lift)?;
        let (seen, last) = (&self.seen, std::cell::Cell::new(0));
        self.machine.wait_watching(|| {
            let now = seen.get(CONTROL);
            if now != last.replace(now) {
                watch(now);
            }
        })
    }

    /// Returns a control word as it was at the last wait.
    pub(crate) fn word(&self, which: usize) -> u64 {
        self.seen.get(which)
    }

    /// Returns the bytes on the device.
    pub(crate) fn bytes(&self) -> u64 {
        self.control.bytes() + self.log.as_ref().map_or(0, Array::bytes)
    }

    /// Returns the traced levels; empty if the run is not traced.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn steps(&self, note: impl Fn(u64) -> String) -> Result<Vec<Step>> {
        let Some(log) = &self.log else { return Ok(Vec::new()) };
        let entries = log.to_vec().map_err(lift)?;
        let levels = (self.word(LEVELS) as usize).min(LOGGED - 1);
        let steps = entries.chunks_exact(LOG_ENTRY).zip(entries[LOG_ENTRY..].chunks_exact(LOG_ENTRY));
        Ok(steps
            .take(levels)
            .enumerate()
            .map(|(round, (entry, next))| Step {
                round: round as u64,
                frontier: entry[0] & u64::from(u32::MAX),
                edges: Some(entry[0] >> 32),
                balance: None,
                direction: if entry[1] == 0 { Direction::Push } else { Direction::Pull },
                seconds: next[2].saturating_sub(entry[2]) as f64 * 1e-9,
                note: note(entry[0] >> 32),
            })
            .collect())
    }
}
