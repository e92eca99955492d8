//! [`Build`]: a graph from its columns.

use super::{Column, numbering, weights};
use warpgraph::{
    Control, Error, Graph,
    graph::{
        self, Origin,
        build::{EdgeChunk, EdgeList, EdgeWeights, Options, build},
    },
};

pub(crate) use numbering::Universe;

/// What a graph is built from, and how.
pub(crate) struct Build {
    pub(crate) ends: [Column; 2],
    pub(crate) weights: Option<Column>,
    pub(crate) universe: Universe,
    pub(crate) options: Options,
    /// Where the columns come from, for messages.
    pub(crate) name: String,
    /// What was assumed so far, one sentence each.
    pub(crate) warnings: Vec<String>,
}

impl Build {
    /// Builds the graph.
    ///
    /// # Errors
    /// For ids and weights that a graph cannot have; when memory is short, and when `control` stops the work.
    pub(crate) fn build(self, control: &Control) -> Result<Graph, Error> {
        let invalid =
            |what: String| Error::from(graph::Error::invalid(what, "change the columns, or leave edges out"));
        let weights = match &self.weights {
            None => EdgeWeights::None,
            Some(column) if column.len() != self.ends[0].len() => {
                return Err(invalid(format!("{} weights for {} edges", column.len(), self.ends[0].len())));
            }
            Some(column) => weights::weights(column).map_err(invalid)?,
        };
        let [sources, targets] = &self.ends;
        let numbered = numbering::number([sources, targets], &self.universe).map_err(invalid)?;
        let (ids, pairs, listed) = (numbered.ids, numbered.pairs, sources.len() as u64);
        let list = EdgeList { vertices: ids.len(), chunks: vec![EdgeChunk { pairs, weights }] };
        let built = build(list, &self.options, control)?;
        let origin = Origin {
            name: self.name,
            format: "memory".to_owned(),
            listed,
            direction_because: "the caller said so".to_owned(),
            symmetrised: !self.options.directed,
            loops_dropped: built.loops_dropped,
            merged: built.merged,
            warnings: self.warnings,
            ..Origin::default()
        };
        // SAFETY: the builder makes as many weights as arcs, and mirrors every arc of an undirected list with the same
        // weight; there are as many ids as vertices.
        Ok(unsafe { Graph::new_unchecked(built.arcs, self.options.directed, ids, origin) })
    }
}
