//! Lines over a parameter that doubles, such as the number of samples: marks at the values measured, a line each, its name
//! at its right end.

use super::{
    Canvas, Drawn, Figure, Point, Unit,
    axis::Axis,
    canvas::fitting,
    colors::{FAINT, INK, RGBColor, series},
    frame::{FOOT, Frame, LEFT},
};

const SIZE: Point = (820, 440);
const SIDE: i32 = 16;
const TOP: i32 = 56;
/// Beside the lines, for their names.
const NAMES: i32 = 190;
/// Between names.
const LINE: i32 = 14;
/// Between marks.
const MARK: i32 = 36;

/// What is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// Above everything.
    pub title: String,
    /// What the parameter is.
    pub parameter: String,
    /// What the values are, with their unit.
    pub label: String,
    /// How they are written.
    pub unit: Unit,
    /// A name and points each: parameters above 0, and values.
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
}

/// The figure.
pub fn figure(sweep: &Sweep) -> Figure<'static> {
    let sweep = Sweep { lines: sweep.lines.iter().map(sound).collect(), ..sweep.clone() };
    let high = SIZE.1.max(TOP + FOOT + LINE * sweep.lines.len() as i32);
    Figure::new((SIZE.0, high), move |canvas| {
        canvas.title(&sweep.title)?;
        let Some(frame) = frame(&sweep, high - FOOT) else {
            return canvas.begin("nothing was measured", (SIDE, TOP), FAINT);
        };
        frame.values(canvas, sweep.unit, &sweep.label)?;
        frame.parameters(canvas, &marks(&sweep, frame.across), &sweep.parameter)?;
        frame.axes(canvas)?;
        for (nth, (_, points)) in sweep.lines.iter().enumerate() {
            line(canvas, frame, points, series(nth))?;
        }
        names(canvas, &sweep, frame)
    })
}

/// A line with the points that can be drawn, from the left.
fn sound((name, points): &(String, Vec<(f64, f64)>)) -> (String, Vec<(f64, f64)>) {
    let is_sound = |(x, y): &(f64, f64)| x.is_finite() && *x > 0.0 && y.is_finite();
    let mut points: Vec<(f64, f64)> = points.iter().copied().filter(is_sound).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    (name.clone(), points)
}

fn frame(sweep: &Sweep, bottom: i32) -> Option<Frame> {
    let points = || sweep.lines.iter().flat_map(|(_, points)| points.iter().copied());
    let ends = |of: fn((f64, f64)) -> f64| {
        let (low, high) = (points().map(of).reduce(f64::min)?, points().map(of).reduce(f64::max)?);
        Some((low, high))
    };
    let (across, (low, high)) = (ends(|point| point.0)?, ends(|point| point.1)?);
    // From 0, unless that would press all lines together at the top.
    let low = if low > 0.6 * high { low - 0.1 * (high - low).max(0.05 * high.abs()) } else { low.min(0.0) };
    let high = if high > low { high + 0.05 * (high - low) } else { low + 1.0 };
    Some(Frame {
        across: Axis::log((across.0 / 1.1, across.1 * 1.1), (LEFT, SIZE.0 - NAMES)),
        up: Axis::linear((low, high), (bottom, TOP)),
    })
}

/// The parameters measured, as far as there is room.
fn marks(sweep: &Sweep, across: Axis) -> Vec<f64> {
    let mut all: Vec<f64> =
        sweep.lines.iter().flat_map(|(_, points)| points.iter().map(|point| point.0)).collect();
    all.sort_by(f64::total_cmp);
    let mut last = i32::MIN;
    all.retain(|mark| {
        let has_room = across.at(*mark) >= last.saturating_add(MARK);
        last = if has_room { across.at(*mark) } else { last };
        has_room
    });
    all
}

fn line(canvas: &Canvas<'_>, frame: Frame, points: &[(f64, f64)], color: RGBColor) -> Drawn {
    let points: Vec<Point> = points.iter().map(|(x, y)| (frame.across.at(*x), frame.up.at(*y))).collect();
    points.iter().try_for_each(|point| canvas.dot(*point, color, 3))?;
    if points.len() < 2 { Ok(()) } else { canvas.line(points, color, 2) }
}

/// Names beside the ends of their lines, or as near as they find room, and a thin line from one to the other.
fn names(canvas: &Canvas<'_>, sweep: &Sweep, frame: Frame) -> Drawn {
    let ends = sweep.lines.iter().enumerate().filter_map(|(nth, (name, points))| {
        let (x, y) = points.last()?;
        Some(((frame.across.at(*x), frame.up.at(*y)), nth, name))
    });
    let mut ends: Vec<(Point, usize, &String)> = ends.collect();
    ends.sort_by_key(|((_, y), nth, _)| (*y, *nth));
    let (bottom, top) = frame.up.pixels();
    let wanted: Vec<i32> = ends.iter().map(|((_, y), ..)| *y).collect();
    let left = SIZE.0 - NAMES + 24;
    for (((x, y), nth, name), place) in ends.into_iter().zip(apart(&wanted, (top, bottom))) {
        canvas.line(vec![(x + 5, y), (left - 4, place)], series(nth), 1)?;
        canvas.begin(&fitting(name, SIZE.0 - left - 8), (left, place), INK)?;
    }
    Ok(())
}

/// Places at least a line apart, near those wanted, which rise; within the ends as long as there is room.
fn apart(wanted: &[i32], (top, bottom): (i32, i32)) -> Vec<i32> {
    let mut places = wanted.to_vec();
    let mut free = top;
    for place in &mut places {
        *place = free.max(*place);
        free = *place + LINE;
    }
    let mut free = bottom;
    for place in places.iter_mut().rev() {
        *place = free.min(*place);
        free = *place - LINE;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::testing::Picture;

    fn sweep(lines: &[(&str, &[(f64, f64)])]) -> Sweep {
        Sweep {
            title: "samples".to_owned(),
            parameter: "number of samples".to_owned(),
            label: "log gap (bits)".to_owned(),
            unit: Unit::Number,
            lines: lines.iter().map(|(name, points)| ((*name).to_owned(), points.to_vec())).collect(),
        }
    }

    #[test]
    fn lines_have_marks_at_what_was_measured_and_names_at_their_ends() {
        let points: Vec<(f64, f64)> = (1..9).map(|k| (2f64.powi(k), 3.0 + 1.0 / f64::from(k))).collect();
        let svg = figure(&sweep(&[("kron:20", &points), ("a <b>", &points)])).svg().unwrap();
        for word in
            ["samples", "number of samples", "log gap (bits)", "kron:20", "a &lt;b&gt;", "256", "\n2\n"]
        {
            assert!(svg.contains(word), "{word}\n{svg}");
        }
        assert_eq!(svg.matches("<circle").count(), 2 * 8);
    }

    #[test]
    fn a_point_has_its_colour_where_its_value_is() {
        let sweep = sweep(&[("g", &[(64.0, 1.0), (2.0, 4.0)])]);
        let picture = Picture::of(&figure(&sweep));
        let frame = frame(&sweep, SIZE.1 - FOOT).unwrap();
        let RGBColor(red, green, blue) = series(0);
        for (x, y) in [(2.0, 4.0), (64.0, 1.0)] {
            assert_eq!(picture.at(frame.across.at(x), frame.up.at(y)), [red, green, blue]);
        }
    }

    #[test]
    fn names_keep_apart_and_within_the_figure() {
        assert_eq!(apart(&[50, 50, 51, 200], (0, 300)), [50, 64, 78, 200]);
        assert_eq!(apart(&[295, 299, 300], (0, 300)), [272, 286, 300]);
    }

    #[test]
    fn marks_too_near_each_other_are_left_out() {
        let points: Vec<(f64, f64)> = (1..=256).map(|k| (f64::from(k), 1.0)).collect();
        let sweep = sweep(&[("g", &points)]);
        let frame = frame(&sweep, 400).unwrap();
        let at: Vec<i32> = marks(&sweep, frame.across).iter().map(|mark| frame.across.at(*mark)).collect();
        assert!(at.len() > 5 && at.windows(2).all(|pair| pair[1] - pair[0] >= MARK), "{at:?}");
    }

    #[test]
    fn figures_of_nothing_are_drawn_too() {
        for lines in [&[][..], &[("g", &[][..])], &[("g", &[(0.0, 1.0), (2.0, f64::NAN)][..])]] {
            assert!(figure(&sweep(lines)).svg().unwrap().contains("nothing was measured"));
            Picture::of(&figure(&sweep(lines)));
        }
        Picture::of(&figure(&sweep(&[("g", &[(8.0, 0.0)]), ("h", &[(8.0, -2.0)])])));
    }
}
