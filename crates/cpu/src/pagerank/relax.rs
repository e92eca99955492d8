//! Techniques that converge faster than plain sweeps, and when to stop using them.

/// A sweep is slow if its change is more than this part of the previous one.
const SLOW: f64 = 0.2;
/// The factor for slow graphs.
const FURTHER: f64 = 1.2;
/// How many sweeps may leave more than plain ones would before the techniques are switched off.
const PATIENCE: u32 = 3;

/// The factor of successive over-relaxation. It is above 1 if sweeps converge slowly (meshes), since changes of one
/// sign then follow each other. On undirected graphs any factor below 2 converges; on others it stays at 1.
///
/// Correcting the sum after each sweep moves all ranks, even those that were right already. If the error is in a small
/// part of the graph (a loop beside a path), that can go on for ever. In the long run a plain sweep leaves at most
/// `damping` times the change. So after a few sweeps that leave more, only plain sweeps follow.
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

    /// Returns whether to correct the sum of ranks between sweeps.
    pub(crate) fn balances(&self) -> bool {
        self.strikes < PATIENCE
    }

    /// Records the total change of a sweep.
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
