//! What crossed the bus in runs whose edges are not all on the device.
//!
//! The host counts what it streams. For everything else, kernels that count are slower, so one more run counts after the
//! timed ones. With `--trace`, that run is also watched, whatever the residency: see [`bus`].

use crate::failure::Result;
use serde::Serialize;
use warpgraph::{
    Device, Gpu, Loaded, Options, Question, Run, Transfer,
    bus::{self, Trace},
    devices,
    measure::Measured,
};

/// Nothing is counted if a timed run took longer than this: the additional run would take longer still.
const PATIENCE: f64 = 5.0;
/// The bytes that measure the link at most.
const COPIED: u64 = 64 << 20;
/// Fewer bytes would measure how long a copy takes to start.
const LEAST_COPIED: u64 = 4 << 20;

/// The bytes that crossed the bus, and how well the run used the link.
#[derive(Serialize)]
pub(super) struct Crossed {
    #[serde(flatten)]
    pub(super) transfer: Transfer,
    /// Bytes moved per byte that had to move.
    pub(super) amplification: f64,
    /// The bytes in the median time of the runs, as a part of what copies from pinned memory reach; `None` if that was
    /// not measured.
    pub(super) share_of_link: Option<f64>,
    /// What every superstep read, if the user asked for a trace.
    pub(super) trace: Option<Trace>,
}

/// What is known about the bus after the timed runs.
#[derive(Default)]
pub(super) struct Counted {
    pub(super) crossed: Option<Crossed>,
    /// Why something is missing although edges were off the device.
    pub(super) why_not: Option<String>,
}

impl Counted {
    /// Returns the warning about what is missing.
    pub(super) fn warning(&self) -> Option<String> {
        let done = if self.crossed.is_some() { "traced" } else { "counted" };
        self.why_not.as_ref().map(|why| format!("what crossed the bus was not {done}: {why}"))
    }
}

/// Returns what crossed the bus in the runs that were measured. Runs once more if that must be counted, from the source
/// of the first timed run.
///
/// # Errors
/// When the user interrupts the additional run. Other trouble with it becomes the reason why nothing was counted.
pub(super) fn count(
    ready: &Loaded,
    question: &dyn Question,
    options: &Options,
    measured: &Measured,
) -> Result<Counted> {
    let run = measured.answer.run();
    if !is_off_device(run) {
        return Ok(Counted::default());
    }
    let slowest = measured.figures.runs.iter().copied().fold(0.0, f64::max);
    let seen = match (run.transfer, options.trace) {
        (Some(transfer), false) => Ok((transfer, None)),
        _ if slowest > PATIENCE => Err(format!("a run took over {PATIENCE} s, and counting is slower")),
        _ => match counting_run(ready, question, options, run) {
            Ok((Some(transfer), trace)) => Ok((transfer, trace)),
            Ok((None, _)) => Err("its kernels do not count".to_owned()),
            Err(error) if error.kind() == "interrupted" => return Err(error.into()),
            Err(error) => Err(error.to_string()),
        },
    };
    let (transfer, trace, why_not) = match seen {
        Ok((transfer, trace)) => (Some(transfer), trace, None),
        Err(why_not) => (run.transfer, None, Some(why_not)),
    };
    let crossed = transfer.map(|transfer| crossed(ready, measured, transfer, trace));
    Ok(Counted { crossed, why_not })
}

/// Returns true if a run was on a GPU, and not all edges were there.
fn is_off_device(run: &Run) -> bool {
    run.plan.residency.is_some_and(|residency| !residency.is_on_device())
}

/// Runs once more, and traces that if the user asked for a trace.
fn counting_run(
    ready: &Loaded,
    question: &dyn Question,
    options: &Options,
    timed: &Run,
) -> warpgraph::Result<(Option<Transfer>, Option<Trace>)> {
    if options.trace {
        let options = Options { run: 0, ..options.clone() };
        return bus::trace(ready, question, &options, timed).map(|(transfer, trace)| (transfer, Some(trace)));
    }
    let options = Options { count_transfer: true, run: 0, ..options.clone() };
    Ok((ready.ask(question, &options)?.0.run().transfer, None))
}

fn crossed(ready: &Loaded, measured: &Measured, transfer: Transfer, trace: Option<Trace>) -> Crossed {
    let is_real = measured.answer.run().device != Device::Simt;
    let link = ready.engine().gpu().filter(|_| is_real).and_then(|gpu| link(gpu).ok().flatten());
    let share = |link: f64| transfer.moved as f64 / measured.figures.median() / link;
    let share_of_link = link.map(share).filter(|share| share.is_finite());
    Crossed { transfer, amplification: transfer.amplification(), share_of_link, trace }
}

/// Returns the bytes per second of copies from pinned memory to the device; `None` if too little memory is free to tell.
/// Takes some milliseconds.
fn link(gpu: &Gpu) -> devices::Result<Option<f64>> {
    let bytes = COPIED.min(gpu.memory()?.free / 2);
    if bytes < LEAST_COPIED {
        return Ok(None);
    }
    let pinned = gpu.pinned::<u8>(bytes as usize, "the link")?;
    let mut array = gpu.array::<u8>(bytes as usize, "the link")?;
    let mut copy = || gpu.timed(|| array.copy_from_pinned(&pinned));
    // The first copy does not count.
    let [_, second, third] = [copy()?, copy()?, copy()?];
    Ok(Some(bytes as f64 / second.min(third)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::{Engine, Settings};

    #[test]
    #[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "no simulator here")]
    fn a_link_is_measured_where_there_is_room() {
        let link = |memory_budget| {
            let settings = Settings { memory_budget: Some(memory_budget), ..Settings::default() };
            let engine = Engine::with(Device::Simt, Some(1), settings).unwrap();
            link(engine.gpu().unwrap()).unwrap()
        };
        assert!(link(16 << 20).is_some_and(|rate| rate.is_finite() && rate > 0.0));
        assert_eq!(link(1 << 20), None);
    }
}
