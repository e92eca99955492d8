//! Draws figures as SVG files.
//!
//! An evaluation hands over plain data and gets a [`Figure`], the text of an SVG file: [`bars`] in panels, [`lines`] over a
//! linear or logarithmic axis ([`degrees`] is a use of them), and [`steps`], the staircase of a search over the vertex ids. A
//! [`Canvas`] is what all of them draw with. Sizes are in pixels. Colour-blind readers can tell the colours apart. A figure
//! of no data says that there is none.

mod axis;
pub mod bars;
mod colors;
pub mod degrees;
pub mod lines;
pub mod steps;
mod svg;
mod words;

pub use bars::{Bars, Scale};
pub use lines::Lines;
pub use svg::{Canvas, Figure, check_ending, save};
pub use words::Unit;
pub(crate) use words::shortened;

/// A point in pixels from the upper left corner.
pub type Point = (i32, i32);

/// Space that a figure leaves free at its sides.
const SIDE: i32 = 16;
/// Height of the title.
const HEAD: i32 = 40;
/// Panels beside each other.
const COLUMNS: i32 = 2;

/// Returns how many columns and rows so many panels need, at least one each.
fn grid(panels: usize) -> Point {
    let columns = COLUMNS.min(panels as i32).max(1);
    (columns, (panels as i32 + columns - 1).max(1) / columns)
}
