//! [`Pace`]: up to which value `Min` and `Max` send along paths, stage by stage.
//!
//! The first stage sends the best value alone. After that, the limit rises by a step, at first the distance to the second best.
//! Small steps save updates, since few values are sent that a better one corrects later; large steps save time, since a chunk that
//! is handled is loaded as a whole. So the step doubles after two stages that handled less than an eighth of the chunks, or sent
//! along fewer than eight edges per chunk, and halves after another one that handled all chunks more than twice.

use super::{Combine, Scalar};

/// Stages that handle less than this part of the chunks are small.
const SMALL: u64 = 8;
/// So are stages that send along fewer edges than this per chunk.
const SPARSE: u64 = 8;
/// Other stages that handle the chunks more often than this are large.
const LARGE: u64 = 2;
/// Small stages in a row after which the step doubles.
const PATIENCE: u32 = 2;

/// Up to which value a run sends.
#[derive(Debug)]
pub struct Pace {
    limit: f64,
    step: f64,
    chunks: u64,
    /// Small stages since the step was last changed.
    small: u32,
}

/// What a stage did.
#[derive(Debug, Clone, Copy, Default)]
pub struct Stage {
    /// Chunks handled, a chunk as often as it was.
    pub handled: u64,
    /// Messages sent.
    pub edges: u64,
}

/// Returns the place of a value in the order in which values are sent, the best first; `None` if a monoid has no such order.
/// Rounding keeps the order.
pub fn place<T: Scalar>(combine: Combine, value: T) -> Option<f64> {
    match combine {
        Combine::Min => Some(value.to_f64()),
        Combine::Max => Some(-value.to_f64()),
        Combine::Sum | Combine::Or => None,
    }
}

impl Pace {
    /// Begins below all values.
    pub fn new(chunks: u64) -> Self {
        Self { limit: f64::NEG_INFINITY, step: 0.0, chunks, small: 0 }
    }

    /// Sends all values in one stage.
    pub fn at_once(chunks: u64) -> Self {
        Self { limit: f64::INFINITY, ..Self::new(chunks) }
    }

    /// Returns the place up to which values are sent.
    pub fn limit(&self) -> f64 {
        self.limit
    }

    /// Takes what the last stage did, and the best place that waited before it. Returns false if all is done, and raises the
    /// limit otherwise.
    pub fn goes_on(&mut self, stage: Stage, waits: Option<f64>) -> bool {
        match (waits, stage.handled) {
            // Nothing waits above all values.
            _ if self.limit == f64::INFINITY => return false,
            (None, 0) => return false,
            (Some(best), 0) => self.reach(best),
            _ => self.adapt(stage),
        }
        true
    }

    /// Raises the limit to the best place that waits, if the step alone does not reach it.
    fn reach(&mut self, best: f64) {
        if self.step == 0.0 && self.limit.is_finite() {
            self.step = best - self.limit;
        }
        self.limit = best.max(self.limit + self.step);
    }

    fn adapt(&mut self, Stage { handled, edges }: Stage) {
        let is_small = handled < self.chunks / SMALL || edges < SPARSE * handled;
        self.small = if is_small { self.small + 1 } else { 0 };
        if self.small == PATIENCE {
            (self.step, self.small) = (self.step * 2.0, 0);
        } else if !is_small && handled > LARGE * self.chunks {
            self.step /= 2.0;
        }
        self.limit += self.step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Stage = Stage { handled: 0, edges: 0 };

    fn dense(handled: u64) -> Stage {
        Stage { handled, edges: SPARSE * handled }
    }

    #[test]
    fn a_run_ends_when_nothing_was_handled_and_nothing_waits() {
        let mut pace = Pace::new(100);
        assert!(pace.goes_on(NONE, Some(3.0)) && pace.limit() == 3.0);
        assert!(pace.goes_on(dense(1), None));
        assert!(!pace.goes_on(NONE, None));
        assert!(!Pace::at_once(100).goes_on(dense(7), None));
    }

    #[test]
    fn the_first_step_is_the_distance_between_the_two_best() {
        let mut pace = Pace::new(100);
        pace.goes_on(NONE, Some(-2.0));
        pace.goes_on(dense(50), None);
        assert_eq!(pace.limit(), -2.0);
        pace.goes_on(NONE, Some(1.0));
        assert_eq!(pace.limit(), 1.0);
        pace.goes_on(dense(50), None);
        assert_eq!(pace.limit(), 4.0);
        pace.goes_on(NONE, Some(100.0));
        assert_eq!(pace.limit(), 100.0);
    }

    #[test]
    fn small_stages_double_the_step_and_large_ones_halve_it() {
        let mut pace = Pace { limit: 0.0, step: 1.0, chunks: 100, small: 0 };
        let stages = [dense(3), dense(3), dense(3), dense(50), dense(3), dense(201)];
        let limits = stages.map(|stage| {
            pace.goes_on(stage, Some(1e9));
            pace.limit()
        });
        assert_eq!(limits, [1.0, 3.0, 5.0, 7.0, 9.0, 10.0]);
        let sparse = Stage { handled: 300, edges: 300 };
        let limits = [sparse, sparse].map(|stage| {
            pace.goes_on(stage, None);
            pace.limit()
        });
        assert_eq!(limits, [11.0, 13.0]);
    }

    #[test]
    fn the_best_value_has_the_least_place() {
        assert!(place(Combine::Min, 2u32) < place(Combine::Min, 3u32));
        assert!(place(Combine::Max, 3i32) < place(Combine::Max, -2i32));
        assert_eq!((place(Combine::Or, 1u32), place(Combine::Sum, 1.0f64)), (None, None));
    }
}
