//! An open balance: what it is decided by, and what was decided since somebody last asked.

use super::{
    Scheme, Work,
    model::{Costs, Load, Why},
};
use crate::{
    Resident,
    error::lift,
    frontier::{Frontiers, Members},
    machine::Machine,
    resident::{DeviceRows, Side},
};
use std::fmt;
use warpgraph_core::Result;
use warpgraph_device::Address;

/// What an open balance is decided by.
#[derive(Debug)]
pub(super) struct Open {
    costs: Costs,
    /// Vertices of the graph.
    vertices: u64,
}

impl Open {
    /// Finds the longest row of each side, which is done once a graph.
    ///
    /// # Errors
    /// When memory is short, or the device fails.
    pub(super) fn new(
        machine: &Machine<'_>,
        resident: &Resident,
        frontiers: &Frontiers,
        sides: &[Side],
    ) -> Result<Self> {
        let vertices = resident.graph().vertices();
        for &side in sides {
            let rows = resident.rows(side)?;
            if rows.longest().is_none() {
                rows.set_longest(longest(machine, frontiers, Members::all(vertices), &rows)?);
            }
        }
        Ok(Self { costs: Costs::ASSUMED, vertices: vertices as u64 })
    }

    /// The cheapest of some schemes for rows of `copies` of the graph.
    pub(super) fn choose(&self, among: &[Scheme], rows: &DeviceRows, copies: u64, work: &Work) -> Why {
        let vertices = work.members.count;
        let all = copies.saturating_mul(rows.arcs() as u64);
        let longest = rows.longest().unwrap_or(rows.arcs() as u64);
        let longest = work.longest.unwrap_or(longest).min(longest);
        // Where nobody counted: as many as such rows can have.
        let arcs = work.arcs.unwrap_or_else(|| all.min(vertices.saturating_mul(longest)));
        let is_all = work.members.is_all() && vertices == self.vertices;
        self.costs.choose(among, Load { vertices, arcs, longest: longest.min(arcs), is_all })
    }
}

/// Waits, and says how many arcs the longest of some rows has.
fn longest(machine: &Machine<'_>, frontiers: &Frontiers, members: Members, rows: &DeviceRows) -> Result<u64> {
    let counters = machine.zeros::<u64>(2, "counters")?;
    let (arcs, longest) = (counters.address(), Address::new(counters.address().raw() + 8));
    frontiers.count_arcs(machine, members, rows, arcs, longest)?;
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
