//! What figures are drawn with: texts, bars, lines and axes, in pixels.

use super::Error;
use plotters::{
    coord::Shift,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

pub(super) const KERNELS: RGBColor = RGBColor(43, 108, 176);
pub(super) const OVERHEAD: RGBColor = RGBColor(246, 173, 85);
pub(super) const BAD: RGBColor = RGBColor(197, 48, 48);
pub(super) const BEFORE: RGBColor = RGBColor(245, 166, 166);
pub(super) const AFTER: RGBColor = RGBColor(47, 133, 90);
pub(super) const INK: RGBColor = RGBColor(34, 34, 34);
pub(super) const FAINT: RGBColor = RGBColor(120, 120, 120);
pub(super) const RULE: RGBColor = RGBColor(221, 221, 221);
pub(super) const BAND: RGBColor = RGBColor(226, 232, 240);
#[cfg(test)]
pub(super) const KERNELS_HEX: &str = "#2B6CB0";
#[cfg(test)]
pub(super) const OVERHEAD_HEX: &str = "#F6AD55";

/// The size of a title and of everything else.
const LARGE: i32 = 16;
const SMALL: i32 = 12;

/// The result of drawing.
pub(super) type Drawn<T = ()> = Result<T, Error>;

/// A picture in the making.
pub(super) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

/// A point.
pub(super) type Point = (i32, i32);

/// A picture of a size, as text.
pub(super) fn picture(size: (i32, i32), draw: impl FnOnce(&Canvas<'_>) -> Drawn) -> Drawn<String> {
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, (size.0 as u32, size.1 as u32)).into_drawing_area();
    area.fill(&WHITE)?;
    let canvas = Canvas { area };
    draw(&canvas)?;
    canvas.area.present()?;
    drop(canvas);
    Ok(text)
}

impl Canvas<'_> {
    /// A text; the point is its left, middle or right end, half way up.
    fn text(&self, text: &str, at: Point, end: HPos, size: i32, color: RGBColor) -> Drawn {
        let style = ("sans-serif", size).into_font().color(&color);
        self.area.draw(&Text::new(text.to_owned(), at, style.pos(Pos::new(end, VPos::Center))))
    }

    /// A text that begins here.
    pub(super) fn begin(&self, text: &str, at: Point, color: RGBColor) -> Drawn {
        self.text(text, at, HPos::Left, SMALL, color)
    }

    /// A text that ends here.
    pub(super) fn end(&self, text: &str, at: Point, color: RGBColor) -> Drawn {
        self.text(text, at, HPos::Right, SMALL, color)
    }

    /// A text with its middle here.
    pub(super) fn middle(&self, text: &str, at: Point, color: RGBColor) -> Drawn {
        self.text(text, at, HPos::Center, SMALL, color)
    }

    /// The title of a picture.
    pub(super) fn title(&self, text: &str) -> Drawn {
        self.text(text, (16, 22), HPos::Left, LARGE, INK)
    }

    /// A filled box between two corners.
    pub(super) fn bar(&self, from: Point, to: Point, color: RGBColor) -> Drawn {
        self.area.draw(&Rectangle::new([from, to], color.filled()))
    }

    /// A line through points.
    pub(super) fn line(&self, points: Vec<Point>, color: RGBColor, width: u32) -> Drawn {
        self.area.draw(&PathElement::new(points, color.stroke_width(width)))
    }

    /// A dashed upright line.
    pub(super) fn dashed(&self, x: i32, top: i32, bottom: i32, color: RGBColor) -> Drawn {
        (top..bottom).step_by(8).try_for_each(|y| self.line(vec![(x, y), (x, (y + 4).min(bottom))], color, 1))
    }

    /// A dot of a radius.
    pub(super) fn dot(&self, at: Point, color: RGBColor, radius: i32) -> Drawn {
        self.area.draw(&Circle::new(at, radius, color.filled()))
    }

    /// A box of a colour and what it stands for; gives where the next one may begin.
    pub(super) fn key(&self, at: Point, color: RGBColor, text: &str) -> Drawn<i32> {
        self.bar((at.0, at.1 - 5), (at.0 + 10, at.1 + 5), color)?;
        self.begin(text, (at.0 + 16, at.1), INK)?;
        Ok(at.0 + 16 + wide(text) + 20)
    }
}

/// About how wide a small text is.
pub(super) fn wide(text: &str) -> i32 {
    text.chars().count() as i32 * 7
}

/// From values to pixels.
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

    /// Values worth a mark: powers of ten, or up to eight round ones.
    pub(super) fn marks(&self) -> Vec<f64> {
        let (from, to) = self.values;
        if self.is_log {
            let powers = (from.log10().ceil() as i32)..=(to.log10().floor() as i32);
            return powers.map(|power| 10f64.powi(power)).collect();
        }
        let rough = (to - from) / 6.0;
        if rough.is_nan() || rough <= 0.0 {
            return Vec::new();
        }
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|x| x * power).into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(power);
        let first = (from / step).ceil() as i64;
        (first..).map(|i| i as f64 * step).take_while(|mark| *mark <= to + 1e-9 * step).collect()
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
}
