//! The degrees of a graph: how many vertices have at least a degree, both by logarithms. That is a line that falls from all
//! vertices to the one of the largest degree; unlike the number of vertices of each degree it needs no bins and has no
//! noise where vertices are few. Degree 0 has no logarithm: how many there are is said beside the name of the series.
//!
//! Where no degree is above [`FEW`], as in road networks, such a line would be level; there the number of vertices of each
//! degree is shown, and degrees are in proportion.

use super::{
    Drawn, Figure, Point, Unit,
    axis::Axis,
    canvas::Canvas,
    colors::{FAINT, RGBColor, series},
    frame::{FOOT, Frame, LEFT, RIGHT},
    legend::Legend,
};
use crate::units::count;
use std::collections::BTreeMap;

const SIZE: Point = (720, 440);
const SIDE: i32 = 16;
const HEAD: i32 = 40;
/// A point so far from the next one has a dot.
const APART: i32 = 6;
/// See the module.
pub const FEW: u64 = 24;

/// Degrees of one kind: out, in, or of another graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// What it is called in the legend.
    pub name: String,
    /// Degrees and how many vertices have each, in any order.
    pub counts: Vec<(u64, u64)>,
}

impl Series {
    /// Degrees that vertices have, from the least, and how many vertices have each.
    fn sorted(&self) -> Vec<(u64, u64)> {
        let mut counts = BTreeMap::new();
        for (degree, count) in self.counts.iter().filter(|(_, count)| *count > 0) {
            let sum: &mut u64 = counts.entry(*degree).or_default();
            *sum = sum.saturating_add(*count);
        }
        counts.into_iter().collect()
    }

    /// The same above 0, and how many vertices have at least so many.
    fn falling(&self) -> Vec<(u64, u64)> {
        let mut counts = self.sorted();
        counts.retain(|(degree, _)| *degree > 0);
        let mut above = 0u64;
        for (_, count) in counts.iter_mut().rev() {
            above = above.saturating_add(*count);
            *count = above;
        }
        counts
    }

    fn label(&self, shape: Shape) -> String {
        let zeros = self.counts.iter().filter(|(degree, _)| *degree == 0).map(|(_, count)| *count);
        match zeros.fold(0, u64::saturating_add) {
            0 => self.name.clone(),
            _ if shape == Shape::Each => self.name.clone(),
            zeros => format!("{}; {} of degree 0", self.name, count(zeros)),
        }
    }
}

/// What is shown of a degree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// The vertices of at least as much.
    Falling,
    /// The vertices of just as much.
    Each,
}

impl Shape {
    fn points(self, of: &Series) -> Vec<(u64, u64)> {
        match self {
            Self::Falling => of.falling(),
            Self::Each => of.sorted(),
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Falling => "vertices of at least this degree",
            Self::Each => "vertices of this degree",
        }
    }

    fn across(self, least: u64, most: u64) -> Axis {
        let pixels = (LEFT, SIZE.0 - RIGHT);
        match self {
            Self::Falling => Axis::log((0.9 * least as f64, 1.15 * most as f64), pixels),
            Self::Each => Axis::linear((0.0, most as f64 + 0.5), pixels),
        }
    }

    fn marks(self, across: Axis, most: u64) -> Vec<f64> {
        match self {
            Self::Falling => across.marks(),
            Self::Each => (0..=most).map(|degree| degree as f64).collect(),
        }
    }
}

/// The figure of some series, under a title.
pub fn figure(title: &str, all: &[Series]) -> Figure<'static> {
    let title = title.to_owned();
    let most = all.iter().flat_map(Series::sorted).map(|(degree, _)| degree).max().unwrap_or(0);
    let shape = if most > FEW { Shape::Falling } else { Shape::Each };
    let lines: Vec<Vec<(u64, u64)>> = all.iter().map(|one| shape.points(one)).collect();
    let keys = all.iter().enumerate().map(|(nth, one)| (series(nth), one.label(shape)));
    let legend = Legend::new(keys, SIZE.0 - 2 * SIDE);
    let top = HEAD + legend.high() + 14;
    Figure::new((SIZE.0, SIZE.1 + legend.high()), move |canvas| {
        canvas.title(&title)?;
        legend.draw(canvas, (SIDE, HEAD + 8))?;
        let Some(frame) = frame(shape, &lines, (top, SIZE.1 + legend.high() - FOOT)) else {
            return canvas.begin("no vertices", (SIDE, top + 14), FAINT);
        };
        frame.values(canvas, Unit::Number, shape.label())?;
        frame.parameters(canvas, &shape.marks(frame.across, most), "degree")?;
        frame.axes(canvas)?;
        lines.iter().enumerate().try_for_each(|(nth, line)| curve(canvas, frame, line, series(nth)))
    })
}

fn frame(shape: Shape, lines: &[Vec<(u64, u64)>], (top, bottom): (i32, i32)) -> Option<Frame> {
    let points = || lines.iter().flatten();
    let degrees = (points().map(|point| point.0).min()?, points().map(|point| point.0).max()?);
    let most = points().map(|point| point.1).max()?;
    Some(Frame {
        across: shape.across(degrees.0, degrees.1),
        up: Axis::log((0.8, 1.3 * most.max(2) as f64), (bottom, top)),
    })
}

fn curve(canvas: &Canvas<'_>, frame: Frame, line: &[(u64, u64)], color: RGBColor) -> Drawn {
    let place = |(degree, count): &(u64, u64)| (frame.across.at(*degree as f64), frame.up.at(*count as f64));
    let mut points: Vec<Point> = line.iter().map(place).collect();
    points.dedup();
    let is_near = |a: &Point, b: &Point| (a.0 - b.0).abs().max((a.1 - b.1).abs()) < APART;
    for run in points.chunk_by(is_near) {
        canvas.dot(run[0], color, 2)?;
        run[1..].last().map_or(Ok(()), |end| canvas.dot(*end, color, 2))?;
    }
    if points.len() < 2 { Ok(()) } else { canvas.line(points, color, 2) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::testing::{Picture, WHITE};

    fn made(name: &str, counts: &[(u64, u64)]) -> Series {
        Series { name: name.to_owned(), counts: counts.to_vec() }
    }

    #[test]
    fn a_degree_has_all_vertices_of_at_least_as_much() {
        let series = made("out", &[(3, 1), (0, 5), (1, 10), (2, 4), (7, 0)]);
        assert_eq!(series.falling(), [(1, 15), (2, 5), (3, 1)]);
        assert_eq!(series.label(Shape::Falling), "out; 5 of degree 0");
        assert_eq!(series.label(Shape::Each), "out");
        assert_eq!(series.sorted(), [(0, 5), (1, 10), (2, 4), (3, 1)]);
        assert_eq!(made("in", &[(2, 3), (2, 4)]).falling(), [(2, 7)], "counted twice is counted once");
        assert_eq!(made("in", &[(1, u64::MAX), (2, u64::MAX)]).falling()[0], (1, u64::MAX));
    }

    #[test]
    fn series_and_axes_are_named() {
        let all = [made("out <b>", &[(1, 100), (10, 10)]), made("in", &[(1, 50), (1000, 1)])];
        let svg = figure("degrees of kron:14", &all).svg().unwrap();
        for word in ["degrees of kron:14", "out &lt;b&gt;", "in", "vertices of at least this degree", "1,000"]
        {
            assert!(svg.contains(word), "{word}\n{svg}");
        }
        assert!(!svg.contains("<b>"));
        assert_eq!(svg.matches("stroke-width=\"2\"").count(), 2, "a line each");
    }

    #[test]
    fn few_degrees_are_shown_one_by_one() {
        let svg = figure("grid", &[made("out", &[(2, 4), (3, 3000), (4, 500_000)])]).svg().unwrap();
        assert!(svg.contains("vertices of this degree") && svg.contains("\n3\n"), "{svg}");
        assert!(!svg.contains("\n0.5\n"), "degrees are whole");
        assert_eq!(svg.matches("<circle").count(), 3);
    }

    #[test]
    fn the_first_dot_is_at_the_upper_left_end_of_the_line() {
        let picture = Picture::of(&figure("t", &[made("out", &[(1, 1000), (100, 10)])]));
        let lines = [vec![(1, 1010), (100, 10)]];
        let frame = frame(Shape::Falling, &lines, (HEAD + 34, SIZE.1 + 20 - FOOT)).unwrap();
        let (x, y) = (frame.across.at(1.0), frame.up.at(1010.0));
        let RGBColor(r, g, b) = series(0);
        assert_eq!(picture.at(x, y), [r, g, b]);
        assert_eq!(picture.at(x + 40, y - 8), WHITE);
    }

    #[test]
    fn figures_of_nothing_are_drawn_too() {
        for all in [&[][..], &[made("out", &[])], &[made("out", &[(3, 0)])]] {
            assert!(figure("t", all).svg().unwrap().contains("no vertices"));
            Picture::of(&figure("t", all));
        }
        Picture::of(&figure("t", &[made("out", &[(0, 7)])]));
        Picture::of(&figure("t", &[made("out", &[(1, 1)])]));
        Picture::of(&figure("t", &[made("out", &[(u64::MAX, u64::MAX)])]));
    }
}
