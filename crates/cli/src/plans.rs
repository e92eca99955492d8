//! `warpgraph plans`: which algorithm runs with which plan and approximation, and why not. `Rules::check` decides every cell.

use crate::{
    console::{self, GOOD, LABEL, NOTE},
    failure::{Failure, Result},
    put_json,
    report::{SCHEMA, VERSION},
    table::{Side, Table},
};
use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::json;
use warpgraph::{Approximation, Device, Entry, Options, Plan, algorithms};

/// List which algorithm runs with which plan or approximation, and why not
///
/// A plan is the value of `run --plan`. The engine decides what a plan does not name. All GPUs accept the same plans,
/// including the simulated one.
#[derive(Args)]
#[command(after_help = "\
Examples:
  warpgraph plans
  warpgraph plans --device gpu
  warpgraph plans --json")]
pub(crate) struct Plans {
    /// Only the CPU, or only GPUs [default: both]
    #[arg(long, value_name = "D")]
    device: Option<Kind>,
    /// Print one line of JSON to standard output
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// Devices that accept the same plans.
#[derive(ValueEnum, Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// The CPU.
    Cpu,
    /// NVIDIA GPUs and the simulator.
    Gpu,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }

    /// Returns why devices of this kind refuse an algorithm with a plan; `None` if they accept it.
    fn refusal(self, entry: &Entry, plan: Plan) -> Option<warpgraph::Error> {
        let device = if self == Self::Cpu { Device::Cpu } else { Device::FIRST_GPU };
        entry.rules.check(device, &Options { plan, ..Options::default() }).err()
    }

    /// Returns a refusal of the first GPU, worded for all GPUs.
    fn words(self, refusal: &warpgraph::Error) -> String {
        refusal.to_string().replacen(" on cuda:0 ", " on gpu ", 1)
    }
}

/// An algorithm with a plan.
#[derive(Serialize)]
struct Cell {
    algorithm: &'static str,
    device: Kind,
    plan: Plan,
    runs: bool,
    refusal: Option<String>,
    help: Option<String>,
}

/// An algorithm with an approximation. All devices accept the same ones.
#[derive(Serialize)]
struct Approximated {
    algorithm: &'static str,
    approx: Approximation,
    runs: bool,
    refusal: Option<String>,
}

fn approximated() -> Vec<Approximated> {
    let cell = |entry: &Entry, approx: Approximation| {
        let options = Options { approximation: approx, ..Options::default() };
        let refusal = entry.rules.check(Device::Cpu, &options).err().map(|error| error.to_string());
        Approximated { algorithm: entry.name, approx, runs: refusal.is_none(), refusal }
    };
    algorithms().iter().flat_map(|entry| Approximation::all().map(|approx| cell(entry, approx))).collect()
}

/// Checks all cells and prints the table.
pub(crate) fn run(args: &Plans) -> Result<u8> {
    let kinds = args.device.map_or_else(|| vec![Kind::Cpu, Kind::Gpu], |kind| vec![kind]);
    let cells: Vec<Cell> = kinds.into_iter().flat_map(cells).collect();
    if args.json {
        let approx = approximated();
        let head = (SCHEMA, VERSION);
        put_json(
            &json!({ "schema": head.0, "version": head.1, "command": "plans", "plans": cells, "approx": approx }),
        )?;
    } else {
        let text = text(&cells) + "\n" + &approximations(&approximated());
        console::out(&text).map_err(Failure::stdout)?;
    }
    Ok(0)
}

fn cells(device: Kind) -> Vec<Cell> {
    let cell = |entry: &Entry, plan: Plan| {
        let refused = device.refusal(entry, plan);
        Cell {
            algorithm: entry.name,
            device,
            plan,
            runs: refused.is_none(),
            help: refused.as_ref().and_then(warpgraph::Error::help),
            refusal: refused.map(|e| device.words(&e)),
        }
    };
    algorithms().iter().flat_map(|entry| Plan::ALL.map(|plan| cell(entry, plan))).collect()
}

/// Returns one table per device, with one row per plan and one column per algorithm, and the numbered reasons below.
fn text(cells: &[Cell]) -> String {
    let tables = cells.chunk_by(|a, b| a.device == b.device).map(table);
    tables.collect::<Vec<_>>().join("\n")
}

fn table(cells: &[Cell]) -> String {
    let device = cells[0].device.name();
    let titles = std::iter::once("plan").chain(algorithms().iter().map(|entry| entry.name));
    let mut table = Table::new(titles.map(|title| (title, Side::Left)));
    let mut notes = Notes::default();
    for plan in Plan::ALL {
        let row = cells.iter().filter(|cell| cell.plan == plan);
        let row = row.map(|cell| match &cell.refusal {
            None => format!("{GOOD}runs{GOOD:#}"),
            Some(refusal) => format!("{NOTE}no [{}]{NOTE:#}", notes.number(cell, refusal)),
        });
        table.row(std::iter::once(plan.to_string()).chain(row));
    }
    format!("{LABEL}on {device}{LABEL:#}\n{}\n{}", table.text(), notes.text(device))
}

/// Returns which algorithms take which approximations.
fn approximations(cells: &[Approximated]) -> String {
    let techniques = Approximation::all().map(|one| one.to_string());
    let mut table = Table::new(
        std::iter::once("approx")
            .chain(algorithms().iter().map(|entry| entry.name))
            .map(|title| (title, Side::Left)),
    );
    for (technique, name) in Approximation::all().into_iter().zip(&techniques) {
        let row = cells.iter().filter(|cell| cell.approx == technique);
        let row = row.map(|cell| match cell.runs {
            true => format!("{GOOD}runs{GOOD:#}"),
            false => format!("{NOTE}no{NOTE:#}"),
        });
        table.row(std::iter::once(name.clone()).chain(row));
    }
    format!(
        "{LABEL}with --approx, on all devices{LABEL:#}\n{}\n\
         Programs take them all. No measure of the error is defined for the other algorithms.\n\
         latency iterates chunks for programs under Min, Max and Or; mst, scc, bc, sums and fast\n\
         forms get its added edges alone. After coalesce, programs, scc, mst and bc run on the graph\n\
         with replicas, and so do sssp and pagerank on a GPU by a plan that is not open; fast forms\n\
         run on the graph in which they are merged. No approximation goes with paths.\n",
        table.text()
    )
}

/// Reasons, each with the algorithms it applies to.
#[derive(Default)]
struct Notes(Vec<(String, Vec<&'static str>)>);

impl Notes {
    /// Returns the number of a refusal's reason, from 1.
    fn number(&mut self, cell: &Cell, refusal: &str) -> usize {
        let named = format!("{} on {} ", cell.algorithm, cell.device.name());
        let reason = refusal.strip_prefix(&named).unwrap_or(refusal);
        let at = self.0.iter().position(|(known, _)| known == reason).unwrap_or_else(|| {
            self.0.push((reason.to_owned(), Vec::new()));
            self.0.len() - 1
        });
        let algorithms = &mut self.0[at].1;
        if !algorithms.contains(&cell.algorithm) {
            algorithms.push(cell.algorithm);
        }
        at + 1
    }

    fn text(&self, device: &str) -> String {
        let line = |(i, (reason, algorithms)): (usize, &(String, Vec<&str>))| {
            let who = match algorithms.len() == warpgraph::algorithms().len() {
                true => "nothing".to_owned(),
                false => algorithms.join(", "),
            };
            let reason =
                if who == "nothing" { reason.replacen("cannot run", "can run", 1) } else { reason.clone() };
            format!("[{}] {who} on {device} {reason}\n", i + 1)
        };
        self.0.iter().enumerate().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_cell_for_every_algorithm_and_plan() {
        for device in [Kind::Cpu, Kind::Gpu] {
            let cells = cells(device);
            assert_eq!(cells.len(), algorithms().len() * Plan::ALL.len());
            for cell in &cells {
                let entry = warpgraph::find(cell.algorithm).unwrap();
                let refusal = device.refusal(entry, cell.plan).map(|e| device.words(&e));
                assert_eq!((cell.runs, &cell.refusal), (refusal.is_none(), &refusal));
            }
        }
        let runs = |name| cells(Kind::Cpu).iter().any(|cell| cell.algorithm == name && cell.runs);
        assert!(algorithms().iter().all(|entry| runs(entry.name)));
    }

    #[test]
    fn five_algorithms_take_every_approximation() {
        let cells = approximated();
        assert_eq!(cells.len(), 3 * algorithms().len());
        let taking: Vec<&str> = cells.iter().filter(|cell| cell.runs).map(|cell| cell.algorithm).collect();
        let expected = ["sssp", "pagerank", "bc", "scc", "mst"].map(|name| [name; 3]).concat();
        assert_eq!(taking, expected);
        assert!(approximations(&cells).lines().any(|line| line.contains("latency iterates chunks")));
    }

    #[test]
    fn a_reason_is_said_once_for_all_algorithms_it_holds_for() {
        let text = anstream::adapter::strip_str(&text(&cells(Kind::Gpu))).to_string();
        let reason = "nothing on gpu can run with `pull+edge`: it deals out the arcs of a frontier, which only pushing has";
        assert_eq!(text.matches("`pull+edge`").count(), 1, "{text}");
        assert!(text.contains(reason), "{text}");
    }
}
