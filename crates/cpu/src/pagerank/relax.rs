//! Means to converge faster than plain sweeps do, and when to do without.

/// A sweep that leaves more than this part of the last one's change is slow.
const SLOW: f64 = 0.2;
/// The factor for slow graphs.
const FURTHER: f64 = 1.2;
/// Sweeps that may leave more than plain ones would, before the means are given up.
const PATIENCE: u32 = 3;

/// The factor of successive over-relaxation: more than 1 where sweeps converge slowly (meshes), since changes of one sign
/// then follow each other. On undirected graphs any factor below 2 converges; on others it stays at 1.
///
/// Putting the sum right after each sweep moves all ranks, also those that were right already; where the error sits in a
/// small part (a loop beside a path) that can go on for ever. A plain sweep leaves `damping` times the change at most in
/// the long run, so means that keep leaving more are not worth having: after some such sweeps there are plain ones only.
pub(crate) struct Relaxation {
    allowed: bool,
    damping: f64,
    last: Option<f64>,
    factor: f64,
    strikes: u32,
}

impl Relaxation {
    pub(crate) fn new(allowed: bool, damping: f64) -> Self {
        Self { allowed, damping, last: None, factor: 1.0, strikes: 0 }
    }

    pub(crate) fn factor(&self) -> f64 {
        self.factor
    }

    /// Shall the sum of ranks be put right between sweeps?
    pub(crate) fn balances(&self) -> bool {
        self.strikes < PATIENCE
    }

    /// Takes note of a sweep's total change.
    pub(crate) fn learn(&mut self, change: f64) {
        let Some(last) = self.last.replace(change) else { return };
        self.strikes += u32::from(change > self.damping * last);
        if !self.balances() {
            self.factor = 1.0;
        } else if self.allowed && change > SLOW * last {
            self.factor = FURTHER;
        }
    }
}
