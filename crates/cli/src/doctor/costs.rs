//! The costs of balances on a GPU, by which the engine chooses a balance if the plan names none.

use crate::{
    console::{counted, seconds},
    table::{Side, Table},
};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use warpgraph::{CostModel, Measurement};

const DAY: u64 = 86_400;

/// Returns the title: the device, and whether its costs are measured or assumed.
pub(super) fn title(device: &str, model: &CostModel) -> String {
    let how = match &model.measured {
        Some(measured) => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            format!("measured {} in {}", since(measured, now), seconds(measured.seconds))
        }
        None => "assumed".to_owned(),
    };
    format!("balances on {device}, {how}")
}

fn since(measured: &Measurement, now: Duration) -> String {
    match now.as_secs().saturating_sub(measured.at) / DAY {
        0 => "today".to_owned(),
        days => format!("{} ago", counted(days, "day", "days")),
    }
}

/// Returns the costs of each balance: one vertex of one arc, a vertex and an arc among many, each further arc of one
/// thread (step), and each further row of one warp.
pub(super) fn table(model: &CostModel) -> String {
    let titles = ["first", "vertex", "arc", "step", "row"].map(|title| (title, Side::Right));
    let mut table = Table::new([("balance", Side::Left)].into_iter().chain(titles));
    for (name, cost) in model.costs.all() {
        let costs = [cost.first, cost.vertex, cost.arc, cost.step, cost.row].map(|ns| time(ns * 1e-9));
        table.row([name.to_owned()].into_iter().chain(costs));
    }
    table.row([format!("a launch more {}", time(model.costs.launch * 1e-9))]);
    table.text()
}

/// Formats like [`seconds`], but times below a nanosecond in picoseconds.
fn time(s: f64) -> String {
    if s > 0.0 && s < 0.9995e-9 { format!("{:.1} ps", s * 1e12) } else { seconds(s) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::Costs;

    #[test]
    fn a_model_says_whether_it_was_measured_and_what_each_balance_takes() {
        let mut model = CostModel { device: "cuda:0".to_owned(), costs: Costs::ASSUMED, measured: None };
        assert_eq!(title("cuda:0", &model), "balances on cuda:0, assumed");
        model.measured = Some(Measurement { at: u64::MAX, seconds: 0.0821 });
        assert_eq!(title("cuda:0", &model), "balances on cuda:0, measured today in 82.1 ms");
        let (text, plain) = (table(&model), anstream::adapter::strip_str);
        let rows: Vec<String> = plain(&text).to_string().lines().map(str::to_owned).collect();
        assert!(rows[0].starts_with("balance ") && rows[0].ends_with(" row"), "{text}");
        let node: Vec<&str> = rows[1].split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        assert_eq!(node, ["node", "15.0 us", "30.0 ps", "40.0 ps", "430 ns", "0 ns"]);
        let names: Vec<&str> = rows[1..5].iter().filter_map(|row| row.split(' ').next()).collect();
        assert_eq!(names, ["node", "tiled", "workload", "resident"]);
        assert!(rows.iter().all(|row| row.len() <= 80), "{text}");
    }

    #[test]
    fn a_day_is_a_day() {
        let at = |at| since(&Measurement { at, seconds: 0.1 }, Duration::from_secs(10 * DAY));
        assert_eq!([at(10 * DAY), at(9 * DAY), at(3 * DAY - 1)], ["today", "1 day ago", "7 days ago"]);
    }
}
