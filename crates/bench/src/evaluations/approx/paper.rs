//! Figure 3 of the poster: speed-up and inaccuracy, means over its graphs, on a GPU of 2018.

/// What the poster has for an algorithm and a technique.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Printed {
    algorithm: &'static str,
    technique: &'static str,
    /// The time of the exact run over that of the approximate one.
    pub(super) speedup: f64,
    pub(super) inaccuracy: f64,
}

/// Its nine figures.
const FIGURE_3: [Printed; 9] = [
    printed("sssp", "coalesce", 1.35, 0.21),
    printed("sssp", "latency", 1.40, 0.24),
    printed("sssp", "divergence", 1.06, 0.16),
    printed("mst", "coalesce", 1.30, 0.23),
    printed("mst", "latency", 1.36, 0.26),
    printed("mst", "divergence", 1.03, 0.15),
    printed("bc", "coalesce", 1.32, 0.17),
    printed("bc", "latency", 1.42, 0.24),
    printed("bc", "divergence", 1.06, 0.16),
];

/// What its abstract has for a technique over all five algorithms: the mean speed-up, and 1 minus the accuracy.
const ABSTRACT: [Printed; 3] = [
    printed("", "coalesce", 1.3, 0.17),
    printed("", "latency", 1.41, 0.22),
    printed("", "divergence", 1.06, 0.16),
];

const fn printed(algorithm: &'static str, technique: &'static str, speedup: f64, inaccuracy: f64) -> Printed {
    Printed { algorithm, technique, speedup, inaccuracy }
}

/// Returns the figures of an algorithm and a technique, if the poster has them.
pub(super) fn figure_3(algorithm: &str, technique: &str) -> Option<Printed> {
    FIGURE_3.into_iter().find(|one| one.algorithm == algorithm && one.technique == technique)
}

/// Returns the means of a technique.
pub(super) fn mean(technique: &str) -> Option<Printed> {
    ABSTRACT.into_iter().find(|one| one.technique == technique)
}
