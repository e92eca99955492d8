//! The staircase, figure 8 of Gera et al., "Traversing Large Graphs on GPUs with Unified Memory", PVLDB 13(7), 2020: which
//! vertices a breadth-first search is at, level by level. Ids run from left to right, levels from top to bottom, and a cell is
//! the darker the larger the share of its ids that is active in its levels. In an order that suits the search, levels are
//! short and dark and lie below each other like steps; in one that does not, every level is faint all across.
//!
//! Bins and rows that are finer than pixels are joined; so any number of levels has a figure, of at most [`HIGH`] rows.

use super::{
    Figure, Point, SIDE,
    axis::Axis,
    colors::{Color, FAINT, INK, RULE, WHITE, shade},
    svg::{BEGIN, Canvas, END, MIDDLE, THIN, fitting, wide},
};
use crate::units::count;
use std::collections::BTreeMap;

/// The cells of a panel.
pub(super) const WIDE: i32 = 400;
/// See the module: also the rows of a panel at most.
pub const HIGH: i32 = 280;
/// Around them.
pub(super) const LEFT: i32 = 72;
const RIGHT: i32 = 28;
pub(super) const ABOVE: i32 = 28;
const BELOW: i32 = 38;
/// Between them and the frame, so that the first and the last id can be seen.
const INSET: i32 = 3;
/// Rows of so much and more have lines between them.
const ROOM: i32 = 6;

/// One search in one order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Panel {
    /// The order, the graph, its log gap.
    pub title: String,
    /// Levels of the search.
    pub levels: usize,
    /// Vertices of the graph.
    pub vertices: usize,
    /// How many vertices of each bin are active in each level, or, where levels are more than rows, in
    /// `levels.div_ceil(rows)` consecutive levels, fewer in the last row. Vertex `v` is in bin `v * bins / vertices`.
    pub rows: Vec<Vec<u32>>,
}

impl Panel {
    /// Levels of which rows have room; the last row may have fewer.
    pub(super) fn room(&self) -> f64 {
        let rows = self.rows.len().max(1);
        rows as f64 * self.levels.div_ceil(rows).max(1) as f64
    }

    /// The share of each cell on a grid no finer than pixels.
    pub(super) fn cells(&self) -> Vec<Vec<f64>> {
        let (bins, rows) = (self.rows.iter().map(Vec::len).max().unwrap_or(0), self.rows.len());
        let (columns, lines) = (bins.min(WIDE as usize), rows.min(HIGH as usize));
        let (mut cells, mut ids) = (vec![vec![0.0; columns]; lines], vec![0; columns]);
        (0..bins).for_each(|bin| ids[bin * columns / bins] += ids_in(bin, bins, self.vertices));
        for (row, counts) in self.rows.iter().enumerate() {
            for (bin, count) in counts.iter().enumerate() {
                cells[row * lines / rows][bin * columns / bins] += f64::from(*count);
            }
        }
        let with_ids = cells.iter_mut().flat_map(|row| row.iter_mut().zip(&ids));
        with_ids.for_each(|(cell, ids)| *cell /= (*ids).max(1) as f64);
        cells
    }
}

/// How many vertices have `v * bins / vertices = bin`.
pub(super) fn ids_in(bin: usize, bins: usize, vertices: usize) -> usize {
    let before = |bin: usize| (bin as u128 * vertices as u128).div_ceil(bins as u128) as usize;
    before(bin + 1) - before(bin)
}

/// Draws some panels under a title.
pub fn figure(title: &str, panels: &[Panel]) -> Figure {
    let size = (LEFT + WIDE + RIGHT, ABOVE + HIGH + BELOW);
    let mut canvas = Canvas::new(title, &[], panels.len(), size);
    if panels.is_empty() {
        canvas.remark("no searches");
    } else {
        scale(&mut canvas);
    }
    canvas.finish(panels, draw_panel)
}

/// Draws what shades mean.
fn scale(canvas: &mut Canvas) {
    let text = "active of the ids of a cell:";
    let (left, y) = (SIDE + wide(text) + 12, canvas.top + 10);
    canvas.text(text, (SIDE, y), BEGIN, FAINT);
    // In steps of the square root, as shades go; a mark has the place of its share.
    let shares = (0..75).map(|step| ((f64::from(step) + 0.5) / 75.0).powi(2)).collect();
    draw_cells(canvas, ((left, y - 12), (left + 150, y - 2)), &[shares]);
    for (share, mark) in [(0.0f64, "0"), (0.1, "10%"), (0.4, "40%"), (1.0, "100%")] {
        canvas.text(mark, (left + (150.0 * share.sqrt()).round() as i32, y + 6), MIDDLE, FAINT);
    }
    canvas.top += 30;
}

fn draw_panel(canvas: &mut Canvas, panel: &Panel) {
    let (right, bottom) = (LEFT + WIDE, ABOVE + HIGH);
    canvas.text(&fitting(&panel.title, WIDE + RIGHT), (LEFT, 14), BEGIN, INK);
    draw_cells(canvas, ((LEFT, ABOVE), (right, bottom)), &panel.cells());
    let (west, north, east, south) = (LEFT - INSET, ABOVE - INSET, right + INSET, bottom + INSET);
    canvas.line(&[(west, north), (east, north), (east, south), (west, south), (west, north)], THIN, FAINT);
    let levels = from_0(panel.room(), (ABOVE, bottom));
    let half = (f64::from(HIGH) / (2.0 * panel.room())) as i32;
    let is_level = |level: &f64| level.fract() == 0.0 && *level < panel.levels as f64;
    for level in levels.marks().into_iter().filter(is_level) {
        canvas.text(&count(level as u64), (west - 6, levels.at(level) + half), END, FAINT);
    }
    canvas.upright("BFS level", (ABOVE + bottom) / 2);
    canvas.text("0", (LEFT, bottom + 14), BEGIN, FAINT);
    canvas.text(&count(panel.vertices as u64), (right, bottom + 14), END, FAINT);
    canvas.text("vertex id", ((LEFT + right) / 2, bottom + 14), MIDDLE, FAINT);
}

/// Draws cells, and lines between rows that have room for them: neighbours of one shade are one box, and all boxes of a shade
/// are one element.
fn draw_cells(canvas: &mut Canvas, ((left, top), (right, bottom)): (Point, Point), cells: &[Vec<f64>]) {
    let (rows, columns) = (cells.len(), cells.first().map_or(0, Vec::len));
    let (x, y) = (from_0(columns as f64, (left, right)), from_0(rows as f64, (top, bottom)));
    for row in (1..rows).filter(|_| (bottom - top) / rows as i32 >= ROOM) {
        let y = y.at(row as f64);
        canvas.line(&[(left - INSET, y), (right + INSET, y)], THIN, RULE);
    }
    let mut shades: BTreeMap<Color, Vec<(Point, Point)>> = BTreeMap::new();
    for (row, shares) in cells.iter().enumerate() {
        let mut column = 0;
        for run in shares.chunk_by(|a, b| shade(*a) == shade(*b)) {
            let from = (x.at(column as f64), y.at(row as f64));
            column += run.len();
            let tile = (from, (x.at(column as f64), y.at((row + 1) as f64)));
            shades.entry(shade(run[0])).or_default().push(tile);
        }
    }
    shades.remove(&WHITE);
    shades.iter().for_each(|(color, tiles)| canvas.boxes(tiles, *color));
}

fn from_0(to: f64, pixels: (i32, i32)) -> Axis {
    Axis { is_log: false, values: (0.0, to), pixels }
}
