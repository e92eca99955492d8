//! Figures 7 and 8: a panel a graph, a bar a strategy, kernels and overhead one after the other.

use super::colors::{KERNELS, OVERHEAD};
use crate::{
    balance::{
        report::{Cell, Report, Seconds},
        strategy::NODE,
        tables::name,
    },
    plot::{
        Canvas, Drawn, Figure, Point,
        axis::Axis,
        colors::{BAD, FAINT, INK, RULE},
    },
    units::seconds,
};

/// Pixels of a panel: its width, what is left of the bars and right of them, its head, a bar with the gap below.
const WIDTH: i32 = 560;
const LEFT: i32 = 170;
const RIGHT: i32 = 150;
const HEAD: i32 = 34;
const ROW: i32 = 20;
const BAR: i32 = 13;
/// What is above the panels, and between them.
const TOP: i32 = 72;
const GAP: i32 = 18;
const COLUMNS: i32 = 2;

pub(super) fn figure<'a>(report: &'a Report, algorithm: &'a str, title: &'a str) -> Figure<'a> {
    let panels = report.graphs.iter().map(|graph| {
        let cells: Vec<&Cell> = report.cells_on(&graph.name, algorithm).collect();
        (format!("{}{}", name(graph), graph.kind.map_or_else(String::new, |kind| format!(", {kind}"))), cells)
    });
    let panels: Vec<(String, Vec<&Cell>)> = panels.filter(|(_, cells)| !cells.is_empty()).collect();
    let bars = panels.iter().map(|(_, cells)| cells.len() as i32).max().unwrap_or(0);
    let (high, rows) = (HEAD + bars * ROW + GAP, (panels.len() as i32 + COLUMNS - 1) / COLUMNS);
    Figure::new((COLUMNS * WIDTH, TOP + rows * high), move |canvas| {
        canvas.title(&format!("{title}, on {}", report.device.name))?;
        let next = canvas.key((16, 48), KERNELS, "kernels that expand frontiers")?;
        let next = canvas.key((next, 48), OVERHEAD, "overhead")?;
        canvas.begin(
            "behind a bar: the time of a run, and in brackets that over the time of node",
            (next, 48),
            FAINT,
        )?;
        for (nth, (name, cells)) in panels.iter().enumerate() {
            let (column, row) = (nth as i32 % COLUMNS, nth as i32 / COLUMNS);
            panel(canvas, (column * WIDTH, TOP + row * high), name, cells)?;
        }
        Ok(())
    })
}

fn panel(canvas: &Canvas<'_>, corner: Point, name: &str, cells: &[&Cell]) -> Drawn {
    let (left, top) = (corner.0 + LEFT, corner.1 + HEAD);
    let shown = |seconds: &Seconds| seconds.kernel + seconds.overhead;
    let longest = cells.iter().filter_map(|cell| cell.seconds.as_ref()).map(shown).fold(0.0, f64::max);
    let axis = Axis::linear((0.0, longest), (left, corner.0 + WIDTH - RIGHT));
    let node = cells.iter().find(|cell| cell.label() == NODE).and_then(|cell| cell.seconds.as_ref());
    canvas.begin(name, (corner.0 + 16, corner.1 + 14), INK)?;
    let bottom = top + cells.len() as i32 * ROW;
    canvas.line(vec![(left, top - 4), (left, bottom - 2)], RULE, 1)?;
    for (nth, cell) in cells.iter().enumerate() {
        let (high, middle) = (top + nth as i32 * ROW, top + nth as i32 * ROW + BAR / 2);
        canvas.end(cell.label(), (left - 8, middle), INK)?;
        let Some(time) = &cell.seconds else {
            let kind = cell.error.as_ref().map_or("nothing was measured", |error| error.kind.as_str());
            canvas.begin(kind, (left + 6, middle), BAD)?;
            continue;
        };
        let (end, kernels) = (axis.at(shown(time)), axis.at(time.kernel));
        canvas.bar((left, high), (kernels, high + BAR), KERNELS)?;
        canvas.bar((kernels, high), (end, high + BAR), OVERHEAD)?;
        let share = node.map_or_else(String::new, |node| {
            format!(" ({:.2})", time.spread.median / node.spread.median.max(1e-12))
        });
        canvas.begin(&format!("{}{share}", seconds(time.spread.median)), (end + 6, middle), INK)?;
    }
    Ok(())
}
