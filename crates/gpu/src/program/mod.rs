//! Programs on a device: any [`VertexProgram`], by push or pull and with any balance, in the form that its monoid
//! allows.
//!
//! - [`spread`]: `Min`, `Max` and `Or`. Atomics improve values in place, and the vertices that improved send messages
//!   next. A program with its own `apply` or `active` first gathers messages and then applies them.
//! - [`sum`]: `Sum`. Sweeps pull from one array into another. A sum that distributes can also push: every vertex has a
//!   value and a pending change, and every change crosses every arc once.
//!
//! The program is text here: the engine traced and printed what it computes, and every launch passes its parameters
//! anew. So only [`program`] and [`run`] are generic over it.
//!
//! A graph may have copies of vertices ([`reflect`]), and options may have chunks of vertices that are iterated together
//! ([`chunks`]). Filters and kernels know of copies too ([`crate::reflects`]), and only programs of chunks.
//!
//! Memory: two values per vertex, three for sums; 12 bytes for queues and stamps, 4 more for a second queue; 4 or 8 for
//! prefix sums.

mod between;
pub(crate) mod chunks;
mod expand;
pub(crate) mod reflect;
mod spread;
mod stage;
mod staged;
mod sum;

pub(crate) use expand::Expansions;
pub(crate) use spread::Choice;
pub(crate) use stage::{Arcs, Ended, GHOSTS, NEXT, OWN, Places, Stage, TOLD, arcs, width};
pub(crate) use staged::Staged;
pub(crate) use sum::total;

use staged::OfRecorded;

use crate::{
    DeviceGraph,
    form::{self, finish},
    memory::{program_bytes_needed, recorded_bytes_needed},
    paths,
    residency::{self, Settled, Wants},
    several::Several,
    variants::Functor,
};
use std::{sync::Arc, time::Instant};
use warpgraph_core::{
    Options, Result,
    program::{
        Combine, Prepared, ProgramAnswer, Ran, Recorded, RecordedAnswer, Runs, Scalar, ScalarType,
        VertexProgram, Ways,
    },
};
use warpgraph_graph::{Graph, Pages};

/// Runs a program that has passed its own check, under a plan that has been checked.
///
/// # Errors
/// When the program, its columns or its seeds are not valid for the graph; when interrupted, or when memory is short;
/// when a sum does not converge; when the device fails.
pub fn program<P: VertexProgram>(
    device_graph: &DeviceGraph,
    program: &Arc<P>,
    options: &Options,
) -> Result<ProgramAnswer<P::Value>> {
    let graph = device_graph.graph();
    let prepared = Prepared::new(&**program, graph, options.map.as_ref())?;
    let bytes = program_bytes_needed::<P>(graph, options);
    let Some(settled) = residency::settle(device_graph, Wants { bytes, heads: false }, options)? else {
        return self::program(&DeviceGraph::new(device_graph.gpu(), graph), program, options);
    };
    let options = &*settled.options;
    let mut ran = form::recorded(device_graph, options, || device_graph.run(&prepared, options, Ways::Out))?;
    finish(&settled, &mut ran.run)?;
    Ok(ProgramAnswer::new(graph, Arc::clone(program), ran.values, ran.residual, ran.run))
}

/// Runs a recorded program that has passed its own check, under a plan that has been checked: its expressions are printed and
/// compiled like those of every other program.
///
/// # Errors
/// As [`program`].
pub fn recorded(
    device_graph: &DeviceGraph,
    program: &Arc<Recorded>,
    options: &Options,
) -> Result<RecordedAnswer> {
    let graph = device_graph.graph();
    let bytes = recorded_bytes_needed(program, graph, options);
    let Some(settled) = residency::settle(device_graph, Wants { bytes, heads: false }, options)? else {
        return self::recorded(&DeviceGraph::new(device_graph.gpu(), graph), program, options);
    };
    let options = &*settled.options;
    Ok(match program.kind().value {
        ScalarType::U32 | ScalarType::Bool => typed::<u32>(device_graph, program, options, &settled)?.into(),
        ScalarType::I32 => typed::<i32>(device_graph, program, options, &settled)?.into(),
        ScalarType::U64 => typed::<u64>(device_graph, program, options, &settled)?.into(),
        ScalarType::F32 => typed::<f32>(device_graph, program, options, &settled)?.into(),
        ScalarType::F64 => typed::<f64>(device_graph, program, options, &settled)?.into(),
    })
}

fn typed<T: Scalar>(
    device_graph: &DeviceGraph,
    program: &Arc<Recorded>,
    options: &Options,
    settled: &Settled<'_, '_>,
) -> Result<ProgramAnswer<T>> {
    let (graph, map) = (device_graph.graph(), options.map.as_ref());
    let seeds = program.inner_seeds(graph.vertices(), map)?;
    let mut ran = form::recorded(device_graph, options, || {
        let functor = Functor::of_recorded(program)?;
        let staged = OfRecorded { program, seeds, map };
        if let Some(several) = device_graph.shared() {
            return several.run(&staged, &functor, options, Ways::Out);
        }
        ran::<T>(device_graph, Stage::new(device_graph, &staged, functor, options, Ways::Out)?)
    })?;
    finish(settled, &mut ran.run)?;
    Ok(ProgramAnswer::of_recorded(graph, Arc::clone(program), ran.values, ran.residual, ran.run))
}

/// Runs a program that is on the device, and copies its values to the host.
fn ran<T: Scalar>(device_graph: &DeviceGraph, mut stage: Stage<'_>) -> Result<Ran<T>> {
    let ended = stage.run()?;
    let mut run = stage.finish(&ended)?;
    let start = Instant::now();
    let values = ended.read::<T>(device_graph.graph().vertices())?;
    run.fetch_seconds += start.elapsed().as_secs_f64();
    Ok(Ran { values, residual: ended.residual, run })
}

impl Runs for DeviceGraph {
    fn graph(&self) -> &Graph {
        self.graph()
    }

    fn label(&self) -> String {
        self.shared().map_or_else(|| self.gpu().properties().label.clone(), Several::label)
    }

    /// Runs a prepared program and copies its values to the host.
    fn run<P: VertexProgram>(
        &self,
        prepared: &Prepared<'_, P>,
        options: &Options,
        ways: Ways,
    ) -> Result<Ran<P::Value>> {
        if options.plan.paths().is_some() {
            return paths::run(self, prepared, options, ways);
        }
        let functor = Functor::new::<P>(&prepared.traced)?;
        if let Some(several) = self.shared() {
            return several.run(prepared, &functor, options, ways);
        }
        ran(self, Stage::new(self, prepared, functor, options, ways)?)
    }
}

impl Stage<'_> {
    /// Runs until one of the program's own rules ends it.
    pub(crate) fn run(&mut self) -> Result<Ended> {
        self.machine.check()?;
        match self.combine() {
            Combine::Sum => sum::run(self),
            _ => spread::run(self),
        }
    }
}

impl Ended {
    /// Copies the values to the host.
    pub(crate) fn read<T: Scalar>(&self, vertices: usize) -> Result<Pages<T>> {
        let mut values = Pages::<T>::scratch(vertices)?;
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut values);
        self.values.read(bytes).map_err(crate::lift)?;
        Ok(values)
    }
}
