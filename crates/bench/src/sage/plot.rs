//! The figures, drawn from a report: bars of speed by graph.

use super::{Cell, Held, Part, Question, Report, wanted::gorder};
use crate::{
    halo::tables::name,
    plot::{
        Figure, Unit,
        by_order::{self, Bars},
    },
};

/// A figure, and the name of its file without an ending.
#[derive(Debug)]
pub struct Named {
    /// `figure6-bfs`.
    pub file: String,
    /// What the title of the table begins with that it belongs to.
    pub table: String,
    /// The figure.
    pub figure: Figure<'static>,
}

/// A kind of figure: its number, its part, what its title says after the algorithm, which cells, and what a bar is.
struct Kind {
    file: fn(Question) -> String,
    number: u32,
    part: Part,
    by: &'static str,
    is_shown: fn(&Cell) -> bool,
    bar: fn(&Cell) -> String,
}

const KINDS: [Kind; 4] = [
    Kind {
        file: |algorithm| format!("figure6-{algorithm}"),
        number: 6,
        part: Part::Fig6,
        by: "order",
        is_shown: |_| true,
        bar: in_order,
    },
    Kind {
        file: |algorithm| format!("figure7-{algorithm}"),
        number: 7,
        part: Part::Fig7,
        by: "balance",
        is_shown: |cell| cell.order == Held::NATURAL,
        bar: |cell| cell.label().to_owned(),
    },
    Kind {
        file: |algorithm| format!("figure7-{algorithm}-gorder"),
        number: 7,
        part: Part::Fig7,
        by: "balance, in gorder",
        is_shown: |cell| cell.order == Held::Order(gorder()),
        bar: |cell| cell.label().to_owned(),
    },
    Kind {
        file: |algorithm| format!("figure10-{algorithm}"),
        number: 10,
        part: Part::Fig10,
        by: "technique",
        is_shown: |_| true,
        bar: |cell| match cell.order {
            Held::NATURAL => cell.label().to_owned(),
            _ => format!("{}, {}", cell.label(), in_order(cell)),
        },
    },
];

/// Speeds that are further apart than so many times are shown by logarithms.
const LINEAR_SPREAD: f64 = 50.0;

/// How many times the least value that is not 0 the greatest one is.
fn spread<'v>(values: impl Iterator<Item = &'v f64> + Clone) -> f64 {
    let least = values.clone().copied().filter(|x| *x > 0.0).fold(f64::INFINITY, f64::min);
    values.copied().fold(0.0, f64::max) / least
}

/// An order as a bar is called: stages of `sampled` by their rounds, so that each has its colour.
fn in_order(cell: &Cell) -> String {
    match cell.order {
        Held::Sampled(1) => "1 round of sampled".to_owned(),
        Held::Sampled(rounds) => format!("{rounds} rounds of sampled"),
        order => order.to_string(),
    }
}

/// The names of all files that a report may have.
pub fn files() -> Vec<String> {
    Question::ALL
        .into_iter()
        .flat_map(|algorithm| KINDS.iter().map(move |kind| (kind.file)(algorithm)))
        .collect()
}

/// All figures that there is something to show in.
pub fn figures(report: &Report) -> Vec<Named> {
    let of = |kind: &Kind| -> Vec<Named> {
        let all = report.algorithms_of(kind.part).into_iter();
        all.filter_map(|algorithm| kind.figure(report, algorithm)).collect()
    };
    KINDS.iter().flat_map(of).collect()
}

impl Kind {
    fn figure(&self, report: &Report, algorithm: Question) -> Option<Named> {
        let bars = self.bars(report, algorithm);
        let has_any = bars.graphs.iter().any(|(_, values)| values.iter().any(Option::is_some));
        has_any.then(|| Named {
            file: (self.file)(algorithm),
            table: format!("Figure {}: {algorithm} ", self.number),
            figure: by_order::figure(&bars),
        })
    }

    fn bars(&self, report: &Report, algorithm: Question) -> Bars {
        let cells = |graph: &str| -> Vec<&Cell> {
            let cells = report.cells_of(self.part, graph, algorithm);
            cells.into_iter().filter(|cell| (self.is_shown)(cell)).collect()
        };
        let mut orders: Vec<String> = Vec::new();
        for cell in report.graphs.iter().flat_map(|case| cells(&case.name)) {
            let bar = (self.bar)(cell);
            if !orders.contains(&bar) {
                orders.push(bar);
            }
        }
        let graphs = report.graphs.iter().map(|case| {
            let cells = cells(&case.name);
            let value = |bar: &String| cells.iter().find(|cell| (self.bar)(cell) == *bar)?.speed;
            (name(case), orders.iter().map(value).collect::<Vec<Option<f64>>>())
        });
        let graphs: Vec<(String, Vec<Option<f64>>)> =
            graphs.filter(|(_, values)| values.iter().any(Option::is_some)).collect();
        Bars {
            title: format!("Figure {}: {algorithm} by {}", self.number, self.by),
            label: "billion arcs a second".to_owned(),
            unit: Unit::Number,
            is_log: spread(graphs.iter().flat_map(|(_, values)| values.iter().flatten())) > LINEAR_SPREAD,
            ideal: None,
            orders,
            graphs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sage::testing::{as_in_the_paper, report};

    #[test]
    fn every_figure_has_a_file_and_says_what_it_shows() {
        let drawn = figures(&as_in_the_paper());
        let names: Vec<&str> = drawn.iter().map(|named| named.file.as_str()).collect();
        assert_eq!(names, ["figure6-bfs", "figure7-bfs", "figure7-bfs-gorder", "figure10-bfs"]);
        let words: [&[&str]; 4] = [
            &["bfs by order", "10 rounds of sampled", "planted", "8.00"],
            &["bfs by balance", "resident", "auto", "3.20"],
            &["in gorder", "node", "1.00"],
            &["bfs by technique", "resident, 10 rounds of sampled", "0.50"],
        ];
        for (named, words) in drawn.iter().zip(words) {
            assert!(files().contains(&named.file));
            let svg = named.figure.svg().unwrap();
            words.iter().for_each(|word| assert!(svg.contains(word), "{}: {word}\n{svg}", named.file));
            assert!(!svg.contains("grid:9x9"), "nothing was measured on it");
        }
    }

    #[test]
    fn speeds_of_several_magnitudes_are_shown_by_logarithms() {
        let is_far = |values: &[f64]| spread(values.iter()) > LINEAR_SPREAD;
        assert!(is_far(&[0.1, 3.0, 20.0]) && is_far(&[0.0, 0.1, 20.0]));
        assert!(!is_far(&[1.0, 20.0]) && !is_far(&[0.0]) && !is_far(&[]));
    }

    #[test]
    fn what_was_not_measured_has_no_figure() {
        assert!(figures(&report(vec![])).is_empty());
    }
}
