//! The table of `--trace` for runs whose edges are not all on the device: what every superstep reads, and what that moves.

use crate::{
    console::{LABEL, bytes, count},
    table::{Side, Table},
};
use warpgraph::{
    Basis, Transfer,
    bus::{Level, Trace},
};

/// Returns a line per superstep and one for the run, then how the figures were found and why some are missing. Figures that the
/// run does not have make no column.
pub(super) fn table(trace: &Trace, transfer: Transfer) -> String {
    let columns = columns(trace, transfer);
    let first = [("round", Side::Right), ("frontier", Side::Right), ("direction", Side::Left)];
    let titles = columns.iter().map(|column| (column.title, Side::Right));
    let mut table = Table::new(first.into_iter().chain(titles));
    for (row, level) in trace.levels.iter().enumerate() {
        let direction = level.direction.map_or_else(dash, |direction| direction.to_string());
        let cells = columns.iter().map(|column| column.cells[row].clone());
        table.row([level.round.to_string(), count(level.frontier), direction].into_iter().chain(cells));
    }
    let totals = columns.iter().map(|column| column.total.clone());
    table.row(["total", "", ""].map(str::to_owned).into_iter().chain(totals));
    let model = trace.unified.map_or_else(String::new, |unified| {
        let memory = bytes(unified.memory);
        format!("the model has {memory} for edges, and starts with all of them on the host\n")
    });
    let notes: String = trace.notes.iter().map(|note| format!("{note}\n")).collect();
    let head = "what crossed the bus in one more run";
    format!("\n{LABEL}{head}{LABEL:#}\n{}{}\n{model}{notes}", table.text(), found(&columns))
}

/// A figure of every level, and of the run.
struct Column {
    title: &'static str,
    cells: Vec<String>,
    total: String,
    basis: Option<Basis>,
}

impl Column {
    fn new(
        trace: &Trace,
        (title, basis): (&'static str, Option<Basis>),
        total: String,
        of: impl Fn(&Level) -> Option<String>,
    ) -> Self {
        let cells = trace.levels.iter().map(|level| of(level).unwrap_or_else(dash)).collect();
        Self { title, cells, total, basis }
    }
}

/// Returns how the figures were found: `exact: gap, pages; counted: sectors`.
fn found(columns: &[Column]) -> String {
    let by = |basis: Basis| {
        let titles: Vec<&str> =
            columns.iter().filter(|column| column.basis == Some(basis)).map(|column| column.title).collect();
        (!titles.is_empty()).then(|| format!("{}: {}", basis.name(), titles.join(", ")))
    };
    let all = [Basis::Exact, Basis::Counted, Basis::Modelled].into_iter().filter_map(by);
    all.collect::<Vec<_>>().join("; ")
}

/// Returns the columns of the figures that the run has.
fn columns(trace: &Trace, transfer: Transfer) -> Vec<Column> {
    let Trace { gap, pages, sectors, unified, basis, .. } = trace;
    let numbers = |title, basis, total: u64, of: fn(&Level) -> Option<u64>| {
        Column::new(trace, (title, basis), count(total), |level| of(level).map(count))
    };
    let bits = |gap: f64| format!("{gap:.2}");
    let moved = ("moved", Some(transfer.basis));
    let all = [
        gap.map(|gap| Column::new(trace, ("gap", basis.gap), bits(gap), |level| level.gap.map(bits))),
        pages.map(|pages| numbers("pages", basis.pages, pages, |level| level.pages)),
        sectors.map(|sectors| numbers("sectors", basis.sectors, sectors, |level| level.sectors)),
        Some(Column::new(trace, moved, bytes(transfer.moved), |level| level.moved.map(bytes))),
        unified.map(|all| numbers("fetched", basis.unified, all.fetched_pages, |level| level.fetched_pages)),
        unified.map(|all| numbers("evicted", basis.unified, all.evicted_pages, |level| level.evicted_pages)),
        unified
            .map(|all| numbers("again", basis.unified, all.refetched_pages, |level| level.refetched_pages)),
    ];
    all.into_iter().flatten().collect()
}

fn dash() -> String {
    "-".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::{
        Direction,
        bus::{Bases, Unified},
    };

    fn level(round: u64, gap: Option<f64>, moved: u64) -> Level {
        Level {
            round,
            direction: Some(Direction::Push),
            frontier: 1_048_576,
            gap,
            pages: Some(4096),
            sectors: None,
            moved: Some(moved),
            ideal: Some(moved),
            fetched_pages: Some(800),
            evicted_pages: Some(512),
            refetched_pages: Some(16),
        }
    }

    fn text(trace: &Trace, moved: u64, basis: Basis) -> String {
        let transfer = Transfer { moved, ideal: 1, basis };
        anstream::adapter::strip_str(&table(trace, transfer)).to_string()
    }

    #[test]
    fn every_superstep_has_a_line_that_fits_80_columns() {
        let unified = Unified {
            memory: 4 << 20,
            fetched_pages: 1600,
            refetched_pages: 32,
            evicted_regions: 2,
            evicted_pages: 1024,
        };
        let [exact, modelled] = [Basis::Exact, Basis::Modelled].map(Some);
        let trace = Trace {
            gap: Some(6.614),
            pages: Some(8192),
            sectors: None,
            unified: Some(unified),
            basis: Bases { gap: exact, pages: exact, sectors: None, unified: modelled },
            levels: vec![level(0, None, 0), level(1, Some(6.614), 33_554_432)],
            notes: vec!["a note".to_owned()],
        };
        let expected = "
what crossed the bus in one more run
round   frontier  direction   gap  pages     moved  fetched  evicted  again
    0  1,048,576  push          -  4,096       0 B      800      512     16
    1  1,048,576  push       6.61  4,096  32.0 MiB      800      512     16
total                        6.61  8,192  32.0 MiB    1,600    1,024     32
exact: gap, pages; modelled: moved, fetched, evicted, again
the model has 4.0 MiB for edges, and starts with all of them on the host
a note
";
        let text = text(&trace, 33_554_432, Basis::Modelled);
        assert_eq!(text, expected);
        assert!(text.lines().take(8).all(|line| line.len() <= 80));
    }

    #[test]
    fn a_run_in_one_kernel_has_one_line() {
        let trace = Trace {
            gap: None,
            pages: Some(43),
            sectors: Some(3264),
            unified: None,
            basis: Bases { pages: Some(Basis::Counted), sectors: Some(Basis::Counted), ..Bases::default() },
            levels: Vec::new(),
            notes: Vec::new(),
        };
        let expected = "
what crossed the bus in one more run
round  frontier  direction  pages  sectors      moved
total                          43    3,264  102.0 KiB
counted: pages, sectors, moved
";
        assert_eq!(text(&trace, 104_448, Basis::Counted), expected);
    }
}
