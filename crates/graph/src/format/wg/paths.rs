//! The paths that a `.wg` file keeps: four sections, all of them or none.

use super::{
    File,
    layout::{Kind, Section},
};
use crate::{
    control::Control,
    csr::Offsets,
    error::{Error, Result},
    graph::Graph,
    paths::{Found, Paths, Recipe},
    stored::Stored,
};
use serde::{Deserialize, Serialize};

/// The content of the section `paths`, as JSON.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct KeptPaths {
    pub(crate) recipe: Recipe,
    pub(crate) found: Found,
    pub(crate) hub_chunks: u64,
}

impl File {
    /// Returns the graph, whose arcs are those of the file, with the paths of the file. Always checks that they name only
    /// vertices and arcs of the graph, because engines index by them.
    pub(super) fn with_paths(&self, graph: Graph) -> Result<Graph> {
        let Some(section) = self.layout.find(Kind::Paths) else { return Ok(graph) };
        let paths = self.paths(section)?;
        graph.with_paths(Some(paths)).map_err(|error| self.refuse_paths(section, &error))
    }

    fn paths(&self, section: &Section) -> Result<Paths> {
        let kept: KeptPaths = serde_json::from_slice(self.bytes(section))
            .map_err(|e| self.damaged(section, &format!("not the JSON it should be: {e}")))?;
        let arcs = match self.layout.find(Kind::PathArcs32) {
            Some(section) => Offsets::Narrow(self.buffer(section)?),
            None => Offsets::Wide(self.buffer(self.required(Kind::PathArcs64)?)?),
        };
        let vertices = self.buffer(self.required(Kind::PathVertices)?)?;
        let joined = self.buffer(self.required(Kind::PathJoins)?)?;
        // A number that fits no chunk is refused with the others.
        let hub_chunks = usize::try_from(kept.hub_chunks).unwrap_or(usize::MAX);
        Paths::new(kept.recipe, kept.found, hub_chunks, vertices, arcs, joined)
            .map_err(|error| self.refuse_paths(section, &error))
    }

    fn refuse_paths(&self, section: &Section, error: &Error) -> Error {
        self.damaged(section, &error.to_string())
    }
}

/// Checks that the paths of a file cover every edge of its graph.
pub(super) fn check(file: &File, graph: &Graph, control: &Control) -> Result<()> {
    let arcs = graph.stored().map_or(graph, Stored::graph);
    let (Some(paths), Some(section)) = (arcs.paths(), file.layout.find(Kind::Paths)) else { return Ok(()) };
    control.check("checking the file")?;
    match paths.check(arcs) {
        Err(error @ Error::Invalid { .. }) => Err(file.refuse_paths(section, &error)),
        other => other,
    }
}
