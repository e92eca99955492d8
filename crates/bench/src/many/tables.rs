//! The tables and statements of a report.

use super::{Report, cuts, devices, model::Modelled, processes};
use crate::{
    evaluation::statements::{self, Case, Unit, Verdict},
    sheet::Sheet,
    units::{bytes, count, seconds},
};

/// A bus between two GPUs of one machine without a link of their own, as the paper's machine has it.
const BUS: f64 = 55e9;
/// At this speed and above, a member stands for a GPU.
const GPU: f64 = 50.0;

impl Report {
    /// Judges the statements of SAGE's section 7.2 about two GPUs, and ours.
    pub fn conclude(&mut self) {
        self.statements = vec![
            Verdict::new(
                "9",
                "bfs on two devices is faster than on one (the paper: \"not always\")",
                Unit::Times,
                self.of_two("bfs", |_, run| run.times, |times| times > 1.0),
            ),
            Verdict::new(
                "9",
                "the exchange takes most of the time of bfs on two devices",
                Unit::Share,
                self.of_two("bfs", |_, run| Some(run.exchange / run.seconds), |share| share > 0.5),
            ),
            Verdict::new(
                "9",
                "two devices hold graphs of about twice the size",
                Unit::Share,
                self.memory_of_two(),
            ),
            Verdict::new(
                "9",
                "cutting in an order that clusters sends fewer bytes in bfs than in the natural one",
                Unit::Times,
                self.clustered(),
            ),
            Verdict::new(
                "-",
                "pagerank on two devices is faster than on one",
                Unit::Times,
                self.of_two("pagerank", |_, run| run.times, |times| times > 1.0),
            ),
            Verdict::new(
                "-",
                "two processes take at most 1.5 times as long as one with as many threads",
                Unit::Times,
                self.processes_of_two(),
            ),
        ];
    }

    /// Cases of two parts over the bus, of members that stand for GPUs, or of the fastest there are.
    fn of_two(
        &self,
        algorithm: &str,
        figure: impl Fn(&devices::Row, &Modelled) -> Option<f64>,
        holds: impl Fn(f64) -> bool + Copy,
    ) -> Vec<Case> {
        let rows = self.devices.iter().filter(|row| row.parts == 2 && row.algorithm == algorithm);
        let is_asked = |run: &&Modelled| run.setting.bandwidth == BUS && run.setting.faster >= GPU;
        rows.filter_map(|row| {
            let run = row.modelled.iter().find(is_asked)?;
            Some(Case::new(format!("{} {}", row.graph, row.order), figure(row, run)?, holds))
        })
        .collect()
    }

    fn memory_of_two(&self) -> Vec<Case> {
        let rows = self.devices.iter().filter(|row| row.algorithm == "bfs" && row.parts == 2);
        rows.filter_map(|row| {
            let one = self.beside(row, |other| other.parts == 1 && other.order == row.order)?;
            let share = row.memory as f64 / one.memory.max(1) as f64;
            Some(Case::new(format!("{} {}", row.graph, row.order), share, |share| share <= 0.6))
        })
        .collect()
    }

    fn clustered(&self) -> Vec<Case> {
        let rows = self
            .devices
            .iter()
            .filter(|row| row.algorithm == "bfs" && row.parts == 2 && row.order != "natural");
        rows.filter_map(|row| {
            let natural = self.beside(row, |other| other.parts == 2 && other.order == "natural")?;
            let share = row.bytes as f64 / natural.bytes.max(1) as f64;
            Some(Case::new(format!("{} {}", row.graph, row.order), share, |share| share < 1.0))
        })
        .collect()
    }

    /// Returns another row of the same question and graph.
    fn beside(&self, row: &devices::Row, is: impl Fn(&devices::Row) -> bool) -> Option<&devices::Row> {
        self.devices.iter().find(|o| o.graph == row.graph && o.algorithm == row.algorithm && is(o))
    }

    fn processes_of_two(&self) -> Vec<Case> {
        let rows = self.processes.iter().filter(|row| row.processes == 2);
        rows.filter_map(|row| {
            Some(Case::new(format!("{} {}", row.algorithm, row.graph), row.over_one()?, |over| over <= 1.5))
        })
        .collect()
    }

    /// Returns the tables that have rows.
    pub fn sheets(&self) -> Vec<Sheet> {
        let mut statements = statements::sheet(&self.statements);
        statements.title = "Statements".to_owned();
        let all = [self.exchanged(), self.over_links(), self.in_processes(), self.simulated(), statements];
        all.into_iter().filter(|sheet| !sheet.rows.is_empty()).collect()
    }

    fn exchanged(&self) -> Sheet {
        let columns = "graph | order | algorithm | >parts | >supersteps | >bytes | >per superstep | >largest \
                       | >arcs | >time | >waiting | same";
        let mut sheet = Sheet::new("Virtual devices: what they exchange, and their balance", columns);
        for row in &self.devices {
            sheet.row([
                row.graph.clone(),
                row.order.clone(),
                row.algorithm.clone(),
                count(row.parts as u64),
                count(row.supersteps),
                bytes(row.bytes),
                bytes(row.bytes / row.supersteps.max(1)),
                bytes(row.bytes_largest),
                format!("{:.2}", row.imbalance_arcs),
                format!("{:.2}", row.imbalance_time),
                seconds(row.waiting),
                row.same.map_or("-", |same| if same { "yes" } else { "NO" }).to_owned(),
            ]);
        }
        sheet.note("arcs, time: those of the largest part, of the slowest member, over the mean.")
    }

    fn over_links(&self) -> Sheet {
        let columns =
            "graph | order | algorithm | >parts | >members | >link | >modelled | >exchange | >times";
        let mut sheet = Sheet::new("Modelled: what these runs would take over links", columns);
        for row in self.devices.iter().filter(|row| row.parts > 1) {
            for run in &row.modelled {
                sheet.row([
                    row.graph.clone(),
                    row.order.clone(),
                    row.algorithm.clone(),
                    count(row.parts as u64),
                    format!("{}x", run.setting.faster),
                    format!("{} GB/s", run.setting.bandwidth / 1e9),
                    seconds(run.seconds),
                    format!("{:.0} %", 100.0 * run.exchange / run.seconds),
                    run.times.map_or("-".to_owned(), |times| format!("{times:.2}")),
                ]);
            }
        }
        sheet.note("members: how many times as fast as here they compute. times: as fast as one part.")
    }

    fn in_processes(&self) -> Sheet {
        let columns = "graph | algorithm | >processes | >time | >over one | >sent | >memory | >largest";
        let mut sheet = Sheet::new("Processes of this machine, beside one with as many threads", columns);
        for row in &self.processes {
            let asked = [row.graph.clone(), row.algorithm.clone(), count(row.processes as u64)];
            let figures = match &row.error {
                Some(error) => vec![format!("{}: {}", error.kind, error.message)],
                None => figures(row),
            };
            sheet.row(asked.into_iter().chain(figures));
        }
        sheet
    }

    fn simulated(&self) -> Sheet {
        let columns =
            "graph | order | >parts | >crossing | >ghosts | >per part | >balance | >superstep | >busiest";
        let mut sheet = Sheet::new("Simulated cuts", columns);
        for row in &self.cuts {
            sheet.row(simulated(row));
        }
        sheet
            .note("superstep: bytes of all parts if every value of 8 bytes changes, and of the busiest part.")
    }
}

fn figures(row: &processes::Row) -> Vec<String> {
    let size = |n: Option<u64>| n.map_or("-".to_owned(), bytes);
    vec![
        row.seconds.map_or("-".to_owned(), seconds),
        row.over_one().map_or("-".to_owned(), |over| format!("{over:.2}")),
        size(row.sent),
        size(row.memory),
        size(row.memory_largest),
    ]
}

fn simulated(row: &cuts::Row) -> [String; 9] {
    [
        row.graph.clone(),
        row.order.clone(),
        count(row.parts as u64),
        format!("{:.1} %", 100.0 * row.crossing_share),
        count(row.ghosts),
        count(row.ghosts / row.parts as u64),
        format!("{:.2}", row.imbalance),
        bytes(row.bytes),
        bytes(row.bytes_busiest),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::{model::Setting, settings};
    use super::*;

    fn row(parts: usize, order: &str, bytes: u64, memory: u64, times: f64) -> devices::Row {
        let setting = Setting { bandwidth: 55e9, latency: 1e-5, faster: 100.0 };
        let run = Modelled { setting, seconds: 1.0, exchange: 0.75, times: Some(times) };
        devices::Row {
            graph: "g".into(),
            order: order.into(),
            algorithm: "bfs".into(),
            parts,
            bytes,
            memory,
            modelled: vec![run],
            ..devices::Row::default()
        }
    }

    #[test]
    fn statements_are_judged_by_two_parts_over_the_bus() {
        let devices =
            vec![row(1, "natural", 0, 100, 1.0), row(2, "natural", 50, 55, 0.7), row(2, "bp", 20, 55, 1.2)];
        let mut report = Report { devices, ..Report::default() };
        report.conclude();
        let seen: Vec<_> = report.statements.iter().map(|one| (one.held, one.cases.len())).collect();
        assert_eq!(seen, [(1, 2), (2, 2), (1, 1), (1, 1), (0, 0), (0, 0)]);
        assert_eq!(report.statements[0].seen, "0.70 to 1.20 times, 0.95 times on average");
        assert_eq!((report.exit_code(), report.sheets().len()), (0, 3));
        report.devices[1].same = Some(false);
        assert_eq!(report.exit_code(), 1, "another answer");
        assert_eq!(Report::default().exit_code(), 2, "nothing was measured");
        assert_eq!(settings(&[450.0, 55.0], 10.0, &[1.0, 100.0]).len(), 4);
    }
}
