//! Long work without the interpreter's lock, which Ctrl-C ends and whose progress Python sees.
//!
//! The work runs on a thread of its own. The calling thread waits without the lock, and wakes up twenty times per second
//! to let Python handle signals and to pass on progress. An exception from either cancels the work through its [`Control`]
//! and is raised once the work has ended. Work that cannot be cancelled is left to itself instead ([`leave`]).
//!
//! Short work on the calling thread looks for signals by itself ([`Signals`]), without the cost of a thread.

use crate::errors;
use pyo3::{prelude::*, types::PyDict};
use std::{
    panic,
    sync::{Arc, Condvar, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};
use warpgraph::{Control, Error, graph::Progress};

/// How long the calling thread sleeps between two looks at signals and progress.
const NAP: Duration = Duration::from_millis(50);

/// The stop conditions of some work, and who watches it.
#[derive(Debug, Default)]
pub(crate) struct Watched<'py> {
    /// Seconds after which the work ends with an error.
    pub(crate) time_limit: Option<f64>,
    /// Called as `progress(stage, done, total)`.
    pub(crate) progress: Option<Bound<'py, PyAny>>,
}

/// The latest progress: stage, units done, units in total.
type Latest = Arc<Mutex<Option<(String, u64, Option<u64>)>>>;

impl<'py> Watched<'py> {
    /// Reads `time_limit` and `progress` from a dict of options.
    pub(crate) fn of(options: &Bound<'py, PyDict>) -> PyResult<Self> {
        let item = |name: &str| Ok::<_, PyErr>(options.get_item(name)?.filter(|value| !value.is_none()));
        let time_limit = item("time_limit")?.map(|limit| limit.extract::<f64>()).transpose()?;
        Ok(Self { time_limit, progress: item("progress")? })
    }

    fn control(&self, py: Python<'_>, latest: &Latest) -> PyResult<Control> {
        let mut control = Control::new();
        if let Some(seconds) = self.time_limit {
            let limit = Duration::try_from_secs_f64(seconds).map_err(|_| {
                let what = format!("time_limit: expected a number of seconds from 0, got {seconds}");
                errors::invalid(py, what, "leave time_limit out for no limit")
            })?;
            control = control.with_time_limit(limit);
        }
        if self.progress.is_some() {
            let latest = latest.clone();
            control = control.with_progress(move |Progress { stage, done, total }| {
                *latest.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some((stage.to_owned(), done, total));
            });
        }
        Ok(control)
    }

    /// Passes on progress, if there is news.
    fn tell(&self, latest: &Latest) -> PyResult<()> {
        let news = latest.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (&self.progress, news) {
            (Some(progress), Some(news)) => progress.call1(news).map(drop),
            _ => Ok(()),
        }
    }
}

/// Runs `work` as the module describes.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    watched: &Watched<'_>,
    work: impl FnOnce(&Control) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let latest = Latest::default();
    let control = watched.control(py, &latest)?;
    let (done, wake) = (Mutex::new(None), Condvar::new());
    let finished = |result| {
        *done.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        wake.notify_one();
    };
    let (result, stopped) = thread::scope(|scope| {
        let worker = || finished(panic::catch_unwind(panic::AssertUnwindSafe(|| work(&control))));
        scope.spawn(worker);
        let mut stopped = None;
        loop {
            if let Some(result) = py.detach(|| nap(&done, &wake)) {
                return (result, stopped);
            }
            if stopped.is_none()
                && let Err(exception) = py.check_signals().and_then(|()| watched.tell(&latest))
            {
                control.cancel();
                stopped = Some(exception);
            }
        }
    });
    match (result, stopped) {
        (Err(payload), _) => panic::resume_unwind(payload),
        (Ok(_), Some(exception)) => Err(exception),
        (Ok(result), None) => {
            watched.tell(&latest)?;
            result.map_err(|error| errors::raise(py, &error))
        }
    }
}

/// Waits for the result, but no longer than [`NAP`].
fn nap<T>(done: &Mutex<Option<T>>, wake: &Condvar) -> Option<T> {
    let waiting = done.lock().unwrap_or_else(PoisonError::into_inner);
    let woken = wake.wait_timeout_while(waiting, NAP, |result| result.is_none());
    woken.unwrap_or_else(PoisonError::into_inner).0.take()
}

/// Runs `work` on a thread of its own, without the lock. If a signal raises an exception, that is raised at once, and the
/// thread ends when the work is done, for nothing.
pub(crate) fn leave<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let shared = Arc::new((Mutex::new(None), Condvar::new()));
    let worker = shared.clone();
    thread::spawn(move || {
        let result = panic::catch_unwind(panic::AssertUnwindSafe(work));
        *worker.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        worker.1.notify_one();
    });
    loop {
        match py.detach(|| nap(&shared.0, &shared.1)) {
            Some(Ok(result)) => return Ok(result),
            Some(Err(payload)) => panic::resume_unwind(payload),
            None => py.check_signals()?,
        }
    }
}

/// How many steps a loop takes between two looks at the clock.
const STEPS: u32 = 1 << 12;

/// Lets Python handle signals during a loop that runs without the interpreter's lock, on the thread that was called.
#[derive(Debug)]
pub(crate) struct Signals {
    steps: u32,
    seen: Instant,
}

impl Default for Signals {
    fn default() -> Self {
        Self { steps: 0, seen: Instant::now() }
    }
}

impl Signals {
    /// Counts a step of the loop. Once the last look was [`NAP`] ago, looks for signals.
    ///
    /// # Errors
    /// The exception that a handler of a signal raises, such as `KeyboardInterrupt`.
    #[inline]
    pub(crate) fn step(&mut self) -> PyResult<()> {
        self.steps += 1;
        if self.steps < STEPS { Ok(()) } else { self.look() }
    }

    #[cold]
    fn look(&mut self) -> PyResult<()> {
        self.steps = 0;
        if self.seen.elapsed() < NAP {
            return Ok(());
        }
        self.seen = Instant::now();
        Python::attach(|py| py.check_signals())
    }
}
