//! What all commands that work on a graph share: threads, cancel flag, deadline, progress and verbosity.

use crate::{console, device::OnDevice, failure::Result, interrupt, progress::Bar};
use clap::Args;
use std::{
    sync::{Arc, Once},
    time::{Duration, Instant},
};
use warpgraph::{
    Control, Device, Engine, Settings,
    graph::timeline::{Phase, Timeline},
};

/// Flags of every command that works on a graph.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Running")]
pub(crate) struct Working {
    /// Number of threads, for reading too [default: one per core]
    #[arg(long, value_name = "T")]
    pub(crate) threads: Option<usize>,
    /// End with an error after this many seconds, including reading
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<f64>,
    /// Print one line of JSON to standard output, also for errors; everything else to standard error
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Print only results, warnings and errors
    #[arg(long, short, help_heading = "Output")]
    pub(crate) quiet: bool,
}

impl Working {
    /// Returns true if progress messages are wanted.
    pub(crate) fn talks(&self) -> bool {
        !(self.quiet || self.json)
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s > 0.0 && s <= 1e9 => Ok(s),
        _ => Err("expected a positive number of seconds".to_owned()),
    }
}

/// Prints which kernel is being compiled; the first time also that later runs find it in the cache.
fn compiling(bar: &Bar, talks: bool) -> impl Fn(&str) + Send + Sync + 'static {
    let (bar, first) = (bar.clone(), Once::new());
    move |kernel| {
        if talks {
            bar.clear();
            first.call_once(|| {
                console::err("compiling for this device; later runs find kernels in the cache\n");
            });
            console::err(&format!("  {kernel}\n"));
        }
    }
}

/// A running command.
pub(crate) struct Session {
    /// The device and its threads.
    pub(crate) engine: Engine,
    /// Ctrl-C cancels it, the time limit ends it, and the progress bar watches it.
    pub(crate) control: Control,
    bar: Bar,
    talks: bool,
}

impl Session {
    /// Starts threads and clocks, on the CPU.
    pub(crate) fn start(working: &Working) -> Result<Self> {
        Self::new(working, Device::Cpu, Control::new(), |_| Settings::default())
    }

    /// Starts as [`Session::start`] does, with a control that others can cancel.
    #[cfg(feature = "cluster")]
    pub(crate) fn watched(working: &Working, control: Control) -> Result<Self> {
        Self::new(working, Device::Cpu, control, |_| Settings::default())
    }

    /// Starts threads and clocks, and opens the device that the user asked for.
    pub(crate) fn on(working: &Working, asked: &OnDevice) -> Result<Self> {
        let settings = |bar: &Bar| asked.settings(compiling(bar, working.talks()));
        Self::new(working, asked.device()?, Control::new(), settings)
    }

    /// Starts as [`Session::on`] does, and records everything on a timeline.
    pub(crate) fn recorded(working: &Working, asked: &OnDevice, timeline: &Timeline) -> Result<Self> {
        let control = Control::new().with_timeline(timeline);
        let stages = warpgraph::stages(&control);
        let settings = |bar: &Bar| Settings { stages, ..asked.settings(compiling(bar, working.talks())) };
        Self::begun(working, asked.device()?, control, settings, Engine::begin)
    }

    /// Returns the settings with which to open the same device again.
    pub(crate) fn settings(&self, asked: &OnDevice) -> Settings {
        asked.settings(compiling(&self.bar, self.talks))
    }

    /// Returns another engine on a device, with the same number of threads.
    pub(crate) fn beside(&self, device: Device) -> warpgraph::Result<Engine> {
        let settings =
            Settings { compiling: Some(Arc::new(compiling(&self.bar, self.talks))), ..Settings::default() };
        Engine::with(device, Some(self.engine.threads()), settings)
    }

    fn new(
        working: &Working,
        device: Device,
        control: Control,
        settings: impl FnOnce(&Bar) -> Settings,
    ) -> Result<Self> {
        Self::begun(working, device, control, settings, Engine::with)
    }

    /// Starts clocks, and an engine by `begin`.
    fn begun(
        working: &Working,
        device: Device,
        control: Control,
        settings: impl FnOnce(&Bar) -> Settings,
        begin: impl FnOnce(Device, Option<usize>, Settings) -> warpgraph::Result<Engine>,
    ) -> Result<Self> {
        let _span = control.span(Phase::Threads);
        let control = match working.time_limit {
            Some(limit) => control.with_time_limit(Duration::from_secs_f64(limit)),
            None => control,
        };
        interrupt::cancels(&control);
        let (bar, talks) = (Bar::default(), working.talks());
        let control = bar.watch(control, !talks);
        let engine = begin(device, working.threads, settings(&bar))?;
        Ok(Self { engine, control, bar, talks })
    }

    /// Runs work on the engine's threads, then removes the progress bar.
    pub(crate) fn work<T: Send>(&self, work: impl FnOnce(&Control) -> T + Send) -> T {
        let result = self.engine.install(|| work(&self.control));
        self.bar.clear();
        result
    }

    /// Does the same as [`Session::work`], and records on the timeline what handing over and waking up took. Work
    /// within it stays on the same thread.
    pub(crate) fn enter<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let Some(timeline) = self.control.timeline() else { return self.work(|_| work()) };
        let waking = |since: Instant| timeline.record(Phase::Waking, None, since, Instant::now());
        let asked = Instant::now();
        let (result, ended) = self.work(|_| {
            waking(asked);
            (work(), Instant::now())
        });
        waking(ended);
        result
    }

    /// Removes the progress bar.
    pub(crate) fn clear(&self) {
        self.bar.clear();
    }

    /// Returns true if progress messages are wanted.
    pub(crate) fn talks(&self) -> bool {
        self.talks
    }

    /// Prints to standard error, unless the user asked for quiet or JSON output.
    pub(crate) fn say(&self, text: &str) {
        if self.talks {
            console::err(text);
        }
    }
}
