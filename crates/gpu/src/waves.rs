//! The parts that algorithms in filter form share: arcs of both directions, a balance, counters that the host reads
//! once per wave, and the end of a run.
//!
//! A *wave* is a set of vertices that are expanded together. The vertices that join during the expansion are appended
//! to a queue and form the next wave.

use crate::{
    DeviceGraph,
    advance::{Balancer, Expand, Expansion, Queue, Seen, Sides, Work},
    counters::Counters,
    device_graph::{DeviceRows, Side},
    error::lift,
    frontier::{Members, Tally},
    machine::Machine,
};
use bytemuck::Pod;
use std::{sync::Arc, time::Instant};
use warpgraph_core::{Balance, Halted, Plan, Recorder, Result, Run};
use warpgraph_device::{Address, Array};
use warpgraph_graph::{Pages, Vertex};

/// Indices of counters: the vertices that joined the queue, their arcs, the arcs of their longest row, and the first of
/// two counters of an algorithm's own.
pub(crate) const NEXT: usize = 0;
pub(crate) const ARCS: usize = 1;
const LONGEST: usize = 2;
pub(crate) const OWN: usize = 3;
const COUNTERS: usize = 5;

/// A set of vertices that are expanded together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wave {
    pub(crate) members: Members,
    /// Their arcs in all directions that the run goes along, and those of the longest row; `None` if they were not
    /// counted.
    pub(crate) arcs: Option<u64>,
    pub(crate) longest: Option<u64>,
    /// The number of directions in which the arcs were counted.
    pub(crate) sides: usize,
}

/// A graph, a balance and counters.
pub(crate) struct Waves<'m, 'a> {
    pub(crate) machine: &'m Machine<'a>,
    pub(crate) balancer: Balancer,
    out: Arc<DeviceRows>,
    /// The incoming arcs of a directed graph.
    incoming: Option<Arc<DeviceRows>>,
    counters: Counters,
    /// Arcs expanded since the last call of [`Waves::seen`]; `None` if some were not counted.
    expanded: Option<u64>,
}

impl<'m, 'a> Waves<'m, 'a> {
    /// Copies the arcs of both directions to the device.
    ///
    /// # Errors
    /// When memory is short, on the host or on the device.
    pub(crate) fn new(
        machine: &'m Machine<'a>,
        device_graph: &DeviceGraph,
        balance: Option<Balance>,
    ) -> Result<Self> {
        let directed = device_graph.graph().is_directed();
        let out = device_graph.rows(Side::Out)?;
        let incoming = if directed { Some(device_graph.rows(Side::In)?) } else { None };
        let sides: &[Side] = if directed { &[Side::Out, Side::In] } else { &[Side::Out] };
        Ok(Self {
            machine,
            balancer: Balancer::new(machine, device_graph, balance, false, Sides::of(sides), 1)?,
            out,
            incoming,
            counters: Counters::new(machine, COUNTERS)?,
            expanded: Some(0),
        })
    }

    /// Returns the sides that hold different arcs: only one in an undirected graph.
    pub(crate) fn sides(&self) -> &'static [Side] {
        if self.incoming.is_some() { &[Side::Out, Side::In] } else { &[Side::Out] }
    }

    /// Returns the rows of a side.
    pub(crate) fn rows(&self, side: Side) -> &Arc<DeviceRows> {
        match (side, &self.incoming) {
            (Side::In, Some(incoming)) => incoming,
            _ => &self.out,
        }
    }

    /// Returns the address of the offsets of incoming arcs; null if they are the outgoing ones.
    pub(crate) fn in_offsets(&self) -> Address<()> {
        self.incoming.as_ref().map_or(Address::NULL, |rows| rows.offsets())
    }

    /// Returns the address of a counter.
    pub(crate) fn counter(&self, which: usize) -> Address<u64> {
        self.counters.at(which)
    }

    /// Sets all counters to 0.
    pub(crate) fn clear(&mut self) -> Result<()> {
        self.counters.clear()
    }

    /// Waits and reads the counters.
    pub(crate) fn read(&mut self) -> Result<()> {
        self.counters.read(self.machine)
    }

    /// Returns the value of a counter when it was last read.
    pub(crate) fn last(&self, which: usize) -> u64 {
        self.counters.last(which)
    }

    /// Expands a wave along the arcs of a side. Appends the vertices that join at `next` and counts them.
    ///
    /// # Safety
    /// Members must be vertices without duplicates. Every address in `args` must be valid for what the functor does
    /// with it, and its memory must live until the next wait. There must be room at `next` for all vertices that join.
    pub(crate) unsafe fn expand<A: Expand>(
        &mut self,
        expansion: &Expansion<A>,
        side: Side,
        wave: Wave,
        next: Address<Vertex>,
        args: A,
    ) -> Result<()> {
        let next = Queue { items: next, size: self.counter(NEXT) };
        let rows = Arc::clone(self.rows(side));
        // With two sides, each is expanded on its own, but their arcs were only counted together.
        let arcs = match wave.members.is_all() {
            true => Some(rows.arcs() as u64),
            false => wave.arcs.map(|arcs| match (wave.sides, side) {
                (2, Side::Out) => arcs.div_ceil(2),
                (2, Side::In) => arcs / 2,
                _ => arcs,
            }),
        };
        self.expanded = self.expanded.zip(arcs).map(|(all, arcs)| all + arcs);
        let work = Work { members: wave.members, arcs, longest: wave.longest, next };
        // SAFETY: the caller promises what `run` requires.
        unsafe { self.balancer.run(self.machine, expansion, side, &rows, work, args) }
    }

    /// Waits and returns the vertices that joined at `items`, at most `room`, with their arcs on the given sides.
    pub(crate) fn joined(&mut self, items: Address<Vertex>, room: u64, sides: &[Side]) -> Result<Wave> {
        let yet = Members::counted(items, self.counter(NEXT), room);
        for (place, &side) in sides.iter().enumerate() {
            let rows = Arc::clone(self.rows(side));
            let tally = Tally { longest: self.counter(LONGEST), ..Tally::of(self.counter(ARCS)) };
            let tell = if place + 1 == sides.len() { self.counters.telling(false) } else { tally.tell };
            self.balancer.frontiers.count_arcs(self.machine, yet, &rows, Tally { tell, ..tally })?;
        }
        self.read()?;
        let (members, counted) = (Members::of(items, self.last(NEXT)), |which| Some(self.last(which)));
        Ok(Wave { members, arcs: counted(ARCS), longest: counted(LONGEST), sides: sides.len() })
    }

    /// Ends a superstep, and returns what it expanded.
    ///
    /// # Errors
    /// Those of what watches the run.
    pub(crate) fn seen(&mut self) -> Result<Seen> {
        Ok(self.balancer.seen(self.machine)?.of_arcs(self.expanded.replace(0)))
    }

    /// Waits for what was launched last, and stops the clock of the run.
    ///
    /// # Errors
    /// When interrupted, or when the device fails.
    pub(crate) fn finish(
        &self,
        mut recorder: Recorder,
        plan: Plan,
        halted: Halted,
        bytes: u64,
    ) -> Result<Run> {
        self.machine.wait()?;
        recorder.stop();
        recorder.hold_on_device(self.machine.gpu().peak());
        self.balancer.spent(self.machine)?.tell(&mut recorder);
        Ok(recorder.finish(plan, halted, bytes))
    }
}

/// Copies an answer to the host, and adds the time to `fetch_seconds`.
pub(crate) fn fetched<T: Pod>(array: &Array<T>, run: &mut Run) -> Result<Pages<T>> {
    let start = Instant::now();
    let mut values = Pages::<T>::scratch(array.len())?;
    array.read(&mut values).map_err(lift)?;
    run.fetch_seconds += start.elapsed().as_secs_f64();
    Ok(values)
}

/// Returns the address of a queue from an entry on.
pub(crate) fn from(queue: &Array<Vertex>, entry: u64) -> Address<Vertex> {
    Address::new(queue.address().raw() + 4 * entry)
}
