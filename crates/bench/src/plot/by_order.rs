//! A value for each order on each graph: graphs along the axis, a group of bars each, a bar an order, its colour in the
//! legend and its value above it. By logarithms bars have no foot to begin at, and are dots on stems. Groups that have no room beside each other go on in the next row, on an axis of the same values.

use super::{
    Canvas, Drawn, Figure, Point, Unit,
    axis::Axis,
    canvas::{fitting, wide},
    colors::{self, FAINT, INK, RGBColor, WHITE},
    frame::{Frame, LEFT, RIGHT},
    legend::Legend,
};

const SIDE: i32 = 16;
const HEAD: i32 = 40;
/// Of the bars of a row, and below them for names.
const HIGH: i32 = 240;
const BELOW: i32 = 30;
/// The most that a picture is wide, and the least.
const WIDEST: i32 = 1200;
const NARROWEST: i32 = 480;
/// A bar is between these wide, so that its value has room; a group at least so much, so that a name has.
const BAR: (i32, i32) = (12, 22);
const GROUP: i32 = 110;
/// Between groups.
const GAP: i32 = 24;

/// What is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    /// Above everything.
    pub title: String,
    /// What the values are, with their unit.
    pub label: String,
    /// How they are written.
    pub unit: Unit,
    /// By logarithms: for values of several magnitudes. Values that have none are left out.
    pub is_log: bool,
    /// A line across, and what it is: the least that is possible, for instance.
    pub ideal: Option<(f64, String)>,
    /// The orders.
    pub orders: Vec<String>,
    /// The graphs, each with a value for every order; `None`: was not measured.
    pub graphs: Vec<(String, Vec<Option<f64>>)>,
}

/// Where groups and bars are.
#[derive(Debug, Clone, Copy)]
struct Layout {
    /// Of a bar.
    bar: i32,
    /// Of a group, with the gap after it.
    group: i32,
    /// Groups in a row.
    columns: i32,
    rows: i32,
    /// Above the bars, for the value of the highest.
    above: i32,
    /// Right of them, for the name of the ideal.
    beside: i32,
}

impl Layout {
    fn of(bars: &Bars) -> Self {
        let (orders, graphs) = (bars.orders.len().max(1) as i32, bars.graphs.len() as i32);
        let beside = bars.ideal.as_ref().map_or(RIGHT, |(_, name)| (wide(name) + 14).clamp(RIGHT, GROUP));
        let inner = WIDEST - LEFT - beside;
        // As wide as all groups in one row allow, but not wider than is well.
        let bar = ((inner / graphs.max(1) - GAP) / orders).clamp(BAR.0, BAR.1);
        let group = (orders * bar).max(GROUP) + GAP;
        let columns = (inner / group).clamp(1, graphs.max(1));
        let rows = (graphs + columns - 1) / columns;
        // Rows of about the same length.
        let columns = if rows > 0 { (graphs + rows - 1) / rows } else { 1 };
        let above = if bars.unit == Unit::Seconds { 60 } else { 36 };
        Self { bar, group, columns, rows, above, beside }
    }

    fn row_high(&self) -> i32 {
        self.above + HIGH + BELOW
    }

    fn width(&self) -> i32 {
        (LEFT + self.columns * self.group + self.beside).max(NARROWEST)
    }

    /// The row of a graph, and where its group begins.
    fn group_at(&self, nth: i32) -> (i32, i32) {
        (nth / self.columns, LEFT + nth % self.columns * self.group + GAP / 2)
    }
}

/// The figure.
pub fn figure(bars: &Bars) -> Figure<'static> {
    let (bars, layout) = (bars.clone(), Layout::of(bars));
    let keys = bars.orders.iter().enumerate().map(|(nth, order)| (colors::order(order, nth), order.clone()));
    let legend = Legend::new(keys, layout.width() - 2 * SIDE);
    let top = HEAD + legend.high() + 8;
    Figure::new((layout.width(), top + layout.rows.max(1) * layout.row_high() + 8), move |canvas| {
        canvas.title(&bars.title)?;
        legend.draw(canvas, (SIDE, HEAD + 8))?;
        let Some(values) = range(&bars) else {
            return canvas.begin("nothing was measured", (SIDE, top + 14), FAINT);
        };
        let row_at = |row: i32| top + row * layout.row_high() + layout.above;
        (0..layout.rows).try_for_each(|row| draw_row(canvas, &bars, layout, (row, row_at(row)), values))
    })
}

/// The values that the axis goes over; `None` if there are none.
fn range(bars: &Bars) -> Option<(f64, f64)> {
    let all = bars.graphs.iter().flat_map(|(_, values)| values).flatten().copied();
    let ideal = bars.ideal.iter().map(|(value, _)| *value);
    let shown = |value: &f64| value.is_finite() && (!bars.is_log || *value > 0.0);
    let measured: Vec<f64> = all.filter(shown).collect();
    let (first, rest) = measured.split_first()?;
    let all = || rest.iter().copied().chain(ideal.clone().filter(shown));
    let (least, most) = (all().fold(*first, f64::min), all().fold(*first, f64::max));
    Some(match bars.is_log {
        true => (least / 1.6, most * 1.1),
        false => (least.min(0.0), if most > 0.0 { most } else { 1.0 }),
    })
}

fn draw_row(
    canvas: &Canvas<'_>,
    bars: &Bars,
    layout: Layout,
    (row, top): (i32, i32),
    values: (f64, f64),
) -> Drawn {
    let pixels = (top + HIGH, top);
    let right = LEFT + layout.columns * layout.group;
    let up = if bars.is_log { Axis::log(values, pixels) } else { Axis::linear(values, pixels) };
    let frame = Frame { across: Axis::linear((0.0, 1.0), (LEFT, right)), up };
    frame.values(canvas, bars.unit, &bars.label)?;
    let places: Vec<Place> = places(bars, layout, row, up).collect();
    places.iter().try_for_each(|place| draw_bar(canvas, bars, layout, up, place))?;
    frame.axes(canvas)?;
    if let Some((value, name)) = &bars.ideal {
        canvas.line(vec![(LEFT, up.at(*value)), (right, up.at(*value))], INK, 1)?;
        canvas.begin(&fitting(name, GROUP), (right + 6, up.at(*value)), INK)?;
    }
    places.iter().try_for_each(|place| draw_value(canvas, bars, place))?;
    names(canvas, bars, layout, (row, top + HIGH + 14))
}

/// A bar of a row.
struct Place {
    /// Its left side and its end.
    at: Point,
    middle: i32,
    color: RGBColor,
    /// `None` if there is nothing to show.
    value: Option<f64>,
}

fn places(bars: &Bars, layout: Layout, row: i32, up: Axis) -> impl Iterator<Item = Place> {
    let free = layout.group - GAP - layout.bar * bars.orders.len() as i32;
    let groups = bars.graphs.iter().zip(0..).map(move |((_, values), nth)| (values, layout.group_at(nth)));
    let groups = groups.filter(move |(_, (of, _))| *of == row);
    groups.flat_map(move |(values, (_, left))| {
        bars.orders.iter().zip(values).enumerate().map(move |(nth, (order, value))| {
            let from = left + free / 2 + nth as i32 * layout.bar;
            let value = value.filter(|x| x.is_finite() && (!bars.is_log || *x > 0.0));
            let y = value.map_or(up.pixels().0, |value| up.at(value));
            Place { at: (from, y), middle: from + layout.bar / 2, color: colors::order(order, nth), value }
        })
    })
}

fn draw_bar(canvas: &Canvas<'_>, bars: &Bars, layout: Layout, up: Axis, place: &Place) -> Drawn {
    let ((from, y), bottom) = (place.at, up.pixels().0);
    match place.value {
        None => canvas.middle("-", (place.middle, bottom - 6), FAINT),
        Some(_) if bars.is_log => stem(canvas, (place.middle, bottom), y, place.color),
        Some(_) => canvas.bar((from, y), (from + layout.bar - 1, up.at(0.0)), place.color),
    }
}

/// The value above a bar, on white, so that no line goes through it.
fn draw_value(canvas: &Canvas<'_>, bars: &Bars, place: &Place) -> Drawn {
    let Some(value) = place.value else { return Ok(()) };
    let (text, x) = (bars.unit.value(value), place.middle);
    let foot = place.at.1 - if bars.is_log { 10 } else { 4 };
    canvas.bar((x - BAR.0 / 2, foot - wide(&text)), (x + BAR.0 / 2, foot + 2), WHITE)?;
    canvas.rising(&text, (x, foot), INK)
}

fn names(canvas: &Canvas<'_>, bars: &Bars, layout: Layout, (row, y): (i32, i32)) -> Drawn {
    for ((name, _), nth) in bars.graphs.iter().zip(0..) {
        let (of, left) = layout.group_at(nth);
        if of == row {
            let middle = left + (layout.group - GAP) / 2;
            canvas.middle(&fitting(name, layout.group - 4), (middle, y), INK)?;
        }
    }
    Ok(())
}

fn stem(canvas: &Canvas<'_>, foot: Point, y: i32, color: RGBColor) -> Drawn {
    canvas.line(vec![foot, (foot.0, y)], color, 2)?;
    canvas.dot((foot.0, y), color, 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::testing::{Picture, WHITE};

    fn bars(graphs: &[(&str, &[Option<f64>])]) -> Bars {
        Bars {
            title: "log gaps".to_owned(),
            label: "log gap (bits)".to_owned(),
            unit: Unit::Number,
            is_log: false,
            ideal: None,
            orders: ["natural", "halo2"].map(str::to_owned).to_vec(),
            graphs: graphs.iter().map(|(name, values)| ((*name).to_owned(), values.to_vec())).collect(),
        }
    }

    fn rgb(order: &str) -> [u8; 3] {
        let RGBColor(red, green, blue) = colors::order(order, 0);
        [red, green, blue]
    }

    #[test]
    fn graphs_orders_and_values_are_named() {
        let svg = figure(&bars(&[("kron:20", &[Some(8.5), Some(2.25)]), ("<road>", &[Some(3.0), None])]));
        let svg = svg.svg().unwrap();
        for word in
            ["log gaps", "log gap (bits)", "natural", "halo2", "kron:20", "&lt;road&gt;", "8.50", "2.25"]
        {
            assert!(svg.contains(word), "{word}\n{svg}");
        }
    }

    #[test]
    fn a_bar_is_as_high_as_its_value() {
        let picture = Picture::of(&figure(&bars(&[("g", &[Some(8.0), Some(2.0)])])));
        // The keys of the legend are boxes of 10 pixels.
        let area = |order: &str| picture.count(rgb(order)) as f64 / 4.0 - 100.0;
        let ratio = area("halo2") / area("natural");
        assert!((ratio - 0.25).abs() < 0.01, "{ratio}");
        let layout = Layout::of(&bars(&[("g", &[])]));
        let (_, left) = layout.group_at(0);
        let from = left + (layout.group - GAP - 2 * layout.bar) / 2;
        let bottom = HEAD + 20 + 8 + layout.above + HIGH;
        assert_eq!(picture.at(from + 5, bottom - HIGH + 1), rgb("natural"), "the highest reaches the top");
        assert_eq!(picture.at(from + layout.bar + 5, bottom - HIGH / 8), rgb("halo2"));
        assert_eq!(picture.at(from + layout.bar + 5, bottom - HIGH / 2 + 9), WHITE);
    }

    #[test]
    fn by_logarithms_there_are_dots_on_stems() {
        let mut bars = bars(&[("g", &[Some(100.0), Some(1e-3)]), ("h", &[Some(0.0), Some(-1.0)])]);
        (bars.is_log, bars.unit) = (true, Unit::Seconds);
        let svg = figure(&bars).svg().unwrap();
        assert_eq!(svg.matches("<circle").count(), 2, "zero and less have no logarithm");
        assert!(svg.contains("100 s") && svg.contains("1.00 ms"), "{svg}");
    }

    #[test]
    fn many_graphs_go_on_in_further_rows() {
        let row: &[Option<f64>] = &[Some(1.0), Some(2.0)];
        let (few, many) = (vec![("g", row); 3], vec![("g", row); 40]);
        let (few, many) = (figure(&bars(&few)), figure(&bars(&many)));
        assert!(many.size().0 <= WIDEST as u32 && many.size().1 > 3 * few.size().1);
        assert_eq!(many.svg().unwrap().matches("\ng\n").count(), 40);
    }

    #[test]
    fn the_ideal_is_a_line_with_its_name() {
        let mut bars = bars(&[("g", &[Some(2.5), Some(1.5)])]);
        bars.ideal = Some((1.0, "ideal".to_owned()));
        assert!(figure(&bars).svg().unwrap().contains("ideal"));
    }

    #[test]
    fn figures_of_nothing_are_drawn_too() {
        let mut none = bars(&[]);
        none.orders.clear();
        for empty in [none, bars(&[]), bars(&[("g", &[]), ("h", &[None, Some(f64::NAN)])])] {
            assert!(figure(&empty).svg().unwrap().contains("nothing was measured"));
            Picture::of(&figure(&empty));
        }
        Picture::of(&figure(&bars(&[("g", &[Some(0.0), Some(0.0)])])));
    }
}
