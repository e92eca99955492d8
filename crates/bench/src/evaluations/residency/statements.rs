//! The statements of both papers, in the order of their figures.

use super::{ADVISED, DEVICE, RESIDENT, STREAMED, TILED, UNADVISED, at::At};
use crate::evaluation::{
    statements::{Case, Statement, Unit, View},
    tables::{name, over},
};

/// A row per statement: figure, unit and words; its part; the order and, unless all are meant, the plan it is about; its figure,
/// and when it holds.
macro_rules! statements {
    ($($nr:literal $unit:ident $says:literal: $part:literal, $order:literal, $labels:expr, $value:expr, $holds:expr;)*) => {
        &[$(Statement {
            figure: $nr,
            says: $says,
            unit: Unit::$unit,
            cases: |view| cases(view, ($part, $order, &$labels), $value, $holds),
        }),*]
    };
}

const EVERY: [&str; 0] = [];

/// All statements.
pub(super) static ALL: &[Statement] = statements! {
    "6" Times "bfs: random is slower than natural (65 % on average)":
        "fig6", "random", EVERY, |at| against(at, "natural"), |times| times < 1.0;
    "6" Times "bfs: halo2 is faster than random":
        "fig6", "halo2", EVERY, |at| against(at, "random"), |times| times > 1.0;
    "6" Times "bfs: halo2 is faster than natural, 1.54 times on average":
        "fig6", "halo2", EVERY, |at| against(at, "natural"), |times| times > 1.0;
    "6" Times "bfs: halo2 is faster than rcm":
        "fig6", "halo2", EVERY, |at| against(at, "rcm"), |times| times > 1.0;
    "6" Times "bfs: halo2 is faster than bfs-bp":
        "fig6", "halo2", EVERY, |at| against(at, "bfs-bp"), |times| times > 1.0;
    "7" Times "several searches at a time: halo2 is faster than natural, 1.7 times on average":
        "fig7", "halo2", EVERY, |at| against(at, "natural"), |times| times > 1.0;
    "9" Less "halo2 moves fewer bytes than natural (39 % on average)":
        "fig6", "halo2", EVERY, fewer_bytes, |saved| saved > 0.0;
    "12" Times "halo2 is 1.8 to 1.9 times as fast as natural on Kronecker graphs of every scale":
        "fig12", "halo2", EVERY, |at| against(at, "natural"), |times| times >= 1.8;
    "13" Times "read-mostly advice makes unified memory faster, 1.85 times on average":
        "fig6", "natural", [ADVISED], |at| unadvised(at, "natural"), |times| times > 1.0;
    "13" Times "halo2 with advice is faster than natural without, 2.84 times on average":
        "fig6", "halo2", [ADVISED], |at| unadvised(at, "natural"), |times| times > 1.0;
    "SAGE 8" Times "tiles that read host memory are faster than streamed rows":
        "sage8", "natural", [TILED, RESIDENT], streamed, |times| times > 1.0;
};

/// The time in another order over its own.
fn against(at: At<'_>, order: &str) -> Option<f64> {
    over(at.beside(order, at.cell.label())?.cell.median(), at.cell.median())
}

/// The time without advice in an order over its own.
fn unadvised(at: At<'_>, order: &str) -> Option<f64> {
    over(at.beside(order, UNADVISED)?.cell.median(), at.cell.median())
}

fn streamed(at: At<'_>) -> Option<f64> {
    over(at.beside("natural", STREAMED)?.cell.median(), at.cell.median())
}

/// The share of the bytes moved in the natural order that it saves.
fn fewer_bytes(at: At<'_>) -> Option<f64> {
    let [own, natural] = [at, at.natural()?].map(|at| Some(at.cell.transfer?.moved as f64));
    over(own, natural).map(|ratio| 1.0 - ratio)
}

/// Returns the cases that can be judged: graphs, and plans where the statement is about several.
fn cases<'a>(
    view: &View<'a>,
    (part, order, labels): (&'static str, &str, &[&str]),
    value: fn(At<'a>) -> Option<f64>,
    holds: fn(f64) -> bool,
) -> Vec<Case> {
    let is_meant = |at: &At<'_>| match labels {
        [] => at.cell.label() != DEVICE,
        labels => labels.contains(&at.cell.label()),
    };
    let of = |case| {
        let cells = At::all(view.report, part, case).into_iter();
        cells.filter(move |at| at.order() == order)
    };
    let case = |(graph, at): (String, At<'a>)| {
        let on = if labels.len() == 1 { graph } else { format!("{graph}: {}", at.cell.label()) };
        Some(Case::new(on, value(at)?, holds))
    };
    let graphs = view.report.graphs.iter();
    let all = graphs.flat_map(|case| of(&case.name).map(|at| (name(case), at)));
    all.filter(|(_, at)| is_meant(at)).filter_map(case).collect()
}
