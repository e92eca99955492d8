//! Streams and events. A command stays in its stream until a caller needs its result.

use super::{
    super::LABEL,
    launch::{Order, Progress, Running},
    memory::Memory,
    module::{Function, Module},
    stacks::Stacks,
    wrong,
};
use crate::{CopyKind, Error, EventId, Result, Stream};
use std::{
    collections::{HashMap, VecDeque},
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

/// Switches between the threads of a kernel per slice.
const SLICE: u64 = 200_000;

/// A command in a stream.
#[derive(Debug)]
pub(super) enum Command {
    Copy {
        kind: CopyKind,
        to: u64,
        from: u64,
        bytes: usize,
    },
    Fill {
        to: u64,
        byte: u8,
        bytes: usize,
    },
    /// Moves pages of managed memory, which there are none of.
    Prefetch {
        at: u64,
        bytes: usize,
    },
    Launch(Box<Order>),
    /// A launch that traps, with the kernel's name.
    Trap(&'static str),
    /// A launch that begins only once the cancel word is set.
    Endless(Box<Order>),
    /// A launch that never ends, with the kernel's name.
    Deaf(&'static str),
    /// Waits until this many commands of a stream are done.
    Wait(Stream, u64),
    /// Notes the time at which an event is reached.
    Mark(EventId),
}

/// The commands of a stream that are not done, and the number of those that are.
#[derive(Debug, Default)]
struct Queue {
    commands: VecDeque<Command>,
    done: u64,
}

#[derive(Debug, Clone, Copy)]
struct Event {
    stream: Stream,
    /// How many commands of the stream are done once the event is reached.
    position: u64,
    /// The device time at which it was reached.
    reached: Option<Duration>,
}

/// What a slice of work did to the command that it ran.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    Done,
    /// The command needs more slices.
    Going,
    /// The command waits for something else to change.
    Idle,
}

/// All state of a device that changes, behind one lock.
#[derive(Debug)]
pub(super) struct State {
    pub(super) memory: Memory,
    pub(super) modules: Vec<Module>,
    pub(super) functions: Vec<Function>,
    /// How many allocations and launches callers asked for so far.
    pub(super) allocations: u64,
    pub(super) launches: u64,
    /// How many mappings of host memory callers asked for so far.
    pub(super) mappings: u64,
    /// How many copies beside kernels callers asked for so far.
    pub(super) copies: u64,
    stacks: Stacks,
    streams: [Queue; 2],
    events: HashMap<EventId, Event>,
    next_event: u64,
    /// The kernel in progress, and its stream, whose first command it is.
    running: Option<(Stream, Running)>,
    /// When the first command was found to hang by an injected fault.
    stuck: Option<Instant>,
    /// Device time: the time spent on work.
    clock: Duration,
    poll_limit: Duration,
    /// The error that lost the device.
    lost: Option<Error>,
}

/// Whether a position in a stream is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    Yes,
    NotYet,
    /// Not yet, and there is no point in asking again at once.
    Idle,
}

impl State {
    pub(super) fn new(memory: Memory, poll_limit: Duration) -> Self {
        Self {
            memory,
            modules: Vec::new(),
            functions: Vec::new(),
            allocations: 0,
            launches: 0,
            mappings: 0,
            copies: 0,
            stacks: Stacks::new(),
            streams: Default::default(),
            events: HashMap::new(),
            next_event: 0,
            running: None,
            stuck: None,
            clock: Duration::ZERO,
            poll_limit,
            lost: None,
        }
    }

    /// Returns the error that lost the device, if any.
    pub(super) fn alive(&self) -> Result<()> {
        self.lost.clone().map_or(Ok(()), Err)
    }

    /// Marks the device as lost.
    pub(super) fn lose(&mut self, what: String) -> Error {
        let error = Error::Lost { label: LABEL.to_owned(), what };
        self.lost.get_or_insert(error).clone()
    }

    /// Adds a command to a stream. Returns the position at which it is done.
    pub(super) fn push(&mut self, stream: Stream, command: Command) -> u64 {
        let queue = &mut self.streams[stream as usize];
        queue.commands.push_back(command);
        queue.done + queue.commands.len() as u64
    }

    pub(super) fn record(&mut self, stream: Stream) -> EventId {
        let id = EventId(self.next_event);
        self.next_event += 1;
        let position = self.push(stream, Command::Mark(id));
        self.events.insert(id, Event { stream, position, reached: None });
        id
    }

    pub(super) fn forget(&mut self, event: EventId) {
        self.events.remove(&event);
    }

    fn event(&self, id: EventId) -> Result<Event> {
        let none = || wrong("event", format!("there is no event {}, or it was released", id.0));
        self.events.get(&id).copied().ok_or_else(none)
    }

    /// Makes a stream wait for an event.
    pub(super) fn wait_for(&mut self, stream: Stream, event: EventId) -> Result<()> {
        let Event { stream: of, position, .. } = self.event(event)?;
        if of != stream {
            self.push(stream, Command::Wait(of, position));
        }
        Ok(())
    }

    /// Returns the seconds of work between two events.
    pub(super) fn seconds_between(&self, from: EventId, to: EventId) -> Result<f64> {
        let reached = |event: EventId| {
            let not_done = || wrong("seconds_between", format!("event {} is not done", event.0));
            self.event(event)?.reached.ok_or_else(not_done)
        };
        Ok(reached(to)?.as_secs_f64() - reached(from)?.as_secs_f64())
    }

    /// Runs a slice of the work before an event.
    pub(super) fn advance_to(&mut self, event: EventId, cancel: &AtomicU32) -> Result<Reached> {
        let Event { stream, position, .. } = self.event(event)?;
        self.advance(stream, position, cancel)
    }

    /// Runs a slice of the work before a position in a stream.
    pub(super) fn advance(&mut self, stream: Stream, position: u64, cancel: &AtomicU32) -> Result<Reached> {
        let (start, before) = (Instant::now(), self.clock);
        let mut step = Ok(Step::Done);
        while self.streams[stream as usize].done < position && matches!(step, Ok(Step::Done)) {
            step = self.step(stream, cancel);
            self.clock = before + start.elapsed();
        }
        match step? {
            Step::Done => Ok(Reached::Yes),
            Step::Going => Ok(Reached::NotYet),
            Step::Idle => Ok(Reached::Idle),
        }
    }

    /// Runs the first command of a stream, or a slice of the work that it waits for.
    fn step(&mut self, stream: Stream, cancel: &AtomicU32) -> Result<Step> {
        // A kernel in progress is the first command of its stream. Another kernel cannot begin before it has ended.
        let stream = match (&self.running, self.streams[stream as usize].commands.front()) {
            (Some((busy, _)), Some(Command::Launch(_))) => *busy,
            _ => stream,
        };
        let Some(command) = self.streams[stream as usize].commands.front() else {
            return Ok(Step::Done);
        };
        let step = match *command {
            Command::Wait(other, position) if self.streams[other as usize].done < position => {
                return self.step(other, cancel);
            }
            Command::Wait(..) => Step::Done,
            Command::Copy { kind, to, from, bytes } => self.copy(kind, to, from, bytes)?,
            Command::Fill { to, byte, bytes } => self.fill(to, byte, bytes)?,
            Command::Prefetch { at, bytes } => self.prefetch(at, bytes)?,
            Command::Mark(event) => self.mark(event),
            Command::Launch(_) => self.run(stream)?,
            Command::Trap(kernel) => {
                return Err(self.lose(format!("kernel {kernel}: trapped, as an injected fault asks")));
            }
            Command::Endless(_) if cancel.load(Ordering::Acquire) != 0 => {
                self.begin(stream);
                return Ok(Step::Going);
            }
            Command::Endless(ref order) => {
                let kernel = order.function.name;
                self.hang(kernel)?
            }
            Command::Deaf(kernel) => self.hang(kernel)?,
        };
        if step == Step::Done {
            let queue = &mut self.streams[stream as usize];
            queue.commands.pop_front();
            queue.done += 1;
        }
        Ok(step)
    }

    fn copy(&mut self, kind: CopyKind, to: u64, from: u64, bytes: usize) -> Result<Step> {
        if let Err(error) = self.memory.check_copy(kind, to, from, bytes) {
            return Err(self.lose(format!("memory was freed before a copy was done: {error}")));
        }
        // SAFETY: both ranges are in existing allocations, or in host memory for which the caller of `Device::copy`
        // vouches.
        unsafe { std::ptr::copy_nonoverlapping(from as *const u8, to as *mut u8, bytes) };
        Ok(Step::Done)
    }

    fn fill(&mut self, to: u64, byte: u8, bytes: usize) -> Result<Step> {
        if let Err(error) = self.memory.check_fill(to, bytes) {
            return Err(self.lose(format!("memory was freed before a fill was done: {error}")));
        }
        // SAFETY: the range is in an existing allocation.
        unsafe { std::ptr::write_bytes(to as *mut u8, byte, bytes) };
        Ok(Step::Done)
    }

    fn prefetch(&mut self, at: u64, bytes: usize) -> Result<Step> {
        match self.memory.check_managed(at, bytes) {
            Ok(()) => Ok(Step::Done),
            Err(error) => Err(self.lose(format!("memory was freed before a prefetch was done: {error}"))),
        }
    }

    fn mark(&mut self, event: EventId) -> Step {
        if let Some(event) = self.events.get_mut(&event) {
            event.reached = Some(self.clock);
        }
        Step::Done
    }

    /// Runs a slice of the kernel that is the first command of a stream.
    fn run(&mut self, stream: Stream) -> Result<Step> {
        let Some(Command::Launch(order)) = self.streams[stream as usize].commands.front() else {
            return Ok(Step::Done);
        };
        if self.running.is_none() {
            let module = &self.modules[order.function.module];
            // SAFETY: the promise of the caller that launched it; no kernel is in progress.
            let started = unsafe { Running::start(module, order, &mut self.stacks, self.poll_limit) };
            match started {
                Ok(running) => self.running = Some((stream, running)),
                // The command stays in its stream, and the memory that it uses may be freed before another try.
                Err(error) => return Err(self.lose(error.to_string())),
            }
        }
        let Some((_, running)) = &mut self.running else { return Ok(Step::Done) };
        // SAFETY: the module that it was started with; `running` is cleared as soon as the kernel ends or fails.
        match unsafe { running.resume(&self.modules[running.module()], SLICE) } {
            Progress::Running => Ok(Step::Going),
            Progress::Idle => Ok(Step::Idle),
            Progress::Done => {
                self.running = None;
                Ok(Step::Done)
            }
            Progress::Failed(what) => {
                self.running = None;
                Err(self.lose(what))
            }
        }
    }

    /// Turns the endless launch that is the first command of a stream into a normal one.
    fn begin(&mut self, stream: Stream) {
        self.stuck = None;
        let commands = &mut self.streams[stream as usize].commands;
        if let Some(Command::Endless(order)) = commands.pop_front() {
            commands.push_front(Command::Launch(order));
        }
    }

    /// Waits on behalf of a launch that does not end, up to `poll_limit`.
    fn hang(&mut self, kernel: &'static str) -> Result<Step> {
        if self.stuck.get_or_insert_with(Instant::now).elapsed() > self.poll_limit {
            return Err(self.lose(format!("kernel {kernel} waits for ever, as an injected fault asks")));
        }
        Ok(Step::Idle)
    }
}
