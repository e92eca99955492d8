//! `Min`, `Max` and `Or` along paths: messages improve mirrors, and mirrors improve masters.
//!
//! `masters[v]` is the value of a vertex. `seen[slot]` is the value of the mirror that has been sent from this slot in all
//! directions (the paper's S'val). A row is *fresh* in a direction if its mirror has changed since. A chunk is handled so:
//!
//! 1. Every mirror takes the value of its master. Rows that differ from `seen` are fresh; so are seeds when the chunk is
//!    handled for the first time.
//! 2. A pass sends from fresh rows, forward from the first to the last, then backward. What a row gets in a pass it sends
//!    on in the same pass. Hub chunks have Np passes, or as many as it takes until nothing is fresh; others have one.
//! 3. Mirrors that changed join their masters, and masters that this improves wake the chunks of their vertex.
//! 4. Rows that are fresh no more are seen. If any is still fresh, the chunk wakes itself.
//!
//! Values only improve, so the order of messages does not matter: the fixed point is that of supersteps.

use super::{
    super::{Ended, cell, fill},
    Task,
    course::Course,
    crew::Handles,
    schedule::Schedule,
    tally::Done,
};
use crate::parts::{Bitmap, team};
use warpgraph_core::{
    Halted, Result,
    program::{Scalar, VertexProgram},
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
    let mut seen = Pages::scratch(course.paths.chunks() * SLOTS)?;
    par::chunks_mut(&mut seen, SLOTS, |chunk, part| {
        for (seen, &v) in part.iter_mut().zip(course.vertices(chunk as u32)) {
            *seen = masters.get(v as usize).copied().unwrap_or(P::Value::ZERO);
        }
    });
    let mut seeds = Bitmap::none();
    if let Some(list) = &task.prepared.seeds {
        seeds = Bitmap::empty(n)?;
        list.iter().for_each(|&v| seeds.insert(v));
    }
    let state = size_of::<P::Value>() * (n + seen.len()) + 8 * seeds.words().len();
    let mut lists = task.lists(usize::MAX)?;
    let state_bytes = (state + lists.bytes()) as u64;
    let schedule = Schedule::new(&mut lists, task.homes);
    match &task.prepared.seeds {
        Some(list) => list.iter().for_each(|&v| schedule.wake_all(v)),
        None => (0..course.paths.chunks() as u32).for_each(|chunk| schedule.wake(chunk)),
    }
    let handler = Improve {
        course,
        schedule: &schedule,
        masters: P::Value::cells(&mut masters),
        seen: P::Value::cells(&mut seen),
        seeds: task.prepared.seeds.is_some().then_some(&seeds),
    };
    let mut crew = task.crew(&schedule);
    team(|team| crew.run(team, &handler))?;
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
}

/// One bit per row of a lane.
#[derive(Clone, Copy)]
struct Rows {
    fresh_forward: u32,
    fresh_backward: u32,
    changed: u32,
}

impl<P: VertexProgram, O: Offset> Handles for Improve<'_, '_, P, O> {
    fn handle(&self, chunk: u32, is_first: bool, merged: &mut Vec<Vertex>) -> Done {
        let (mut mirrors, mut done) = ([P::Value::ZERO; SLOTS], Done::default());
        let fresh = self.load(chunk, is_first, &mut mirrors, &mut done);
        let mut is_active = false;
        for (lane, fresh) in fresh.into_iter().enumerate().filter(|(_, fresh)| *fresh != 0) {
            let walk = Walk { chunk: self, first: chunk as usize * SLOTS, lane };
            let joined = self.course.joined(chunk, lane);
            let rows = walk.passes(joined, fresh, self.course.passes(chunk), &mut mirrors, &mut done);
            let left = rows.fresh_forward | rows.fresh_backward;
            is_active |= left != 0;
            each_row(rows.changed, |row| {
                let v = self.course.vertices(chunk)[row * LANES + lane];
                if self.merge(v, mirrors[row * LANES + lane]) {
                    done.work.merges += 1;
                    merged.push(v);
                }
            });
            each_row((fresh | rows.changed) & !left, |row| {
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
    /// Reads the masters into the mirrors. Returns the fresh rows of each lane.
    #[inline(always)]
    fn load(
        &self,
        chunk: u32,
        is_first: bool,
        mirrors: &mut [P::Value; SLOTS],
        done: &mut Done,
    ) -> [u32; LANES] {
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
        fresh
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
    /// Passes until nothing is fresh, `most` times at most.
    #[inline(always)]
    fn passes(
        &self,
        joined: u32,
        fresh: u32,
        most: u32,
        mirrors: &mut [P::Value; SLOTS],
        done: &mut Done,
    ) -> Rows {
        let backward = self.chunk.course.backward;
        // Rows without an edge below send nothing forward, those without one above nothing backward.
        let (upper, lower) = (joined, if backward { joined << 1 } else { 0 });
        let mut rows = Rows { fresh_forward: fresh & upper, fresh_backward: fresh & lower, changed: 0 };
        for _ in 0..most {
            while rows.fresh_forward != 0 {
                let row = rows.fresh_forward.trailing_zeros() as usize;
                rows.fresh_forward &= rows.fresh_forward - 1;
                let below = 1 << (row + 1);
                if self.send(row, row, row + 1, mirrors, done) {
                    rows.fresh_forward |= below & upper;
                    rows.fresh_backward |= below & lower;
                    rows.changed |= below;
                }
            }
            while rows.fresh_backward != 0 {
                let row = 31 - rows.fresh_backward.leading_zeros() as usize;
                rows.fresh_backward ^= 1 << row;
                let above = 1 << (row - 1);
                if self.send(row - 1, row, row - 1, mirrors, done) {
                    rows.fresh_forward |= above & upper;
                    rows.fresh_backward |= above & lower;
                    rows.changed |= above;
                }
            }
            if rows.fresh_forward == 0 {
                break;
            }
        }
        rows
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
