//! [`Spilled`]: the edges of all parts in temporary files.

use super::{
    CHECK, each_arc,
    list::{Edge, Listed, Shape},
    spill::Spill,
};
use crate::{
    control::Control,
    csr::Vertex,
    error::{Error, Result},
    format::edge_list::Text,
    graph::Graph,
};
use std::path::Path;

/// Bytes that are collected for a file before they are written.
const WRITE: usize = 1 << 18;

/// A graph whose edges lie in temporary files by part. They vanish with it.
#[derive(Debug)]
pub struct Spilled {
    starts: Vec<Vertex>,
    spill: Spill,
    /// The graph with the outgoing arcs, if they lie in a mapped file.
    out: Option<Graph>,
    shape: Shape,
}

impl Spilled {
    pub(super) fn of_text(
        text: &Text,
        shape: Shape,
        starts: Vec<Vertex>,
        folder: &Path,
        control: &Control,
    ) -> Result<Self> {
        let spill = Spill::create(folder, starts.len() - 1, shape.weights.is_some())?;
        let file_of = |v: Vertex| spill.file_of(owner(&starts, v));
        let digest = |edges: &mut dyn Iterator<Item = Edge>| {
            let mut bytes = vec![Vec::new(); spill.files()];
            for edge in edges {
                let [u, v] = edge.0.map(file_of);
                spill.push(&mut bytes[u], edge);
                if u != v {
                    spill.push(&mut bytes[v], edge);
                }
            }
            Ok(bytes)
        };
        text.edges(control, digest, |bytes| {
            bytes.iter().enumerate().try_for_each(|(file, bytes)| spill.write(file, bytes))
        })?;
        Ok(Self { starts, spill, out: None, shape })
    }

    pub(super) fn of_mapped(
        graph: Graph,
        shape: Shape,
        starts: Vec<Vertex>,
        folder: &Path,
        control: &Control,
    ) -> Result<Self> {
        let spill = Spill::create(folder, starts.len() - 1, shape.weights.is_some())?;
        let mut bytes = vec![Vec::new(); spill.files()];
        each_arc(&graph, 0..graph.vertices() as Vertex, control, |edge| {
            let [from, to] = edge.0.map(|end| owner(&starts, end));
            if from == to {
                return Ok(());
            }
            let file = spill.file_of(to);
            spill.push(&mut bytes[file], edge);
            if bytes[file].len() < WRITE {
                return Ok(());
            }
            spill.write(file, &bytes[file])?;
            bytes[file].clear();
            Ok(())
        })?;
        bytes.iter().enumerate().try_for_each(|(file, bytes)| spill.write(file, bytes))?;
        Ok(Self { starts, spill, out: Some(graph), shape })
    }

    /// Builds the edges with an end in a part. In the graph that is returned the rows of the part's vertices, outgoing and
    /// incoming, are those of the whole graph; the rows of all others are incomplete.
    ///
    /// # Errors
    /// [`Error::Invalid`] if there is no such part, [`Error::Io`] if the temporary files cannot be read, [`Error::TooLarge`] if
    /// memory is short, and the error of `control` if it stops the work.
    pub fn part(&self, part: usize, control: &Control) -> Result<Graph> {
        let Some(range) = self.starts.get(part..part + 2).map(|range| range[0]..range[1]) else {
            let what = format!("part {part} of {}", self.starts.len() - 1);
            return Err(Error::invalid(what, "parts are counted from 0"));
        };
        let mut list = Listed::new(self.shape.weights);
        if let Some(graph) = &self.out {
            each_arc(graph, range.clone(), control, |edge| list.push(edge))?;
        }
        let mut seen = 0;
        self.spill.read(part, |edge| {
            seen += 1;
            if seen % CHECK == 0 {
                control.check("reading the edges of a part")?;
            }
            let [from, to] = edge.0.map(|end| range.contains(&end));
            // The outgoing arcs of a mapped graph are in the list; the file may have them for another part.
            if to || (from && self.out.is_none()) { list.push(edge) } else { Ok(()) }
        })?;
        self.shape.graph(list, control)
    }
}

/// Returns the part that owns a vertex; parts may be empty.
fn owner(starts: &[Vertex], v: Vertex) -> usize {
    starts.partition_point(|&start| start <= v) - 1
}
