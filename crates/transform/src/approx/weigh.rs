//! Weights of added edges: means of other weights, and sums along paths.
//!
//! The computation uses f64, which holds the weights of all types exactly. A result is rounded to the type of the graph.

use warpgraph_graph::{WeightType, Weights};

/// The mean of some weights, never below the smallest or above the largest of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mean {
    sum: f64,
    count: u64,
    least: f64,
    most: f64,
}

impl Mean {
    /// The mean of no weights.
    pub(super) const EMPTY: Self = Self { sum: 0.0, count: 0, least: f64::INFINITY, most: f64::NEG_INFINITY };

    pub(super) fn add(&mut self, weight: f64) {
        self.sum += weight;
        self.count += 1;
        self.least = self.least.min(weight);
        self.most = self.most.max(weight);
    }

    /// Returns the mean as a weight of this type; 1 without weights. A sum beyond the range of f64 counts as the largest weight.
    pub(super) fn of(&self, kind: Option<WeightType>) -> f64 {
        if self.count == 0 || kind.is_none() {
            return 1.0;
        }
        rounded((self.sum / self.count as f64).clamp(self.least, self.most), kind)
    }
}

/// Returns the weight of a path of two arcs; `None` if the type cannot hold it.
pub(super) fn along(first: f64, second: f64, kind: Option<WeightType>) -> Option<f64> {
    let sum = first + second;
    match kind {
        None => Some(1.0),
        Some(WeightType::U32) => Some(sum).filter(|&sum| sum <= f64::from(u32::MAX)),
        Some(WeightType::I32) => {
            Some(sum).filter(|sum| (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(sum))
        }
        Some(WeightType::F32 | WeightType::F64) => Some(rounded(sum, kind)).filter(|sum| sum.is_finite()),
    }
}

/// Returns the nearest weight of the type; halves are rounded away from 0.
fn rounded(weight: f64, kind: Option<WeightType>) -> f64 {
    match kind {
        Some(WeightType::U32 | WeightType::I32) => weight.round(),
        Some(WeightType::F32) => f64::from(weight as f32),
        Some(WeightType::F64) | None => weight,
    }
}

/// Returns weights of a type, from numbers that it can hold.
pub(super) fn typed(numbers: impl Iterator<Item = f64>, kind: Option<WeightType>) -> Weights {
    match kind {
        None => Weights::None,
        Some(WeightType::U32) => Weights::U32(numbers.map(|x| x as u32).collect::<Vec<_>>().into()),
        Some(WeightType::I32) => Weights::I32(numbers.map(|x| x as i32).collect::<Vec<_>>().into()),
        Some(WeightType::F32) => Weights::F32(numbers.map(|x| x as f32).collect::<Vec<_>>().into()),
        Some(WeightType::F64) => Weights::F64(numbers.collect::<Vec<_>>().into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(weights: &[f64], kind: WeightType) -> f64 {
        let mut mean = Mean::EMPTY;
        weights.iter().for_each(|&w| mean.add(w));
        mean.of(Some(kind))
    }

    #[test]
    fn means_stay_between_the_smallest_and_the_largest_weight() {
        assert_eq!(mean(&[1.0, 2.0], WeightType::U32), 2.0);
        assert_eq!(mean(&[-3.0, -4.0, -4.0], WeightType::I32), -4.0);
        assert_eq!(mean(&[0.5, 1.0], WeightType::F32), 0.75);
        assert_eq!(mean(&[f64::MAX, f64::MAX], WeightType::F64), f64::MAX);
        assert_eq!(mean(&[0.1; 3], WeightType::F64), 0.1);
        assert_eq!(Mean::EMPTY.of(Some(WeightType::F64)), 1.0);
    }

    #[test]
    fn paths_whose_weight_no_number_of_the_type_holds_have_none() {
        let most = f64::from(u32::MAX);
        assert_eq!(along(most - 1.0, 1.0, Some(WeightType::U32)), Some(most));
        assert_eq!(along(most, 1.0, Some(WeightType::U32)), None);
        assert_eq!(along(f64::from(i32::MIN), -1.0, Some(WeightType::I32)), None);
        assert_eq!(along(f64::from(f32::MAX), f64::from(f32::MAX), Some(WeightType::F32)), None);
        assert_eq!(along(f64::MAX, f64::MAX, Some(WeightType::F64)), None);
        assert_eq!(along(1.5, 2.0, Some(WeightType::F32)), Some(3.5));
        assert_eq!(along(7.0, 7.0, None), Some(1.0));
    }

    #[test]
    fn weights_keep_their_bits() {
        for (kind, number) in [
            (WeightType::U32, f64::from(u32::MAX)),
            (WeightType::I32, f64::from(i32::MIN)),
            (WeightType::F32, -0.0),
            (WeightType::F64, 0.1),
        ] {
            let weights = typed([number].into_iter(), Some(kind));
            assert_eq!(weights.weight_type(), Some(kind));
            assert_eq!(weights.get(0).to_bits(), number.to_bits(), "{kind}");
        }
    }
}
