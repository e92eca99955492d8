//! Colours that colour-blind readers can tell apart, after M. Okabe and K. Ito, "Color Universal Design", 2008; where there are
//! more series than those eight, darker and lighter kin of them. Neighbours also differ in lightness.

use std::fmt;

/// A colour: a byte each of red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Color(pub(super) u32);

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:06X}", self.0)
    }
}

/// A colour in a legend, and what it stands for.
pub(super) type Key = (Color, String);

/// Of the background, of texts and axes, of marks and remarks, of lines of a grid, of errors, of a range behind bars.
pub(super) const WHITE: Color = Color(0xFFFFFF);
pub(super) const INK: Color = Color(0x222222);
pub(super) const FAINT: Color = Color(0x646464);
pub(super) const RULE: Color = Color(0xDDDDDD);
pub(super) const BAD: Color = Color(0xC53030);
pub(super) const BAND: Color = Color(0xE2E8F0);

/// In the order they are handed out: blue, vermilion, green, purple, orange, sky, black, yellow, then their kin.
pub(super) const SERIES: [u32; 14] = [
    0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x333333, 0xE4D422, 0x003E70, 0xF2AA78,
    0x005C42, 0x7E3863, 0xA0A0A0, 0x8C600A,
];

/// Orders keep their colour from figure to figure: kin are kin here.
pub(super) const ORDERS: [(&str, u32); 13] = [
    ("natural", 0x333333),
    ("random", 0xA8A8A8),
    ("degree", 0x8C600A),
    ("in-degree", 0xE69F00),
    ("degree-neighbours", 0xE4D422),
    ("rcm", 0xCC79A7),
    ("bp", 0x005C42),
    ("bfs-bp", 0x009E73),
    ("halo1", 0xF2AA78),
    ("halo2", 0xD55E00),
    ("gorder", 0x0072B2),
    ("llp", 0x56B4E9),
    ("sampled", 0x7E3863),
];

/// Shades between the faintest and the darkest; fewer make smaller files.
const SHADES: f64 = 24.0;

/// Returns the colour of the nth series; after the last comes the first again.
pub(super) fn series(nth: usize) -> Color {
    Color(SERIES[nth % SERIES.len()])
}

/// Returns the legend of some series.
pub(super) fn keys(names: &[impl ToString]) -> Vec<Key> {
    names.iter().enumerate().map(|(nth, name)| (series(nth), name.to_string())).collect()
}

/// Returns the colour of an order, whatever its settings: `halo2(samples=8)` is `halo2`. Another name has the colour of the
/// nth series.
pub(super) fn named(name: &str, nth: usize) -> Color {
    let kind = name.split(['(', ':', ',', ' ']).next().unwrap_or(name);
    ORDERS.iter().find(|(known, _)| *known == kind).map_or_else(|| series(nth), |(_, color)| Color(*color))
}

/// Returns white for 0, a faint shade for the least share above it, the darkest for 1. The square root counts, so that
/// readers see rare values too.
pub(super) fn shade(share: f64) -> Color {
    if share.is_nan() || share <= 0.0 {
        return WHITE;
    }
    let depth = ((0.1 + 0.9 * share.min(1.0).sqrt()) * SHADES).ceil() / SHADES;
    let mix = |from: f64, to: f64| (from + depth * (to - from)).round() as u32;
    Color(mix(232.0, 8.0) << 16 | mix(242.0, 29.0) << 8 | mix(252.0, 88.0))
}
