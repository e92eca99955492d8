//! Recorded programs: the functions are expressions, interpreted for [`BLOCK`] arcs or vertices at once, so that the cost of
//! reading an expression is shared and no call is made per arc.
//!
//! - [`spread`]: `Min`, `Max` and `Or` push from a frontier. Messages of a block are joined into their targets by atomics.
//! - [`sum`]: `Sum` pulls in supersteps over all vertices, in a fixed order, with the same bits in every run.
//!
//! Work and memory are those of the forms for programs in Rust; an arc costs 10 to 20 times as much time.

mod spread;
mod sum;
#[cfg(test)]
mod tests;

use super::Ended;
use crate::{Options, Recorder};
use std::{sync::Arc, time::Instant};
use warpgraph_core::{
    Direction, Plan, Result,
    program::{
        Combine, ProgramAnswer, Recorded, RecordedAnswer, Scalar, ScalarType, recorded::RecordedSight,
        starts_with_nan, trace::BLOCK,
    },
};
use warpgraph_graph::{Graph, Vertex, par};

/// Arcs that a thread takes at a time.
const SHARE: usize = 16 * BLOCK;

/// Runs a recorded program. The program and the plan must have been checked.
///
/// # Errors
/// If the program does not fit the graph; if interrupted or memory is short; if a sum does not converge.
pub fn recorded(graph: &Graph, program: &Arc<Recorded>, options: &Options) -> Result<RecordedAnswer> {
    Ok(match program.kind().value {
        ScalarType::U32 | ScalarType::Bool => run::<u32>(graph, program, options)?.into(),
        ScalarType::I32 => run::<i32>(graph, program, options)?.into(),
        ScalarType::U64 => run::<u64>(graph, program, options)?.into(),
        ScalarType::F32 => run::<f32>(graph, program, options)?.into(),
        ScalarType::F64 => run::<f64>(graph, program, options)?.into(),
    })
}

fn run<T: Scalar>(graph: &Graph, program: &Arc<Recorded>, options: &Options) -> Result<ProgramAnswer<T>> {
    let began = Instant::now();
    let is_sum = program.kind().combine == Combine::Sum;
    let arcs = if is_sum { graph.incoming()? } else { graph.out() };
    let sight = RecordedSight::new(program, &graph.out().csr, &arcs.weights, options.map.as_ref());
    let mut recorder = Recorder::start(options, began);
    let engine = Engine { graph, program, options, sight };
    let (ended, direction): (Ended<T>, _) = match is_sum {
        true => (sum::run(&engine, &mut recorder)?, Direction::Pull),
        false => (spread::run(&engine, &mut recorder)?, Direction::Push),
    };
    let run = recorder.finish(Plan::bsp(Some(direction)), ended.halted, ended.state_bytes);
    Ok(ProgramAnswer::of_recorded(graph, Arc::clone(program), ended.values, ended.residual, run))
}

/// A recorded program on a graph.
struct Engine<'a> {
    graph: &'a Graph,
    program: &'a Recorded,
    options: &'a Options,
    sight: RecordedSight<'a>,
}

impl Engine<'_> {
    /// Returns the initial values. Refuses NaN.
    fn init<T: Scalar>(&self) -> Result<Vec<T>> {
        let values: Vec<T> = self.sight.init();
        let search = |mut range: std::ops::Range<usize>| range.find(|&v| !values[v].is_number());
        match par::find_first(values.len(), par::FINE, search) {
            None => Ok(values),
            Some(v) => Err(starts_with_nan(self.program.kind().name, self.sight.original(v as Vertex))),
        }
    }

    /// Begins a round: returns an error if the run must stop.
    fn begin(&self) -> Result<()> {
        Ok(self.options.control.check("running a program")?)
    }

    /// Ends a round: reports progress, and returns whether the limit of rounds is reached.
    fn end(&self, recorder: &Recorder) -> bool {
        let limit = self.program.halt().limit();
        self.options.control.report(self.program.kind().name, recorder.rounds(), limit);
        limit.is_some_and(|limit| recorder.rounds() >= limit)
    }
}
