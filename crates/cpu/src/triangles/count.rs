//! Shares a count among the team: pieces of vertices, with progress and cancellation.

use crate::parts::Team;
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};
use warpgraph_core::Result;
use warpgraph_graph::Control;

/// The time between two progress reports.
const REPORT: Duration = Duration::from_millis(50);

/// The team that counts, and the control that may stop it.
pub(super) struct Counting<'a> {
    pub(super) team: &'a Team,
    pub(super) control: &'a Control,
}

impl Counting<'_> {
    /// Creates one scratch value per member with `make`.
    pub(super) fn scratch<T>(&self, make: impl Fn() -> Result<T>) -> Result<Scratch<T>> {
        let each = (0..self.team.members()).map(|_| make().map(Mutex::new)).collect::<Result<_>>()?;
        Ok(Scratch { each })
    }

    /// Runs `work` on all pieces with the member's scratch. If the control stops the work, the remaining pieces are not
    /// run, and the result is its error.
    pub(super) fn pieces<T: Send>(
        &self,
        stage: &str,
        pieces: usize,
        scratch: &Scratch<T>,
        work: impl Fn(&mut T, usize) + Sync,
    ) -> Result<()> {
        let done = AtomicUsize::new(0);
        let reported = Mutex::new(Instant::now());
        self.team.round(pieces, &|member, piece| {
            if self.control.should_stop() {
                return;
            }
            work(&mut *scratch.of(member), piece);
            let done = done.fetch_add(1, Relaxed) + 1;
            // Only the leader reports, so that reports come in order and no member waits.
            if member == 0
                && let Ok(mut last) = reported.lock()
                && last.elapsed() >= REPORT
            {
                self.control.report(stage, done as u64, Some(pieces as u64));
                *last = Instant::now();
            }
        });
        Ok(self.control.check(stage)?)
    }
}

/// The scratch values, one per member.
pub(super) struct Scratch<T> {
    each: Vec<Mutex<T>>,
}

impl<T> Scratch<T> {
    /// Returns the scratch of a member. No other member uses it, so the lock is free.
    fn of(&self, member: usize) -> std::sync::MutexGuard<'_, T> {
        self.each[member].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns all values, when the pieces are done.
    pub(super) fn into_all(self) -> impl Iterator<Item = T> {
        self.each.into_iter().map(|one| one.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}
