//! The letters of a PNG: Noto Sans Mono (SIL Open Font License 1.1), smoothed and of two heights, from the crate
//! `noto-sans-mono-bitmap`. Basic Latin and Latin-1; what else a name may have is a question mark.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, RasterizedChar, get_raster, get_raster_width};

/// Letters of a height.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glyphs(RasterHeight);

impl Glyphs {
    /// For texts of a size, in pixels of the PNG.
    pub(super) fn of_size(size: f64) -> Self {
        Self(if size <= 28.0 { RasterHeight::Size24 } else { RasterHeight::Size32 })
    }

    /// From one letter to the next.
    pub(super) fn width(self) -> i32 {
        get_raster_width(FontWeight::Regular, self.0) as i32
    }

    /// From the top of the highest letter to the foot of the lowest.
    pub(super) fn height(self) -> i32 {
        self.0.val() as i32
    }

    /// The pixels of a text that have ink, counted from its upper left corner, and how much, up to 255.
    pub(super) fn ink(self, text: &str) -> impl Iterator<Item = ((i32, i32), u8)> {
        let width = self.width();
        text.chars().zip(0..).flat_map(move |(letter, nth)| {
            let rows = self.letter(letter).into_iter().flat_map(|raster| raster.rows().zip(0..));
            rows.flat_map(move |(row, y)| {
                row.iter().zip(0..).map(move |(ink, x)| ((nth * width + x, y), *ink))
            })
            .filter(|(_, ink)| *ink > 0)
        })
    }

    fn letter(self, letter: char) -> Option<RasterizedChar> {
        let raster = |letter| get_raster(letter, FontWeight::Regular, self.0);
        raster(letter).or_else(|| raster('?'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_ink_within_their_boxes_and_blanks_have_none() {
        for glyphs in [Glyphs::of_size(24.0), Glyphs::of_size(32.0)] {
            assert_eq!(glyphs.ink("  ").count(), 0);
            let ink: Vec<_> = glyphs.ink(" W\u{e9}").collect();
            assert!(ink.len() > 40);
            let (width, height) = (glyphs.width(), glyphs.height());
            assert!(ink.iter().all(|((x, y), _)| (width..3 * width).contains(x) && (0..height).contains(y)));
        }
        assert!(Glyphs::of_size(32.0).width() > Glyphs::of_size(24.0).width());
    }

    #[test]
    fn an_unknown_letter_is_a_question_mark() {
        let glyphs = Glyphs::of_size(24.0);
        assert!(glyphs.ink("\u{4e16}").eq(glyphs.ink("?")));
    }
}
