//! How a caller steers work in progress: cancel it, give it a deadline, watch it.

use crate::error::{Error, Result};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// How far a piece of work has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress<'a> {
    /// What is being done, e.g. `reading`, `building`, `pagerank`.
    pub stage: &'a str,
    /// Units done.
    pub done: u64,
    /// Units in all, where that is known.
    pub total: Option<u64>,
}

type Watcher = dyn Fn(Progress<'_>) + Send + Sync;

/// Cancel flag, deadline and progress callback in one handle; clones share the flag.
///
/// ```
/// use warpgraph_graph::Control;
/// let control = Control::new();
/// let other = control.clone();
/// other.cancel();
/// assert!(control.check("reading").is_err());
/// ```
#[derive(Clone, Default)]
pub struct Control {
    cancelled: Arc<AtomicBool>,
    deadline: Option<Instant>,
    watcher: Option<Arc<Watcher>>,
}

impl Control {
    /// A control that never stops anything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the work once `limit` has passed from now; an earlier limit stays.
    pub fn with_time_limit(mut self, limit: Duration) -> Self {
        let deadline = Instant::now().checked_add(limit);
        self.deadline = self.deadline.into_iter().chain(deadline).min();
        self
    }

    /// Calls `watcher` as the work goes on, from any thread, some tens of times a second at most per stage.
    pub fn with_progress(mut self, watcher: impl Fn(Progress<'_>) + Send + Sync + 'static) -> Self {
        self.watcher = Some(Arc::new(watcher));
        self
    }

    /// Asks the work to stop at its next check; safe in a signal handler thread.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Has [`Control::cancel`] been called?
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Must the work stop now? Cheap enough to ask from every worker now and then.
    pub fn should_stop(&self) -> bool {
        self.is_cancelled() || self.deadline.is_some_and(|d| Instant::now() >= d)
    }

    /// An error if the work must stop; `during` completes "interrupted while ...".
    pub fn check(&self, during: &str) -> Result<()> {
        if self.is_cancelled() {
            return Err(Error::Interrupted { during: during.to_owned() });
        }
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Err(Error::DeadlinePassed { during: during.to_owned() });
        }
        Ok(())
    }

    /// Tells the watcher, if there is one.
    pub fn report(&self, stage: &str, done: u64, total: Option<u64>) {
        if let Some(watcher) = &self.watcher {
            watcher(Progress { stage, done, total });
        }
    }
}

impl std::fmt::Debug for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control")
            .field("cancelled", &self.is_cancelled())
            .field("deadline", &self.deadline)
            .field("watched", &self.watcher.is_some())
            .finish()
    }
}
