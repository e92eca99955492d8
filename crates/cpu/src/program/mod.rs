//! The engine of programs: runs any [`VertexProgram`], by push or pull, in the form that its monoid allows.
//!
//! - [`spread`]: `Min`, `Max` and `Or`. Values improve in place. A frontier of changed vertices pushes along its arcs
//!   with one compare-and-swap per improvement, or all vertices pull from it through a bitmap without any, depending on
//!   its size [1, 2].
//! - [`strict`]: the same monoids for programs with their own `apply` or `active`. Messages are first joined and then
//!   applied, so that a superstep sees only values of the one before.
//! - [`sum`]: `Sum`. Sweeps that pull. If the program distributes, they run in place and use each change at once, or
//!   push only the changes while few vertices have any (the delta form [3]).
//! - [`paths`]: programs of both kinds along paths, without supersteps, if the plan says so.
//!
//! Programs whose functions are expressions, such as those of other languages, are interpreted block by block ([`recorded`](mod@recorded)).
//!
//! An approximation may have changed the graph. Then copies of vertices are reflected, and chunks are iterated before each
//! superstep ([`reflect`]).
//!
//! Programs are compiled in, in the dialect `Native`. They are also traced, since a trace shows two properties: a
//! message that reads neither weight nor target is computed once per vertex, and an `apply` that only joins needs no
//! second array.
//!
//! Work: O(arcs of all frontiers) for `Min`, `Max`, `Or`; O(m) per sweep for `Sum`. Memory: one value per vertex, a
//! second one for strict and sum forms, 4 bits for bitmaps, up to 12 bytes for queues, and a copy of the weights if the
//! program wants another type.
//!
//! [1] S. Beamer, K. Asanović, D. Patterson, Direction-optimizing breadth-first search, SC 2012.
//! [2] J. Shun, G. Blelloch, Ligra: a lightweight graph processing framework for shared memory, PPoPP 2013.
//! [3] Y. Zhang, Q. Gao, L. Gao, C. Wang, Maiter: an asynchronous graph processing framework for delta-based
//!     accumulative iterative computation, TPDS 2014.

mod counts;
mod frontier;
mod paths;
mod recorded;
mod reflect;
mod spread;
mod strict;
mod sum;
#[cfg(test)]
pub(crate) mod tests;

pub use paths::AlongPaths;
pub use recorded::recorded;

use crate::{Options, Recorder, parts::Team};
use counts::{Counts, Tally, Widths};
use std::{sync::Arc, time::Instant};
use warpgraph_core::{
    Direction, Halted, Plan, Result,
    program::{Combine, Prepared, ProgramAnswer, Ran, Runs, Scalar, Sight, VertexProgram, Ways},
};
use warpgraph_graph::{Graph, Offset, Pages, Vertex, View, Views, csr::same_width, par};

/// Vertices that a thread takes at a time where it processes no arcs.
const BATCH: usize = 1 << 14;

/// Runs a program. The program and the plan must have been checked.
///
/// # Errors
/// If the inputs of the program are refused; if interrupted or memory is short; if a sum does not converge.
pub fn program<P: VertexProgram>(
    graph: &Graph,
    program: &Arc<P>,
    options: &Options,
) -> Result<ProgramAnswer<P::Value>> {
    let began = Instant::now();
    let prepared = Prepared::new(&**program, graph, options.map.as_ref())?;
    if options.plan.paths().is_some() {
        let Ran { values, residual, run } = AlongPaths::new(graph).run(&prepared, options, Ways::Out)?;
        return Ok(ProgramAnswer::new(graph, Arc::clone(program), values, residual, run));
    }
    let fixed = options.direction();
    let incoming = if fixed == Some(Direction::Push) { graph.out() } else { graph.incoming()? };
    let in_weights = prepared.weights(incoming)?;
    // If nothing is pushed, or arcs are the same both ways, no second array is needed. Chunks push in either direction.
    let is_one =
        (fixed.is_some() && prepared.chunks(options).is_none()) || std::ptr::eq(incoming, graph.out());
    let own_weights = if is_one { None } else { Some(prepared.weights(graph.out())?) };
    let out_weights = own_weights.as_ref().unwrap_or(&in_weights);
    let (out_csr, in_csr) = same_width(&graph.out().csr, &incoming.csr)?;
    let symmetric = !graph.is_directed() && prepared.copies().is_none();
    let counts = Counts::wanted(options);
    let mut recorder = Recorder::start(options, began);
    let ended = match (out_csr.views(), in_csr.views()) {
        (Views::Narrow(out), Views::Narrow(incoming)) => {
            let (sight, sight_in) =
                (Sight::new(&prepared, out, out_weights), Sight::new(&prepared, out, &in_weights));
            let (prepared, counts) = (&prepared, counts.as_ref());
            Engine { prepared, out, incoming, sight, sight_in, options, fixed, symmetric, counts }
                .run(&mut recorder)?
        }
        (Views::Wide(out), Views::Wide(incoming)) => {
            let (sight, sight_in) =
                (Sight::new(&prepared, out, out_weights), Sight::new(&prepared, out, &in_weights));
            let (prepared, counts) = (&prepared, counts.as_ref());
            Engine { prepared, out, incoming, sight, sight_in, options, fixed, symmetric, counts }
                .run(&mut recorder)?
        }
        _ => unreachable!("made of one width above"),
    };
    if let Some(counts) = counts {
        let weight = if in_weights.len() > 1 { size_of_val(&in_weights[0]) } else { 0 };
        let offset = if matches!(out_csr.views(), Views::Narrow(_)) { 4 } else { 8 };
        recorder.work(counts.work(&Widths { value: size_of::<P::Value>(), weight, offset }));
    }
    let run = recorder.finish(Plan::bsp(fixed), ended.halted, ended.state_bytes);
    Ok(ProgramAnswer::new(graph, Arc::clone(program), ended.values, ended.residual, run))
}

/// A program on a graph.
struct Engine<'a, P: VertexProgram, O> {
    prepared: &'a Prepared<'a, P>,
    out: View<'a, O>,
    incoming: View<'a, O>,
    /// Reads the weights of outgoing arcs.
    sight: Sight<'a, P, O>,
    /// Reads the weights of incoming arcs.
    sight_in: Sight<'a, P, O>,
    options: &'a Options,
    fixed: Option<Direction>,
    /// Whether every arc exists in both directions.
    symmetric: bool,
    /// Where to count the work, if that is wanted.
    counts: Option<&'a Counts>,
}

/// The result of a form of the engine.
struct Ended<T: Scalar> {
    values: Pages<T>,
    residual: Option<f64>,
    halted: Halted,
    state_bytes: u64,
}

impl<P: VertexProgram, O: Offset> Engine<'_, P, O> {
    fn run(&self, recorder: &mut Recorder) -> Result<Ended<P::Value>> {
        let mut ended = match P::COMBINE {
            Combine::Sum => sum::run(self, recorder)?,
            _ if self.prepared.traced.plain => spread::run(self, recorder)?,
            _ => strict::run(self, recorder)?,
        };
        if let Some(copies) = self.prepared.copies() {
            copies.reflect::<P::Value>(P::Value::cells(&mut ended.values));
        }
        Ok(ended)
    }

    /// Returns true if sums over vertices count `v`: it is neither a copy nor a hole.
    #[inline(always)]
    fn counts(&self, v: Vertex) -> bool {
        self.prepared.copies().is_none_or(|copies| copies.is_master(v))
    }

    /// Returns the out-degree of a vertex together with its copies.
    #[inline(always)]
    fn degree(&self, v: Vertex) -> usize {
        self.prepared
            .copies()
            .map_or_else(|| self.out.degree(v), |copies| copies.degrees()[v as usize] as usize)
    }

    /// Computes a value for every vertex. Refuses NaN.
    fn fill(&self, values: &mut [P::Value], value: impl Fn(Vertex) -> P::Value + Sync) -> Result<()> {
        fill(&self.sight, values, value)
    }

    /// Adds to what the run has counted, if it counts.
    fn count(&self, tally: impl FnOnce() -> Tally) {
        if let Some(counts) = self.counts {
            counts.add(tally());
        }
    }

    /// Begins a round: returns an error if the run must stop.
    fn begin(&self) -> Result<()> {
        Ok(self.options.control.check("running a program")?)
    }

    /// Ends a round: reports progress, and returns whether the limit of rounds is reached.
    fn end(&self, recorder: &Recorder) -> bool {
        let limit = self.prepared.program.halt().limit();
        self.options.control.report(P::NAME, recorder.rounds(), limit);
        limit.is_some_and(|limit| recorder.rounds() >= limit)
    }

    /// Returns the message of an outgoing arc.
    ///
    /// # Safety
    /// `arc` is an outgoing arc from `u` to `v`.
    #[inline(always)]
    unsafe fn push_message(&self, u: Vertex, v: Vertex, arc: usize, value: P::Value) -> P::Value {
        // SAFETY: the caller's promise; `sight` has the weights of outgoing arcs.
        unsafe { self.sight.message(u, v, arc, value) }
    }

    /// Returns the message of an incoming arc.
    ///
    /// # Safety
    /// `arc` is an incoming arc of `v`, from `u`.
    #[inline(always)]
    unsafe fn pull_message(&self, u: Vertex, v: Vertex, arc: usize, value: P::Value) -> P::Value {
        // SAFETY: the caller's promise; `sight_in` has the weights of incoming arcs.
        unsafe { self.sight_in.message(u, v, arc, value) }
    }
}

/// Computes a value for every vertex. Refuses NaN.
fn fill<P: VertexProgram, O: Offset>(
    sight: &Sight<'_, P, O>,
    values: &mut [P::Value],
    value: impl Fn(Vertex) -> P::Value + Sync,
) -> Result<()> {
    par::try_map_each(values.chunks_mut(BATCH).collect(), |batch, values| {
        for (i, slot) in values.iter_mut().enumerate() {
            let v = (batch * BATCH + i) as Vertex;
            *slot = value(v);
            sight.check_value(v, *slot)?;
        }
        Ok(())
    })
    .map(drop)
}

/// Returns the cell of a vertex.
///
/// # Safety
/// There is a cell for every vertex, and `v` is one.
#[inline(always)]
unsafe fn cell<T>(cells: &[T], v: Vertex) -> &T {
    debug_assert!((v as usize) < cells.len());
    // SAFETY: the caller's promise.
    unsafe { cells.get_unchecked(v as usize) }
}

/// Sums `part(i)` over `0..count`, always in the same order.
fn total(team: &Team, count: usize, part: impl Fn(usize) -> f64 + Sync) -> f64 {
    let mut sums = vec![0.0; count];
    team.each(&mut sums, |i, sum| *sum = part(i));
    sums.iter().sum()
}
