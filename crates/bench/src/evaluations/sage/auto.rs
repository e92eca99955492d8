//! The engine's choice of balances, compared with each of them: whether it is ever far behind the best one, and what it gains over
//! one balance for all.

use crate::{
    evaluation::{Cell, Report},
    statistics::geometric_mean,
};
use serde::{Deserialize, Serialize};

/// The label of the engine's choice.
const AUTO: &str = "auto";
/// It is behind if it takes longer than the best by more than this share and by more than these seconds.
const SHARE: f64 = 0.10;
const SECONDS: f64 = 20e-6;

/// What the engine's choice is worth.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Auto {
    /// A graph and an algorithm each.
    pub(super) cells: Vec<Judged>,
    /// Of each balance: how many cells both ran in, and the geometric mean of the choice's time over the balance's.
    pub(super) means: Vec<(String, usize, f64)>,
    /// Cells in which it is behind.
    pub(super) behind: usize,
}

/// The engine's choice in one cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Judged {
    pub(super) graph: String,
    pub(super) algorithm: String,
    /// The best balance, and its time.
    pub(super) best: String,
    pub(super) best_seconds: f64,
    pub(super) seconds: f64,
    pub(super) is_behind: bool,
}

impl Judged {
    /// Returns its time over the best.
    pub(super) fn ratio(&self) -> f64 {
        self.seconds / self.best_seconds
    }
}

/// Judges all cells of the part `auto`.
pub(super) fn judge(report: &Report) -> Auto {
    let (mut cells, mut against): (Vec<Judged>, Vec<(String, Vec<f64>)>) = Default::default();
    for graph in &report.graphs {
        for algorithm in report.algorithms_of(AUTO) {
            let all = report.cells_of(AUTO, &graph.name, algorithm);
            let time = |cell: &&Cell| Some((cell.label().to_owned(), cell.median().filter(|s| *s > 0.0)?));
            let (choice, fixed): (Vec<_>, Vec<_>) =
                all.iter().filter_map(time).partition(|(label, _)| label == AUTO);
            let Some(&(_, seconds)) = choice.first() else { continue };
            let Some((best, best_seconds)) = fixed.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else {
                continue;
            };
            let is_behind = seconds > (1.0 + SHARE) * best_seconds && seconds - best_seconds > SECONDS;
            cells.push(Judged {
                graph: graph.name.clone(),
                algorithm: algorithm.to_owned(),
                best: best.clone(),
                best_seconds: *best_seconds,
                seconds,
                is_behind,
            });
            for (label, time) in &fixed {
                match against.iter_mut().find(|(name, _)| name == label) {
                    Some((_, ratios)) => ratios.push(seconds / time),
                    None => against.push((label.clone(), vec![seconds / time])),
                }
            }
        }
    }
    let mean = |(label, ratios): (String, Vec<f64>)| Some((label, ratios.len(), geometric_mean(&ratios)?));
    let behind = cells.iter().filter(|cell| cell.is_behind).count();
    Auto { cells, means: against.into_iter().filter_map(mean).collect(), behind }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::testing::{Made, report};

    fn of(algorithm: &str, seconds: [Option<f64>; 3]) -> Vec<Made> {
        let plans = ["bsp+push+node", "bsp+push+tiled", "bsp+push"];
        let made = |(place, (plan, seconds)): (usize, (&str, Option<f64>))| {
            let made = Made::on("g", algorithm, plan).parts(&[("auto", place)]);
            seconds
                .map_or_else(|| Made::on("g", algorithm, plan).refused("device-memory"), |s| made.seconds(s))
        };
        plans.into_iter().zip(seconds).enumerate().map(made).collect()
    }

    #[test]
    fn behind_is_by_a_share_and_by_a_time() {
        for (times, is_behind) in [
            ([4e-3, 1e-3, 1.05e-3], false),
            ([4e-3, 1e-3, 1.2e-3], true),
            ([4e-3, 1e-3, 0.9e-3], false),
            ([60e-6, 50e-6, 65e-6], false),
        ] {
            let auto = judge(&report("sage", of("bfs", times.map(Some))));
            assert_eq!(
                (auto.cells[0].best.as_str(), auto.behind),
                ("tiled", usize::from(is_behind)),
                "{times:?}"
            );
        }
    }

    #[test]
    fn means_are_over_the_cells_that_both_ran_in() {
        let mut cells = of("bfs", [4.0, 1.0, 1.0].map(Some));
        cells.extend(of("wcc", [Some(1.0), None, Some(1.0)]));
        let auto = judge(&report("sage", cells));
        let means: Vec<(&str, usize)> =
            auto.means.iter().map(|(name, cells, _)| (name.as_str(), *cells)).collect();
        assert_eq!(means, [("node", 2), ("tiled", 1)]);
        assert!((auto.means[0].2 - 0.5).abs() < 1e-12, "{auto:?}");
        assert_eq!(judge(&report("sage", of("bfs", [Some(4.0), Some(1.0), None]))), Auto::default());
        assert_eq!(judge(&report("sage", of("bfs", [None, None, Some(1.0)]))), Auto::default());
    }
}
