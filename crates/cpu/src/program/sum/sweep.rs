//! Sweeps: every vertex sums the messages of its incoming arcs.

use crate::{
    Recorder,
    pagerank::relax::Relaxation,
    parts::{Team, balanced},
    program::{BATCH, Engine, cell, counts::Tally, total},
};
use std::ops::Range;
use warpgraph_core::{
    Direction, Halted, Result,
    program::{Scalar, VertexProgram},
};
use warpgraph_graph::{Offset, Pages, Vertex};

/// Arcs and vertices that a thread takes at a time.
const WORK: usize = 1 << 15;
/// Messages added in their own precision before the sum is widened.
const BLOCK: usize = 128;
/// Independent chains of additions, so that one does not wait for the other.
const CHAINS: usize = 4;

/// The cells of a program's values.
type Cells<'a, P> = &'a [<<P as VertexProgram>::Value as Scalar>::Cell];

/// The totals of a sweep in place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Swept {
    /// The total change.
    change: f64,
    /// What vertices that send anything keep beyond what they send: the sum of `(1 - c[u]) * x[u]`.
    kept: f64,
    /// The sum of the values of the other vertices.
    sunk: f64,
}

impl Swept {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self {
            change: self.change + other.change,
            kept: self.kept + other.kept,
            sunk: self.sunk + other.sunk,
        }
    }

    /// Returns the factor for the values of vertices that send anything, so that the sum of all values is as it must
    /// be.
    fn factor(&self, initial: f64) -> Option<f64> {
        Some((initial - self.sunk) / self.kept).filter(|factor| (0.5..2.0).contains(factor))
    }
}

/// The data of sweeps.
pub(super) struct Sweeps<'a, 'e, P: VertexProgram, O> {
    engine: &'a Engine<'e, P, O>,
    ranges: Vec<Range<usize>>,
    /// The message of every vertex, if it is the same along all its arcs.
    sent: Option<Pages<P::Value>>,
}

impl<'a, 'e, P: VertexProgram, O: Offset> Sweeps<'a, 'e, P, O> {
    pub(super) fn new(engine: &'a Engine<'e, P, O>) -> Result<Self> {
        let of_source = engine.prepared.traced.message_is_of_source();
        let sent = if of_source { Some(Pages::scratch(engine.out.vertices())?) } else { None };
        Ok(Self { engine, ranges: balanced(engine.incoming, WORK), sent })
    }

    /// Updates values in place until the stopping rule fires. Returns the residual.
    pub(super) fn in_place(
        &mut self,
        team: &Team,
        values: Cells<'_, P>,
        recorder: &mut Recorder,
    ) -> Result<(f64, Halted)> {
        let mut sent = self.sent.take();
        let sent = sent.as_mut().map(|sent| P::Value::cells(sent));
        let (norm, is_positive) = if sent.is_some() { self.norm(team) } else { (f64::INFINITY, false) };
        if let Some(sent) = sent {
            self.send_all(team, values, sent);
        }
        // Integers cannot be scaled: NaN gives no factor.
        let is_decimal = P::Value::ONE.over(P::Value::ONE.plus(P::Value::ONE)) != P::Value::ZERO;
        // What a vertex sends along the arcs of its copies is not known when it is renewed, so values are not scaled then.
        let is_whole = self.engine.prepared.copies().is_none();
        let initial = if sent.is_some() && is_decimal && is_whole { self.initial(team) } else { f64::NAN };
        let (program, mut watch) = (self.engine.prepared.program, self.engine.watch());
        let tolerance = program.halt().tolerance();
        let may_relax = self.engine.symmetric && is_decimal && is_positive && norm < 1.0;
        let mut relaxation = Relaxation::new(may_relax, norm.min(1.0));
        loop {
            self.engine.begin()?;
            let factor = relaxation.factor();
            let swept = self.renew_all(team, values, sent, factor);
            let change = swept.change;
            recorder.step(values.len(), Direction::Pull, || format!("changed by {change:.3e}"));
            let is_last = self.engine.end(recorder);
            let is_nearer = watch.see(recorder.rounds(), change)?;
            // A value that moved f times as far as it should is off by (f - 1) / f of the way.
            let bound = if norm <= 1.0 { (norm + (factor - 1.0) / factor) * change } else { change };
            let is_met = change == 0.0 || tolerance.is_some_and(|t| bound < t);
            if !is_met && !is_last {
                relaxation.learn(change);
                let may_scale = is_nearer && relaxation.balances();
                if let Some((sent, factor)) = sent.zip(swept.factor(initial)).filter(|_| may_scale) {
                    self.scale(team, values, sent, factor.cast());
                }
                continue;
            }
            let residual = if norm <= 1.0 { bound } else { self.residual(team, values, sent) };
            if residual == 0.0 || tolerance.is_some_and(|t| residual < t) {
                let halted = if tolerance.is_some_and(|t| residual < t) {
                    Halted::Tolerance
                } else {
                    Halted::Converged
                };
                return Ok((residual, halted));
            }
            if is_last {
                return Ok((residual, Halted::MaxIterations));
            }
        }
    }

    /// Computes new values from old ones of one superstep until the stopping rule fires. Returns the residual.
    pub(super) fn alternate(
        &mut self,
        team: &Team,
        values: &mut Pages<P::Value>,
        next: &mut Pages<P::Value>,
        recorder: &mut Recorder,
    ) -> Result<(f64, Halted)> {
        let mut sent = self.sent.take();
        let sent = sent.as_mut().map(|sent| P::Value::cells(sent));
        let (program, mut watch) = (self.engine.prepared.program, self.engine.watch());
        let tolerance = program.halt().tolerance();
        loop {
            self.engine.begin()?;
            let change = self.superstep(team, values, next, sent, true);
            recorder.step(values.len(), Direction::Pull, || format!("changed by {change:.3e}"));
            let is_last = self.engine.end(recorder);
            watch.see(recorder.rounds(), change)?;
            // The values that the superstep started from are the answer: their residual is known exactly.
            if tolerance.is_some_and(|t| change < t) {
                return Ok((change, Halted::Tolerance));
            }
            if change == 0.0 {
                return Ok((0.0, Halted::Converged));
            }
            std::mem::swap(values, next);
            if is_last {
                let residual = self.superstep(team, values, next, sent, false);
                return Ok((residual, Halted::MaxIterations));
            }
        }
    }

    /// Computes the message of every vertex with outgoing arcs, once each.
    fn send_all(&self, team: &Team, values: Cells<'_, P>, sent: Cells<'_, P>) {
        let n = values.len();
        team.round(n.div_ceil(BATCH), &|_, batch| {
            for v in (batch * BATCH) as Vertex..n.min((batch + 1) * BATCH) as Vertex {
                // SAFETY: v is a vertex.
                self.send(v, P::Value::load(unsafe { cell(values, v) }), sent);
            }
        });
    }

    /// Stores the message of `v`.
    #[inline(always)]
    fn send(&self, v: Vertex, value: P::Value, sent: Cells<'_, P>) {
        if let Some(message) = self.message_of(v, value) {
            // SAFETY: v is a vertex.
            P::Value::store(unsafe { cell(sent, v) }, message);
        }
    }

    /// Returns the message of `v` along its first arc, which stands for all; `None` if it has no arcs.
    #[inline(always)]
    fn message_of(&self, v: Vertex, value: P::Value) -> Option<P::Value> {
        let out = self.engine.out;
        let arc = out.arcs_of(v).start;
        let &to = out.neighbors(v).first()?;
        // SAFETY: v and to are the ends of this outgoing arc.
        Some(unsafe { self.engine.push_message(v, to, arc, value) })
    }

    /// Returns the largest total that a vertex with value 1 sends, and whether no message is negative.
    fn norm(&self, team: &Team) -> (f64, bool) {
        let n = self.engine.out.vertices();
        let mut parts = vec![(0.0f64, true); n.div_ceil(BATCH)];
        team.each(&mut parts, |batch, (most, is_positive)| {
            for v in (batch * BATCH) as Vertex..n.min((batch + 1) * BATCH) as Vertex {
                let told = self.message_of(v, P::Value::ONE).map_or(0.0, |told| told.to_f64());
                let all = told.abs() * self.engine.degree(v) as f64;
                *most = most.max(if all.is_nan() { f64::INFINITY } else { all });
                *is_positive &= told >= 0.0;
            }
        });
        parts.into_iter().fold((0.0, true), |a, b| (a.0.max(b.0), a.1 && b.1))
    }

    /// Returns the sum of all initial values.
    fn initial(&self, team: &Team) -> f64 {
        total(team, self.ranges.len(), |range| {
            self.ranges[range].clone().map(|v| self.engine.sight.init(v as Vertex).to_f64()).sum()
        })
    }

    /// Scales the values of vertices that send anything, and their messages.
    fn scale(&self, team: &Team, values: Cells<'_, P>, sent: Cells<'_, P>, factor: P::Value) {
        let n = values.len();
        team.round(n.div_ceil(BATCH), &|_, batch| {
            for v in batch * BATCH..n.min((batch + 1) * BATCH) {
                if self.engine.out.degree(v as Vertex) > 0 {
                    P::Value::store(&values[v], P::Value::load(&values[v]).times(factor));
                    P::Value::store(&sent[v], P::Value::load(&sent[v]).times(factor));
                }
            }
        });
    }

    /// Runs one sweep in place. Threads take ranges in increasing order.
    fn renew_all(&self, team: &Team, values: Cells<'_, P>, sent: Option<Cells<'_, P>>, factor: f64) -> Swept {
        let factor: P::Value = factor.cast();
        let mut parts = vec![Swept::default(); self.ranges.len()];
        team.each(&mut parts, |range, swept| {
            self.count(range, values, sent);
            for v in self.counted(range) {
                *swept = swept.plus(self.renew(v, values, sent, factor));
            }
        });
        self.reflect(values, sent);
        parts.into_iter().fold(Swept::default(), Swept::plus)
    }

    /// Iterates over the vertices of a range that sums count.
    #[inline(always)]
    fn counted(&self, range: usize) -> impl Iterator<Item = Vertex> + '_ {
        self.ranges[range].clone().map(|v| v as Vertex).filter(|&v| self.engine.counts(v))
    }

    /// Gives copies of vertices the values of their masters, and their messages.
    fn reflect(&self, values: Cells<'_, P>, sent: Option<Cells<'_, P>>) {
        let Some(copies) = self.engine.prepared.copies() else { return };
        copies.reflect::<P::Value>(values);
        if let Some(sent) = sent {
            copies.pairs().1.iter().for_each(|&v| self.send(v, P::Value::load(&values[v as usize]), sent));
        }
    }

    /// Updates a vertex and its message, moving its value `factor` times as far as it should.
    #[inline(always)]
    fn renew(&self, v: Vertex, values: Cells<'_, P>, sent: Option<Cells<'_, P>>, factor: P::Value) -> Swept {
        // SAFETY: v is a vertex.
        let own = unsafe { cell(values, v) };
        let (old, goal) = (P::Value::load(own), self.right_value(v, values, sent));
        let new = if factor == P::Value::ONE { goal } else { old.plus(factor.times(goal.minus(old))) };
        P::Value::store(own, new);
        let mut swept = Swept { change: old.apart(new), ..Swept::default() };
        if let Some(sent) = sent {
            match self.message_of(v, new) {
                None => swept.sunk = new.to_f64(),
                Some(message) => {
                    // SAFETY: v is a vertex.
                    P::Value::store(unsafe { cell(sent, v) }, message);
                    swept.kept = new.to_f64() - message.to_f64() * self.engine.out.degree(v) as f64;
                }
            }
        }
        swept
    }

    /// Returns the total change that a sweep would make.
    fn residual(&self, team: &Team, values: Cells<'_, P>, sent: Option<Cells<'_, P>>) -> f64 {
        total(team, self.ranges.len(), |range| {
            let change =
                |v: Vertex| P::Value::load(&values[v as usize]).apart(self.right_value(v, values, sent));
            self.counted(range).map(change).sum()
        })
    }

    /// Returns `init(v) + sum of messages`.
    #[inline(always)]
    fn right_value(&self, v: Vertex, values: Cells<'_, P>, sent: Option<Cells<'_, P>>) -> P::Value {
        self.engine.sight.init(v).plus(self.arrived(v, values, sent))
    }

    /// Counts what a sweep over a range is about to do, if the run counts its work.
    fn count(&self, range: usize, values: Cells<'_, P>, sent: Option<Cells<'_, P>>) {
        let (incoming, vertices) = (self.engine.incoming, self.ranges[range].clone());
        self.engine.count(|| {
            let mut tally = Tally { rows: vertices.len() as u64, ..Tally::default() };
            for v in vertices {
                let v = v as Vertex;
                for (&u, arc) in incoming.neighbors(v).iter().zip(incoming.arcs_of(v)) {
                    let told = match sent {
                        Some(sent) => P::Value::load(&sent[u as usize]),
                        // SAFETY: u and v are the ends of this incoming arc.
                        None => unsafe {
                            self.engine.pull_message(u, v, arc, P::Value::load(&values[u as usize]))
                        },
                    };
                    tally.updates += u64::from(told != P::Value::ZERO);
                    tally.edges += 1;
                }
            }
            Tally { arcs: tally.edges, ..tally }
        });
    }

    /// Runs one superstep from `old` to `new` and returns the total change. One that only measures is not counted.
    fn superstep(
        &self,
        team: &Team,
        old: &mut [P::Value],
        new: &mut [P::Value],
        sent: Option<Cells<'_, P>>,
        is_counted: bool,
    ) -> f64 {
        let (old, new) = (P::Value::cells(old), P::Value::cells(new));
        if let Some(sent) = sent {
            self.send_all(team, old, sent);
        }
        let change = total(team, self.ranges.len(), |range| {
            if is_counted {
                self.count(range, old, sent);
            }
            let mut change = 0.0;
            for v in self.counted(range) {
                let held = P::Value::load(&old[v as usize]);
                let next = match P::DISTRIBUTES {
                    true => self.right_value(v, old, sent),
                    false => self.engine.sight.apply(v, held, self.arrived(v, old, sent)),
                };
                P::Value::store(&new[v as usize], next);
                change += held.apart(next);
            }
            change
        });
        self.reflect(new, None);
        change
    }

    /// Returns the sum of all messages to `v`.
    #[inline(always)]
    fn arrived(&self, v: Vertex, values: Cells<'_, P>, sent: Option<Cells<'_, P>>) -> P::Value {
        let neighbors = self.engine.incoming.neighbors(v);
        match sent {
            // SAFETY: neighbours are vertices.
            Some(sent) => sum(neighbors, |_, u| P::Value::load(unsafe { cell(sent, u) })),
            None => {
                let first = self.engine.incoming.arcs_of(v).start;
                sum(neighbors, |i, u| {
                    // SAFETY: u and v are the ends of this incoming arc.
                    unsafe { self.engine.pull_message(u, v, first + i, P::Value::load(cell(values, u))) }
                })
            }
        }
    }
}

/// Sums `told(place, neighbour)`, always in the same order.
#[inline(always)]
fn sum<T: Scalar>(neighbors: &[Vertex], told: impl Fn(usize, Vertex) -> T) -> T {
    let Some((&first, last)) = neighbors.first().zip(neighbors.len().checked_sub(1)) else { return T::ZERO };
    if last < CHAINS {
        // Meshes: avoids a loop whose end the processor would often mispredict. Places beyond the end are read again
        // and count 0.
        let nth = |i: usize| {
            let (place, u) = if i <= last { (i, neighbors[i]) } else { (0, first) };
            let told = told(place, u);
            if i <= last { told } else { T::ZERO }
        };
        return nth(0).plus(nth(1)).plus(nth(2).plus(nth(3)));
    }
    let mut total = T::wide_zero();
    for (block, part) in neighbors.chunks(BLOCK).enumerate() {
        let (fours, rest) = part.as_chunks::<CHAINS>();
        let mut chains = [T::ZERO; CHAINS];
        for (four, vertices) in fours.iter().enumerate() {
            for (i, (chain, &u)) in chains.iter_mut().zip(vertices).enumerate() {
                *chain = chain.plus(told(block * BLOCK + four * CHAINS + i, u));
            }
        }
        let [a, b, c, d] = chains;
        let first = block * BLOCK + fours.len() * CHAINS;
        let rest = rest.iter().enumerate().fold(T::ZERO, |sum, (i, &u)| sum.plus(told(first + i, u)));
        total = T::widen(total, a.plus(b).plus(c.plus(d)).plus(rest));
    }
    T::narrow(total)
}
