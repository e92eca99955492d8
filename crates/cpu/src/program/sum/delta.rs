//! The delta form: a value and a pending change per vertex. A vertex that sends adds its pending change to its value
//! and sends only that change, so that every change crosses every arc exactly once. The pending changes are the
//! residual. They are summed in f64, since a hub adds very many small changes, and what a narrower value cannot
//! represent stays pending. A vertex also sends along the arcs of its copies, which have no pending changes of their own.

use super::SPARSE_SHARE;
use crate::{
    Recorder,
    parts::Team,
    program::{
        BATCH, Engine, cell,
        counts::Tally,
        frontier::{Claims, Frontier, Piece},
        total,
    },
};
use warpgraph_core::{
    Direction, Halted, Result,
    program::{Scalar, VertexProgram},
};
use warpgraph_graph::{Offset, Pages, Vertex, par};

/// The type in which changes are summed.
type Wide<P> = <<P as VertexProgram>::Value as Scalar>::Wide;

/// With small frontiers, the residual is computed only once per this many rounds.
const LOOK: u64 = 64;

/// Pushes changes until the stopping rule fires. Returns `None` if that would cross too many arcs; then `values` are a
/// start for sweeps.
pub(super) fn run<P: VertexProgram, O: Offset>(
    engine: &Engine<'_, P, O>,
    team: &Team,
    values: &mut [P::Value],
    recorder: &mut Recorder,
) -> Result<Option<(f64, Halted)>> {
    let n = values.len();
    let tolerance = engine.prepared.program.halt().tolerance().unwrap_or(0.0);
    // Smaller changes wait. All that wait together are at most half the tolerance.
    let least = tolerance / (2.0 * n as f64);
    let speaks = |v: Vertex| engine.counts(v) && engine.sight.init(v).to_f64().abs() > least;
    let work = total(team, n.div_ceil(BATCH), |batch| {
        let vertices = (batch * BATCH) as Vertex..n.min((batch + 1) * BATCH) as Vertex;
        vertices.filter(|&v| speaks(v)).map(|v| 1.0 + engine.out.degree(v) as f64).sum()
    });
    if is_dense(engine, work as usize) {
        engine.fill(values, |v| engine.sight.start(v))?;
        return Ok(None);
    }
    engine.fill(values, |v| engine.sight.init(v))?;
    let mut pending = Pages::<Wide<P>>::scratch(n)?;
    par::parts_mut(&mut pending, par::FINE, |first, part| {
        for (i, (wide, value)) in part.iter_mut().zip(&values[first..]).enumerate() {
            let is_counted = engine.counts((first + i) as Vertex);
            *wide = if is_counted { value.cast() } else { Wide::<P>::ZERO };
        }
    });
    let mut frontier = Frontier::empty(n)?;
    frontier.start((0..n as Vertex).filter(|&v| speaks(v)).collect(), engine.out);
    values.fill(P::Value::ZERO);
    let (values, pending) = (P::Value::cells(values), Wide::<P>::cells(&mut pending));
    let step = Step { engine, values, pending, least };
    let mut watch = engine.watch();
    let halted = loop {
        if frontier.vertices == 0 {
            break if tolerance > 0.0 { Halted::Tolerance } else { Halted::Converged };
        }
        if is_dense(engine, frontier.vertices + frontier.arcs) {
            step.settle();
            return Ok(None);
        }
        engine.begin()?;
        let (before, arcs) = (frontier.vertices, Some(frontier.arcs as u64));
        engine.count(|| Tally {
            edges: frontier.arcs as u64,
            arcs: frontier.arcs as u64,
            rows: frontier.vertices as u64,
            updates: 0,
        });
        // Compiled twice, so that runs that do not count have nothing to do with it.
        if engine.counts.is_none() {
            frontier.push(team, engine.out, |piece, claims| step.walk::<false>(piece, claims));
        } else {
            frontier.push(team, engine.out, |piece, claims| step.walk::<true>(piece, claims));
        }
        let note = || format!("{} vertices pending", frontier.vertices);
        recorder.step_by(before, arcs, Direction::Push, None, note);
        let is_last = engine.end(recorder);
        if before > n / SPARSE_SHARE || is_last || recorder.rounds().is_multiple_of(LOOK) {
            let residual = step.residual(team);
            watch.see(recorder.rounds(), residual)?;
            if residual < tolerance {
                break Halted::Tolerance;
            }
        }
        if is_last && frontier.vertices > 0 {
            break Halted::MaxIterations;
        }
    };
    Ok(Some((step.residual(team), halted)))
}

/// Returns whether sweeps would be cheaper than a frontier with this many vertices and arcs.
fn is_dense<P: VertexProgram, O: Offset>(engine: &Engine<'_, P, O>, work: usize) -> bool {
    engine.fixed.is_none() && work > engine.out.arcs() / SPARSE_SHARE
}

struct Step<'a, 'e, P: VertexProgram, O> {
    engine: &'a Engine<'e, P, O>,
    values: &'a [<P::Value as Scalar>::Cell],
    pending: &'a [<Wide<P> as Scalar>::Cell],
    least: f64,
}

impl<P: VertexProgram, O: Offset> Step<'_, '_, P, O> {
    fn walk<const COUNT: bool>(&self, piece: &mut Piece<P::Value>, claims: Claims<'_>) {
        let Piece { queue, next, arcs, .. } = piece;
        let mut updates = 0;
        let out = self.engine.out;
        for &u in &*queue {
            claims.release(u);
            // SAFETY: the queue is of vertices.
            let (own, waiting) = unsafe { (cell(self.values, u), cell(self.pending, u)) };
            let pending = Wide::<P>::swap(waiting, Wide::<P>::ZERO);
            let change: P::Value = pending.cast();
            let rest = pending.minus(change.cast());
            if rest != Wide::<P>::ZERO {
                self.add(u, rest, claims.alone);
            }
            P::Value::store(own, P::Value::load(own).plus(change));
            let copies = self.engine.prepared.copies().map_or(&[][..], |copies| copies.of_master(u));
            for u in std::iter::once(u).chain(copies.iter().copied()) {
                for (&v, arc) in out.neighbors(u).iter().zip(out.arcs_of(u)) {
                    // SAFETY: u and v are the ends of this outgoing arc.
                    let told = unsafe { self.engine.push_message(u, v, arc, change) };
                    updates += u64::from(COUNT && told != P::Value::ZERO);
                    if self.add(v, told.cast(), claims.alone).to_f64().abs() > self.least && claims.claim(v) {
                        *arcs += out.degree(v);
                        next.push(v);
                    }
                }
            }
        }
        if COUNT {
            self.engine.count(|| Tally { updates, ..Tally::default() });
        }
    }

    /// Adds to a pending change that other threads may change too. Returns the new pending change.
    #[inline(always)]
    fn add(&self, v: Vertex, told: Wide<P>, alone: bool) -> Wide<P> {
        // SAFETY: v is a vertex.
        let waiting = unsafe { cell(self.pending, v) };
        let mut old = Wide::<P>::load(waiting);
        loop {
            let new = old.plus(told);
            if alone {
                Wide::<P>::store(waiting, new);
                return new;
            }
            match Wide::<P>::exchange(waiting, old, new) {
                Ok(()) => return new,
                Err(held) => old = held,
            }
        }
    }

    /// Returns the sum of all pending changes.
    fn residual(&self, team: &Team) -> f64 {
        let parts: Vec<_> = self.pending.chunks(BATCH).collect();
        total(team, parts.len(), |part| {
            parts[part].iter().map(|cell| Wide::<P>::load(cell).to_f64().abs()).sum()
        })
    }

    /// Adds the pending changes to the values, which brings them closer to the fixed point.
    fn settle(&self) {
        for (own, waiting) in self.values.iter().zip(self.pending) {
            P::Value::store(own, P::Value::load(own).plus(Wide::<P>::load(waiting).cast()));
        }
        if let Some(copies) = self.engine.prepared.copies() {
            copies.reflect::<P::Value>(self.values);
        }
    }
}
