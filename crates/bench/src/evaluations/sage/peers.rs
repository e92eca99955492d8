//! Times of other programs beside ours: those from a file, and those that were measured on graphs of `bench gpu`.

use crate::{
    GraphReport,
    evaluation::{Report, report::figure},
    evaluations::gpu::{peers, suite},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::Path;
use warpgraph::{
    Result,
    graph::{self, Position},
};

/// What another program takes for an algorithm on a graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Peer {
    pub(super) name: String,
    /// As it is called in the tables.
    pub(super) graph: String,
    pub(super) algorithm: String,
    /// Seconds of a run; for pagerank of a sweep.
    pub(super) seconds: f64,
}

/// Reads rows `{"name","graph","algorithm","seconds"}` from a JSON file.
///
/// # Errors
/// When the file cannot be read, is no list of such rows, or has a time that is none or an algorithm that there is not.
pub(super) fn read(path: &Path) -> Result<Vec<Peer>> {
    let help = r#"a list of rows {"name":"Gunrock","graph":"kron:22","algorithm":"bfs","seconds":0.004}"#;
    let damaged = |what: String| graph::Error::format(Position::file(path.display().to_string()), what, help);
    let text = std::fs::read_to_string(path).map_err(|e| graph::Error::io(path, "read", e))?;
    let rows: Vec<Peer> =
        serde_json::from_str(&text).map_err(|e| damaged(format!("not a list of peers: {e}")))?;
    for row in &rows {
        warpgraph::find(&row.algorithm)?;
        if !(row.seconds.is_finite() && row.seconds > 0.0) {
            return Err(damaged(format!("{} seconds of {} are no time", row.seconds, row.name)).into());
        }
    }
    Ok(rows)
}

/// Returns the peers of a report.
pub(super) fn of(report: &Report) -> Vec<Peer> {
    figure(&report.figures, "peers").unwrap_or_default()
}

/// Adds peers of a file and known ones to a report, each once. A file that cannot be read was refused before.
pub(super) fn add(report: &mut Report, path: Option<&Path>) {
    let mut all = of(report);
    let known = report.graphs.iter().flat_map(|case| known(&case.name, case.graph.as_ref()));
    let named = path.and_then(|path| read(path).ok()).unwrap_or_default();
    for peer in known.chain(named) {
        if !all.contains(&peer) {
            all.push(peer);
        }
    }
    report.figures.insert("peers".to_owned(), json!(all));
}

/// Returns what is known of a graph that is called so, if it has the size that others were measured on.
fn known(name: &str, graph: Option<&GraphReport>) -> Vec<Peer> {
    let row = suite::row(name).filter(|row| graph.is_some_and(|graph| row.fits(graph)));
    let figures = row.into_iter().flat_map(|row| peers::FIGURES.iter().filter(|of| of.graph == row.name(0)));
    let times = figures.flat_map(|of| {
        let best = of.best.filter(|(name, _)| *name != peers::CUGRAPH);
        let cugraph = of.cugraph.map(|time| (peers::CUGRAPH, time));
        best.into_iter().chain(cugraph).map(|(peer, time)| (of.algorithm, peer, time))
    });
    let peer = |(algorithm, peer, milliseconds): (&str, &str, f64)| {
        let [name, graph, algorithm] = [peer, name, algorithm].map(str::to_owned);
        Peer { name, graph, algorithm, seconds: milliseconds / 1e3 }
    };
    times.map(peer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_and_what_is_none_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("peers.json");
        let row = r#"[{"name":"Gunrock","graph":"kron:22","algorithm":"pagerank","seconds":0.5}]"#;
        std::fs::write(&path, row).unwrap();
        assert_eq!(read(&path).unwrap()[0].seconds, 0.5);
        for (text, problem) in [
            ("{}", "not a list of peers"),
            (&row.replace("pagerank", "pagerang"), "there is no algorithm"),
            (&row.replace("0.5", "0"), "0 seconds of Gunrock are no time"),
        ] {
            std::fs::write(&path, text).unwrap();
            let message = read(&path).unwrap_err().to_string();
            assert!(message.contains(problem), "{message}");
        }
        assert!(known("kron:22", None).is_empty() && known("x.wg", None).is_empty());
    }
}
