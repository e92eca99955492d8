//! The tables of algorithms in the documentation are those of the registry, and the table of phases is that of the code.
//! `UPDATE=1 cargo test -p warpgraph --test docs` writes them anew.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::{fmt::Write as _, fs, path::Path};
use warpgraph::graph::timeline::Phase;

const END: &str = "<!-- end -->";

fn table() -> String {
    let mut text = String::from("| algorithm | asks | verified by |\n| --- | --- | --- |\n");
    for entry in warpgraph::algorithms() {
        writeln!(text, "| `{}` | {} | {} |", entry.name, entry.about.asks, entry.about.verified_by).unwrap();
    }
    text
}

fn phases() -> String {
    let mut text = String::from("| phase | what it does |\n| --- | --- |\n");
    for phase in Phase::ALL {
        let (first, rest) = phase.about().trim_end_matches('.').split_at(1);
        writeln!(text, "| `{phase}` | {}{rest} |", first.to_lowercase()).unwrap();
    }
    text
}

/// Compares the generated part of a page, which is about `what`, with a table, or writes it.
fn check(page: &str, what: &str, table: &str) {
    let begin = format!("<!-- {what}: generated -->\n");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("{page} has no {begin:?}"));
    let (found, after) = rest.split_once(END).unwrap_or_else(|| panic!("{page} has no {END:?} after it"));
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, format!("{before}{begin}{table}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(found, table, "{page}: run UPDATE=1 cargo test -p warpgraph --test docs");
}

#[test]
fn the_table_of_the_readme_is_the_registry() {
    check("README.md", "algorithms", &table());
}

#[test]
fn the_page_on_the_command_line_explains_every_phase_of_a_timeline() {
    check("docs/cli.md", "phases", &phases());
}

#[test]
fn the_page_on_algorithms_has_the_registry_as_its_table_and_a_section_for_each() {
    check("docs/algorithms.md", "algorithms", &table());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/algorithms.md");
    let text = fs::read_to_string(path).unwrap();
    for entry in warpgraph::algorithms() {
        let heading = format!("## {}", entry.name);
        assert!(text.lines().any(|line| line == heading), "docs/algorithms.md has no section {heading:?}");
    }
}
