//! Names the shape of JSON that is no node-link graph, and what to do with it.

use super::json::HELP;
use crate::{
    error::{Error, quote},
    format::elements::Scan,
};

/// The largest number of keys that a message shows.
const SHOWN: usize = 6;

/// The keys of the outermost object that a node-link graph does not have.
#[derive(Debug, Default)]
pub(super) struct Shape {
    keys: Vec<String>,
}

impl Shape {
    pub(super) fn note(&mut self, key: &str) {
        if self.keys.len() < SHOWN {
            self.keys.push(key.to_owned());
        }
    }

    /// Returns the error for a file that has no list of edges, or goes on behind its first object.
    pub(super) fn refusal(&self, scan: &Scan<'_, '_>) -> Error {
        let has = |key: &str| self.keys.iter().any(|k| k == key);
        let lines = (has("source") && has("target")) || (has("src") && has("dst"));
        let (what, help) = match () {
            () if lines => (
                "JSON lines, one object per edge, are not read",
                "make it an edge list, e.g. with `jq -r \'[.source,.target]|@tsv\'`",
            ),
            () if scan.peek().is_some() => return scan.expected("the end of the file", HELP),
            () if has("elements") => (
                "the JSON of Cytoscape is not read",
                "write GraphML in Cytoscape, or networkx.node_link_data(networkx.cytoscape_graph(data))",
            ),
            () if has("adjacency") => (
                "the adjacency JSON of NetworkX is not read",
                "write networkx.node_link_data(graph), or networkx.write_edgelist(graph, path)",
            ),
            () if has("graph") || has("graphs") => (
                "JSON Graph Format, or JSON without edges, is not read",
                "put the lists \"nodes\" and \"edges\" into the outermost object, e.g. with `jq .graph`",
            ),
            () if has("children") => (
                "a tree in JSON is not read",
                "write its edges as \"links\" of \"source\" and \"target\", or as an edge list",
            ),
            () if has("features") => ("GeoJSON is not read", "write its edges as an edge list"),
            () => {
                let keys: Vec<String> = self.keys.iter().map(|key| quote(key.as_bytes())).collect();
                let problem = format!("this JSON has no list \"links\" or \"edges\", only {}", listed(&keys));
                return scan.place.error(0, problem, NODE_LINK);
            }
        };
        scan.place.error(0, what, help)
    }
}

const NODE_LINK: &str = "a graph in JSON has \"nodes\" and \"links\" as networkx.node_link_data and D3 write them; or write an edge list";

fn listed(keys: &[String]) -> String {
    if keys.is_empty() { "an object without other keys".to_owned() } else { keys.join(", ") }
}

/// Returns the error for JSON that is no object.
pub(super) fn no_object(scan: &Scan<'_, '_>) -> Error {
    match scan.peek() {
        Some(b'[') => {
            let help = "make a list of pairs an edge list, e.g. with `jq -r \'.[]|@tsv\'`";
            scan.place.error(scan.at, "a list in JSON is not read as a graph", help)
        }
        _ => scan.expected("a JSON object", NODE_LINK),
    }
}
