//! Figures 6, 7 and 10 of the paper, drawn from a report: speed by graph.

use super::choice::gorder;
use crate::{
    chart::{
        Bars, Scale,
        bars::{Panel, Row},
    },
    evaluation::{Cell, Drawing, GraphCase, Held, Report, tables::name},
};

/// Speeds that are further apart than so many times are shown by logarithms.
const LINEAR_SPREAD: f64 = 50.0;

/// A kind of figure: its part, its number, what stands behind the name of its file, what its title says after the algorithm,
/// which orders it shows, and the name of a bar.
type Kind = (&'static str, u32, &'static str, &'static str, fn(Held) -> bool, fn(&Cell) -> String);

const KINDS: [Kind; 4] = [
    ("fig6", 6, "", "order", |_| true, in_order),
    ("fig7", 7, "", "balance", |order| order == Held::NATURAL, by_label),
    ("fig7", 7, "-gorder", "balance, in gorder", |order| order == Held::Order(gorder()), by_label),
    ("fig10", 10, "", "technique", |_| true, by_step),
];

fn by_label(cell: &Cell) -> String {
    cell.label().to_owned()
}

fn by_step(cell: &Cell) -> String {
    match cell.order {
        Held::NATURAL => by_label(cell),
        _ => format!("{}, {}", cell.label(), in_order(cell)),
    }
}

/// The name of an order: stages of `sampled` by their rounds, so that each has its colour.
fn in_order(cell: &Cell) -> String {
    match cell.order {
        Held::Sampled(1) => "1 round of sampled".to_owned(),
        Held::Sampled(rounds) => format!("{rounds} rounds of sampled"),
        order => order.to_string(),
    }
}

/// Returns all figures that there is something to show in.
pub(super) fn all(report: &Report) -> Vec<Drawing> {
    let of = |kind: &'static Kind| {
        report.algorithms_of(kind.0).into_iter().filter_map(|algorithm| drawing(kind, report, algorithm))
    };
    KINDS.iter().flat_map(of).collect()
}

fn drawing(kind: &Kind, report: &Report, algorithm: &str) -> Option<Drawing> {
    let (part, number, behind, by, is_shown, bar) = *kind;
    let panel = |case: &GraphCase| {
        let cells = report.cells_of(part, &case.name, algorithm).into_iter();
        let rows = cells.filter(|cell| is_shown(cell.order)).map(|cell| Row::of(bar(cell), cell.speed));
        Panel { title: name(case), rows: rows.collect() }
    };
    let has_any = |panel: &Panel| panel.rows.iter().any(|row| !row.values.is_empty());
    let panels: Vec<Panel> = report.graphs.iter().map(panel).filter(has_any).collect();
    let rows = panels.iter().flat_map(|panel| &panel.rows);
    let scale = if is_far(rows.flat_map(|row| row.values.clone())) { Scale::Log } else { Scale::Same };
    let table = format!("Figure {number}: {algorithm} ");
    let bars = Bars { scale, panels, ..Bars::new(format!("{table}by {by}"), "billion arcs per second") };
    let file = format!("figure{number}-{algorithm}{behind}");
    bars.has_any().then(|| Drawing::new(file, table, bars.figure()))
}

/// Returns true if the greatest value is many times the least that is not 0.
fn is_far(values: impl IntoIterator<Item = f64>) -> bool {
    let above = values.into_iter().filter(|x| *x > 0.0);
    let (least, most) = above.fold((f64::INFINITY, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
    most / least > LINEAR_SPREAD
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_of_several_magnitudes_are_shown_by_logarithms() {
        assert!(is_far([0.1, 3.0, 20.0]) && is_far([0.0, 0.1, 20.0]));
        assert!(!is_far([1.0, 20.0]) && !is_far([0.0]) && !is_far([]));
    }
}
