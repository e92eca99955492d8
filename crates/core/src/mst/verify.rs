//! Verifies a minimum spanning forest:
//!
//! 1. edges name their smaller end first, and come in ascending order;
//! 2. every edge is in the graph, with that weight;
//! 3. no edge closes a cycle;
//! 4. both ends of every edge of the graph are in one tree;
//! 5. cycle property: no edge of the graph is smaller than the largest edge on the tree path between its ends, by
//!    (weight, smaller end, larger end). So the forest is the minimum, and the unique one among ties.
//!
//! Rule 5 takes O(m log n). The forest's edges are added in ascending order; each hangs the smaller tree below the root
//! of the larger one and labels that link with its number. Trees are then at most log n deep, and numbers rise towards
//! the root. To find the largest edge between two vertices, both climb until they meet, always the one with the smaller
//! number next; the last edge passed is the largest.

use super::MstAnswer;
use crate::{Violation, verify::first};
use std::cmp::Ordering;
use warpgraph_graph::{Graph, Vertex};

const ORDERED: &str = "edges come in order, the smaller end first";
const REAL: &str = "every edge is in the graph";
const FOREST: &str = "no edge closes a cycle";
const SPANS: &str = "both ends of an edge of the graph are in one tree";
const LEAST: &str = "no edge of the graph is less than the greatest on the way between its ends";

type Edge = (Vertex, Vertex, f64);

pub(super) fn verify(answer: &MstAnswer, graph: &Graph) -> Result<(), Violation> {
    let edges: Vec<Edge> = answer.edges().collect();
    let text = |e: &Edge| {
        let name = |v: Vertex| match (v as usize) < graph.vertices() {
            true => graph.ids().id(v).to_string(),
            false => format!("number {v}"),
        };
        format!("{} - {} of weight {}", name(e.0), name(e.1), e.2)
    };
    let wrong = |rule, e: &Edge| Violation::new(rule, text(e));
    let n = graph.vertices();
    if let Some(e) = edges.iter().find(|e| e.0 >= e.1 || e.1 as usize >= n) {
        return Err(wrong(ORDERED, e));
    }
    // Two edges between the same ends would close a cycle, so rule 3 finds them.
    if let Some(pair) = edges.windows(2).find(|pair| (pair[0].0, pair[0].1) > (pair[1].0, pair[1].1)) {
        return Err(wrong(ORDERED, &pair[1]));
    }
    if let Some(e) = edges.iter().find(|e| !is_edge(graph, e.0, e.1, e.2) && !is_edge(graph, e.1, e.0, e.2)) {
        return Err(wrong(REAL, e));
    }
    let ways = Ways::new(n, edges).map_err(|e| wrong(FOREST, &e))?;
    first(n, |u| {
        let arcs = graph.out().csr.arcs_of(u);
        let edge = |i: usize| {
            let v = graph.out().csr.targets()[i];
            (u.min(v), u.max(v), graph.out().weights.get(i))
        };
        arcs.map(edge).filter(|e| e.0 != e.1).find_map(|e| match ways.greatest(e.0, e.1) {
            None => Some(Violation::new(SPANS, text(&e))),
            Some(most) if compare(&e, most) == Ordering::Less => {
                Some(Violation::new(LEAST, format!("{} against {}", text(&e), text(most))))
            }
            Some(_) => None,
        })
    })
}

/// Compares edges. Weights are finite, so they always compare; 0 and -0 are equal.
fn compare(a: &Edge, b: &Edge) -> Ordering {
    a.2.partial_cmp(&b.2).unwrap_or(Ordering::Equal).then((a.0, a.1).cmp(&(b.0, b.1)))
}

/// Returns true if the graph has an arc u -> v of this weight.
fn is_edge(graph: &Graph, u: Vertex, v: Vertex, weight: f64) -> bool {
    let (csr, weights) = (&graph.out().csr, &graph.out().weights);
    let row = csr.neighbors(u);
    let first = row.partition_point(|&t| t < v);
    let start = csr.arcs_of(u).start;
    row[first..]
        .iter()
        .take_while(|&&t| t == v)
        .enumerate()
        .any(|(i, _)| weights.get(start + first + i) == weight)
}

/// The forest as a union-find without path compression; see the module head.
struct Ways {
    /// In ascending order.
    edges: Vec<Edge>,
    above: Vec<Vertex>,
    /// The number of the edge that links each vertex to its parent; `u32::MAX` for roots.
    hung: Vec<u32>,
}

impl Ways {
    /// Builds the forest; the error is the first edge that closes a cycle.
    fn new(vertices: usize, mut edges: Vec<Edge>) -> Result<Self, Edge> {
        edges.sort_by(compare);
        let mut above: Vec<Vertex> = (0..vertices as Vertex).collect();
        let (mut hung, mut size) = (vec![u32::MAX; vertices], vec![1u32; vertices]);
        for (number, e) in edges.iter().enumerate() {
            let [mut a, mut b] = [e.0, e.1].map(|v| root(&above, v) as usize);
            if a == b {
                return Err(*e);
            }
            if size[a] > size[b] {
                (a, b) = (b, a);
            }
            (above[a], hung[a]) = (b as Vertex, number as u32);
            size[b] += size[a];
        }
        Ok(Self { edges, above, hung })
    }

    /// Returns the largest edge on the path between two vertices; `None` if there is no path.
    fn greatest(&self, mut u: Vertex, mut v: Vertex) -> Option<&Edge> {
        let mut last = u32::MAX;
        while u != v {
            let low = if self.hung[u as usize] < self.hung[v as usize] { &mut u } else { &mut v };
            last = self.hung[*low as usize];
            if last == u32::MAX {
                return None;
            }
            *low = self.above[*low as usize];
        }
        self.edges.get(last as usize)
    }
}

fn root(above: &[Vertex], mut v: Vertex) -> Vertex {
    while above[v as usize] != v {
        v = above[v as usize];
    }
    v
}
