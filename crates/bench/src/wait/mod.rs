//! What a user waits for: from the start of a process to its end, phase by phase.
//!
//! A [`Case`] is an algorithm on a `.wg` file. [`child`] starts the program itself, several times per [`Start`], and takes
//! the phases from its timeline and the rest from its own clock. [`opened`] does the same within this process, for a new
//! graph on an engine that is open. The page cache holds the file in all of them. [`AtBest`] is the least time that the
//! machine allows.

pub mod child;
pub mod opened;
pub mod report;
#[cfg(test)]
mod tests;

use crate::{machine::Machine, read_back::read_back, result::Failure, statistics::Spread};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::Path};
use warpgraph::graph::timeline::{Lane, Phase, Snapshot};

/// The version of the JSON form.
pub const SCHEMA: u32 = 1;
/// The name of the command in reports.
pub const COMMAND: &str = "bench wait";

/// Everything that was measured.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Report {
    pub schema: u32,
    pub version: String,
    pub command: String,
    pub machine: Machine,
    pub threads: usize,
    /// Timed runs per start.
    pub runs: u64,
    /// Bytes per second that all threads read and write when they copy.
    pub memory: f64,
    /// Bytes per second over the bus to the GPU, if one was opened.
    pub bus: Option<f64>,
    pub cases: Vec<Case>,
}

/// An algorithm on a file, or why it could not be measured.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Case {
    /// The graph as the user named it.
    pub name: String,
    pub algorithm: String,
    /// Where it ran, and the name of that processor or GPU.
    pub device: String,
    pub device_name: Option<String>,
    /// Bytes of the `.wg` file.
    pub bytes: u64,
    pub limits: AtBest,
    /// `passed` or `failed`: one run before the timed ones.
    pub verify: Option<String>,
    pub starts: Vec<Start>,
    pub error: Option<Failure>,
}

/// The least seconds that the machine allows for the bytes of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct AtBest {
    /// Reading it from the page cache, at the speed of memory.
    pub page_cache: f64,
    /// Copying it over the bus; null on the processor.
    pub bus: Option<f64>,
    pub sum: f64,
}

impl AtBest {
    /// Returns the limits for this many bytes; `bus` is the bus that the runs use, if they use one.
    pub fn new(bytes: u64, memory: f64, bus: Option<f64>) -> Self {
        let (page_cache, bus) = (bytes as f64 / memory, bus.map(|rate| bytes as f64 / rate));
        Self { page_cache, bus, sum: page_cache + bus.unwrap_or(0.0) }
    }
}

/// The runs of one kind of start.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Start {
    /// `cold`, `bundle`, `warm` or `open`.
    pub start: String,
    /// Where the seconds of the whole runs lie.
    pub wall: Option<Spread>,
    pub runs: Vec<Waited>,
}

impl Start {
    /// Returns the runs of a start, with where their times lie.
    pub fn new(start: &str, runs: Vec<Waited>) -> Self {
        let wall = Spread::of(&runs.iter().map(|run| run.wall).collect::<Vec<_>>());
        Self { start: start.to_owned(), wall, runs }
    }

    /// Returns the seconds of a phase on a lane, in every run; 0 where it did not occur.
    pub fn of(&self, lane: &str, phase: &str) -> Vec<f64> {
        let of = |run: &Waited| {
            let same = |spent: &&Spent| spent.lane == lane && spent.phase == phase;
            run.phases.iter().find(same).map_or(0.0, |spent| spent.seconds)
        };
        self.runs.iter().map(of).collect()
    }
}

/// One run. `before`, the phases of the lane `main` and `after` add up to `wall`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Waited {
    /// Seconds from the start of the process to its end, by the clock of this process.
    pub wall: f64,
    /// Those of them before the first line of `main`: the system starts the process.
    pub before: f64,
    /// Those of them after the report was made: it is printed, and the system ends the process.
    pub after: f64,
    /// The own times of all phases, by lane.
    pub phases: Vec<Spent>,
}

/// The own time of a phase.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Spent {
    pub phase: String,
    pub lane: String,
    pub seconds: f64,
}

impl Waited {
    /// Returns a run within this process: nothing comes before or after its timeline.
    fn within(timeline: &Snapshot) -> Self {
        let spans = timeline.spans.iter().map(|span| (span.lane.name(), span.phase.name(), span.own));
        Self { wall: timeline.total, before: 0.0, after: 0.0, phases: spent(spans, timeline.other) }
    }
}

/// Adds up the own times of spans by lane and phase, in the order of the documentation.
fn spent<'a>(spans: impl Iterator<Item = (&'a str, &'a str, f64)>, other: f64) -> Vec<Spent> {
    let mut sums = BTreeMap::from([((Lane::Main.name(), Phase::Other.name()), other)]);
    spans.for_each(|(lane, phase, own)| *sums.entry((lane, phase)).or_insert(0.0) += own);
    let mut phases: Vec<Spent> = sums
        .into_iter()
        .map(|((lane, phase), seconds)| Spent { phase: phase.to_owned(), lane: lane.to_owned(), seconds })
        .collect();
    phases.sort_by_key(|spent| {
        let lane = Lane::ALL.iter().position(|lane| lane.name() == spent.lane);
        (lane, Phase::ALL.iter().position(|phase| phase.name() == spent.phase))
    });
    phases
}

impl Report {
    /// Returns a report without cases.
    pub fn new(version: &str, threads: usize, runs: u64) -> Self {
        let (command, machine) = (COMMAND.to_owned(), Machine::this());
        Self {
            schema: SCHEMA,
            version: version.to_owned(),
            command,
            machine,
            threads,
            runs,
            ..Self::default()
        }
    }

    /// Reads a report back from its JSON.
    ///
    /// # Errors
    /// When the file cannot be read, or is no such report.
    pub fn read(path: &Path) -> warpgraph::Result<Self> {
        read_back(path, COMMAND, SCHEMA, "make it with `warpgraph bench wait --out`")
    }

    /// Returns 1 if an answer failed verification, 2 if nothing was measured, else 0.
    pub fn exit_code(&self) -> u8 {
        match () {
            () if self.cases.iter().any(|case| case.verify.as_deref() == Some("failed")) => 1,
            () if self.cases.iter().all(|case| case.error.is_some()) => 2,
            () => 0,
        }
    }
}
