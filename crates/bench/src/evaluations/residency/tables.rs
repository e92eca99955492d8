//! The tables: graphs, figures 1, 6, 7, 9, 11, 12 and 13 of HALO, figure 8 of SAGE, and runs within a budget.

use super::{
    ADVISED, DEVICE, SEARCHES, STREAMED, UNADVISED,
    at::{At, Sizes},
};
use crate::{
    evaluation::{
        GraphCase, Per, Report,
        report::distinct,
        tables::{by_graph, cell_row, digits, graphs, none, over, percent, seconds, time, verdict},
    },
    gpu_limits::Bus,
    sheet::Sheet,
    statistics::geometric_mean,
    units::{bytes, count},
};

/// Returns all tables, those of HALO by the number of the figure.
pub(super) fn all(report: &Report) -> Vec<Sheet> {
    let searches = SEARCHES.map(|part| by_order(report, part));
    let others = [transfers, samples, scales, advice, streaming, budget].map(|table| table(report));
    [graph_table, speeds, means]
        .map(|table| table(report))
        .into_iter()
        .chain(searches)
        .chain(others)
        .collect()
}

/// Returns the smallest budget that has room for offsets, the largest state and a quarter of the targets.
pub(super) fn quarter(report: &Report, case: &GraphCase) -> Option<u64> {
    let all = ["budget", "fig6", "sage8", "fig12"].map(|part| At::all(report, part, &case.name));
    let needed = all.concat().into_iter().filter_map(At::needed).max()?;
    Some(needed + case.figure::<Sizes>("edges")?.targets / 4)
}

fn graph_table(report: &Report) -> Sheet {
    let columns = "graph | >vertices | >arcs | >edges | >for a quarter | >link GB/s | >load";
    let sheet = Sheet::new("The graphs", columns).note(
        "`edges` are the bytes of targets and weights. `for a quarter` is the memory for offsets, the largest state of a measured\n\
         run, and a quarter of the targets: a budget to try with --gpu-memory.",
    );
    graphs(report, sheet, |case| {
        let Some(graph) = &case.graph else { return Vec::new() };
        let edges = case.figure("edges").map(|of: Sizes| of.targets + of.weights);
        let sizes = [edges, quarter(report, case)].map(|size| size.map_or_else(none, bytes));
        let link = case.figure("bus").map(|bus: Bus| bus.to_device / 1e9);
        let counts = [count(graph.vertices), count(graph.arcs)];
        [&counts[..], &sizes, &[digits(link, 1), seconds(case.load)]].concat()
    })
}

/// Returns a speed with enough digits.
fn fast(speed: Option<f64>) -> String {
    digits(speed, if speed.is_some_and(|speed| speed < 0.1) { 4 } else { 2 })
}

/// Adds rows of a part: names, then figures, or why a cell has none.
fn rows<const N: usize>(
    report: &Report,
    part: &str,
    sheet: Sheet,
    is_shown: impl Fn(At<'_>) -> bool,
    names: impl Fn(At<'_>) -> [String; N],
    figures: impl Fn(At<'_>) -> Vec<String>,
) -> Sheet {
    by_graph(report, sheet, |case| {
        let all = At::all(report, part, &case.name).into_iter().filter(|at| is_shown(*at));
        all.map(|at| cell_row(names(at), at.cell, || figures(at))).collect()
    })
}

/// Returns the plan of a cell and its order.
fn plan_and_order(at: At<'_>) -> [String; 2] {
    [at.cell.label().to_owned(), at.cell.order.to_string()]
}

/// Figure 1.
fn speeds(report: &Report) -> Sheet {
    let columns = "residency | >time | >G arcs/s | >at the link's speed | >of that | >of device";
    let sheet = Sheet::new("Figure 1: bfs in the natural order, pushing", columns).note(
        "`at the link's speed` is how many billion arcs of 4 bytes the link carries per second, `of device` the speed over that of\n\
         `device`.",
    );
    let name = |at: At<'_>| [at.cell.label().to_owned()];
    rows(
        report,
        "fig6",
        sheet,
        |at| at.order() == "natural",
        name,
        |at| {
            let link = at.link().filter(|_| at.cell.label() != DEVICE).map(|link| link / 4e9);
            let device = at.beside("natural", DEVICE).and_then(|at| at.cell.speed);
            let shares = [percent(over(at.cell.speed, link), 0), digits(over(at.cell.speed, device), 2)];
            [&[seconds(at.cell.median()), fast(at.cell.speed), digits(link, 2)][..], &shares].concat()
        },
    )
}

/// Figures 6 and 7.
fn by_order(report: &Report, part: &str) -> Sheet {
    let columns = "residency | order | >time | >spread | >G arcs/s | >over natural | verified";
    let (title, note) = match part {
        "fig6" => (
            "Figure 6: bfs by order, pushing, one search at a time",
            "`over natural` is the speed over that in the natural order at the same residency; above 1 is faster.",
        ),
        _ => (
            "Figure 7: several searches at a time, by order",
            "A run of closeness from several sources: all its searches share one pass over the arcs of a level, and each level pushes\n\
             or pulls.",
        ),
    };
    rows(
        report,
        part,
        Sheet::new(title, columns).note(note),
        |_| true,
        plan_and_order,
        |at| {
            let [median, spread] = time(at.cell);
            vec![median, spread, fast(at.cell.speed), digits(at.over_natural(), 2), verdict(at.cell)]
        },
    )
}

/// Orders over all graphs: what one order is worth at a residency.
fn means(report: &Report) -> Sheet {
    let columns = "residency | order | >graphs | >one search | >several | >moved / ideal";
    let mut sheet = Sheet::new("Orders over all graphs", columns).note(
        "Geometric means over the graphs: the speed over that in the natural order (figures 6 and 7), and bytes moved (figure 9). The\n\
         paper has 0.61 for random, 1.25 for rcm, 1.26 for bp, 1.27 for bfs-bp, 1.38 for halo1 and 1.54 for halo2 with one search;\n\
         1.42, 1.55 and 1.7 for the last three with ten.",
    );
    let of = |part| report.graphs.iter().flat_map(move |case| At::all(report, part, &case.name));
    let texts: Vec<[String; 2]> = SEARCHES.iter().flat_map(|part| of(part)).map(plan_and_order).collect();
    for label in distinct(texts.iter().map(|[label, _]| label.as_str())) {
        for order in distinct(texts.iter().map(|[_, order]| order.as_str())) {
            let cells =
                |part| of(part).filter(|at| at.cell.label() == label && at.cell.order.to_string() == order);
            let mean = |part, value: fn(At<'_>) -> Option<f64>| {
                digits(geometric_mean(&cells(part).filter_map(value).collect::<Vec<_>>()), 2)
            };
            let ran = SEARCHES.map(|part| cells(part).filter(|at| at.cell.seconds.is_some()).count());
            let [single, several] = SEARCHES.map(|part| mean(part, |at| at.over_natural()));
            let graphs = ran.into_iter().max().unwrap_or(0).to_string();
            let moved = mean("fig6", |at| at.amplification());
            sheet.row([label.to_owned(), order.to_owned(), graphs, single, several, moved]);
        }
    }
    sheet
}

/// Returns what crossed the bus: moved, ideal, their ratio, the share of the link, and how it was found. Of a sweep where
/// times are of one.
fn moved(at: At<'_>) -> [String; 5] {
    let Some(transfer) = at.cell.transfer else { return [0; 5].map(|_| none()) };
    let sweeps = if at.cell.per == Per::Sweep { at.cell.rounds.unwrap_or(1).max(1) } else { 1 };
    let [moved, ideal] = [transfer.moved, transfer.ideal].map(|size| bytes(size / sweeps));
    let ratio = digits(at.amplification(), 2);
    [moved, ideal, ratio, percent(at.of_link(), 0), transfer.basis.name().to_owned()]
}

/// Figure 9.
fn transfers(report: &Report) -> Sheet {
    let columns = "residency | order | >moved | >ideal | >moved / ideal | >of the link | found | >of natural";
    let sheet = Sheet::new("Figure 9: bytes that cross the bus in a search, by order", columns).note(
        "`ideal` are the bytes of arcs that the search followed and that were not on the device, `of the link` is the rate of moving\n\
         over what the link can do, `of natural` the bytes moved over those in the natural order.",
    );
    rows(
        report,
        "fig6",
        sheet,
        |at| at.cell.transfer.is_some(),
        plan_and_order,
        |at| {
            let moved_of = |at: At<'_>| Some(at.cell.transfer?.moved as f64);
            let share = over(moved_of(at), at.natural().and_then(moved_of));
            moved(at).into_iter().chain([digits(share, 2)]).collect()
        },
    )
}

/// Figure 11.
fn samples(report: &Report) -> Sheet {
    let columns = "order | >time to order | >time | >spread | >G arcs/s | >moved / ideal | verified";
    let sheet = Sheet::new("Figure 11: bfs in halo2 by its number of samples", columns);
    rows(
        report,
        "fig11",
        sheet,
        |_| true,
        |at| [at.cell.order.to_string()],
        |at| {
            let order = at.cell.order.to_string();
            let making = report.orders_of(&at.cell.graph).find(|making| making.order == order);
            let made = seconds(making.and_then(|making| making.seconds));
            let [median, spread] = time(at.cell);
            vec![made, median, spread, fast(at.cell.speed), digits(at.amplification(), 2), verdict(at.cell)]
        },
    )
}

/// Returns the modelled bytes moved over ideal in the order of a cell.
pub(super) fn modelled(at: At<'_>) -> Option<f64> {
    let order = at.cell.order.to_string();
    let mut all = at.report.orders_of(&at.cell.graph);
    all.find(|making| making.order == order)?.number("transfer.amplification")
}

/// Figure 12.
fn scales(report: &Report) -> Sheet {
    let columns = "residency | order | >modelled | >time | >spread | >G arcs/s | >over natural | >moved / ideal | verified";
    let sheet = Sheet::new("Figure 12: bfs on Kronecker graphs by scale", columns).note(
        "`modelled` is moved / ideal by the model of unified memory, with memory for a part of the edges. The paper has speeds of 1.8 to\n\
         1.9 over natural for halo2.",
    );
    let names = |at: At<'_>| {
        let [label, order] = plan_and_order(at);
        [label, order, digits(modelled(at), 2)]
    };
    rows(
        report,
        "fig12",
        sheet,
        |_| true,
        names,
        |at| {
            let [median, spread] = time(at.cell);
            let ratios = [at.over_natural(), at.amplification()].map(|ratio| digits(ratio, 2));
            [&[median, spread, fast(at.cell.speed)][..], &ratios, &[verdict(at.cell)]].concat()
        },
    )
}

/// Figure 13: for `natural` and `halo2`, the time without advice, with it, and what both gain over natural without.
fn advice(report: &Report) -> Sheet {
    let columns = "order | >without advice | >with it | >gain | >over natural without";
    let sheet = Sheet::new("Figure 13: read-mostly advice for managed memory", columns)
        .note("`gain` is the speed with advice over that without. The paper has 1.85, and 2.84 together with halo2.");
    let is_shown = |at: At<'_>| at.cell.label() == ADVISED && ["natural", "halo2"].contains(&at.order());
    rows(
        report,
        "fig6",
        sheet,
        is_shown,
        |at| [at.cell.order.to_string()],
        |at| {
            let of = |order| at.beside(order, UNADVISED).and_then(|at| at.cell.median());
            let gains =
                [of(at.order()), of("natural")].map(|without| digits(over(without, at.cell.median()), 2));
            [&[seconds(of(at.order())), seconds(at.cell.median())][..], &gains].concat()
        },
    )
}

/// Figure 8 of SAGE.
fn streaming(report: &Report) -> Sheet {
    let columns = "plan | >time | >spread | >G arcs/s | >over streamed | >moved | >ideal | >moved / ideal | >of the link | found | verified";
    let sheet = Sheet::new("SAGE, figure 8: bfs, tiles that read host memory against streamed rows", columns)
        .note("`tiled+streamed` stands for Subway. All plans push, but for the open `zero-copy`, which chooses.");
    rows(
        report,
        "sage8",
        sheet,
        |_| true,
        |at| [at.cell.label().to_owned()],
        |at| {
            let [median, spread] = time(at.cell);
            let streamed = at.beside("natural", STREAMED).and_then(|at| at.cell.median());
            let ratio = digits(over(streamed, at.cell.median()), 2);
            [&[median, spread, fast(at.cell.speed), ratio][..], &moved(at), &[verdict(at.cell)]].concat()
        },
    )
}

/// Beside the papers.
fn budget(report: &Report) -> Sheet {
    let columns = "algorithm | plan | ran as | >time | >spread | >of device | >moved | >ideal | >moved / ideal | >of the link \
                   | found | >link bound | >of it | verified";
    let within = report
        .gpu_memory
        .map_or_else(|| "without a budget".to_owned(), |most| format!("within {}", bytes(most)));
    let sheet = Sheet::new(format!("Beyond memory: four algorithms {within}"), columns).note(
        "`of device` is the time over that of `device` with memory for all. `link bound` is the time in which the link carries the edges\n\
         that the device has no room for once: of pagerank, for each sweep. A search that pulls need not read all of them, and `code=ef`\n\
         stores them in fewer bytes, so both may beat the bound.",
    );
    let names = |at: At<'_>| {
        let per = if at.cell.per == Per::Sweep { " per sweep" } else { "" };
        [format!("{}{per}", at.cell.algorithm), at.cell.label().to_owned()]
    };
    rows(
        report,
        "budget",
        sheet,
        |_| true,
        names,
        |at| {
            let [median, spread] = time(at.cell);
            let plan = at.cell.plan.clone().unwrap_or_else(none);
            let bound = [seconds(at.bound()), percent(over(at.bound(), at.cell.median()), 0)];
            let timed = [plan, median, spread, digits(at.of_device(), 2)];
            [&timed[..], &moved(at), &bound, &[verdict(at.cell)]].concat()
        },
    )
}
