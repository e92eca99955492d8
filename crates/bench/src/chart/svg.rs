//! Texts, boxes, lines and dots as SVG elements, and the file they go to.

use super::{
    HEAD, Point, SIDE,
    colors::{Color, INK},
    words::shortened,
};
use std::{fmt::Write as _, io::Write as _, path::Path};
use warpgraph::graph::{AtomicFile, Error, Result};

/// Font sizes of a title and of all other texts.
const LARGE: i32 = 16;
const SMALL: i32 = 12;
/// The width of one letter of a title and of another text, at most.
const LARGE_LETTER: i32 = 8;
const LETTER: i32 = 6;
/// Height of one line of a legend.
const LINE: i32 = 20;

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
    match path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg")) {
        true => Ok(()),
        false => {
            let what = format!("{}: figures are SVG files, and this is another ending", path.display());
            Err(Error::invalid(what, "write to a file that ends in .svg; browsers and converters read it"))
        }
    }
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

/// A figure that is being drawn.
#[derive(Debug)]
pub struct Canvas {
    size: Point,
    body: String,
}

impl Canvas {
    /// Returns a white canvas with a title, cut in its middle if it is too long.
    pub fn new(size: Point, title: &str) -> Self {
        let mut canvas = Self { size: (size.0.max(1), size.1.max(1)), body: String::new() };
        let letters = (size.0 - 2 * SIDE).max(0) / LARGE_LETTER;
        canvas.text(&shortened(title, letters as usize), (SIDE, 22), ("start", LARGE, ""), INK);
        canvas
    }

    /// Returns the finished figure.
    pub fn finish(self) -> Figure {
        let (width, height) = self.size;
        Figure(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#FFFFFF\"/>\n{}</svg>\n",
            self.body
        ))
    }

    fn put(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(element);
        self.body.push('\n');
    }

    /// A text half way up at a point; `style` is its anchor, its size and its transformation.
    fn text(&mut self, text: &str, (x, y): Point, (anchor, size, turn): (&str, i32, &str), color: Color) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.35em\" text-anchor=\"{anchor}\" font-size=\"{size}\" fill=\"{color}\"{turn}>{text}</text>"
        ));
    }

    /// Draws a text that begins at a point.
    pub fn begin(&mut self, text: &str, at: Point, color: Color) {
        self.text(text, at, ("start", SMALL, ""), color);
    }

    /// Draws a text that ends at a point.
    pub fn end(&mut self, text: &str, at: Point, color: Color) {
        self.text(text, at, ("end", SMALL, ""), color);
    }

    /// Draws a text around a point.
    pub fn middle(&mut self, text: &str, at: Point, color: Color) {
        self.text(text, at, ("middle", SMALL, ""), color);
    }

    /// Draws a text that goes upwards, around a point.
    pub fn upright(&mut self, text: &str, at: Point, color: Color) {
        let turn = format!(" transform=\"rotate(-90 {} {})\"", at.0, at.1);
        self.text(text, at, ("middle", SMALL, &turn), color);
    }

    /// Draws a filled box between two corners.
    pub fn bar(&mut self, from: Point, to: Point, color: Color) {
        let (x, y) = (from.0.min(to.0), from.1.min(to.1));
        let (width, height) = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
        self.put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{color}\"/>"
        ));
    }

    /// Draws many filled boxes of one colour as one element.
    pub fn tiles(&mut self, tiles: &[(Point, Point)], color: Color) {
        let mut path = String::new();
        for ((left, top), (right, bottom)) in tiles {
            let (width, height) = (right - left, bottom - top);
            let _ = write!(path, "M{left} {top}h{width}v{height}h-{width}z");
        }
        self.put(format_args!("<path fill=\"{color}\" shape-rendering=\"crispEdges\" d=\"{path}\"/>"));
    }

    /// Draws a line through points.
    pub fn line(&mut self, points: &[Point], color: Color, width: i32) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
        self.put(format_args!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\"/>",
            points.join(" ")
        ));
    }

    /// Draws a dashed vertical line.
    pub fn dashed(&mut self, x: i32, (top, bottom): (i32, i32), color: Color) {
        self.put(format_args!(
            "<line x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\" stroke=\"{color}\" stroke-dasharray=\"4\"/>"
        ));
    }

    /// Draws a dot.
    pub fn dot(&mut self, (x, y): Point, color: Color, radius: i32) {
        self.put(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{color}\"/>"));
    }

    /// Draws boxes of colours and what they stand for below the title, in as many lines as they need.
    pub fn legend(&mut self, keys: &[(Color, String)]) {
        for ((color, text), (x, y)) in keys.iter().zip(key_places(keys, self.size.0)) {
            let (x, y) = (SIDE + x, HEAD + 8 + y);
            self.bar((x, y - 5), (x + 10, y + 5), *color);
            self.begin(text, (x + 16, y), INK);
        }
    }
}

/// Returns where each key begins, from the corner of the legend.
fn key_places(keys: &[(Color, String)], width: i32) -> Vec<Point> {
    let (mut at, mut places) = ((0, 0), Vec::new());
    for (_, text) in keys {
        let wide = 36 + wide(text);
        if at.0 > 0 && at.0 + wide > width - 2 * SIDE {
            at = (0, at.1 + LINE);
        }
        places.push(at);
        at.0 += wide;
    }
    places
}

/// Returns how high the legend of a figure of a width is.
pub(super) fn legend_height(keys: &[(Color, String)], width: i32) -> i32 {
    key_places(keys, width).last().map_or(0, |(_, y)| y + LINE)
}

/// Returns about how wide a small text is.
pub(super) fn wide(text: &str) -> i32 {
    text.chars().count() as i32 * LETTER
}

/// Returns the text, cut in its middle if it is wider than some pixels.
pub(super) fn fitting(text: &str, pixels: i32) -> String {
    shortened(text, (pixels / LETTER).max(0) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_no_markup() {
        let mut canvas = Canvas::new((90, 40), "<b>&");
        canvas.begin("<i>", (0, 30), INK);
        let svg = canvas.finish();
        assert!(svg.svg().contains(">&lt;b&gt;&amp;</text>") && !svg.svg().contains("<i>"), "{svg:?}");
    }

    #[test]
    fn keys_go_on_in_the_next_line_of_a_legend() {
        let keys = ["natural", "random", "degree-neighbours", "halo2"].map(|name| (INK, name.to_owned()));
        assert_eq!(key_places(&keys, 282), [(0, 0), (78, 0), (0, LINE), (138, LINE)]);
        assert_eq!((legend_height(&keys, 282), legend_height(&[], 282)), (2 * LINE, 0));
    }

    #[test]
    fn other_endings_and_existing_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let figure = Canvas::new((9, 9), "t").finish();
        for name in ["a.png", "svg", "a.svg.gz", "a"] {
            let error = save(&figure, &folder.path().join(name), true).unwrap_err();
            assert_eq!(error.kind(), "invalid", "{name}");
            assert!(error.help().unwrap().contains("ends in .svg"), "{name}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let path = folder.path().join("a.SVG");
        save(&figure, &path, false).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), figure.svg());
        assert_eq!(save(&figure, &path, false).unwrap_err().kind(), "exists");
        save(&figure, &path, true).unwrap();
    }
}
