//! Figures say what they show, and show it in proportion.

use super::{
    axis::Axis,
    bars::{self, Row},
    colors::{Color, INK, ORDERS, SERIES, WHITE, named, series, shade},
    degrees::{self, Series},
    lines::{self, MARK},
    steps::{self, ABOVE, HIGH, LEFT, Panel, WIDE, ids_in},
    svg::Canvas,
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

fn degrees(name: &str, counts: &[(u64, u64)]) -> Series {
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
    let mut twice = lines(&[&[(1.0, 2.0), (100.0, 1.0)]]);
    twice.panels[0].title = "road".to_owned();
    twice.panels[0].mark = Some((90.0, "MDT 90".to_owned()));
    twice.panels.push(twice.panels[0].clone());
    let many = [degrees("out <b>", &[(1, 100), (10, 10)]), degrees("in", &[(1, 50), (1000, 1)])];
    let few = [degrees("out", &[(2, 4), (3, 3000), (4, 500_000)])];
    let most = [degrees("out", &[(u64::MAX, u64::MAX)])];
    let searches = [stairs(5, 12_345, vec![vec![1]; 5]), stairs(1500, 9, vec![vec![1; 3]; 10])];
    // Figures, and what stands in them, how often if that is said; of logarithms, only those of values above 0.
    for (figure, words) in [
        (marked.figure(), "log gaps|>bits<|natural|halo2|&lt;road&gt;|8.50|2.25|ideal|no room"),
        (logs.figure(), "2*<circle|100 s|1.00 ms"),
        (bars(&[("g", Some(0.0))]).figure(), "0.00"),
        (lines(&[&points, &points]).figure(), "16*<circle|samples|number of samples|log gap (bits)"),
        (lines(&[&points, &points]).figure(), "g&lt;1&gt;|>256<|>2<"),
        (lines(&[&[(8.0, 0.0)], &[(8.0, -2.0)]]).figure(), "<circle"),
        (twice.figure(), "2*>road<|stroke-dasharray|>MDT 90<"),
        (
            degrees::figure("degrees", &many),
            ">degrees<|out &lt;b&gt;|in|vertices of at least this degree|1,000",
        ),
        (degrees::figure("grid", &few), "3*<circle|vertices of this degree|>3<"),
        (degrees::figure("most", &most), "1*<circle"),
        (steps::figure("Active", &searches), "Active|natural &lt;5&gt;|12,345|BFS level|1,000|vertex id"),
        // Levels are whole, and five of them end at 4.
        (steps::figure("Active", &searches), ">4<|0*>5<|0*>0.5<"),
    ] {
        for word in words.split('|') {
            let (times, word) = word.split_once('*').unwrap_or(("", word));
            let found = count(&figure, word);
            assert!(times.parse().map_or(found > 0, |n: usize| n == found), "{word}\n{}", figure.svg());
        }
    }
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
        degrees::figure("t", &[]),
        degrees::figure("t", &[degrees("out", &[])]),
        degrees::figure("t", &[degrees("out", &[(3, 0)])]),
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
    let [natural, halo2] = ["natural", "halo2"].map(|name| widths(&whole, named(name, 0))[0]);
    assert!((halo2 / natural - 0.25).abs() < 0.01);
    let mut parts = Bars { parts: vec!["kernels", "overhead"], ..bars(&[("node", None)]) };
    parts.panels[0].rows[0].values = vec![8.0, 2.0];
    // The first box of a colour is its key.
    let [kernels, overhead] = [0, 1].map(|part| widths(&parts, series(part))[1]);
    assert!((kernels / overhead - 4.0).abs() < 0.1, "{kernels} {overhead}");
}

#[test]
fn a_panel_of_its_own_scale_fills_its_width() {
    let panels = [100.0, 1.0].map(|value| bars(&[("a", Some(value))]).panels.remove(0)).to_vec();
    let [same, each] = [Scale::Same, Scale::Each]
        .map(|scale| widths(&Bars { scale, panels: panels.clone(), ..Bars::new("", "") }, named("a", 0)));
    assert!(same[1] / same[0] < 0.02);
    assert_eq!(each[0], each[1]);
}

#[test]
fn axes_put_values_in_proportion_and_marks_on_round_ones() {
    let axis = |is_log, values| Axis { is_log, values, pixels: (100, 400) };
    let (linear, log) = (axis(false, (0.0, 3.0)), Axis { pixels: (400, 0), ..axis(true, (1.0, 1e4)) });
    assert_eq!([0.0, 1.0, 3.0].map(|x| linear.at(x)), [100, 200, 400]);
    assert_eq!([1.0, 100.0, 1e4].map(|x| log.at(x)), [400, 200, 0]);
    assert_eq!(linear.marks(), [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]);
    assert_eq!(log.marks(), [1.0, 10.0, 100.0, 1e3, 1e4]);
    // A short axis has marks between the powers.
    assert_eq!(axis(true, (2.0, 60.0)).marks(), [2.0, 5.0, 10.0, 20.0, 50.0]);
    assert_eq!(axis(true, (1.0, 1.0)).marks(), [1.0]);
    assert!(axis(false, (1.0, 1.0)).marks().is_empty());
    for values in [(f64::NAN, 1.0), (0.0, f64::INFINITY), (0.0, 0.0)] {
        assert_eq!([false, true].map(|is_log| axis(is_log, values).marks().len()), [0, 0]);
    }
    assert!(axis(false, (-f64::MAX / 4.0, f64::MAX / 4.0)).marks().len() <= 16);
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
    let falling = |counts: &[(u64, u64)]| degrees("in", counts).falling().into_iter().collect::<Vec<_>>();
    let counts = [(3, 1), (0, 5), (1, 10), (2, 4), (7, 0)];
    assert_eq!(falling(&counts), [(1, 15), (2, 5), (3, 1)]);
    assert_eq!([true, false].map(|is| degrees("in", &counts).label(is)), ["in; 5 of degree 0", "in"]);
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
        assert_eq!((0..bins).map(|bin| ids_in(bin, bins, vertices)).collect::<Vec<_>>(), counted);
    }
    assert_eq!(ids_in(1, 2, usize::MAX), usize::MAX / 2);
    // Where three levels are in a row, 0 to 2, 3 to 5 and 6, the last row that is not full moves no number.
    assert_eq!([3, 7].map(|rows| stairs(7, 9, vec![vec![1]; rows]).room()), [9.0, 7.0]);
}

#[test]
fn finer_cells_than_pixels_are_joined_and_nothing_is_lost() {
    let (rows, bins, wide) = (1500, 1000, WIDE as usize);
    let step = |row: usize| (0..bins).map(|bin| u32::from(bin * rows / bins == row) * 9).collect();
    let panel = stairs(rows, 9 * bins, (0..rows).map(step).collect());
    let cells = panel.cells();
    assert_eq!((cells.len(), cells[0].len()), (HIGH as usize, wide));
    let mut ids = vec![0.0; wide];
    (0..bins).for_each(|bin| ids[bin * wide / bins] += ids_in(bin, bins, panel.vertices) as f64);
    let active: f64 = cells.iter().flat_map(|row| row.iter().zip(&ids)).map(|(share, ids)| share * ids).sum();
    assert!((active - panel.vertices as f64).abs() < 1e-6, "{active}");
    assert!(steps::figure("t", &[panel]).svg().len() < 100_000);
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
    assert_eq!([without.top, canvas.top], [40, 40 + 2 * 20]);
    let figure = canvas.finish(&[(); 0], |_, ()| ());
    assert_eq!([">&lt;b&gt;&amp;<", "<i>"].map(|text| count(&figure, text)), [1, 0]);
    for (x, y) in [(32, 48), (110, 48), (32, 68), (170, 68)] {
        assert_eq!(count(&figure, &format!("x=\"{x}\" y=\"{y}\"")), 1, "{}", figure.svg());
    }
}

#[test]
fn marks_are_short_values_keep_three_digits_and_names_are_cut_in_the_middle() {
    let marks = [0.0, 0.25, 5.0, 1000.0, 2e4, 1e6, -3.0, 0.1 + 0.2].map(|x| Unit::Number.mark(x));
    assert_eq!(marks, ["0", "0.25", "5", "1,000", "2e4", "1e6", "-3", "0.3"]);
    let marks = [0.0, 2e-9, 5e-5, 0.01, 20.0].map(|x| Unit::Seconds.mark(x));
    assert_eq!(marks, ["0", "2 ns", "50 us", "10 ms", "20 s"]);
    let values = [0.0, 0.000_71, 0.0713, 0.123, 2.71, 27.13, 271.6, 2.7e7].map(|x| Unit::Number.value(x));
    assert_eq!(values, ["0.00", "7.1e-4", "0.071", "0.12", "2.71", "27.1", "272", "2.7e7"]);
    assert_eq!(Unit::Seconds.value(0.0123), "12.3 ms");
    assert_eq!(shortened("kron:20", 7), "kron:20");
    assert_eq!(shortened("soc-livejournal-2008.mtx", 11), "soc-....mtx");
    for most in 0..12 {
        assert_eq!(shortened("sixteen \u{e9} letters", most).chars().count(), most);
    }
}

#[test]
fn other_endings_and_existing_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let figure = degrees::figure("t", &[]);
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
