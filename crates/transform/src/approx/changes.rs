//! [`Changes`]: the list of what an approximation changed, in the vertex numbers of the original graph.

use super::weigh;
use std::ops::Range;
use warpgraph_core::Exactness;
use warpgraph_graph::{Buffer, Vertex, WeightType, Weights, hash::mix};

/// An edge to add or to drop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edit {
    pub(super) source: Vertex,
    pub(super) target: Vertex,
    /// The weight, which the type of the graph's weights can hold; 1 without weights.
    pub(super) weight: f64,
}

impl Edit {
    pub(super) fn new(source: Vertex, target: Vertex, weight: f64) -> Self {
        Self { source, target, weight }
    }

    /// Returns the edge with its ends renamed; an undirected edge names the smaller one first.
    pub(super) fn renamed(self, directed: bool, name: impl Fn(Vertex) -> Vertex) -> Self {
        let (a, b) = (name(self.source), name(self.target));
        let (source, target) = if directed { (a, b) } else { (a.min(b), a.max(b)) };
        Self { source, target, ..self }
    }

    fn ends(&self) -> (Vertex, Vertex) {
        (self.source, self.target)
    }
}

/// A list of edges; cheap to clone. An undirected edge is listed once, with its smaller end first.
#[derive(Debug, Clone, Default)]
pub struct Edges {
    pairs: Buffer<[Vertex; 2]>,
    weights: Weights,
}

impl Edges {
    pub(super) fn of(edits: &[Edit], kind: Option<WeightType>) -> Self {
        let pairs: Vec<_> = edits.iter().map(|edit| [edit.source, edit.target]).collect();
        let weights = weigh::typed(edits.iter().map(|edit| edit.weight), kind);
        Self { pairs: pairs.into(), weights }
    }

    /// Returns the number of edges.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the ends of every edge.
    pub fn pairs(&self) -> &[[Vertex; 2]] {
        &self.pairs
    }

    /// Returns the weights, in the type of the graph.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Returns every edge with its weight; 1 without weights.
    pub fn iter(&self) -> impl Iterator<Item = (Vertex, Vertex, f64)> + '_ {
        self.slice(0..self.len())
    }

    fn slice(&self, range: Range<usize>) -> impl Iterator<Item = (Vertex, Vertex, f64)> + '_ {
        range.map(|i| (self.pairs[i][0], self.pairs[i][1], self.weights.get(i)))
    }
}

/// A replica: where it is, and of which vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replica {
    /// The number of the replica in the changed graph.
    pub inner: Vertex,
    /// The vertex that it is a replica of.
    pub original: Vertex,
}

/// The replicas of a graph; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Replicas {
    list: Buffer<[Vertex; 2]>,
    /// Where the arcs of each replica begin in `taken`, and the end of the last one.
    starts: Buffer<u64>,
    taken: Edges,
}

impl Replicas {
    /// Takes the replicas, where the arcs of each end, and these arcs.
    pub(super) fn of(list: &[Replica], ends: &[u64], taken: &[Edit], kind: Option<WeightType>) -> Self {
        let starts: Vec<u64> = std::iter::once(0).chain(ends.iter().copied()).collect();
        let list: Vec<_> = list.iter().map(|replica| [replica.inner, replica.original]).collect();
        Self { list: list.into(), starts: starts.into(), taken: Edges::of(taken, kind) }
    }

    /// Returns the number of replicas.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns every replica.
    pub fn iter(&self) -> impl Iterator<Item = Replica> + '_ {
        self.list.iter().map(|&[inner, original]| Replica { inner, original })
    }

    /// Returns the arcs that a replica took over from its master: source, target, weight. Panics if there is no such replica.
    pub fn taken(&self, replica: usize) -> impl Iterator<Item = (Vertex, Vertex, f64)> + '_ {
        self.taken.slice(self.starts[replica] as usize..self.starts[replica + 1] as usize)
    }

    /// Returns the number of vertices that have replicas.
    fn masters(&self) -> u64 {
        let mut masters: Vec<Vertex> = self.iter().map(|replica| replica.original).collect();
        masters.sort_unstable();
        masters.dedup();
        masters.len() as u64
    }
}

/// What an approximation changed, in the vertex numbers of the original graph; cheap to clone.
///
/// The original graph is what remains if every replica's row goes back to its master, `added` is removed, and `dropped` is put
/// back. No edge is in both lists.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    /// The edges added. No arc joined their ends before.
    pub added: Edges,
    /// The edges dropped.
    pub dropped: Edges,
    /// The replicas, each with the arcs that it took over. Its other arcs are among the edges added.
    pub replicas: Replicas,
    /// Whether the original graph is directed. One with replicas always is.
    pub(super) directed: bool,
}

impl Changes {
    /// Returns the changes of two steps in a row, the first of which only adds.
    pub(super) fn of((first, then): (Vec<Edit>, Step), kind: Option<WeightType>, directed: bool) -> Self {
        let (mut added, mut dropped) = (first, then.dropped);
        sort(&mut dropped);
        // An edge that was added and then dropped never was. The second step adds none that the graph had.
        let is_dropped = |edit: &Edit| dropped.binary_search_by_key(&edit.ends(), Edit::ends).is_ok();
        let mut undone: Vec<Edit> = added.iter().copied().filter(is_dropped).collect();
        sort(&mut undone);
        let is_undone = |edit: &Edit| undone.binary_search_by_key(&edit.ends(), Edit::ends).is_ok();
        added.retain(|edit| !is_undone(edit));
        dropped.retain(|edit| !is_undone(edit));
        added.extend(then.added);
        sort(&mut added);
        Self {
            added: Edges::of(&added, kind),
            dropped: Edges::of(&dropped, kind),
            replicas: then.replicas,
            directed,
        }
    }

    /// Returns the counts of these changes.
    pub(super) fn counted(&self) -> Exactness {
        Exactness {
            replicated: self.replicas.masters(),
            replicas: self.replicas.len() as u64,
            added: self.added.len() as u64,
            dropped: self.dropped.len() as u64,
            ..Exactness::default()
        }
    }
}

/// The changes of one technique.
#[derive(Debug, Default)]
pub(super) struct Step {
    pub(super) added: Vec<Edit>,
    pub(super) dropped: Vec<Edit>,
    pub(super) replicas: Replicas,
}

/// Sorts by both ends; edges between the same ends stay as they are listed.
pub(super) fn sort(edits: &mut [Edit]) {
    edits.sort_by_key(Edit::ends);
}

/// Returns a number that depends on the seed, the purpose and two others; the same on every machine.
pub(super) fn drawn(seed: u64, purpose: u64, a: u64, b: u64) -> u64 {
    mix(mix(mix(seed, purpose), a), b)
}
