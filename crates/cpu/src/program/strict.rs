//! `Min`, `Max` and `Or` for programs with their own `apply` or `active`: supersteps in the strict sense.
//!
//! The messages of a superstep are first joined per vertex, pushed with a compare-and-swap or pulled without. Then
//! every vertex that got a message applies it to its value, and sends in the next superstep if that made it active.
//! Values do not change while messages are computed from them.

use super::{Ended, Engine, cell, counts::Tally, frontier::for_each_member, frontier::set};
use crate::{
    Recorder,
    parts::{Bitmap, Team, atomics, team},
};
use warpgraph_core::{
    Direction, Halted, Result,
    program::{Scalar, VertexProgram},
};
use warpgraph_graph::{Offset, Pages, Vertex};

/// Pull while the vertices and arcs of the frontier exceed all arcs divided by this.
const DENSE_SHARE: usize = 20;
/// Frontier vertices that a thread takes at a time while pushing.
const QUEUE: usize = 1 << 8;
/// Words of the bitmaps that a thread takes at a time.
const WORDS: usize = 64;

/// Runs until no vertex is active.
pub(super) fn run<P: VertexProgram, O: Offset>(
    engine: &Engine<'_, P, O>,
    recorder: &mut Recorder,
) -> Result<Ended<P::Value>> {
    let n = engine.out.vertices();
    let (mut values, mut told) = (Pages::scratch(n)?, Pages::scratch(n)?);
    engine.fill(&mut values, |v| engine.sight.init(v))?;
    engine.fill(&mut told, |_| P::COMBINE.identity())?;
    let seeds = engine.prepared.seeds.clone().unwrap_or_else(|| (0..n as Vertex).collect());
    let mut front = Bitmap::empty(n)?;
    seeds.iter().for_each(|&v| front.insert(v));
    let mut steps = Supersteps {
        engine,
        values: P::Value::cells(&mut values),
        told: P::Value::cells(&mut told),
        queue: seeds,
        front,
        touched: Bitmap::empty(n)?,
    };
    let halted = team(|team| steps.run(team, recorder))?;
    let state = (n * (2 * size_of::<P::Value>() + 4) + n / 4) as u64;
    Ok(Ended { values, residual: None, halted, state_bytes: state })
}

struct Supersteps<'a, 'e, P: VertexProgram, O> {
    engine: &'a Engine<'e, P, O>,
    values: &'a [<P::Value as Scalar>::Cell],
    /// The joined messages of this superstep.
    told: &'a [<P::Value as Scalar>::Cell],
    /// The vertices that send, as a list and as a set.
    queue: Vec<Vertex>,
    front: Bitmap,
    /// The vertices that got a message.
    touched: Bitmap,
}

impl<P: VertexProgram, O: Offset> Supersteps<'_, '_, P, O> {
    fn run(&mut self, team: &Team, recorder: &mut Recorder) -> Result<Halted> {
        while !self.queue.is_empty() {
            self.engine.begin()?;
            self.reflect();
            let before = self.queue.len();
            let direction = self.direction(team);
            match direction {
                Direction::Push => self.push(team),
                Direction::Pull if self.engine.counts.is_some() => self.pull::<true>(team),
                Direction::Pull => self.pull::<false>(team),
            }
            self.apply(team);
            recorder.step(before, direction, || format!("{} vertices active", self.queue.len()));
            if self.engine.end(recorder) && !self.queue.is_empty() {
                return Ok(Halted::MaxIterations);
            }
        }
        Ok(Halted::Converged)
    }

    /// Lets the copies of the vertices that send take over their values and send with them.
    fn reflect(&mut self) {
        let Some(copies) = self.engine.prepared.copies() else { return };
        for at in 0..self.queue.len() {
            let value = P::Value::load(&self.values[self.queue[at] as usize]);
            for &copy in copies.of_master(self.queue[at]) {
                P::Value::store(&self.values[copy as usize], value);
                if !self.front.contains(copy) {
                    self.front.insert(copy);
                    self.queue.push(copy);
                }
            }
        }
    }

    fn direction(&self, team: &Team) -> Direction {
        let (out, parts) = (self.engine.out, self.queue.chunks(QUEUE).collect::<Vec<_>>());
        self.engine.fixed.unwrap_or_else(|| {
            let arcs = |part: usize| parts[part].iter().map(|&v| out.degree(v) as f64 + 1.0).sum();
            let is_dense = super::total(team, parts.len(), arcs) > (out.arcs() / DENSE_SHARE) as f64;
            if is_dense { Direction::Pull } else { Direction::Push }
        })
    }

    fn push(&mut self, team: &Team) {
        let (engine, values, told) = (self.engine, self.values, self.told);
        let touched = atomics(self.touched.words_mut());
        let parts: Vec<&[Vertex]> = self.queue.chunks(QUEUE).collect();
        team.round(parts.len(), &|_, part| {
            let mut tally = Tally { rows: parts[part].len() as u64, ..Tally::default() };
            for &u in parts[part] {
                // SAFETY: the queue is of vertices.
                let value = P::Value::load(unsafe { cell(values, u) });
                for (&v, arc) in engine.out.neighbors(u).iter().zip(engine.out.arcs_of(u)) {
                    // SAFETY: u and v are the ends of this outgoing arc.
                    let (message, to) = unsafe { (engine.push_message(u, v, arc, value), cell(told, v)) };
                    if join::<P>(to, message) {
                        set(touched, v, false);
                        tally.updates += 1;
                    }
                }
                tally.edges += engine.out.degree(u) as u64;
            }
            tally.arcs = tally.edges;
            engine.count(|| tally);
        });
    }

    fn pull<const COUNT: bool>(&mut self, team: &Team) {
        let (engine, values, told, front) = (self.engine, self.values, self.told, &self.front);
        let n = engine.out.vertices();
        let mut parts: Vec<&mut [u64]> = self.touched.words_mut().chunks_mut(WORDS).collect();
        team.each(&mut parts, |part, words| {
            let first = part * WORDS * 64;
            let mut tally = Tally::default();
            for v in first..n.min(first + words.len() * 64) {
                let (v, mut best) = (v as Vertex, P::COMBINE.identity());
                for (&u, arc) in engine.incoming.neighbors(v).iter().zip(engine.incoming.arcs_of(v)) {
                    if front.contains(u) {
                        // SAFETY: u and v are the ends of this incoming arc.
                        let message =
                            unsafe { engine.pull_message(u, v, arc, P::Value::load(cell(values, u))) };
                        tally.edges += u64::from(COUNT);
                        tally.updates += u64::from(COUNT && P::COMBINE.improves(best, message));
                        best = P::COMBINE.join(best, message);
                    }
                }
                tally.arcs += engine.incoming.degree(v) as u64;
                tally.rows += 1;
                if P::COMBINE.improves(P::COMBINE.identity(), best) {
                    // SAFETY: v is a vertex.
                    P::Value::store(unsafe { cell(told, v) }, best);
                    words[(v as usize - first) / 64] |= 1 << (v % 64);
                }
            }
            engine.count(|| tally);
        });
    }

    /// Applies the joined messages to every vertex that got any.
    fn apply(&mut self, team: &Team) {
        let (engine, values, told) = (self.engine, self.values, self.told);
        self.queue.iter().for_each(|&v| self.front.remove(v));
        let words = self.touched.words_mut().chunks_mut(WORDS);
        let mut parts: Vec<(&mut [u64], Vec<Vertex>)> = words.map(|words| (words, Vec::new())).collect();
        team.each(&mut parts, |part, (words, active)| {
            for_each_member(words, part * WORDS, |v| {
                // SAFETY: the set is of vertices.
                let (own, arrived) = unsafe { (cell(values, v), cell(told, v)) };
                let old = P::Value::load(own);
                let new = engine.sight.apply(v, old, P::Value::load(arrived));
                P::Value::store(own, new);
                P::Value::store(arrived, P::COMBINE.identity());
                if engine.sight.active(old, new) {
                    active.push(v);
                }
            });
            words.fill(0);
        });
        self.queue.clear();
        self.queue.extend(parts.iter().flat_map(|(_, active)| active));
        self.queue.iter().for_each(|&v| self.front.insert(v));
    }
}

/// Joins a message into a cell that other threads may change too. Returns whether it changed.
#[inline(always)]
fn join<P: VertexProgram>(to: &<P::Value as Scalar>::Cell, message: P::Value) -> bool {
    let mut old = P::Value::load(to);
    while P::COMBINE.improves(old, message) {
        match P::Value::exchange(to, old, P::COMBINE.join(old, message)) {
            Ok(()) => return true,
            Err(held) => old = held,
        }
    }
    false
}
