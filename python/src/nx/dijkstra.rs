//! Dijkstra's algorithm in the order of NetworkX.
//!
//! NetworkX keeps a heap of (distance, count, node), where `count` numbers the pushes. A node is pushed when its distance
//! falls, so nodes leave the heap by distance, and at equal distances in the order of their last push. Two forms give that
//! order:
//!
//! - [`search`] does the same with a heap. It serves all questions: several sources, cutoff, target, every predecessor.
//! - [`in_order`] takes distances that an engine has found. The last push of v comes from the first node u in the order that
//!   has `distance[u] + w(u, v) == distance[v]`. One pass over the arcs, node by node in the order that it makes, therefore
//!   finds order and parents: O(m + n log n) without a heap. It needs exact distances and no negative weights.
//!
//! Distances of decimals are sums from the source outwards, as in NetworkX, so they are equal to the last bit.

use super::{
    bfs::NONE,
    column::{Column, Values},
    rows::Rows,
};
use crate::work::Signals;
use pyo3::PyErr;
use std::{cmp::Ordering, collections::BinaryHeap};

/// A type of distances.
pub(crate) trait Distance: Copy + PartialOrd + Send + Sync + 'static {
    const ZERO: Self;
    fn plus(self, weight: Self) -> Self;
    fn order(&self, other: &Self) -> Ordering;
    fn as_f64(self) -> f64;
}

impl Distance for i64 {
    const ZERO: Self = 0;
    fn plus(self, weight: Self) -> Self {
        self + weight
    }
    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }
    fn as_f64(self) -> f64 {
        self as f64
    }
}

impl Distance for f64 {
    const ZERO: Self = 0.0;
    fn plus(self, weight: Self) -> Self {
        self + weight
    }
    fn order(&self, other: &Self) -> Ordering {
        self.partial_cmp(other).unwrap_or(Ordering::Equal)
    }
    fn as_f64(self) -> f64 {
        self
    }
}

/// A sum of floats that remembers whether it is a sum of integers, as a number of Python does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mixed {
    pub(crate) value: f64,
    pub(crate) is_whole: bool,
}

impl PartialEq for Mixed {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl PartialOrd for Mixed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

impl Distance for Mixed {
    const ZERO: Self = Self { value: 0.0, is_whole: true };
    fn plus(self, weight: Self) -> Self {
        Self { value: self.value + weight.value, is_whole: self.is_whole && weight.is_whole }
    }
    fn order(&self, other: &Self) -> Ordering {
        self.value.order(&other.value)
    }
    fn as_f64(self) -> f64 {
        self.value
    }
}

/// What to search for.
#[derive(Debug, Default)]
pub(crate) struct Question {
    /// Different nodes.
    pub(crate) sources: Vec<u32>,
    /// Nodes farther away are not found.
    pub(crate) cutoff: Option<f64>,
    /// The search ends when this node is final.
    pub(crate) target: Option<u32>,
    /// Every predecessor is asked for, not only the first.
    pub(crate) all: bool,
}

/// What a search has found.
#[derive(Debug)]
pub(crate) struct Found<D> {
    /// The nodes with final distances, in the order in which they became final.
    pub(crate) order: Vec<u32>,
    /// Final only for nodes in `order`.
    pub(crate) distances: Vec<D>,
    /// The first predecessor on a shortest path, the node itself for a source, [`NONE`] for a node not found.
    pub(crate) parents: Vec<u32>,
    /// If all were asked for: the nodes with predecessors in the order in which they got the first, and the predecessors.
    pub(crate) predecessors: Option<(Vec<u32>, Vec<Vec<u32>>)>,
}

/// Why a search ended early.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// A negative weight made a final distance smaller.
    Contradiction,
    /// A signal raised an exception.
    Signal(PyErr),
}

impl From<PyErr> for Stopped {
    fn from(exception: PyErr) -> Self {
        Self::Signal(exception)
    }
}

struct Entry<D> {
    distance: D,
    count: u64,
    node: u32,
}

impl<D: Distance> Ord for Entry<D> {
    /// The greatest entry, which the heap returns first, has the least distance and count.
    fn cmp(&self, other: &Self) -> Ordering {
        other.distance.order(&self.distance).then(other.count.cmp(&self.count))
    }
}

impl<D: Distance> PartialOrd for Entry<D> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<D: Distance> PartialEq for Entry<D> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<D: Distance> Eq for Entry<D> {}

/// Searches with a heap. `weights` has one entry per arc.
pub(crate) fn search<D: Distance>(
    rows: &Rows,
    weights: &[D],
    question: &Question,
) -> Result<Found<D>, Stopped> {
    let (n, mut signals) = (rows.nodes(), Signals::default());
    let mut found =
        Found { order: Vec::new(), distances: vec![D::ZERO; n], parents: vec![NONE; n], predecessors: None };
    let mut predecessors = vec![Vec::new(); if question.all { n } else { 0 }];
    let mut with_predecessors = Vec::new();
    let (mut is_final, mut heap, mut count) = (vec![false; n], BinaryHeap::new(), 0);
    let mut push = |heap: &mut BinaryHeap<_>, distance, node| {
        heap.push(Entry { distance, count, node });
        count += 1;
    };
    for &source in &question.sources {
        found.parents[source as usize] = source;
        with_predecessors.push(source);
        push(&mut heap, D::ZERO, source);
    }
    while let Some(Entry { distance, node: u, .. }) = heap.pop() {
        signals.step()?;
        if std::mem::replace(&mut is_final[u as usize], true) {
            continue;
        }
        found.order.push(u);
        if question.target == Some(u) {
            break;
        }
        for place in rows.range(u) {
            let v = rows.targets[place] as usize;
            let length = distance.plus(weights[place]);
            if question.cutoff.is_some_and(|cutoff| length.as_f64() > cutoff) {
                continue;
            }
            let (seen, old) = (found.parents[v] != NONE, found.distances[v]);
            match (is_final[v], seen) {
                (true, _) if length < old => return Err(Stopped::Contradiction),
                (false, seen) if !seen || length < old => {
                    found.distances[v] = length;
                    found.parents[v] = u;
                    push(&mut heap, length, v as u32);
                    if question.all {
                        if !seen {
                            with_predecessors.push(v as u32);
                        }
                        predecessors[v].clear();
                        predecessors[v].push(u);
                    }
                }
                _ if question.all && length == old => predecessors[v].push(u),
                _ => (),
            }
        }
    }
    found.predecessors = question.all.then_some((with_predecessors, predecessors));
    Ok(found)
}

/// Orders nodes by `distances` from `source`, as the module describes. `is_reached` tells which nodes have one.
///
/// Returns `None` if the distances are not those of the weights, which no engine returns.
pub(crate) fn in_order<D: Distance>(
    rows: &Rows,
    weights: &[D],
    source: u32,
    distances: Vec<D>,
    is_reached: impl Fn(u32) -> bool,
) -> Option<Found<D>> {
    let n = rows.nodes();
    let mut sorted: Vec<u32> = (0..n as u32).filter(|&v| is_reached(v)).collect();
    sorted.sort_unstable_by(|&u, &v| distances[u as usize].order(&distances[v as usize]));
    // Nodes at one distance share a group; `next[v]` of its first place in `sorted` counts those in order.
    let mut group = vec![0; n];
    let mut first = 0;
    for (at, &v) in sorted.iter().enumerate() {
        if distances[v as usize] != distances[sorted[first] as usize] {
            first = at;
        }
        group[v as usize] = first;
    }
    let mut next: Vec<usize> = (0..sorted.len()).collect();
    let (mut order, mut parents) = (vec![NONE; sorted.len()], vec![NONE; n]);
    let mut place_in_order = |v: u32, parent: u32, parents: &mut [u32], order: &mut [u32]| {
        parents[v as usize] = parent;
        let slot = &mut next[group[v as usize]];
        order[*slot] = v;
        *slot += 1;
    };
    place_in_order(source, source, &mut parents, &mut order);
    for at in 0..order.len() {
        let u = order[at];
        if u == NONE {
            return None;
        }
        let distance = distances[u as usize];
        for place in rows.range(u) {
            let v = rows.targets[place];
            if parents[v as usize] == NONE && distance.plus(weights[place]) == distances[v as usize] {
                place_in_order(v, u, &mut parents, &mut order);
            }
        }
    }
    Some(Found { order, distances, parents, predecessors: None })
}

/// A search by the weights of a column, or by hops.
#[derive(Debug)]
pub(crate) enum Answer {
    Ints(Found<i64>),
    /// The second part is true for distances that are sums of integers.
    Floats(Found<f64>, Vec<bool>),
}

/// Tells which distances are sums of integers: those whose parent's is, over an arc of integer weight.
pub(crate) fn whole(rows: &Rows, whole: &[bool], found: &Found<f64>) -> Vec<bool> {
    let mut is_whole = vec![false; rows.nodes()];
    let may_be = whole.contains(&true);
    for &u in &found.order {
        is_whole[u as usize] |= found.parents[u as usize] == u;
        if may_be && is_whole[u as usize] {
            for place in rows.range(u) {
                let v = rows.targets[place] as usize;
                is_whole[v] |= found.parents[v] == u && whole[place];
            }
        }
    }
    is_whole
}

impl Answer {
    /// Searches with a heap.
    pub(crate) fn search(rows: &Rows, column: &Column, question: &Question) -> Result<Self, Stopped> {
        Ok(match &column.values {
            Values::Ints(weights) => Self::Ints(search(rows, weights, question)?),
            Values::Floats { values, whole: are_whole } => {
                let found = search(rows, values, question)?;
                let is_whole = whole(rows, are_whole, &found);
                Self::Floats(found, is_whole)
            }
        })
    }

    pub(crate) fn order(&self) -> &[u32] {
        match self {
            Self::Ints(found) => &found.order,
            Self::Floats(found, _) => &found.order,
        }
    }

    pub(crate) fn parents(&self) -> &[u32] {
        match self {
            Self::Ints(found) => &found.parents,
            Self::Floats(found, _) => &found.parents,
        }
    }

    pub(crate) fn predecessors(&self) -> Option<&(Vec<u32>, Vec<Vec<u32>>)> {
        match self {
            Self::Ints(found) => found.predecessors.as_ref(),
            Self::Floats(found, _) => found.predecessors.as_ref(),
        }
    }
}
