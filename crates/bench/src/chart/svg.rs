//! Texts, boxes, lines and dots as SVG elements, and the file they go to.

use super::{
    Point, SIDE,
    colors::{Color, FAINT, INK, Key, WHITE},
    words::shortened,
};
use std::{io::Write as _, path::Path};
use warpgraph::graph::{AtomicFile, Error, Result};

/// The width of one letter of a title and of another text, at most; the height of a line of a legend.
const LARGE_LETTER: i32 = 8;
const LETTER: i32 = 6;
const LINE: i32 = 20;

/// What a figure of no data says.
pub(super) const NOTHING: &str = "nothing was measured";

/// Attributes of lines.
pub(super) const THIN: &str = "";
pub(super) const THICK: &str = " stroke-width=\"2\"";
pub(super) const THICKER: &str = " stroke-width=\"4\"";
pub(super) const DASHED: &str = " stroke-dasharray=\"4\"";
/// Attributes of a text: where it is from its point, or that it is a title.
pub(super) const BEGIN: &str = "";
pub(super) const MIDDLE: &str = " text-anchor=\"middle\"";
pub(super) const END: &str = " text-anchor=\"end\"";
const TITLE: &str = " font-size=\"16\"";

/// A figure: the text of an SVG file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure(String);

impl Figure {
    /// Returns the text of the SVG file.
    pub fn svg(&self) -> &str {
        &self.0
    }
}

/// Refuses a file name that does not end in `.svg`.
///
/// # Errors
/// [`Error::Invalid`]; ask before measuring for minutes.
pub fn check_ending(path: &Path) -> Result<()> {
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg")) {
        return Ok(());
    }
    let what = format!("{}: figures are SVG files, and this is another ending", path.display());
    Err(Error::invalid(what, "write to a file that ends in .svg; browsers and converters read it"))
}

/// Writes a figure to a file, whole or not at all; replaces an existing file only if `force`.
///
/// # Errors
/// As [`check_ending`] and [`AtomicFile`].
pub fn save(figure: &Figure, path: &Path, force: bool) -> Result<()> {
    check_ending(path)?;
    let mut file = AtomicFile::create(path, force)?;
    file.write_all(figure.svg().as_bytes()).map_err(|error| Error::io(path, "write", error))?;
    file.commit()
}

/// A figure of panels of one size that is being drawn.
#[derive(Debug)]
pub(super) struct Canvas {
    columns: i32,
    panel: Point,
    /// Where panels begin.
    pub(super) top: i32,
    body: String,
}

impl Canvas {
    /// Returns a canvas for so many panels of a size, two beside each other, with a title, cut in its middle if it is too
    /// long, and a legend in as many lines as it needs.
    pub(super) fn new(title: &str, keys: &[Key], panels: usize, panel: Point) -> Self {
        let columns = panels.clamp(1, 2) as i32;
        let mut canvas = Self { columns, panel, top: 40, body: String::new() };
        let right = columns * panel.0 - SIDE;
        let letters = (right - SIDE).max(0) / LARGE_LETTER;
        canvas.text(&shortened(title, letters as usize), (SIDE, 22), TITLE, INK);
        let mut x = SIDE;
        for (color, text) in keys {
            let wide = 36 + wide(text);
            if x > SIDE && x + wide > right {
                (x, canvas.top) = (SIDE, canvas.top + LINE);
            }
            let y = canvas.top + 8;
            canvas.boxes(&[((x, y - 5), (x + 10, y + 5))], *color);
            canvas.text(text, (x + 16, y), BEGIN, INK);
            x += wide;
        }
        canvas.top += if keys.is_empty() { 0 } else { LINE };
        canvas
    }

    /// Draws panels, each in pixels from its corner, and returns the figure.
    pub(super) fn finish<P>(mut self, panels: &[P], draw: impl Fn(&mut Self, &P)) -> Figure {
        let (top, columns, (wide, high)) = (self.top, self.columns, self.panel);
        for (panel, nth) in panels.iter().zip(0..) {
            let (x, y) = (nth % columns * wide, top + nth / columns * high);
            self.body += &format!("<g transform=\"translate({x} {y})\">\n");
            draw(&mut self, panel);
            self.body += "</g>\n";
        }
        let rows = panels.len().div_ceil(columns as usize) as i32;
        let (width, height) = (columns * wide, top + rows * high);
        Figure(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"{WHITE}\"/>\n{}</svg>\n",
            self.body
        ))
    }

    /// Draws a text half way up at a point.
    pub(super) fn text(&mut self, text: &str, (x, y): Point, how: &str, color: Color) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        self.body +=
            &format!("<text x=\"{x}\" y=\"{y}\" dy=\"0.35em\" fill=\"{color}\"{how}>{text}</text>\n");
    }

    /// Draws what is on the vertical axis of a panel, upwards around a place.
    pub(super) fn upright(&mut self, text: &str, y: i32) {
        self.text(text, (16, y), &format!("{MIDDLE} transform=\"rotate(-90 16 {y})\""), FAINT);
    }

    /// Draws a line of text above the panels.
    pub(super) fn remark(&mut self, text: &str) {
        self.text(text, (SIDE, self.top + 12), BEGIN, FAINT);
        self.top += 24;
    }

    /// Draws filled boxes of one colour, each between two corners, as one element.
    pub(super) fn boxes(&mut self, boxes: &[(Point, Point)], color: Color) {
        let path = |(from, to): &(Point, Point)| {
            let (x, y) = (from.0.min(to.0), from.1.min(to.1));
            let (width, height) = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
            format!("M{x} {y}h{width}v{height}h-{width}z")
        };
        let path: String = boxes.iter().map(path).collect();
        self.body += &format!("<path fill=\"{color}\" shape-rendering=\"crispEdges\" d=\"{path}\"/>\n");
    }

    /// Draws a line through points.
    pub(super) fn line(&mut self, points: &[Point], how: &str, color: Color) {
        let points: String = points.iter().map(|(x, y)| format!(" {x},{y}")).collect();
        self.body += &format!("<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\"{how}/>\n");
    }

    /// Draws a dot.
    pub(super) fn dot(&mut self, (x, y): Point, color: Color, radius: i32) {
        self.body += &format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{color}\"/>\n");
    }
}

/// Returns about how wide a small text is.
pub(super) fn wide(text: &str) -> i32 {
    text.chars().count() as i32 * LETTER
}

/// Returns the text, cut in its middle if it is wider than some pixels.
pub(super) fn fitting(text: &str, pixels: i32) -> String {
    shortened(text, (pixels / LETTER).max(0) as usize)
}
