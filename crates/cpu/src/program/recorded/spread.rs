//! `Min`, `Max` and `Or`: a frontier pushes until no message improves any value.
//!
//! If the program only joins, values improve in place, and the fixed point does not depend on the order of messages. With an
//! `apply` or `active` of its own, the messages of a superstep are joined first, and applied together after it.

use super::{BLOCK, Engine, SHARE};
use crate::{Recorder, program::Ended};
use rayon::prelude::*;
use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};
use warpgraph_core::{
    Direction, Halted, Result,
    program::{Combine, Scalar, recorded::Block},
};
use warpgraph_graph::{Csr, Vertex};

/// A bit per vertex, which the first to meet it sets.
struct Met(Vec<AtomicU64>);

impl Met {
    fn new(vertices: usize) -> Self {
        Self((0..vertices.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Returns true for the first call with this vertex.
    fn is_first(&self, v: Vertex) -> bool {
        let (word, bit) = (&self.0[v as usize / 64], 1 << (v % 64));
        word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
    }

    fn forget(&self, vertices: &[Vertex]) {
        vertices.iter().for_each(|&v| self.0[v as usize / 64].store(0, Relaxed));
    }
}

/// Vertices that send, with the number of arcs before each.
struct Frontier {
    vertices: Vec<Vertex>,
    starts: Vec<usize>,
}

impl Frontier {
    fn new(mut vertices: Vec<Vertex>, csr: &Csr) -> Self {
        vertices.par_sort_unstable();
        let mut starts = Vec::with_capacity(vertices.len() + 1);
        starts.push(0);
        let mut arcs = 0;
        for &v in &vertices {
            arcs += csr.degree(v);
            starts.push(arcs);
        }
        Self { vertices, starts }
    }

    fn arcs(&self) -> usize {
        self.starts[self.vertices.len()]
    }

    /// Calls `take(source, target, arc)` for the arcs with these numbers.
    fn each(&self, csr: &Csr, range: Range<usize>, mut take: impl FnMut(Vertex, Vertex, usize)) {
        let first = self.starts.partition_point(|&start| start <= range.start) - 1;
        for (&u, &start) in self.vertices[first..].iter().zip(&self.starts[first..]) {
            if start >= range.end {
                break;
            }
            let row = csr.arcs_of(u);
            let (from, to) = (range.start.saturating_sub(start), (range.end - start).min(row.len()));
            for place in from..to {
                take(u, csr.neighbors(u)[place], row.start + place);
            }
        }
    }
}

/// Joins a message into a cell. Returns true if that improved it.
fn join<T: Scalar>(combine: Combine, cell: &T::Cell, message: T) -> bool {
    let mut held = T::load(cell);
    while combine.improves(held, message) {
        match T::exchange(cell, held, combine.join(held, message)) {
            Ok(()) => return true,
            Err(now) => held = now,
        }
    }
    false
}

/// Runs to the fixed point.
pub(super) fn run<T: Scalar>(engine: &Engine<'_>, recorder: &mut Recorder) -> Result<Ended<T>> {
    let (n, csr) = (engine.graph.vertices(), &engine.graph.out().csr);
    let seeds = engine.program.inner_seeds(n, engine.options.map.as_ref())?;
    let mut values = engine.init::<T>()?;
    let is_plain = engine.program.traced().plain;
    let mut arrived = vec![engine.program.kind().combine.identity::<T>(); if is_plain { 0 } else { n }];
    let met = Met::new(n);
    let mut frontier = Frontier::new(seeds.unwrap_or_else(|| (0..n as Vertex).collect()), csr);
    let mut halted = Halted::Converged;
    while !frontier.vertices.is_empty() {
        engine.begin()?;
        let (cells, gathered) = (T::cells(&mut values), T::cells(&mut arrived));
        let into = if is_plain { cells } else { gathered };
        let told = push::<T>(engine, &frontier, cells, into, &met);
        met.forget(&told);
        let next = if is_plain { told } else { apply::<T>(engine, &told, cells, gathered) };
        let note = || format!("{} vertices changed", next.len());
        recorder.step_by(frontier.vertices.len(), Some(frontier.arcs() as u64), Direction::Push, None, note);
        frontier = Frontier::new(next, csr);
        if engine.end(recorder) && !frontier.vertices.is_empty() {
            halted = Halted::MaxIterations;
            break;
        }
    }
    let state_bytes = ((n + arrived.len()) * size_of::<T>() + n.div_ceil(8) + 12 * n) as u64;
    Ok(Ended { values: values.into(), residual: None, halted, state_bytes })
}

/// Sends the messages of a frontier. Returns the vertices that they improved.
fn push<T: Scalar>(
    engine: &Engine<'_>,
    frontier: &Frontier,
    values: &[T::Cell],
    into: &[T::Cell],
    met: &Met,
) -> Vec<Vertex> {
    let (csr, combine) = (&engine.graph.out().csr, engine.program.kind().combine);
    let shares = frontier.arcs().div_ceil(SHARE);
    let work = |share: usize| {
        let (mut block, mut told) = (Block::new(), Vec::new());
        let mut computer = engine.sight.computer(&engine.program.traced().message);
        let mut send = |block: &mut Block| {
            let messages = computer.messages(block, |u| T::load(&values[u as usize]));
            for (&v, &message) in block.targets.iter().zip(messages) {
                if join::<T>(combine, &into[v as usize], message) && met.is_first(v) {
                    told.push(v);
                }
            }
            block.clear();
        };
        let range = share * SHARE..frontier.arcs().min((share + 1) * SHARE);
        frontier.each(csr, range, |u, v, arc| {
            if block.push(u, v, arc) {
                send(&mut block);
            }
        });
        send(&mut block);
        told
    };
    (0..shares).into_par_iter().flat_map_iter(work).collect()
}

/// Gives vertices their new values. Returns those that send next.
fn apply<T: Scalar>(
    engine: &Engine<'_>,
    told: &[Vertex],
    values: &[T::Cell],
    arrived: &[T::Cell],
) -> Vec<Vertex> {
    let identity = engine.program.kind().combine.identity::<T>();
    let work = |block: &[Vertex]| {
        let held: Vec<T> = block.iter().map(|&v| T::load(&values[v as usize])).collect();
        let came: Vec<T> = block.iter().map(|&v| T::swap(&arrived[v as usize], identity)).collect();
        let new = engine.sight.applied(block, &held, &came);
        block.iter().zip(&new).for_each(|(&v, &new)| T::store(&values[v as usize], new));
        let woken = engine.sight.woken(block, &held, &new);
        block.iter().zip(woken).filter(|(_, wakes)| *wakes).map(|(&v, _)| v).collect::<Vec<_>>()
    };
    told.par_chunks(BLOCK).flat_map_iter(work).collect()
}
