//! Lets a caller steer work in progress: cancel it, set a deadline, watch its progress, record its phases.

use crate::{
    error::{Error, Result},
    timeline::{Phase, Span, Timeline},
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// The progress of a piece of work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress<'a> {
    /// The current stage, e.g. `reading`, `building`, `pagerank`.
    pub stage: &'a str,
    /// The number of units done.
    pub done: u64,
    /// The total number of units, if it is known.
    pub total: Option<u64>,
}

type Watcher = dyn Fn(Progress<'_>) + Send + Sync;

/// Combines a cancel flag, a deadline, a progress callback and a timeline in one handle; clones share the flag.
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
    timeline: Option<Timeline>,
}

impl Control {
    /// Returns a control without deadline and callback, which never stops work unless it is cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the work once `limit` has passed from now; an earlier deadline stays in force.
    pub fn with_time_limit(mut self, limit: Duration) -> Self {
        let deadline = Instant::now().checked_add(limit);
        self.deadline = self.deadline.into_iter().chain(deadline).min();
        self
    }

    /// Calls `watcher` with the progress of the work, from any thread, at most some tens of times per second and stage.
    pub fn with_progress(mut self, watcher: impl Fn(Progress<'_>) + Send + Sync + 'static) -> Self {
        self.watcher = Some(Arc::new(watcher));
        self
    }

    /// Records the phases of the work in `timeline`.
    pub fn with_timeline(mut self, timeline: &Timeline) -> Self {
        self.timeline = Some(timeline.clone());
        self
    }

    /// Returns a control that stops with this one, but shows no progress and records no phases.
    pub fn unwatched(&self) -> Self {
        Self { watcher: None, timeline: None, ..self.clone() }
    }

    /// Returns the timeline that records the phases of the work, if there is one.
    pub fn timeline(&self) -> Option<&Timeline> {
        self.timeline.as_ref()
    }

    /// Starts a span of the timeline; it ends when the guard is dropped. Does nothing without a timeline.
    pub fn span(&self, phase: Phase) -> Span {
        Span::begun(self.timeline.as_ref(), phase)
    }

    /// Asks the work to stop at its next check. May be called from a signal handler thread.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Returns true if [`Control::cancel`] has been called.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Returns true if the work must stop now. Cheap enough for every worker to call it regularly.
    pub fn should_stop(&self) -> bool {
        self.is_cancelled() || self.deadline.is_some_and(|d| Instant::now() >= d)
    }

    /// Returns an error if the work must stop; `during` completes "interrupted while ...".
    pub fn check(&self, during: &str) -> Result<()> {
        if self.is_cancelled() {
            return Err(Error::Interrupted { during: during.to_owned() });
        }
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Err(Error::DeadlinePassed { during: during.to_owned() });
        }
        Ok(())
    }

    /// Calls the watcher, if there is one.
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
