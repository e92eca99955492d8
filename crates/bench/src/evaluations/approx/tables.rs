//! The tables: graphs, what was changed in them, figure 3, its means, and figures by knob.

use super::{
    at::At,
    paper::{self, figure_3},
};
use crate::{
    evaluation::{
        Report,
        report::distinct,
        tables::{by_graph, cell_row, digits, graphs, none, over, percent, seconds, verdict},
    },
    sheet::Sheet,
    statistics::geometric_mean,
    units::count,
};
use std::collections::BTreeMap;
use warpgraph::Exactness;

/// An approximate run whose speed-up over the exact default is below this is called slower; closer times are called equal.
const SLOWER: f64 = 0.98;

/// Returns all tables.
pub(super) fn all(report: &Report) -> Vec<Sheet> {
    let sweeps = [
        ("fig2", "Figure 2: by the threshold of coalesce"),
        ("knobs", "Beside the poster: by the knobs of latency and divergence"),
    ];
    let sweeps = sweeps.map(|(part, title)| sweep(report, part, title));
    [graph_table(report), changes(report), figure3(report), means(report)].into_iter().chain(sweeps).collect()
}

fn graph_table(report: &Report) -> Sheet {
    let sheet = Sheet::new("The graphs", "graph | >vertices | >edges | >arcs | directed | >load");
    graphs(report, sheet, |case| {
        let Some(graph) = &case.graph else { return Vec::new() };
        let direction = if graph.directed { "directed" } else { "undirected" };
        let counts = [graph.vertices, graph.edges, graph.arcs].map(count);
        [&counts[..], &[direction.to_owned(), seconds(case.load)]].concat()
    })
}

fn changes(report: &Report) -> Sheet {
    let columns = "approximation | >replicated | >replicas | >holes | >added | >of edges | >dropped | >of edges | >chunks | >changed in";
    let sheet = Sheet::new("What was changed", columns).note(
        "`replicated` are vertices with replicas, `holes` numbers without a vertex, `added` and `dropped` edges, an undirected one once,\n\
         `chunks` groups of vertices that are iterated together.",
    );
    by_graph(report, sheet, |case| {
        let of_case = report.cells.iter().filter(|cell| cell.graph == case.name);
        let made: BTreeMap<String, &Exactness> = of_case
            .filter_map(|cell| Some((cell.approximation.to_string(), cell.exactness.as_ref()?)))
            .collect();
        made.into_iter().map(|(name, all)| changed(name, all)).collect()
    })
}

fn changed(name: String, all: &Exactness) -> Vec<String> {
    let share = |edges: u64| percent(over(Some(edges as f64), Some(all.edges as f64)), 2);
    let copies = [all.replicated, all.replicas, all.holes].map(count);
    let edges = [count(all.added), share(all.added), count(all.dropped), share(all.dropped)];
    [&[name][..], &copies, &edges, &[count(all.chunks), seconds(Some(all.seconds))]].concat()
}

fn figure3(report: &Report) -> Sheet {
    let columns = "algorithm | approximation | >exact | >approximate | >speed-up | >poster's | >inaccuracy | >poster's \
                   | >median | >95 % | >worst | >unmatched | >default | >over default | >both default | verified | but";
    let sheet = Sheet::new("Figure 3: speed-up and inaccuracy", columns).note(
        "`exact`, `approximate` and `speed-up` are by the baseline. `inaccuracy` is the mean relative error, followed by its median, 95th\n\
         percentile and largest value; `unmatched` vertices have a value in one of the two answers only, and are in none of these.\n\
         `default` is the exact run by the open plan, `over default` its time over that of the approximate run by the baseline, `both\n\
         default` the same with the approximate run by the open plan too.",
    );
    by_graph(report, sheet, |case| {
        let row = |at: At<'_>| {
            let names = [at.cell.algorithm.clone(), at.cell.approximation.to_string()];
            cell_row(names, at.cell, || compared(at))
        };
        At::on(report, "fig3", &case.name).into_iter().map(row).collect()
    })
}

fn compared(at: At<'_>) -> Vec<String> {
    let poster = at.technique().and_then(|technique| figure_3(&at.cell.algorithm, technique));
    let time = [at.exact().and_then(|cell| cell.median()), at.cell.median()].map(seconds);
    let speed = [digits(at.speedup(), 2), digits(poster.map(|poster| poster.speedup), 2)];
    let [error, printed] = [percent(at.error(), 1), percent(poster.map(|poster| poster.inaccuracy), 0)];
    let spread = at.inaccuracy().map(|all| [all.median, all.percentile_95, all.worst]);
    let spread = spread.map_or_else(|| [none(), none(), none()], |all| all.map(|x| percent(Some(x), 1)));
    let unmatched = at.inaccuracy().map_or_else(none, |all| count(all.unmatched));
    let default = [seconds(at.default().and_then(|cell| cell.median())), digits(at.over_default(), 2)];
    let open = [digits(at.open_over_default(), 2), verdict(at.cell), but(at)];
    [&time[..], &speed, &[error, printed], &spread, &[unmatched], &default, &open].concat()
}

/// Returns that the exact default is faster already, if it is.
fn but(at: At<'_>) -> String {
    let faster = at.over_default().filter(|ratio| *ratio < SLOWER).map(|ratio| 1.0 / ratio);
    faster.map_or_else(String::new, |times| format!("the exact default is {times:.2} times as fast"))
}

fn means(report: &Report) -> Sheet {
    let columns = "approximation | >cases | >speed-up | >poster's | >inaccuracy | >poster's | >over default | >both default | >slower than default";
    let mut sheet = Sheet::new("Approximations over all graphs and algorithms", columns).note(
        "Geometric means of speed-ups, and the mean of inaccuracies; of the poster, those of its abstract, over its graphs and five\n\
         algorithms. `slower than default` counts the cases in which the exact run by the open plan is faster.",
    );
    let all = At::all(report, "fig3");
    let names: Vec<String> = all.iter().map(|at| at.cell.approximation.to_string()).collect();
    for name in distinct(names.iter().map(String::as_str)) {
        let of = all.iter().zip(&names).filter(|(_, other)| *other == name).map(|(at, _)| *at);
        let of: Vec<At<'_>> = of.filter(|at| at.speedup().is_some()).collect();
        sheet.row(mean(name, &of));
    }
    sheet
}

fn mean<'a>(name: &str, all: &[At<'a>]) -> Vec<String> {
    let of =
        |value: fn(At<'a>) -> Option<f64>| -> Vec<f64> { all.iter().filter_map(|at| value(*at)).collect() };
    let mean = |value| digits(geometric_mean(&of(value)), 2);
    let errors = of(At::error);
    let error = (!errors.is_empty()).then(|| errors.iter().sum::<f64>() / errors.len() as f64);
    let poster = all.first().and_then(|at| at.technique()).and_then(paper::mean);
    let slower = all.iter().filter(|at| at.over_default().is_some_and(|ratio| ratio < SLOWER)).count();
    vec![
        name.to_owned(),
        all.len().to_string(),
        mean(At::speedup),
        digits(poster.map(|poster| poster.speedup), 2),
        percent(error, 1),
        percent(poster.map(|poster| poster.inaccuracy), 0),
        mean(At::over_default),
        mean(At::open_over_default),
        slower.to_string(),
    ]
}

fn sweep(report: &Report, part: &str, title: &str) -> Sheet {
    let columns = "algorithm | technique | >knob | >time | >speed-up | >inaccuracy | >95 % | >replicas | >added | >dropped | verified";
    let sheet = Sheet::new(title, columns).note(
        "By the baseline. At threshold 1 of coalesce and latency and at share 0 of divergence no edge is changed: what is gained there is gained by\n\
         the new order of vertices alone.",
    );
    by_graph(report, sheet, |case| {
        let row = |at: At<'_>| {
            let technique = at.technique().unwrap_or_default().to_owned();
            let names = [at.cell.algorithm.clone(), technique, digits(at.knob(), 2)];
            cell_row(names, at.cell, || by_knob(at))
        };
        At::on(report, part, &case.name).into_iter().map(row).collect()
    })
}

fn by_knob(at: At<'_>) -> Vec<String> {
    let worst = at.inaccuracy().map(|all| all.percentile_95);
    let figures =
        [seconds(at.cell.median()), digits(at.speedup(), 2), percent(at.error(), 1), percent(worst, 1)];
    let changed = |of: fn(&Exactness) -> u64| at.exactness().map_or_else(none, |all| count(of(all)));
    let counts = [changed(|all| all.replicas), changed(|all| all.added), changed(|all| all.dropped)];
    [&figures[..], &counts, &[verdict(at.cell)]].concat()
}

/// Returns in how many cases the exact default is faster than the approximation.
pub(super) fn remarks(report: &Report) -> Vec<String> {
    let all: Vec<f64> = At::all(report, "fig3").into_iter().filter_map(At::over_default).collect();
    let slower = all.iter().filter(|ratio| **ratio < SLOWER).count();
    let remark = format!(
        "in {slower} of {} cases the exact run by the open plan is faster than the approximate run by the baseline",
        all.len()
    );
    (!all.is_empty()).then_some(remark).into_iter().collect()
}
