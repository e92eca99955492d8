//! [`Clock`]: what a member computes, in seconds.
//!
//! A member of one thread is timed by the processor time of that thread, which other programs of the machine do not lengthen.
//! Members of several threads, and all members elsewhere than on Unix, are timed by the wall clock.

use std::time::{Duration, Instant};

/// A point in time, by one of two clocks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    wall: Instant,
    own: Option<Duration>,
}

impl Clock {
    /// Returns now, as the calling thread sees it.
    pub(super) fn now() -> Self {
        let own = if rayon::current_num_threads() == 1 { of_thread() } else { None };
        Self { wall: Instant::now(), own }
    }

    /// Returns the seconds since then.
    pub(super) fn seconds(self) -> f64 {
        match self.own.zip(of_thread()) {
            Some((then, now)) => now.saturating_sub(then).as_secs_f64(),
            None => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// Returns the processor time of the calling thread.
#[cfg(unix)]
fn of_thread() -> Option<Duration> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for a `timespec`, which the call fills in; the clock is that of the calling thread.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    let seconds = u64::try_from(time.tv_sec).ok()?;
    let nanoseconds = u32::try_from(time.tv_nsec).ok()?;
    (failed == 0).then(|| Duration::new(seconds, nanoseconds))
}

/// Returns none: only Unix has such a clock.
#[cfg(not(unix))]
fn of_thread() -> Option<Duration> {
    None
}
