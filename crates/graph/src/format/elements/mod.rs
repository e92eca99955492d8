//! The parts that all formats of single nodes and edges share: GraphML, GML, DOT, Pajek, node-link JSON and adjacency
//! lists.
//!
//! Such a reader makes one serial pass over its text with a [`Scan`]. It gives every node a number in the order of the
//! file ([`Nodes`]) and collects the edges between these numbers ([`Edges`]). [`Parsed::build`] then sorts the ids and
//! builds the graph. Besides the arcs this takes 8 bytes per edge, 4 or 8 bytes per weight, and a hash table of the
//! ids. Memory grows with what has been read, never with what a header says.

mod edges;
mod keys;
mod nodes;
mod place;
mod references;
mod scan;

pub(super) use self::{
    edges::{Because, Edge, Edges, expected as expected_weight},
    keys::WeightKeys,
    nodes::{Nodes, ids_of, usable},
    place::{Place, after_mark},
    references::decoded,
    scan::Scan,
};

#[cfg(feature = "graphml")]
pub(super) use self::scan::STRIDE;

use super::{Format, ReadOptions, edge_list::weights};
use crate::{
    build::{Numbering, Options},
    control::Control,
    csr::Vertex,
    error::Result,
    graph::{Graph, Origin},
    ids::Ids,
    par,
};

/// The content of a file.
pub(super) struct Parsed<'i> {
    /// The ids in ascending order.
    pub(super) ids: Ids,
    /// The vertex of each node number.
    pub(super) vertices: Vec<Vertex>,
    pub(super) edges: Edges<'i>,
    /// The reasons for the direction of the graph.
    pub(super) because: Because,
    pub(super) warnings: Vec<String>,
}

impl<'i> Parsed<'i> {
    /// Numbers the nodes and takes the edges. `help` says what to do about an edge to a node that the file does not have.
    ///
    /// # Errors
    /// Returns [`crate::Error::Parse`] for an edge to such a node.
    pub(super) fn new(
        nodes: Nodes<'_>,
        edges: Edges<'i>,
        because: Because,
        help: &str,
        mut warnings: Vec<String>,
    ) -> Result<Self> {
        let (ids, vertices) = nodes.finish(help, &mut warnings)?;
        Ok(Self { ids, vertices, edges, because, warnings })
    }

    /// Builds the graph.
    pub(super) fn build(
        mut self,
        file: &str,
        format: Format,
        options: &ReadOptions,
        control: &Control,
    ) -> Result<Graph> {
        let listed = self.edges.len() as u64;
        if let Some(warning) = self.edges.mixed(options.directed) {
            self.warnings.push(warning);
        }
        let (directed, direction_because, mut pieces) = self.edges.finish(options.directed, self.because)?;
        control.check("reading")?;
        for (pairs, _) in &mut pieces {
            par::parts_mut(pairs, par::FINE, |_, pairs| {
                pairs.iter_mut().for_each(|pair| *pair = pair.map(|v| self.vertices[v as usize]));
            });
        }
        let how = Options { directed, loops: options.loops, parallel: options.parallel };
        let (numbering, narrow) = (Numbering::From(0), options.narrow_weights);
        let bound = self.ids.len() as u64;
        let built = weights::build(pieces, bound, &numbering, narrow, &how, control)?;
        let origin = Origin {
            name: file.to_owned(),
            format: format.name().to_owned(),
            listed,
            direction_because,
            symmetrised: !directed,
            loops_dropped: built.loops_dropped,
            merged: built.merged,
            warnings: self.warnings,
            ..Origin::default()
        };
        // SAFETY: the builder makes as many weights as arcs and as many vertices as there are ids, and mirrors every
        // edge unless the graph is directed.
        Ok(unsafe { Graph::new_unchecked(built.arcs, directed, self.ids, origin) })
    }
}
