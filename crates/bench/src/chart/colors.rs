//! Colours that colour-blind readers can tell apart, after M. Okabe and K. Ito, "Color Universal Design", 2008; where there are
//! more series than those eight, darker and lighter kin of them. Neighbours also differ in lightness.

use std::fmt;

/// A colour: red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Color(pub u8, pub u8, pub u8);

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }
}

/// The background.
pub(super) const WHITE: Color = Color(255, 255, 255);
/// Texts and axes.
pub(super) const INK: Color = Color(34, 34, 34);
/// Marks and remarks.
pub(super) const FAINT: Color = Color(100, 100, 100);
/// Lines of a grid.
pub(super) const RULE: Color = Color(221, 221, 221);
/// Errors.
pub(super) const BAD: Color = Color(197, 48, 48);
/// A range behind bars.
pub(super) const BAND: Color = Color(226, 232, 240);

const BLUE: Color = Color(0, 114, 178);
const VERMILION: Color = Color(213, 94, 0);
const GREEN: Color = Color(0, 158, 115);
const PURPLE: Color = Color(204, 121, 167);
const ORANGE: Color = Color(230, 159, 0);
const SKY: Color = Color(86, 180, 233);
const BLACK: Color = Color(51, 51, 51);
const YELLOW: Color = Color(228, 212, 34);

/// In the order they are handed out.
const SERIES: [Color; 14] = [
    BLUE,
    VERMILION,
    GREEN,
    PURPLE,
    ORANGE,
    SKY,
    BLACK,
    YELLOW,
    Color(0, 62, 112),
    Color(242, 170, 120),
    Color(0, 92, 66),
    Color(126, 56, 99),
    Color(160, 160, 160),
    Color(140, 96, 10),
];

/// Orders keep their colour from figure to figure: kin are kin here.
const ORDERS: [(&str, Color); 13] = [
    ("natural", BLACK),
    ("random", Color(168, 168, 168)),
    ("degree", Color(140, 96, 10)),
    ("in-degree", ORANGE),
    ("degree-neighbours", YELLOW),
    ("rcm", PURPLE),
    ("bp", Color(0, 92, 66)),
    ("bfs-bp", GREEN),
    ("halo1", Color(242, 170, 120)),
    ("halo2", VERMILION),
    ("gorder", BLUE),
    ("llp", SKY),
    ("sampled", Color(126, 56, 99)),
];

/// Returns the colour of the nth series; after the last comes the first again.
pub(super) fn series(nth: usize) -> Color {
    SERIES[nth % SERIES.len()]
}

/// Returns the colour of an order, whatever its settings: `halo2(samples=8)` is `halo2`. Another name has the colour of the
/// nth series.
pub(super) fn named(name: &str, nth: usize) -> Color {
    let kind = name.split(['(', ':', ',', ' ']).next().unwrap_or(name);
    ORDERS.iter().find(|(known, _)| *known == kind).map_or_else(|| series(nth), |(_, color)| *color)
}

/// Returns white for 0, a faint shade for the least share above it, the darkest for 1. The square root counts, so that
/// readers see rare values too.
pub(super) fn shade(share: f64) -> Color {
    if share.is_nan() || share <= 0.0 {
        return WHITE;
    }
    let depth = 0.1 + 0.9 * share.min(1.0).sqrt();
    let steps = f64::from(SHADES);
    let depth = (depth * steps).ceil() / steps;
    let mix = |from: f64, to: f64| (from + depth * (to - from)).round() as u8;
    Color(mix(232.0, 8.0), mix(242.0, 29.0), mix(252.0, 88.0))
}

/// Shades between the faintest and the darkest; fewer make smaller files.
const SHADES: u32 = 24;

#[cfg(test)]
mod tests {
    use super::*;

    fn light(color: Color) -> u32 {
        2 * u32::from(color.0) + 5 * u32::from(color.1) + u32::from(color.2)
    }

    #[test]
    fn more_is_darker_and_nothing_is_white() {
        let lights: Vec<u32> =
            [0.0, 1e-9, 0.01, 0.1, 0.3, 0.7, 1.0].iter().map(|x| light(shade(*x))).collect();
        assert!(lights.windows(2).all(|pair| pair[0] > pair[1]), "{lights:?}");
        assert_eq!(shade(0.0), WHITE);
        assert_eq!([shade(f64::NAN), shade(7.0)], [shade(0.0), shade(1.0)]);
    }

    #[test]
    fn series_and_orders_differ() {
        for colors in [SERIES.to_vec(), ORDERS.map(|(_, color)| color).to_vec()] {
            for (i, a) in colors.iter().enumerate() {
                assert!(colors[..i].iter().all(|b| a != b), "{i}");
            }
        }
        assert_eq!(series(0), series(SERIES.len()));
        assert_eq!(named("halo2(samples=8)", 3), VERMILION);
        assert_eq!(named("new", 3), series(3));
    }
}
