//! `Min`, `Max` and `Or`: values improve in place until no message improves any.
//!
//! The fixed point is the same whatever the order of messages, so a value may be used in the superstep that produced
//! it. Pushing first filters messages into a small buffer, without a branch, since on meshes the processor cannot
//! predict which ones improve something; it writes only those that do. For a program that changes a vertex at most once
//! ([`VertexProgram::ONCE`]), a bitmap in cache tells which vertices are done, and a vertex that pulls stops at its
//! first message.

use super::{
    Ended, Engine, cell,
    counts::Tally,
    frontier::{Claims, Frontier, Piece, set, word},
    reflect::{Together, reflect},
};
use crate::{
    Recorder,
    parts::{Bitmap, Team, atomics, prefetch, team},
};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use warpgraph_core::{
    Direction, Halted, Result,
    program::{Scalar, VertexProgram},
};
use warpgraph_graph::{Offset, Pages, Vertex};

/// Pull once the arcs of the frontier exceed the unexplored arcs divided by this (programs that change a vertex once).
const PULL_SHARE: usize = 15;
/// Push again once the frontier is smaller than the vertices divided by this (programs that change a vertex once).
const PUSH_SHARE: usize = 18;
/// Pull while the vertices and arcs of the frontier exceed all arcs divided by this (programs that change a vertex more
/// often).
const DENSE_SHARE: usize = 20;
/// Entries of the buffer of messages; a power of two.
const FOUND: usize = 1024;
/// How many vertices ahead arcs are prefetched.
const AHEAD: usize = 4;
/// Arcs filtered at a time.
const ROW: usize = 256;
/// Words of the bitmaps that a thread takes at a time while pulling: 64 vertices each.
const WORDS: usize = 64;

/// Runs to the fixed point.
pub(super) fn run<P: VertexProgram, O: Offset>(
    engine: &Engine<'_, P, O>,
    recorder: &mut Recorder,
) -> Result<Ended<P::Value>> {
    let n = engine.out.vertices();
    let mut values = Pages::scratch(n)?;
    engine.fill(&mut values, |v| engine.sight.init(v))?;
    let mut done = Bitmap::empty(if P::ONCE { n } else { 0 })?;
    let mut frontier = Frontier::empty(n)?;
    let pulling = match &engine.prepared.seeds {
        None => {
            frontier.start_all(engine.out);
            done.words_mut().fill(u64::MAX);
            true
        }
        Some(seeds) => {
            frontier.start(seeds.clone(), engine.out);
            seeds.iter().filter(|_| P::ONCE).for_each(|&v| done.insert(v));
            false
        }
    };
    let cells = P::Value::cells(&mut values);
    let (unexplored, together) = (engine.out.arcs(), Together::new(engine));
    let mut spread = Spread { engine, cells, done, frontier, pulling, unexplored, together };
    // Compiled twice, so that runs that do not count have nothing to do with it.
    let halted = match engine.counts {
        None => team(|team| spread.run::<false>(team, recorder))?,
        Some(_) => team(|team| spread.run::<true>(team, recorder))?,
    };
    let state = (n * (size_of::<P::Value>() + 8) + 5 * n.div_ceil(8)) as u64;
    Ok(Ended { values, residual: None, halted, state_bytes: state })
}

struct Spread<'a, 'e, P: VertexProgram, O> {
    engine: &'a Engine<'e, P, O>,
    cells: &'a [<P::Value as Scalar>::Cell],
    /// Vertices that can no longer change, in a program that changes a vertex once.
    done: Bitmap,
    frontier: Frontier<P::Value>,
    /// Whether the frontier is a bitmap.
    pulling: bool,
    unexplored: usize,
    /// Chunks of vertices to iterate before each superstep.
    together: Option<Together<'a>>,
}

impl<P: VertexProgram, O: Offset> Spread<'_, '_, P, O> {
    fn run<const COUNT: bool>(&mut self, team: &Team, recorder: &mut Recorder) -> Result<Halted> {
        while self.frontier.vertices > 0 {
            self.engine.begin()?;
            if let Some(together) = &self.together {
                together.iterate(self.engine, team, self.cells, &mut self.frontier, self.pulling);
            }
            if let Some(copies) = self.engine.prepared.copies() {
                reflect(copies, self.cells, &mut self.frontier, self.pulling, self.engine.out);
            }
            let before = self.frontier.vertices;
            let pull = self.should_pull();
            if pull != self.pulling {
                self.turn(team, pull);
            }
            // Not counted while pulling.
            let arcs = Some(self.frontier.arcs as u64).filter(|_| !pull);
            if pull {
                self.pull::<COUNT>(team);
            } else {
                self.unexplored -= self.frontier.arcs.min(self.unexplored);
                self.push::<COUNT>(team);
            }
            let direction = if pull { Direction::Pull } else { Direction::Push };
            let note = || format!("{} vertices changed", self.frontier.vertices);
            recorder.step_by(before, arcs, direction, None, note);
            if self.engine.end(recorder) && self.frontier.vertices > 0 {
                return Ok(Halted::MaxIterations);
            }
        }
        Ok(Halted::Converged)
    }

    fn should_pull(&self) -> bool {
        let (frontier, out) = (&self.frontier, self.engine.out);
        match self.engine.fixed {
            Some(direction) => direction == Direction::Pull,
            None if !P::ONCE => frontier.vertices + frontier.arcs > out.arcs() / DENSE_SHARE,
            None if self.pulling => frontier.vertices >= out.vertices() / PUSH_SHARE,
            None => frontier.arcs > self.unexplored / PULL_SHARE,
        }
    }

    /// Turns the frontier into the form that the other direction needs.
    fn turn(&mut self, team: &Team, pull: bool) {
        if pull {
            self.frontier.queue_to_front();
        } else {
            self.frontier.front_to_queue(team, self.engine.out);
        }
        self.pulling = pull;
    }

    fn push<const COUNT: bool>(&mut self, team: &Team) {
        let (engine, cells, done) = (self.engine, self.cells, atomics(self.done.words_mut()));
        if COUNT {
            let (rows, arcs) = (self.frontier.vertices as u64, self.frontier.arcs as u64);
            engine.count(|| Tally { edges: arcs, arcs, rows, updates: 0 });
        }
        self.frontier.push(team, engine.out, |piece, claims| {
            Walk { engine, cells, done, claims }.walk::<COUNT>(piece);
        });
    }

    fn pull<const COUNT: bool>(&mut self, team: &Team) {
        let step = Pull { engine: self.engine, cells: self.cells, front: &self.frontier.front };
        let next = self.frontier.next_front.words_mut().chunks_mut(WORDS);
        let mut none: Vec<u64> = Vec::new();
        let mut done = if P::ONCE { self.done.words_mut() } else { &mut none }.chunks_mut(WORDS);
        let mut parts: Vec<_> = next.map(|next| (next, done.next(), 0, 0)).collect();
        team.each(&mut parts, |part, (next, done, found, arcs)| {
            let mut tally = Tally::default();
            for (w, next) in next.iter_mut().enumerate() {
                let base = (part * WORDS + w) * 64;
                let barren;
                let held = done.as_ref().map_or(0, |done| done[w]);
                (*next, barren) = step.word::<COUNT>(base, held, &mut tally);
                if let Some(done) = done {
                    done[w] |= *next | barren;
                }
                *found += next.count_ones() as usize;
                *arcs += if P::ONCE { 0 } else { step.degrees(base, *next) };
            }
            if COUNT {
                step.engine.count(|| tally);
            }
        });
        let (vertices, arcs) = parts.iter().fold((0, 0), |sum, part| (sum.0 + part.2, sum.1 + part.3));
        let frontier = &mut self.frontier;
        (frontier.vertices, frontier.arcs) = (vertices, arcs);
        std::mem::swap(&mut frontier.front, &mut frontier.next_front);
    }
}

/// What the threads of a superstep that pulls share.
struct Pull<'a, 'e, P: VertexProgram, O> {
    engine: &'a Engine<'e, P, O>,
    cells: &'a [<P::Value as Scalar>::Cell],
    front: &'a Bitmap,
}

impl<P: VertexProgram, O: Offset> Pull<'_, '_, P, O> {
    /// Updates the 64 vertices from `base` that are not done. Returns those that changed, and those without incoming
    /// arcs.
    #[inline(always)]
    fn word<const COUNT: bool>(&self, base: usize, done: u64, tally: &mut Tally) -> (u64, u64) {
        let in_graph = self.engine.out.vertices() - base;
        let mut left = !done & if in_graph >= 64 { u64::MAX } else { (1 << in_graph) - 1 };
        let (mut changed, mut barren) = (0, 0);
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            let v = base as Vertex + bit;
            if P::ONCE {
                changed |= u64::from(self.find::<COUNT>(v, tally)) << bit;
                barren |= u64::from(self.engine.incoming.degree(v) == 0) << bit;
            } else {
                changed |= u64::from(self.renew::<COUNT>(v, tally)) << bit;
            }
        }
        (changed, barren)
    }

    /// Takes the first message of the frontier that improves `v`. Returns whether there is one.
    #[inline(always)]
    fn find<const COUNT: bool>(&self, v: Vertex, tally: &mut Tally) -> bool {
        let incoming = self.engine.incoming;
        tally.rows += u64::from(COUNT);
        let first = incoming.arcs_of(v).start;
        for (i, &u) in incoming.neighbors(v).iter().enumerate() {
            tally.arcs += u64::from(COUNT);
            if !self.front.contains(u) {
                continue;
            }
            tally.edges += u64::from(COUNT);
            // SAFETY: u and v are the ends of this incoming arc.
            let (told, own) = unsafe {
                let value = P::Value::load(cell(self.cells, u));
                (self.engine.pull_message(u, v, first + i, value), cell(self.cells, v))
            };
            let old = P::Value::load(own);
            if P::COMBINE.improves(old, told) {
                P::Value::store(own, P::COMBINE.join(old, told));
                tally.updates += u64::from(COUNT);
                return true;
            }
        }
        false
    }

    /// Joins the messages of the frontier into `v`. Returns whether `v` changed.
    #[inline(always)]
    fn renew<const COUNT: bool>(&self, v: Vertex, tally: &mut Tally) -> bool {
        let incoming = self.engine.incoming;
        tally.rows += u64::from(COUNT);
        let first = incoming.arcs_of(v).start;
        // SAFETY: v is a vertex.
        let own = unsafe { cell(self.cells, v) };
        let old = P::Value::load(own);
        let mut best = old;
        for (i, &u) in incoming.neighbors(v).iter().enumerate() {
            tally.arcs += u64::from(COUNT);
            if !self.front.contains(u) {
                continue;
            }
            tally.edges += u64::from(COUNT);
            // SAFETY: u and v are the ends of this incoming arc.
            let told = unsafe {
                let value = P::Value::load(cell(self.cells, u));
                self.engine.pull_message(u, v, first + i, value)
            };
            if P::COMBINE.improves(best, told) {
                best = P::COMBINE.join(best, told);
                tally.updates += u64::from(COUNT);
            }
        }
        let changed = P::COMBINE.improves(old, best);
        if changed {
            P::Value::store(own, best);
        }
        changed
    }

    /// Returns the number of outgoing arcs of the vertices in a word.
    fn degrees(&self, base: usize, mut word: u64) -> usize {
        let mut sum = 0;
        while word != 0 {
            sum += self.engine.out.degree(base as Vertex + word.trailing_zeros());
            word &= word - 1;
        }
        sum
    }
}

/// The data of a thread in a superstep that pushes.
struct Walk<'a, 'e, P: VertexProgram, O> {
    engine: &'a Engine<'e, P, O>,
    cells: &'a [<P::Value as Scalar>::Cell],
    done: &'a [AtomicU64],
    claims: Claims<'a>,
}

impl<P: VertexProgram, O: Offset> Walk<'_, '_, P, O> {
    /// Processes a piece of the frontier.
    fn walk<const COUNT: bool>(&self, piece: &mut Piece<P::Value>) {
        let Piece { queue, next, found, arcs } = piece;
        let mut updates = 0;
        found.resize(FOUND, (0, P::Value::ZERO));
        let out = self.engine.out;
        let mut passed = 0;
        for (at, &u) in queue.iter().enumerate() {
            if !P::ONCE {
                self.claims.release(u);
            }
            if let Some(&soon) = queue.get(at + AHEAD) {
                prefetch(out.targets(), out.arcs_of(soon).start);
            }
            // SAFETY: the queue is of vertices.
            let value = P::Value::load(unsafe { cell(self.cells, u) });
            let mut arc = out.arcs_of(u).start;
            for row in out.neighbors(u).chunks(ROW) {
                for &v in row {
                    // SAFETY: u and v are the ends of this outgoing arc.
                    let told = unsafe { self.engine.push_message(u, v, arc, value) };
                    found[passed % FOUND] = (v, told);
                    passed += usize::from(self.may_take(v, told));
                    arc += 1;
                }
                if passed > FOUND - ROW {
                    *arcs += self.deliver::<COUNT>(&mut found[..passed], next, &mut updates);
                    passed = 0;
                }
            }
        }
        *arcs += self.deliver::<COUNT>(&mut found[..passed], next, &mut updates);
        if COUNT {
            self.engine.count(|| Tally { updates, ..Tally::default() });
        }
    }

    #[inline(always)]
    fn may_take(&self, v: Vertex, told: P::Value) -> bool {
        if P::ONCE {
            return word(self.done, v).load(Relaxed) >> (v & 63) & 1 == 0;
        }
        // SAFETY: v is a vertex.
        P::COMBINE.improves(P::Value::load(unsafe { cell(self.cells, v) }), told)
    }

    /// Writes the messages that still improve something. Returns the number of arcs of the vertices that send next.
    #[inline(always)]
    fn deliver<const COUNT: bool>(
        &self,
        found: &mut [(Vertex, P::Value)],
        next: &mut Vec<Vertex>,
        updates: &mut u64,
    ) -> usize {
        let mut won = 0;
        for i in 0..found.len() {
            let (v, told) = found[i];
            found[won] = (v, told);
            let wins = if P::ONCE {
                // Claims all before it writes any: an atomic instruction waits for the stores before it.
                set(self.done, v, self.claims.alone)
            } else {
                let improves = self.improve(v, told);
                *updates += u64::from(COUNT && improves);
                improves && self.claims.claim(v)
            };
            won += usize::from(wins);
        }
        let mut arcs = 0;
        for &(v, told) in &found[..won] {
            if P::ONCE && !self.write_once(v, told) {
                continue;
            }
            *updates += u64::from(COUNT && P::ONCE);
            let row = self.engine.out.arcs_of(v);
            prefetch(self.engine.out.targets(), row.start);
            arcs += row.len();
            next.push(v);
        }
        arcs
    }

    /// Joins a message into a value that other threads may change too. Returns whether it changed.
    #[inline(always)]
    fn improve(&self, v: Vertex, told: P::Value) -> bool {
        // SAFETY: v is a vertex.
        let own = unsafe { cell(self.cells, v) };
        let mut old = P::Value::load(own);
        while P::COMBINE.improves(old, told) {
            let new = P::COMBINE.join(old, told);
            if self.claims.alone {
                P::Value::store(own, new);
                return true;
            }
            match P::Value::exchange(own, old, new) {
                Ok(()) => return true,
                Err(held) => old = held,
            }
        }
        false
    }

    /// Writes the one message of a vertex that the caller has claimed. If the message improves nothing, releases the
    /// claim: in a program that changes a vertex once, no other message of this superstep is better.
    #[inline(always)]
    fn write_once(&self, v: Vertex, told: P::Value) -> bool {
        // SAFETY: v is a vertex.
        let own = unsafe { cell(self.cells, v) };
        let old = P::Value::load(own);
        if P::COMBINE.improves(old, told) {
            P::Value::store(own, P::COMBINE.join(old, told));
            return true;
        }
        word(self.done, v).fetch_and(!(1 << (v & 63)), Relaxed);
        false
    }
}
