//! Figures: one piece of drawing code, an SVG or a PNG of it.
//!
//! A [`Figure`] is a size and what is drawn on it; [`Figure::svg`] and [`Figure::png`] draw it, [`save`] writes it to a file
//! by its ending. The figures here take plain data and measure nothing: the levels of searches over the ids ([`levels`]),
//! degrees ([`degrees`]), a value by graph and order ([`by_order`]), and lines over a parameter ([`sweep`]).
//!
//! Sizes are in pixels of the SVG; a PNG has [`SCALE`] times as many each way, the same geometry, and texts in a font that is
//! part of the program, so that neither needs fonts of the system nor looks different on another. Colours can be told
//! apart by colour-blind readers. A figure of nothing is a figure that says so.

pub mod axis;
pub mod by_order;
pub mod canvas;
pub mod colors;
pub mod degrees;
mod encode;
mod file;
mod frame;
mod glyphs;
mod legend;
pub mod levels;
mod raster;
pub mod sweep;
#[cfg(test)]
mod testing;
mod words;

pub use canvas::{Canvas, Drawn, Point};
pub use file::{Ending, save};
pub use raster::SCALE;
pub use words::Unit;
pub(crate) use words::shortened;

/// Why nothing was drawn.
pub type Error = plotters::drawing::DrawingAreaErrorKind<std::io::Error>;

/// A picture that can be drawn.
pub struct Figure<'a> {
    size: (u32, u32),
    draw: Box<dyn Fn(&Canvas<'_>) -> Drawn + 'a>,
}

impl std::fmt::Debug for Figure<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Figure").field("size", &self.size).finish_non_exhaustive()
    }
}

impl<'a> Figure<'a> {
    /// Of a width and a height, at least a pixel each.
    pub fn new(size: Point, draw: impl Fn(&Canvas<'_>) -> Drawn + 'a) -> Self {
        let size = (size.0.max(1).unsigned_abs(), size.1.max(1).unsigned_abs());
        Self { size, draw: Box::new(draw) }
    }

    /// Its width and height in the SVG.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// As the text of an SVG file.
    ///
    /// # Errors
    /// When the drawing library refuses.
    pub fn svg(&self) -> Drawn<String> {
        canvas::svg(self.size, &self.draw)
    }

    /// As the bytes of a PNG file of [`SCALE`] times the size.
    ///
    /// # Errors
    /// When the drawing library refuses, or memory is short.
    pub fn png(&self) -> Drawn<Vec<u8>> {
        let pixels = canvas::rgb(self.size, &self.draw)?;
        encode::png((self.size.0 * SCALE, self.size.1 * SCALE), &pixels).map_err(raster::refused)
    }
}
