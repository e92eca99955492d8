//! What the paper says of its figures, and whether it holds here.
//!
//! A statement is judged in every case it speaks of, such as a graph: `held` in all of them, `in part` in some, `no` in none. A
//! figure it gives as a range is held to the end that the statement is about: "60 to 80 % less time" holds at 60 % and more.

mod paper;

use super::{
    kind::Kind,
    report::{Cell, Clock, GraphCase, Report},
    strategy::NODE,
};
use serde::Serialize;
use std::fmt;

/// A statement of the paper.
struct Statement {
    /// The figure it is about.
    figure: u8,
    /// What it says.
    says: &'static str,
    unit: Unit,
    cases: fn(&View<'_>) -> Vec<Case>,
}

/// How the figure of a case is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// The share of the time that is saved.
    Less,
    /// A ratio.
    Times,
    Share,
    Degree,
}

/// A statement in one case that it speaks of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Case {
    /// The graph, and the strategy or algorithm where it speaks of several.
    pub on: String,
    /// The figure it is judged by; `None` where there is none to be had.
    pub figure: Option<f64>,
    /// Is it so?
    pub holds: bool,
}

/// Whether a statement holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// In every case.
    Held,
    /// In some of them.
    InPart,
    /// In none.
    No,
    /// Nothing was measured that it speaks of.
    NotMeasured,
}

/// A statement and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// The figure of the paper.
    pub figure: u8,
    /// The statement.
    pub statement: &'static str,
    /// Whether it holds.
    pub outcome: Outcome,
    /// In how many cases it does.
    pub held: usize,
    /// The same with preparation counted in, as the paper does.
    pub held_with_preparation: usize,
    /// The range of the figures, in words.
    pub seen: String,
    /// Where it does not hold, with the figure, in words.
    pub exceptions: Vec<String>,
    /// All cases.
    pub cases: Vec<Case>,
}

impl Verdict {
    /// `in 3 of 4 cases; 2 with preparation`.
    pub fn count(&self) -> String {
        let cases = if self.cases.len() == 1 { "case" } else { "cases" };
        let count = format!("in {} of {} {cases}", self.held, self.cases.len());
        match self.held == self.held_with_preparation {
            true => count,
            false => format!("{count}, {} with preparation", self.held_with_preparation),
        }
    }
}

/// All statements.
pub fn judge(report: &Report) -> Vec<Verdict> {
    paper::ALL.iter().map(|statement| statement.judge(report)).collect()
}

impl Statement {
    fn judge(&self, report: &Report) -> Verdict {
        let cases = (self.cases)(&View { report, clock: Clock::Run });
        let prepared = (self.cases)(&View { report, clock: Clock::Prepared });
        let held = |cases: &[Case]| cases.iter().filter(|case| case.holds).count();
        let exception = |case: &Case| match case.figure {
            Some(figure) => format!("{} ({})", case.on, self.unit.text(figure)),
            None => case.on.clone(),
        };
        Verdict {
            figure: self.figure,
            statement: self.says,
            outcome: match held(&cases) {
                _ if cases.is_empty() => Outcome::NotMeasured,
                0 => Outcome::No,
                n if n == cases.len() => Outcome::Held,
                _ => Outcome::InPart,
            },
            held: held(&cases),
            held_with_preparation: held(&prepared),
            seen: self.unit.range(&cases),
            exceptions: cases.iter().filter(|case| !case.holds).map(exception).collect(),
            cases,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Held => "held",
            Self::InPart => "in part",
            Self::No => "no",
            Self::NotMeasured => "not measured",
        })
    }
}

impl Unit {
    /// A figure with its unit.
    fn text(self, figure: f64) -> String {
        match self {
            // More time than the baseline.
            Self::Less if figure < 0.0 => format!("{} % more", self.number(-figure)),
            _ => self.join(&self.number(figure)),
        }
    }

    fn number(self, figure: f64) -> String {
        match self {
            Self::Less | Self::Share => {
                let percent = 100.0 * figure;
                let digits = usize::from(percent.abs() < 9.95);
                let text = format!("{percent:.digits$}");
                // No minus before nothing.
                if text == "-0.0" { "0.0".to_owned() } else { text }
            }
            Self::Times => format!("{figure:.2}"),
            Self::Degree => format!("{figure:.0}"),
        }
    }

    fn join(self, number: &str) -> String {
        match self {
            Self::Less => format!("{number} % less"),
            Self::Share => format!("{number} %"),
            Self::Times => format!("{number} times"),
            Self::Degree => format!("degree {number}"),
        }
    }

    /// `1.20 to 3.40 times, 2.00 on average`.
    fn range(self, cases: &[Case]) -> String {
        let figures: Vec<f64> = cases.iter().filter_map(|case| case.figure).collect();
        let least = figures.iter().copied().fold(f64::INFINITY, f64::min);
        let most = figures.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if figures.is_empty() {
            return String::new();
        }
        if self.number(least) == self.number(most) {
            return self.text(most);
        }
        let range = match self {
            Self::Less if most < 0.0 => format!("{} to {} % more", self.number(-most), self.number(-least)),
            _ => self.join(&format!("{} to {}", self.number(least), self.number(most))),
        };
        let mean = figures.iter().sum::<f64>() / figures.len() as f64;
        match self {
            Self::Degree => range,
            _ => format!("{range}, {} on average", self.text(mean)),
        }
    }
}

/// The report as statements look at it.
struct View<'a> {
    report: &'a Report,
    clock: Clock,
}

impl<'a> View<'a> {
    /// The graphs of some kinds.
    fn graphs(&self, kinds: &'a [Kind]) -> impl Iterator<Item = &'a GraphCase> + use<'a> {
        self.report.graphs.iter().filter(|graph| graph.kind.is_some_and(|kind| kinds.contains(&kind)))
    }

    fn cell(&self, graph: &GraphCase, algorithm: &str, label: &str) -> Option<&'a Cell> {
        self.report.cell(&graph.name, algorithm, label)
    }

    fn time(&self, graph: &GraphCase, algorithm: &str, label: &str) -> Option<f64> {
        self.cell(graph, algorithm, label)?.time(self.clock)
    }

    /// Bytes on the device.
    fn bytes(&self, graph: &GraphCase, algorithm: &str, label: &str) -> Option<f64> {
        Some(self.cell(graph, algorithm, label)?.memory?.total() as f64)
    }

    /// The share of the baseline's time that a strategy saves; negative if it loses.
    fn saved(&self, graph: &GraphCase, algorithm: &str, label: &str) -> Option<f64> {
        let node = self.time(graph, algorithm, NODE)?;
        Some(1.0 - self.time(graph, algorithm, label)? / node).filter(|saved| saved.is_finite())
    }

    /// A case for every graph of some kinds, where there is a figure.
    fn each(
        &self,
        kinds: &'a [Kind],
        figure: impl Fn(&GraphCase) -> Option<f64>,
        holds: impl Fn(f64) -> bool,
    ) -> Vec<Case> {
        let case = |graph: &GraphCase| Some(Case::new(graph.short().to_owned(), figure(graph)?, &holds));
        self.graphs(kinds).filter_map(case).collect()
    }

    /// A case for every graph of some kinds and every strategy, or whatever else is named, where there is a figure.
    fn each_of(
        &self,
        kinds: &'a [Kind],
        names: &[&str],
        figure: impl Fn(&GraphCase, &str) -> Option<f64>,
        holds: impl Fn(f64) -> bool,
    ) -> Vec<Case> {
        let mut cases = Vec::new();
        for graph in self.graphs(kinds) {
            for name in names {
                if let Some(figure) = figure(graph, name) {
                    cases.push(Case::new(format!("{}: {name}", graph.short()), figure, &holds));
                }
            }
        }
        cases
    }
}

impl Case {
    fn new(on: String, figure: f64, holds: impl Fn(f64) -> bool) -> Self {
        Self { on, figure: Some(figure), holds: holds(figure) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::testing::{Made, as_in_the_paper, report};

    fn verdict<'a>(verdicts: &'a [Verdict], start: &str) -> &'a Verdict {
        verdicts.iter().find(|v| v.statement.starts_with(start)).unwrap_or_else(|| panic!("{start}"))
    }

    #[test]
    fn everything_holds_for_figures_of_which_the_paper_could_have_been_written() {
        for verdict in as_in_the_paper().statements {
            assert_eq!(verdict.outcome, Outcome::Held, "{}: {:?}", verdict.statement, verdict.cases);
        }
    }

    #[test]
    fn nothing_is_said_of_what_was_not_measured() {
        for verdict in report(vec![]).statements {
            assert_eq!((verdict.outcome, verdict.seen.as_str()), (Outcome::NotMeasured, ""));
        }
    }

    #[test]
    fn a_statement_that_holds_on_some_graphs_names_the_others() {
        let cells = [("rmat", 3.0), ("er", 9.0), ("road", 12.0)].into_iter().flat_map(|(graph, time)| {
            [Made::on(graph, "sssp", "node").seconds(10.0), Made::on(graph, "sssp", "edge").seconds(time)]
        });
        let verdicts = report(cells.collect()).statements;
        let edge = verdict(&verdicts, "sssp: edge takes 60 to 80 %");
        assert_eq!((edge.outcome, edge.held, edge.cases.len()), (Outcome::InPart, 1, 3));
        assert_eq!(edge.exceptions, ["er (10 % less)", "road (20 % more)"]);
        assert_eq!(edge.seen, "-20 to 70 % less, 20 % less on average");
        assert_eq!(edge.count(), "in 1 of 3 cases");
    }

    #[test]
    fn preparation_counts_where_the_paper_counts_it() {
        let verdicts = as_in_the_paper().statements;
        let edge = verdict(&verdicts, "bfs: edge is faster than node");
        assert_eq!((edge.held, edge.held_with_preparation), (3, 2), "0.92 s and 0.1 s once against 1 s");
        assert_eq!(edge.count(), "in 3 of 3 cases, 2 with preparation");
    }

    #[test]
    fn a_strategy_that_does_not_fit_is_what_the_paper_says_of_edge() {
        let fits = report(vec![
            Made::on("large", "bfs", "node").seconds(1.0),
            Made::on("large", "bfs", "edge").seconds(0.5).extra(2000),
        ]);
        let fits = fits.statements;
        let verdict = verdict(&fits, "edge does not fit");
        assert_eq!((verdict.outcome, verdict.seen.as_str()), (Outcome::No, "3.00 times"));
        assert_eq!(verdict.exceptions, ["large: bfs (3.00 times)"]);
    }

    #[test]
    fn figures_are_printed_with_their_units() {
        assert_eq!(Unit::Less.text(0.6789), "68 % less");
        assert_eq!([Unit::Share.text(0.0123), Unit::Share.text(-0.0001)], ["1.2 %", "0.0 %"]);
        assert_eq!([Unit::Times.text(1.826), Unit::Degree.text(118.0)], ["1.83 times", "degree 118"]);
        let case = |figure: f64| Case::new(String::new(), figure, |_| true);
        assert_eq!(Unit::Times.range(&[case(1.0), case(3.0)]), "1.00 to 3.00 times, 2.00 times on average");
        assert_eq!(Unit::Times.range(&[case(3.0), case(3.001)]), "3.00 times");
        assert_eq!(Unit::Less.range(&[case(-0.5), case(-0.04)]), "4.0 to 50 % more, 27 % more on average");
        assert_eq!(Unit::Degree.range(&[case(2.0), case(4.0)]), "degree 2 to 4");
    }
}
