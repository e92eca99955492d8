//! What algorithms in filter form share: arcs both ways, a balance, counters that the host reads once a wave, and the end of a run.
//!
//! A *wave* is vertices that are expanded at once. Whoever joins by that is lined up in a queue, and is the next wave.

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

/// How many joined the queue, the arcs they have, those of their longest row, and the first of two counters of an algorithm's own.
pub(crate) const NEXT: usize = 0;
pub(crate) const ARCS: usize = 1;
const LONGEST: usize = 2;
pub(crate) const OWN: usize = 3;
const COUNTERS: usize = 5;

/// Vertices that are expanded at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wave {
    pub(crate) members: Members,
    /// Their arcs, of all sides that are gone along, and of the longest row; `None` if they were not counted.
    pub(crate) arcs: Option<u64>,
    pub(crate) longest: Option<u64>,
    /// Sides on which they were counted.
    pub(crate) sides: usize,
}

/// A graph, a balance and counters.
pub(crate) struct Waves<'m, 'a> {
    pub(crate) machine: &'m Machine<'a>,
    pub(crate) balancer: Balancer,
    out: Arc<DeviceRows>,
    /// Those of a directed graph.
    incoming: Option<Arc<DeviceRows>>,
    counters: Counters,
    /// Arcs that were gone along since somebody last asked; `None` if some were not counted.
    expanded: Option<u64>,
}

impl<'m, 'a> Waves<'m, 'a> {
    /// Brings the arcs of both directions to the device.
    ///
    /// # Errors
    /// When memory is short, here or there.
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

    /// The sides on which different arcs lie: one in an undirected graph.
    pub(crate) fn sides(&self) -> &'static [Side] {
        if self.incoming.is_some() { &[Side::Out, Side::In] } else { &[Side::Out] }
    }

    /// The arcs of a side.
    pub(crate) fn rows(&self, side: Side) -> &Arc<DeviceRows> {
        match (side, &self.incoming) {
            (Side::In, Some(incoming)) => incoming,
            _ => &self.out,
        }
    }

    /// Where the offsets of incoming arcs lie; null if they are the outgoing ones.
    pub(crate) fn in_offsets(&self) -> Address<()> {
        self.incoming.as_ref().map_or(Address::NULL, |rows| rows.offsets())
    }

    /// Where a counter lies.
    pub(crate) fn counter(&self, which: usize) -> Address<u64> {
        self.counters.at(which)
    }

    /// Sets all counters to 0.
    pub(crate) fn clear(&mut self) -> Result<()> {
        self.counters.clear()
    }

    /// Waits, and reads the counters.
    pub(crate) fn read(&mut self) -> Result<()> {
        self.counters.read(self.machine)
    }

    /// A counter as it was last read.
    pub(crate) fn last(&self, which: usize) -> u64 {
        self.counters.last(which)
    }

    /// Expands a wave along the arcs of a side; whoever joins is appended at `next`, and counted.
    ///
    /// # Safety
    /// Members are vertices without duplicates; every address in `args` is good for what the functor does with it, and what is there lives
    /// until the next wait; there is room at `next` for all that join.
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
        // Of two sides, each is expanded on its own, and what each has was not counted apart.
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
        // SAFETY: as the caller promises.
        unsafe { self.balancer.run(self.machine, expansion, side, &rows, work, args) }
    }

    /// Waits, and gives those who joined at `items`, no more than `room`, with their arcs of some sides.
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

    /// What was expanded since this was last asked.
    pub(crate) fn seen(&mut self) -> Seen {
        self.balancer.seen().of_arcs(self.expanded.replace(0))
    }

    /// Waits for what was started last, and ends the clock of a run.
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

/// Copies an answer to the host, on the clock for that.
pub(crate) fn fetched<T: Pod>(array: &Array<T>, run: &mut Run) -> Result<Pages<T>> {
    let start = Instant::now();
    let mut values = Pages::<T>::scratch(array.len())?;
    array.read(&mut values).map_err(lift)?;
    run.fetch_seconds += start.elapsed().as_secs_f64();
    Ok(values)
}

/// The part of a queue from an entry on.
pub(crate) fn from(queue: &Array<Vertex>, entry: u64) -> Address<Vertex> {
    Address::new(queue.address().raw() + 4 * entry)
}
