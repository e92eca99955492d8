//! The tables, in the order of the paper; what is beside it comes last.

use super::{
    auto::{Auto, Judged},
    choice::gorder,
    peers::{self, Peer},
};
use crate::{
    evaluation::{
        Cell, Held, Making, Report,
        report::figure,
        tables::{by_graph, cell_row, digits, graphs, none, over, percent, row, seconds, time, verdict},
    },
    sheet::Sheet,
    statistics::median,
    units::{bytes, count},
};
use warpgraph::TileUse;

type Rows = Vec<Vec<String>>;

/// A table of the cells of a part: rows of those of a graph and an algorithm. `{}` in its title is an algorithm, which then
/// has a table of its own, and `{per}` what times are of.
struct Kind {
    part: &'static str,
    title: &'static str,
    columns: &'static str,
    note: &'static str,
    rows: fn(&Report, &[&Cell]) -> Rows,
}

const KINDS: [Kind; 6] = [
    Kind {
        part: "fig6",
        title: "Figure 6: {} by order, time per {per}",
        columns: "order | >made in | >time | >spread | >G arcs/s | >of natural | >of planted | verified",
        note: "`of natural` and `of planted` are speeds over that in these orders; the planted one is that of the generator before it\n\
               shuffled the vertices.",
        rows: by_order,
    },
    Kind {
        part: "fig7",
        title: "Figure 7: {} by balance, time per {per}",
        columns: "balance | >time | >spread | >G arcs/s | >in gorder | >G arcs/s | >gorder gains | verified",
        note: "`gorder gains` is the speed in that order over that in the natural one. `auto` is the engine's choice by superstep.",
        rows: by_balance,
    },
    Kind {
        part: "fig10",
        title: "Figure 10: {} by technique, time per {per}",
        columns: "step | order | >time | >spread | >G arcs/s | >of the step before | >of the first | verified",
        note: "Ratios are of speeds: above 1 is faster.",
        rows: by_step,
    },
    Kind {
        part: "table3",
        title: "Table 3: what electing tiles costs, of a run",
        columns: "algorithm | plan | >kernels | >electing tiles | >share",
        note: "Kernels that elect tiles and do nothing with them, over kernels that expand frontiers.",
        rows: |_, cells| by_plan(cells, tiling),
    },
    Kind {
        part: "tiles",
        title: "Tiles that are met again",
        columns: "algorithm | plan | >first made | >reused | >runs | >last made | >reused | >held | >bytes",
        note: "`first` is the first run on a fresh copy of the graph, `last` the last of `runs`.",
        rows: |report, cells| by_plan(cells, |cell| tiles(report, cell)),
    },
    Kind {
        part: "first",
        title: "No preprocessing: the first bfs on a graph, with kernels compiled, and later ones",
        columns: "plan | >first run | >later runs | >first / later | >prepared in | >copied in | >compiled in",
        note: "Later runs start at the same vertex. What was prepared for all of them, and copying the graph, stand beside.",
        rows: |_, cells| {
            cells.iter().map(|cell| cell_row([cell.label().to_owned()], cell, || first(cell))).collect()
        },
    },
];

impl Kind {
    fn sheets(&self, report: &Report) -> Vec<Sheet> {
        let all = report.algorithms_of(self.part);
        let in_one = if self.title.contains("{}") { 1 } else { all.len().max(1) };
        all.chunks(in_one).map(|algorithms| self.sheet(report, algorithms)).collect()
    }

    fn sheet(&self, report: &Report, algorithms: &[&str]) -> Sheet {
        let is_of = |cell: &&Cell| cell.algorithm == algorithms[0] && cell.parts.contains_key(self.part);
        let per = report.cells.iter().find(is_of).map_or("run", |cell| cell.per.name());
        let title = self.title.replace("{per}", per).replace("{}", algorithms[0]);
        by_graph(report, Sheet::new(title, self.columns).note(self.note), |case| {
            let cells = |name: &&str| report.cells_of(self.part, &case.name, name);
            algorithms.iter().map(cells).flat_map(|cells| (self.rows)(report, &cells)).collect()
        })
    }
}

/// Returns all tables.
pub(super) fn all(report: &Report) -> Vec<Sheet> {
    let [by_order, others @ ..] = &KINDS;
    let mut all = vec![graph_table(report)];
    all.extend(by_order.sheets(report));
    all.extend([orders(report), rounds(report)]);
    all.extend(others.iter().flat_map(|kind| kind.sheets(report)));
    all.extend([choices(report), means(report)]);
    all
}

fn graph_table(report: &Report) -> Sheet {
    let columns = "graph | directed | >vertices | >arcs | >arcs per vertex | >load";
    graphs(report, Sheet::new("Table 1: the graphs", columns), |case| {
        let Some(graph) = &case.graph else { return Vec::new() };
        let degree = graph.arcs as f64 / graph.vertices.max(1) as f64;
        let sizes = [count(graph.vertices), count(graph.arcs), format!("{degree:.1}"), seconds(case.load)];
        [yes(graph.directed)].into_iter().chain(sizes).collect()
    })
}

fn yes(is_so: bool) -> String {
    if is_so { "yes" } else { "no" }.to_owned()
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

fn by_order(report: &Report, cells: &[&Cell]) -> Rows {
    let speed_in = |order: Held| cells.iter().find(|cell| cell.order == order)?.speed;
    let usual = [Held::NATURAL, Held::Planted].map(speed_in);
    let row = |cell: &&Cell| {
        let order = cell.order.to_string();
        let made = report.orders_of(&cell.graph).find(|making| making.order == order);
        let made = [seconds(made.and_then(Making::total))];
        let ratios = usual.map(|of| digits(over(cell.speed, of), 2));
        cell_row([order], cell, || [&made[..], &times(cell), &ratios, &[verdict(cell)]].concat())
    };
    cells.iter().map(row).collect()
}

fn by_balance(report: &Report, cells: &[&Cell]) -> Rows {
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
        let figures = || [&times(cell)[..], &beside(cell), &[verdict(cell)]].concat();
        cell_row([cell.label().to_owned()], cell, figures)
    };
    // The speed of a peer is by the arcs of our runs.
    let arcs = cells.iter().find_map(|cell| cell.arcs);
    let of_peer = |peer: Peer| {
        let speed = fast(arcs.map(|arcs| arcs / peer.seconds / 1e9));
        vec![peer.name, seconds(Some(peer.seconds)), none(), speed]
    };
    let is_here = |peer: &Peer| {
        cells.first().is_some_and(|cell| peer.algorithm == cell.algorithm && peer.graph == cell.graph)
    };
    let ours = cells.iter().filter(|cell| cell.order == Held::NATURAL).map(row);
    ours.chain(peers::of(report).into_iter().filter(is_here).map(of_peer)).collect()
}

fn by_step(_: &Report, cells: &[&Cell]) -> Rows {
    let row = |(place, cell): (usize, &&Cell)| {
        let before = place.checked_sub(1);
        let ratio = |of: Option<usize>| digits(over(cell.speed, of.and_then(|place| cells[place].speed)), 2);
        let ratios = [before, before.map(|_| 0)].map(ratio);
        let figures = || [&times(cell)[..], &ratios, &[verdict(cell)]].concat();
        cell_row([cell.label().to_owned(), cell.order.to_string()], cell, figures)
    };
    cells.iter().enumerate().map(row).collect()
}

fn by_plan(cells: &[&Cell], figures: impl Fn(&Cell) -> Vec<String>) -> Rows {
    let names = |cell: &Cell| [cell.algorithm.clone(), cell.label().to_owned()];
    cells.iter().map(|cell| cell_row(names(cell), cell, || figures(cell))).collect()
}

fn tiling(cell: &Cell) -> Vec<String> {
    let prices: Vec<f64> = cell.runs.iter().filter_map(|run| run.tiling).collect();
    let price = (!prices.is_empty()).then(|| median(&prices));
    vec![seconds(cell.kernel), seconds(price), percent(over(price, cell.kernel), 1)]
}

/// Tiles of the first run and of the last.
fn tiles(report: &Report, cell: &Cell) -> Vec<String> {
    let two =
        |tiles: Option<TileUse>, of: fn(TileUse) -> [String; 2]| tiles.map_or_else(|| [none(), none()], of);
    let made = |tiles: TileUse| [count(tiles.made), percent(Some(tiles.reuse_rate()), 1)];
    let runs = 1 + report.measuring.warmup + cell.runs.len() as u64;
    let first = two(cell.first.and_then(|first| first.tiles), made);
    let held = two(cell.tiles, |last| [count(last.held), bytes(last.held_bytes)]);
    [&first[..], &[runs.to_string()], &two(cell.tiles, made), &held].concat()
}

fn first(cell: &Cell) -> Vec<String> {
    let (first, later) = (cell.first.unwrap_or_default(), cell.median());
    let ratio = digits(over(Some(first.seconds), later), 2);
    let once = [first.prepare, first.transfer, first.compile].map(|time| seconds(Some(time)));
    [&[seconds(Some(first.seconds)), seconds(later), ratio][..], &once].concat()
}

/// Table 2.
fn orders(report: &Report) -> Sheet {
    let columns = "order | >time to order | >to renumber | >memory | >rounds | >per round";
    let sheet = Sheet::new("Table 2: what orders cost", columns).note(
        "`sampled` is made while runs go on: its time is what sampling took of the device, and `per round` that and renumbering,\n\
         over the rounds.",
    );
    let figures = |making: &Making| {
        let rounds = making.rounds.len();
        let per_round = making.total().filter(|_| rounds > 0).map(|total| total / rounds as f64);
        let rounds = if making.order == "sampled" { rounds.to_string() } else { none() };
        let memory = making.memory.map_or_else(none, bytes);
        vec![seconds(making.seconds), seconds(making.renumber), memory, rounds, seconds(per_round)]
    };
    by_graph(report, sheet, |case| {
        let all = report.orders_of(&case.name);
        all.map(|making| row([making.order.clone()], making.error.as_ref(), || figures(making))).collect()
    })
}

/// What each round of `sampled` brought.
fn rounds(report: &Report) -> Sheet {
    let columns = ">round | >samples | >moved | >sectors before | >after | >sampling | >renumbering | >G arcs/s before | >after";
    by_graph(report, Sheet::new("Rounds of sampled: sectors an access of a tile touches", columns), |case| {
        let row = |round: &warpgraph::Round| {
            let counts = [round.round.to_string(), round.samples.to_string(), count(round.moved)];
            let sectors = [Some(round.sectors_before), round.sectors_after].map(|mean| digits(mean, 2));
            let took = [round.sampling_seconds, round.renumbering_seconds].map(|time| seconds(Some(time)));
            let speeds = [round.speed_before, round.speed_after].map(|x| fast(x.map(|x| x / 1e9)));
            [&counts[..], &sectors, &took, &speeds].concat()
        };
        report.orders_of(&case.name).flat_map(|making| &making.rounds).map(row).collect()
    })
}

/// Every cell of the engine's choice.
fn choices(report: &Report) -> Sheet {
    let columns = "algorithm | best balance | >its time | >auto | >auto / best | >behind by | behind";
    let auto: Auto = figure(&report.figures, "auto").unwrap_or_default();
    let (behind, cells) = (auto.behind, auto.cells.len());
    let title =
        format!("Choice of balances: behind by more than 10 % and 20 us in {behind} of {cells} cells");
    let row = |cell: &Judged| {
        let Judged { best_seconds: best, seconds: ours, .. } = *cell;
        let behind = Some(ours - best).filter(|difference| *difference > 0.0);
        let [best, ours, behind] = [Some(best), Some(ours), behind].map(seconds);
        let ratio = digits(Some(cell.seconds / cell.best_seconds), 2);
        vec![cell.algorithm.clone(), cell.best.clone(), best, ours, ratio, behind, yes(cell.is_behind)]
    };
    by_graph(report, Sheet::new(title, columns), |case| {
        auto.cells.iter().filter(|cell| cell.graph == case.name).map(row).collect()
    })
}

/// The choice against every balance.
fn means(report: &Report) -> Sheet {
    let title = "Choice of balances: its time over that of one for all, the geometric mean";
    let mut sheet = Sheet::new(title, "balance | >cells | >auto / balance");
    for (balance, cells, ratio) in figure::<Auto>(&report.figures, "auto").unwrap_or_default().means {
        sheet.row([balance, cells.to_string(), digits(Some(ratio), 3)]);
    }
    sheet
}
