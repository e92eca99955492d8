//! From values to pixels, and the values that are worth a mark.

use super::{
    Unit,
    colors::{Color, FAINT, RULE},
    svg::{Canvas, MIDDLE, THIN},
};

/// Values along some pixels, in proportion or by logarithms; then they are above 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    pub(super) is_log: bool,
    pub(super) values: (f64, f64),
    pub(super) pixels: (i32, i32),
}

impl Axis {
    /// Returns the pixel of a value.
    pub(super) fn at(&self, value: f64) -> i32 {
        let scale = |x: f64| if self.is_log { x.max(f64::MIN_POSITIVE).log10() } else { x };
        let (from, to) = (scale(self.values.0), scale(self.values.1));
        let share = if to > from { (scale(value) - from) / (to - from) } else { 0.0 };
        self.pixels.0 + (share * f64::from(self.pixels.1 - self.pixels.0)).round() as i32
    }

    /// Returns values worth a mark: powers of ten, 1, 2 and 5 times them where there are few, or up to eight round ones.
    pub(super) fn marks(&self) -> Vec<f64> {
        let (from, to) = self.values;
        match (to - from).is_finite() {
            true if self.is_log && from > 0.0 && to >= from => powers(from, to),
            true if !self.is_log && to > from => round_ones(from, to),
            _ => Vec::new(),
        }
    }

    /// Draws a line across a horizontal axis.
    pub(super) fn cross(&self, canvas: &mut Canvas, value: f64, ends: (i32, i32), how: (&str, Color)) {
        let x = self.at(value);
        canvas.line(&[(x, ends.0), (x, ends.1)], how.0, how.1);
    }

    /// Draws marks of a horizontal axis: lines across, and their values below.
    pub(super) fn draw(&self, canvas: &mut Canvas, marks: &[f64], unit: Unit, ends: (i32, i32)) {
        for mark in marks {
            self.cross(canvas, *mark, ends, (THIN, RULE));
            canvas.text(&unit.mark(*mark), (self.at(*mark), ends.1 + 12), MIDDLE, FAINT);
        }
    }
}

/// Returns the least and the greatest of some values.
pub(super) fn span(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.map(|x| (x, x)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

fn powers(from: f64, to: f64) -> Vec<f64> {
    let digits: &[f64] = if to / from < 200.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let powers = (from.log10().floor() as i32)..=(to.log10().ceil() as i32);
    let all = powers.flat_map(|power| digits.iter().map(move |digit| digit * 10f64.powi(power)));
    all.filter(|mark| (from * (1.0 - 1e-9)..=to * (1.0 + 1e-9)).contains(mark)).collect()
}

fn round_ones(from: f64, to: f64) -> Vec<f64> {
    let rough = (to - from) / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough);
    let step = factor.unwrap_or(10.0) * power;
    let all = (0..16).map(|nth| ((from / step).ceil() + f64::from(nth)) * step);
    all.take_while(|mark| *mark <= to + 1e-9 * step).collect()
}
