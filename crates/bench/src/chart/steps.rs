//! The staircase, figure 8 of Gera et al., "Traversing Large Graphs on GPUs with Unified Memory", PVLDB 13(7), 2020: which
//! vertices a breadth-first search is at, level by level. Ids run from left to right, levels from top to bottom, and a cell is
//! the darker the larger the share of its ids that is active in its levels. In an order that suits the search, levels are
//! short and dark and lie below each other like steps; in one that does not, every level is faint all across.
//!
//! Bins and rows that are finer than pixels are joined; so any number of levels has a figure, of at most [`HIGH`] rows.

use super::{
    Canvas, Figure, Point, SIDE,
    axis::Axis,
    colors::{Color, FAINT, INK, RULE, shade},
    grid,
    svg::{fitting, wide},
};
use crate::units::count;
use std::collections::BTreeMap;

const HEAD: i32 = 70;
/// The cells of a panel.
const WIDE: i32 = 400;
/// See the module: also the rows of a panel at most.
pub const HIGH: i32 = 280;
/// Around them.
const LEFT: i32 = 72;
const RIGHT: i32 = 28;
const ABOVE: i32 = 28;
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
    fn bins(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Levels of which rows have room; the last row may have fewer.
    fn room(&self) -> f64 {
        let rows = self.rows.len().max(1);
        rows as f64 * self.levels.div_ceil(rows).max(1) as f64
    }

    /// The share of each cell on a grid no finer than pixels.
    fn cells(&self) -> Vec<Vec<f64>> {
        let (bins, rows) = (self.bins(), self.rows.len());
        let (columns, lines) = (bins.min(WIDE as usize), rows.min(HIGH as usize));
        let mut active = vec![vec![0u64; columns]; lines];
        for (row, counts) in self.rows.iter().enumerate() {
            for (bin, count) in counts.iter().enumerate() {
                active[row * lines / rows][bin * columns / bins] += u64::from(*count);
            }
        }
        let mut ids = vec![0; columns];
        (0..bins).for_each(|bin| ids[bin * columns / bins] += ids_in(bin, bins, self.vertices));
        let share = |(active, ids): (u64, &usize)| if *ids == 0 { 0.0 } else { active as f64 / *ids as f64 };
        active.into_iter().map(|row| row.into_iter().zip(&ids).map(share).collect()).collect()
    }
}

/// How many vertices have `v * bins / vertices = bin`.
fn ids_in(bin: usize, bins: usize, vertices: usize) -> usize {
    let before = |bin: usize| (bin as u128 * vertices as u128).div_ceil(bins as u128) as usize;
    before(bin + 1) - before(bin)
}

/// Draws some panels under a title.
pub fn figure(title: &str, panels: &[Panel]) -> Figure {
    let (columns, rows) = grid(panels.len());
    let (width, high) = (LEFT + WIDE + RIGHT, ABOVE + HIGH + BELOW);
    let mut canvas = Canvas::new((columns * width, HEAD + rows * high), title);
    if panels.is_empty() {
        canvas.begin("no searches", (SIDE, HEAD), FAINT);
        return canvas.finish();
    }
    scale(&mut canvas);
    for (panel, nth) in panels.iter().zip(0..) {
        draw_panel(&mut canvas, (nth % columns * width, HEAD + nth / columns * high), panel);
    }
    canvas.finish()
}

/// Draws what shades mean.
fn scale(canvas: &mut Canvas) {
    const STEP: i32 = 2;
    const STEPS: i32 = 75;
    let text = "active of the ids of a cell:";
    let (left, y) = (SIDE + wide(text) + 12, 50);
    canvas.begin(text, (SIDE, y), FAINT);
    // In steps of the square root, as shades go; a mark has the place of its share.
    let place = |share: f64| left + (f64::from(STEP * STEPS) * share.sqrt()).round() as i32;
    for step in 0..STEPS {
        let share = (f64::from(step) + 0.5) / f64::from(STEPS);
        let from = left + step * STEP;
        canvas.bar((from, y - 12), (from + STEP, y - 2), shade(share * share));
    }
    for (share, mark) in [(0.0, "0"), (0.1, "10%"), (0.4, "40%"), (1.0, "100%")] {
        canvas.middle(mark, (place(share), y + 6), FAINT);
    }
}

fn draw_panel(canvas: &mut Canvas, corner: Point, panel: &Panel) {
    let (left, top) = (corner.0 + LEFT, corner.1 + ABOVE);
    let (right, bottom) = (left + WIDE, top + HIGH);
    canvas.begin(&fitting(&panel.title, WIDE + RIGHT), (left, top - 14), INK);
    let cells = panel.cells();
    let row_at = Axis::linear((0.0, cells.len() as f64), (top, bottom));
    if HIGH / cells.len().max(1) as i32 >= ROOM {
        for row in 1..cells.len() {
            let y = row_at.at(row as f64);
            canvas.line(&[(left - INSET, y), (right + INSET, y)], RULE, 1);
        }
    }
    draw_cells(canvas, (left, right), row_at, &cells);
    let (west, north, east, south) = (left - INSET, top - INSET, right + INSET, bottom + INSET);
    canvas.line(&[(west, north), (east, north), (east, south), (west, south), (west, north)], FAINT, 1);
    levels(canvas, (left, top), panel);
    canvas.begin("0", (left, bottom + 14), FAINT);
    canvas.end(&count(panel.vertices as u64), (right, bottom + 14), FAINT);
    canvas.middle("vertex id", ((left + right) / 2, bottom + 14), FAINT);
}

/// Draws cells: neighbours of one shade are one box, and all boxes of a shade are one element.
fn draw_cells(canvas: &mut Canvas, (left, right): (i32, i32), row_at: Axis, cells: &[Vec<f64>]) {
    let columns = cells.first().map_or(0, Vec::len);
    let column_at = Axis::linear((0.0, columns as f64), (left, right));
    let mut shades: BTreeMap<Color, Vec<(Point, Point)>> = BTreeMap::new();
    for (row, shares) in cells.iter().enumerate() {
        let (top, bottom) = (row_at.at(row as f64), row_at.at((row + 1) as f64));
        let mut column = 0;
        for run in shares.chunk_by(|a, b| shade(*a) == shade(*b)) {
            let from = column_at.at(column as f64);
            column += run.len();
            if run[0] > 0.0 {
                let tile = ((from, top), (column_at.at(column as f64), bottom));
                shades.entry(shade(run[0])).or_default().push(tile);
            }
        }
    }
    shades.iter().for_each(|(color, tiles)| canvas.tiles(tiles, *color));
}

/// Draws the numbers of levels beside their rows, and what they are.
fn levels(canvas: &mut Canvas, (left, top): Point, panel: &Panel) {
    let axis = Axis::linear((0.0, panel.room()), (top, top + HIGH));
    let half = (f64::from(HIGH) / (2.0 * panel.room())) as i32;
    for level in axis.marks().into_iter().filter(|level| level.fract() == 0.0 && *level < panel.levels as f64)
    {
        canvas.end(&count(level as u64), (left - INSET - 6, axis.at(level) + half), FAINT);
    }
    canvas.upright("BFS level", (left - LEFT + 16, top + HIGH / 2), FAINT);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(levels: usize, vertices: usize, rows: Vec<Vec<u32>>) -> Panel {
        Panel { title: format!("natural <{levels}>"), levels, vertices, rows }
    }

    #[test]
    fn a_cell_is_as_dark_as_its_share_and_an_empty_one_is_not_drawn() {
        // Ten vertices in four bins: 3, 2, 3, 2.
        let panel = panel(3, 10, vec![vec![0, 0, 0, 2], vec![1, 1, 0, 0], vec![2, 0, 3, 0]]);
        let shares = [[0.0, 0.0, 0.0, 1.0], [1.0 / 3.0, 0.5, 0.0, 0.0], [2.0 / 3.0, 0.0, 1.0, 0.0]];
        assert_eq!(panel.cells(), shares);
        let figure = figure("t", &[panel]);
        let (left, top) = (LEFT, HEAD + ABOVE);
        for (color, boxes) in [
            (shade(1.0), vec![(left + 300, top, 93), (left + 200, top + 187, 93)]),
            (shade(0.5), vec![(left + 100, top + 93, 94)]),
        ] {
            let cells: String =
                boxes.iter().map(|(x, y, high)| format!("M{x} {y}h100v{high}h-100z")).collect();
            let path = format!("<path fill=\"{color}\" shape-rendering=\"crispEdges\" d=\"{cells}\"/>");
            assert!(figure.svg().contains(&path), "{path}\n{}", figure.svg());
        }
    }

    #[test]
    fn ids_fall_into_bins_as_they_are_said_to() {
        for (bins, vertices) in [(4, 10), (7, 7), (3, 2), (5, 1_000_003)] {
            let mut counted = vec![0; bins];
            (0..vertices).for_each(|v| counted[v * bins / vertices] += 1);
            let said: Vec<usize> = (0..bins).map(|bin| ids_in(bin, bins, vertices)).collect();
            assert_eq!(said, counted);
        }
        assert_eq!(ids_in(1, 2, usize::MAX), usize::MAX / 2);
    }

    #[test]
    fn finer_cells_than_pixels_are_joined_and_nothing_is_lost() {
        let (rows, bins) = (1500, 1000);
        let step = |row: usize| (0..bins).map(|bin| u32::from(bin * rows / bins == row) * 9).collect();
        let panel = panel(rows, 9 * bins, (0..rows).map(step).collect());
        let cells = panel.cells();
        assert_eq!((cells.len(), cells[0].len()), (HIGH as usize, WIDE as usize));
        let mut ids = vec![0; WIDE as usize];
        (0..bins).for_each(|bin| ids[bin * WIDE as usize / bins] += ids_in(bin, bins, panel.vertices));
        let active: f64 =
            cells.iter().flat_map(|row| row.iter().zip(&ids)).map(|(x, ids)| x * *ids as f64).sum();
        assert!((active - panel.vertices as f64).abs() < 1e-6, "{active}");
        let svg = figure("t", &[panel]);
        let svg = svg.svg();
        assert!(svg.len() < 100_000, "{}", svg.len());
    }

    #[test]
    fn a_last_row_that_is_not_full_moves_no_number() {
        // Three levels a row: 0 to 2, 3 to 5, 6.
        assert_eq!(panel(7, 9, vec![vec![1]; 3]).room(), 9.0);
        assert_eq!(panel(7, 9, vec![vec![1]; 7]).room(), 7.0);
    }

    #[test]
    fn titles_levels_and_ids_are_named() {
        let panels = vec![panel(5, 12_345, vec![vec![1]; 5]), panel(1500, 9, vec![vec![1; 3]; 10])];
        let svg = figure("Active vertices", &panels);
        let svg = svg.svg();
        for word in
            ["Active vertices", "natural &lt;5&gt;", "12,345", "BFS level", ">4<", "1,000", "vertex id"]
        {
            assert!(svg.contains(word), "{word}\n{svg}");
        }
        assert!(!svg.contains(">5<") && !svg.contains(">0.5<"), "levels are whole, and 5 of them end at 4");
    }

    #[test]
    fn figures_of_nothing_are_drawn_too() {
        assert!(figure("t", &[]).svg().contains("no searches"));
        for rows in [vec![], vec![vec![]], vec![vec![], vec![0, 1]]] {
            for (levels, vertices) in [(0, 0), (2, 0), (usize::MAX, usize::MAX)] {
                assert!(figure("t", &[panel(levels, vertices, rows.clone())]).svg().contains("vertex id"));
            }
        }
    }
}
