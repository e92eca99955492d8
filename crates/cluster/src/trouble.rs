//! [`Trouble`]: the first error of a member, which ends all of its threads.
//!
//! Several threads of a member can notice that a run has failed: the one that computes, those that read from the network,
//! and those that watch the others. The first error stays. A thread that waits leaves a hook here, which wakes it.

use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use warpgraph_parts::exchange::ExchangeError;

type Hook = Box<dyn Fn(&ExchangeError) + Send>;

/// The first error of a member, shared by its threads.
#[derive(Default)]
pub(crate) struct Trouble {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    first: Option<ExchangeError>,
    hooks: Vec<Hook>,
}

impl Trouble {
    /// A thread that panicked left whole values behind: every change is one assignment or push.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports an error. Returns the first one that was reported.
    pub(crate) fn raise(&self, error: ExchangeError) -> ExchangeError {
        let hooks = {
            let mut state = self.state();
            if let Some(first) = &state.first {
                return first.clone();
            }
            state.first = Some(error.clone());
            std::mem::take(&mut state.hooks)
        };
        self.changed.notify_all();
        hooks.iter().for_each(|hook| hook(&error));
        error
    }

    /// Calls a function once, when an error is reported; at once if one has been.
    pub(crate) fn when_raised(&self, hook: impl Fn(&ExchangeError) + Send + 'static) {
        let mut state = self.state();
        match state.first.clone() {
            None => state.hooks.push(Box::new(hook)),
            Some(error) => {
                drop(state);
                hook(&error);
            }
        }
    }

    /// Returns the error, if there is one.
    pub(crate) fn get(&self) -> Option<ExchangeError> {
        self.state().first.clone()
    }

    /// Returns the error, if there is one.
    pub(crate) fn check(&self) -> Result<(), ExchangeError> {
        self.get().map_or(Ok(()), Err)
    }

    /// Waits for an error, at most so long.
    pub(crate) fn wait(&self, most: Duration) -> Option<ExchangeError> {
        let end = Instant::now() + most;
        let mut state = self.state();
        while state.first.is_none() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.first.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    };

    fn lost(part: usize) -> ExchangeError {
        ExchangeError::Lost { part, name: String::new(), what: "gone".into() }
    }

    #[test]
    fn the_first_error_stays_and_hooks_are_called_once() {
        let (trouble, calls) = (Trouble::default(), Arc::new(AtomicU32::new(0)));
        let count = |calls: &Arc<AtomicU32>| {
            let calls = calls.clone();
            move |_: &ExchangeError| {
                calls.fetch_add(1, Ordering::SeqCst);
            }
        };
        trouble.when_raised(count(&calls));
        assert!(trouble.check().is_ok());
        assert!(trouble.wait(Duration::from_millis(5)).is_none());
        trouble.raise(lost(2));
        let first = trouble.raise(lost(3));
        assert!(matches!(first, ExchangeError::Lost { part: 2, .. }), "{first}");
        assert_eq!(calls.load(Ordering::SeqCst), 1);
        trouble.when_raised(count(&calls));
        assert_eq!(calls.load(Ordering::SeqCst), 2);
        assert!(trouble.wait(Duration::from_secs(60)).is_some());
    }
}
