//! Statements, such as those of a paper, and whether they hold here.
//!
//! A statement is judged in every case it is about, such as a graph: `held` in all of them, `in part` in some, `no` in none.
//! A range is held to the end that the statement is about: "60 to 80 % less time" holds at 60 % and more.

use super::{Cell, Report};
use crate::sheet::{Sheet, Side::Left};
use serde::Serialize;
use std::fmt;

/// A statement that an evaluation tests.
#[derive(Debug)]
pub struct Statement {
    /// The figure or table of the paper that it is about.
    pub figure: &'static str,
    /// What it says.
    pub says: &'static str,
    /// How the figures of its cases are printed.
    pub unit: Unit,
    /// Returns the cases it is about.
    pub cases: fn(&View<'_>) -> Vec<Case>,
}

/// A report as statements look at it.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The report.
    pub report: &'a Report,
    /// Add what is prepared once to the time of a run, as some papers do.
    pub with_preparation: bool,
}

impl View<'_> {
    /// Returns the median time of a cell.
    pub fn time(&self, cell: &Cell) -> Option<f64> {
        Some(cell.median()? + if self.with_preparation { cell.prepare() } else { 0.0 })
    }
}

/// How the figure of a case is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// The share of the time that is saved.
    Less,
    /// A ratio.
    Times,
    /// A share of a whole.
    Share,
    /// A number of arcs.
    Degree,
}

/// A statement in one case that it speaks of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Case {
    /// The graph, and the plan or algorithm where the statement is about several.
    pub on: String,
    /// The figure it is judged by, if there is one.
    pub figure: Option<f64>,
    /// True if the statement holds in this case.
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
    /// Nothing was measured that it is about.
    NotMeasured,
}

/// A statement and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// The figure of the paper.
    pub figure: &'static str,
    /// The statement.
    pub statement: &'static str,
    /// Whether it holds.
    pub outcome: Outcome,
    /// In how many cases it does.
    pub held: usize,
    /// The same with preparation counted in.
    pub held_with_preparation: usize,
    /// The range of the figures, in words.
    pub seen: String,
    /// Where it does not hold, with the figure, in words.
    pub exceptions: Vec<String>,
    /// All cases.
    pub cases: Vec<Case>,
}

impl Verdict {
    /// Returns `in 3 of 4 cases, 2 with preparation`.
    pub fn count(&self) -> String {
        let cases = if self.cases.len() == 1 { "case" } else { "cases" };
        let count = format!("in {} of {} {cases}", self.held, self.cases.len());
        match self.held == self.held_with_preparation {
            true => count,
            false => format!("{count}, {} with preparation", self.held_with_preparation),
        }
    }
}

/// Returns verdicts as a table.
pub fn sheet(verdicts: &[Verdict]) -> Sheet {
    let columns =
        [("figure", Left), ("statement", Left), ("held", Left), ("here", Left), ("but not on", Left)];
    let mut sheet = Sheet::new("", columns);
    for verdict in verdicts {
        let here = match verdict.cases.is_empty() {
            true => String::new(),
            false if verdict.seen.is_empty() => verdict.count(),
            false => format!("{}: {}", verdict.count(), verdict.seen),
        };
        sheet.row([
            verdict.figure.to_owned(),
            verdict.statement.to_owned(),
            verdict.outcome.to_string(),
            here,
            verdict.exceptions.join("; "),
        ]);
    }
    sheet
}

impl Statement {
    /// Judges it in every case.
    pub fn judge(&self, report: &Report) -> Verdict {
        let cases = (self.cases)(&View { report, with_preparation: false });
        let prepared = (self.cases)(&View { report, with_preparation: true });
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

impl Case {
    /// Returns a case that is judged by its figure.
    pub fn new(on: String, figure: f64, holds: impl Fn(f64) -> bool) -> Self {
        Self { on, figure: Some(figure), holds: holds(figure) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
