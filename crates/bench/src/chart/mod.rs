//! Draws figures as SVG files.
//!
//! An evaluation hands over plain data and gets a [`Figure`], the text of an SVG file: bars in panels, lines over a
//! linear or logarithmic axis ([`degrees`] is a use of them), and [`steps`], the staircase of a search over the vertex ids.
//! All of them draw panels of one size on a canvas. Sizes are in pixels. Colour-blind readers can tell the colours apart. A
//! figure of no data says that there is none.

mod axis;
pub(crate) mod bars;
mod colors;
pub mod degrees;
pub(crate) mod lines;
pub mod steps;
mod svg;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use bars::{Bars, Scale};
pub(crate) use lines::Lines;
pub use svg::{Figure, check_ending, save};
pub(crate) use words::{Unit, shortened};

/// A point in pixels from the upper left corner.
type Point = (i32, i32);

/// Space that a figure leaves free at its sides.
const SIDE: i32 = 16;
