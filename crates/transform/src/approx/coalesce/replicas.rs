//! [`Filled`]: which vertices get replicas in the holes of which tails, the arcs that they take over, and those that they get.

use super::{
    super::{
        changes::{self, Edit, Replica, Replicas, Step},
        weigh::Mean,
    },
    numbering::{Numbering, Tail},
};
use crate::order::Marks;
use std::cmp::Reverse;
use warpgraph_core::{Knob, Result};
use warpgraph_graph::{Arcs, Graph, NodeMap, Vertex, WeightType, par};

/// The replicas. Vertices are ranks.
pub(super) struct Filled {
    /// The replicas, each with the rank of its master and its own number, by tail.
    pub(super) replicas: Vec<(Vertex, Vertex)>,
    /// Where the arcs of each replica end in `taken`.
    ends: Vec<u64>,
    /// The arcs that replicas take over.
    taken: Vec<Edit>,
    /// The edges added, each once.
    pub(super) added: Vec<Edit>,
}

/// A vertex that is well connected to a tail.
struct Candidate {
    tail: usize,
    /// The vertices of the tail that it has arcs to.
    arcs: u32,
    rank: Vertex,
}

impl Filled {
    /// Chooses replicas for a graph whose vertices are ranks; `ranks` leads to the original vertices.
    pub(super) fn of(graph: &Graph, numbering: &Numbering, threshold: Knob, ranks: &NodeMap) -> Result<Self> {
        let mut candidates = candidates(graph, numbering, threshold)?;
        candidates.sort_unstable_by_key(|candidate| {
            (candidate.tail, Reverse(candidate.arcs), ranks.original(candidate.rank))
        });
        let mut filled =
            Self { replicas: Vec::new(), ends: Vec::new(), taken: Vec::new(), added: Vec::new() };
        for best in candidates.chunk_by(|a, b| a.tail == b.tail) {
            let tail = numbering.tails[best[0].tail];
            for (number, candidate) in tail.holes().zip(best) {
                filled.fill(graph.out(), candidate.rank, &tail, number, graph.weight_type());
            }
        }
        if !graph.is_directed() {
            filled.merge();
        }
        Ok(filled)
    }

    /// Puts a replica of `rank` into a hole of a tail.
    fn fill(&mut self, arcs: &Arcs, rank: Vertex, tail: &Tail, number: Vertex, kind: Option<WeightType>) {
        let row = arcs.csr.neighbors(rank);
        let from = row.partition_point(|&t| t < tail.ranks().start);
        let inside = row[from..].iter().take_while(|&&t| t < tail.ranks().end);
        let start = arcs.csr.arcs_of(rank).start + from;
        let (mut mean, first) = (Mean::EMPTY, self.taken.len());
        for (arc, &target) in (start..).zip(inside) {
            let weight = arcs.weights.get(arc);
            mean.add(weight);
            self.taken.push(Edit::new(rank, target, weight));
        }
        let weight = mean.of(kind);
        let taken = &self.taken[first..];
        let is_missing = |&t: &Vertex| taken.binary_search_by_key(&t, |edit| edit.target).is_err();
        self.added.extend(tail.ranks().filter(is_missing).map(|target| Edit::new(rank, target, weight)));
        self.replicas.push((rank, number));
        self.ends.push(self.taken.len() as u64);
    }

    /// Merges edges that replicas of both ends add; the first one stays.
    fn merge(&mut self) {
        self.added.iter_mut().for_each(|edit| *edit = edit.renamed(false, |v| v));
        changes::sort(&mut self.added);
        self.added.dedup_by_key(|edit| (edit.source, edit.target));
    }

    /// Returns the changes in original vertices.
    pub(super) fn step(self, ranks: &NodeMap, graph: &Graph) -> Step {
        let name = |v: Vertex| ranks.original(v);
        let is_directed = graph.is_directed();
        let added = self.added.into_iter().map(|edit| edit.renamed(is_directed, name)).collect();
        let taken: Vec<Edit> = self.taken.into_iter().map(|edit| edit.renamed(true, name)).collect();
        let replica = |&(rank, inner): &(Vertex, Vertex)| Replica { inner, original: name(rank) };
        let list: Vec<Replica> = self.replicas.iter().map(replica).collect();
        let replicas = Replicas::of(&list, &self.ends, &taken, graph.weight_type());
        Step { added, dropped: Vec::new(), replicas }
    }
}

/// Returns all vertices that are connected to tails, other than in their own chunk, above the threshold; by rank.
fn candidates(graph: &Graph, numbering: &Numbering, threshold: Knob) -> Result<Vec<Candidate>> {
    let csr = &graph.out().csr;
    let mut in_tail = Marks::none(csr.vertices())?;
    numbering.tails.iter().flat_map(Tail::ranks).for_each(|rank| _ = in_tail.insert(rank));
    let look = |range: std::ops::Range<usize>| {
        let mut found = Vec::new();
        for rank in range.start as Vertex..range.end as Vertex {
            let row = csr.neighbors(rank);
            connected(row, numbering, &in_tail, |tail, arcs| {
                let Tail { len, .. } = numbering.tails[tail];
                let is_own = numbering.tails[tail].ranks().contains(&rank);
                if !is_own && f64::from(arcs) > threshold.value() * f64::from(len) {
                    found.push(Candidate { tail, arcs, rank });
                }
            });
        }
        found
    };
    let join = |mut all: Vec<Candidate>, more: Vec<Candidate>| {
        all.extend(more);
        all
    };
    Ok(par::reduce(csr.vertices(), 1 << 10, look, join).unwrap_or_default())
}

/// Calls `visit` with every tail that a sorted row leads into, and with how many of its vertices are in the row.
fn connected(row: &[Vertex], numbering: &Numbering, in_tail: &Marks, mut visit: impl FnMut(usize, u32)) {
    let mut rest = row.iter().copied().filter(|&t| in_tail.has(t)).peekable();
    while let Some(first) = rest.next() {
        let Some(tail) = numbering.tail_of_rank(first) else { continue };
        let end = numbering.tails[tail].ranks().end;
        let (mut last, mut arcs) = (first, 1);
        while let Some(target) = rest.next_if(|&t| t < end) {
            arcs += u32::from(target != last);
            last = target;
        }
        visit(tail, arcs);
    }
}
