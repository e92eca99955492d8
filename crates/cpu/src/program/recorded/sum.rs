//! `Sum`: supersteps over all vertices, from one array into another, until the stopping rule fires.
//!
//! A thread takes whole rows of incoming arcs, and adds the messages of a row in the order of its arcs, in a type in which
//! sums lose little. If a message reads neither weight nor target, it is computed once per vertex before.

use super::{BLOCK, Engine};
use crate::{Recorder, parts::balanced, program::Ended};
use rayon::prelude::*;
use std::ops::Range;
use warpgraph_core::{
    Direction, Halted, Result,
    program::{Scalar, Watch, recorded::Block},
};
use warpgraph_graph::{Csr, Vertex, with_view};

/// Arcs of the rows that a thread takes at a time.
const WORK: usize = 1 << 15;

/// Runs until the stopping rule fires.
pub(super) fn run<T: Scalar>(engine: &Engine<'_>, recorder: &mut Recorder) -> Result<Ended<T>> {
    let (init, incoming) = (engine.init::<T>()?, &engine.graph.incoming()?.csr);
    let ranges: Vec<Range<usize>> = with_view!(incoming, |view| balanced(view, WORK));
    let (program, halt) = (engine.program, engine.program.halt());
    let is_of_source = program.traced().message_is_of_source();
    let mut values = init.clone();
    let mut watch = Watch::new(program.kind().name, halt);
    let state_bytes = (values.len() * 4 * size_of::<T>()) as u64;
    let ended = |values: Vec<T>, residual, halted| {
        Ok(Ended { values: values.into(), residual: Some(residual), halted, state_bytes })
    };
    loop {
        engine.begin()?;
        let sent = if is_of_source { Some(sent(engine, &values)) } else { None };
        let (next, change) =
            superstep(engine, incoming, &ranges, Held { init: &init, values: &values, sent });
        recorder.step(values.len(), Direction::Pull, || format!("changed by {change:.3e}"));
        let is_last = engine.end(recorder);
        watch.see(recorder.rounds(), change)?;
        // The values that the superstep started from are the answer: their residual is known exactly.
        if halt.tolerance().is_some_and(|tolerance| change < tolerance) {
            return ended(values, change, Halted::Tolerance);
        }
        if change == 0.0 {
            return ended(values, 0.0, Halted::Converged);
        }
        values = next;
        if is_last {
            let sent = if is_of_source { Some(self::sent(engine, &values)) } else { None };
            let (_, residual) =
                superstep(engine, incoming, &ranges, Held { init: &init, values: &values, sent });
            return ended(values, residual, Halted::MaxIterations);
        }
    }
}

/// What a superstep starts from.
struct Held<'a, T> {
    init: &'a [T],
    values: &'a [T],
    /// The message of every vertex, if all its arcs carry the same.
    sent: Option<Vec<T>>,
}

/// Returns the message of every vertex along its first arc, which stands for all; 0 if it has none.
fn sent<T: Scalar>(engine: &Engine<'_>, values: &[T]) -> Vec<T> {
    let csr = &engine.graph.out().csr;
    let work = |at: usize| {
        let mut block = Block::new();
        let range = at * BLOCK..values.len().min((at + 1) * BLOCK);
        for u in range {
            // A message that reads neither weight nor target depends on neither of the last two.
            let target = csr.neighbors(u as Vertex).first().copied().unwrap_or(u as Vertex);
            block.push(u as Vertex, target, 0);
        }
        let mut computer = engine.sight.computer(&engine.program.traced().message);
        computer.messages(&block, |u| values[u as usize]).to_vec()
    };
    (0..values.len().div_ceil(BLOCK)).into_par_iter().flat_map_iter(work).collect()
}

/// Returns the values after a superstep, and the sum of all changes.
fn superstep<T: Scalar>(
    engine: &Engine<'_>,
    incoming: &Csr,
    ranges: &[Range<usize>],
    held: Held<'_, T>,
) -> (Vec<T>, f64) {
    let parts: Vec<(Vec<T>, f64)> = ranges
        .par_iter()
        .map(|range| {
            let arrived = match &held.sent {
                Some(sent) => gathered(incoming, range.clone(), sent),
                None => told(engine, incoming, range.clone(), held.values),
            };
            let vertices: Vec<Vertex> = range.clone().map(|v| v as Vertex).collect();
            let mut next = Vec::with_capacity(vertices.len());
            for (at, block) in vertices.chunks(BLOCK).enumerate() {
                let inner = at * BLOCK..at * BLOCK + block.len();
                let outer = range.start + inner.start..range.start + inner.end;
                let (old, init) = (&held.values[outer.clone()], &held.init[outer]);
                next.extend(engine.sight.summed(block, old, &arrived[inner], init));
            }
            let change = held.values[range.clone()].iter().zip(&next).map(|(old, new)| old.apart(*new)).sum();
            (next, change)
        })
        .collect();
    let change = parts.iter().map(|(_, change)| change).sum();
    (parts.into_iter().flat_map(|(values, _)| values).collect(), change)
}

/// Adds up the messages that the sources of incoming arcs send.
fn gathered<T: Scalar>(incoming: &Csr, range: Range<usize>, sent: &[T]) -> Vec<T> {
    let sum = |v: usize| {
        let row = incoming.neighbors(v as Vertex);
        T::narrow(row.iter().fold(T::wide_zero(), |sum, &u| T::widen(sum, sent[u as usize])))
    };
    range.map(sum).collect()
}

/// Computes the message of every incoming arc, and adds them up.
fn told<T: Scalar>(engine: &Engine<'_>, incoming: &Csr, range: Range<usize>, values: &[T]) -> Vec<T> {
    let mut sums = vec![T::wide_zero(); range.len()];
    let mut computer = engine.sight.computer(&engine.program.traced().message);
    let mut block = Block::new();
    let mut add = |block: &mut Block| {
        let messages = computer.messages(block, |u| values[u as usize]);
        for (&v, &message) in block.targets.iter().zip(messages) {
            let sum = &mut sums[v as usize - range.start];
            *sum = T::widen(*sum, message);
        }
        block.clear();
    };
    for v in range.clone() {
        for (&u, arc) in incoming.neighbors(v as Vertex).iter().zip(incoming.arcs_of(v as Vertex)) {
            if block.push(u, v as Vertex, arc) {
                add(&mut block);
            }
        }
    }
    add(&mut block);
    sums.into_iter().map(T::narrow).collect()
}
