//! Statements, such as those of a paper, and whether they hold here.
//!
//! A statement is judged in every case it is about, such as a graph: `held` in all of them, `in part` in some, `no` in none.
//! A range is held to the end that the statement is about: "60 to 80 % less time" holds at 60 % and more.

use super::{Cell, Report};
use crate::{sheet::Sheet, statistics::Spread};
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
    /// A number of anything.
    Number,
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
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Verdict {
    pub figure: &'static str,
    pub statement: &'static str,
    pub outcome: Outcome,
    /// In how many cases it holds, and in how many with preparation counted in.
    pub held: usize,
    pub held_with_preparation: usize,
    /// The range of the figures, in words.
    pub seen: String,
    /// Where it does not hold, with the figure, in words.
    pub exceptions: Vec<String>,
    pub cases: Vec<Case>,
}

impl Verdict {
    /// Returns what became of a statement in its cases.
    pub(crate) fn new(figure: &'static str, says: &'static str, unit: Unit, cases: Vec<Case>) -> Self {
        let held = cases.iter().filter(|case| case.holds).count();
        let exception = |case: &Case| match case.figure {
            Some(figure) => format!("{} ({})", case.on, unit.text(figure, figure)),
            None => case.on.clone(),
        };
        Self {
            figure,
            statement: says,
            outcome: match held {
                _ if cases.is_empty() => Outcome::NotMeasured,
                0 => Outcome::No,
                n if n == cases.len() => Outcome::Held,
                _ => Outcome::InPart,
            },
            held,
            held_with_preparation: held,
            seen: unit.range(&cases),
            exceptions: cases.iter().filter(|case| !case.holds).map(exception).collect(),
            cases,
        }
    }

    /// Returns `in 3 of 4 cases, 2 with preparation`.
    pub fn count(&self) -> String {
        let cases = if self.cases.len() == 1 { "case" } else { "cases" };
        let count = format!("in {} of {} {cases}", self.held, self.cases.len());
        match self.held == self.held_with_preparation {
            true => count,
            false => format!("{count}, {} with preparation", self.held_with_preparation),
        }
    }

    /// Returns the count, and the range of the figures if there are any; nothing without cases.
    pub fn here(&self) -> String {
        match self.seen.as_str() {
            _ if self.cases.is_empty() => String::new(),
            "" => self.count(),
            seen => format!("{}: {seen}", self.count()),
        }
    }
}

/// Returns verdicts as a table.
pub fn sheet(verdicts: &[Verdict]) -> Sheet {
    let mut sheet = Sheet::new("", "figure | statement | held | here | but not on");
    for verdict in verdicts {
        let [figure, says] = [verdict.figure, verdict.statement].map(str::to_owned);
        let but = verdict.exceptions.join("; ");
        sheet.row([figure, says, verdict.outcome.to_string(), verdict.here(), but]);
    }
    sheet
}

impl Statement {
    /// Judges it in every case.
    pub fn judge(&self, report: &Report) -> Verdict {
        let cases = |with_preparation| (self.cases)(&View { report, with_preparation });
        let held_with_preparation = cases(true).iter().filter(|case| case.holds).count();
        let verdict = Verdict::new(self.figure, self.says, self.unit, cases(false));
        Verdict { held_with_preparation, ..verdict }
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
    /// A figure or a range of figures with its unit.
    fn text(self, least: f64, most: f64) -> String {
        let (from, to, than) = match self {
            // More time than the baseline.
            Self::Less if most < 0.0 => (-most, -least, "more"),
            _ => (least, most, "less"),
        };
        let [from, to] = [from, to].map(|figure| self.number(figure));
        let number = if from == to { to } else { format!("{from} to {to}") };
        match self {
            Self::Less => format!("{number} % {than}"),
            Self::Share => format!("{number} %"),
            Self::Times => format!("{number} times"),
            Self::Degree => format!("degree {number}"),
            Self::Number => number,
        }
    }

    fn number(self, figure: f64) -> String {
        let percent = 100.0 * figure;
        let (figure, digits) = match self {
            Self::Less | Self::Share => (percent, usize::from(percent.abs() < 9.95)),
            Self::Times => (figure, 2),
            Self::Degree | Self::Number => (figure, 0),
        };
        let text = format!("{figure:.digits$}");
        // No minus before nothing.
        if text == "-0.0" { "0.0".to_owned() } else { text }
    }

    /// `1.20 to 3.40 times, 2.00 on average`.
    fn range(self, cases: &[Case]) -> String {
        let figures: Vec<f64> = cases.iter().filter_map(|case| case.figure).collect();
        let Some(Spread { min, max, .. }) = Spread::of(&figures) else { return String::new() };
        let mean = figures.iter().sum::<f64>() / figures.len() as f64;
        match self {
            Self::Degree | Self::Number => self.text(min, max),
            _ if self.number(min) == self.number(max) => self.text(min, max),
            _ => format!("{}, {} on average", self.text(min, max), self.text(mean, mean)),
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
        let cases: [(Unit, &[f64], &str); 9] = [
            (Unit::Less, &[0.6789], "68 % less"),
            (Unit::Share, &[0.0123], "1.2 %"),
            (Unit::Share, &[-0.0001], "0.0 %"),
            (Unit::Times, &[1.826], "1.83 times"),
            (Unit::Degree, &[118.0], "degree 118"),
            (Unit::Times, &[1.0, 3.0], "1.00 to 3.00 times, 2.00 times on average"),
            (Unit::Times, &[3.0, 3.001], "3.00 times"),
            (Unit::Less, &[-0.5, -0.04], "4.0 to 50 % more, 27 % more on average"),
            (Unit::Degree, &[2.0, 4.0], "degree 2 to 4"),
        ];
        for (unit, figures, text) in cases {
            let cases: Vec<Case> = figures.iter().map(|&x| Case::new(String::new(), x, |_| true)).collect();
            assert_eq!(unit.range(&cases), text);
        }
    }
}
