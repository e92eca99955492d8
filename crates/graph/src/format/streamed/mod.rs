//! [`Streamed`]: a graph that is cut into parts without ever being in memory as a whole.
//!
//! A text edge list with number ids is read in passes, a few pieces at a time: for the ids, for the number of arcs per vertex,
//! from which the caller makes a cut, and for the edges. A directed graph in a mapped file has its outgoing arcs at hand; only
//! the incoming ones are looked for.
//!
//! One part is had in one more pass ([`Streamed::part`]). For all parts the edges go to temporary files by the parts that own
//! their ends, and then each part is built alone ([`Streamed::spill`]).
//!
//! Memory: 8 bytes per vertex (16 if ids have gaps), a few pieces of 4 MiB, and then a part: its edges as listed, and what
//! building takes. The files take at most 8 bytes per edge and part that owns an end of it, 16 with weights.

mod list;
mod spill;
mod spilled;
#[cfg(test)]
mod tests;

pub use spilled::Spilled;

use super::{Format, Input, ReadOptions, detect, edge_list::Text};
use crate::{
    build::{self, Loops, Parallel},
    control::Control,
    csr::Vertex,
    error::{Error, Result},
    graph::{Arcs, Graph},
    timeline::Phase,
    weights::Weights,
};
use list::{Edge, Listed, Shape};
use std::{ops::Range, path::Path};

/// Arcs between two looks at the control.
const CHECK: usize = 1 << 20;

/// A graph that is read part by part. Vertices are numbered as in the whole graph.
#[derive(Debug)]
pub struct Streamed {
    source: Source,
    shape: Shape,
    /// The arcs that are listed before each vertex, and all of them.
    before: Vec<u64>,
}

#[derive(Debug)]
enum Source {
    Text(Box<Text>),
    Mapped(Graph),
}

impl Streamed {
    /// Finds out ids, weights and degrees of a text edge list. Returns `None` for what cannot be read in this way: other
    /// formats, names as ids, numbers that are much larger than the file is long, standard input, several files, and files with
    /// a table of vertices.
    ///
    /// # Errors
    /// Those of [`Graph::open_with`].
    pub fn open(path: &Path, options: &ReadOptions, control: &Control) -> Result<Option<Self>> {
        if path == Path::new("-") || options.vertex_table.is_some() || !path.is_file() {
            return Ok(None);
        }
        if detect::format_of(&Input::peek(path)?, options)? != Format::EdgeList {
            return Ok(None);
        }
        let input = Input::open(path, control)?;
        let _span = control.span(Phase::Reading);
        let Some(text) = Text::open(input, options, control)? else { return Ok(None) };
        let (loops, parallel) = (options.loops, options.parallel);
        let build = build::Options { directed: text.directed, loops, parallel };
        let (ids, weights, origin) = (text.ids.clone(), text.weights, text.origin());
        let before = text.arcs_before(control)?;
        let shape = Shape { ids, weights, options: build, origin };
        Ok(Some(Self { source: Source::Text(Box::new(text)), shape, before }))
    }

    /// Takes a directed graph whose arcs lie in a mapped file, so that its incoming arcs are not built as a whole. Returns
    /// `None` for any other graph.
    pub fn of_mapped(graph: &Graph) -> Option<Self> {
        let Arcs { csr, weights } = graph.out();
        if !graph.is_directed() || !csr.targets().is_mapped() {
            return None;
        }
        // The file was built already: nothing is dropped or merged.
        let options = build::Options { directed: true, loops: Loops::Keep, parallel: Parallel::Keep };
        let (ids, origin) = (graph.ids().clone(), graph.origin().clone());
        let shape = Shape { ids, weights: weights.weight_type(), options, origin };
        let before = (0..=graph.vertices()).map(|v| csr.offsets().get(v) as u64).collect();
        Some(Self { source: Source::Mapped(graph.clone()), shape, before })
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> usize {
        self.before.len() - 1
    }

    /// Returns how many arcs are listed before a vertex, or in all for the number of vertices: the outgoing ones, mirrored ones
    /// included if the graph is undirected, before parallel ones are merged. Panics if there is no such vertex.
    pub fn arcs_before(&self, v: usize) -> u64 {
        self.before[v]
    }

    /// Builds the edges with an end in a range of vertices, in one pass over the whole. In the graph that is returned the rows
    /// of these vertices, outgoing and incoming, are those of the whole graph; the rows of all others are incomplete.
    ///
    /// # Errors
    /// Those of [`Streamed::open`].
    pub fn part(&self, vertices: Range<Vertex>, control: &Control) -> Result<Graph> {
        let mut list = Listed::new(self.shape.weights);
        let is_near = |edge: &Edge| edge.0.iter().any(|end| vertices.contains(end));
        match &self.source {
            Source::Text(text) => {
                let digest = |edges: &mut dyn Iterator<Item = Edge>| Ok(edges.filter(is_near).collect());
                text.edges(control, digest, |edges: Vec<Edge>| {
                    edges.into_iter().try_for_each(|edge| list.push(edge))
                })?;
            }
            Source::Mapped(graph) => each_arc(graph, 0..self.vertices() as Vertex, control, |edge| {
                if is_near(&edge) { list.push(edge) } else { Ok(()) }
            })?,
        }
        self.shape.graph(list, control)
    }

    /// Writes the edges of all parts to temporary files in a folder; part `p` owns the vertices
    /// `starts[p] .. starts[p + 1]`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the starts do not rise from 0 to the number of vertices, [`Error::Io`] if the files cannot be
    /// written, and those of [`Streamed::open`].
    pub fn spill(self, folder: &Path, starts: &[Vertex], control: &Control) -> Result<Spilled> {
        let ends = starts.first().zip(starts.last()).map(|(first, last)| (*first as usize, *last as usize));
        if ends != Some((0, self.vertices())) || starts.len() < 2 || !starts.is_sorted() {
            let what = format!("the starts of parts do not rise from 0 to {} vertices", self.vertices());
            return Err(Error::invalid(what, "cut this graph"));
        }
        let starts = starts.to_vec();
        match self.source {
            Source::Text(text) => Spilled::of_text(&text, self.shape, starts, folder, control),
            Source::Mapped(graph) => Spilled::of_mapped(graph, self.shape, starts, folder, control),
        }
    }
}

/// Calls `take` with all arcs of a range of vertices.
fn each_arc(
    graph: &Graph,
    vertices: Range<Vertex>,
    control: &Control,
    mut take: impl FnMut(Edge) -> Result<()>,
) -> Result<()> {
    let Arcs { csr, weights } = graph.out();
    let mut seen = 0;
    for u in vertices {
        let before = seen / CHECK;
        seen += csr.degree(u);
        if seen / CHECK != before {
            control.check("reading arcs")?;
        }
        csr.arcs_of(u).try_for_each(|arc| take(([u, csr.targets()[arc]], weight(weights, arc))))?;
    }
    Ok(())
}

/// Returns a weight, 0 if there are none.
fn weight(weights: &Weights, arc: usize) -> f64 {
    if weights.weight_type().is_some() { weights.get(arc) } else { 0.0 }
}
