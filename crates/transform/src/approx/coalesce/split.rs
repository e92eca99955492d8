//! Cuts rows apart: every replica gets the part of its master's row that leads into the replica's tail.
//!
//! Rows are sorted, ranks in a tail are neighbours, and numbers rise with ranks. So the part of a replica is a run of the row,
//! and rows need no sorting.

use super::{
    super::{
        assemble::{self, Arc, bits},
        edit::anonymous,
    },
    numbering::Numbering,
    replicas::Filled,
};
use std::ops::Range;
use warpgraph_core::Result;
use warpgraph_graph::{Control, Graph, NO_VERTEX, NodeMap, Pages, Vertex};

/// Returns the graph with holes and replicas, and the map to it. `graph` is the changed graph by ranks, and `ranks` the map to
/// ranks. The result is directed if it has replicas.
pub(super) fn split(
    graph: &Graph,
    numbering: &Numbering,
    filled: &Filled,
    ranks: &NodeMap,
    control: &Control,
) -> Result<(Graph, NodeMap)> {
    let rows = Rows::of(graph, numbering, filled)?;
    let (length, fill) = (|number| rows.length(number), |number, row: &mut Vec<Arc>| rows.fill(number, row));
    let arcs = assemble::arcs(numbering.len, graph.weight_type(), length, fill, control)?;
    let split = anonymous(graph, arcs, graph.is_directed() || !filled.replicas.is_empty())?;
    let masters: Pages<Vertex> = map(ranks.masters(), |rank| numbering.numbers[rank as usize])?;
    let originals: Pages<Vertex> = map(&rows.ranks, |rank| ranks.original(rank))?;
    Ok((split, NodeMap::new(masters.into(), originals.into(), "coalesced numbers")?))
}

fn map(list: &[Vertex], value: impl Fn(Vertex) -> Vertex + Sync) -> Result<Pages<Vertex>> {
    let mut values = Pages::scratch(list.len())?;
    warpgraph_graph::par::parts_mut(&mut values, warpgraph_graph::par::FINE, |first, part| {
        part.iter_mut().zip(&list[first..]).for_each(|(slot, &v)| *slot = value(v));
    });
    Ok(values)
}

/// The rows of the result.
struct Rows<'a> {
    graph: &'a Graph,
    numbering: &'a Numbering,
    /// The rank of every number, that of the master for a replica.
    ranks: Pages<Vertex>,
    /// The replicas of each vertex: its rank and the tail, sorted.
    tails: Vec<(Vertex, usize)>,
}

impl<'a> Rows<'a> {
    fn of(graph: &'a Graph, numbering: &'a Numbering, filled: &Filled) -> Result<Self> {
        let mut ranks = numbering.ranks()?;
        let mut tails = Vec::with_capacity(filled.replicas.len());
        for &(rank, number) in &filled.replicas {
            ranks[number as usize] = rank;
            tails.extend(numbering.tail_of_number(number).map(|tail| (rank, tail)));
        }
        tails.sort_unstable();
        Ok(Self { graph, numbering, ranks, tails })
    }

    fn length(&self, number: Vertex) -> usize {
        let mut length = 0;
        self.parts(number, |part| length += part.len());
        length
    }

    fn fill(&self, number: Vertex, row: &mut Vec<Arc>) {
        let arcs = self.graph.out();
        self.parts(number, |part| {
            let targets = arcs.csr.targets()[part.clone()].iter();
            let numbers = targets.map(|&rank| self.numbering.numbers[rank as usize]);
            row.extend(numbers.zip(part.map(|arc| bits(&arcs.weights, arc))));
        });
    }

    /// Calls `visit` with the runs of arcs that make up a row.
    fn parts(&self, number: Vertex, mut visit: impl FnMut(Range<usize>)) {
        let rank = self.ranks[number as usize];
        if rank == NO_VERTEX {
            return;
        }
        if self.numbering.numbers[rank as usize] != number {
            let tail = self.numbering.tail_of_number(number);
            return tail.into_iter().for_each(|tail| visit(self.into(rank, tail)));
        }
        let arcs = self.graph.out().csr.arcs_of(rank);
        let first = self.tails.partition_point(|replica| replica.0 < rank);
        let mut start = arcs.start;
        for &(_, tail) in self.tails[first..].iter().take_while(|replica| replica.0 == rank) {
            let part = self.into(rank, tail);
            visit(start..part.start);
            start = part.end;
        }
        visit(start..arcs.end);
    }

    /// Returns the arcs of a vertex that lead into a tail.
    fn into(&self, rank: Vertex, tail: usize) -> Range<usize> {
        let csr = &self.graph.out().csr;
        let (row, ranks) = (csr.neighbors(rank), self.numbering.tails[tail].ranks());
        let below = |limit: Vertex| csr.arcs_of(rank).start + row.partition_point(|&t| t < limit);
        below(ranks.start)..below(ranks.end)
    }
}
