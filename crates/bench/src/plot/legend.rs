//! Which colour is what: keys one after the other, in as many lines as they need.

use super::{
    Canvas, Drawn, Point,
    canvas::{fitting, key_width},
    colors::RGBColor,
};

/// Of one line.
pub(super) const LINE: i32 = 20;

/// Keys between two sides.
#[derive(Debug)]
pub(super) struct Legend {
    /// Where each begins, counted from the upper left corner, its colour and its text.
    keys: Vec<(Point, RGBColor, String)>,
    lines: i32,
}

impl Legend {
    /// Keys in lines of a width.
    pub(super) fn new(entries: impl IntoIterator<Item = (RGBColor, String)>, width: i32) -> Self {
        let (mut at, mut keys) = ((0, 0), Vec::new());
        for (color, text) in entries {
            let text = fitting(&text, width - key_width(""));
            let wide = key_width(&text);
            if at.0 > 0 && at.0 + wide > width {
                at = (0, at.1 + LINE);
            }
            keys.push((at, color, text));
            at.0 += wide;
        }
        let lines = if keys.is_empty() { 0 } else { at.1 / LINE + 1 };
        Self { keys, lines }
    }

    /// How high it is.
    pub(super) fn high(&self) -> i32 {
        self.lines * LINE
    }

    /// Draws it; the point is the left end of the middle of its first line.
    pub(super) fn draw(&self, canvas: &Canvas<'_>, at: Point) -> Drawn {
        let place = |(x, y): Point| (at.0 + x, at.1 + y);
        self.keys.iter().try_for_each(|(from, color, text)| {
            canvas.key(place(*from), *color, text)?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::colors::series;

    #[test]
    fn keys_go_on_in_the_next_line_and_stay_within_the_width() {
        let names = ["natural", "random", "degree-neighbours", "halo2"].map(str::to_owned);
        let legend = Legend::new(names.into_iter().enumerate().map(|(nth, name)| (series(nth), name)), 250);
        let corners: Vec<Point> = legend.keys.iter().map(|(at, ..)| *at).collect();
        assert_eq!(corners, [(0, 0), (78, 0), (0, LINE), (138, LINE)]);
        assert_eq!(legend.high(), 2 * LINE);
        assert_eq!(Legend::new([], 250).high(), 0);
    }

    #[test]
    fn a_key_wider_than_the_line_is_cut() {
        let legend = Legend::new([(series(0), "x".repeat(99))], 96);
        assert_eq!(legend.keys[0].2, "xxxx...xxx");
    }
}
