//! Sums that distribute, along paths: only changes are sent, so that every change crosses every edge exactly once.
//!
//! `masters[v]` is the total x[v] of a vertex, its initial value and all messages that have arrived. `sent_forward[slot]`
//! and `sent_backward[slot]` are the part of that total which has been sent from this slot in that direction. A row sends
//! the difference if it is above a threshold, eps. What a row gains in a pass it sends on in the same pass. Gains are
//! added to the masters when the chunk is done; those above eps wake the chunks of their vertex.
//!
//! The total change that another superstep would make, the residual, is at most the sum over all slots and directions of
//! `|message(x[u] - sent[slot])|`. The run goes on until nothing above eps is left to send, measures that bound, and
//! halves eps until the bound is below the tolerance. It begins with half of the largest change, and halves the largest
//! that is left if that is less than eps. So large changes are sent first, and small ones add up before they are sent:
//! with an eps of 4 * tolerance / n from the start, pagerank takes 2.4 times as many updates on kron:18. The messages of
//! measurements are not counted as work. Whole numbers without a tolerance have eps = 0 and end when nothing is left.
//!
//! Masters and what was sent are kept in f64 if values are narrower, because a hub adds very many small changes.

use super::{
    super::{Ended, cell, fill, total},
    Task,
    course::Course,
    crew::{Crew, Handles, Stopped},
    crowd::MANY,
    schedule::Schedule,
    tally::Done,
};
use crate::parts::{Team, team};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use warpgraph_core::{
    Halt, Halted, Result,
    program::{Scalar, VertexProgram, Watch},
};
use warpgraph_graph::{
    NO_VERTEX, Offset, Pages, Vertex, par,
    paths::{LANES, SLOTS},
};

/// The type of masters.
type Wide<P> = <<P as VertexProgram>::Value as Scalar>::Wide;
/// The cells of masters, and of what was sent.
type Cells<'a, P> = &'a [<Wide<P> as Scalar>::Cell];

/// Runs until the stopping rule of the program fires.
pub(super) fn run<P: VertexProgram, O: Offset>(task: &mut Task<'_, '_, P, O>) -> Result<Ended<P::Value>> {
    let (course, n) = (task.course, task.vertices());
    let slots = course.paths.chunks() * SLOTS;
    let mut values = Pages::<P::Value>::scratch(n)?;
    fill(&course.sight, &mut values, |v| course.sight.init(v))?;
    let mut masters = Pages::<Wide<P>>::scratch(n)?;
    par::parts_mut(&mut masters, par::FINE, |first, part| {
        part.iter_mut().zip(&values[first..]).for_each(|(master, value)| *master = value.cast());
    });
    let mut sent_forward = Pages::<Wide<P>>::zeroed(slots)?;
    let mut sent_backward = Pages::<Wide<P>>::zeroed(if course.backward { slots } else { 0 })?;
    let wide = masters.len() + sent_forward.len() + sent_backward.len();
    let mut lists = task.lists(MANY)?;
    let state_bytes = (size_of::<P::Value>() * n + size_of::<Wide<P>>() * wide + lists.bytes()) as u64;
    let schedule = Schedule::new(&mut lists, task.homes);
    let halt = task.prepared.program.halt();
    let mut handler = Changes {
        course,
        schedule: &schedule,
        masters: Wide::<P>::cells(&mut masters),
        sent_forward: Wide::<P>::cells(&mut sent_forward),
        sent_backward: Wide::<P>::cells(&mut sent_backward),
        eps: if halt.tolerance().is_some() { f64::INFINITY } else { 0.0 },
    };
    let mut crew = task.crew(&schedule);
    let (residual, halted) = team(|team| handler.settle(team, &mut crew, halt))?;
    crew.report(course.paths);
    par::parts_mut(&mut values, par::FINE, |first, part| {
        part.iter_mut().zip(&masters[first..]).for_each(|(value, master)| *value = master.cast());
    });
    Ok(Ended { values, residual: Some(residual), halted, state_bytes })
}

struct Changes<'a, 'c, P: VertexProgram, O> {
    course: &'a Course<'c, P, O>,
    schedule: &'a Schedule<'a>,
    masters: Cells<'a, P>,
    sent_forward: Cells<'a, P>,
    /// Empty if the run walks forward only.
    sent_backward: Cells<'a, P>,
    /// Smaller changes wait.
    eps: f64,
}

impl<P: VertexProgram, O: Offset> Changes<'_, '_, P, O> {
    /// Runs with smaller and smaller eps until the stopping rule fires. Returns the residual.
    fn settle(&mut self, team: &Team, crew: &mut Crew<'_>, halt: Halt) -> Result<(f64, Halted)> {
        let (mut watch, mut turns) = (Watch::new(P::NAME, halt), 0);
        let mut stopped = Stopped::Quiet;
        loop {
            let residual = self.measure(team);
            turns += 1;
            watch.see(turns, residual)?;
            if halt.tolerance().is_some_and(|tolerance| residual < tolerance) {
                return Ok((residual, Halted::Tolerance));
            }
            if residual == 0.0 {
                return Ok((residual, Halted::Converged));
            }
            if stopped == Stopped::Limit || crew.rounds().is_spent() {
                return Ok((residual, Halted::MaxIterations));
            }
            crew.rounds().watch();
            stopped = crew.run(team, self)?;
        }
    }

    /// Returns the bound of the residual. Lowers eps, and wakes the chunks that have more than that to send.
    fn measure(&mut self, team: &Team) -> f64 {
        let (before, largest) = (self.eps, AtomicU64::new(0));
        self.eps /= 2.0;
        let residual = self.weigh(team, &largest);
        // The bits of numbers that are not negative have the order of the numbers.
        let largest = f64::from_bits(largest.into_inner());
        if largest < before {
            self.eps = largest / 2.0;
            self.weigh(team, &AtomicU64::new(0));
        }
        residual
    }

    /// Returns the bound of the residual, and the largest change that is left, as bits. Wakes the chunks that have more than
    /// eps to send.
    fn weigh(&self, team: &Team, largest: &AtomicU64) -> f64 {
        total(team, self.course.paths.chunks(), |chunk| {
            let (chunk, first) = (chunk as u32, chunk * SLOTS);
            let (vertices, mut most, mut bound) = (self.course.vertices(chunk), 0.0_f64, 0.0);
            let mut look = |at: usize, edge: usize, sent: Cells<'_, P>, forward: bool| {
                // SAFETY: an edge has a vertex at both ends.
                let master = Wide::<P>::load(unsafe { cell(self.masters, vertices[at]) });
                let change = master.minus(Wide::<P>::load(&sent[first + at]));
                most = most.max(change.to_f64().abs());
                bound += self.course.message(first + edge, forward, change.cast()).to_f64().abs();
            };
            for lane in 0..LANES {
                each_edge(self.course.joined(chunk, lane), |row| {
                    let (upper, lower) = (row * LANES + lane, (row + 1) * LANES + lane);
                    look(upper, upper, self.sent_forward, true);
                    if self.course.backward && !self.course.is_loop(first + upper) {
                        look(lower, upper, self.sent_backward, false);
                    }
                });
            }
            if most > self.eps {
                self.schedule.wake(chunk);
            }
            largest.fetch_max(most.to_bits(), Relaxed);
            bound
        })
    }

    /// Reads the masters of a chunk.
    #[inline(always)]
    fn load(&self, chunk: u32, done: &mut Done) -> [Wide<P>; SLOTS] {
        let (mut totals, mut read) = ([Wide::<P>::ZERO; SLOTS], 0);
        for (total, &v) in totals.iter_mut().zip(self.course.vertices(chunk)) {
            if v != NO_VERTEX {
                // SAFETY: `course::check` has found that all others are vertices, and there is a master for each.
                *total = Wide::<P>::load(unsafe { cell(self.masters, v) });
                read += 1;
            }
        }
        let directions = if self.course.backward { 2 } else { 1 };
        done.work.bytes += (4 * LANES + read * (4 + (1 + directions) * size_of::<Wide<P>>())) as u64;
        totals
    }

    /// Adds to a master. Other threads may add too.
    #[inline(always)]
    fn merge(&self, v: Vertex, gained: Wide<P>) {
        // SAFETY: only vertices gain.
        let master = unsafe { cell(self.masters, v) };
        let mut old = Wide::<P>::load(master);
        while let Err(held) = Wide::<P>::exchange(master, old, old.plus(gained)) {
            old = held;
        }
    }
}

impl<P: VertexProgram, O: Offset> Handles for Changes<'_, '_, P, O> {
    fn handle(&self, chunk: u32, _: bool, merged: &mut Vec<Vertex>) -> Done {
        let mut done = Done::default();
        let totals = self.load(chunk, &mut done);
        let mut walk = Walk {
            changes: self,
            first: chunk as usize * SLOTS,
            totals,
            gained: [Wide::<P>::ZERO; SLOTS],
            done,
        };
        let mut is_active = false;
        for lane in 0..LANES {
            let joined = self.course.joined(chunk, lane);
            let mut passes = self.course.passes(chunk);
            while passes > 0 && walk.pass(joined, lane) {
                passes -= 1;
            }
            is_active |= self.course.backward && walk.has_more(joined, lane);
        }
        for (at, &gained) in walk.gained.iter().enumerate().filter(|(_, gained)| **gained != Wide::<P>::ZERO)
        {
            let v = self.course.vertices(chunk)[at];
            self.merge(v, gained);
            walk.done.work.merges += 1;
            if gained.to_f64().abs() > self.eps {
                merged.push(v);
            }
        }
        self.schedule.changed(merged, chunk);
        if is_active {
            self.schedule.wake(chunk);
        }
        walk.done.work.bytes += self.course.edge_bytes * walk.done.work.edges;
        walk.done
    }
}

/// A walk along the paths of a chunk.
struct Walk<'a, 'c, P: VertexProgram, O> {
    changes: &'a Changes<'a, 'c, P, O>,
    /// The first slot of the chunk.
    first: usize,
    /// The total of every row: its master when the chunk was loaded, and what it has gained since.
    totals: [Wide<P>; SLOTS],
    gained: [Wide<P>; SLOTS],
    done: Done,
}

impl<P: VertexProgram, O: Offset> Walk<'_, '_, P, O> {
    /// Sends all changes of a lane once, forward and backward. Returns false if there were none.
    #[inline(always)]
    fn pass(&mut self, joined: u32, lane: usize) -> bool {
        let before = self.done.work.edges;
        let changes = self.changes;
        each_edge(joined, |row| {
            let (upper, lower) = (row * LANES + lane, (row + 1) * LANES + lane);
            self.send(upper, (upper, lower), changes.sent_forward);
        });
        if changes.course.backward {
            each_edge_upwards(joined, |row| {
                let (upper, lower) = (row * LANES + lane, (row + 1) * LANES + lane);
                self.send(upper, (lower, upper), changes.sent_backward);
            });
        }
        self.done.work.edges > before
    }

    /// Sends the change of one end of an edge to the other, if it is above eps. `edge` is the upper end.
    #[inline(always)]
    fn send(&mut self, edge: usize, (from, to): (usize, usize), sent: Cells<'_, P>) {
        let (course, cell) = (self.changes.course, &sent[self.first + from]);
        let before = Wide::<P>::load(cell);
        let change = self.totals[from].minus(before);
        let size = change.to_f64().abs();
        let forward = from < to;
        // NaN is not above eps, and stays for the measurement to find.
        let is_due = size > self.changes.eps && (forward || !course.is_loop(self.first + edge));
        if !is_due {
            return;
        }
        // The message has the type of values: what that leaves out by rounding counts as not sent.
        let change: P::Value = change.cast();
        let told: Wide<P> = course.message(self.first + edge, forward, change).cast();
        Wide::<P>::store(cell, before.plus(change.cast()));
        self.done.work.edges += 1;
        self.done.sent += size;
        if told != Wide::<P>::ZERO {
            self.totals[to] = self.totals[to].plus(told);
            self.gained[to] = self.gained[to].plus(told);
            self.done.work.updates += 1;
        }
    }

    /// Returns true if a row of a lane still has more than eps to send. After a pass, this is only so forward: rows gain
    /// by the walk backward when the walk forward is over.
    #[inline(always)]
    fn has_more(&self, joined: u32, lane: usize) -> bool {
        let mut has_more = false;
        each_edge(joined, |row| {
            let at = row * LANES + lane;
            let sent = Wide::<P>::load(&self.changes.sent_forward[self.first + at]);
            has_more |= self.totals[at].minus(sent).to_f64().abs() > self.changes.eps;
        });
        has_more
    }
}

/// Calls `visit` with the upper row of every edge of a lane, from the first to the last.
#[inline(always)]
fn each_edge(mut joined: u32, mut visit: impl FnMut(usize)) {
    while joined != 0 {
        visit(joined.trailing_zeros() as usize);
        joined &= joined - 1;
    }
}

/// The same from the last to the first.
#[inline(always)]
fn each_edge_upwards(mut joined: u32, mut visit: impl FnMut(usize)) {
    while joined != 0 {
        let row = 31 - joined.leading_zeros();
        visit(row as usize);
        joined ^= 1 << row;
    }
}
