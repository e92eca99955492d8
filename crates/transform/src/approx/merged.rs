//! Merges replicas back into their masters, and closes holes.

use super::{
    Changes,
    assemble::{self, Arc},
    changes::{Edges, Replicas},
    edit::{self, edited},
};
use crate::Transformed;
use warpgraph_core::{Exactness, Result};
use warpgraph_graph::{Arcs, Control, Graph, NO_VERTEX, NodeMap, Pages, Vertex};

impl Transformed {
    /// Returns the same graph without replicas and holes, in the same order of vertices: the row of every replica goes back to
    /// its master. It is undirected if the original graph is. Its changes are the same but for the replicas.
    ///
    /// Exact algorithms answer on this graph what an engine that reflects replicas answers on [`Transformed::graph`].
    ///
    /// # Errors
    /// If memory is short, or if `control` stops the work.
    pub fn merged(&self, control: &Control) -> Result<Self> {
        let changes = self.changes.clone().map(|all| Changes { replicas: Replicas::default(), ..all });
        let exactness = self.exactness.clone();
        let exactness = exactness.map(|all| Exactness { replicated: 0, replicas: 0, holes: 0, ..all });
        if self.map.is_renumbering() {
            return Ok(Self { changes, exactness, ..self.clone() });
        }
        let ranks = Ranks::of(&self.map)?;
        let arcs = ranks.arcs(&self.graph, control)?;
        let directed = changes.as_ref().map_or(self.graph.is_directed(), |all| all.directed);
        let graph = edit::anonymous(&self.graph, arcs, directed)?;
        let chunks = self.chunks.as_ref().map(|chunks| chunks.renamed(|v| ranks.of[v as usize]).into());
        let map = NodeMap::of_order(ranks.originals)?;
        Ok(Self { graph, map, chunks, changes, exactness, order_seconds: self.order_seconds })
    }

    /// Returns the graph before the approximation, with its vertex numbers as ids: replicas go back to their masters, added
    /// edges are removed, and dropped ones put back. The order of parallel edges of different weights may differ.
    ///
    /// # Errors
    /// As [`Transformed::merged`].
    pub fn undone(&self, control: &Control) -> Result<Graph> {
        let merged = self.merged(control)?;
        // `merged` has neither copies nor holes.
        let back = merged.map.inverse().unwrap_or(merged.map);
        let graph = merged.graph.renumbered(&back, control)?;
        let none = Edges::default();
        let (added, dropped) =
            merged.changes.as_ref().map_or((&none, &none), |all| (&all.added, &all.dropped));
        edited(&graph, dropped, added, control)
    }
}

/// The masters of a map, numbered without holes.
struct Ranks {
    /// The rank of every master by its number.
    of: Pages<Vertex>,
    /// The original of every rank.
    originals: Pages<Vertex>,
    /// The master of every rank.
    masters: Pages<Vertex>,
    /// The rank of the master and the number of every copy, sorted.
    copies: Vec<(Vertex, Vertex)>,
}

impl Ranks {
    fn of(map: &NodeMap) -> Result<Self> {
        let mut of: Pages<Vertex> = Pages::scratch(map.inner_len())?;
        of.fill(NO_VERTEX);
        let (mut originals, mut masters) = (Pages::scratch(map.len())?, Pages::scratch(map.len())?);
        let all =
            || (0..).zip(map.originals().iter().copied()).filter(|&(_, original)| original != NO_VERTEX);
        let is_master = |&(number, original): &(Vertex, Vertex)| map.inner(original) == number;
        for (rank, (number, original)) in all().filter(is_master).enumerate() {
            of[number as usize] = rank as Vertex;
            (originals[rank], masters[rank]) = (original, number);
        }
        let copies = all().filter(|one| !is_master(one));
        let mut copies: Vec<_> =
            copies.map(|(number, original)| (of[map.inner(original) as usize], number)).collect();
        copies.sort_unstable();
        Ok(Self { of, originals, masters, copies })
    }

    /// Returns the numbers whose rows make up the row of a rank.
    fn parts(&self, rank: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        let first = self.copies.partition_point(|copy| copy.0 < rank);
        let copies = self.copies[first..].iter().take_while(move |copy| copy.0 == rank);
        std::iter::once(self.masters[rank as usize]).chain(copies.map(|copy| copy.1))
    }

    fn arcs(&self, graph: &Graph, control: &Control) -> Result<Arcs> {
        let old = graph.out();
        let length = |rank: Vertex| self.parts(rank).map(|number| old.csr.degree(number)).sum();
        let fill = |rank: Vertex, row: &mut Vec<Arc>| {
            self.parts(rank).for_each(|number| edit::push(old, number, row));
            row.iter_mut().for_each(|arc| arc.0 = self.of[arc.0 as usize]);
            // Sorted runs, which a stable sort merges.
            row.sort_by_key(|arc| arc.0);
        };
        assemble::arcs(self.masters.len(), graph.weight_type(), length, fill, control)
    }
}
