//! An open balance: what it is decided by, and what was decided since somebody last asked.

use super::{
    Scheme, Work,
    calibrate::cost_model,
    model::{Costs, Load, Why},
    tiles::{most_tiles, record_bytes},
};
use crate::{
    DeviceGraph,
    device_graph::{DeviceRows, Side},
    error::lift,
    frontier::{Frontiers, Members, Tally},
    machine::Machine,
};
use std::fmt;
use warpgraph_core::{Balance, Result, Tiles};
use warpgraph_device::Address;

/// A row of so many blocks' size is better shared among all of them.
const LONG_ROW_BLOCKS: u64 = 16;
/// What is kept for an open balance takes no more than this share of the memory that is free.
const FREE_SHARE: u64 = 8;

/// What an open balance is decided by.
#[derive(Debug)]
pub(super) struct Open {
    costs: Costs,
    /// Vertices of the graph.
    vertices: u64,
}

impl Open {
    /// Finds the longest row of each side, which is done once a graph, and measures the device, which is done once for all.
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
        Ok(Self { costs: cost_model(machine.gpu()).costs, vertices: vertices as u64 })
    }

    /// The cheapest of some schemes for rows of `copies` of the graph; `is_listed`: what tiles they have must be listed.
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
        // Where nobody counted: as many as such rows can have.
        let arcs = work.arcs.unwrap_or_else(|| all.min(vertices.saturating_mul(longest)));
        let is_all = work.members.is_all() && vertices == self.vertices;
        self.costs.choose(among, Load { vertices, arcs, longest: longest.min(arcs), is_all, is_listed })
    }
}

/// Is it worth the memory to keep tiles? Where there are rows that one block would be long at, and what they take is a small part of what
/// is free.
pub(super) fn is_worth_keeping(
    machine: &Machine<'_>,
    device_graph: &DeviceGraph,
    sides: &[Side],
) -> Result<bool> {
    if device_graph.is_short() {
        return Ok(false);
    }
    if !sides.is_empty() && sides.iter().all(|&side| device_graph.keeps(side, Balance::RESIDENT)) {
        return Ok(true);
    }
    let (n, mut bytes, mut is_long) = (device_graph.graph().vertices() as u64, 0, false);
    for &side in sides {
        let rows = device_graph.rows(side)?;
        let most = most_tiles(Tiles::DEFAULT, machine.block(), n, rows.arcs() as u64);
        bytes += 8 * n + most * (record_bytes(device_graph.is_wide()) + 8);
        is_long |=
            rows.longest().is_some_and(|longest| longest > LONG_ROW_BLOCKS * u64::from(machine.block()));
    }
    Ok(is_long && bytes < machine.gpu().memory().map_err(lift)?.free / FREE_SHARE)
}

/// Waits, and says how many arcs the longest of some rows has.
fn longest(machine: &Machine<'_>, frontiers: &Frontiers, members: Members, rows: &DeviceRows) -> Result<u64> {
    let counters = machine.zeros::<u64>(2, "counters")?;
    let (arcs, longest) = (counters.address(), Address::new(counters.address().raw() + 8));
    frontiers.count_arcs(machine, members, rows, Tally { longest, ..Tally::of(arcs) })?;
    let mut seen = machine.gpu().pinned(2, "counters").map_err(lift)?;
    machine.fetch(&mut seen, &counters)?;
    Ok(seen.get(1))
}

/// What was expanded since somebody last asked: what a trace tells.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    /// Expansions, and what the first of them went by.
    times: u64,
    first: Option<Scheme>,
    is_mixed: bool,
    /// Arcs of all; `None` once somebody did not count.
    arcs: Option<u64>,
    why: Option<Why>,
}

impl Seen {
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

    /// What it went by, if that was one; `mixed` if it was not.
    pub(crate) fn balance(&self) -> Option<&'static str> {
        self.first.map(|first| if self.is_mixed { "mixed" } else { first.name() })
    }

    /// The same, but by somebody else's count of arcs.
    pub(crate) fn of_arcs(self, arcs: Option<u64>) -> Self {
        Self { arcs: arcs.filter(|_| self.times > 0), ..self }
    }

    /// The arcs that were expanded, if all were counted.
    pub(crate) fn arcs(&self) -> Option<u64> {
        self.arcs
    }
}

/// Begins with a comma, to stand behind what a superstep reached: why the last one went as it did, if that was open.
impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Some(why) if self.times > 1 => write!(f, ", last {why}"),
            Some(why) => write!(f, ", {why}"),
            None => Ok(()),
        }
    }
}
