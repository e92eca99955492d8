//! Times of other programs beside ours: those from a file, and those that were measured on graphs of `bench gpu`.

use super::Question;
use crate::gpu::{peers, suite};
use serde::{Deserialize, Serialize};
use std::path::Path;
use warpgraph::{
    Graph, Result,
    graph::{self, Position},
};

/// What another program takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Peer {
    /// The program.
    pub name: String,
    /// The graph, as it is called in the tables.
    pub graph: String,
    /// The algorithm.
    pub algorithm: Question,
    /// Seconds of a run; for pagerank of a sweep.
    pub seconds: f64,
}

/// Reads rows `{"name","graph","algorithm","seconds"}` from a JSON file.
///
/// # Errors
/// When the file cannot be read, is no list of such rows, or a time is none.
pub fn read(path: &Path) -> Result<Vec<Peer>> {
    let help = r#"a list of rows {"name":"Gunrock","graph":"kron:22","algorithm":"bfs","seconds":0.004}"#;
    let damaged = |what: String| graph::Error::format(Position::file(path.display().to_string()), what, help);
    let text = std::fs::read_to_string(path).map_err(|e| graph::Error::io(path, "read", e))?;
    let rows: Vec<Peer> =
        serde_json::from_str(&text).map_err(|e| damaged(format!("not a list of peers: {e}")))?;
    match rows.iter().find(|row| !(row.seconds.is_finite() && row.seconds > 0.0)) {
        Some(row) => Err(damaged(format!("{} seconds of {} are no time", row.seconds, row.name)).into()),
        None => Ok(rows),
    }
}

/// What is known of a graph that is called so, if it is of the size that others were measured on.
pub fn known(name: &str, graph: &Graph) -> Vec<Peer> {
    let asked = suite::asked(&[name.to_owned()], &[], 0).unwrap_or_default();
    let Some(row) = asked.first().and_then(|asked| asked.row).filter(|row| row.fits(graph)) else {
        return Vec::new();
    };
    let figures = Question::ALL.into_iter().filter_map(|question| {
        let figure = peers::find(&row.name(0), question.name())?;
        let best = figure.best.filter(|(name, _)| *name != CUGRAPH);
        let cugraph = figure.cugraph.map(|time| (CUGRAPH, time));
        Some([best, cugraph].into_iter().flatten().map(move |(peer, milliseconds)| Peer {
            name: peer.to_owned(),
            graph: name.to_owned(),
            algorithm: question,
            seconds: milliseconds / 1e3,
        }))
    });
    figures.flatten().collect()
}

const CUGRAPH: &str = "cuGraph";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_and_what_is_none_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("peers.json");
        let row = r#"[{"name":"Gunrock","graph":"kron:22","algorithm":"pagerank","seconds":0.5}]"#;
        std::fs::write(&path, row).unwrap();
        let rows = read(&path).unwrap();
        assert_eq!(
            (rows[0].name.as_str(), rows[0].algorithm, rows[0].seconds),
            ("Gunrock", Question::PageRank, 0.5)
        );
        for (text, problem) in [
            ("{}", "not a list of peers"),
            (&row.replace("pagerank", "mst"), "unknown variant"),
            (&row.replace("0.5", "0"), "0 seconds of Gunrock are no time"),
        ] {
            std::fs::write(&path, text).unwrap();
            let message = read(&path).unwrap_err().to_string();
            assert!(message.contains(problem), "{message}");
        }
    }

    #[test]
    fn peers_are_known_only_of_graphs_of_their_size() {
        let graph = Graph::from_edges(3, &[(0, 1)], false).unwrap();
        assert!(known("kron:22", &graph).is_empty() && known("x.wg", &graph).is_empty());
    }
}
