//! `warpgraph plans`: which algorithm runs with which plan, and why not. Every cell is an answer of `Plan::check`.

use crate::{
    console::{self, GOOD, NOTE},
    failure::{Failure, Result},
    put_json,
    report::{SCHEMA, VERSION},
    table::{Side, Table},
};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use warpgraph::{ALGORITHMS, Device, Plan};

/// Say which algorithm runs with which plan, and why not
///
/// A plan is what --plan of `run` takes. What a plan does not name is decided by the engine.
#[derive(Args)]
#[command(after_help = "\
Examples:
  warpgraph plans
  warpgraph plans --json")]
pub(crate) struct Plans {
    /// One line of JSON on standard output
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// An algorithm under a plan.
#[derive(Serialize)]
struct Cell {
    algorithm: &'static str,
    device: String,
    plan: Plan,
    runs: bool,
    refusal: Option<String>,
    help: Option<String>,
}

/// Asks for every cell.
pub(crate) fn run(args: &Plans) -> Result<u8> {
    let cells = cells(Device::Cpu);
    if args.json {
        put_json(&json!({ "schema": SCHEMA, "version": VERSION, "command": "plans", "plans": cells }))?;
    } else {
        console::out(&text(&cells)).map_err(Failure::stdout)?;
    }
    Ok(0)
}

fn cells(device: Device) -> Vec<Cell> {
    let cell = |algorithm, plan: Plan| {
        let refused = plan.check(algorithm, &device.to_string(), false).err();
        Cell {
            algorithm,
            device: device.to_string(),
            plan,
            runs: refused.is_none(),
            help: refused.as_ref().and_then(warpgraph::Error::help),
            refusal: refused.map(|e| e.to_string()),
        }
    };
    ALGORITHMS.iter().flat_map(|a| Plan::ALL.map(|plan| cell(a, plan))).collect()
}

/// One row an algorithm, one column a plan; refusals below, numbered.
fn text(cells: &[Cell]) -> String {
    let titles = Plan::ALL.iter().map(ToString::to_string);
    let titles = std::iter::once("algorithm".to_owned()).chain(titles);
    let mut table = Table::new(titles.map(|title| (title, Side::Left)));
    let mut notes = String::new();
    let mut number = 0;
    for row in cells.chunk_by(|a, b| a.algorithm == b.algorithm) {
        let mut line = vec![row[0].algorithm.to_owned()];
        for cell in row {
            line.push(match &cell.refusal {
                None => format!("{GOOD}runs{GOOD:#}"),
                Some(refusal) => {
                    number += 1;
                    notes += &format!("[{number}] {refusal}\n");
                    format!("{NOTE}no [{number}]{NOTE:#}")
                }
            });
        }
        table.row(line);
    }
    format!("{}\n{notes}", table.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_cell_for_every_algorithm_and_plan() {
        let cells = cells(Device::Cpu);
        assert_eq!(cells.len(), ALGORITHMS.len() * Plan::ALL.len());
        for cell in &cells {
            let refusal = cell.plan.check(cell.algorithm, "cpu", false).err().map(|e| e.to_string());
            assert_eq!((cell.runs, &cell.refusal), (refusal.is_none(), &refusal));
        }
        assert!(ALGORITHMS.iter().all(|a| cells.iter().any(|c| c.algorithm == *a && c.runs)));
    }
}
