//! How far to move towards the formula's goal.

/// A sweep that leaves more than this part of the last one's change is slow.
const SLOW: f64 = 0.2;
/// The factor for slow graphs.
const FURTHER: f64 = 1.2;

/// The factor of successive over-relaxation: more than 1 where sweeps converge slowly (meshes), since changes of one sign
/// then follow each other. On undirected graphs any factor below 2 converges; on others it stays at 1.
pub(crate) struct Relaxation {
    allowed: bool,
    last: Option<f64>,
    factor: f64,
}

impl Relaxation {
    pub(crate) fn new(allowed: bool) -> Self {
        Self { allowed, last: None, factor: 1.0 }
    }

    pub(crate) fn factor(&self) -> f64 {
        self.factor
    }

    /// Takes note of a sweep's total change.
    pub(crate) fn learn(&mut self, change: f64) {
        let is_slow = self.last.replace(change).is_some_and(|last| change > SLOW * last);
        if self.allowed && is_slow {
            self.factor = FURTHER;
        }
    }
}
