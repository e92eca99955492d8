//! Figures read back, for tests.

use super::{Figure, SCALE};
use std::io::Cursor;

/// The size and the pixels of a PNG file, as another program reads it.
pub(super) fn decoded(file: &[u8]) -> ((u32, u32), Vec<u8>) {
    let mut reader = png::Decoder::new(Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
    ((info.width, info.height), pixels)
}

/// A figure as pixels.
pub(super) struct Picture {
    pub(super) size: (u32, u32),
    pixels: Vec<u8>,
}

pub(super) const WHITE: [u8; 3] = [255; 3];

impl Picture {
    pub(super) fn of(figure: &Figure<'_>) -> Self {
        let (size, pixels) = decoded(&figure.png().unwrap());
        assert_eq!(size, (figure.size().0 * SCALE, figure.size().1 * SCALE));
        Self { size, pixels }
    }

    /// The colour right below and right of a point of the SVG.
    pub(super) fn at(&self, x: i32, y: i32) -> [u8; 3] {
        self.pixel(x as u32 * SCALE, y as u32 * SCALE)
    }

    /// The colour of a pixel.
    pub(super) fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        let at = 3 * (y as usize * self.size.0 as usize + x as usize);
        self.pixels[at..at + 3].try_into().unwrap()
    }

    /// How many pixels between two corners of the SVG are not white.
    pub(super) fn ink(&self, from: (i32, i32), to: (i32, i32)) -> usize {
        let side = |from: i32, to: i32| from as u32 * SCALE..to as u32 * SCALE;
        let row = |y: u32| side(from.0, to.0).filter(|x| self.pixel(*x, y) != WHITE).count();
        side(from.1, to.1).map(row).sum()
    }

    /// How many pixels have a colour.
    pub(super) fn count(&self, color: [u8; 3]) -> usize {
        self.pixels.chunks_exact(3).filter(|pixel| *pixel == color).count()
    }
}
