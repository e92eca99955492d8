//! The statements of the poster, and two beside it.

use super::{SWEPT, at::At};
use crate::evaluation::{
    GraphCase,
    statements::{Case, Statement, Unit, View},
    tables::name,
};

/// A row per statement: figure, unit and words; the technique, the value of a case, and how it is judged.
macro_rules! statements {
    ($($figure:literal $unit:ident $says:literal: $technique:expr, $value:expr, $holds:expr;)*) => {
        &[
            $(Statement {
                figure: $figure,
                says: $says,
                unit: Unit::$unit,
                cases: |view| compared(view, $technique, $value, $holds),
            },)*
            Statement {
                figure: "2",
                says: "a higher threshold of coalesce makes answers more accurate",
                unit: Unit::Share,
                cases: accurate,
            },
        ]
    };
}

/// All statements.
pub(super) static ALL: &[Statement] = statements! {
    "3" Times "coalesce makes runs 1.30 to 1.35 times as fast": "coalesce", At::speedup, |times| times >= 1.3;
    "3" Times "latency makes runs 1.36 to 1.42 times as fast": "latency", At::speedup, |times| times >= 1.36;
    "3" Times "divergence makes runs 1.03 to 1.06 times as fast": "divergence", At::speedup, |times| times >= 1.03;
    "3" Share "the inaccuracy of coalesce is at most 23 %": "coalesce", At::error, |error| error <= 0.23;
    "3" Share "the inaccuracy of latency is at most 26 %": "latency", At::error, |error| error <= 0.26;
    "3" Share "the inaccuracy of divergence is at most 16 %": "divergence", At::error, |error| error <= 0.16;
    "-" Times "coalesce by the baseline is faster than our exact default": "coalesce", At::over_default, |times| times > 1.0;
    "-" Times "latency by the baseline is faster than our exact default": "latency", At::over_default, |times| times > 1.0;
    "-" Times "divergence by the baseline is faster than our exact default": "divergence", At::over_default, |times| times > 1.0;
};

fn on(case: &GraphCase, algorithm: &str) -> String {
    format!("{}: {algorithm}", name(case))
}

/// Returns the cases of figure 3 with this technique alone.
fn compared<'a>(
    view: &View<'a>,
    technique: &str,
    value: fn(At<'a>) -> Option<f64>,
    holds: fn(f64) -> bool,
) -> Vec<Case> {
    let of = |case: &'a GraphCase| {
        let all = At::on(view.report, "fig3", &case.name).into_iter();
        let all = all.filter(|at| at.technique() == Some(technique)).map(|at| at.seen_by(view));
        all.filter_map(|at| Some(Case::new(on(case, &at.cell.algorithm), value(at)?, holds)))
            .collect::<Vec<_>>()
    };
    view.report.graphs.iter().flat_map(of).collect()
}

/// Returns how much less inaccurate answers are at the highest threshold below 1 than at the lowest.
fn accurate(view: &View<'_>) -> Vec<Case> {
    let mut cases = Vec::new();
    for case in &view.report.graphs {
        let all = At::on(view.report, "fig2", &case.name);
        for algorithm in SWEPT {
            let swept = all.iter().filter(|at| at.cell.algorithm == algorithm);
            let mut points: Vec<(f64, f64)> =
                swept.filter_map(|at| Some((at.knob()?, at.error()?))).collect();
            points.retain(|(knob, _)| *knob < 1.0);
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            if let (Some((low, least)), Some((high, most))) = (points.first(), points.last())
                && low < high
            {
                cases.push(Case::new(on(case, algorithm), least - most, |gain| gain >= 0.0));
            }
        }
    }
    cases
}
