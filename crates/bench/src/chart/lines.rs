//! Lines: one panel per group, one line per series, over axes that are linear or logarithmic.

use super::{
    Canvas, Figure, HEAD, Point, SIDE, Unit,
    axis::Axis,
    colors::{Color, FAINT, INK, RULE, series},
    grid,
    svg::{fitting, legend_height, wide},
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
const MARK: i32 = 36;

/// Lines in panels.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines {
    /// The title of the figure.
    pub title: String,
    /// What is on the horizontal axis, and whether it is logarithmic.
    pub across: (String, bool),
    /// What is on the vertical axis, and whether it is logarithmic.
    pub up: (String, bool),
    /// How values of the vertical axis are written.
    pub unit: Unit,
    /// Mark the values of the points on the horizontal axis, not round ones.
    pub marks_points: bool,
    /// The names of the series.
    pub series: Vec<String>,
    /// The panels.
    pub panels: Vec<Panel>,
}

/// Lines below a title.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Panel {
    /// What they have in common.
    pub title: String,
    /// The points of every series.
    pub lines: Vec<Vec<(f64, f64)>>,
    /// A place on the horizontal axis with a dashed line, and what it is.
    pub mark: Option<(f64, String)>,
}

impl Lines {
    /// Returns true if there is a point.
    pub fn has_any(&self) -> bool {
        self.panels.iter().any(|panel| self.points(panel).iter().any(|line| !line.is_empty()))
    }

    /// Draws the figure.
    pub fn figure(&self) -> Figure {
        let (columns, rows) = grid(self.panels.len());
        let (width, high) = if self.panels.len() > 1 { BESIDE } else { ALONE };
        let named = self.series.iter().enumerate();
        let keys: Vec<(Color, String)> = named.map(|(nth, name)| (series(nth), name.clone())).collect();
        let top = HEAD + legend_height(&keys, columns * width);
        let mut canvas = Canvas::new((columns * width, top + rows * high), &self.title);
        canvas.legend(&keys);
        if !self.has_any() {
            canvas.begin("nothing was measured", (SIDE, top + 14), FAINT);
            return canvas.finish();
        }
        for (panel, nth) in self.panels.iter().zip(0..) {
            self.panel(
                &mut canvas,
                panel,
                (nth % columns * width, top + nth / columns * high),
                (width, high),
            );
        }
        canvas.finish()
    }

    /// The points that can be drawn, from the left.
    fn points(&self, panel: &Panel) -> Vec<Vec<(f64, f64)>> {
        let is_shown = |value: f64, is_log: bool| value.is_finite() && (!is_log || value > 0.0);
        let sound = |line: &Vec<(f64, f64)>| {
            let shown = |&&(x, y): &&(f64, f64)| is_shown(x, self.across.1) && is_shown(y, self.up.1);
            let mut line: Vec<(f64, f64)> = line.iter().filter(shown).copied().collect();
            line.sort_by(|a, b| a.0.total_cmp(&b.0));
            line
        };
        panel.lines.iter().map(sound).collect()
    }

    fn panel(&self, canvas: &mut Canvas, panel: &Panel, corner: Point, size: Point) {
        let lines = self.points(panel);
        let (left, right) = (corner.0 + LEFT, corner.0 + size.0 - RIGHT);
        let (top, bottom) = (corner.1 + TITLE, corner.1 + size.1 - FOOT);
        let Some((across, up)) = self.axes(&lines, (left, right), (bottom, top)) else { return };
        canvas.begin(&fitting(&panel.title, size.0 - 2 * SIDE), (corner.0 + SIDE, corner.1 + 14), INK);
        for mark in up.marks() {
            let y = up.at(mark);
            canvas.line(&[(left, y), (right, y)], RULE, 1);
            canvas.end(&self.unit.mark(mark), (left - 6, y), FAINT);
        }
        for mark in self.marks(&lines, across) {
            let x = across.at(mark);
            canvas.line(&[(x, top), (x, bottom)], RULE, 1);
            canvas.middle(&Unit::Number.mark(mark), (x, bottom + 12), FAINT);
        }
        canvas.upright(&fitting(&self.up.0, size.1), (corner.0 + 16, (top + bottom) / 2), FAINT);
        canvas.middle(&self.across.0, ((left + right) / 2, bottom + 30), FAINT);
        canvas.line(&[(left, top), (left, bottom), (right, bottom)], INK, 1);
        for (nth, line) in lines.iter().enumerate() {
            // Where lines lie on each other, the one below is seen around the other.
            let width = if self.panels.len() > 1 && nth == 0 { 4 } else { 2 };
            draw(canvas, line, (across, up), series(nth), width);
        }
        if let Some((place, name)) = &panel.mark {
            threshold(canvas, (across.at(*place), name), right, (top, bottom));
        }
    }

    fn axes(&self, lines: &[Vec<(f64, f64)>], pixels: (i32, i32), high: (i32, i32)) -> Option<(Axis, Axis)> {
        let ends = |of: fn(&(f64, f64)) -> f64| {
            let all = || lines.iter().flatten().map(of);
            Some((all().reduce(f64::min)?, all().reduce(f64::max)?))
        };
        let (x, y) = (ends(|point| point.0)?, ends(|point| point.1)?);
        let across = match self.across.1 {
            true => Axis::log((x.0 / 1.1, x.1 * 1.15), pixels),
            false => Axis::linear((x.0.min(0.0), x.1 + 0.5), pixels),
        };
        let up = match self.up.1 {
            true => Axis::log((0.7 * y.0, 1.4 * y.1), high),
            false => {
                // From 0, unless that would press all lines together at the top.
                let near = y.0 > 0.6 * y.1;
                let low = if near { y.0 - 0.1 * (y.1 - y.0).max(0.05 * y.1.abs()) } else { y.0.min(0.0) };
                let top = if y.1 > low { y.1 + 0.05 * (y.1 - low) } else { low + 1.0 };
                Axis::linear((low, top), high)
            }
        };
        Some((across, up))
    }

    /// Marks of the horizontal axis, as far as there is room.
    fn marks(&self, lines: &[Vec<(f64, f64)>], across: Axis) -> Vec<f64> {
        let mut all = match self.marks_points {
            true => lines.iter().flatten().map(|point| point.0).collect(),
            false => across.marks(),
        };
        all.sort_by(f64::total_cmp);
        let mut last = i32::MIN;
        all.retain(|mark| {
            let has_room = across.at(*mark) >= last.saturating_add(MARK);
            last = if has_room { across.at(*mark) } else { last };
            has_room
        });
        all
    }
}

fn draw(canvas: &mut Canvas, line: &[(f64, f64)], (across, up): (Axis, Axis), color: Color, width: i32) {
    let mut points: Vec<Point> = line.iter().map(|(x, y)| (across.at(*x), up.at(*y))).collect();
    points.dedup();
    let is_near = |a: &Point, b: &Point| (a.0 - b.0).abs().max((a.1 - b.1).abs()) < APART;
    for run in points.chunk_by(is_near) {
        canvas.dot(run[0], color, 1 + width / 2);
    }
    if points.len() > 1 {
        canvas.line(&points, color, width);
    }
}

/// A dashed line, its name on the side that has room.
fn threshold(canvas: &mut Canvas, (x, name): (i32, &str), right: i32, ends: (i32, i32)) {
    canvas.dashed(x, (ends.0 - 12, ends.1), INK);
    if x + 6 + wide(name) < right {
        canvas.begin(name, (x + 6, ends.0 - 10), INK);
    } else {
        canvas.end(name, (x - 6, ends.0 - 10), INK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(all: &[&[(f64, f64)]]) -> Lines {
        let panel = Panel { lines: all.iter().map(|line| line.to_vec()).collect(), ..Panel::default() };
        Lines {
            title: "samples".to_owned(),
            across: ("number of samples".to_owned(), true),
            up: ("log gap (bits)".to_owned(), false),
            unit: Unit::Number,
            marks_points: true,
            series: all.iter().enumerate().map(|(nth, _)| format!("g<{nth}>")).collect(),
            panels: vec![panel],
        }
    }

    #[test]
    fn axes_series_and_measured_points_are_written() {
        let points: Vec<(f64, f64)> = (1..9).map(|k| (2f64.powi(k), 3.0 + 1.0 / f64::from(k))).collect();
        let figure = lines(&[&points, &points]).figure();
        for word in ["samples", "number of samples", "log gap (bits)", "g&lt;1&gt;", ">256<", ">2<"] {
            assert!(figure.svg().contains(word), "{word}\n{}", figure.svg());
        }
        assert_eq!(figure.svg().matches("<circle").count(), 2 * 8);
    }

    #[test]
    fn marks_too_near_each_other_are_left_out() {
        let points: Vec<(f64, f64)> = (1..=256).map(|k| (f64::from(k), 1.0)).collect();
        let (lines, all) = (lines(&[&points]), [points.clone()]);
        let (across, _) = lines.axes(&all, (0, 600), (400, 0)).unwrap();
        let at: Vec<i32> = lines.marks(&all, across).iter().map(|mark| across.at(*mark)).collect();
        assert!(at.len() > 5 && at.windows(2).all(|pair| pair[1] - pair[0] >= MARK), "{at:?}");
    }

    #[test]
    fn panels_have_titles_and_thresholds() {
        let mut lines = lines(&[&[(1.0, 2.0), (100.0, 1.0)]]);
        lines.panels[0].title = "road".to_owned();
        lines.panels[0].mark = Some((90.0, "MDT 90".to_owned()));
        lines.panels.push(lines.panels[0].clone());
        let figure = lines.figure();
        assert_eq!(figure.svg().matches(">road<").count(), 2);
        assert!(figure.svg().contains("stroke-dasharray") && figure.svg().contains(">MDT 90<"));
    }

    #[test]
    fn figures_of_nothing_are_drawn_too() {
        for all in [&[][..], &[&[][..]], &[&[(0.0, 1.0), (2.0, f64::NAN)][..]]] {
            assert!(lines(all).figure().svg().contains("nothing was measured"));
        }
        assert!(lines(&[&[(8.0, 0.0)], &[(8.0, -2.0)]]).figure().svg().contains("<circle"));
    }
}
