//! What persistent walkers share: one resident grid goes from level to level by itself, and the host waits once.
//!
//! A block of *control words* in device memory holds what the grid agrees on: tallies of three frontiers in turn (that which is walked, that
//! which is lined up, that which is cleared for the next), the count of the barrier, and what the host reads at the end. The kernel writes
//! its level to a word in the host's memory once in a while, which is the progress, and looks at the cancel word as often.

use crate::{
    error::lift,
    machine::{Launch, Machine},
};
use std::fmt::Write as _;
use warpgraph_core::{Direction, Options, Result, Step};
use warpgraph_device::{Address, Arguments, Array, Pinned};
use warpgraph_graph::{Graph, Offsets};

/// Threads a block: the fewer blocks, the cheaper the barrier; registers for four windows of arcs in flight.
pub(crate) const WALK_BLOCK: u32 = 1024;
/// Blocks of a walking grid for each multiprocessor.
const BLOCKS_EACH: u32 = 1;

/// Control words: tallies, that of a list made from a bitmap, the barrier's, whether a long row is lined up; then what the host reads:
/// levels walked, were they stopped? And the first of an algorithm's own.
const TALLY: usize = 0;
const COLLECTED: usize = 3;
const ARRIVED: usize = 4;
const LONG: usize = 5;
pub(crate) const LEVELS: usize = 9;
const STOPPED: usize = 10;
pub(crate) const OWN: usize = 11;
const CONTROL: usize = 24;

/// Bytes of control words on the device.
pub(crate) const BYTES: u64 = 8 * CONTROL as u64;

/// Levels between two looks at the cancel word, which lies behind the bus.
const LEVELS_A_LOOK: usize = 16;
/// Levels that are traced, the first ones.
const LOGGED: usize = 1 << 12;
/// Numbers a traced level: its tally, its direction, and when it began.
const LOG_ENTRY: usize = 3;

/// Fewer arcs than this, and a frontier's fit beside its length in one number.
const MOST_ARCS: usize = u32::MAX as usize - 64;

/// The lines that the kernels of walkers need before them.
pub(crate) fn defines() -> String {
    let mut text = String::new();
    for (name, number) in [
        ("TALLY", TALLY),
        ("COLLECTED", COLLECTED),
        ("ARRIVED", ARRIVED),
        ("LONG", LONG),
        ("LEVELS", LEVELS),
        ("STOPPED", STOPPED),
        ("OWN", OWN),
        ("LEVELS_A_LOOK", LEVELS_A_LOOK),
        ("WALK_BLOCK", WALK_BLOCK as usize),
    ] {
        let _ = writeln!(text, "#define {name} {number}u");
    }
    text
}

/// Returns true if a walker can go through this graph.
pub(crate) fn can_walk(graph: &Graph) -> bool {
    matches!(graph.out().csr.offsets(), Offsets::Narrow(_)) && graph.arcs() < MOST_ARCS
}

/// Control words on both sides.
pub(crate) struct Walker<'m, 'a> {
    machine: &'m Machine<'a>,
    control: Array<u64>,
    /// The control words as the kernel left them, and the progress.
    seen: Pinned<u64>,
    log: Option<Array<u64>>,
}

impl<'m, 'a> Walker<'m, 'a> {
    /// Control words that are all 0.
    ///
    /// # Errors
    /// When memory is short.
    pub(crate) fn new(machine: &'m Machine<'a>, options: &Options) -> Result<Self> {
        let log = options.trace.then(|| machine.zeros(LOGGED * LOG_ENTRY, "a log of levels")).transpose()?;
        let seen = machine.gpu().pinned(CONTROL + 1, "counters").map_err(lift)?;
        Ok(Self { machine, control: machine.zeros(CONTROL, "counters")?, seen, log })
    }

    /// Where the control words lie.
    pub(crate) fn control(&self) -> Address<u64> {
        self.control.address()
    }

    /// Where the cancel word lies.
    pub(crate) fn cancel(&self) -> Address<u32> {
        self.machine.gpu().cancel_address()
    }

    /// Where the progress goes.
    pub(crate) fn progress(&self) -> Address<u32> {
        Address::new(self.seen.address().raw() + 8 * CONTROL as u64)
    }

    /// Where levels are noted, and how many; null: nowhere.
    pub(crate) fn log(&self) -> (Address<u64>, u32) {
        self.log.as_ref().map_or((Address::NULL, 0), |log| (log.address(), LOGGED as u32))
    }

    /// Starts a kernel that walks.
    ///
    /// # Safety
    /// As for [`Machine::start`].
    pub(crate) unsafe fn start<A: Arguments>(&self, launch: &Launch<A>, args: &A) -> Result<()> {
        let most = BLOCKS_EACH * self.machine.gpu().properties().multiprocessors;
        // The simulator has few multiprocessors, and room on each for more than one block: more blocks find more mistakes.
        let most = if self.machine.is_small() { u32::MAX } else { most };
        // SAFETY: as the caller promises.
        unsafe { self.machine.start_coresident(launch, most, args) }
    }

    /// Waits for everything started, and tells `watch` of the progress meanwhile; then control words can be read.
    ///
    /// # Errors
    /// When interrupted; what happens to the device.
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

    /// A control word, as it was at the last wait.
    pub(crate) fn word(&self, which: usize) -> u64 {
        self.seen.get(which)
    }

    /// Bytes on the device.
    pub(crate) fn bytes(&self) -> u64 {
        self.control.bytes() + self.log.as_ref().map_or(0, Array::bytes)
    }

    /// What was noted of levels; empty if nothing was to be.
    ///
    /// # Errors
    /// When the device is lost.
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
