//! `Min`, `Max` and `Or` along paths: messages improve mirrors, and mirrors improve masters.
//!
//! `masters[v]` is the value of a vertex. `seen[slot]` is the value of the mirror that has been sent from this slot in all
//! directions (the paper's S'val), at first the identity for a seed. A row is *fresh* in a direction if its mirror has changed
//! since. Under `Min` and `Max` the best values go first: a fresh row is *due* if its value is within the limit of the stage
//! ([`Pace`]), and waits otherwise, so that most values are sent once instead of once per correction. Under `Or` all are due. A
//! chunk is handled so:
//!
//! 1. Every mirror takes the value of its master. Rows that differ from `seen` are fresh; so are seeds that start with the
//!    identity, when the chunk is handled for the first time.
//! 2. A pass sends from rows that are due, forward from the first to the last, then backward. What a row gets in a pass it sends
//!    on in the same pass. Hub chunks have Np passes, or as many as it takes until nothing is fresh; others have one.
//! 3. Mirrors that changed join their masters, and masters that this improves wake the chunks of their vertex if they are due.
//! 4. Rows that are fresh no more are seen. If any is still due, the chunk wakes itself.
//!
//! When no chunk is awake, all slots are searched for rows that wait, and the limit rises. A wake-up that was lost would be
//! found then, too.
//!
//! Values only improve, so the order of messages does not matter: the fixed point is that of supersteps.

use super::{
    super::{Ended, cell, fill, total},
    Task,
    course::Course,
    crew::{Crew, Handles},
    schedule::Schedule,
    tally::Done,
};
use crate::parts::{Bitmap, Team, team};
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use warpgraph_core::{
    Halted, Result,
    program::{Pace, Scalar, Stage, VertexProgram, place},
};
use warpgraph_graph::{
    NO_VERTEX, Offset, Pages, Vertex, par,
    paths::{LANES, SLOTS},
};

/// Runs to the fixed point.
pub(super) fn run<P: VertexProgram, O: Offset>(task: &mut Task<'_, '_, P, O>) -> Result<Ended<P::Value>> {
    let (course, n) = (task.course, task.vertices());
    let mut masters = Pages::scratch(n)?;
    fill(&course.sight, &mut masters, |v| course.sight.init(v))?;
    let mut seeds = Bitmap::none();
    if let Some(list) = &task.prepared.seeds {
        seeds = Bitmap::empty(n)?;
        list.iter().for_each(|&v| seeds.insert(v));
    }
    let seeds = task.prepared.seeds.is_some().then_some(&seeds);
    let is_seed = |v: Vertex| seeds.is_none_or(|seeds| seeds.contains(v));
    let none = P::COMBINE.identity::<P::Value>();
    let mut seen = Pages::scratch(course.paths.chunks() * SLOTS)?;
    par::chunks_mut(&mut seen, SLOTS, |chunk, part| {
        for (seen, &v) in part.iter_mut().zip(course.vertices(chunk as u32)) {
            *seen = match masters.get(v as usize) {
                Some(_) if is_seed(v) => none,
                Some(&master) => master,
                None => P::Value::ZERO,
            };
        }
    });
    let state = size_of::<P::Value>() * (n + seen.len()) + seeds.map_or(0, |seeds| 8 * seeds.words().len());
    let mut lists = task.lists(usize::MAX)?;
    let state_bytes = (state + lists.bytes()) as u64;
    let schedule = Schedule::new(&mut lists, task.homes);
    // What starts with the identity is never found to wait.
    for v in (0..n as Vertex).filter(|&v| is_seed(v) && masters[v as usize].bits() == none.bits()) {
        schedule.wake_all(v);
    }
    let chunks = course.paths.chunks() as u64;
    let pace = if schedule.drops() { Pace::at_once(chunks) } else { Pace::new(chunks) };
    let mut handler = Improve {
        course,
        schedule: &schedule,
        masters: P::Value::cells(&mut masters),
        seen: P::Value::cells(&mut seen),
        seeds,
        limit: pace.limit(),
    };
    let mut crew = task.crew(&schedule);
    team(|team| handler.settle(team, &mut crew, pace))?;
    crew.report(course.paths);
    Ok(Ended { values: masters, residual: None, halted: Halted::Converged, state_bytes })
}

struct Improve<'a, 'c, P: VertexProgram, O> {
    course: &'a Course<'c, P, O>,
    schedule: &'a Schedule<'a>,
    masters: &'a [<P::Value as Scalar>::Cell],
    seen: &'a [<P::Value as Scalar>::Cell],
    /// The vertices that send first; `None` for all.
    seeds: Option<&'a Bitmap>,
    /// The place up to which values are due.
    limit: f64,
}

/// One bit per row of a lane.
#[derive(Clone, Copy, Default)]
struct Rows {
    fresh_forward: u32,
    fresh_backward: u32,
    changed: u32,
    /// Fresh rows that are not due.
    later: u32,
}

/// The fresh rows of a lane when its chunk is loaded, one bit per row.
#[derive(Clone, Copy, Default)]
struct Fresh {
    due: u32,
    later: u32,
}

impl<P: VertexProgram, O: Offset> Handles for Improve<'_, '_, P, O> {
    fn handle(&self, chunk: u32, is_first: bool, merged: &mut Vec<Vertex>) -> Done {
        let (mut mirrors, mut done) = ([P::Value::ZERO; SLOTS], Done::default());
        let fresh = self.load(chunk, is_first, &mut mirrors, &mut done);
        let mut is_active = false;
        for (lane, fresh) in fresh.into_iter().enumerate().filter(|(_, fresh)| fresh.due != 0) {
            let walk = Walk { chunk: self, first: chunk as usize * SLOTS, lane };
            let joined = self.course.joined(chunk, lane);
            let rows = walk.passes(joined, fresh, self.course.passes(chunk), &mut mirrors, &mut done);
            let left = rows.fresh_forward | rows.fresh_backward;
            is_active |= left != 0;
            each_row(rows.changed, |row| {
                let (at, v) = (row * LANES + lane, self.course.vertices(chunk)[row * LANES + lane]);
                if self.merge(v, mirrors[at]) {
                    done.work.merges += 1;
                    if self.is_due(mirrors[at]) {
                        merged.push(v);
                    }
                }
            });
            each_row((fresh.due | rows.changed) & !left & !rows.later, |row| {
                let at = row * LANES + lane;
                P::Value::store(&self.seen[walk.first + at], mirrors[at]);
            });
        }
        self.schedule.changed(merged, chunk);
        if is_active {
            self.schedule.wake(chunk);
        }
        done.work.bytes += self.course.edge_bytes * done.work.edges;
        done
    }
}

impl<P: VertexProgram, O: Offset> Improve<'_, '_, P, O> {
    /// Runs stage by stage until nothing waits.
    fn settle(&mut self, team: &Team, crew: &mut Crew<'_>, mut pace: Pace) -> Result<()> {
        loop {
            self.limit = pace.limit();
            let (waits, before) = (self.awaited(team), crew.done());
            crew.run(team, self)?;
            let now = crew.done();
            let stage =
                Stage { handled: now.handled - before.handled, edges: now.work.edges - before.work.edges };
            if !pace.goes_on(stage, waits) {
                return Ok(());
            }
        }
    }

    /// Returns true if a value is within the limit. The identity improves nothing that would be sent later: it never waits.
    #[inline(always)]
    fn is_due(&self, value: P::Value) -> bool {
        place(P::COMBINE, value).is_none_or(|place| place <= self.limit)
            || value.bits() == P::COMBINE.identity::<P::Value>().bits()
    }

    /// Returns the rows of a lane that send something.
    #[inline(always)]
    fn senders(&self, chunk: u32, lane: usize) -> u32 {
        let joined = self.course.joined(chunk, lane);
        if self.course.backward { joined | joined << 1 } else { joined }
    }

    /// Wakes the chunks in which a row is due. Returns the place of the best value that waits; `None` if none does.
    fn awaited(&self, team: &Team) -> Option<f64> {
        let best = AtomicI64::new(i64::MAX);
        total(team, self.course.paths.chunks(), |chunk| {
            let mut mirrors = [P::Value::ZERO; SLOTS];
            let fresh = self.load(chunk as u32, false, &mut mirrors, &mut Done::default());
            let mut least = f64::INFINITY;
            for (lane, fresh) in fresh.into_iter().enumerate() {
                each_row(fresh.later, |row| {
                    least = place(P::COMBINE, mirrors[row * LANES + lane]).map_or(least, |p| p.min(least));
                });
            }
            if fresh.iter().any(|fresh| fresh.due != 0) {
                self.schedule.wake(chunk as u32);
            }
            if least < f64::INFINITY {
                best.fetch_min(ordered(least), Relaxed);
            }
            0.0
        });
        Some(best.into_inner()).filter(|&best| best < i64::MAX).map(unordered)
    }

    /// Reads the masters into the mirrors. Returns the fresh rows of each lane.
    #[inline(always)]
    fn load(
        &self,
        chunk: u32,
        is_first: bool,
        mirrors: &mut [P::Value; SLOTS],
        done: &mut Done,
    ) -> [Fresh; LANES] {
        let (vertices, first) = (self.course.vertices(chunk), chunk as usize * SLOTS);
        let seen = &self.seen[first..first + SLOTS];
        let (mut fresh, mut read) = ([0; LANES], 0);
        for at in 0..SLOTS {
            let v = vertices[at];
            if v == NO_VERTEX {
                continue;
            }
            // SAFETY: `course::check` has found that all others are vertices, and there is a master for each.
            let master = P::Value::load(unsafe { cell(self.masters, v) });
            mirrors[at] = master;
            let is_fresh = master.bits() != P::Value::load(&seen[at]).bits();
            fresh[at % LANES] |= u32::from(is_fresh) << (at / LANES);
            read += 1;
        }
        if is_first {
            for (at, &v) in vertices.iter().enumerate().filter(|(_, v)| **v != NO_VERTEX) {
                let is_seed = self.seeds.is_none_or(|seeds| seeds.contains(v));
                fresh[at % LANES] |= u32::from(is_seed) << (at / LANES);
            }
        }
        done.work.bytes += (4 * LANES + read * (4 + 2 * size_of::<P::Value>())) as u64;
        std::array::from_fn(|lane| self.parted(fresh[lane], self.senders(chunk, lane), lane, mirrors))
    }

    /// Parts the fresh rows of a lane into those that are due and those that wait. Rows that send nothing count as due, so that
    /// they are seen.
    #[inline(always)]
    fn parted(&self, fresh: u32, senders: u32, lane: usize, mirrors: &[P::Value; SLOTS]) -> Fresh {
        let mut parted = Fresh { due: fresh & !senders, later: 0 };
        each_row(fresh & senders, |row| {
            let is_due = self.is_due(mirrors[row * LANES + lane]);
            parted.due |= u32::from(is_due) << row;
            parted.later |= u32::from(!is_due) << row;
        });
        parted
    }

    /// Joins the value of a mirror into its master. Returns whether the master changed.
    #[inline(always)]
    fn merge(&self, v: Vertex, value: P::Value) -> bool {
        // SAFETY: mirrors that change are of vertices.
        let master = unsafe { cell(self.masters, v) };
        let mut old = P::Value::load(master);
        while P::COMBINE.improves(old, value) {
            match P::Value::exchange(master, old, P::COMBINE.join(old, value)) {
                Ok(()) => return true,
                Err(held) => old = held,
            }
        }
        false
    }
}

/// A walk along the paths of one lane.
struct Walk<'a, 'c, P: VertexProgram, O> {
    chunk: &'a Improve<'a, 'c, P, O>,
    /// The first slot of the chunk.
    first: usize,
    lane: usize,
}

impl<P: VertexProgram, O: Offset> Walk<'_, '_, P, O> {
    /// Passes until nothing is due, `most` times at most.
    #[inline(always)]
    fn passes(
        &self,
        joined: u32,
        fresh: Fresh,
        most: u32,
        mirrors: &mut [P::Value; SLOTS],
        done: &mut Done,
    ) -> Rows {
        let backward = self.chunk.course.backward;
        // Rows without an edge below send nothing forward, those without one above nothing backward.
        let (upper, lower) = (joined, if backward { joined << 1 } else { 0 });
        let mut rows = Rows { later: fresh.later, ..Rows::default() };
        (rows.fresh_forward, rows.fresh_backward) = (fresh.due & upper, fresh.due & lower);
        for _ in 0..most {
            while rows.fresh_forward != 0 {
                let row = rows.fresh_forward.trailing_zeros() as usize;
                rows.fresh_forward &= rows.fresh_forward - 1;
                if self.send(row, row, row + 1, mirrors, done) {
                    self.mark(&mut rows, row + 1, (upper, lower), mirrors);
                }
            }
            while rows.fresh_backward != 0 {
                let row = 31 - rows.fresh_backward.leading_zeros() as usize;
                rows.fresh_backward ^= 1 << row;
                if self.send(row - 1, row, row - 1, mirrors, done) {
                    self.mark(&mut rows, row - 1, (upper, lower), mirrors);
                }
            }
            if rows.fresh_forward == 0 {
                break;
            }
        }
        rows
    }

    /// Marks a row that improved: it is due, or it waits.
    #[inline(always)]
    fn mark(&self, rows: &mut Rows, row: usize, (upper, lower): (u32, u32), mirrors: &[P::Value; SLOTS]) {
        let bit = 1 << row;
        rows.changed |= bit;
        rows.later &= !bit;
        if self.chunk.is_due(mirrors[row * LANES + self.lane]) {
            rows.fresh_forward |= bit & upper;
            rows.fresh_backward |= bit & lower;
        } else {
            rows.later |= bit & (upper | lower);
        }
    }

    /// Sends along the edge below row `edge`. Returns whether the mirror in row `to` changed.
    #[inline(always)]
    fn send(
        &self,
        edge: usize,
        from: usize,
        to: usize,
        mirrors: &mut [P::Value; SLOTS],
        done: &mut Done,
    ) -> bool {
        let (course, slot) = (self.chunk.course, self.first + edge * LANES + self.lane);
        let forward = from < to;
        if !forward && course.is_loop(slot) {
            return false;
        }
        let told = course.message(slot, forward, mirrors[from * LANES + self.lane]);
        done.work.edges += 1;
        let own = &mut mirrors[to * LANES + self.lane];
        let improves = P::COMBINE.improves(*own, told);
        if improves {
            *own = P::COMBINE.join(*own, told);
            done.work.updates += 1;
        }
        improves
    }
}

/// Calls `visit` with the rows whose bits are set.
#[inline(always)]
fn each_row(mut rows: u32, mut visit: impl FnMut(usize)) {
    while rows != 0 {
        visit(rows.trailing_zeros() as usize);
        rows &= rows - 1;
    }
}

/// Returns a number in the order of `f64::total_cmp`.
fn ordered(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

/// The inverse of [`ordered`].
fn unordered(bits: i64) -> f64 {
    f64::from_bits((bits ^ ((bits >> 63) as u64 >> 1) as i64) as u64)
}
