//! The Markdown page of a report, and the files of `--out`: JSON, Markdown and figures, each written whole or not at all.

use super::{Drawing, Evaluation, Report, Verify, report::OnDevice, statements};
use crate::units::{bytes, count};
use std::{
    io::Write,
    path::{Path, PathBuf},
};
use warpgraph::{
    Result,
    graph::{AtomicFile, Error},
};

/// Returns the page: head, tables with their figures, statements, further sections, warnings.
pub fn markdown(evaluation: &dyn Evaluation, report: &Report) -> String {
    let figures = evaluation.figures(report);
    let mut text = head(evaluation, report);
    for sheet in evaluation.tables(report).iter().filter(|sheet| !sheet.rows.is_empty()) {
        text += &format!("\n## {}\n\n{}", sheet.title, sheet.markdown());
        if !sheet.note.is_empty() {
            text += &format!("\n{}\n", sheet.note);
        }
        for Drawing { file, .. } in figures.iter().filter(|figure| sheet.title.starts_with(&figure.table)) {
            text += &format!("\n![{file}]({file}.svg)\n");
        }
    }
    let remarks = evaluation.remarks(report).join("\n- ");
    if !remarks.is_empty() {
        text += &format!("\n- {remarks}\n");
    }
    if !report.statements.is_empty() {
        let statements = statements::sheet(&report.statements).markdown();
        text += &format!("\n## What the paper says\n\n{}\n\n{statements}", evaluation.about().statements);
    }
    for (title, section) in evaluation.sections(report) {
        text += &format!("\n## {title}\n\n{section}");
    }
    report.warnings.iter().for_each(|warning| text += &format!("\nWarning: {warning}.\n"));
    text
}

fn head(evaluation: &dyn Evaluation, report: &Report) -> String {
    let (about, how, machine) = (evaluation.about(), &report.measuring, &report.machine);
    let on = report.device.as_ref().map_or_else(String::new, |device| format!(" on {}", device.name));
    let verified = match how.verify {
        Verify::All => "every answer of a timed run was verified",
        Verify::Once => "one answer of each cell was verified",
    };
    let mut facts = vec![format!(
        "warpgraph {}, `warpgraph {}`; timed runs per cell: {}, after {}; seed {}; {verified}",
        report.version,
        report.command,
        count(how.runs),
        count(how.warmup + 1),
        how.seed
    )];
    facts.extend(evaluation.facts(report));
    facts.extend(report.device.as_ref().map(|of| device(of, report.gpu_memory)));
    let processor = machine.processor.as_deref().unwrap_or("unknown processor");
    facts.push(format!("{processor}, {} cores, {} threads", machine.cores, report.threads));
    format!("# {}{on}\n\n{}\n\n- {}\n", about.title, about.head, facts.join("\n- "))
}

fn device(device: &OnDevice, budget: Option<u64>) -> String {
    let driver = if device.driver.is_empty() { String::new() } else { format!(", driver {}", device.driver) };
    let budget = budget.map_or_else(String::new, |most| format!(", {} of it used at most", bytes(most)));
    let (major, minor) = device.capability;
    format!(
        "{} ({}), compute capability {major}.{minor}, {} multiprocessors, {}{budget}{driver}, {}",
        device.name,
        device.label,
        device.multiprocessors,
        bytes(device.memory),
        device.compiler
    )
}

/// Refuses, before any work is done, a folder with a report or a figure that would be replaced, unless `force`, and one that
/// cannot be made.
pub fn check(folder: &Path, evaluation: &dyn Evaluation, force: bool) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| Error::io(folder, "create the folder", error))?;
    let own = ["json", "md"].map(|ending| folder.join(format!("{}.{ending}", evaluation.about().name)));
    let entries = folder.read_dir().map_err(|error| Error::io(folder, "read the folder", error))?;
    let is_figure = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "svg");
    let figures = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_figure);
    match own.into_iter().chain(figures).find(|path| !force && path.symlink_metadata().is_ok()) {
        Some(path) => Err(Error::Exists { path: path.display().to_string() }.into()),
        None => Ok(()),
    }
}

/// Writes the JSON alone, over what was written before.
pub fn json(folder: &Path, evaluation: &dyn Evaluation, report: &Report) -> Result<()> {
    let path = folder.join(format!("{}.json", evaluation.about().name));
    let text =
        serde_json::to_string_pretty(report).map_err(|error| Error::io(&path, "write", error.into()))?;
    save(&path, &(text + "\n"))
}

/// Writes everything, over what was written before.
pub fn all(folder: &Path, evaluation: &dyn Evaluation, report: &Report) -> Result<()> {
    json(folder, evaluation, report)?;
    save(&folder.join(format!("{}.md", evaluation.about().name)), &markdown(evaluation, report))?;
    let draw = |one: Drawing| save(&folder.join(format!("{}.svg", one.file)), one.figure.svg());
    evaluation.figures(report).into_iter().try_for_each(draw)
}

fn save(path: &Path, text: &str) -> Result<()> {
    let mut file = AtomicFile::create(path, true)?;
    file.write_all(text.as_bytes()).map_err(|error| Error::io(path, "write", error))?;
    Ok(file.commit()?)
}
