//! [`Inaccuracy`]: the distance between an approximate answer and the exact one.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The numbers by which an answer is compared with the exact one.
#[derive(Debug, Clone, PartialEq)]
pub enum Judged<'a> {
    /// A number per vertex, infinite or NaN where a vertex has none.
    Values(Cow<'a, [f64]>),
    /// One number for the whole graph.
    Total(f64),
}

/// How far an answer is from the exact one. Errors are relative: |approximate - exact| / |exact|.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inaccuracy {
    /// The mean error.
    pub mean: f64,
    /// The median error.
    pub median: f64,
    /// The error that 95 % of the vertices do not exceed.
    pub percentile_95: f64,
    /// The greatest error.
    pub worst: f64,
    /// The numbers compared.
    pub compared: u64,
    /// Vertices left out: just one of the two answers has a value other than 0 for them, as for a vertex that only one search
    /// reaches.
    pub unmatched: u64,
}

impl Inaccuracy {
    /// Returns the distance of `approximate` from `exact`. `None` if they are not of one kind and length.
    pub fn of(approximate: &Judged<'_>, exact: &Judged<'_>) -> Option<Self> {
        match (approximate, exact) {
            (Judged::Total(a), Judged::Total(e)) => Some(Self::between(&[*a], &[*e])),
            (Judged::Values(a), Judged::Values(e)) if a.len() == e.len() => Some(Self::between(a, e)),
            _ => None,
        }
    }

    fn between(approximate: &[f64], exact: &[f64]) -> Self {
        let (mut errors, mut unmatched) = (Vec::new(), 0);
        for (&a, &e) in approximate.iter().zip(exact) {
            match (a.is_finite(), e.is_finite()) {
                (false, false) => {}
                (true, true) if a == e => errors.push(0.0),
                (true, true) if e != 0.0 => errors.push(((a - e) / e).abs()),
                _ => unmatched += 1,
            }
        }
        errors.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| match errors.len() {
            0 => 0.0,
            n => errors[((share * n as f64).ceil() as usize).clamp(1, n) - 1],
        };
        Self {
            mean: errors.iter().sum::<f64>() / (errors.len() as f64).max(1.0),
            median: at(0.5),
            percentile_95: at(0.95),
            worst: at(1.0),
            compared: errors.len() as u64,
            unmatched,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(values: &[f64]) -> Judged<'_> {
        Judged::Values(Cow::Borrowed(values))
    }

    #[test]
    fn errors_are_relative_and_vertices_of_one_side_are_counted_apart() {
        let exact = [0.0, 2.0, 4.0, f64::INFINITY, f64::INFINITY, 0.0];
        let approximate = [0.0, 3.0, 4.0, f64::INFINITY, 1.0, 0.5];
        let found = Inaccuracy::of(&values(&approximate), &values(&exact)).unwrap();
        assert_eq!((found.compared, found.unmatched), (3, 2));
        assert_eq!((found.median, found.percentile_95, found.worst), (0.0, 0.5, 0.5));
        assert_eq!(found.mean, 0.5 / 3.0);
    }

    #[test]
    fn totals_are_compared_with_totals_only() {
        let found = Inaccuracy::of(&Judged::Total(9.0), &Judged::Total(10.0)).unwrap();
        assert_eq!((found.mean, found.worst, found.compared), (0.1, 0.1, 1));
        assert_eq!(Inaccuracy::of(&Judged::Total(1.0), &values(&[1.0])), None);
        assert_eq!(Inaccuracy::of(&values(&[1.0]), &values(&[1.0, 2.0])), None);
        assert_eq!(Inaccuracy::of(&values(&[]), &values(&[])).unwrap().mean, 0.0);
    }
}
