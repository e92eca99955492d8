//! The engine of programs: any [`VertexProgram`], by push or pull, in the form that its monoid allows.
//!
//! - [`spread`]: `Min`, `Max` and `Or`. Values improve in place; a frontier of vertices that changed pushes along its arcs with
//!   one compare-and-swap an improvement, or is pulled from through a bitmap without any, as its size asks for [1, 2].
//! - [`strict`]: the same monoids with an `apply` or `active` of the program's own. What arrives is gathered first and applied
//!   after, so that a superstep sees values of the one before only.
//! - [`sum`]: `Sum`. Sweeps that pull; for one that distributes in place, each change used at once, or pushed as the change
//!   alone while few vertices have any (the delta form [3]).
//!
//! Programs are compiled in, in the dialect `Native`. They are traced as well, for what that tells: a message that reads
//! neither weight nor target is computed once a vertex; an `apply` that only joins needs no place to gather in.
//!
//! Work: O(arcs of all frontiers) for `Min`, `Max`, `Or`, O(m) a sweep for `Sum`. Memory: a value a vertex, a second one for
//! strict and sum forms, 4 bits for bitmaps, up to 12 bytes for queues, and the weights again if the program wants another type.
//!
//! [1] S. Beamer, K. Asanović, D. Patterson, Direction-optimizing breadth-first search, SC 2012.
//! [2] J. Shun, G. Blelloch, Ligra: a lightweight graph processing framework for shared memory, PPoPP 2013.
//! [3] Y. Zhang, Q. Gao, L. Gao, C. Wang, Maiter: an asynchronous graph processing framework for delta-based accumulative
//!     iterative computation, TPDS 2014.

mod frontier;
mod spread;
mod strict;
mod sum;

use crate::{Options, Recorder, parts::Team};
use std::{sync::Arc, time::Instant};
use warpgraph_core::{
    Direction, Halted, Plan, Result,
    program::{Combine, Prepared, ProgramAnswer, Scalar, Sight, VertexProgram},
};
use warpgraph_graph::{Graph, Offset, Pages, Vertex, View, Views, csr::same_width, par};

/// Vertices a thread takes at a time where no arcs are looked at.
const BATCH: usize = 1 << 14;

/// Runs a program, which has passed its own check and whose plan has been checked.
///
/// # Errors
/// What the border refuses; when interrupted or memory is short; when a sum does not converge.
pub fn program<P: VertexProgram>(
    graph: &Graph,
    program: &Arc<P>,
    options: &Options,
) -> Result<ProgramAnswer<P::Value>> {
    let began = Instant::now();
    let prepared = Prepared::new(&**program, graph, options.map.as_ref())?;
    let fixed = options.direction();
    let incoming = if fixed == Some(Direction::Push) { graph.out() } else { graph.incoming()? };
    let in_weights = prepared.weights(incoming)?;
    // Where nothing is pushed, or arcs are the same both ways, no second array is made.
    let is_one = fixed.is_some() || std::ptr::eq(incoming, graph.out());
    let own_weights = if is_one { None } else { Some(prepared.weights(graph.out())?) };
    let out_weights = own_weights.as_ref().unwrap_or(&in_weights);
    let (out_csr, in_csr) = same_width(&graph.out().csr, &incoming.csr)?;
    let symmetric = !graph.is_directed();
    let mut recorder = Recorder::start(options, began);
    let ended = match (out_csr.views(), in_csr.views()) {
        (Views::Narrow(out), Views::Narrow(incoming)) => {
            let (sight, sight_in) =
                (Sight::new(&prepared, out, out_weights), Sight::new(&prepared, out, &in_weights));
            Engine { prepared: &prepared, out, incoming, sight, sight_in, options, fixed, symmetric }
                .run(&mut recorder)?
        }
        (Views::Wide(out), Views::Wide(incoming)) => {
            let (sight, sight_in) =
                (Sight::new(&prepared, out, out_weights), Sight::new(&prepared, out, &in_weights));
            Engine { prepared: &prepared, out, incoming, sight, sight_in, options, fixed, symmetric }
                .run(&mut recorder)?
        }
        _ => unreachable!("made of one width above"),
    };
    let run = recorder.finish(Plan::bsp(fixed), ended.halted, ended.state_bytes);
    Ok(ProgramAnswer::new(graph, Arc::clone(program), ended.values, ended.residual, run))
}

/// A program on a graph.
struct Engine<'a, P: VertexProgram, O> {
    prepared: &'a Prepared<'a, P>,
    out: View<'a, O>,
    incoming: View<'a, O>,
    /// With the weights of outgoing arcs.
    sight: Sight<'a, P, O>,
    /// With the weights of incoming arcs.
    sight_in: Sight<'a, P, O>,
    options: &'a Options,
    fixed: Option<Direction>,
    /// Is every arc there in both directions?
    symmetric: bool,
}

/// What a form of the engine leaves.
struct Ended<T: Scalar> {
    values: Pages<T>,
    residual: Option<f64>,
    halted: Halted,
    state_bytes: u64,
}

impl<P: VertexProgram, O: Offset> Engine<'_, P, O> {
    fn run(&self, recorder: &mut Recorder) -> Result<Ended<P::Value>> {
        match P::COMBINE {
            Combine::Sum => sum::run(self, recorder),
            _ if self.prepared.traced.plain => spread::run(self, recorder),
            _ => strict::run(self, recorder),
        }
    }

    /// A value for every vertex; NaN is refused.
    fn fill(&self, values: &mut [P::Value], value: impl Fn(Vertex) -> P::Value + Sync) -> Result<()> {
        par::try_map_each(values.chunks_mut(BATCH).collect(), |batch, values| {
            for (i, slot) in values.iter_mut().enumerate() {
                let v = (batch * BATCH + i) as Vertex;
                *slot = value(v);
                self.sight.check_value(v, *slot)?;
            }
            Ok(())
        })
        .map(drop)
    }

    /// The start of a round: may it go on?
    fn begin(&self) -> Result<()> {
        Ok(self.options.control.check("running a program")?)
    }

    /// The end of a round: tells whoever watches, and says whether the rounds are used up.
    fn end(&self, recorder: &Recorder) -> bool {
        let limit = self.prepared.program.halt().limit();
        self.options.control.report(P::NAME, recorder.rounds(), limit);
        limit.is_some_and(|limit| recorder.rounds() >= limit)
    }

    /// What an outgoing arc tells.
    ///
    /// # Safety
    /// `arc` is an outgoing arc from `u` to `v`.
    #[inline(always)]
    unsafe fn push_message(&self, u: Vertex, v: Vertex, arc: usize, value: P::Value) -> P::Value {
        // SAFETY: the caller's promise; this sight has the weights of outgoing arcs.
        unsafe { self.sight.message(u, v, arc, value) }
    }

    /// What an incoming arc tells.
    ///
    /// # Safety
    /// `arc` is an incoming arc of `v`, from `u`.
    #[inline(always)]
    unsafe fn pull_message(&self, u: Vertex, v: Vertex, arc: usize, value: P::Value) -> P::Value {
        // SAFETY: the caller's promise; this sight has the weights of incoming arcs.
        unsafe { self.sight_in.message(u, v, arc, value) }
    }
}

/// The cell of a vertex.
///
/// # Safety
/// There is a cell for every vertex, and `v` is one.
#[inline(always)]
unsafe fn cell<T>(cells: &[T], v: Vertex) -> &T {
    debug_assert!((v as usize) < cells.len());
    // SAFETY: the caller's promise.
    unsafe { cells.get_unchecked(v as usize) }
}

/// Sums something over `0..count` in pieces, in a fixed order.
fn total(team: &Team, count: usize, part: impl Fn(usize) -> f64 + Sync) -> f64 {
    let mut sums = vec![0.0; count];
    team.each(&mut sums, |i, sum| *sum = part(i));
    sums.iter().sum()
}
