//! Reports progress and checks for cancellation while many threads work.

use crate::{control::Control, error::Result};
use std::sync::atomic::{AtomicU64, Ordering};

/// The approximate number of reports per stage.
const REPORTS: u64 = 64;

/// Counts the units done by all threads, reports progress, and stops the work when the control requires it.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    control: &'a Control,
    stage: &'static str,
    during: &'static str,
    done: AtomicU64,
    total: u64,
}

impl<'a> Meter<'a> {
    /// Starts a meter at 0 of `total` units; `during` completes "interrupted while ...".
    pub(crate) fn new(control: &'a Control, stage: &'static str, during: &'static str, total: u64) -> Self {
        Self { control, stage, during, done: AtomicU64::new(0), total }
    }

    /// Counts `units` as done; returns an error if the work must stop.
    pub(crate) fn add(&self, units: u64) -> Result<()> {
        let before = self.done.fetch_add(units, Ordering::Relaxed);
        let step = (self.total / REPORTS).max(1);
        if before / step != (before + units) / step {
            self.control.report(self.stage, before + units, Some(self.total));
        }
        self.control.check(self.during)
    }
}
