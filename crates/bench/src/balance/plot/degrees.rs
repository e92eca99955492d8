//! Figure 10: a panel a graph, how many vertices have which degree, before and after splitting. Degree 0 has no logarithm and is
//! left out.

use super::colors::{AFTER, BEFORE};
use crate::{
    balance::{
        degrees::{Bin, Degrees},
        report::Report,
        tables::name,
    },
    plot::{
        Canvas, Drawn, Figure, Point,
        axis::Axis,
        canvas::wide,
        colors::{FAINT, INK, RGBColor, RULE},
    },
    units::count,
};

const WIDTH: i32 = 480;
const HIGH: i32 = 300;
const TOP: i32 = 72;
const COLUMNS: i32 = 2;
/// What is around the curves of a panel.
const LEFT: i32 = 70;
const RIGHT: i32 = 24;
const HEAD: i32 = 46;
const FOOT: i32 = 44;

pub(super) fn figure(report: &Report) -> Figure<'_> {
    let panels = report.graphs.iter().filter_map(|graph| Some((name(graph), graph.degrees.as_ref()?)));
    let panels: Vec<(String, &Degrees)> = panels.filter(|(_, degrees)| degrees.max > 0).collect();
    let rows = (panels.len() as i32 + COLUMNS - 1) / COLUMNS;
    Figure::new((COLUMNS * WIDTH, TOP + rows * HIGH), move |canvas| {
        canvas.title("Figure 10: degrees before and after node splitting")?;
        let next = canvas.key((16, 48), BEFORE, "vertices")?;
        let next = canvas.key((next, 48), AFTER, "worklist entries after splitting")?;
        canvas.begin("MDT: the largest degree that is left whole", (next, 48), FAINT)?;
        for (nth, (name, degrees)) in panels.iter().enumerate() {
            let (column, row) = (nth as i32 % COLUMNS, nth as i32 / COLUMNS);
            panel(canvas, (column * WIDTH, TOP + row * HIGH), name, degrees)?;
        }
        Ok(())
    })
}

fn panel(canvas: &Canvas<'_>, corner: Point, name: &str, degrees: &Degrees) -> Drawn {
    let (left, right) = (corner.0 + LEFT, corner.0 + WIDTH - RIGHT);
    let (top, bottom) = (corner.1 + HEAD, corner.1 + HIGH - FOOT);
    let bins = || degrees.before.iter().chain(&degrees.after).filter(|bin| bin.from > 0);
    let most = bins().map(Bin::density).fold(1.0, f64::max);
    let least = bins().map(Bin::density).fold(1.0, f64::min);
    let across = match degrees.max {
        0..=24 => Axis::linear((0.0, degrees.max as f64 + 0.5), (left, right)),
        max => Axis::log((1.0, 1.2 * max as f64), (left, right)),
    };
    let up = Axis::log((0.7 * least, 1.5 * most), (bottom, top));
    canvas.begin(name, (corner.0 + 16, corner.1 + 14), INK)?;
    for mark in up.marks() {
        let y = up.at(mark);
        canvas.line(vec![(left, y), (right, y)], RULE, 1)?;
        canvas.end(&mark_text(mark), (left - 6, y), FAINT)?;
    }
    for mark in across.marks() {
        let x = across.at(mark);
        canvas.line(vec![(x, top), (x, bottom)], RULE, 1)?;
        canvas.middle(&mark_text(mark), (x, bottom + 12), FAINT)?;
    }
    canvas.middle("out-degree", ((left + right) / 2, bottom + 30), FAINT)?;
    // Where they are the same, the one below is seen around the other.
    curve(canvas, &degrees.before, (across, up), BEFORE, 4)?;
    curve(canvas, &degrees.after, (across, up), AFTER, 1)?;
    threshold(canvas, degrees.threshold, across, (left, right), (top, bottom))
}

fn curve(
    canvas: &Canvas<'_>,
    bins: &[Bin],
    (across, up): (Axis, Axis),
    color: RGBColor,
    width: i32,
) -> Drawn {
    let bins = bins.iter().filter(|bin| bin.from > 0);
    let points: Vec<Point> = bins.map(|bin| (across.at(bin.middle()), up.at(bin.density()))).collect();
    points.iter().try_for_each(|point| canvas.dot(*point, color, width.max(2)))?;
    canvas.line(points, color, width as u32)
}

/// The threshold above the curves, its name on the side that has room.
fn threshold(canvas: &Canvas<'_>, mdt: u64, across: Axis, sides: Point, ends: Point) -> Drawn {
    let (x, text) = (across.at(mdt as f64), format!("MDT {}", count(mdt)));
    canvas.dashed(x, ends.0 - 12, ends.1, INK)?;
    if x + 6 + wide(&text) < sides.1 {
        canvas.begin(&text, (x + 6, ends.0 - 10), INK)
    } else {
        canvas.end(&text, (x - 6, ends.0 - 10), INK)
    }
}

/// A whole number below a thousand, a power of ten, or a few digits.
fn mark_text(mark: f64) -> String {
    match mark {
        mark if mark >= 1e3 => format!("1e{:.0}", mark.log10()),
        mark if mark >= 1.0 || mark == 0.0 => format!("{mark:.0}"),
        mark => format!("{mark}"),
    }
}
