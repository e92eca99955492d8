//! Findings about the build and the machine, one line each. What is missing comes with the command that fixes it.

use crate::{console::bytes, report::VERSION, session::Session};
use serde::Serialize;
use std::{
    env, fs,
    io::IsTerminal,
    path::{Path, PathBuf},
};
use warpgraph::graph::memory;
use warpgraph_bench::machine;

/// One property that was checked.
#[derive(Serialize)]
pub(super) struct Finding {
    pub(super) name: &'static str,
    pub(super) status: Status,
    pub(super) value: String,
    pub(super) fix: Option<String>,
}

#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    Fine,
    /// It is missing, or works but could be better.
    Note,
}

impl Finding {
    pub(super) fn fine(name: &'static str, value: impl Into<String>) -> Self {
        Self { name, status: Status::Fine, value: value.into(), fix: None }
    }

    pub(super) fn note(name: &'static str, value: impl Into<String>, fix: impl Into<String>) -> Self {
        let fix = Some(fix.into()).filter(|f| !f.is_empty());
        Self { name, status: Status::Note, value: value.into(), fix }
    }
}

/// Returns all findings except those about GPUs, in the order of output.
pub(super) fn all(session: &Session) -> Vec<Finding> {
    vec![
        Finding::fine("warpgraph", build()),
        Finding::fine("processor", machine::processor().unwrap_or_else(|| "unknown".to_owned())),
        threads(session.engine.threads(), machine::cores(), online()),
        Finding::fine("caches", or_unknown(caches())),
        Finding::fine("vectors", or_unknown(machine::simd().join(" "))),
        main_memory(),
        huge_pages(machine::huge_pages().as_deref()),
        folder("temporary", env::temp_dir(), "set TMPDIR to a folder you can write to"),
        folder("here", PathBuf::from("."), "change to a folder you can write to; --out takes any path"),
        Finding::fine("terminal", terminal()),
    ]
}

fn build() -> String {
    let kind = if cfg!(debug_assertions) { "debug build" } else { "release build" };
    let features = compiled_for();
    let features = if features.is_empty() { "baseline instructions".to_owned() } else { features.join(" ") };
    format!("{VERSION}, {kind} for {}-{}, {features}", env::consts::ARCH, env::consts::OS)
}

/// Returns the instruction sets that the compiler was allowed to use.
fn compiled_for() -> Vec<&'static str> {
    let all = [
        (cfg!(target_feature = "avx2"), "avx2"),
        (cfg!(target_feature = "bmi2"), "bmi2"),
        (cfg!(target_feature = "avx512f"), "avx512f"),
    ];
    all.into_iter().filter(|(has, _)| *has).map(|(_, name)| name).collect()
}

/// Compares the thread pool, the processors this process may use, and those of the machine.
fn threads(pool: usize, usable: usize, online: Option<usize>) -> Finding {
    let value = format!("{pool} in the pool, {usable} processors usable");
    match online {
        Some(all) if all > usable => {
            let fix = "a container's limit or `taskset` holds the others back; raise it to use them";
            Finding::note("threads", format!("{value} of {all}"), fix)
        }
        _ if pool < usable => {
            Finding::note("threads", value, "leave --threads out and unset RAYON_NUM_THREADS to use all")
        }
        _ => Finding::fine("threads", value),
    }
}

/// Returns the number of processors of the machine, which the system lists as `0-3,8-11`.
fn online() -> Option<usize> {
    ranges(fs::read_to_string("/sys/devices/system/cpu/online").ok()?.trim())
}

fn ranges(text: &str) -> Option<usize> {
    let range = |part: &str| -> Option<usize> {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(last.parse::<usize>().ok()?.checked_sub(first.parse().ok()?)? + 1)
    };
    text.split(',').map(range).sum()
}

fn caches() -> String {
    let cache = |c: &machine::Cache| match c.kind.as_str() {
        "unified" => format!("L{} {}", c.level, bytes(c.bytes)),
        kind => format!("L{} {kind} {}", c.level, bytes(c.bytes)),
    };
    machine::caches().iter().map(cache).collect::<Vec<_>>().join(", ")
}

fn main_memory() -> Finding {
    match (memory::physical(), machine::available_memory()) {
        (Some(all), Some(free)) if free < all / 10 => Finding::note(
            "memory",
            format!("{}, only {} available", bytes(all), bytes(free)),
            "end other programs, or ask `warpgraph estimate` what will fit",
        ),
        (Some(all), Some(free)) => {
            Finding::fine("memory", format!("{}, {} available", bytes(all), bytes(free)))
        }
        (Some(all), None) => Finding::fine("memory", bytes(all)),
        _ => {
            Finding::note("memory", "unknown: graphs too large end the program instead of being refused", "")
        }
    }
}

fn huge_pages(rule: Option<&str>) -> Finding {
    const FIX: &str = "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled";
    match rule {
        Some("never") => Finding::note("huge pages", "never: random reads are about a third slower", FIX),
        Some(rule) => Finding::fine("huge pages", format!("{rule}: large arrays get them")),
        None => Finding::note("huge pages", "unknown: ordinary pages are used", ""),
    }
}

fn folder(name: &'static str, path: PathBuf, fix: &str) -> Finding {
    let shown = fs::canonicalize(&path).unwrap_or_else(|_| path.clone()).display().to_string();
    match is_writable(&path) {
        Ok(()) => Finding::fine(name, format!("{shown} can be written to")),
        Err(error) => Finding::note(name, format!("{shown} cannot be written to: {error}"), fix),
    }
}

/// Creates a file in the folder and removes it again.
fn is_writable(folder: &Path) -> std::io::Result<()> {
    let path = folder.join(format!(".warpgraph-doctor-{}", std::process::id()));
    fs::File::create_new(&path)?;
    fs::remove_file(&path)
}

fn terminal() -> String {
    let is = |yes: bool| if yes { "a terminal" } else { "no terminal" };
    let (out, err) = (is(std::io::stdout().is_terminal()), is(std::io::stderr().is_terminal()));
    let colour = match env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()) {
        true => "NO_COLOR is set",
        false => "NO_COLOR is not set",
    };
    format!("standard output is {out}, standard error {err}, {colour}")
}

fn or_unknown(text: String) -> String {
    if text.is_empty() { "unknown".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_comes_with_what_fixes_it() {
        let never = huge_pages(Some("never"));
        assert_eq!(never.status, Status::Note);
        assert!(never.fix.unwrap().starts_with("echo madvise | sudo tee "));
        assert_eq!(huge_pages(Some("madvise")).status, Status::Fine);
        let held = threads(2, 2, Some(64));
        assert_eq!(held.value, "2 in the pool, 2 processors usable of 64");
        assert!(held.fix.is_some() && threads(1, 4, Some(4)).fix.is_some());
        assert_eq!(threads(4, 4, Some(4)).status, Status::Fine);
        let gone = folder("here", PathBuf::from("/nonexistent-folder"), "make it");
        assert_eq!((gone.status, gone.fix.as_deref()), (Status::Note, Some("make it")));
    }

    #[test]
    fn processors_are_counted_from_ranges() {
        assert_eq!(
            [ranges("0-3"), ranges("0"), ranges("0-3,8-11"), ranges("x")],
            [Some(4), Some(1), Some(8), None]
        );
    }
}
