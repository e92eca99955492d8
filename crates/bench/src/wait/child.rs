//! Starts the program as a child, and takes its times: the whole by the clock of this process, the phases from the
//! child's timeline.

use super::{Waited, spent};
use crate::result::Failure;
use serde_json::Value;
use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

/// The variable that names the folder in which the cache of kernels lies.
const CACHE: &str = "XDG_CACHE_HOME";
/// The variable that names the bundle of kernels. If it is empty, the program uses none.
const BUNDLE: &str = "WARPGRAPH_KERNELS";
/// The variable that keeps NVIDIA's compiler from taking code from a cache of its own.
const NO_CACHE: &str = "CUDA_CACHE_DISABLE";
/// The name of the bundle in a release.
const BUNDLE_FILE: &str = "warpgraph.kernels";

/// What a child finds when it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernels {
    /// An empty cache and no bundle: every kernel is compiled.
    Cold,
    /// An empty cache, and the bundle of the release.
    Bundle,
    /// The cache that an earlier run has filled.
    Warm,
}

impl Kernels {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::Bundle => "bundle",
            Self::Warm => "warm",
        }
    }
}

/// How to start the program on a file.
#[derive(Debug, Clone)]
pub struct Child {
    /// The program.
    pub program: PathBuf,
    /// The algorithm, the file and the flags, after `run`.
    pub arguments: Vec<OsString>,
    /// A folder for the caches of kernels.
    pub folder: PathBuf,
}

/// The report of a child, and its times.
#[derive(Debug)]
pub struct Ended {
    /// The JSON that it printed.
    pub report: Value,
    /// Its times.
    pub waited: Waited,
}

impl Child {
    /// Runs the child and waits for its end.
    ///
    /// # Errors
    /// When it cannot be started, or ends with an error; `verify` is the business of the caller.
    pub fn run(&self, kernels: Kernels, more: &[&str]) -> Result<Ended, Failure> {
        let mut command = Command::new(&self.program);
        command.arg("run").args(&self.arguments).arg("--json").args(more).stdin(Stdio::null());
        self.prepare(&mut command, kernels).map_err(|error| failed(&error))?;
        let (start, began) = (Instant::now(), SystemTime::now());
        let output = command.output().map_err(|error| failed(&error))?;
        let wall = start.elapsed().as_secs_f64();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        if report["timeline"].is_null() {
            return Err(Failure::of_child(&report, &String::from_utf8_lossy(&output.stderr)));
        }
        let waited = waited(&report["timeline"], wall, began);
        Ok(Ended { report, waited })
    }

    /// Sets the variables for the kernels, and empties the cache if it is to be empty.
    fn prepare(&self, command: &mut Command, kernels: Kernels) -> io::Result<()> {
        let folder = self.folder.join(if kernels == Kernels::Warm { "warm" } else { "cold" });
        if kernels != Kernels::Warm && folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        command.env(CACHE, folder);
        if kernels == Kernels::Cold {
            command.env(BUNDLE, "").env(NO_CACHE, "1");
        }
        Ok(())
    }
}

/// Returns true if the program has a bundle of kernels: one that the variable names, or one that lies beside it.
pub fn has_bundle(program: &Path) -> bool {
    if let Some(named) = std::env::var_os(BUNDLE) {
        return Path::new(&named).is_file();
    }
    let Ok(program) = program.canonicalize() else { return false };
    let folder = program.parent().unwrap_or(Path::new("."));
    let shared = folder.join("../share/warpgraph").join(BUNDLE_FILE);
    folder.join(BUNDLE_FILE).is_file() || shared.is_file()
}

/// Returns the times of a child that started at `began` and took `wall` seconds.
fn waited(timeline: &Value, wall: f64, began: SystemTime) -> Waited {
    let seconds = |value: &Value| value.as_f64().unwrap_or(0.0);
    let began = began.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
    let total = seconds(&timeline["total"]);
    // Both clocks are those of the system; a clock that is set meanwhile must not give a negative time.
    let before = (seconds(&timeline["began"]) - began).clamp(0.0, (wall - total).max(0.0));
    let spans = timeline["spans"].as_array().into_iter().flatten();
    let spans = spans.map(|span| {
        let word = |name: &str| span[name].as_str().unwrap_or_default();
        (word("lane"), word("phase"), seconds(&span["own"]))
    });
    Waited { wall, before, after: wall - before - total, phases: spent(spans, seconds(&timeline["other"])) }
}

fn failed(error: &io::Error) -> Failure {
    Failure::new("io", format!("the program cannot be started: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_comes_before_within_and_after_adds_up_to_the_wall_clock() {
        let began = UNIX_EPOCH + std::time::Duration::from_secs(1_000);
        let span = |lane: &str, phase: &str, own: f64| json!({ "lane": lane, "phase": phase, "own": own });
        let timeline = json!({
            "began": 1000.25, "total": 1.0, "other": 0.125,
            "spans": [span("main", "running", 0.5), span("main", "running", 0.25),
                      span("main", "checking", 0.125), span("kernels", "compiling", 0.75)],
        });
        let waited = waited(&timeline, 1.5, began);
        assert_eq!((waited.before, waited.after), (0.25, 0.25));
        let phases: Vec<(&str, &str, f64)> =
            waited.phases.iter().map(|spent| (&*spent.lane, &*spent.phase, spent.seconds)).collect();
        let expected = [
            ("main", "checking", 0.125),
            ("main", "running", 0.75),
            ("main", "other", 0.125),
            ("kernels", "compiling", 0.75),
        ];
        assert_eq!(phases, expected);
    }

    #[test]
    fn a_clock_that_was_set_back_gives_no_negative_time() {
        let timeline = json!({ "began": 5.0, "total": 1.0, "other": 1.0, "spans": [] });
        let late = UNIX_EPOCH + std::time::Duration::from_secs(1_000);
        let before = |began| waited(&timeline, 1.5, began).before;
        assert_eq!([before(late), before(UNIX_EPOCH)], [0.0, 0.5]);
    }

    #[test]
    fn a_child_that_fails_says_why() {
        let json = json!({ "error": { "kind": "parse", "message": "a.el:2: x", "help": null } });
        assert_eq!(Failure::of_child(&json, "").message, "a.el:2: x");
        assert_eq!(Failure::of_child(&Value::Null, "one\ntwo\n").message, "two");
    }
}
