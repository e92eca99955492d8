//! Numbers and names as they stand in figures: short.

use crate::units::{number, seconds};

/// What the values of an axis are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Unit {
    #[default]
    Number,
    Seconds,
}

impl Unit {
    /// Returns a value, with the digits that can be seen.
    pub(super) fn value(self, x: f64) -> String {
        match x.abs() {
            _ if self == Self::Seconds => seconds(x),
            size if size > 0.0 && size < 0.000_995 => format!("{x:.1e}"),
            size if size > 0.0 && size < 0.0995 => format!("{x:.3}"),
            size if size < 9.995 => format!("{x:.2}"),
            size if size < 99.95 => format!("{x:.1}"),
            size if size < 1e6 => format!("{x:.0}"),
            _ => format!("{x:.1e}"),
        }
    }

    /// Returns a mark on an axis: a round number, said shortly.
    pub(super) fn mark(self, x: f64) -> String {
        match x {
            x if self == Self::Number || x <= 0.0 => mark(x),
            x if x < 0.9995e-6 => format!("{} ns", mark(x * 1e9)),
            x if x < 0.9995e-3 => format!("{} us", mark(x * 1e6)),
            x if x < 0.9995 => format!("{} ms", mark(x * 1e3)),
            x => format!("{} s", mark(x)),
        }
    }
}

/// Returns a whole number up to ten thousand, a power of ten from there, or a few digits.
fn mark(x: f64) -> String {
    let round = (x * 1e6).round() / 1e6;
    match x.abs() {
        size if size >= 1e4 => format!("{x:e}"),
        size if size >= 1.0 && round.fract() == 0.0 => number(round),
        size if size >= 1e-6 => format!("{round}"),
        0.0 => "0".to_owned(),
        _ => format!("{x:.0e}"),
    }
}

/// Returns a text of at most so many letters, cut in its middle if it is longer.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= most {
        return text.to_owned();
    }
    let dots = most.min(3);
    let kept = most - dots;
    let (head, tail) = (&letters[..kept.div_ceil(2)], &letters[letters.len() - kept / 2..]);
    head.iter().chain(&vec!['.'; dots]).chain(tail).collect()
}
