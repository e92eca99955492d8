//! Bars: one panel per group (such as a graph), one horizontal bar per row, its name on the left and its value behind it.
//!
//! A bar may have several parts. On a logarithmic axis bars have no foot, so a dot on a stem replaces them.

use super::{
    Canvas, Figure, HEAD, Point, SIDE, Unit,
    axis::Axis,
    colors::{self, BAD, BAND, Color, FAINT, INK, RULE},
    grid,
    svg::{fitting, legend_height, wide},
};

/// Size of a panel, of what is right of its bars for values, and of its rows.
const WIDTH: i32 = 560;
const RIGHT: i32 = 130;
const TITLE: i32 = 30;
const ROW: i32 = 20;
const BAR: i32 = 13;
const FOOT: i32 = 34;
/// The space for names: at least, at most.
const NAMES: Point = (60, 220);

/// How values become lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// In proportion, each panel by its own largest value.
    Each,
    /// In proportion, all panels alike.
    Same,
    /// By logarithms, all panels alike; values that are not above 0 are left out.
    Log,
}

/// Bars in panels.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    /// The title of the figure.
    pub title: String,
    /// What the values are, with their unit.
    pub label: String,
    /// How values are written.
    pub unit: Unit,
    /// How values become lengths.
    pub scale: Scale,
    /// The names of the parts of a bar; empty if bars have one part.
    pub parts: Vec<&'static str>,
    /// A value with a line across, and what it is.
    pub mark: Option<(f64, String)>,
    /// A range behind the bars, and what it is.
    pub band: Option<(f64, f64, String)>,
    /// The panels.
    pub panels: Vec<Panel>,
}

/// Bars below a title.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// What they have in common.
    pub title: String,
    /// The bars.
    pub rows: Vec<Row>,
}

/// One bar.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// The values of its parts; empty if there is nothing to show.
    pub values: Vec<f64>,
    /// What is written behind it instead of the value.
    pub text: Option<String>,
}

impl Row {
    /// Returns a bar of one value, or a row that says that there is none.
    pub fn of(name: impl Into<String>, value: Option<f64>) -> Self {
        Self { name: name.into(), values: value.into_iter().collect(), text: None }
    }

    fn end(&self) -> Option<f64> {
        (!self.values.is_empty()).then(|| self.values.iter().sum()).filter(|end: &f64| end.is_finite())
    }
}

impl Bars {
    /// Returns bars of one part, in proportion, without panels.
    pub fn new(title: impl Into<String>, label: &str) -> Self {
        Self {
            title: title.into(),
            label: label.to_owned(),
            unit: Unit::Number,
            scale: Scale::Same,
            parts: Vec::new(),
            mark: None,
            band: None,
            panels: Vec::new(),
        }
    }

    /// Returns true if there is a bar.
    pub fn has_any(&self) -> bool {
        self.panels.iter().flat_map(|panel| &panel.rows).any(|row| row.end().is_some())
    }

    /// Draws the figure.
    pub fn figure(&self) -> Figure {
        let (columns, lines) = grid(self.panels.len());
        let keys = self.keys();
        let top = HEAD + legend_height(&keys, columns * WIDTH) + 24;
        let rows = self.panels.iter().map(|panel| panel.rows.len() as i32).max().unwrap_or(0);
        let high = TITLE + rows * ROW + FOOT;
        let mut canvas = Canvas::new((columns * WIDTH, top + lines * high), &self.title);
        canvas.legend(&keys);
        if !self.has_any() {
            canvas.begin("nothing was measured", (SIDE, top), FAINT);
            return canvas.finish();
        }
        canvas.begin(&self.label, (SIDE, top - 12), FAINT);
        for (panel, nth) in self.panels.iter().zip(0..) {
            self.panel(&mut canvas, panel, (nth % columns * WIDTH, top + nth / columns * high));
        }
        canvas.finish()
    }

    fn keys(&self) -> Vec<(Color, String)> {
        let parts =
            self.parts.iter().enumerate().map(|(nth, part)| (colors::series(nth), (*part).to_owned()));
        let band = self.band.iter().map(|(_, _, name)| (BAND, name.clone()));
        let mark = self.mark.iter().map(|(_, name)| (INK, format!("line: {name}")));
        parts.chain(band).chain(mark).collect()
    }

    /// The space for names: that of the longest, the same in all panels.
    fn names(&self) -> i32 {
        let names = self.panels.iter().flat_map(|panel| &panel.rows).map(|row| wide(&row.name));
        (names.max().unwrap_or(0) + SIDE + 12).clamp(NAMES.0, NAMES.1)
    }

    fn axis(&self, panel: &Panel, pixels: (i32, i32)) -> Axis {
        let panels = if self.scale == Scale::Each { std::slice::from_ref(panel) } else { &self.panels };
        let ends = panels.iter().flat_map(|panel| &panel.rows).filter_map(Row::end);
        let marks = self.mark.iter().map(|(value, _)| *value);
        let bands = self.band.iter().flat_map(|(from, to, _)| [*from, *to]);
        let all: Vec<f64> = ends.chain(marks).chain(bands).collect();
        let most = all.iter().copied().fold(0.0, f64::max);
        let least = all.iter().copied().filter(|x| *x > 0.0).fold(f64::INFINITY, f64::min);
        match self.scale {
            Scale::Log if least <= most => Axis::log((least / 1.6, most * 1.1), pixels),
            _ => Axis::linear((all.iter().copied().fold(0.0, f64::min), most.max(f64::MIN_POSITIVE)), pixels),
        }
    }

    fn panel(&self, canvas: &mut Canvas, panel: &Panel, corner: Point) {
        let (left, right) = (corner.0 + self.names(), corner.0 + WIDTH - RIGHT);
        let (top, bottom) = (corner.1 + TITLE, corner.1 + TITLE + panel.rows.len() as i32 * ROW);
        let axis = self.axis(panel, (left, right));
        canvas.begin(&fitting(&panel.title, WIDTH - 2 * SIDE), (corner.0 + SIDE, corner.1 + 14), INK);
        if let Some((from, to, _)) = &self.band {
            canvas.bar((axis.at(*from), top - 4), (axis.at(*to), bottom), BAND);
        }
        for mark in axis.marks() {
            let x = axis.at(mark);
            canvas.line(&[(x, top - 4), (x, bottom)], RULE, 1);
            canvas.middle(&self.unit.mark(mark), (x, bottom + 12), FAINT);
        }
        for (nth, row) in panel.rows.iter().enumerate() {
            canvas.end(
                &fitting(&row.name, left - corner.0 - 12),
                (left - 8, top + nth as i32 * ROW + BAR / 2),
                INK,
            );
            self.row(canvas, (nth, row), axis, (left, top + nth as i32 * ROW));
        }
        if let Some((value, _)) = &self.mark {
            let x = axis.at(*value);
            canvas.line(&[(x, top - 4), (x, bottom)], INK, 1);
        }
    }

    fn row(&self, canvas: &mut Canvas, (nth, row): (usize, &Row), axis: Axis, (left, top): Point) {
        let middle = top + BAR / 2;
        let Some(end) = row.end().filter(|end| self.scale != Scale::Log || *end > 0.0) else {
            let (text, color) = row.text.as_deref().map_or(("-", FAINT), |text| (text, BAD));
            return canvas.begin(text, (left + 6, middle), color);
        };
        let x = axis.at(end);
        if self.scale == Scale::Log {
            let color = colors::named(&row.name, nth);
            canvas.line(&[(left, middle), (x, middle)], color, 2);
            canvas.dot((x, middle), color, 4);
        } else {
            let mut begin = 0.0;
            for (part, value) in row.values.iter().enumerate() {
                let color =
                    if self.parts.is_empty() { colors::named(&row.name, nth) } else { colors::series(part) };
                canvas.bar((axis.at(begin), top), (axis.at(begin + value), top + BAR), color);
                begin += value;
            }
        }
        let text = row.text.clone().unwrap_or_else(|| self.unit.value(end));
        canvas.begin(&text, (x.max(left) + 8, middle), INK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars(rows: &[(&str, Option<f64>)]) -> Bars {
        let rows = rows.iter().map(|(name, value)| Row::of(*name, *value)).collect();
        Bars { panels: vec![Panel { title: "<road>".to_owned(), rows }], ..Bars::new("log gaps", "bits") }
    }

    fn widths(svg: &str, color: Color) -> Vec<f64> {
        let bars = svg.split("<rect ").filter(|tag| tag.contains(&color.to_string()));
        let width = |tag: &str| tag.split("width=\"").nth(1)?.split('"').next()?.parse().ok();
        bars.filter_map(width).collect()
    }

    #[test]
    fn groups_names_and_values_are_written() {
        let mut bars = bars(&[("natural", Some(8.5)), ("halo2", Some(2.25)), ("rcm", None)]);
        bars.mark = Some((1.0, "ideal".to_owned()));
        bars.panels[0].rows[2].text = Some("no room".to_owned());
        let figure = bars.figure();
        for word in
            ["log gaps", ">bits<", "natural", "halo2", "&lt;road&gt;", "8.50", "2.25", "ideal", "no room"]
        {
            assert!(figure.svg().contains(word), "{word}\n{}", figure.svg());
        }
    }

    #[test]
    fn a_bar_is_as_long_as_its_value_and_so_are_its_parts() {
        let svg = bars(&[("natural", Some(8.0)), ("halo2", Some(2.0))]).figure();
        let of = |name| widths(svg.svg(), colors::named(name, 0))[0];
        assert!((of("halo2") / of("natural") - 0.25).abs() < 0.01);
        let mut bars = bars(&[("node", None)]);
        bars.parts = vec!["kernels", "overhead"];
        bars.panels[0].rows[0].values = vec![8.0, 2.0];
        let svg = bars.figure();
        // The first box of a colour is its key.
        let [kernels, overhead] = [0, 1].map(|part| widths(svg.svg(), colors::series(part))[1]);
        assert!((kernels / overhead - 4.0).abs() < 0.1, "{kernels} {overhead}");
    }

    #[test]
    fn by_logarithms_there_are_dots_on_stems() {
        let mut bars = bars(&[("a", Some(100.0)), ("b", Some(1e-3)), ("c", Some(0.0)), ("d", Some(-1.0))]);
        (bars.scale, bars.unit) = (Scale::Log, Unit::Seconds);
        let figure = bars.figure();
        assert_eq!(figure.svg().matches("<circle").count(), 2, "zero and less have no logarithm");
        assert!(figure.svg().contains("100 s") && figure.svg().contains("1.00 ms"));
    }

    #[test]
    fn a_panel_of_its_own_scale_fills_its_width() {
        let mut bars = bars(&[("a", Some(100.0))]);
        bars.panels.push(Panel { title: "h".to_owned(), rows: vec![Row::of("a", Some(1.0))] });
        let ratio = |bars: &Bars| {
            let widths = widths(bars.figure().svg(), colors::named("a", 0));
            widths[1] / widths[0]
        };
        assert!(ratio(&bars) < 0.02);
        bars.scale = Scale::Each;
        assert_eq!(ratio(&bars), 1.0);
    }

    #[test]
    fn figures_of_nothing_are_drawn_too() {
        for rows in [&[][..], &[("g", None)], &[("g", Some(f64::NAN))]] {
            assert!(bars(rows).figure().svg().contains("nothing was measured"));
        }
        assert!(bars(&[("g", Some(0.0))]).figure().svg().contains("0.00"));
        assert!(Bars::new("t", "").figure().svg().contains("nothing was measured"));
    }
}
