//! Figures 7 to 16 of the paper, drawn from a report.

use super::{
    ALGORITHMS, NO_BACKWARD, NO_SKETCH, OPEN, PATHS, PUSH,
    at::{At, Of, options},
};
use crate::{
    chart::{
        Bars, Lines, Unit,
        bars::{Panel, Row, Scale},
        lines,
    },
    evaluation::{
        Drawing, GraphCase, Point, Report,
        report::distinct,
        tables::{name, over},
    },
};

/// Returns all figures that there is something to show in.
pub(super) fn all(report: &Report) -> Vec<Drawing> {
    let bars = [
        ("figure7", "Figure 7", updates(report)),
        ("figure8", "Figure 8", speeds(report, PUSH)),
        ("figure8-auto", "Figure 8", speeds(report, OPEN)),
        ("figure10", "Figures 10 and 12", bytes(report, "Figure 10: bytes of graph data loaded", PUSH)),
        ("figure11", "Figure 11", ablation(report, "time", Of::Time)),
        ("figure11-updates", "Figure 11", ablation(report, "updates", Of::Updates)),
        (
            "figure12",
            "Figures 10 and 12",
            bytes(report, "Figure 12: bytes of graph data loaded", NO_BACKWARD),
        ),
        ("figure13", "Figure 13", busy(report)),
        ("figure16", "Figure 16", importance(report)),
    ];
    let lines = ["pagerank", "adsorption"].map(|algorithm| convergence(report, algorithm));
    let lines = lines.into_iter().zip(["figure9-pagerank", "figure9-adsorption"]);
    let lines = lines.map(|(lines, file)| (file, "Figure 8", lines));
    let others = [("figure14", "Figure 14", exponents(report)), ("figure15", "Figure 15", walks(report))];
    let drawn = bars.into_iter().filter(|(_, _, bars)| bars.has_any());
    let drawn = drawn.map(|(file, table, bars)| Drawing::new(file, table, bars.figure()));
    let lined = lines.chain(others).filter(|(_, _, lines)| lines.has_any());
    drawn.chain(lined.map(|(file, table, lines)| Drawing::new(file, table, lines.figure()))).collect()
}

/// Returns a panel per graph, with the bars of its algorithms in a part.
fn bars(
    report: &Report,
    part: &str,
    (title, label): (&str, &str),
    rows: impl Fn(At<'_>) -> Vec<Row>,
) -> Bars {
    let panel = |case: &GraphCase| {
        let rows: Vec<Row> = At::on(report, case, &[part]).into_iter().flat_map(&rows).collect();
        rows.iter().any(|row| !row.values.is_empty()).then(|| Panel { title: name(case), rows })
    };
    Bars { panels: report.graphs.iter().filter_map(panel).collect(), ..Bars::new(title, label) }
}

fn marked(name: &str, bars: Bars) -> Bars {
    Bars { mark: Some((1.0, name.to_owned())), ..bars }
}

fn updates(report: &Report) -> Bars {
    let words = ("Figure 7: vertex updates along paths", "over the updates of bsp+push; less is better");
    let row = |at: At<'_>| {
        let merges = at.work(PATHS).map(|work| work.merges as f64);
        let own = [at.value(Of::Updates, PATHS), merges].map(|own| over(own, at.value(Of::Updates, PUSH)));
        vec![Row { name: at.algorithm.to_owned(), values: own.into_iter().flatten().collect(), text: None }]
    };
    let bars = Bars { parts: vec!["updates", "merges"], ..bars(report, "main", words, row) };
    marked(PUSH, bars)
}

fn speeds(report: &Report, of: &str) -> Bars {
    let label = format!("time of {of} over that of paths; more is better");
    let words = ("Figure 8: speed along paths", label.as_str());
    let row = |at: At<'_>| vec![Row::of(at.algorithm, at.ratio(Of::Time, of, PATHS))];
    marked(of, Bars { scale: Scale::Log, ..bars(report, "main", words, row) })
}

fn bytes(report: &Report, title: &str, of: &str) -> Bars {
    let label = format!("over those of {of}; less is better");
    let row = |at: At<'_>| vec![Row::of(at.algorithm, at.ratio(Of::Bytes, PATHS, of))];
    marked(of, bars(report, "main", (title, &label), row))
}

fn ablation(report: &Report, what: &str, of: Of) -> Bars {
    let title = format!("Figure 11: {what} without the sketch, and without backward walks");
    let row = |at: At<'_>| {
        let row = |(plan, without): (&str, &str)| {
            Row::of(format!("{}, no {without}", at.algorithm), at.ratio(of, plan, PATHS))
        };
        [(NO_SKETCH, "sketch"), (NO_BACKWARD, "backward")].map(row).into()
    };
    marked(PATHS, bars(report, "fig11", (&title, "over that of paths; above 1, the technique helps"), row))
}

fn busy(report: &Report) -> Bars {
    let words = ("Figure 13: busy workers", "mean share of workers that walk a chunk");
    bars(report, "main", words, |at| vec![Row::of(at.algorithm, at.paths().map(|used| used.busy))])
}

fn importance(report: &Report) -> Bars {
    let words = ("Figure 16: pagerank by what makes a vertex important", "preparation and run");
    let rows = |at: At<'_>| {
        let row = |cell| {
            let name = options(cell)?.importance?.name();
            let plan = cell.plan_asked.as_str();
            let values = at.preparation(plan).into_iter().chain(cell.median()).collect();
            Some(Row { values, ..Row::of(name, None) })
        };
        at.cells("fig16").into_iter().filter_map(row).collect()
    };
    let parts = vec!["preparation", "run"];
    Bars { unit: Unit::Seconds, scale: Scale::Each, parts, ..bars(report, "fig16", words, rows) }
}

/// A line per plan, from its messages so far to the changes of a round, in a panel per graph.
fn convergence(report: &Report, algorithm: &str) -> Lines {
    let plans = [PATHS, PUSH];
    let line = |at: At<'_>, plan: &str| {
        let points = at.cell(plan).and_then(|cell| cell.counted.as_ref()).map(|counted| &counted.curve[..]);
        let point = |point: &Point| Some((point.edges as f64, point.sent?));
        points.unwrap_or_default().iter().filter_map(point).collect()
    };
    let panel = |case: &GraphCase| {
        let at = At::on(report, case, &["main"]).into_iter().find(|at| at.algorithm == algorithm)?;
        let lines: Vec<Vec<_>> = plans.iter().map(|plan| line(at, plan)).collect();
        let has_any = lines.iter().any(|line| !line.is_empty());
        has_any.then(|| lines::Panel { title: name(case), lines, mark: None })
    };
    Lines {
        title: format!("Figure 9: convergence of {algorithm}"),
        across: ("messages so far".to_owned(), false),
        up: ("changes in a round".to_owned(), true),
        unit: Unit::Number,
        marks_points: false,
        series: plans.map(str::to_owned).to_vec(),
        panels: report.graphs.iter().filter_map(panel).collect(),
    }
}

fn exponents(report: &Report) -> Lines {
    let line = |of: &str| {
        let point = |at: At<'_>| Some((at.graph()?.alpha?, at.ratio(Of::Time, of, PATHS)?));
        At::all(report, &["fig14"]).into_iter().filter_map(point).collect()
    };
    Lines {
        title: "Figure 14: pagerank along paths on power-law graphs".to_owned(),
        across: ("alpha".to_owned(), true),
        up: ("times as fast as".to_owned(), false),
        unit: Unit::Number,
        marks_points: true,
        series: [PUSH, OPEN].map(str::to_owned).to_vec(),
        panels: vec![lines::Panel { lines: [PUSH, OPEN].map(line).to_vec(), ..lines::Panel::default() }],
    }
}

fn walks(report: &Report) -> Lines {
    let all = At::all(report, &["fig15"]);
    let series = distinct(ALGORITHMS.into_iter().filter(|name| all.iter().any(|at| at.algorithm == *name)));
    let line = |at: At<'_>| {
        let least = at.best("fig15", Of::Time).map(|(_, time)| time);
        let cells = at.cells("fig15").into_iter();
        let points =
            cells.filter_map(|cell| Some((f64::from(options(cell)?.np.get()), over(cell.median(), least)?)));
        points.collect::<Vec<_>>()
    };
    let panel = |case: &GraphCase| {
        let on = At::on(report, case, &["fig15"]);
        let of =
            |name: &&str| on.iter().find(|at| at.algorithm == *name).map_or_else(Vec::new, |at| line(*at));
        let lines: Vec<Vec<_>> = series.iter().map(of).collect();
        let has_any = lines.iter().any(|line| !line.is_empty());
        has_any.then(|| lines::Panel { title: name(case), lines, mark: None })
    };
    Lines {
        title: "Figure 15: how often hub chunks are walked".to_owned(),
        across: ("Np".to_owned(), false),
        up: ("time over the best".to_owned(), false),
        unit: Unit::Number,
        marks_points: true,
        panels: report.graphs.iter().filter_map(panel).collect(),
        series: series.into_iter().map(str::to_owned).collect(),
    }
}
