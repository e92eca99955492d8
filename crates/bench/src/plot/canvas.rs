//! What figures are drawn with: texts, bars, lines and dots, in pixels of the SVG.

use super::{
    Error,
    colors::{INK, RGBColor},
    raster::{Raster, blank},
    words::shortened,
};
use plotters::{
    coord::Shift,
    element::{Drawable, PointCollection},
    prelude::*,
    style::{
        FontTransform,
        text_anchor::{HPos, Pos, VPos},
    },
};
use std::{cell::RefCell, fmt::Write};

/// The size of a title and of everything else.
const LARGE: i32 = 16;
const SMALL: i32 = 12;
/// What is left free at the sides of a picture.
const MARGIN: i32 = 16;
/// The most that a letter of a title or of another text takes.
const LARGE_LETTER: i32 = 8;
const LETTER: i32 = 6;

/// The result of drawing.
pub type Drawn<T = ()> = Result<T, Error>;

/// A point.
pub type Point = (i32, i32);

/// A picture in the making.
pub struct Canvas<'a> {
    size: Point,
    area: Area<'a>,
}

/// What is drawn on.
enum Area<'a> {
    /// Boxes of [`Canvas::tiles`] are kept apart, since the library has no short form for many of them.
    Svg(DrawingArea<SVGBackend<'a>, Shift>, &'a RefCell<String>),
    Pixels(DrawingArea<Raster<'a>, Shift>),
}

/// A picture as the text of an SVG file.
pub(super) fn svg(size: (u32, u32), draw: impl Fn(&Canvas<'_>) -> Drawn) -> Drawn<String> {
    let (mut text, tiles) = (String::new(), RefCell::default());
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        area.fill(&WHITE)?;
        let (size, present) = ((size.0 as i32, size.1 as i32), area.clone());
        draw(&Canvas { size, area: Area::Svg(area, &tiles) })?;
        present.present()?;
    }
    let end = text.rfind("</svg>").unwrap_or(text.len());
    text.insert_str(end, &tiles.into_inner());
    Ok(text)
}

/// A picture as rows of red, green and blue.
pub(super) fn rgb(size: (u32, u32), draw: impl Fn(&Canvas<'_>) -> Drawn) -> Drawn<Vec<u8>> {
    let mut pixels = blank(size)?;
    let area = Raster::new(size, &mut pixels).into_drawing_area();
    draw(&Canvas { size: (size.0 as i32, size.1 as i32), area: Area::Pixels(area) })?;
    Ok(pixels)
}

impl<'a> Canvas<'a> {
    fn draw<E>(&self, element: &E) -> Drawn
    where
        for<'e> &'e E: PointCollection<'e, Point>,
        E: Drawable<SVGBackend<'a>> + Drawable<Raster<'a>>,
    {
        match &self.area {
            Area::Svg(area, _) => area.draw(element),
            Area::Pixels(area) => area.draw(element),
        }
    }

    fn text(&self, text: &str, at: Point, style: TextStyle<'_>) -> Drawn {
        self.draw(&Text::new(text.to_owned(), at, style))
    }

    /// A text that begins here, half way up, as all of them.
    pub fn begin(&self, text: &str, at: Point, color: RGBColor) -> Drawn {
        self.text(text, at, style(HPos::Left, SMALL, color))
    }

    /// A text that ends here.
    pub fn end(&self, text: &str, at: Point, color: RGBColor) -> Drawn {
        self.text(text, at, style(HPos::Right, SMALL, color))
    }

    /// A text with its middle here.
    pub fn middle(&self, text: &str, at: Point, color: RGBColor) -> Drawn {
        self.text(text, at, style(HPos::Center, SMALL, color))
    }

    /// A text that goes upwards, with its middle here.
    pub fn upright(&self, text: &str, at: Point, color: RGBColor) -> Drawn {
        self.text(text, at, style(HPos::Center, SMALL, color).transform(FontTransform::Rotate270))
    }

    /// A text that goes upwards from here.
    pub fn rising(&self, text: &str, at: Point, color: RGBColor) -> Drawn {
        self.text(text, at, style(HPos::Left, SMALL, color).transform(FontTransform::Rotate270))
    }

    /// The title of a picture, cut in its middle if it is wider.
    pub fn title(&self, text: &str) -> Drawn {
        let letters = (self.size.0 - 2 * MARGIN).max(0) / LARGE_LETTER;
        self.text(&shortened(text, letters as usize), (MARGIN, 22), style(HPos::Left, LARGE, INK))
    }

    /// A filled box between two corners.
    pub fn bar(&self, from: Point, to: Point, color: RGBColor) -> Drawn {
        self.draw(&Rectangle::new([from, to], color.filled()))
    }

    /// Filled boxes of one colour, each an upper left corner and the one opposite; drawn above everything else.
    pub fn tiles(&self, tiles: &[(Point, Point)], color: RGBColor) -> Drawn {
        let Area::Svg(_, paths) = &self.area else {
            return tiles.iter().try_for_each(|(from, to)| self.bar(*from, *to, color));
        };
        let mut path = String::new();
        for ((left, top), (right, bottom)) in tiles {
            let (width, height) = (right - left, bottom - top);
            // A string takes whatever is written to it.
            let _ = write!(path, "M{left} {top}h{width}v{height}h-{width}z");
        }
        let RGBColor(red, green, blue) = color;
        let _ = writeln!(
            paths.borrow_mut(),
            "<path fill=\"#{red:02X}{green:02X}{blue:02X}\" shape-rendering=\"crispEdges\" d=\"{path}\"/>"
        );
        Ok(())
    }

    /// A line through points.
    pub fn line(&self, points: Vec<Point>, color: RGBColor, width: u32) -> Drawn {
        self.draw(&PathElement::new(points, color.stroke_width(width)))
    }

    /// A dashed upright line.
    pub fn dashed(&self, x: i32, top: i32, bottom: i32, color: RGBColor) -> Drawn {
        (top..bottom).step_by(8).try_for_each(|y| self.line(vec![(x, y), (x, (y + 4).min(bottom))], color, 1))
    }

    /// A dot of a radius.
    pub fn dot(&self, at: Point, color: RGBColor, radius: i32) -> Drawn {
        self.draw(&Circle::new(at, radius, color.filled()))
    }

    /// A box of a colour and what it stands for; gives where the next one may begin.
    pub fn key(&self, at: Point, color: RGBColor, text: &str) -> Drawn<i32> {
        self.bar((at.0, at.1 - 5), (at.0 + 10, at.1 + 5), color)?;
        self.begin(text, (at.0 + 16, at.1), INK)?;
        Ok(at.0 + key_width(text))
    }
}

fn style(end: HPos, size: i32, color: RGBColor) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&color).pos(Pos::new(end, VPos::Center))
}

/// About how wide a small text is.
pub fn wide(text: &str) -> i32 {
    text.chars().count() as i32 * LETTER
}

/// From a key to the next one.
pub(super) fn key_width(text: &str) -> i32 {
    16 + wide(text) + 20
}

/// A text that is no wider than some pixels.
pub fn fitting(text: &str, pixels: i32) -> String {
    shortened(text, (pixels / LETTER).max(0) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{
        Figure,
        testing::{Picture, WHITE},
    };

    const RED: RGBColor = RGBColor(200, 10, 20);
    const RED_PIXEL: [u8; 3] = [200, 10, 20];

    #[test]
    fn a_box_has_the_same_edges_in_both_forms() {
        let figure = Figure::new((40, 30), |canvas| canvas.bar((5, 6), (15, 26), RED));
        let picture = Picture::of(&figure);
        assert_eq!(picture.size, (80, 60));
        assert_eq!([picture.at(5, 6), picture.pixel(29, 51)], [RED_PIXEL; 2]);
        assert_eq!([picture.pixel(9, 12), picture.at(15, 10), picture.at(10, 26)], [WHITE; 3]);
        assert_eq!(picture.count(RED_PIXEL), 4 * 10 * 20);
        let svg = figure.svg().unwrap();
        assert!(svg.contains(r#"x="5" y="6" width="10" height="20""#), "{svg}");
    }

    #[test]
    fn tiles_are_one_element_and_the_same_boxes() {
        let tiles = [((1, 2), (4, 7)), ((6, 2), (9, 3))];
        let figure = Figure::new((20, 10), move |canvas| canvas.tiles(&tiles, RED));
        let svg = figure.svg().unwrap();
        let path =
            "<path fill=\"#C80A14\" shape-rendering=\"crispEdges\" d=\"M1 2h3v5h-3zM6 2h3v1h-3z\"/>\n</svg>";
        assert!(svg.trim_end().ends_with(path), "{svg}");
        assert_eq!(Picture::of(&figure).count(RED_PIXEL), 4 * (15 + 3));
    }

    #[test]
    fn a_level_line_has_its_middle_at_its_coordinate_and_a_slanted_one_is_smooth() {
        let level = Figure::new((40, 30), |canvas| canvas.line(vec![(10, 10), (20, 10)], RED, 1));
        let picture = Picture::of(&level);
        assert_eq!([picture.pixel(20, 19), picture.pixel(39, 20)], [RED_PIXEL; 2]);
        assert_eq!(picture.count(RED_PIXEL), 2 * 20);
        let slanted = Figure::new((40, 30), |canvas| canvas.line(vec![(5, 5), (35, 20)], RED, 2));
        let picture = Picture::of(&slanted);
        assert!(picture.count(RED_PIXEL) > 100, "the middle of the line");
        assert!(picture.count(WHITE) < 80 * 60 - picture.count(RED_PIXEL) - 50, "its edges are mixed");
    }

    #[test]
    fn a_dot_is_round() {
        let picture = Picture::of(&Figure::new((40, 40), |canvas| canvas.dot((20, 20), RED, 8)));
        assert_eq!([picture.at(20, 20), picture.at(13, 20)], [RED_PIXEL; 2]);
        assert_eq!([picture.at(13, 13), picture.at(30, 20)], [WHITE; 2]);
        let area = picture.count(RED_PIXEL) as f64 / (std::f64::consts::PI * 16.0 * 16.0);
        assert!((0.9..1.1).contains(&area), "{area}");
    }

    #[test]
    fn texts_leave_ink_where_they_are_and_turn_upwards() {
        let figure = Figure::new((200, 200), |canvas| {
            canvas.begin("begin", (100, 20), INK)?;
            canvas.end("end", (100, 60), INK)?;
            canvas.middle("middle", (100, 100), INK)?;
            canvas.upright("upright", (20, 150), INK)?;
            canvas.rising("rising", (60, 190), INK)
        });
        let picture = Picture::of(&figure);
        assert!(picture.ink((100, 13), (140, 27)) > 100 && picture.ink((0, 13), (100, 27)) == 0);
        assert!(picture.ink((60, 53), (100, 67)) > 60 && picture.ink((101, 53), (200, 67)) == 0);
        assert!(picture.ink((80, 93), (100, 107)) > 50 && picture.ink((100, 93), (120, 107)) > 50);
        assert!(picture.ink((13, 128), (27, 150)) > 50 && picture.ink((13, 150), (27, 172)) > 50);
        assert!(picture.ink((53, 150), (67, 190)) > 100 && picture.ink((53, 191), (67, 200)) == 0);
        assert!(figure.svg().unwrap().contains("rotate(270, 60, 190)"));
    }

    #[test]
    fn what_is_outside_is_left_out() {
        let figure = Figure::new((20, 20), |canvas| {
            canvas.bar((-5, -5), (3, 3), RED)?;
            canvas.line(vec![(-100, 50), (100, -50)], RED, 2)?;
            canvas.dot((25, 25), RED, 3)?;
            canvas.begin("a text far wider than the picture", (2, 10), INK)
        });
        assert_eq!(Picture::of(&figure).at(1, 1), RED_PIXEL);
    }

    #[test]
    fn names_are_texts_and_no_markup() {
        let svg = Figure::new((90, 40), |canvas| canvas.begin("<b>&.gr", (0, 9), INK)).svg().unwrap();
        assert!(svg.contains("&lt;b&gt;&amp;.gr") && !svg.contains("<b>"), "{svg}");
    }

    #[test]
    fn a_title_stays_within_the_picture() {
        let svg = Figure::new((112, 40), |canvas| canvas.title("abcdefghijklm")).svg().unwrap();
        assert!(svg.contains("abcd...klm"), "{svg}");
    }

    #[test]
    fn a_picture_beyond_all_sizes_is_an_error() {
        assert!(Figure::new((i32::MAX, i32::MAX), |_| Ok(())).png().is_err());
        assert_eq!(Figure::new((-1, 0), |_| Ok(())).size(), (1, 1));
    }
}
