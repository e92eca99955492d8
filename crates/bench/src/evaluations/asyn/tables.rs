//! The tables, in the order of the paper.

use super::{
    IN_PLACE, LARGE_FIRST, NO_BACKWARD, NO_SKETCH, OPEN, PATHS, PUSH, THRESHOLDS,
    at::{At, Of, options},
    graphs::Seen,
};
use crate::{
    evaluation::{
        Cell, Report,
        tables::{by_graph, cell_row, digits, graphs, name, none, over, percent, seconds, time, verdict},
    },
    sheet::Sheet,
    units::{bytes, count},
};
use warpgraph::Share;

/// Returns all tables.
pub(super) fn all(report: &Report) -> Vec<Sheet> {
    [
        graph_table,
        updates,
        times,
        preparation,
        volume,
        ablation,
        workers,
        exponents,
        walks,
        shares,
        importance,
        thresholds,
    ]
    .map(|table| table(report))
    .into()
}

/// Adds, below every graph, the rows of its algorithms.
fn by_algorithm(
    report: &Report,
    sheet: Sheet,
    part: &str,
    rows: impl Fn(At<'_>) -> Vec<Vec<String>>,
) -> Sheet {
    by_graph(report, sheet, |case| At::on(report, case, &[part]).into_iter().flat_map(&rows).collect())
}

/// Returns a large number, shortly.
fn large(value: Option<f64>) -> String {
    match value {
        Some(x) if x >= 1e9 => format!("{:.3} G", x / 1e9),
        Some(x) if x >= 1e6 => format!("{:.2} M", x / 1e6),
        Some(x) => count(x as u64),
        None => none(),
    }
}

fn size(value: Option<f64>) -> String {
    value.map_or_else(none, |x| bytes(x as u64))
}

/// Returns a ratio with the digits that matter.
fn ratio(value: Option<f64>) -> String {
    let small = [0.095, 0.0095].iter().filter(|&&least| value.is_some_and(|x| x < least)).count();
    digits(value, 2 + small)
}

fn residual(cell: &Cell) -> String {
    cell.residual().map_or_else(none, |residual| format!("{residual:.1e}"))
}

/// Returns a share in percent, with the digits that it has.
fn share(share: Option<Share>) -> String {
    share.map_or_else(none, |share| format!("{}%", f64::from(share.in_millionths()) / 1e4))
}

fn graph_table(report: &Report) -> Sheet {
    let columns =
        "graph | directed | >vertices | >arcs | >degree | >diameter | >hubs | >paths | >edges/path | >sketch";
    let sheet = Sheet::new("Table 1: the graphs", columns).note(
        "`degree` is the mean out-degree, `diameter` a lower bound. `hubs`, `paths`, `edges/path` and `sketch`, the share of chunks that hold paths\n\
         to hubs, are those of `paths` with its defaults.",
    );
    graphs(report, sheet, |case| {
        let Some(graph) = &case.graph else { return Vec::new() };
        let seen: Seen = case.figure("seen").unwrap_or_default();
        let directed = if graph.directed { "yes" } else { "no" }.to_owned();
        let degree = graph.arcs as f64 / graph.vertices.max(1) as f64;
        let sizes = [count(graph.vertices), count(graph.arcs), format!("{degree:.1}"), count(seen.diameter)];
        let made = At::on(report, case, &super::PARTS).into_iter().find_map(At::paths);
        let found = made.map_or_else(
            || [none(), none(), none(), none()],
            |made| {
                let edges = graph.edges as f64 / made.paths.max(1) as f64;
                let sketch = made.hub_chunks as f64 / made.chunks.max(1) as f64;
                [count(made.hubs), count(made.paths), format!("{edges:.1}"), percent(Some(sketch), 0)]
            },
        );
        [&[directed][..], &sizes, &found].concat()
    })
}

fn updates(report: &Report) -> Sheet {
    let columns = "algorithm | >updates | >merges | >bsp+push | >of it | >with merges | >edges | >bsp+push | >rounds | >bsp+push";
    let sheet = Sheet::new("Figure 7: vertex updates along paths, and by supersteps", columns).note(
        "`of it` is the number of updates over that of `bsp+push`, `with merges` that of updates and merges. `edges` are messages. `rounds`\n\
         along paths end when every chunk that was queued has been walked.",
    );
    by_algorithm(report, sheet, "main", |at| {
        let work = |plan: &str| at.work(plan);
        let own = work(PATHS);
        let numbers = [
            own.map(|work| work.updates as f64),
            own.map(|work| work.merges as f64),
            at.value(Of::Updates, PUSH),
        ];
        let all = own.map(|work| (work.updates + work.merges) as f64);
        let ratios = [at.ratio(Of::Updates, PATHS, PUSH), over(all, at.value(Of::Updates, PUSH))];
        let edges = [PATHS, PUSH].map(|plan| large(work(plan).map(|work| work.edges as f64)));
        let rounds = [PATHS, PUSH].map(|plan| at.cell(plan)?.counted.as_ref().map(|counted| counted.rounds));
        let rounds = rounds.map(|rounds| rounds.map_or_else(none, count));
        let name = [at.algorithm.to_owned()];
        vec![[&name[..], &numbers.map(large), &ratios.map(ratio), &edges, &rounds].concat()]
    })
}

fn times(report: &Report) -> Sheet {
    let columns = "algorithm | plan | >time | >spread | >over bsp+push | >over auto | >residual | verified";
    let sheet = Sheet::new("Figure 8: times", columns).note(
        "`over` is the time of that plan over this one: above 1 is faster. A sum ends when its residual, what another sweep would change in\n\
         total, is below the tolerance. Of `paths` the residual is a bound: all changes that were not sent.",
    );
    by_algorithm(report, sheet, "main", |at| {
        let row = |cell: &Cell| {
            let plan = cell.plan_asked.as_str();
            let names = [at.algorithm.to_owned(), plan.to_owned()];
            cell_row(names, cell, || {
                let speeds = [PUSH, OPEN].map(|other| ratio(at.ratio(Of::Time, other, plan)));
                [&time(cell)[..], &speeds, &[residual(cell), verdict(cell)]].concat()
            })
        };
        at.cells("main").into_iter().filter(|cell| !is_only_counted(cell)).map(row).collect()
    })
}

/// Returns true for a cell that a reference counted, and that was not run.
pub(super) fn is_only_counted(cell: &Cell) -> bool {
    cell.seconds.is_none() && cell.counted.is_some()
}

fn preparation(report: &Report) -> Sheet {
    let columns = "algorithm | >paths made | >prepared | >run | >bsp: prepared | >run | >together | >CSR build | >made / build";
    let sheet = Sheet::new("Table 2: preparation and runs", columns).note(
        "`bsp` is `bsp+push`. `prepared` is all that is made once for later runs: paths, and copies on the device. `together` is preparation and run of `bsp+push`\n\
         over those of `paths`: above 1, `paths` is faster even if it runs once. `CSR build` is the time to build the arcs of the same graph\n\
         from a list of its edges, on all threads.",
    );
    by_algorithm(report, sheet, "main", |at| {
        // Later algorithms find the paths made.
        let first = at.cell(PATHS).and_then(|cell| cell.first?.paths);
        if !first.is_some_and(|paths| paths.making_seconds > 0.0) {
            return Vec::new();
        }
        let build = at.graph().map(|seen| seen.build);
        let own = [at.making(PATHS), at.preparation(PATHS), at.cell(PATHS).and_then(Cell::median)];
        let push = [at.preparation(PUSH), at.cell(PUSH).and_then(Cell::median)].map(seconds);
        let together = ratio(at.ratio(Of::Total, PUSH, PATHS));
        let built = [seconds(build), digits(over(at.making(PATHS), build), 1)];
        vec![[&[at.algorithm.to_owned()][..], &own.map(seconds), &push, &[together], &built].concat()]
    })
}

fn volume(report: &Report) -> Sheet {
    let columns = "algorithm | >paths | >bsp+push | >of it | >backward=off | >of it";
    let title = "Figures 10 and 12: bytes of graph data loaded";
    let sheet = Sheet::new(title, columns).note(
        "Along paths a chunk is loaded as a whole, however few of its vertices have changed. By supersteps, an arc of an active vertex is its\n\
         target, its weight and the value at its end.",
    );
    by_algorithm(report, sheet, "main", |at| {
        let [own, push, forward] = [PATHS, PUSH, NO_BACKWARD].map(|plan| at.value(Of::Bytes, plan));
        let figures =
            [size(own), size(push), ratio(over(own, push)), size(forward), ratio(over(own, forward))];
        vec![[&[at.algorithm.to_owned()][..], &figures].concat()]
    })
}

fn ablation(report: &Report) -> Sheet {
    let columns =
        "algorithm | plan | >time | >of paths | >updates | >of paths | >bytes | >of paths | verified";
    let sheet = Sheet::new("Figure 11: without the sketch (-t), and without backward walks (-w)", columns).note(
        "`of paths` is the figure over that of `paths`: above 1, the technique helps. Without backward walks, the paths of an undirected graph\n\
         contain both arcs of every edge.",
    );
    by_algorithm(report, sheet, "fig11", |at| {
        let row = |plan: &&str| {
            let cell = at.cell(plan)?;
            let names = [at.algorithm.to_owned(), (*plan).to_owned()];
            Some(cell_row(names, cell, || {
                let of = |of: Of| ratio(at.ratio(of, plan, PATHS));
                vec![
                    seconds(cell.median()),
                    of(Of::Time),
                    large(at.value(Of::Updates, plan)),
                    of(Of::Updates),
                    size(at.value(Of::Bytes, plan)),
                    of(Of::Bytes),
                    verdict(cell),
                ]
            }))
        };
        [PATHS, NO_SKETCH, NO_BACKWARD].iter().filter_map(row).collect()
    })
}

fn workers(report: &Report) -> Sheet {
    let columns =
        "algorithm | >workers | >for hubs | >chunks | >hub chunks | >handled / chunk | >stolen | >busy";
    let sheet = Sheet::new("Figure 13: workers along paths", columns).note(
        "Workers are warps of a GPU, or threads of the processor. `for hubs` prefer hub chunks, `stolen` is the share of chunks that a worker\n\
         took from the queue of the others, `busy` the mean share of workers that walk a chunk rather than wait for one.",
    );
    by_algorithm(report, sheet, "main", |at| {
        let Some(used) = at.paths() else { return Vec::new() };
        let numbers = [used.workers, used.hub_workers, used.chunks, used.hub_chunks].map(count);
        let handled = used.handled as f64;
        let walks = digits(over(Some(handled), Some(used.chunks as f64)), 1);
        let shares = [over(Some(used.stolen as f64), Some(handled)), Some(used.busy)];
        vec![[&[at.algorithm.to_owned()][..], &numbers, &[walks], &shares.map(|x| percent(x, 0))].concat()]
    })
}

fn exponents(report: &Report) -> Sheet {
    let columns =
        "graph | >alpha | >arcs | >paths | >bsp+push | >auto | >over bsp+push | >over auto | >of its updates";
    let mut sheet = Sheet::new("Figure 14: pagerank on power-law graphs", columns)
        .note("`over` is the time of that plan over that of `paths`, `of its updates` the number of updates over that of `bsp+push`.");
    let all = At::all(report, &["fig14"]).into_iter();
    let mut all: Vec<_> = all.filter_map(|at| Some((at.graph()?.alpha?, at))).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (alpha, at) in all {
        let arcs = at.case.graph.as_ref().map_or_else(none, |graph| count(graph.arcs));
        let times = [PATHS, PUSH, OPEN].map(|plan| seconds(at.value(Of::Time, plan)));
        let speeds = [PUSH, OPEN].map(|plan| ratio(at.ratio(Of::Time, plan, PATHS)));
        let updates = ratio(at.ratio(Of::Updates, PATHS, PUSH));
        sheet.row([&[name(at.case), format!("{alpha:.1}"), arcs][..], &times, &speeds, &[updates]].concat());
    }
    sheet
}

fn walks(report: &Report) -> Sheet {
    let columns = "algorithm | >Np | >time | >spread | >of the best | >updates | >handled / chunk | verified";
    let sheet = Sheet::new("Figure 15: how often hub chunks are walked", columns);
    by_algorithm(report, sheet, "fig15", |at| {
        let best = at.best("fig15", Of::Time).map(|(_, time)| time);
        let row = |cell: &Cell| {
            let np = options(cell).map_or_else(none, |plan| plan.np.to_string());
            cell_row([at.algorithm.to_owned(), np], cell, || {
                let walks = cell.paths.map(|used| used.handled as f64 / used.chunks.max(1) as f64);
                let [median, spread] = time(cell);
                let of_best = ratio(over(cell.median(), best));
                let updates = large(at.value(Of::Updates, &cell.plan_asked));
                vec![median, spread, of_best, updates, digits(walks, 1), verdict(cell)]
            })
        };
        at.cells("fig15").into_iter().map(row).collect()
    })
}

fn shares(report: &Report) -> Sheet {
    let columns =
        "algorithm | >lambda | >beta | >hubs | >paths made | >run | >together | >of the best | verified";
    let title = "Tables 4 and 5: the share of hubs, lambda, and of the sample, beta";
    let sheet = Sheet::new(title, columns)
        .note("`together` is preparation and run. A sample has at least 100 / lambda vertices, so a small beta may make no difference.");
    by_algorithm(report, sheet, "table4", |at| {
        let best = at.best("table4", Of::Total).map(|(_, time)| time);
        let row = |cell: &Cell| {
            let [lambda, beta] =
                [options(cell).and_then(|plan| plan.lambda), options(cell).and_then(|plan| plan.beta)];
            cell_row([at.algorithm.to_owned(), share(lambda), share(beta)], cell, || {
                let plan = cell.plan_asked.as_str();
                let hubs = cell.paths.map_or_else(none, |used| count(used.hubs));
                let parts = [at.making(plan), cell.median(), at.value(Of::Total, plan)].map(seconds);
                let of_best = ratio(over(at.value(Of::Total, plan), best));
                [&[hubs][..], &parts, &[of_best, verdict(cell)]].concat()
            })
        };
        at.cells("table4").into_iter().map(row).collect()
    })
}

fn importance(report: &Report) -> Sheet {
    let columns = "importance | >paths made | >run | >spread | >together | >updates | >bytes | verified";
    let title = "Figure 16: pagerank by what makes a vertex important";
    let sheet = Sheet::new(title, columns).note("`together` is preparation and run.");
    by_algorithm(report, sheet, "fig16", |at| {
        let row = |cell: &Cell| {
            let plan = cell.plan_asked.as_str();
            let importance = options(cell).and_then(|plan| plan.importance);
            let name = importance.map_or_else(none, |importance| importance.name().to_owned());
            cell_row([name], cell, || {
                let [median, spread] = time(cell);
                let counted =
                    [large(at.value(Of::Updates, plan)), size(at.value(Of::Bytes, plan)), verdict(cell)];
                let times = [seconds(at.making(plan)), median, spread, seconds(at.value(Of::Total, plan))];
                [&times[..], &counted].concat()
            })
        };
        at.cells("fig16").into_iter().map(row).collect()
    })
}

fn thresholds(report: &Report) -> Sheet {
    let columns = "algorithm | >paths | >bsp+push | >of it | >large first | >of it | >in place | >of it";
    let title = "Beside the paper: updates of sums, if supersteps send large changes first too";
    let sheet = Sheet::new(title, columns).note(
        "`of it` is the number of updates of `paths` over that in the column before. `large first` are supersteps that send changes above a\n\
         threshold, which falls as that of `paths` does; `in place` are no supersteps: vertices in turn send what has arrived. A reference\n\
         counts both.",
    );
    by_algorithm(report, sheet, THRESHOLDS, |at| {
        let own = at.value(Of::Updates, PATHS);
        let beside = [PUSH, LARGE_FIRST, IN_PLACE].map(|plan| at.value(Of::Updates, plan));
        let beside = beside.map(|updates| [large(updates), ratio(over(own, updates))]);
        vec![[&[at.algorithm.to_owned(), large(own)][..], &beside.concat()].concat()]
    })
}
