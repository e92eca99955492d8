//! The checks of paths and their homes, on paths of one or two edges made by hand.

use super::*;
use crate::{csr::NO_VERTEX, graph::Graph, hash, memory::Pages};
use std::collections::BTreeMap;

/// The arrays of paths, to be damaged.
#[derive(Clone)]
struct Arrays {
    recipe: Recipe,
    found: Found,
    hub_chunks: usize,
    vertices: Vec<Vertex>,
    arcs: Vec<u32>,
    joined: Vec<u32>,
}

impl Arrays {
    fn new(both_arcs: bool) -> Self {
        let recipe = Recipe { lambda: 0, beta: 1, importance: "degree".to_owned(), both_arcs };
        let (vertices, arcs, joined) = (Vec::new(), Vec::new(), Vec::new());
        Self { recipe, found: Found::default(), hub_chunks: 0, vertices, arcs, joined }
    }

    /// Puts every edge of a graph on a path of its own, 16 per lane.
    fn of(graph: &Graph, both_arcs: bool) -> Self {
        let mut arrays = Self::new(both_arcs);
        let (csr, is_once) = (&graph.out().csr, !graph.is_directed() && !both_arcs);
        for u in 0..graph.vertices() as Vertex {
            for (arc, &v) in csr.arcs_of(u).zip(csr.neighbors(u)) {
                if !is_once || u <= v {
                    arrays.add(u, v, arc as u32);
                }
            }
        }
        arrays
    }

    fn add(&mut self, u: Vertex, v: Vertex, arc: u32) {
        let i = self.found.cold_edges as usize;
        let (chunk, lane, row) = (i / 512, i % 512 / 16, i % 16 * 2);
        self.vertices.resize((chunk + 1) * SLOTS, NO_VERTEX);
        self.arcs.resize((chunk + 1) * SLOTS, 0);
        self.joined.resize((chunk + 1) * LANES, 0);
        self.vertices[slot(chunk, row, lane)] = u;
        self.vertices[slot(chunk, row + 1, lane)] = v;
        self.arcs[slot(chunk, row, lane)] = arc;
        self.joined[chunk * LANES + lane] |= 1 << row;
        self.found.cold_edges += 1;
        self.found.cold_paths += 1;
    }

    fn paths(&self) -> Paths {
        let Self { recipe, found, hub_chunks, vertices, arcs, joined } = self.clone();
        let arcs = Offsets::Narrow(arcs.into());
        Paths::new(recipe, found, hub_chunks, vertices.into(), arcs, joined.into()).unwrap()
    }
}

fn ring(n: Vertex, directed: bool) -> Graph {
    let edges: Vec<_> = (0..n).map(|v| (v, (v + 1) % n)).collect();
    Graph::from_edges(n as usize, &edges, directed).unwrap()
}

#[test]
fn right_paths_pass() {
    for directed in [false, true] {
        let graph = ring(600, directed);
        for both_arcs in [false, true] {
            Arrays::of(&graph, both_arcs).paths().check(&graph).unwrap();
        }
    }
    let empty = Graph::from_edges(0, &[], false).unwrap();
    Arrays::new(false).paths().check(&empty).unwrap();
}

#[test]
fn damaged_paths_are_refused() {
    let graph = ring(600, false);
    let right = Arrays::of(&graph, false);
    let damaged = |damage: &dyn Fn(&mut Arrays)| {
        let mut arrays = right.clone();
        damage(&mut arrays);
        arrays.paths().check(&graph).unwrap_err().to_string()
    };
    let no_edge = "chunk 0 of the paths holds what is no edge of the graph, or an edge twice";
    let beyond = "chunk 1 of the paths holds a vertex or an arc that the graph does not have";
    // Rows 0 to 3 of lane 0 hold the edges 0-1 and 0-599.
    assert_eq!([0, 1, 2, 3].map(|row| right.vertices[slot(0, row, 0)]), [0, 1, 0, 599]);
    let twice = |arrays: &mut Arrays| {
        arrays.vertices[slot(0, 3, 0)] = 1;
        arrays.arcs[slot(0, 2, 0)] = arrays.arcs[0];
    };
    assert_eq!(damaged(&twice), no_edge);
    assert_eq!(damaged(&|arrays| arrays.vertices[slot(0, 1, 0)] = 2), no_edge, "another vertex");
    assert_eq!(damaged(&|arrays| arrays.arcs[0] += 1), no_edge, "another arc of the row");
    assert_eq!(
        damaged(&|arrays| arrays.arcs[0] = graph.out().csr.arcs_of(1).start as u32),
        no_edge,
        "the arc back"
    );
    let missing = |arrays: &mut Arrays| {
        arrays.joined[0] &= !1;
        arrays.vertices[0] = NO_VERTEX;
        arrays.vertices[slot(0, 1, 0)] = NO_VERTEX;
        arrays.found.cold_edges -= 1;
    };
    assert_eq!(damaged(&missing), "the paths cover 599 of 600 edges, and are said to cover 599");
    let miscounted = "the paths cover 600 of 600 edges, and are said to cover 601";
    assert_eq!(damaged(&|arrays| arrays.found.hub_edges = 1), miscounted);
    assert_eq!(damaged(&|arrays| arrays.hub_chunks = 1), "hub chunks hold 512 edges, and are said to hold 0");
    for damage in [
        |arrays: &mut Arrays| arrays.vertices[SLOTS] = 600,
        |arrays: &mut Arrays| arrays.vertices[SLOTS] = NO_VERTEX,
        |arrays: &mut Arrays| arrays.vertices[2 * SLOTS - 1] = 7,
        |arrays: &mut Arrays| arrays.arcs[SLOTS] = 1200,
        |arrays: &mut Arrays| arrays.joined[2 * LANES - 1] = 1 << 31,
        |arrays: &mut Arrays| arrays.joined[2 * LANES - 1] = 1,
    ] {
        assert_eq!(damaged(&damage), beyond);
    }
}

#[test]
fn paths_of_another_graph_are_refused() {
    let paths = Arrays::of(&ring(20, true), false).paths();
    assert!(paths.check(&ring(21, true)).is_err() && paths.check(&ring(19, true)).is_err());
    assert!(paths.check(&ring(20, false)).is_err());
    let error = ring(19, true).with_paths(Some(paths)).unwrap_err().to_string();
    assert_eq!(error, "chunk 0 of the paths holds a vertex or an arc that the graph does not have");
}

#[test]
fn arrays_that_do_not_fit_each_other_are_refused() {
    let right = Arrays::of(&ring(20, true), false);
    let refused = |found: Found, hub_chunks: usize, vertices: usize, arcs: usize, lanes: usize| {
        let (vertices, joined) = (vec![0; vertices].into(), vec![0; lanes].into());
        let arcs = Offsets::Wide(vec![0; arcs].into());
        Paths::new(right.recipe.clone(), found, hub_chunks, vertices, arcs, joined).is_err()
    };
    let found = Found::default();
    assert!(!refused(found, 1, SLOTS, SLOTS, LANES) && !refused(found, 0, 0, 0, 0));
    assert!(refused(found, 2, SLOTS, SLOTS, LANES) && refused(found, 0, SLOTS - 1, SLOTS, LANES));
    assert!(refused(found, 0, SLOTS, SLOTS - 1, LANES) && refused(found, 0, SLOTS, SLOTS, LANES - 1));
    // Counts whose sum would overflow.
    assert!(refused(Found { hub_edges: u64::MAX, ..found }, 0, SLOTS, SLOTS, LANES));
    assert!(refused(Found { cold_paths: 1 << 40, ..found }, 0, SLOTS, SLOTS, LANES));
}

#[test]
fn homes_list_every_chunk_of_a_vertex_once() {
    // Random chunks; what they mean does not matter here.
    let (n, chunks) = (300, 40);
    let random = |i: usize, salt: u64| hash::mix(i as u64, salt);
    let mut joined = Pages::zeroed(chunks * LANES).unwrap();
    let mut vertices = Pages::zeroed(chunks * SLOTS).unwrap();
    for (i, word) in joined.iter_mut().enumerate() {
        *word = random(i, 1) as u32 & random(i, 2) as u32 & u32::MAX >> 1;
    }
    let mut expected: BTreeMap<(Vertex, u32), u32> = BTreeMap::new();
    for (i, v) in vertices.iter_mut().enumerate() {
        let (chunk, row) = (i / SLOTS, i / LANES % ROWS);
        *v = NO_VERTEX;
        if used(joined[chunk * LANES + i % LANES]) >> row & 1 == 1 {
            // Vertex 7 is nowhere; low numbers are frequent.
            *v = (random(i, 3) % 300 * random(i, 4) % 300) as Vertex;
            *v += Vertex::from(*v == 7);
            *expected.entry((*v, chunk as u32)).or_default() += 1;
        }
    }
    let arcs = Offsets::Narrow(vec![0; chunks * SLOTS].into());
    let recipe = Arrays::new(false).recipe;
    let paths = Paths::new(recipe, Found::default(), 0, vertices.into(), arcs, joined.into()).unwrap();
    let homes = paths.homes(n).unwrap();
    let mut found = BTreeMap::new();
    for v in 0..n as Vertex {
        let row = homes.of_vertex(v);
        assert!(row.is_sorted_by_key(|home| home & !REPEATED));
        for home in row {
            assert_eq!(found.insert((v, home & !REPEATED), home & REPEATED != 0), None, "listed twice");
        }
    }
    let expected: BTreeMap<_, _> = expected.into_iter().map(|(key, mirrors)| (key, mirrors > 1)).collect();
    assert_eq!(found, expected);
    assert!(homes.of_vertex(7).is_empty());
    assert!(expected.values().any(|&repeated| repeated) && expected.values().any(|&repeated| !repeated));
    let bytes = paths.bytes();
    assert_eq!(bytes, (chunks * (SLOTS * 8 + LANES * 4)) as u64 + homes.bytes());
}
