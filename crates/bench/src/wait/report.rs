//! The tables of a report, its Markdown page, and its files.

use super::{Case, Report, Start};
use crate::{
    sheet::{Sheet, Side},
    statistics::median,
    units::{bytes, seconds},
};
use std::{io::Write, path::Path};
use warpgraph::{
    Result,
    graph::{
        AtomicFile, Error,
        timeline::{Lane, Phase},
    },
};

/// What the columns and rows of the table are, in lines of at most 80 columns.
pub const NOTE: &str = "\
Medians over the runs, and the least of them; the page cache always holds the
file. cold: the cache of kernels is empty. bundle: it is empty too, and the
bundle of the release is there. warm: an earlier run has filled the cache. open:
a new graph in a process whose engine is open, until its answer is there. A ~
marks work beside the main line, which is not part of the wall clock.";

/// Returns the table of a case: one row per phase, then the whole, then the limits.
pub fn sheet(case: &Case) -> Sheet {
    let Case { name, algorithm, device, bytes: size, .. } = case;
    let mut sheet = Sheet::new(format!("{algorithm} on {name} ({}), {device}", bytes(*size)), "phase");
    for start in &case.starts {
        sheet.columns.push((word(&start.start), Side::Right));
        sheet.columns.push(("least", Side::Right));
    }
    if let Some(error) = &case.error {
        sheet.row([format!("{}: {}", error.kind, error.message)]);
        return sheet;
    }
    sheet.row(row("before main", case, |start| start.runs.iter().map(|run| run.before).collect()));
    for lane in Lane::ALL {
        for phase in Phase::ALL {
            let of = |start: &Start| start.of(lane.name(), phase.name());
            let mark = if *lane == Lane::Main { "" } else { "~ " };
            if case.starts.iter().flat_map(&of).any(|time| time > 0.0) {
                sheet.row(row(&format!("{mark}{phase}"), case, of));
            }
        }
    }
    sheet.row(row("after", case, |start| start.runs.iter().map(|run| run.after).collect()));
    sheet.row(row("wall clock", case, |start| start.runs.iter().map(|run| run.wall).collect()));
    let limits = case.limits;
    sheet.row(["at best: page cache".to_owned(), seconds(limits.page_cache)]);
    if let Some(bus) = limits.bus {
        sheet.row(["at best: bus".to_owned(), seconds(bus)]);
        sheet.row(["at best: both".to_owned(), seconds(limits.sum)]);
    }
    sheet
}

/// Returns a name of a start that lives as long as a title must.
fn word(start: &str) -> &'static str {
    ["cold", "bundle", "warm", "open"].into_iter().find(|&known| known == start).unwrap_or("start")
}

/// Returns a row: the median and the least of each start; a dash where it took no time in any run.
fn row(name: &str, case: &Case, of: impl Fn(&Start) -> Vec<f64>) -> Vec<String> {
    let figures = case.starts.iter().flat_map(|start| {
        let times = of(start);
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        let has_any = times.iter().any(|&time| time > 0.0);
        [median(&times), least].map(|time| if has_any { seconds(time) } else { "-".to_owned() })
    });
    std::iter::once(name.to_owned()).chain(figures).collect()
}

/// Returns what was measured, in a line.
pub fn summary(report: &Report) -> String {
    let bus = report.bus.map_or_else(String::new, |bus| format!(", the bus {:.1} GB/s", bus / 1e9));
    format!("memory copies {:.1} GB/s with {} threads{bus}", report.memory / 1e9, report.threads)
}

/// Returns the page of a report.
pub fn markdown(report: &Report) -> String {
    let processor = report.machine.processor.as_deref().unwrap_or("unknown processor");
    let mut text = format!(
        "# What a user waits for\n\n- warpgraph {}, `warpgraph {}`; {} runs per start, one answer of each case verified\n\
         - {processor}, {} cores; {}\n",
        report.version,
        report.command,
        report.runs,
        report.machine.cores,
        summary(report)
    );
    for case in &report.cases {
        let sheet = sheet(case);
        text += &format!("\n## {}\n\n{}", sheet.title, sheet.markdown());
    }
    text + &format!("\n{NOTE}\n")
}

/// Refuses, before any work is done, a folder that cannot be made, or one with a report unless `force`.
///
/// # Errors
/// [`Error::Exists`], or that of the system.
pub fn check(folder: &Path, force: bool) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| Error::io(folder, "create the folder", error))?;
    match ["wait.json", "wait.md"].map(|name| folder.join(name)).into_iter().find(|path| path.exists()) {
        Some(path) if !force => Err(Error::Exists { path: path.display().to_string() }.into()),
        _ => Ok(()),
    }
}

/// Writes `wait.json` and `wait.md` into a folder, over what is there.
///
/// # Errors
/// Those of the system.
pub fn write(folder: &Path, report: &Report) -> Result<()> {
    let json = folder.join("wait.json");
    let text = serde_json::to_string_pretty(report).map_err(|e| Error::io(&json, "write", e.into()))?;
    save(&json, &(text + "\n"))?;
    save(&folder.join("wait.md"), &markdown(report))
}

fn save(path: &Path, text: &str) -> Result<()> {
    let mut file = AtomicFile::create(path, true)?;
    file.write_all(text.as_bytes()).map_err(|error| Error::io(path, "write", error))?;
    Ok(file.commit()?)
}
