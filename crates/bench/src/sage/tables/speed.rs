//! Figures 6, 7 and 10: speed by order, by balance, and by technique.

use super::{by_graph, fast, over};
use crate::{
    balance::tables::why,
    halo::tables::{digits, none},
    sage::{Cell, Held, Part, Peer, Question, Report, wanted::gorder},
    sheet::{
        Sheet,
        Side::{Left, Right},
    },
    units::seconds,
};

/// Figure 6.
pub fn by_order(report: &Report, algorithm: Question) -> Sheet {
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
    let title = format!("Figure 6: {algorithm} by order, time a {}", algorithm.per());
    by_graph(report, Sheet::new(title, columns), |graph| {
        let cells = report.cells_of(Part::Fig6, &graph.name, algorithm);
        let speed_in =
            |order: Held| cells.iter().find(|cell| cell.order == order).and_then(|cell| cell.speed);
        let (natural, planted) = (speed_in(Held::NATURAL), speed_in(Held::Planted));
        let row = |cell: &&Cell| {
            let made = report.making(&graph.name, &cell.order.to_string());
            let made = made.and_then(|making| Some(making.seconds? + making.renumber.unwrap_or(0.0)));
            let figures = |cell: &Cell| {
                let ratios = [natural, planted].map(|of| digits(over(cell.speed, of), 2));
                let [time, spread, speed] = times(cell);
                let made = made.map_or_else(none, seconds);
                [made, time, spread, speed].into_iter().chain(ratios).chain([verdict(cell)]).collect()
            };
            row([cell.order.to_string()], cell, figures)
        };
        cells.iter().map(row).collect()
    })
}

/// Figure 7.
pub fn balances(report: &Report, algorithm: Question) -> Sheet {
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
    let title = format!("Figure 7: {algorithm} by balance, time a {}", algorithm.per());
    by_graph(report, Sheet::new(title, columns), |graph| {
        let cells = report.cells_of(Part::Fig7, &graph.name, algorithm);
        let is_gorder = |cell: &&&Cell| cell.order == Held::Order(gorder());
        let row = |cell: &&Cell| {
            let other = cells.iter().filter(is_gorder).find(|other| other.label() == cell.label());
            let figures = |cell: &Cell| {
                let beside = match other {
                    Some(Cell { error: Some(error), .. }) => [error.kind.clone(), none(), none()],
                    other => {
                        let [time, _, speed] =
                            other.map_or_else(|| [none(), none(), none()], |cell| times(cell));
                        [time, speed, digits(over(other.and_then(|cell| cell.speed), cell.speed), 2)]
                    }
                };
                times(cell).into_iter().chain(beside).chain([verdict(cell)]).collect()
            };
            row([cell.label().to_owned()], cell, figures)
        };
        let arcs = cells.iter().find_map(|cell| cell.arcs);
        let peers =
            report.peers.iter().filter(|peer| peer.algorithm == algorithm && peer.graph == graph.name);
        let ours = cells.iter().filter(|cell| cell.order == Held::NATURAL).map(row);
        ours.chain(peers.filter(|_| !cells.is_empty()).map(|peer| of_peer(peer, arcs))).collect()
    })
}

/// What another program takes; its speed is by the arcs of our runs.
fn of_peer(peer: &Peer, arcs: Option<f64>) -> Vec<String> {
    let speed = fast(arcs.map(|arcs| arcs / peer.seconds / 1e9));
    vec![peer.name.clone(), seconds(peer.seconds), none(), speed]
}

/// Figure 10.
pub fn ablation(report: &Report, algorithm: Question) -> Sheet {
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
    let title = format!("Figure 10: {algorithm} by technique, time a {}", algorithm.per());
    by_graph(report, Sheet::new(title, columns), |graph| {
        let cells = report.cells_of(Part::Fig10, &graph.name, algorithm);
        let speed = |place: Option<usize>| cells.get(place?).and_then(|cell| cell.speed);
        let row = |(place, cell): (usize, &&Cell)| {
            let figures = |cell: &Cell| {
                let before = place.checked_sub(1);
                let ratios = [before, before.map(|_| 0)].map(|of| digits(over(cell.speed, speed(of)), 2));
                let [time, spread, speed] = times(cell);
                [time, spread, speed].into_iter().chain(ratios).chain([verdict(cell)]).collect()
            };
            row([cell.label().to_owned(), cell.order.to_string()], cell, figures)
        };
        cells.iter().enumerate().map(row).collect()
    })
}

/// Names and figures, or why there are none.
fn row<const N: usize>(
    names: [String; N],
    cell: &Cell,
    figures: impl FnOnce(&Cell) -> Vec<String>,
) -> Vec<String> {
    let rest = match cell.seconds {
        Some(_) => figures(cell),
        None => vec![why(cell.error.as_ref())],
    };
    names.into_iter().chain(rest).collect()
}

/// Time, spread and speed.
fn times(cell: &Cell) -> [String; 3] {
    let spread = cell.seconds.map(|spread| format!("{:.0}%", 100.0 * spread.spread));
    [cell.median().map_or_else(none, seconds), spread.unwrap_or_else(none), fast(cell.speed)]
}

fn verdict(cell: &Cell) -> String {
    cell.verify.clone().unwrap_or_else(none)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{result::Failure, sage::testing::as_in_the_paper};

    #[test]
    fn orders_are_held_against_the_natural_and_the_planted_one() {
        let sheet = by_order(&as_in_the_paper(), Question::Bfs);
        assert_eq!(sheet.title, "Figure 6: bfs by order, time a run");
        assert_eq!(sheet.rows[0], ["community:22"]);
        assert_eq!(sheet.rows[1], ["natural", "-", "1.00 s", "0%", "4.00", "1.00", "0.40", "passed"]);
        assert_eq!(
            sheet.rows[3],
            ["sampled(rounds=10)", "-", "500 ms", "0%", "8.00", "2.00", "0.80", "passed"]
        );
        assert_eq!(sheet.rows.len(), 5, "the other graph has none");
    }

    #[test]
    fn balances_stand_beside_gorder_and_peers() {
        let mut report = as_in_the_paper();
        let sheet = balances(&report, Question::Bfs);
        assert_eq!(sheet.rows[1], ["node", "8.00 s", "0%", "0.50", "4.00 s", "1.00", "2.00", "passed"]);
        assert_eq!(sheet.rows[4], ["auto", "1.25 s", "0%", "3.20", "-", "-", "-", "passed"]);
        assert_eq!(sheet.rows[5], ["Gunrock", "2.00 s", "-", "2.00"]);
        let gorder = report.cells.iter_mut().find(|cell| cell.order == Held::Order(gorder())).unwrap();
        gorder.seconds = None;
        gorder.error = Some(Failure { kind: "deadline".to_owned(), message: String::new(), help: None });
        assert_eq!(balances(&report, Question::Bfs).rows[1][4], "deadline");
    }

    #[test]
    fn every_step_is_held_against_the_one_before() {
        let sheet = ablation(&as_in_the_paper(), Question::Bfs);
        assert_eq!(sheet.rows[1], ["node", "natural", "8.00 s", "0%", "0.50", "-", "-", "passed"]);
        assert_eq!(sheet.rows[3], ["resident", "natural", "1.00 s", "0%", "4.00", "2.00", "8.00", "passed"]);
        let last = ["resident", "sampled(rounds=10)", "500 ms", "0%", "8.00", "2.00", "16.00", "passed"];
        assert_eq!(sheet.rows[4], last);
        assert_eq!(sheet.rows[6], ["node", "natural", "device-memory: no room"]);
        assert!(ablation(&as_in_the_paper(), Question::Bc).rows.is_empty());
    }
}
