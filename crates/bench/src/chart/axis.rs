//! From values to pixels, and the values that are worth a mark.

use super::{
    Unit,
    colors::{FAINT, RULE},
    svg::{Canvas, MIDDLE},
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

    /// Draws marks of a horizontal axis: lines across, and their values below.
    pub(super) fn draw(&self, canvas: &mut Canvas, marks: &[f64], unit: Unit, (top, bottom): (i32, i32)) {
        for mark in marks {
            let x = self.at(*mark);
            canvas.line(&[(x, top), (x, bottom)], RULE, 1);
            canvas.text(&unit.mark(*mark), (x, bottom + 12), MIDDLE, FAINT);
        }
    }
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
    let step = [1.0, 2.0, 5.0].map(|x| x * power).into_iter().find(|step| *step >= rough);
    let step = step.unwrap_or(10.0 * power);
    let first = (from / step).ceil();
    let all = (0..16).map(|i| (first + f64::from(i)) * step);
    all.take_while(|mark| *mark <= to + 1e-9 * step).collect()
}
