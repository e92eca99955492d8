//! The engine's choice of balances, compared with each of them: whether it is ever far behind the best one, and what it gains over
//! one balance for all.

use crate::{
    evaluation::{Cell, GraphCase, Report, report::distinct},
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

/// Judges all cells of the part `auto`.
pub(super) fn judge(report: &Report) -> Auto {
    let of = |graph: &GraphCase| {
        let all = report.algorithms_of(AUTO).into_iter();
        all.filter_map(|algorithm| judged(report, &graph.name, algorithm)).collect::<Vec<_>>()
    };
    let (cells, ratios): (Vec<Judged>, Vec<_>) = report.graphs.iter().flat_map(of).unzip();
    let ratios = ratios.concat();
    let mean = |label: &str| {
        let of_label = ratios.iter().filter(|(name, _)| *name == label);
        let of_label: Vec<f64> = of_label.map(|(_, ratio)| *ratio).collect();
        Some((label.to_owned(), of_label.len(), geometric_mean(&of_label)?))
    };
    let means = distinct(ratios.iter().map(|(label, _)| *label)).into_iter().filter_map(mean).collect();
    let behind = cells.iter().filter(|cell| cell.is_behind).count();
    Auto { cells, means, behind }
}

/// Returns the choice in one cell, and its time over that of every balance.
fn judged<'a>(report: &'a Report, graph: &str, algorithm: &str) -> Option<(Judged, Vec<(&'a str, f64)>)> {
    let time = |cell: &'a Cell| Some((cell.label(), cell.median().filter(|s| *s > 0.0)?));
    let times = report.cells_of(AUTO, graph, algorithm).into_iter().filter_map(time);
    let (choice, fixed): (Vec<_>, Vec<_>) = times.partition(|(label, _)| *label == AUTO);
    let &(_, seconds) = choice.first()?;
    let &(best, best_seconds) = fixed.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let is_behind = seconds > (1.0 + SHARE) * best_seconds && seconds - best_seconds > SECONDS;
    let [graph, algorithm, best] = [graph, algorithm, best].map(str::to_owned);
    let judged = Judged { graph, algorithm, best, best_seconds, seconds, is_behind };
    Some((judged, fixed.iter().map(|(label, time)| (*label, seconds / time)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::testing::{Made, report};

    /// Judges bfs and wcc by times of `node`, of `tiled` and of the choice; 0 is a cell that was refused.
    fn judged(times: &[[f64; 3]]) -> Auto {
        let made = |algorithm: &str, place: usize, seconds: f64| {
            let plan = ["bsp+push+node", "bsp+push+tiled", "bsp+push"][place];
            let made = Made::on("g", algorithm, plan).parts(&[("auto", place)]);
            if seconds > 0.0 { made.seconds(seconds) } else { made.refused("device-memory") }
        };
        let of = |(algorithm, times): (&str, &[f64; 3])| {
            [0, 1, 2].map(|place| made(algorithm, place, times[place]))
        };
        judge(&report("sage", ["bfs", "wcc"].into_iter().zip(times).flat_map(of).collect()))
    }

    #[test]
    fn behind_is_by_a_share_and_by_a_time() {
        for (times, behind) in [
            ([4e-3, 1e-3, 1.05e-3], 0),
            ([4e-3, 1e-3, 1.2e-3], 1),
            ([4e-3, 1e-3, 0.9e-3], 0),
            ([60e-6, 50e-6, 65e-6], 0),
        ] {
            let auto = judged(&[times]);
            assert_eq!((auto.cells[0].best.as_str(), auto.behind), ("tiled", behind), "{times:?}");
        }
    }

    #[test]
    fn means_are_over_the_cells_that_both_ran_in() {
        let means = judged(&[[4.0, 1.0, 1.0], [1.0, 0.0, 1.0]]).means;
        let [(node, 2, mean), (tiled, 1, _)] = &means[..] else { panic!("{means:?}") };
        assert!(node == "node" && tiled == "tiled" && (mean - 0.5).abs() < 1e-12, "{means:?}");
        for times in [[4.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
            assert_eq!(judged(&[times]), Auto::default());
        }
    }
}
