//! Figures 6, 7 and 10 of the paper, drawn from a report: speed by graph.

use super::gorder;
use crate::{
    chart::{
        Bars, Scale,
        bars::{Panel, Row},
    },
    evaluation::{Cell, Drawing, GraphCase, Held, Report, tables::name},
};

/// Speeds that are further apart than so many times are shown by logarithms.
const LINEAR_SPREAD: f64 = 50.0;

/// A kind of figure: its number, what stands behind the name of its file, its part, what its title says after the algorithm,
/// which cells, and the name of a bar.
struct Kind {
    number: u32,
    behind: &'static str,
    part: &'static str,
    by: &'static str,
    is_shown: fn(&Cell) -> bool,
    bar: fn(&Cell) -> String,
}

const KINDS: [Kind; 4] = [
    Kind { number: 6, behind: "", part: "fig6", by: "order", is_shown: |_| true, bar: in_order },
    Kind {
        number: 7,
        behind: "",
        part: "fig7",
        by: "balance",
        is_shown: |cell| cell.order == Held::NATURAL,
        bar: |cell| cell.label().to_owned(),
    },
    Kind {
        number: 7,
        behind: "-gorder",
        part: "fig7",
        by: "balance, in gorder",
        is_shown: |cell| cell.order == Held::Order(gorder()),
        bar: |cell| cell.label().to_owned(),
    },
    Kind {
        number: 10,
        behind: "",
        part: "fig10",
        by: "technique",
        is_shown: |_| true,
        bar: |cell| match cell.order {
            Held::NATURAL => cell.label().to_owned(),
            _ => format!("{}, {}", cell.label(), in_order(cell)),
        },
    },
];

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
    let of = |kind: &Kind| -> Vec<Drawing> {
        let all = report.algorithms_of(kind.part).into_iter();
        all.filter_map(|algorithm| kind.drawing(report, algorithm)).collect()
    };
    KINDS.iter().flat_map(of).collect()
}

impl Kind {
    fn drawing(&self, report: &Report, algorithm: &str) -> Option<Drawing> {
        let bars = self.bars(report, algorithm);
        let file = format!("figure{}-{algorithm}{}", self.number, self.behind);
        let table = format!("Figure {}: {algorithm} ", self.number);
        bars.has_any().then(|| Drawing::new(file, table, bars.figure()))
    }

    fn bars(&self, report: &Report, algorithm: &str) -> Bars {
        let panel = |case: &GraphCase| {
            let cells = report.cells_of(self.part, &case.name, algorithm).into_iter();
            let cells = cells.filter(|cell| (self.is_shown)(cell));
            Panel {
                title: name(case),
                rows: cells.map(|cell| Row::of((self.bar)(cell), cell.speed)).collect(),
            }
        };
        let has_any = |panel: &Panel| panel.rows.iter().any(|row| !row.values.is_empty());
        let panels: Vec<Panel> = report.graphs.iter().map(panel).filter(has_any).collect();
        let speeds: Vec<f64> =
            panels.iter().flat_map(|panel| &panel.rows).flat_map(|row| row.values.clone()).collect();
        let title = format!("Figure {}: {algorithm} by {}", self.number, self.by);
        let scale = if is_far(&speeds) { Scale::Log } else { Scale::Same };
        Bars { scale, panels, ..Bars::new(title, "billion arcs per second") }
    }
}

/// Returns true if the greatest value is many times the least that is not 0.
fn is_far(values: &[f64]) -> bool {
    let least = values.iter().copied().filter(|x| *x > 0.0).fold(f64::INFINITY, f64::min);
    values.iter().copied().fold(0.0, f64::max) / least > LINEAR_SPREAD
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_of_several_magnitudes_are_shown_by_logarithms() {
        assert!(is_far(&[0.1, 3.0, 20.0]) && is_far(&[0.0, 0.1, 20.0]));
        assert!(!is_far(&[1.0, 20.0]) && !is_far(&[0.0]) && !is_far(&[]));
    }
}
