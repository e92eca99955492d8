#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use super::*;
use warpgraph_graph::Graph;

/// A graph with rows of no arc, of one, and of more than a piece.
fn graph() -> Graph {
    let n = 2 * PIECE as u32 + 10;
    let hub = (0..n).map(|v| (7, v));
    let others = (0..n).filter(|v| v % 3 == 0).map(|v| (v, (v * 5) % n));
    let edges: Vec<_> = hub.chain(others).collect();
    Graph::from_edges(n as usize, &edges, true).unwrap()
}

/// Returns the targets of some entries by the frontier and by the graph, and asserts that rows begin where they should.
fn gathered(frontier: &Frontier<'_>, items: &[Vertex], entries: Range<usize>) -> [Vec<Vertex>; 2] {
    let csr = frontier.csr;
    let rows = items[entries.clone()].iter().map(|&v| &csr.targets()[row(csr, v as usize)]);
    let expected: Vec<Vertex> = rows.clone().flatten().copied().collect();
    let mut firsts = vec![0; entries.len() + 1];
    frontier.firsts(entries.start, &mut firsts, |first| first);
    let mut before = 0;
    for (&first, row) in firsts.iter().zip(rows) {
        assert_eq!(first, before);
        before += row.len() as u64;
    }
    assert_eq!(firsts[entries.len()], expected.len() as u64);
    let mut into = vec![0; expected.len()];
    frontier.gather(entries, bytemuck::cast_slice(csr.targets()), 4, bytemuck::cast_slice_mut(&mut into));
    [into, expected]
}

#[test]
fn rows_are_gathered_in_the_order_of_the_frontier() {
    let graph = graph();
    let (csr, n) = (&graph.out().csr, graph.vertices() as Vertex);
    let mut list = List::default();
    for items in [
        (0..n).collect::<Vec<_>>(),
        (0..n).rev().collect(),
        (0..n).map(|i| (i * 7919) % n).collect(),
        // Of the second and third copy.
        (0..n).map(|i| n + 2 * i).collect(),
        vec![7],
        vec![1],
        vec![1, 7, 2, 7],
        vec![],
    ] {
        list.entries(items.len()).unwrap().copy_from_slice(&items);
        let listed = list.summed(csr, items.len());
        let frontier = Frontier { csr, len: items.len(), listed: Some(listed) };
        let len = items.len();
        for entries in [0..len, len / 3..len / 2, 0..len.min(1), len.saturating_sub(5)..len] {
            let [seen, expected] = gathered(&frontier, &items, entries.clone());
            assert!(seen == expected, "{entries:?} of {len}");
        }
    }
}

#[test]
fn all_vertices_need_no_list_in_any_number_of_copies() {
    let graph = graph();
    let (csr, n) = (&graph.out().csr, graph.vertices());
    for copies in [1, 3] {
        let len = copies * n;
        let (frontier, items) = (Frontier { csr, len, listed: None }, (0..len as Vertex).collect::<Vec<_>>());
        for entries in [0..len, 3..n, n - 10..len.min(n + 10), len - 1..len, 0..0] {
            let [seen, expected] = gathered(&frontier, &items, entries.clone());
            assert!(seen == expected, "{entries:?} of {copies} copies");
        }
    }
}

#[test]
fn the_end_of_a_chunk_is_found_by_halving() {
    for end in 0..=20 {
        assert_eq!(first_without(0..20, |i| i < end), end);
    }
    assert_eq!(first_without(5..5, |_| true), 5);
}
