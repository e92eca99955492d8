//! Bars: one panel per group (such as a graph), one horizontal bar per row, its name on the left and its value behind it.
//!
//! A bar may have several parts. On a logarithmic axis bars have no foot, so a dot on a stem replaces them.

use super::{
    Figure, Point, SIDE, Unit,
    axis::Axis,
    colors::{self, BAD, BAND, FAINT, INK, Key},
    svg::{BEGIN, Canvas, END, NOTHING, fitting, wide},
};

/// Size of a panel, of what is right of its bars for values, and of its rows.
const WIDTH: i32 = 560;
const RIGHT: i32 = 130;
const TITLE: i32 = 30;
const ROW: i32 = 20;
const BAR: i32 = 13;
const FOOT: i32 = 34;
/// The space for names: at least, at most.
const NAMES: Point = (60, 220);

/// How values become lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// In proportion, each panel by its own largest value.
    Each,
    /// In proportion, all panels alike.
    #[default]
    Same,
    /// By logarithms, all panels alike; values that are not above 0 are left out.
    Log,
}

/// Bars in panels.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bars {
    /// The title of the figure.
    pub title: String,
    /// What the values are, with their unit.
    pub label: String,
    /// How values are written.
    pub unit: Unit,
    /// How values become lengths.
    pub scale: Scale,
    /// The names of the parts of a bar; empty if bars have one part.
    pub parts: Vec<&'static str>,
    /// A value with a line across, and what it is.
    pub mark: Option<(f64, String)>,
    /// A range behind the bars, and what it is.
    pub band: Option<(f64, f64, String)>,
    /// The panels.
    pub panels: Vec<Panel>,
}

/// Bars below a title.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// What they have in common.
    pub title: String,
    /// The bars.
    pub rows: Vec<Row>,
}

/// One bar.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// The values of its parts; empty if there is nothing to show.
    pub values: Vec<f64>,
    /// What is written behind it instead of the value.
    pub text: Option<String>,
}

impl Row {
    /// Returns a bar of one value, or a row that says that there is none.
    pub fn of(name: impl Into<String>, value: Option<f64>) -> Self {
        Self { name: name.into(), values: value.into_iter().collect(), text: None }
    }

    fn end(&self) -> Option<f64> {
        (!self.values.is_empty()).then(|| self.values.iter().sum()).filter(|end: &f64| end.is_finite())
    }
}

impl Bars {
    /// Returns bars of one part, in proportion, without panels.
    pub fn new(title: impl Into<String>, label: &str) -> Self {
        Self { title: title.into(), label: label.to_owned(), ..Self::default() }
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.panels.iter().flat_map(|panel| &panel.rows)
    }

    /// Returns true if there is a bar.
    pub fn has_any(&self) -> bool {
        self.rows().any(|row| row.end().is_some())
    }

    /// Draws the figure.
    pub fn figure(&self) -> Figure {
        let panels = if self.has_any() { &self.panels[..] } else { &[] };
        let rows = panels.iter().map(|panel| panel.rows.len() as i32).max().unwrap_or(0);
        let size = (WIDTH, TITLE + rows * ROW + FOOT);
        let mut canvas = Canvas::new(&self.title, &self.keys(), panels.len(), size);
        canvas.remark(if panels.is_empty() { NOTHING } else { &self.label });
        canvas.finish(panels, |canvas, corner, panel| self.panel(canvas, corner, panel))
    }

    fn keys(&self) -> Vec<Key> {
        let mut keys = colors::keys(&self.parts);
        keys.extend(self.band.iter().map(|(_, _, name)| (BAND, name.clone())));
        keys.extend(self.mark.iter().map(|(_, name)| (INK, format!("line: {name}"))));
        keys
    }

    /// The space for names: that of the longest, the same in all panels.
    fn names(&self) -> i32 {
        let longest = self.rows().map(|row| wide(&row.name)).max().unwrap_or(0);
        (longest + SIDE + 24).clamp(NAMES.0, NAMES.1)
    }

    fn axis(&self, panel: &Panel, pixels: (i32, i32)) -> Axis {
        let panels = if self.scale == Scale::Each { std::slice::from_ref(panel) } else { &self.panels };
        let ends = panels.iter().flat_map(|panel| &panel.rows).filter_map(Row::end);
        let marks = self.mark.iter().map(|(value, _)| *value);
        let bands = self.band.iter().flat_map(|(from, to, _)| [*from, *to]);
        let all: Vec<f64> = ends.chain(marks).chain(bands).collect();
        let most = all.iter().copied().fold(0.0, f64::max);
        let least = all.iter().copied().filter(|x| *x > 0.0).fold(f64::INFINITY, f64::min);
        let is_log = self.scale == Scale::Log && least <= most;
        let values = match is_log {
            true => (least / 1.6, most * 1.1),
            false => (all.iter().copied().fold(0.0, f64::min), most.max(f64::MIN_POSITIVE)),
        };
        Axis { is_log, values, pixels }
    }

    fn panel(&self, canvas: &mut Canvas, corner: Point, panel: &Panel) {
        let (left, right) = (corner.0 + self.names(), corner.0 + WIDTH - RIGHT);
        let (top, bottom) = (corner.1 + TITLE, corner.1 + TITLE + panel.rows.len() as i32 * ROW);
        let axis = self.axis(panel, (left, right));
        canvas.text(&fitting(&panel.title, WIDTH - 2 * SIDE), (corner.0 + SIDE, corner.1 + 14), BEGIN, INK);
        if let Some((from, to, _)) = &self.band {
            canvas.boxes(&[((axis.at(*from), top - 4), (axis.at(*to), bottom))], BAND);
        }
        axis.draw(canvas, &axis.marks(), self.unit, (top - 4, bottom));
        for (nth, row) in panel.rows.iter().enumerate() {
            let top = top + nth as i32 * ROW;
            let name = fitting(&row.name, left - corner.0 - 12);
            canvas.text(&name, (left - 8, top + BAR / 2), END, INK);
            self.row(canvas, (nth, row), axis, top);
        }
        if let Some((value, _)) = &self.mark {
            let x = axis.at(*value);
            canvas.line(&[(x, top - 4), (x, bottom)], INK, 1);
        }
    }

    fn row(&self, canvas: &mut Canvas, (nth, row): (usize, &Row), axis: Axis, top: i32) {
        let (left, middle) = (axis.pixels.0, top + BAR / 2);
        let is_log = self.scale == Scale::Log;
        let Some(end) = row.end().filter(|end| !is_log || *end > 0.0) else {
            let (text, color) = row.text.as_deref().map_or(("-", FAINT), |text| (text, BAD));
            return canvas.text(text, (left + 6, middle), BEGIN, color);
        };
        let (x, color) = (axis.at(end), colors::named(&row.name, nth));
        if is_log {
            canvas.line(&[(left, middle), (x, middle)], color, 2);
            canvas.dot((x, middle), color, 4);
        } else {
            let mut begin = 0.0;
            for (part, value) in row.values.iter().enumerate() {
                let color = if self.parts.is_empty() { color } else { colors::series(part) };
                canvas.boxes(&[((axis.at(begin), top), (axis.at(begin + value), top + BAR))], color);
                begin += value;
            }
        }
        let text = row.text.clone().unwrap_or_else(|| self.unit.value(end));
        canvas.text(&text, (x.max(left) + 8, middle), BEGIN, INK);
    }
}
