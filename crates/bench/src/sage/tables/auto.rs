//! The engine's choice of balances, in words that can be printed.

use super::by_graph;
use crate::{
    sage::{Report, auto::Judged},
    sheet::{
        Sheet,
        Side::{Left, Right},
    },
    units::seconds,
};

/// Every cell of the choice.
pub fn choices(report: &Report) -> Sheet {
    let columns = [
        ("algorithm", Left),
        ("best balance", Left),
        ("its time", Right),
        ("auto", Right),
        ("auto / best", Right),
        ("behind by", Right),
        ("behind", Left),
    ];
    let title = match &report.auto {
        Some(auto) => format!(
            "Choice of balances: behind by more than 10 % and 20 us in {} of {} cells",
            auto.behind,
            auto.cells.len()
        ),
        None => "Choice of balances".to_owned(),
    };
    by_graph(report, Sheet::new(title, columns), |graph| {
        let cells = report.auto.iter().flat_map(|auto| &auto.cells);
        cells.filter(|cell| cell.graph == graph.name).map(choice).collect()
    })
}

fn choice(cell: &Judged) -> Vec<String> {
    vec![
        cell.algorithm.to_string(),
        cell.best.clone(),
        seconds(cell.best_seconds),
        seconds(cell.seconds),
        format!("{:.2}", cell.ratio),
        if cell.difference > 0.0 { seconds(cell.difference) } else { "-".to_owned() },
        if cell.is_behind { "yes" } else { "no" }.to_owned(),
    ]
}

/// The choice against every balance.
pub fn means(report: &Report) -> Sheet {
    let columns = [("balance", Left), ("cells", Right), ("auto / balance", Right)];
    let title = "Choice of balances: its time over that of one for all, the geometric mean";
    let mut sheet = Sheet::new(title, columns);
    for mean in report.auto.iter().flat_map(|auto| &auto.means) {
        sheet.row([mean.balance.clone(), mean.cells.to_string(), format!("{:.3}", mean.ratio)]);
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sage::testing::as_in_the_paper;

    #[test]
    fn the_choice_is_held_against_the_best_and_against_each() {
        let report = as_in_the_paper();
        let sheet = choices(&report);
        assert!(sheet.title.ends_with("in 1 of 1 cells"), "{}", sheet.title);
        assert_eq!(sheet.rows[1], ["bfs", "resident", "1.00 s", "1.25 s", "1.25", "250 ms", "yes"]);
        let means = means(&report);
        assert_eq!(means.rows[0], ["node", "1", "0.156"]);
        assert_eq!(means.rows.len(), 3);
    }
}
