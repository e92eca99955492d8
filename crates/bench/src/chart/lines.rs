//! Lines: one panel per group, one line per series, over axes that are linear or logarithmic.

use super::{
    Figure, Point, SIDE, Unit,
    axis::{Axis, span},
    colors::{self, Color, FAINT, INK, RULE},
    svg::{BEGIN, Canvas, DASHED, END, MIDDLE, NOTHING, THICK, THICKER, THIN, fitting, wide},
};

/// The size of a panel where there is one, and where there are several.
const ALONE: Point = (760, 400);
const BESIDE: Point = (500, 300);
/// Space around the lines of a panel.
const LEFT: i32 = 78;
const RIGHT: i32 = 30;
const TITLE: i32 = 46;
const FOOT: i32 = 44;
/// A point so far from the one before has a dot; marks on an axis are so far apart.
const APART: i32 = 6;
pub(super) const MARK: i32 = 36;

type Line = Vec<(f64, f64)>;

/// Lines in panels.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lines {
    pub(crate) title: String,
    /// What is on the horizontal axis, and whether it is logarithmic.
    pub(crate) across: (String, bool),
    /// What is on the vertical axis, and whether it is logarithmic.
    pub(crate) up: (String, bool),
    /// How values of the vertical axis are written.
    pub(crate) unit: Unit,
    /// Mark the values of the points on the horizontal axis, not round ones.
    pub(crate) marks_points: bool,
    pub(crate) series: Vec<String>,
    pub(crate) panels: Vec<Panel>,
}

/// Lines below a title, one per series.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) lines: Vec<Line>,
    /// A place on the horizontal axis with a dashed line, and what it is.
    pub(crate) mark: Option<(f64, String)>,
}

impl Lines {
    /// Returns true if there is a point.
    pub(crate) fn has_any(&self) -> bool {
        self.panels.iter().any(|panel| self.points(panel).iter().any(|line| !line.is_empty()))
    }

    /// Draws the figure.
    pub(crate) fn figure(&self) -> Figure {
        let panels = if self.has_any() { &self.panels[..] } else { &[] };
        let size = if panels.len() > 1 { BESIDE } else { ALONE };
        let mut canvas = Canvas::new(&self.title, &colors::keys(&self.series), panels.len(), size);
        if panels.is_empty() {
            canvas.remark(NOTHING);
        }
        canvas.finish(panels, |canvas, panel| self.panel(canvas, size, panel))
    }

    /// The points that can be drawn, from the left.
    fn points(&self, panel: &Panel) -> Vec<Line> {
        let is_shown = |value: f64, is_log: bool| value.is_finite() && (!is_log || value > 0.0);
        let mut lines = panel.lines.clone();
        for line in &mut lines {
            line.retain(|(x, y)| is_shown(*x, self.across.1) && is_shown(*y, self.up.1));
            line.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        lines
    }

    fn panel(&self, canvas: &mut Canvas, (width, height): Point, panel: &Panel) {
        let lines = self.points(panel);
        let (right, bottom) = (width - RIGHT, height - FOOT);
        let top = if panel.title.is_empty() { TITLE / 2 } else { TITLE };
        let Some((across, up)) = self.axes(&lines, (LEFT, right), (bottom, top)) else { return };
        canvas.text(&fitting(&panel.title, width - 2 * SIDE), (SIDE, 14), BEGIN, INK);
        for mark in up.marks() {
            let y = up.at(mark);
            canvas.line(&[(LEFT, y), (right, y)], THIN, RULE);
            canvas.text(&self.unit.mark(mark), (LEFT - 6, y), END, FAINT);
        }
        across.draw(canvas, &self.marks(&lines, across), Unit::Number, (top, bottom));
        canvas.upright(&fitting(&self.up.0, height), (top + bottom) / 2);
        canvas.text(&self.across.0, ((LEFT + right) / 2, bottom + 30), MIDDLE, FAINT);
        canvas.line(&[(LEFT, top), (LEFT, bottom), (right, bottom)], THIN, INK);
        for (nth, line) in lines.iter().enumerate() {
            // Where lines lie on each other, the one below is seen around the other.
            let is_below = self.panels.len() > 1 && nth == 0;
            draw(canvas, line, (across, up), colors::series(nth), is_below);
        }
        if let Some((place, name)) = &panel.mark {
            across.cross(canvas, *place, (top - 12, bottom), (DASHED, INK));
            // Its name on the side that has room.
            let x = across.at(*place);
            let (x, side) = if x + 6 + wide(name) < right { (x + 6, BEGIN) } else { (x - 6, END) };
            canvas.text(name, (x, top - 10), side, INK);
        }
    }

    /// Axes around all points, over some pixels across and upwards.
    pub(super) fn axes(&self, lines: &[Line], wide: (i32, i32), high: (i32, i32)) -> Option<(Axis, Axis)> {
        let x = span(lines.iter().flatten().map(|point| point.0))?;
        let y = span(lines.iter().flatten().map(|point| point.1))?;
        let (is_log, pixels) = (self.across.1, wide);
        let values = if is_log { (x.0 / 1.1, x.1 * 1.15) } else { (x.0.min(0.0), x.1 + 0.5) };
        let across = Axis { is_log, values, pixels };
        let (is_log, pixels) = (self.up.1, high);
        let values = if is_log { (0.7 * y.0, 1.4 * y.1) } else { upwards(y) };
        Some((across, Axis { is_log, values, pixels }))
    }

    /// Marks of the horizontal axis, as far as there is room.
    pub(super) fn marks(&self, lines: &[Line], across: Axis) -> Vec<f64> {
        let mut all = match self.marks_points {
            true => lines.iter().flatten().map(|point| point.0).collect(),
            false => across.marks(),
        };
        all.sort_by(f64::total_cmp);
        all.dedup_by(|mark, before| across.at(*mark) < across.at(*before) + MARK);
        all
    }
}

/// The ends of a linear axis: from 0, unless that would press all lines together at the top.
fn upwards((least, most): (f64, f64)) -> (f64, f64) {
    let is_near = least > 0.6 * most;
    let low = if is_near { least - 0.1 * (most - least).max(0.05 * most.abs()) } else { least.min(0.0) };
    (low, if most > low { most + 0.05 * (most - low) } else { low + 1.0 })
}

fn draw(canvas: &mut Canvas, line: &Line, (across, up): (Axis, Axis), color: Color, is_thicker: bool) {
    let (width, radius) = if is_thicker { (THICKER, 3) } else { (THICK, 2) };
    let mut points: Vec<Point> = line.iter().map(|(x, y)| (across.at(*x), up.at(*y))).collect();
    points.dedup();
    let is_near = |a: &Point, b: &Point| (a.0 - b.0).abs().max((a.1 - b.1).abs()) < APART;
    points.chunk_by(is_near).for_each(|run| canvas.dot(run[0], color, radius));
    canvas.line(&points, width, color);
}
