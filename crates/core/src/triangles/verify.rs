//! Verifies triangle counts:
//!
//! 1. every vertex has the degree of the simple undirected graph;
//! 2. no vertex has more triangles than pairs of neighbours;
//! 3. every triangle is counted at three vertices;
//! 4. a recount finds the same numbers, in total and at every vertex.
//!
//! An estimated count must have the recount within its interval, which fails with the probability that the user allows.
//!
//! The recount iterates over vertices [1]. A neighbour is *above* a vertex if it has more arcs, or as many and a larger
//! number. The recount marks the vertices above u, and for each v above u counts the marked vertices above v. It shares
//! nothing with the engines: it uses plain lists in the graph's own numbering and one byte per mark. O(m^1.5) work on
//! all threads, 4 bytes per edge.
//!
//! [1] T. Schank, D. Wagner, Finding, counting and listing all triangles in large graphs, WEA 2005.

use super::{Local, TrianglesAnswer, answer::pairs};
use crate::{Violation, verify::first};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use warpgraph_graph::{Graph, Vertex, par};

pub(super) fn verify(answer: &TrianglesAnswer, graph: &Graph) -> Result<(), Violation> {
    let above = Above::new(graph);
    if let Some(local) = answer.local() {
        check_local(local, &above, graph, answer.triangles())?;
    }
    let counts: Option<Vec<AtomicU64>> =
        answer.local().map(|_| (0..graph.vertices()).map(|_| AtomicU64::new(0)).collect());
    let recount = above.count(counts.as_deref());
    if let Some(estimate) = answer.estimate() {
        let [_, low, high] = estimate.triangles();
        let what = || format!("from {low} to {high} triangles, a recount finds {recount}");
        let is_inside = (low..=high).contains(&recount);
        return if is_inside { Ok(()) } else { Err(Violation::new("the interval holds the count", what())) };
    }
    if recount != answer.triangles() {
        let what = format!("{} triangles, a recount finds {recount}", answer.triangles());
        return Err(Violation::new("a recount finds as many triangles", what));
    }
    let (Some(local), Some(counts)) = (answer.local(), counts) else { return Ok(()) };
    first(graph.vertices(), |v| {
        let (got, expected) = (local.triangles[v as usize], counts[v as usize].load(Relaxed));
        (got != expected).then(|| {
            let what = format!("{got} at vertex {}, a recount finds {expected}", graph.ids().id(v));
            Violation::new("a recount finds as many triangles at every vertex", what)
        })
    })
}

fn check_local(local: &Local, above: &Above, graph: &Graph, total: u64) -> Result<(), Violation> {
    let n = graph.vertices();
    if (local.triangles.len(), local.degrees.len()) != (n, n) {
        let what = format!("{} and {} for {n} vertices", local.triangles.len(), local.degrees.len());
        return Err(Violation::new("one value per vertex", what));
    }
    let degrees = above.degrees();
    first(n, |v| {
        let (id, degree) = (graph.ids().id(v), degrees[v as usize]);
        let (got, triangles) = (local.degrees[v as usize], local.triangles[v as usize]);
        if got != degree {
            let what = format!("{got} neighbours of vertex {id}, {degree} are there");
            return Some(Violation::new("a degree counts every other vertex once", what));
        }
        (triangles > pairs(degree)).then(|| {
            let what = format!("{triangles} at vertex {id} of {degree} neighbours");
            Violation::new("no more triangles than pairs of neighbours", what)
        })
    })?;
    let sum: u128 = local.triangles.iter().map(|&t| u128::from(t)).sum();
    if sum == 3 * u128::from(total) {
        return Ok(());
    }
    let what = format!("vertices have {sum}, expected three times {total}");
    Err(Violation::new("every triangle has three vertices", what))
}

/// For each vertex the neighbours above it, each once.
struct Above {
    lists: Vec<Vec<Vertex>>,
}

impl Above {
    fn new(graph: &Graph) -> Self {
        let n = graph.vertices();
        let mut arcs_at = vec![0u64; n];
        each_edge(graph, |u, v| {
            arcs_at[u as usize] += 1;
            arcs_at[v as usize] += 1;
        });
        let height = |v: Vertex| (arcs_at[v as usize], v);
        let mut lists = vec![Vec::new(); n];
        each_edge(graph, |u, v| {
            let (low, high) = if height(u) < height(v) { (u, v) } else { (v, u) };
            lists[low as usize].push(high);
        });
        par::parts_mut(&mut lists, 256, |_, lists| {
            for list in lists {
                list.sort_unstable();
                list.dedup();
            }
        });
        Self { lists }
    }

    fn degrees(&self) -> Vec<u32> {
        let mut degrees: Vec<u32> = self.lists.iter().map(|list| list.len() as u32).collect();
        self.lists.iter().flatten().for_each(|&v| degrees[v as usize] += 1);
        degrees
    }

    /// Returns the number of triangles, and adds each at its three vertices.
    fn count(&self, counts: Option<&[AtomicU64]>) -> u64 {
        let pieces = 8 * rayon::current_num_threads();
        let piece = |piece: usize| {
            let mut marked = vec![false; self.lists.len()];
            (piece..self.lists.len())
                .step_by(pieces)
                .map(|u| self.count_at(u, &mut marked, counts))
                .sum::<u64>()
        };
        par::map(pieces, piece).iter().sum()
    }

    /// Counts the triangles whose lowest vertex is `u`.
    fn count_at(&self, u: usize, marked: &mut [bool], counts: Option<&[AtomicU64]>) -> u64 {
        let above = &self.lists[u];
        above.iter().for_each(|&v| marked[v as usize] = true);
        let mut found = 0;
        for &v in above {
            found += self.lists[v as usize].iter().filter(|&&w| marked[w as usize]).count() as u64;
            if let Some(counts) = counts {
                for &w in self.lists[v as usize].iter().filter(|&&w| marked[w as usize]) {
                    for x in [u, v as usize, w as usize] {
                        counts[x].fetch_add(1, Relaxed);
                    }
                }
            }
        }
        above.iter().for_each(|&v| marked[v as usize] = false);
        found
    }
}

/// Calls `visit` for each edge between two different vertices: once per undirected edge, once per arc of a directed
/// graph.
fn each_edge(graph: &Graph, mut visit: impl FnMut(Vertex, Vertex)) {
    for u in 0..graph.vertices() as Vertex {
        for &v in graph.out().csr.neighbors(u) {
            if u < v || (u > v && graph.is_directed()) {
                visit(u, v);
            }
        }
    }
}
