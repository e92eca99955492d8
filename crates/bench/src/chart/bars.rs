//! Bars: one panel per group (such as a graph), one horizontal bar per row, its name on the left and its value behind it.
//!
//! A bar may have several parts. On a logarithmic axis bars have no foot, so a dot on a stem replaces them.

use super::{
    Figure, SIDE, Unit,
    axis::{Axis, span},
    colors::{self, BAD, BAND, FAINT, INK, Key},
    svg::{BEGIN, Canvas, END, NOTHING, THICK, THIN, fitting, wide},
};

/// Size of a panel, of what is right of its bars for values, and of its rows.
const WIDTH: i32 = 560;
const RIGHT: i32 = 130;
const TITLE: i32 = 30;
const ROW: i32 = 20;
const BAR: i32 = 13;
const FOOT: i32 = 34;

/// How values become lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Scale {
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
pub(crate) struct Bars {
    pub(crate) title: String,
    /// What the values are, with their unit.
    pub(crate) label: String,
    pub(crate) unit: Unit,
    pub(crate) scale: Scale,
    /// The names of the parts of a bar; empty if bars have one part.
    pub(crate) parts: Vec<&'static str>,
    /// A value with a line across, and what it is.
    pub(crate) mark: Option<(f64, String)>,
    /// A range behind the bars, and what it is.
    pub(crate) band: Option<(f64, f64, String)>,
    pub(crate) panels: Vec<Panel>,
}

/// Bars below a title.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) rows: Vec<Row>,
}

/// One bar.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// The values of its parts; empty if there is nothing to show.
    pub(crate) values: Vec<f64>,
    /// What is written behind it instead of the value.
    pub(crate) text: Option<String>,
}

impl Row {
    /// Returns a bar of one value, or a row that says that there is none.
    pub(crate) fn of(name: impl Into<String>, value: Option<f64>) -> Self {
        Self { name: name.into(), values: value.into_iter().collect(), text: None }
    }

    fn end(&self) -> Option<f64> {
        (!self.values.is_empty()).then(|| self.values.iter().sum()).filter(|end: &f64| end.is_finite())
    }
}

impl Bars {
    /// Returns bars of one part, in proportion, without panels.
    pub(crate) fn new(title: impl Into<String>, label: &str) -> Self {
        Self { title: title.into(), label: label.to_owned(), ..Self::default() }
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.panels.iter().flat_map(|panel| &panel.rows)
    }

    /// Returns true if there is a bar.
    pub(crate) fn has_any(&self) -> bool {
        self.rows().any(|row| row.end().is_some())
    }

    /// Draws the figure.
    pub(crate) fn figure(&self) -> Figure {
        let panels = if self.has_any() { &self.panels[..] } else { &[] };
        let rows = panels.iter().map(|panel| panel.rows.len() as i32).max().unwrap_or(0);
        let size = (WIDTH, TITLE + rows * ROW + FOOT);
        let mut canvas = Canvas::new(&self.title, &self.keys(), panels.len(), size);
        canvas.remark(if panels.is_empty() { NOTHING } else { &self.label });
        canvas.finish(panels, |canvas, panel| self.panel(canvas, panel))
    }

    fn keys(&self) -> Vec<Key> {
        let mut keys = colors::keys(&self.parts);
        keys.extend(self.band.iter().map(|(_, _, name)| (BAND, name.clone())));
        keys.extend(self.mark.iter().map(|(_, name)| (INK, format!("line: {name}"))));
        keys
    }

    /// The axis of a panel, right of the longest name in all panels.
    fn axis(&self, panel: &Panel) -> Axis {
        let is_log = self.scale == Scale::Log;
        let longest = self.rows().map(|row| wide(&row.name)).max().unwrap_or(0);
        let pixels = ((longest + SIDE + 24).clamp(60, 220), WIDTH - RIGHT);
        let panels = if self.scale == Scale::Each { std::slice::from_ref(panel) } else { &self.panels };
        let ends = panels.iter().flat_map(|panel| &panel.rows).filter_map(Row::end);
        let marks = self.mark.iter().map(|(value, _)| *value);
        let bands = self.band.iter().flat_map(|(from, to, _)| [*from, *to]);
        let all = ends.chain(marks).chain(bands).filter(|x| !is_log || *x > 0.0);
        let (least, most) = span(all).unwrap_or_default();
        let values = match is_log {
            true => (least / 1.6, most * 1.1),
            false => (least.min(0.0), most.max(f64::MIN_POSITIVE)),
        };
        Axis { is_log, values, pixels }
    }

    fn panel(&self, canvas: &mut Canvas, panel: &Panel) {
        let axis = self.axis(panel);
        let ends = (TITLE - 4, TITLE + panel.rows.len() as i32 * ROW);
        canvas.text(&fitting(&panel.title, WIDTH - 2 * SIDE), (SIDE, 14), BEGIN, INK);
        if let Some((from, to, _)) = &self.band {
            canvas.boxes(&[((axis.at(*from), ends.0), (axis.at(*to), ends.1))], BAND);
        }
        axis.draw(canvas, &axis.marks(), self.unit, ends);
        for (nth, row) in panel.rows.iter().enumerate() {
            self.row(canvas, axis, row, nth);
        }
        if let Some((value, _)) = &self.mark {
            axis.cross(canvas, *value, ends, (THIN, INK));
        }
    }

    fn row(&self, canvas: &mut Canvas, axis: Axis, row: &Row, nth: usize) {
        let (left, top) = (axis.pixels.0, TITLE + nth as i32 * ROW);
        let middle = top + BAR / 2;
        canvas.text(&fitting(&row.name, left - 12), (left - 8, middle), END, INK);
        let is_log = self.scale == Scale::Log;
        let Some(end) = row.end().filter(|end| !is_log || *end > 0.0) else {
            let (text, color) = row.text.as_deref().map_or(("-", FAINT), |text| (text, BAD));
            return canvas.text(text, (left + 6, middle), BEGIN, color);
        };
        let (x, color) = (axis.at(end), colors::named(&row.name, nth));
        if is_log {
            canvas.line(&[(left, middle), (x, middle)], THICK, color);
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
