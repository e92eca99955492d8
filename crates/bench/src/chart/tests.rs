//! Figures say what they show, and show it in proportion.

use super::{
    axis::Axis,
    bars::{self, Row},
    colors::{Color, INK, ORDERS, SERIES, WHITE, named, series, shade},
    degrees::{self, Series},
    lines::{self, MARK},
    steps::{self, ABOVE, HIGH, LEFT, Panel, WIDE, ids_in},
    svg::{Canvas, LINE},
    *,
};

fn bars(rows: &[(&str, Option<f64>)]) -> Bars {
    let rows = rows.iter().map(|(name, value)| Row::of(*name, *value)).collect();
    Bars { panels: vec![bars::Panel { title: "<road>".to_owned(), rows }], ..Bars::new("log gaps", "bits") }
}

fn lines(all: &[&[(f64, f64)]]) -> Lines {
    let lines = all.iter().map(|line| line.to_vec()).collect();
    Lines {
        title: "samples".to_owned(),
        across: ("number of samples".to_owned(), true),
        up: ("log gap (bits)".to_owned(), false),
        unit: Unit::Number,
        marks_points: true,
        series: (0..all.len()).map(|nth| format!("g<{nth}>")).collect(),
        panels: vec![lines::Panel { lines, ..Default::default() }],
    }
}

fn degrees(all: &[(&str, &[(u64, u64)])]) -> Figure {
    let series = |(name, counts): &(&str, &[(u64, u64)])| made(name, counts);
    degrees::figure("degrees of kron:14", &all.iter().map(series).collect::<Vec<_>>())
}

fn made(name: &str, counts: &[(u64, u64)]) -> Series {
    Series { name: name.to_owned(), counts: counts.to_vec() }
}

fn stairs(levels: usize, vertices: usize, rows: Vec<Vec<u32>>) -> Panel {
    Panel { title: format!("natural <{levels}>"), levels, vertices, rows }
}

fn count(figure: &Figure, part: &str) -> usize {
    figure.svg().matches(part).count()
}

#[test]
fn figures_say_what_they_show() {
    let mut marked = bars(&[("natural", Some(8.5)), ("halo2", Some(2.25)), ("rcm", None)]);
    marked.mark = Some((1.0, "ideal".to_owned()));
    marked.panels[0].rows[2].text = Some("no room".to_owned());
    let mut logs = bars(&[("a", Some(100.0)), ("b", Some(1e-3)), ("c", Some(0.0)), ("d", Some(-1.0))]);
    (logs.scale, logs.unit) = (Scale::Log, Unit::Seconds);
    let points: Vec<(f64, f64)> = (1..9).map(|k| (2f64.powi(k), 3.0 + 1.0 / f64::from(k))).collect();
    let mut panels = lines(&[&[(1.0, 2.0), (100.0, 1.0)]]);
    panels.panels[0].title = "road".to_owned();
    panels.panels[0].mark = Some((90.0, "MDT 90".to_owned()));
    panels.panels.push(panels.panels[0].clone());
    let both = [("out <b>", &[(1, 100), (10, 10)][..]), ("in", &[(1, 50), (1000, 1)])];
    let few = [("out", &[(2, 4), (3, 3000), (4, 500_000)][..])];
    let searches = [stairs(5, 12_345, vec![vec![1]; 5]), stairs(1500, 9, vec![vec![1; 3]; 10])];
    // Figures, their dots, and what stands in them.
    let cases = [
        (marked.figure(), 0, "log gaps|>bits<|natural|halo2|&lt;road&gt;|8.50|2.25|ideal|no room"),
        // Zero and less have no logarithm.
        (logs.figure(), 2, "100 s|1.00 ms"),
        (bars(&[("g", Some(0.0))]).figure(), 0, "0.00"),
        (
            lines(&[&points, &points]).figure(),
            16,
            "samples|number of samples|log gap (bits)|g&lt;1&gt;|>256<|>2<",
        ),
        (lines(&[&[(8.0, 0.0)], &[(8.0, -2.0)]]).figure(), 2, "samples"),
        (panels.figure(), 4, ">road<|stroke-dasharray|>MDT 90<"),
        (degrees(&both), 4, "degrees of kron:14|out &lt;b&gt;|in|vertices of at least this degree|1,000"),
        (degrees(&few), 3, "vertices of this degree|>3<"),
        (degrees(&[("out", &[(u64::MAX, u64::MAX)])]), 1, "out"),
        (
            steps::figure("Active vertices", &searches),
            0,
            "Active vertices|natural &lt;5&gt;|12,345|BFS level|>4<|1,000|vertex id",
        ),
    ];
    for (figure, dots, words) in &cases {
        assert_eq!(count(figure, "<circle"), *dots, "{words}");
        words.split('|').for_each(|word| assert!(figure.svg().contains(word), "{word}\n{}", figure.svg()));
    }
    assert_eq!(count(&cases[5].0, ">road<"), 2);
    assert_eq!(
        count(&cases[9].0, ">5<") + count(&cases[9].0, ">0.5<"),
        0,
        "levels are whole, and 5 of them end at 4"
    );
}

#[test]
fn figures_of_nothing_are_drawn_too() {
    let nothing = [
        bars(&[]).figure(),
        bars(&[("g", None)]).figure(),
        bars(&[("g", Some(f64::NAN))]).figure(),
        Bars::new("t", "").figure(),
        lines(&[]).figure(),
        lines(&[&[]]).figure(),
        lines(&[&[(0.0, 1.0), (2.0, f64::NAN)]]).figure(),
        degrees(&[]),
        degrees(&[("out", &[])]),
        degrees(&[("out", &[(3, 0)])]),
    ];
    nothing.iter().for_each(|figure| assert_eq!(count(figure, "nothing was measured"), 1));
    assert_eq!(count(&steps::figure("t", &[]), "no searches"), 1);
    for rows in [vec![], vec![vec![]], vec![vec![], vec![0, 1]]] {
        for (levels, vertices) in [(0, 0), (2, 0), (usize::MAX, usize::MAX)] {
            assert_eq!(count(&steps::figure("t", &[stairs(levels, vertices, rows.clone())]), "vertex id"), 1);
        }
    }
}

/// The widths of the boxes of a colour.
fn widths(bars: &Bars, color: Color) -> Vec<f64> {
    let (figure, fill) = (bars.figure(), format!("<path fill=\"{color}\" shape-rendering=\"crispEdges\""));
    let width = |path: &str| path.split(['h', 'v']).nth(1)?.parse().ok();
    figure.svg().split(&fill).skip(1).filter_map(width).collect()
}

#[test]
fn a_bar_is_as_long_as_its_value_and_so_are_its_parts() {
    let whole = bars(&[("natural", Some(8.0)), ("halo2", Some(2.0))]);
    let of = |name| widths(&whole, named(name, 0))[0];
    assert!((of("halo2") / of("natural") - 0.25).abs() < 0.01);
    let mut parts = bars(&[("node", None)]);
    parts.parts = vec!["kernels", "overhead"];
    parts.panels[0].rows[0].values = vec![8.0, 2.0];
    // The first box of a colour is its key.
    let [kernels, overhead] = [0, 1].map(|part| widths(&parts, series(part))[1]);
    assert!((kernels / overhead - 4.0).abs() < 0.1, "{kernels} {overhead}");
}

#[test]
fn a_panel_of_its_own_scale_fills_its_width() {
    let mut bars = bars(&[("a", Some(100.0))]);
    bars.panels.push(bars::Panel { title: "h".to_owned(), rows: vec![Row::of("a", Some(1.0))] });
    let ratio = |bars: &Bars| widths(bars, named("a", 0))[1] / widths(bars, named("a", 0))[0];
    assert!(ratio(&bars) < 0.02);
    bars.scale = Scale::Each;
    assert_eq!(ratio(&bars), 1.0);
}

#[test]
fn axes_put_values_in_proportion_and_marks_on_round_ones() {
    let cases: [(bool, (f64, f64), &[f64]); 11] = [
        (false, (0.0, 3.0), &[0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]),
        (true, (1.0, 1e4), &[1.0, 10.0, 100.0, 1e3, 1e4]),
        (false, (1.0, 1.0), &[]),
        // A short axis has marks between the powers.
        (true, (2.0, 60.0), &[2.0, 5.0, 10.0, 20.0, 50.0]),
        (true, (1.0, 1.0), &[1.0]),
        // Values that are none have no marks.
        (false, (f64::NAN, 1.0), &[]),
        (true, (f64::NAN, 1.0), &[]),
        (false, (0.0, f64::INFINITY), &[]),
        (true, (0.0, f64::INFINITY), &[]),
        (false, (0.0, 0.0), &[]),
        (true, (0.0, 0.0), &[]),
    ];
    let axes = cases.map(|(is_log, values, _)| Axis { is_log, values, pixels: (100, 400) });
    axes.iter().zip(cases).for_each(|(axis, (.., marks))| assert_eq!(axis.marks(), marks, "{axis:?}"));
    assert_eq!([0.0, 1.0, 3.0].map(|x| axes[0].at(x)), [100, 200, 400]);
    assert_eq!([1.0, 100.0, 1e4].map(|x| axes[1].at(x)), [100, 250, 400]);
    let values = (-f64::MAX / 4.0, f64::MAX / 4.0);
    assert!(Axis { values, ..axes[0] }.marks().len() <= 16);
}

#[test]
fn marks_too_near_each_other_are_left_out() {
    let points: Vec<(f64, f64)> = (1..=256).map(|k| (f64::from(k), 1.0)).collect();
    let (lines, all) = (lines(&[&points]), [points.clone()]);
    let (across, _) = lines.axes(&all, (0, 600), (400, 0)).unwrap();
    let at: Vec<i32> = lines.marks(&all, across).iter().map(|mark| across.at(*mark)).collect();
    assert!(at.len() > 5 && at.windows(2).all(|pair| pair[1] - pair[0] >= MARK), "{at:?}");
}

#[test]
fn a_degree_has_all_vertices_of_at_least_as_much() {
    let falling = |counts: &[(u64, u64)]| made("in", counts).falling().into_iter().collect::<Vec<_>>();
    let counts = [(3, 1), (0, 5), (1, 10), (2, 4), (7, 0)];
    assert_eq!(falling(&counts), [(1, 15), (2, 5), (3, 1)]);
    assert_eq!([true, false].map(|is| made("in", &counts).label(is)), ["in; 5 of degree 0", "in"]);
    assert_eq!(falling(&[(2, 3), (2, 4)]), [(2, 7)]);
    assert_eq!(falling(&[(1, u64::MAX), (2, u64::MAX)])[0], (1, u64::MAX));
}

#[test]
fn a_cell_is_as_dark_as_its_share_and_an_empty_one_is_not_drawn() {
    // Ten vertices in four bins: 3, 2, 3, 2.
    let panel = stairs(3, 10, vec![vec![0, 0, 0, 2], vec![1, 1, 0, 0], vec![2, 0, 3, 0]]);
    let shares = [[0.0, 0.0, 0.0, 1.0], [1.0 / 3.0, 0.5, 0.0, 0.0], [2.0 / 3.0, 0.0, 1.0, 0.0]];
    assert_eq!(panel.cells(), shares);
    let figure = steps::figure("t", &[panel]);
    let (left, top) = (LEFT, ABOVE);
    let dark = format!("M{} {top}h100v93h-100zM{} {}h100v93h-100z", left + 300, left + 200, top + 187);
    let half = format!("M{} {}h100v94h-100z", left + 100, top + 93);
    for (share, boxes) in [(1.0, dark), (0.5, half)] {
        let path = format!("<path fill=\"{}\" shape-rendering=\"crispEdges\" d=\"{boxes}\"/>", shade(share));
        assert_eq!(count(&figure, &path), 1, "{path}\n{}", figure.svg());
    }
}

#[test]
fn ids_fall_into_bins_as_they_are_said_to() {
    for (bins, vertices) in [(4, 10), (7, 7), (3, 2), (5, 1_000_003)] {
        let mut counted = vec![0; bins];
        (0..vertices).for_each(|v| counted[v * bins / vertices] += 1);
        let said: Vec<usize> = (0..bins).map(|bin| ids_in(bin, bins, vertices)).collect();
        assert_eq!(said, counted);
    }
    assert_eq!(ids_in(1, 2, usize::MAX), usize::MAX / 2);
}

#[test]
fn finer_cells_than_pixels_are_joined_and_nothing_is_lost() {
    let (rows, bins) = (1500, 1000);
    let step = |row: usize| (0..bins).map(|bin| u32::from(bin * rows / bins == row) * 9).collect();
    let panel = stairs(rows, 9 * bins, (0..rows).map(step).collect());
    let cells = panel.cells();
    assert_eq!((cells.len(), cells[0].len()), (HIGH as usize, WIDE as usize));
    let mut ids = vec![0; WIDE as usize];
    (0..bins).for_each(|bin| ids[bin * WIDE as usize / bins] += ids_in(bin, bins, panel.vertices));
    let active: f64 = cells.iter().flat_map(|row| row.iter().zip(&ids)).map(|(x, ids)| x * *ids as f64).sum();
    assert!((active - panel.vertices as f64).abs() < 1e-6, "{active}");
    assert!(steps::figure("t", &[panel]).svg().len() < 100_000);
}

#[test]
fn a_last_row_that_is_not_full_moves_no_number() {
    // Three levels a row: 0 to 2, 3 to 5, 6.
    assert_eq!([3, 7].map(|rows| stairs(7, 9, vec![vec![1]; rows]).room()), [9.0, 7.0]);
}

#[test]
fn more_is_darker_and_nothing_is_white() {
    let light = |x: &f64| {
        let Color(color) = shade(*x);
        2 * (color >> 16) + 5 * (color >> 8 & 255) + (color & 255)
    };
    let lights: Vec<u32> = [0.0, 1e-9, 0.01, 0.1, 0.3, 0.7, 1.0].iter().map(light).collect();
    assert!(lights.windows(2).all(|pair| pair[0] > pair[1]), "{lights:?}");
    assert_eq!([0.0, f64::NAN, 7.0].map(shade), [WHITE, WHITE, shade(1.0)]);
}

#[test]
fn series_and_orders_differ() {
    for colors in [SERIES.to_vec(), ORDERS.map(|(_, color)| color).to_vec()] {
        let different: std::collections::BTreeSet<u32> = colors.iter().copied().collect();
        assert_eq!(different.len(), colors.len());
    }
    assert_eq!(series(0), series(SERIES.len()));
    assert_eq!([named("halo2(samples=8)", 3), named("new", 3)], [Color(0xD55E00), series(3)]);
}

#[test]
fn texts_are_no_markup_and_keys_go_on_in_the_next_line_of_a_legend() {
    let keys = ["natural", "random", "degree-neighbours", "<i>"].map(|name| (INK, name.to_owned()));
    let [without, canvas] = [&[][..], &keys].map(|keys| Canvas::new("<b>&", keys, 1, (282, 40)));
    assert_eq!(canvas.top - without.top, 2 * LINE);
    let svg = canvas.finish(&[(); 0], |_, ()| ());
    for text in [
        ">&lt;b&gt;&amp;<",
        "x=\"32\" y=\"48\" ",
        "x=\"110\" y=\"48\" ",
        "x=\"32\" y=\"68\" ",
        "x=\"170\" y=\"68\" ",
    ] {
        assert_eq!(count(&svg, text), 1, "{text} {}", svg.svg());
    }
    assert_eq!(count(&svg, "<i>"), 0);
}

#[test]
fn other_endings_and_existing_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let figure = degrees(&[]);
    for name in ["a.png", "svg", "a.svg.gz", "a"] {
        let error = save(&figure, &folder.path().join(name), true).unwrap_err();
        assert_eq!(error.kind(), "invalid", "{name}");
        assert!(error.help().unwrap().contains("ends in .svg"), "{name}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let path = folder.path().join("a.SVG");
    save(&figure, &path, false).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), figure.svg());
    assert_eq!(save(&figure, &path, false).unwrap_err().kind(), "exists");
    save(&figure, &path, true).unwrap();
}
