//! Colours that colour-blind readers can tell apart, after M. Okabe and K. Ito, "Color Universal Design", 2008; where there are
//! more series than those eight, darker and lighter kin of them. Neighbours also differ in lightness.

pub use plotters::style::RGBColor;

/// The paper.
pub const WHITE: RGBColor = RGBColor(255, 255, 255);
/// Texts and axes.
pub const INK: RGBColor = RGBColor(34, 34, 34);
/// What stands beside: marks, remarks.
pub const FAINT: RGBColor = RGBColor(100, 100, 100);
/// Lines of a grid.
pub const RULE: RGBColor = RGBColor(221, 221, 221);
/// What cannot be shown.
pub const BAD: RGBColor = RGBColor(197, 48, 48);

const BLUE: RGBColor = RGBColor(0, 114, 178);
const VERMILION: RGBColor = RGBColor(213, 94, 0);
const GREEN: RGBColor = RGBColor(0, 158, 115);
const PURPLE: RGBColor = RGBColor(204, 121, 167);
const ORANGE: RGBColor = RGBColor(230, 159, 0);
const SKY: RGBColor = RGBColor(86, 180, 233);
const BLACK: RGBColor = RGBColor(51, 51, 51);
const YELLOW: RGBColor = RGBColor(228, 212, 34);

/// In the order they are handed out.
const SERIES: [RGBColor; 14] = [
    BLUE,
    VERMILION,
    GREEN,
    PURPLE,
    ORANGE,
    SKY,
    BLACK,
    YELLOW,
    RGBColor(0, 62, 112),
    RGBColor(242, 170, 120),
    RGBColor(0, 92, 66),
    RGBColor(126, 56, 99),
    RGBColor(160, 160, 160),
    RGBColor(140, 96, 10),
];

/// Orders keep their colour from figure to figure: kin are kin here.
const ORDERS: [(&str, RGBColor); 13] = [
    ("natural", BLACK),
    ("random", RGBColor(168, 168, 168)),
    ("degree", RGBColor(140, 96, 10)),
    ("in-degree", ORANGE),
    ("degree-neighbours", YELLOW),
    ("rcm", PURPLE),
    ("bp", RGBColor(0, 92, 66)),
    ("bfs-bp", GREEN),
    ("halo1", RGBColor(242, 170, 120)),
    ("halo2", VERMILION),
    ("gorder", BLUE),
    ("llp", SKY),
    ("sampled", RGBColor(126, 56, 99)),
];

/// The colour of the nth series; after the last comes the first again.
pub fn series(nth: usize) -> RGBColor {
    SERIES[nth % SERIES.len()]
}

/// The colour of an order, whatever its settings: `halo2(samples=8)` is `halo2`. One without a colour of its own has that of
/// the nth series.
pub fn order(name: &str, nth: usize) -> RGBColor {
    let kind = name.split(['(', ':', ',', ' ']).next().unwrap_or(name);
    ORDERS.iter().find(|(known, _)| *known == kind).map_or_else(|| series(nth), |(_, color)| *color)
}

/// White at 0, faint from the least above it, the darkest at 1: what is rare must be seen too, so the square root counts.
pub fn shade(share: f64) -> RGBColor {
    if share.is_nan() || share <= 0.0 {
        return WHITE;
    }
    let depth = 0.1 + 0.9 * share.min(1.0).sqrt();
    let steps = f64::from(SHADES);
    let depth = (depth * steps).ceil() / steps;
    let mix = |from: f64, to: f64| (from + depth * (to - from)).round() as u8;
    RGBColor(mix(232.0, 8.0), mix(242.0, 29.0), mix(252.0, 88.0))
}

/// Shades between the faintest and the darkest; fewer make smaller files.
const SHADES: u32 = 24;

#[cfg(test)]
mod tests {
    use super::*;

    fn light(color: RGBColor) -> u32 {
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
        assert_eq!(order("halo2(samples=8)", 3), VERMILION);
        assert_eq!(order("new", 3), series(3));
    }
}
