//! Tables 2 and 3, and what is beside the paper: rounds of `sampled`, tiles that are met again, first runs.

use super::{by_graph, fast};
use crate::{
    balance::tables::why,
    halo::tables::{digits, none},
    result::Failure,
    sage::{Kept, Making, Report, TilesSeen, report::label},
    sheet::{
        Sheet,
        Side::{Left, Right},
    },
    units::{bytes, count, seconds},
};

/// Table 2.
pub fn orders(report: &Report) -> Sheet {
    let columns = [
        ("order", Left),
        ("time to order", Right),
        ("to renumber", Right),
        ("memory", Right),
        ("rounds", Right),
        ("a round", Right),
    ];
    by_graph(report, Sheet::new("Table 2: what orders cost", columns), |graph| {
        let of_graph = report.orders.iter().filter(|making| making.graph == graph.name);
        of_graph.map(|making| row([making.order.clone()], making.error.as_ref(), || order(making))).collect()
    })
}

fn order(making: &Making) -> Vec<String> {
    let rounds = making.rounds.len();
    let total = making.seconds.unwrap_or(0.0) + making.renumber.unwrap_or(0.0);
    let is_round = rounds > 0 || making.order == "sampled";
    vec![
        making.seconds.map_or_else(none, seconds),
        making.renumber.map_or_else(none, seconds),
        making.memory.map_or_else(none, bytes),
        if is_round { rounds.to_string() } else { none() },
        if rounds > 0 { seconds(total / rounds as f64) } else { none() },
    ]
}

/// What each round of `sampled` brought.
pub fn rounds(report: &Report) -> Sheet {
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
    by_graph(report, Sheet::new("Rounds of sampled: sectors an access of a tile touches", columns), |graph| {
        let rounds = report.orders.iter().filter(|making| making.graph == graph.name).flat_map(|m| &m.rounds);
        let speed = |speed: Option<f64>| fast(speed.map(|speed| speed / 1e9));
        let row = rounds.map(|round| {
            vec![
                round.round.to_string(),
                round.samples.to_string(),
                count(round.moved),
                format!("{:.2}", round.sectors_before),
                round.sectors_after.map_or_else(|| "-".to_owned(), |after| format!("{after:.2}")),
                seconds(round.sampling_seconds),
                seconds(round.renumbering_seconds),
                speed(round.speed_before),
                speed(round.speed_after),
            ]
        });
        row.collect()
    })
}

/// Table 3.
pub fn tilings(report: &Report) -> Sheet {
    let columns = [
        ("algorithm", Left),
        ("plan", Left),
        ("kernels", Right),
        ("electing tiles", Right),
        ("share", Right),
    ];
    by_graph(report, Sheet::new("Table 3: what electing tiles costs, of a run", columns), |graph| {
        let of_graph = report.tilings.iter().filter(|tiling| tiling.graph == graph.name);
        let row = of_graph.map(|tiling| {
            let names = [tiling.algorithm.to_string(), label(&tiling.plan).to_owned()];
            row(names, tiling.error.as_ref(), || {
                let share = tiling.share().map(|share| format!("{:.1}%", 100.0 * share));
                let [kernel, price] = [tiling.kernel, tiling.tiling].map(|s| s.map_or_else(none, seconds));
                vec![kernel, price, share.unwrap_or_else(none)]
            })
        });
        row.collect()
    })
}

/// Tiles of the first run and of the last.
pub fn tiles(report: &Report) -> Sheet {
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
    by_graph(report, Sheet::new("Tiles that are met again", columns), |graph| {
        let of_graph = report.tiles.iter().filter(|kept| kept.graph == graph.name);
        let row = of_graph.map(|kept| {
            let names = [kept.algorithm.to_string(), label(&kept.plan).to_owned()];
            row(names, kept.error.as_ref(), || met_again(kept))
        });
        row.collect()
    })
}

fn met_again(kept: &Kept) -> Vec<String> {
    let part = |tiles: Option<TilesSeen>| match tiles {
        Some(tiles) => [count(tiles.made), format!("{:.1}%", 100.0 * tiles.reuse_rate)],
        None => [none(), none()],
    };
    let held = kept.last.map_or_else(|| [none(), none()], |last| [count(last.held), bytes(last.held_bytes)]);
    let ([first, first_rate], [last, last_rate]) = (part(kept.first), part(kept.last));
    [first, first_rate, kept.runs.to_string(), last, last_rate].into_iter().chain(held).collect()
}

/// The first run on a graph.
pub fn firsts(report: &Report) -> Sheet {
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
    by_graph(report, Sheet::new(title, columns), |graph| {
        let of_graph = report.firsts.iter().filter(|first| first.graph == graph.name);
        let row = of_graph.map(|first| {
            row([label(&first.plan).to_owned()], first.error.as_ref(), || {
                let later = first.later.map(|spread| spread.median);
                vec![
                    first.first.map_or_else(none, seconds),
                    later.map_or_else(none, seconds),
                    digits(first.ratio(), 2),
                    seconds(first.prepare),
                    seconds(first.transfer),
                    seconds(first.compile),
                ]
            })
        });
        row.collect()
    })
}

/// Names and figures, or why there are none.
fn row<const N: usize>(
    names: [String; N],
    error: Option<&Failure>,
    figures: impl FnOnce() -> Vec<String>,
) -> Vec<String> {
    let rest = error.map_or_else(figures, |error| vec![why(Some(error))]);
    names.into_iter().chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sage::testing::as_in_the_paper;

    #[test]
    fn orders_cost_once_and_sampled_by_the_round() {
        let sheet = orders(&as_in_the_paper());
        assert_eq!(sheet.rows[1], ["gorder", "12.0 s", "500 ms", "3.0 MiB", "-", "-"]);
        assert_eq!(sheet.rows[2], ["llp", "device-memory: no room"]);
        assert_eq!(sheet.rows[3], ["sampled", "500 ms", "250 ms", "-", "2", "375 ms"]);
        let rounds = rounds(&as_in_the_paper());
        assert_eq!(rounds.rows[2], ["2", "20", "1,000", "6.00", "4.50", "250 ms", "125 ms", "4.00", "-"]);
    }

    #[test]
    fn electing_tiles_is_a_share_of_the_kernels() {
        let mut report = as_in_the_paper();
        assert_eq!(tilings(&report).rows[1], ["bfs", "tiled", "1.00 s", "250 ms", "25.0%"]);
        report.tilings[0].tiling = None;
        assert_eq!(tilings(&report).rows[1], ["bfs", "tiled", "1.00 s", "-", "-"]);
    }

    #[test]
    fn tiles_and_first_runs_are_told() {
        let report = as_in_the_paper();
        let row = ["bfs", "resident", "100", "75.0%", "5", "25", "75.0%", "100", "1.0 MiB"];
        assert_eq!(tiles(&report).rows[1], row);
        assert_eq!(
            firsts(&report).rows[1],
            ["resident", "1.25 s", "1.00 s", "1.25", "500 ms", "2.00 s", "0 ns"]
        );
    }
}
