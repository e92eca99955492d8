//! The engine's choice of balances, held against each of them: is it ever far behind the best one, and what does it gain over one
//! that is fixed for all?

use super::{Cell, Part, Question, Report};
use crate::statistics::geometric_mean;
use serde::Serialize;

/// The label of the engine's choice.
pub(super) const AUTO: &str = "auto";
/// Over the best by more than this share of it and by more than these seconds: behind.
const SHARE: f64 = 0.10;
const SECONDS: f64 = 20e-6;

/// What the engine's choice is worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Auto {
    /// A graph and an algorithm each.
    pub cells: Vec<Judged>,
    /// Against every balance, over all cells.
    pub means: Vec<Against>,
    /// Cells in which it is behind by more than 10 % and more than 20 us.
    pub behind: usize,
}

/// The engine's choice in one cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "as cells have them")]
pub struct Judged {
    pub graph: String,
    pub algorithm: Question,
    /// The best balance, and its time.
    pub best: String,
    pub best_seconds: f64,
    pub seconds: f64,
    /// Its time over the best.
    pub ratio: f64,
    /// Its time less the best.
    pub difference: f64,
    /// By more than 10 % and more than 20 us?
    pub is_behind: bool,
}

/// The engine's choice against one balance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Against {
    /// The balance.
    pub balance: String,
    /// Cells that both ran in.
    pub cells: usize,
    /// The geometric mean of the choice's time over the balance's.
    pub ratio: f64,
}

/// Of all cells of [`Part::Auto`]; `None` if none ran.
pub fn judge(report: &Report) -> Option<Auto> {
    let mut cells = Vec::new();
    let mut against: Vec<(String, Vec<f64>)> = Vec::new();
    for graph in &report.graphs {
        for algorithm in report.algorithms_of(Part::Auto) {
            let all: Vec<&Cell> = report.cells_of(Part::Auto, &graph.name, algorithm);
            let times = all.into_iter().filter(|cell| cell.error.is_none());
            let times: Vec<(&str, f64)> =
                times.filter_map(|cell| Some((cell.label(), cell.median().filter(|s| *s > 0.0)?))).collect();
            let Some(&(_, seconds)) = times.iter().find(|(label, _)| *label == AUTO) else { continue };
            let fixed = || times.iter().filter(|(label, _)| *label != AUTO);
            let Some(&best) = fixed().min_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
            cells.push(judged((&graph.name, algorithm), best, seconds));
            fixed().for_each(|(label, time)| note(&mut against, label, seconds / time));
        }
    }
    let mean = |(balance, ratios): (String, Vec<f64>)| {
        Some(Against { balance, cells: ratios.len(), ratio: geometric_mean(&ratios)? })
    };
    let behind = cells.iter().filter(|cell| cell.is_behind).count();
    (!cells.is_empty()).then(|| Auto { cells, means: against.into_iter().filter_map(mean).collect(), behind })
}

fn judged((graph, algorithm): (&str, Question), (best, best_seconds): (&str, f64), seconds: f64) -> Judged {
    let (ratio, difference) = (seconds / best_seconds, seconds - best_seconds);
    Judged {
        graph: graph.to_owned(),
        algorithm,
        best: best.to_owned(),
        best_seconds,
        seconds,
        ratio,
        difference,
        is_behind: ratio > 1.0 + SHARE && difference > SECONDS,
    }
}

fn note(against: &mut Vec<(String, Vec<f64>)>, balance: &str, ratio: f64) {
    match against.iter_mut().find(|(name, _)| name == balance) {
        Some((_, ratios)) => ratios.push(ratio),
        None => against.push((balance.to_owned(), vec![ratio])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sage::testing::{cell, report};

    fn of(seconds: [(&str, f64); 3]) -> Vec<Cell> {
        let parts = seconds.iter().enumerate();
        parts
            .map(|(place, (plan, s))| cell("g", Question::Bfs, "natural", plan, *s, &[(Part::Auto, place)]))
            .collect()
    }

    #[test]
    fn behind_is_by_a_share_and_by_a_time() {
        for (seconds, is_behind) in [(1.05e-3, false), (1.2e-3, true), (0.9e-3, false)] {
            let cells = of([("bsp+push+node", 4e-3), ("bsp+push+tiled", 1e-3), ("bsp+push", seconds)]);
            let auto = judge(&report(cells)).unwrap();
            assert_eq!(
                (auto.cells[0].best.as_str(), auto.behind),
                ("tiled", usize::from(is_behind)),
                "{seconds}"
            );
        }
        let short = of([("bsp+push+node", 50e-6), ("bsp+push+tiled", 60e-6), ("bsp+push", 65e-6)]);
        let auto = judge(&report(short)).unwrap();
        assert!(auto.behind == 0 && auto.cells[0].ratio > 1.1, "15 us are nothing");
    }

    #[test]
    fn means_are_over_the_cells_that_both_ran_in() {
        let mut cells = of([("bsp+push+node", 4.0), ("bsp+push+tiled", 1.0), ("bsp+push", 1.0)]);
        cells.extend(
            of([("bsp+push+node", 1.0), ("bsp+push+tiled", 1.0), ("bsp+push", 1.0)])
                .into_iter()
                .map(|cell| Cell { algorithm: Question::Wcc, ..cell }),
        );
        cells[4].seconds = None;
        let auto = judge(&report(cells)).unwrap();
        let means: Vec<(&str, usize)> = auto.means.iter().map(|m| (m.balance.as_str(), m.cells)).collect();
        assert_eq!(means, [("node", 2), ("tiled", 1)]);
        assert!((auto.means[0].ratio - 0.5).abs() < 1e-12, "{auto:?}");
    }

    #[test]
    fn without_the_choice_there_is_nothing_to_judge() {
        let cells = of([("bsp+push+node", 4.0), ("bsp+push+tiled", 1.0), ("bsp+push", 1.0)]);
        assert!(judge(&report(cells[..2].to_vec())).is_none());
        assert!(judge(&report(cells[2..].to_vec())).is_none());
    }
}
