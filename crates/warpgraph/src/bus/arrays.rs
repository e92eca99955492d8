//! [`Arrays`]: the edge arrays of a graph, one behind the other, as one array of a model of unified memory.

use std::ops::Range;
use warpgraph_core::Rows;
use warpgraph_gpu::Footprint;
use warpgraph_graph::Graph;
use warpgraph_transform::unified::REGION;

/// Bytes of a target.
const TARGET: u64 = 4;

/// Where each array begins: targets and, if the run reads any, weights; of outgoing arcs and, in a directed graph, of incoming
/// ones. Arrays begin at regions, as allocations do.
#[derive(Debug)]
pub(super) struct Arrays {
    /// Bytes of an entry of each array of a direction.
    widths: Vec<u64>,
    /// The beginning of each array, those of outgoing arcs first.
    starts: Vec<u64>,
    bytes: u64,
}

impl Arrays {
    /// Lays out the arrays that a run with this footprint reads.
    pub(super) fn new(graph: &Graph, footprint: Footprint) -> Self {
        let arcs = graph.arcs() as u64;
        let weight = (footprint.edges / footprint.arcs().max(1)).saturating_sub(TARGET);
        let widths: Vec<u64> = [TARGET, weight].into_iter().filter(|&width| width > 0).collect();
        let sides = if graph.is_directed() { 2 } else { 1 };
        let (mut starts, mut bytes) = (Vec::new(), 0u64);
        for width in (0..sides).flat_map(|_| &widths) {
            starts.push(bytes.next_multiple_of(REGION));
            bytes = bytes.next_multiple_of(REGION) + width * arcs;
        }
        Self { widths, starts, bytes }
    }

    /// Returns the bytes of all arrays, and of the room between them.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the bytes that some stretches of arcs take, array by array.
    pub(super) fn reads<'a>(
        &'a self,
        rows: Rows,
        stretches: impl Iterator<Item = Range<usize>> + Clone + 'a,
    ) -> impl Iterator<Item = Range<u64>> + 'a {
        let is_second = rows == Rows::In && self.starts.len() > self.widths.len();
        let starts = if is_second { &self.starts[self.widths.len()..] } else { &self.starts[..] };
        self.widths.iter().zip(starts).flat_map(move |(&width, &start)| {
            stretches
                .clone()
                .map(move |arcs| start + arcs.start as u64 * width..start + arcs.end as u64 * width)
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;

    #[test]
    fn arrays_begin_at_regions_and_those_of_an_undirected_graph_are_the_same_both_ways() {
        let edges = [(0, 1), (1, 2), (2, 0), (0, 2)];
        let of = |directed: bool, bytes: u64| {
            let graph = Graph::from_edges(3, &edges, directed).unwrap();
            let m = graph.arcs() as u64;
            let footprint = Footprint { edges: bytes * m, sides: 1, side_arcs: m, ..Footprint::default() };
            Arrays::new(&graph, footprint)
        };
        let reads = |arrays: &Arrays, rows| arrays.reads(rows, [0..1, 2..4].into_iter()).collect::<Vec<_>>();
        let targets = of(true, 4);
        assert_eq!((reads(&targets, Rows::Out), targets.bytes()), (vec![0..4, 8..16], REGION + 16));
        assert_eq!(reads(&targets, Rows::In), [REGION..REGION + 4, REGION + 8..REGION + 16]);
        let weighted = of(true, 12);
        let at = |start: u64, width: u64| [start..start + width, start + 2 * width..start + 4 * width];
        assert_eq!(reads(&weighted, Rows::Out), [at(0, 4), at(REGION, 8)].concat());
        assert_eq!(reads(&weighted, Rows::In), [at(2 * REGION, 4), at(3 * REGION, 8)].concat());
        let undirected = of(false, 4);
        assert_eq!(reads(&undirected, Rows::In), reads(&undirected, Rows::Out));
    }
}
