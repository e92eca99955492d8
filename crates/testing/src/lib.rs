//! Runs tests that need something of the machine: a GPU, a data folder, a Python module, a library.
//!
//! A test target with `harness = false` builds a [`Suite`] in its `main`. A test whose need is not met shows as *ignored*, with
//! the reason, so that `ok` means that the test ran. With `--ignored` or `--include-ignored` it fails with the reason instead.
//! Filters, `--skip`, `--exact`, `--list` and `--test-threads` work as in other tests. Output is never captured.
//!
//! ```no_run
//! use warpgraph_testing::{Suite, needs, tests};
//!
//! fn opens_the_file() {}
//! fn needs_nothing() {}
//!
//! fn main() -> std::process::ExitCode {
//!     Suite::default().tests(tests![needs_nothing]).needing(&needs::data("wave.graph.zst"), tests![opens_the_file]).run()
//! }
//! ```

mod filters;
pub mod needs;

pub use needs::Need;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use std::{panic::resume_unwind, process::ExitCode, thread};

/// A named test: it fails by a panic.
pub struct Test {
    name: String,
    body: Box<dyn FnOnce() + Send>,
}

impl Test {
    /// Returns a test of this name.
    pub fn new(name: impl Into<String>, body: impl FnOnce() + Send + 'static) -> Self {
        Self { name: name.into(), body: Box::new(body) }
    }
}

impl std::fmt::Debug for Test {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Test").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Lists functions as tests, each named by its path: `tests![opens, module::closes]`.
#[macro_export]
macro_rules! tests {
    ($($test:path),* $(,)?) => {
        vec![$($crate::Test::new(stringify!($test).replace(' ', ""), $test)),*]
    };
}

/// The tests of one binary.
#[derive(Debug, Default)]
pub struct Suite {
    tests: Vec<(Test, Need)>,
}

impl Suite {
    /// Adds tests that run on any machine.
    #[must_use]
    pub fn tests(self, tests: Vec<Test>) -> Self {
        self.needing(&Ok(()), tests)
    }

    /// Adds tests that run where a need is met.
    #[must_use]
    pub fn needing(mut self, need: &Need, tests: Vec<Test>) -> Self {
        self.tests.extend(tests.into_iter().map(|test| (test, need.clone())));
        self
    }

    /// Runs the tests that the command line asks for, and returns the exit code of the process.
    pub fn run(self) -> ExitCode {
        let (arguments, more_filters) = filters::from_command_line();
        let wanted = |test: &Test| filters::match_any(&more_filters, arguments.exact, &test.name);
        let tests = self.tests.into_iter().filter(|(test, _)| wanted(test));
        let trials = tests.map(|(test, need)| trial(test, need, &arguments)).collect();
        libtest_mimic::run(&arguments, trials).exit_code()
    }
}

fn trial(test: Test, need: Need, arguments: &Arguments) -> Trial {
    let insists = arguments.ignored || arguments.include_ignored;
    match need {
        Ok(()) => {
            let name = test.name.clone();
            Trial::test(test.name, || run_in_thread(name, test.body))
        }
        Err(reason) if insists => Trial::test(test.name, || Err(reason.into())).with_ignored_flag(true),
        Err(reason) => Trial::ignorable_test(test.name, || Ok(Completion::ignored_with(reason))),
    }
}

/// Runs a test in a thread that has its name, so that the message of a panic names the test.
fn run_in_thread(name: String, body: Box<dyn FnOnce() + Send>) -> Result<(), Failed> {
    let thread =
        thread::Builder::new().name(name).spawn(body).map_err(|error| format!("no thread: {error}"))?;
    thread.join().unwrap_or_else(|panic| resume_unwind(panic));
    Ok(())
}
