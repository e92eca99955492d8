//! From values to pixels, and the values that are worth a mark.

/// Values along some pixels, in proportion or by logarithms.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    values: (f64, f64),
    pixels: (i32, i32),
    is_log: bool,
}

impl Axis {
    /// From one value to another over some pixels.
    pub(super) fn linear(values: (f64, f64), pixels: (i32, i32)) -> Self {
        Self { values, pixels, is_log: false }
    }

    /// The same by logarithms; values are above 0.
    pub(super) fn log(values: (f64, f64), pixels: (i32, i32)) -> Self {
        Self { values, pixels, is_log: true }
    }

    /// The pixel of a value.
    pub(super) fn at(&self, value: f64) -> i32 {
        let scale = |x: f64| if self.is_log { x.max(f64::MIN_POSITIVE).log10() } else { x };
        let (from, to) = (scale(self.values.0), scale(self.values.1));
        let share = if to > from { (scale(value) - from) / (to - from) } else { 0.0 };
        self.pixels.0 + (share * f64::from(self.pixels.1 - self.pixels.0)).round() as i32
    }

    /// Values worth a mark: powers of ten, 1, 2 and 5 times them where there are few, or up to eight round ones.
    pub(super) fn marks(&self) -> Vec<f64> {
        if self.is_log { self.log_marks() } else { self.round_marks() }
    }

    fn log_marks(&self) -> Vec<f64> {
        let (from, to) = self.values;
        if !(from > 0.0 && to >= from && to.is_finite()) {
            return Vec::new();
        }
        let digits: &[f64] = if to / from < 200.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let powers = (from.log10().floor() as i32)..=(to.log10().ceil() as i32);
        let all = powers.flat_map(|power| digits.iter().map(move |digit| digit * 10f64.powi(power)));
        all.filter(|mark| (from * (1.0 - 1e-9)..=to * (1.0 + 1e-9)).contains(mark)).collect()
    }

    fn round_marks(&self) -> Vec<f64> {
        let (from, to) = self.values;
        let rough = (to - from) / 6.0;
        if !rough.is_finite() || rough <= 0.0 {
            return Vec::new();
        }
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|x| x * power).into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(power);
        let first = (from / step).ceil() as i64;
        (first..first + 16).map(|i| i as f64 * step).take_while(|mark| *mark <= to + 1e-9 * step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_put_values_in_proportion_and_marks_on_round_ones() {
        let axis = Axis::linear((0.0, 3.0), (100, 400));
        assert_eq!([axis.at(0.0), axis.at(1.0), axis.at(3.0)], [100, 200, 400]);
        assert_eq!(axis.marks(), [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]);
        let axis = Axis::log((1.0, 1e4), (400, 0));
        assert_eq!([axis.at(1.0), axis.at(100.0), axis.at(1e4)], [400, 200, 0]);
        assert_eq!(axis.marks(), [1.0, 10.0, 100.0, 1e3, 1e4]);
        assert!(Axis::linear((1.0, 1.0), (0, 9)).marks().is_empty());
    }

    #[test]
    fn a_short_log_axis_has_marks_between_the_powers() {
        assert_eq!(Axis::log((2.0, 60.0), (0, 9)).marks(), [2.0, 5.0, 10.0, 20.0, 50.0]);
        assert_eq!(Axis::log((1.0, 1.0), (0, 9)).marks(), [1.0]);
    }

    #[test]
    fn values_that_are_none_have_no_marks() {
        for values in [(f64::NAN, 1.0), (0.0, f64::INFINITY), (0.0, 0.0)] {
            assert!(Axis::linear(values, (0, 9)).marks().is_empty());
            assert!(Axis::log(values, (0, 9)).marks().is_empty());
        }
        let wide = Axis::linear((-f64::MAX / 4.0, f64::MAX / 4.0), (0, 9));
        assert!(wide.marks().len() <= 16);
    }
}
