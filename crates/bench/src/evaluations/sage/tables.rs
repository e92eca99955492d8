//! The tables, in the order of the paper; what is beside it comes last.

use super::{
    auto::{Auto, Judged},
    gorder,
    peers::{self, Peer},
};
use crate::{
    evaluation::{
        Cell, Held, Making, Report,
        report::{TilesSeen, figure},
        tables::{by_graph, cell_row, digits, graphs, none, over, percent, row, seconds, time, verdict},
    },
    sheet::{
        Sheet,
        Side::{Left, Right},
    },
    statistics::median,
    units::{bytes, count},
};

/// Returns all tables.
pub(super) fn all(report: &Report) -> Vec<Sheet> {
    let of = |part: &str, table: fn(&Report, &str) -> Sheet| -> Vec<Sheet> {
        report.algorithms_of(part).into_iter().map(|algorithm| table(report, algorithm)).collect()
    };
    let mut all = vec![graph_table(report)];
    all.extend(of("fig6", by_order));
    all.extend([orders(report), rounds(report)]);
    all.extend(of("fig7", balances));
    all.extend(of("fig10", ablation));
    all.extend([tilings(report), tiles(report), firsts(report), choices(report), means(report)]);
    all
}

fn graph_table(report: &Report) -> Sheet {
    let columns = [
        ("graph", Left),
        ("directed", Left),
        ("vertices", Right),
        ("arcs", Right),
        ("arcs per vertex", Right),
        ("load", Right),
    ];
    graphs(report, Sheet::new("Table 1: the graphs", columns), |case| {
        let Some(graph) = &case.graph else { return Vec::new() };
        vec![
            if graph.directed { "yes" } else { "no" }.to_owned(),
            count(graph.vertices),
            count(graph.arcs),
            format!("{:.1}", graph.arcs as f64 / graph.vertices.max(1) as f64),
            seconds(case.load),
        ]
    })
}

/// A title, with what times are of.
fn titled(report: &Report, part: &str, algorithm: &str, title: &str) -> String {
    let cell = report.cells.iter().find(|cell| cell.algorithm == algorithm && cell.parts.contains_key(part));
    format!("{title}, time per {}", cell.map_or("run", |cell| cell.per.name()))
}

/// A speed, with the digits that matter.
fn fast(speed: Option<f64>) -> String {
    let places = match speed {
        Some(speed) if speed < 0.01 => 5,
        Some(speed) if speed < 0.1 => 3,
        _ => 2,
    };
    digits(speed, places)
}

/// Time, spread and speed.
fn times(cell: &Cell) -> [String; 3] {
    let [time, spread] = time(cell);
    [time, spread, fast(cell.speed)]
}

/// Figure 6.
fn by_order(report: &Report, algorithm: &str) -> Sheet {
    let columns = [
        ("order", Left),
        ("made in", Right),
        ("time", Right),
        ("spread", Right),
        ("G arcs/s", Right),
        ("of natural", Right),
        ("of planted", Right),
        ("verified", Left),
    ];
    let title = titled(report, "fig6", algorithm, &format!("Figure 6: {algorithm} by order"));
    let sheet = Sheet::new(title, columns).note(
        "`of natural` and `of planted` are speeds over that in these orders; the planted one is that of the generator before it\n\
         shuffled the vertices.",
    );
    by_graph(report, sheet, |case| {
        let cells = report.cells_of("fig6", &case.name, algorithm);
        let speed_in =
            |order: Held| cells.iter().find(|cell| cell.order == order).and_then(|cell| cell.speed);
        let (natural, planted) = (speed_in(Held::NATURAL), speed_in(Held::Planted));
        let row = |cell: &&Cell| {
            let order = cell.order.to_string();
            let made = report.orders_of(&case.name).find(|making| making.order == order);
            cell_row([order.clone()], cell, || {
                let ratios = [natural, planted].map(|of| digits(over(cell.speed, of), 2));
                let made = seconds(made.and_then(Making::total));
                [made].into_iter().chain(times(cell)).chain(ratios).chain([verdict(cell)]).collect()
            })
        };
        cells.iter().map(row).collect()
    })
}

/// Table 2.
fn orders(report: &Report) -> Sheet {
    let columns = [
        ("order", Left),
        ("time to order", Right),
        ("to renumber", Right),
        ("memory", Right),
        ("rounds", Right),
        ("per round", Right),
    ];
    let sheet = Sheet::new("Table 2: what orders cost", columns).note(
        "`sampled` is made while runs go on: its time is what sampling took of the device, and `per round` that and renumbering,\n\
         over the rounds.",
    );
    by_graph(report, sheet, |case| {
        let of = |making: &Making| {
            let rounds = making.rounds.len();
            let per_round = making.total().filter(|_| rounds > 0).map(|total| total / rounds as f64);
            vec![
                seconds(making.seconds),
                seconds(making.renumber),
                making.memory.map_or_else(none, bytes),
                if making.order == "sampled" { rounds.to_string() } else { none() },
                seconds(per_round),
            ]
        };
        let all = report.orders_of(&case.name);
        all.map(|making| row([making.order.clone()], making.error.as_ref(), || of(making))).collect()
    })
}

/// What each round of `sampled` brought.
fn rounds(report: &Report) -> Sheet {
    let columns = [
        ("round", Right),
        ("samples", Right),
        ("moved", Right),
        ("sectors before", Right),
        ("after", Right),
        ("sampling", Right),
        ("renumbering", Right),
        ("G arcs/s before", Right),
        ("after", Right),
    ];
    by_graph(report, Sheet::new("Rounds of sampled: sectors an access of a tile touches", columns), |case| {
        let speed = |speed: Option<f64>| fast(speed.map(|speed| speed / 1e9));
        let rounds = report.orders_of(&case.name).flat_map(|making| &making.rounds);
        let row = rounds.map(|round| {
            vec![
                round.round.to_string(),
                round.samples.to_string(),
                count(round.moved),
                digits(Some(round.sectors_before), 2),
                digits(round.sectors_after, 2),
                seconds(Some(round.sampling_seconds)),
                seconds(Some(round.renumbering_seconds)),
                speed(round.speed_before),
                speed(round.speed_after),
            ]
        });
        row.collect()
    })
}

/// Figure 7.
fn balances(report: &Report, algorithm: &str) -> Sheet {
    let columns = [
        ("balance", Left),
        ("time", Right),
        ("spread", Right),
        ("G arcs/s", Right),
        ("in gorder", Right),
        ("G arcs/s", Right),
        ("gorder gains", Right),
        ("verified", Left),
    ];
    let title = titled(report, "fig7", algorithm, &format!("Figure 7: {algorithm} by balance"));
    let sheet = Sheet::new(title, columns).note(
        "`gorder gains` is the speed in that order over that in the natural one. `auto` is the engine's choice by superstep.",
    );
    let all_peers = peers::of(report);
    by_graph(report, sheet, |case| {
        let cells = report.cells_of("fig7", &case.name, algorithm);
        let beside = |cell: &Cell| {
            let in_gorder =
                |other: &&&Cell| other.order == Held::Order(gorder()) && other.label() == cell.label();
            match cells.iter().find(in_gorder) {
                None => [none(), none(), none()],
                Some(Cell { error: Some(error), .. }) => [error.kind.clone(), none(), none()],
                Some(other) => {
                    let [time, _, speed] = times(other);
                    [time, speed, digits(over(other.speed, cell.speed), 2)]
                }
            }
        };
        let row = |cell: &&Cell| {
            cell_row([cell.label().to_owned()], cell, || {
                times(cell).into_iter().chain(beside(cell)).chain([verdict(cell)]).collect()
            })
        };
        let arcs = cells.iter().find_map(|cell| cell.arcs);
        // The speed of a peer is by the arcs of our runs.
        let of_peer = |peer: &Peer| {
            let speed = fast(arcs.map(|arcs| arcs / peer.seconds / 1e9));
            vec![peer.name.clone(), seconds(Some(peer.seconds)), none(), speed]
        };
        let is_here =
            |peer: &&Peer| !cells.is_empty() && peer.algorithm == algorithm && peer.graph == case.name;
        let ours = cells.iter().filter(|cell| cell.order == Held::NATURAL).map(row);
        ours.chain(all_peers.iter().filter(is_here).map(of_peer)).collect()
    })
}

/// Figure 10.
fn ablation(report: &Report, algorithm: &str) -> Sheet {
    let columns = [
        ("step", Left),
        ("order", Left),
        ("time", Right),
        ("spread", Right),
        ("G arcs/s", Right),
        ("of the step before", Right),
        ("of the first", Right),
        ("verified", Left),
    ];
    let title = titled(report, "fig10", algorithm, &format!("Figure 10: {algorithm} by technique"));
    by_graph(report, Sheet::new(title, columns).note("Ratios are of speeds: above 1 is faster."), |case| {
        let cells = report.cells_of("fig10", &case.name, algorithm);
        let speed = |place: Option<usize>| cells.get(place?).and_then(|cell| cell.speed);
        let row = |(place, cell): (usize, &&Cell)| {
            cell_row([cell.label().to_owned(), cell.order.to_string()], cell, || {
                let before = place.checked_sub(1);
                let ratios = [before, before.map(|_| 0)].map(|of| digits(over(cell.speed, speed(of)), 2));
                times(cell).into_iter().chain(ratios).chain([verdict(cell)]).collect()
            })
        };
        cells.iter().enumerate().map(row).collect()
    })
}

/// Adds rows of the cells of a part on every graph, each under the name of its algorithm and its plan.
fn by_plan(report: &Report, part: &str, sheet: Sheet, figures: impl Fn(&Cell) -> Vec<String>) -> Sheet {
    by_graph(report, sheet, |case| {
        let of = |algorithm| report.cells_of(part, &case.name, algorithm);
        let cells = report.algorithms_of(part).into_iter().flat_map(of);
        let names = |cell: &Cell| [cell.algorithm.clone(), cell.label().to_owned()];
        cells.map(|cell| cell_row(names(cell), cell, || figures(cell))).collect()
    })
}

/// Table 3.
fn tilings(report: &Report) -> Sheet {
    let columns = [
        ("algorithm", Left),
        ("plan", Left),
        ("kernels", Right),
        ("electing tiles", Right),
        ("share", Right),
    ];
    let sheet = Sheet::new("Table 3: what electing tiles costs, of a run", columns)
        .note("Kernels that elect tiles and do nothing with them, over kernels that expand frontiers.");
    by_plan(report, "table3", sheet, |cell| {
        let prices: Vec<f64> = cell.runs.iter().filter_map(|run| run.tiling).collect();
        let price = (!prices.is_empty()).then(|| median(&prices));
        vec![seconds(cell.kernel), seconds(price), percent(over(price, cell.kernel), 1)]
    })
}

/// Tiles of the first run and of the last.
fn tiles(report: &Report) -> Sheet {
    let columns = [
        ("algorithm", Left),
        ("plan", Left),
        ("first made", Right),
        ("reused", Right),
        ("runs", Right),
        ("last made", Right),
        ("reused", Right),
        ("held", Right),
        ("bytes", Right),
    ];
    let sheet = Sheet::new("Tiles that are met again", columns)
        .note("`first` is the first run on a fresh copy of the graph, `last` the last of `runs`.");
    by_plan(report, "tiles", sheet, |cell| {
        let part = |tiles: Option<TilesSeen>| match tiles {
            Some(tiles) => [count(tiles.made), percent(Some(tiles.reuse_rate), 1)],
            None => [none(), none()],
        };
        let held =
            cell.tiles.map_or_else(|| [none(), none()], |last| [count(last.held), bytes(last.held_bytes)]);
        let runs = [(1 + report.measuring.warmup + cell.runs.len() as u64).to_string()];
        let first = part(cell.first.and_then(|first| first.tiles));
        first.into_iter().chain(runs).chain(part(cell.tiles)).chain(held).collect()
    })
}

/// The first run on a graph.
fn firsts(report: &Report) -> Sheet {
    let columns = [
        ("plan", Left),
        ("first run", Right),
        ("later runs", Right),
        ("first / later", Right),
        ("prepared in", Right),
        ("copied in", Right),
        ("compiled in", Right),
    ];
    let title = "No preprocessing: the first bfs on a graph, with kernels compiled, and later ones";
    let sheet = Sheet::new(title, columns).note(
        "Later runs start at the same vertex. What was prepared for all of them, and copying the graph, stand beside.",
    );
    by_graph(report, sheet, |case| {
        let row = |cell: &Cell| {
            cell_row([cell.label().to_owned()], cell, || {
                let first = cell.first.unwrap_or_default();
                vec![
                    seconds(Some(first.seconds)),
                    seconds(cell.median()),
                    digits(over(Some(first.seconds), cell.median()), 2),
                    seconds(Some(first.prepare)),
                    seconds(Some(first.transfer)),
                    seconds(Some(first.compile)),
                ]
            })
        };
        report.cells_of("first", &case.name, "bfs").into_iter().map(row).collect()
    })
}

/// Every cell of the engine's choice.
fn choices(report: &Report) -> Sheet {
    let columns = [
        ("algorithm", Left),
        ("best balance", Left),
        ("its time", Right),
        ("auto", Right),
        ("auto / best", Right),
        ("behind by", Right),
        ("behind", Left),
    ];
    let auto: Auto = figure(&report.figures, "auto").unwrap_or_default();
    let (behind, cells) = (auto.behind, auto.cells.len());
    let title =
        format!("Choice of balances: behind by more than 10 % and 20 us in {behind} of {cells} cells");
    let row = |cell: &Judged| {
        let behind = Some(cell.seconds - cell.best_seconds).filter(|difference| *difference > 0.0);
        vec![
            cell.algorithm.clone(),
            cell.best.clone(),
            seconds(Some(cell.best_seconds)),
            seconds(Some(cell.seconds)),
            digits(Some(cell.ratio()), 2),
            seconds(behind),
            if cell.is_behind { "yes" } else { "no" }.to_owned(),
        ]
    };
    by_graph(report, Sheet::new(title, columns), |case| {
        auto.cells.iter().filter(|cell| cell.graph == case.name).map(row).collect()
    })
}

/// The choice against every balance.
fn means(report: &Report) -> Sheet {
    let columns = [("balance", Left), ("cells", Right), ("auto / balance", Right)];
    let title = "Choice of balances: its time over that of one for all, the geometric mean";
    let mut sheet = Sheet::new(title, columns);
    for (balance, cells, ratio) in figure::<Auto>(&report.figures, "auto").unwrap_or_default().means {
        sheet.row([balance, cells.to_string(), digits(Some(ratio), 3)]);
    }
    sheet
}
