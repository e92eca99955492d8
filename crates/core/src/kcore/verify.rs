//! Verifies core numbers:
//!
//! 1. not too high: a vertex of core number c has c or more arcs to vertices of core number c or more, so these
//!    vertices form a subgraph in which every degree is at least c;
//! 2. not too low: for k = 0, 1, ... the vertices of core number k can be removed one by one, each when at most k of
//!    its arcs remain, so none of them is in a (k + 1)-core.
//!
//! Rule 2 is one serial pass of O(n + m), independent of the engines.

use super::KcoreAnswer;
use crate::{Violation, verify::first};
use warpgraph_graph::{Graph, Vertex};

pub(super) fn verify(answer: &KcoreAnswer, graph: &Graph) -> Result<(), Violation> {
    let cores = answer.cores();
    if cores.len() != graph.vertices() {
        let what = format!("{} for {} vertices", cores.len(), graph.vertices());
        return Err(Violation::new("one value per vertex", what));
    }
    let mut inside = vec![0u64; cores.len()];
    let mut degrees = vec![0u64; cores.len()];
    each_arc(graph, |u, v| {
        let (a, b) = (u as usize, v as usize);
        (degrees[a], degrees[b]) = (degrees[a] + 1, degrees[b] + 1);
        inside[a] += u64::from(cores[b] >= cores[a]);
        inside[b] += u64::from(cores[a] >= cores[b]);
    });
    first(cores.len(), |v| {
        let (core, found) = (cores[v as usize], inside[v as usize]);
        (found < u64::from(core)).then(|| {
            let what = format!("vertex {} of core {core} has {found}", graph.ids().id(v));
            Violation::new("as many arcs into its core as its number", what)
        })
    })?;
    Peeling::new(cores, graph, degrees).run()
}

/// Calls `visit` for each edge between two different vertices: once per undirected edge, once per arc of a directed
/// graph.
fn each_arc(graph: &Graph, mut visit: impl FnMut(Vertex, Vertex)) {
    for u in 0..graph.vertices() as Vertex {
        for &v in graph.out().csr.neighbors(u) {
            if u < v || (u > v && graph.is_directed()) {
                visit(u, v);
            }
        }
    }
}

/// Removes vertices in ascending order of core numbers.
struct Peeling<'a> {
    cores: &'a [u32],
    graph: &'a Graph,
    /// Arcs to vertices that are not removed yet.
    left: Vec<u64>,
    queued: Vec<bool>,
    /// The other end of each arc, in both directions: those of v are `ends[starts[v] .. starts[v + 1]]`.
    starts: Vec<usize>,
    ends: Vec<Vertex>,
}

impl<'a> Peeling<'a> {
    fn new(cores: &'a [u32], graph: &'a Graph, degrees: Vec<u64>) -> Self {
        let n = cores.len();
        let mut starts = vec![0; n + 1];
        for v in 0..n {
            starts[v + 1] = starts[v] + degrees[v] as usize;
        }
        let mut next = starts.clone();
        let mut ends = vec![0; starts[n]];
        each_arc(graph, |u, v| {
            for (from, to) in [(u, v), (v, u)] {
                ends[next[from as usize]] = to;
                next[from as usize] += 1;
            }
        });
        Self { cores, graph, left: degrees, queued: vec![false; n], starts, ends }
    }

    fn run(mut self) -> Result<(), Violation> {
        let mut order: Vec<Vertex> = (0..self.cores.len() as Vertex).collect();
        order.sort_by_key(|&v| self.cores[v as usize]);
        for same in order.chunk_by(|&a, &b| self.cores[a as usize] == self.cores[b as usize]) {
            self.take_away(same);
            if let Some(&v) = same.iter().find(|&&v| !self.queued[v as usize]) {
                let (id, core, left) =
                    (self.graph.ids().id(v), self.cores[v as usize], self.left[v as usize]);
                let what = format!("vertex {id} of core {core} keeps {left} arcs when no other can go");
                return Err(Violation::new("no vertex belongs to a higher core", what));
            }
        }
        Ok(())
    }

    /// Removes all of `same`, which share one core number, that can be removed.
    fn take_away(&mut self, same: &[Vertex]) {
        let core = u64::from(self.cores[same[0] as usize]);
        let mut queue: Vec<Vertex> =
            same.iter().copied().filter(|&v| self.left[v as usize] <= core).collect();
        queue.iter().for_each(|&v| self.queued[v as usize] = true);
        while let Some(v) = queue.pop() {
            for i in self.starts[v as usize]..self.starts[v as usize + 1] {
                let u = self.ends[i] as usize;
                self.left[u] -= 1;
                if !self.queued[u] && u64::from(self.cores[u]) == core && self.left[u] <= core {
                    self.queued[u] = true;
                    queue.push(u as Vertex);
                }
            }
        }
    }
}
