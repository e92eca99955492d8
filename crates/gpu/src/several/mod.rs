//! Programs on several devices of one process: each has a part of the graph ([`warpgraph_parts`]), and they exchange values
//! between supersteps.
//!
//! Every part goes through the same supersteps on a thread of its own. In a superstep that pushes, messages to vertices of
//! other parts join values at *ghosts*, which stand for these vertices, and travel to the owners afterwards: one value per
//! ghost that received any. Before a superstep that pulls, the frontier travels to all parts that read it. The directions
//! are chosen together, so that every part does the same.
//!
//! - [`spread`]: `Min`, `Max` and `Or`;
//! - [`sum`]: `Sum`, by sweeps that pull.
//!
//! Values are copied through pinned memory of the host and travel through [`warpgraph_parts::exchange::local`]. No kernel
//! waits for another device, so one device can stand for several: `cuda:0,cuda:0`, or `simt:4`.
//!
//! After a run, [`Several`] knows how long each device computed. If one took much longer than the mean, the next run begins
//! with another cut ([`balance`]).

mod balance;
mod link;
mod member;
mod spread;
mod sum;
mod waiting;

pub(crate) use link::PartsArgs;

use crate::{
    program::{Stage, Staged, width},
    variants::Functor,
};
use balance::Balance;
use member::{Member, Section};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};
use waiting::Waiting;
use warpgraph_core::{
    Error, Group, InParts, Options, Result, Run,
    program::{Combine, Ran, Scalar, Ways},
};
use warpgraph_device::Gpu;
use warpgraph_graph::{Graph, Pages};
use warpgraph_parts::{Cut, Exchange as _, together};

/// A graph on several devices.
#[derive(Debug)]
pub struct Several {
    gpus: Vec<Gpu>,
    graph: Graph,
    shape: Mutex<Shape>,
}

/// How the graph is cut, and the parts once a run has made them.
#[derive(Debug)]
struct Shape {
    members: Option<Arc<Vec<Member>>>,
    balance: Balance,
}

/// What a member of a run found.
struct Found<T> {
    values: Vec<T>,
    residual: Option<f64>,
    run: Run,
    sent: u64,
    seconds: f64,
}

impl Several {
    /// Makes a handle for a graph on these devices; nothing is cut or copied yet.
    pub(crate) fn new(gpus: &[Gpu], graph: &Graph) -> Self {
        let shape = Mutex::new(Shape { members: None, balance: Balance::default() });
        Self { gpus: gpus.to_vec(), graph: graph.clone(), shape }
    }

    /// Returns the names of the devices.
    pub(crate) fn label(&self) -> String {
        let labels: Vec<&str> = self.gpus.iter().map(|gpu| gpu.properties().label.as_str()).collect();
        labels.join(",")
    }

    fn shape(&self) -> MutexGuard<'_, Shape> {
        self.shape.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the parts for the next run, whether the cut moved, and the seconds that making them took.
    fn members(&self, options: &Options) -> Result<(Arc<Vec<Member>>, bool, f64)> {
        let mut shape = self.shape();
        let start = Instant::now();
        let (cut, is_moved) = match shape.members.clone() {
            None => {
                let cut = Cut::even(&self.graph.out().csr, self.gpus.len()).map_err(core_error)?;
                (cut, false)
            }
            Some(members) => match shape.balance.better(&self.graph, members[0].cut())? {
                Some(cut) => (cut, true),
                None => return Ok((members, false, 0.0)),
            },
        };
        // The old parts make room first.
        shape.members = None;
        let members = Arc::new(Member::all(&self.gpus, &self.graph, &cut, &options.control)?);
        shape.members = Some(Arc::clone(&members));
        Ok((members, is_moved, start.elapsed().as_secs_f64()))
    }

    /// Runs a program on all devices.
    ///
    /// # Errors
    /// When the program is not valid, when interrupted, when memory is short, when a sum does not converge, or when a device
    /// fails: the error of the device that failed first.
    pub(crate) fn run<T: Scalar>(
        &self,
        program: &(dyn Staged + Sync),
        functor: &Functor,
        options: &Options,
        ways: Ways,
    ) -> Result<Ran<T>> {
        let (members, moved, seconds) = self.members(options)?;
        let columns = program.columns();
        let one = |mut exchange: warpgraph_parts::exchange::Local| {
            let member = &members[exchange.part()];
            let result = member_run::<T>(member, program, &columns, functor, options, ways, &mut exchange);
            if let Err(error) = &result {
                exchange.fail(&error.to_string());
            }
            result
        };
        let ends = together(members.len(), threads(members.len()), one).map_err(Error::from)?;
        let found = all_of(ends)?;
        let busy: Vec<f64> = found.iter().map(|found| found.seconds).collect();
        let imbalance = self.shape().balance.note(&busy);
        let mut values = Pages::<T>::scratch(self.graph.vertices())?;
        let mut rest = &mut values[..];
        for found in &found {
            let (part, others) = rest.split_at_mut(found.values.len());
            part.copy_from_slice(&found.values);
            rest = others;
        }
        let shared = InParts {
            parts: found.len() as u64,
            sent: found.iter().map(|found| found.sent).sum(),
            imbalance,
            moved,
        };
        let sums = |figure: fn(&Run) -> u64| found.iter().map(|found| figure(&found.run)).sum::<u64>();
        let most = |figure: fn(&Run) -> f64| found.iter().map(|found| figure(&found.run)).fold(0.0, f64::max);
        let (state_bytes, extra_bytes) = (sums(|run| run.state_bytes), sums(|run| run.extra_bytes));
        let device_bytes = found.iter().map(|found| found.run.device_bytes).max().unwrap_or_default();
        let (kernel_seconds, compile_seconds) =
            (most(|run| run.kernel_seconds), most(|run| run.compile_seconds));
        let residual = found.first().and_then(|found| found.residual);
        let lead = found.into_iter().next().map(|found| found.run);
        let Some(lead) = lead else { unreachable!("there are at least two parts") };
        let run = Run {
            device: self.device(lead.device),
            threads: rayon::current_num_threads(),
            prepare_seconds: lead.prepare_seconds + seconds,
            state_bytes,
            extra_bytes,
            device_bytes,
            kernel_seconds,
            compile_seconds,
            parts: Some(shared),
            ..lead
        };
        Ok(Ran { values, residual, run })
    }

    /// Returns the devices as one value; `lead` is the first of them.
    fn device(&self, lead: warpgraph_core::Device) -> warpgraph_core::Device {
        use warpgraph_core::Device;
        let numbers: Option<Vec<u32>> = self
            .gpus
            .iter()
            .map(|gpu| match gpu.properties().label.parse() {
                Ok(Device::Cuda(number)) => Some(number),
                _ => None,
            })
            .collect();
        let group = match numbers {
            Some(numbers) => Group::cuda(&numbers),
            None => Group::simulated(self.gpus.len()),
        };
        group.map_or(lead, Device::Several)
    }
}

/// Runs a program on one part; collective.
fn member_run<T: Scalar>(
    member: &Member,
    program: &(dyn Staged + Sync),
    columns: &[u8],
    functor: &Functor,
    options: &Options,
    ways: Ways,
    exchange: &mut warpgraph_parts::exchange::Local,
) -> Result<Found<T>, warpgraph_parts::Error> {
    // One of them tells the user how far the run is.
    let control = if exchange.part() == 0 { options.control.clone() } else { options.control.unwatched() };
    let map = options.map.clone();
    let options = Options { control, map: None, ..options.clone() };
    let section = Section::new(member, program, columns, functor, map.as_ref())?;
    let mut stage = Stage::new(member.device_graph(), &section, functor.clone(), &options, ways)?;
    let mut exchange = Waiting::new(exchange);
    let before = exchange.traffic().0;
    stage.machine.check()?;
    let ended = match stage.combine() {
        Combine::Sum => sum::run::<T>(&mut stage, member, &mut exchange)?,
        _ => spread::run::<T>(&mut stage, member, &mut exchange)?,
    };
    let mut run = stage.finish(&ended.inner)?;
    let start = Instant::now();
    let bytes = member.part().own().end * width(functor.types.value);
    let mut values = vec![T::ZERO; bytes / size_of::<T>()];
    ended.inner.values.read(bytemuck::cast_slice_mut(&mut values)).map_err(crate::lift)?;
    let values = values.split_off(member.part().own().start);
    run.fetch_seconds += start.elapsed().as_secs_f64();
    let sent = exchange.traffic().0 - before;
    Ok(Found { values, residual: ended.inner.residual, seconds: ended.seconds, sent, run })
}

/// Returns how many threads each of so many members gets: those of the engine, shared out.
fn threads(members: usize) -> usize {
    (rayon::current_num_threads() / members).max(1)
}

/// Returns what all members found, or the error of the one that failed first: the others only say that it did.
fn all_of<T>(ends: Vec<Result<T, warpgraph_parts::Error>>) -> Result<Vec<T>> {
    let (mut found, mut follower) = (Vec::with_capacity(ends.len()), None);
    for end in ends {
        match end {
            Ok(one) => found.push(one),
            Err(warpgraph_parts::Error::Run(error)) => return Err(error),
            Err(error) => follower = Some(error),
        }
    }
    follower.map_or(Ok(found), |error| Err(core_error(error)))
}

/// Returns the error of a run in parts as one of a run.
fn core_error(error: warpgraph_parts::Error) -> Error {
    match error {
        warpgraph_parts::Error::Run(error) => error,
        error => Error::Device {
            kind: warpgraph_core::DeviceTrouble::Call,
            what: error.to_string(),
            help: error.help().unwrap_or_default(),
        },
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use crate::{
        DeviceGraph,
        testing::{generated, simt},
    };
    use warpgraph_core::{
        Answer as _,
        bfs::{Bfs, by_program},
    };

    #[test]
    fn the_cut_moves_after_an_uneven_run_and_answers_stay_the_same() {
        let graph = generated("grid:30x30");
        let device_graph = DeviceGraph::several(&[simt(), simt(), simt()], &graph);
        let (config, options) = (Bfs::from(0), Options::default());
        let ask = || by_program(&device_graph, &config, &options).unwrap();
        let first = ask();
        let shape = || device_graph.shared().unwrap().shape();
        let starts = || shape().members.as_ref().unwrap()[0].cut().starts().to_vec();
        let even = starts();
        shape().balance.note(&[0.4, 0.1, 0.1]);
        let second = ask();
        assert!(second.run().parts.unwrap().moved && !first.run().parts.unwrap().moved);
        assert!(starts()[1] < even[1], "the slow device gets less: {:?}", starts());
        assert_eq!((first.distances(), first.parents()), (second.distances(), second.parents()));
    }
}
