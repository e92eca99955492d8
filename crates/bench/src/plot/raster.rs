//! A picture of pixels to draw on, with the geometry of the SVG: a line has its middle at its coordinate, a box ends where the
//! next one begins, edges are smoothed by the part of a pixel that is covered. What lies outside is not drawn.

use super::{Error, glyphs::Glyphs};
use plotters::drawing::DrawingAreaErrorKind;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    text_anchor::{HPos, VPos},
};
use std::io;

/// Pixels of a PNG for one of the SVG, each way: texts stay crisp where pixels are small.
pub const SCALE: u32 = 2;
/// The same where sizes have a sign.
const TIMES: i32 = SCALE as i32;

type Done<T = ()> = Result<T, DrawingErrorKind<io::Error>>;

/// White pixels of a size in the SVG.
pub(super) fn blank(size: (u32, u32)) -> Result<Vec<u8>, Error> {
    let side = |x: u32| u64::from(x) * u64::from(SCALE);
    let bytes = side(size.0).checked_mul(side(size.1)).and_then(|pixels| pixels.checked_mul(3));
    let bytes = bytes.and_then(|bytes| usize::try_from(bytes).ok()).filter(|bytes| *bytes < 1 << 31);
    let bytes = bytes.ok_or_else(|| refused(io::Error::other("a figure of more than 2 GiB")))?;
    let mut pixels = Vec::new();
    pixels.try_reserve_exact(bytes).map_err(|error| refused(io::Error::other(error)))?;
    pixels.resize(bytes, 255);
    Ok(pixels)
}

/// As the drawing library says it.
pub(super) fn refused(error: io::Error) -> Error {
    DrawingAreaErrorKind::BackendError(DrawingErrorKind::DrawingError(error))
}

/// Pixels under the pen.
pub(super) struct Raster<'a> {
    /// Of the SVG.
    size: (u32, u32),
    /// Rows from the top, red, green and blue.
    pixels: &'a mut [u8],
}

impl<'a> Raster<'a> {
    /// Over pixels that [`blank`] made for this size.
    pub(super) fn new(size: (u32, u32), pixels: &'a mut [u8]) -> Self {
        Self { size, pixels }
    }

    /// Columns and rows.
    fn sides(&self) -> (i32, i32) {
        ((self.size.0 * SCALE) as i32, (self.size.1 * SCALE) as i32)
    }

    /// Lays a colour over a pixel, as far as the pixel is covered.
    fn ink(&mut self, (x, y): BackendCoord, color: BackendColor, covered: f64) {
        let (columns, rows) = self.sides();
        if !(0..columns).contains(&x) || !(0..rows).contains(&y) {
            return;
        }
        let at = 3 * (y as usize * columns as usize + x as usize);
        let (red, green, blue) = color.rgb;
        let alpha = (color.alpha * covered).clamp(0.0, 1.0);
        for (channel, ink) in self.pixels[at..at + 3].iter_mut().zip([red, green, blue]) {
            let mixed = f64::from(*channel) + alpha * (f64::from(ink) - f64::from(*channel));
            *channel = mixed.round() as u8;
        }
    }

    /// Pixels from one corner to before another.
    fn fill(&mut self, from: BackendCoord, to: BackendCoord, color: BackendColor) {
        let (columns, rows) = self.sides();
        for y in from.1.max(0)..to.1.min(rows) {
            (from.0.max(0)..to.0.min(columns)).for_each(|x| self.ink((x, y), color, 1.0));
        }
    }

    /// Everything within a distance of the way between two points; all in pixels.
    fn brush(&mut self, from: (f64, f64), to: (f64, f64), reach: f64, color: BackendColor) {
        let (columns, rows) = self.sides();
        let span = |a: f64, b: f64, most: i32| {
            let (low, high) = (a.min(b) - reach - 1.0, a.max(b) + reach + 1.0);
            (low.max(0.0) as i32)..(high.min(f64::from(most)) as i32 + 1)
        };
        for y in span(from.1, to.1, rows) {
            for x in span(from.0, to.0, columns) {
                let apart = distance((f64::from(x) + 0.5, f64::from(y) + 0.5), from, to);
                if apart < reach + 0.5 {
                    self.ink((x, y), color, reach + 0.5 - apart);
                }
            }
        }
    }

    /// A line of a width; its ends are cut off at the points if it is level or upright, and round if not.
    fn stroke(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        width: u32,
        color: BackendColor,
        is_cut: bool,
    ) {
        let reach = (width.max(1) * SCALE) as i32 / 2;
        let (from, to) = (scaled(from), scaled(to));
        let (low, high) = ((from.0.min(to.0), from.1.min(to.1)), (from.0.max(to.0), from.1.max(to.1)));
        match () {
            () if is_cut && from.1 == to.1 => {
                self.fill((low.0, low.1 - reach), (high.0, high.1 + reach), color);
            }
            () if is_cut && from.0 == to.0 => {
                self.fill((low.0 - reach, low.1), (high.0 + reach, high.1), color);
            }
            () => self.brush(middle(from), middle(to), f64::from(reach), color),
        }
    }
}

fn scaled(point: BackendCoord) -> BackendCoord {
    (point.0.saturating_mul(TIMES), point.1.saturating_mul(TIMES))
}

fn middle(point: BackendCoord) -> (f64, f64) {
    (f64::from(point.0), f64::from(point.1))
}

/// From a point to the nearest one between two others.
fn distance(at: (f64, f64), from: (f64, f64), to: (f64, f64)) -> f64 {
    let (way, off) = ((to.0 - from.0, to.1 - from.1), (at.0 - from.0, at.1 - from.1));
    let length = way.0 * way.0 + way.1 * way.1;
    let part = if length > 0.0 { ((off.0 * way.0 + off.1 * way.1) / length).clamp(0.0, 1.0) } else { 0.0 };
    (off.0 - part * way.0).hypot(off.1 - part * way.1)
}

impl DrawingBackend for Raster<'_> {
    type ErrorType = io::Error;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Done {
        Ok(())
    }

    fn present(&mut self) -> Done {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Done {
        let (x, y) = scaled(point);
        self.fill((x, y), (x + TIMES, y + TIMES), color);
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Done {
        self.stroke(from, to, style.stroke_width(), style.color(), true);
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Done {
        let points: Vec<BackendCoord> = path.into_iter().collect();
        let is_cut = points.len() == 2;
        for ends in points.windows(2) {
            self.stroke(ends[0], ends[1], style.stroke_width(), style.color(), is_cut);
        }
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Done {
        if fill {
            let (low, high) = ((from.0.min(to.0), from.1.min(to.1)), (from.0.max(to.0), from.1.max(to.1)));
            self.fill(scaled(low), scaled(high), style.color());
            return Ok(());
        }
        self.draw_path([from, (to.0, from.1), to, (from.0, to.1), from], style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Done {
        if fill {
            let at = middle(scaled(center));
            self.brush(at, at, f64::from(radius * SCALE), style.color());
            return Ok(());
        }
        plotters_backend::rasterizer::draw_circle(self, center, radius, style, false)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Done {
        let glyphs = Glyphs::of_size(style.size() * f64::from(SCALE));
        let (width, height) = (glyphs.width() * text.chars().count() as i32, glyphs.height());
        let left = match style.anchor().h_pos {
            HPos::Left => 0,
            HPos::Center => width / 2,
            HPos::Right => width,
        };
        let top = match style.anchor().v_pos {
            VPos::Top => 0,
            VPos::Center => height / 2,
            VPos::Bottom => height,
        };
        let (origin, turn, color) = (scaled(at), style.transform(), style.color());
        for ((x, y), ink) in glyphs.ink(text) {
            // Turned about its middle, twice as far out, a pixel falls on one again.
            let (x, y) = turn.transform(2 * (x - left) + 1, 2 * (y - top) + 1);
            let pixel = (origin.0 + x.div_euclid(2), origin.1 + y.div_euclid(2));
            self.ink(pixel, color, f64::from(ink) / 255.0);
        }
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(&self, text: &str, style: &S) -> Done<(u32, u32)> {
        let glyphs = Glyphs::of_size(style.size() * f64::from(SCALE));
        let letters = text.chars().count() as u32;
        Ok(((letters * glyphs.width() as u32).div_ceil(SCALE), (glyphs.height() as u32).div_ceil(SCALE)))
    }
}
