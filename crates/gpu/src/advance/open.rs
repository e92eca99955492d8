//! An open balance: what it is chosen among and by, and what was chosen since the run last asked.

use super::{
    Scheme, Work,
    calibrate::cost_model,
    model::{Costs, Load, Why},
};
use crate::{
    DeviceGraph,
    device_graph::{DeviceRows, Side},
    error::lift,
    frontier::{Frontiers, Members, Tally},
    machine::Machine,
};
use std::fmt;
use warpgraph_core::{Balance, Partitions, Result};
use warpgraph_device::Address;
use warpgraph_graph::timeline::Phase;

/// What an open balance is chosen among, beside `resident` where tiles are worth their memory. `node` is not: on an H200 it was
/// behind `tiled` in searches and components on all of 17 graphs (docs/reproduce.md).
pub(super) const CANDIDATES: [Balance; 2] = [Balance::TILED, Balance::Workload];

/// What an open balance is chosen by.
#[derive(Debug)]
pub(super) struct Open {
    costs: Costs,
    /// Vertices of the graph.
    vertices: u64,
}

impl Open {
    /// Finds the longest row of each side, which is done once per graph, and measures the device, which is done once for all.
    ///
    /// # Errors
    /// When memory is short, or the device fails.
    pub(super) fn new(
        machine: &Machine<'_>,
        device_graph: &DeviceGraph,
        frontiers: &Frontiers,
        sides: &[Side],
    ) -> Result<Self> {
        let vertices = device_graph.graph().vertices();
        for &side in sides {
            let rows = device_graph.rows(side)?;
            if rows.longest().is_none() {
                rows.set_longest(longest(machine, frontiers, Members::all(vertices), &rows)?);
            }
        }
        let _span = machine.span(Phase::Calibrating);
        Ok(Self { costs: cost_model(machine.gpu()).costs, vertices: vertices as u64 })
    }

    /// Returns the cheapest of some schemes for rows of `copies` of the graph; `is_listed`: their tiles must be listed.
    pub(super) fn choose(
        &self,
        among: &[Scheme],
        rows: &DeviceRows,
        (copies, is_listed): (u64, bool),
        work: &Work,
    ) -> Why {
        let vertices = work.members.count;
        let all = copies.saturating_mul(rows.arcs() as u64);
        let longest = rows.longest().unwrap_or(rows.arcs() as u64);
        let longest = work.longest.unwrap_or(longest).min(longest);
        // If the arcs were not counted: as many as such rows can have.
        let arcs = work.arcs.unwrap_or_else(|| all.min(vertices.saturating_mul(longest)));
        let is_all = work.members.is_all() && vertices == self.vertices;
        self.costs.choose(among, Load { vertices, arcs, longest: longest.min(arcs), is_all, is_listed })
    }
}

/// Waits, and returns how many arcs the longest of some rows has.
fn longest(machine: &Machine<'_>, frontiers: &Frontiers, members: Members, rows: &DeviceRows) -> Result<u64> {
    let counters = machine.zeros::<u64>(2, "counters")?;
    let (arcs, longest) = (counters.address(), Address::new(counters.address().raw() + 8));
    frontiers.count_arcs(machine, members, rows, Tally { longest, ..Tally::of(arcs) })?;
    let mut seen = machine.gpu().pinned(2, "counters").map_err(lift)?;
    machine.fetch(&mut seen, &counters)?;
    Ok(seen.get(1))
}

/// What was expanded since the run last asked, for its trace.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    /// Expansions, and what the first of them went by.
    times: u64,
    first: Option<Scheme>,
    is_mixed: bool,
    /// Arcs of all; `None` once an expansion did not count them.
    arcs: Option<u64>,
    why: Option<Why>,
    /// How partitions of far edges were read; `None` if none could be copied ahead.
    partitions: Option<Partitions>,
}

impl Seen {
    /// Adds how partitions were read.
    pub(super) fn with(self, partitions: Option<Partitions>) -> Self {
        Self { partitions, ..self }
    }

    /// Notes an expansion.
    pub(super) fn note(&mut self, scheme: Scheme, arcs: Option<u64>, why: Option<Why>) {
        self.arcs = match self.times {
            0 => arcs,
            _ => self.arcs.zip(arcs).map(|(all, arcs)| all.saturating_add(arcs)),
        };
        self.times += 1;
        self.is_mixed |= self.first.is_some_and(|first| first != scheme);
        self.first = self.first.or(Some(scheme));
        self.why = why;
    }

    /// Returns the balance of all expansions, or `mixed` if there were several.
    pub(crate) fn balance(&self) -> Option<&'static str> {
        self.first.map(|first| if self.is_mixed { "mixed" } else { first.name() })
    }

    /// Returns the same with another count of arcs.
    pub(crate) fn of_arcs(self, arcs: Option<u64>) -> Self {
        Self { arcs: arcs.filter(|_| self.times > 0), ..self }
    }

    /// Returns the arcs that were expanded, if all were counted.
    pub(crate) fn arcs(&self) -> Option<u64> {
        self.arcs
    }
}

/// Prints why the last expansion went by its balance, if that was open, and how partitions were read. Begins with a comma, to
/// stand behind what a superstep reached.
impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Some(why) if self.times > 1 => write!(f, ", last {why}"),
            Some(why) => write!(f, ", {why}"),
            None => Ok(()),
        }?;
        let Some(partitions) = &self.partitions else { return Ok(()) };
        let Partitions { copied, found, in_place, .. } = partitions;
        write!(f, ", partitions: {copied} copied, {found} found, {in_place} in place")
    }
}
