//! Exact betweenness of an undirected graph, block by block.
//!
//! A shortest path between two vertices runs through a chain of [`Blocks`], and which share of the paths passes a vertex is
//! decided in the block of that vertex alone. Let every vertex of a block stand for its *mass*: itself, and the vertices
//! that hang at it outside the block. Then, over ordered pairs,
//!
//! ```text
//! c[v] = (pairs of vertices that v separates) + sum over the blocks of v of
//!        sum over s, t in the block, s != v != t, of mass(s) mass(t) sigma(s, t | v) / sigma(s, t)
//! ```
//! where the first term is arithmetic, and searches from the vertices of a block need not leave it. Blocks of two vertices,
//! which all pendant trees consist of, have no inner vertices, so nothing searches them. The idea is that of [1] and [2].
//!
//! Blocks of three or more vertices are laid out side by side as one graph, the largest first, each in the order of a
//! breadth-first search. Large blocks are searched like any graph; small ones one by one, each on one thread.
//!
//! Weighted paths of different blocks are compared apart from each other, which is right if no sum of weights is rounded.
//! So a graph with decimal weights is folded only if all sums are exact ([`sums_are_exact`]).
//!
//! Work: O(n + m), and O(k + l) per vertex of a block of k vertices and l edges. Memory: 24 bytes per vertex, and a copy of
//! the blocks.
//!
//! \[1\] A. E. Sariyüce et al., Graph manipulations for fast centrality computation, ACM TKDD 11, 2017.
//! \[2\] R. Puzis et al., Topology manipulations for speeding betweenness centrality computation, J. Complex Networks 3,
//! 2015.

use super::{
    Masses, Stands, Task, WALK,
    ledger::{Searches, Walk, walkers},
    walks,
};
use crate::blocks::{Blocks, Members, NO_BLOCK};
use std::{
    cmp::Reverse,
    ops::Range,
    sync::{Mutex, PoisonError},
};
use warpgraph_core::{Error, Result, bc::Bc};
use warpgraph_graph::{
    Control, Graph, NO_VERTEX, NodeMap, Vertex, Weights,
    build::{self, EdgeWeights, FromEdges, Loops, Parallel},
    par,
};

/// Blocks of this many vertices are searched like any graph. So are blocks of [`MEDIUM`] vertices, if they have at least one of
/// [`SHARE`] vertices of all blocks, because a sweep goes over the vertices of all. Other blocks are searched one by one, each on
/// one thread.
const LARGE: usize = 1 << 12;
const MEDIUM: usize = 1 << 9;
const SHARE: usize = 4;
/// Vertices of small blocks that a thread takes at a time.
const PIECE: usize = 1 << 10;

/// The blocks of three or more vertices, side by side.
pub(super) struct Folded {
    graph: Graph,
    /// For every vertex of `graph`, the original vertex and its mass.
    originals: Vec<Vertex>,
    masses: Vec<f64>,
    /// The vertices of every block, the largest block first.
    ranges: Vec<Range<usize>>,
    /// For every original vertex, the number of ordered pairs that it separates.
    separated: Vec<u128>,
    /// For every original vertex, the number of other vertices in its component.
    others: Vec<u32>,
    /// The sum over all original vertices of the arcs in the component of each.
    arcs: u64,
}

impl Folded {
    /// Folds a graph, or returns `None` where that is not possible: it is directed, or sums of weights may be rounded.
    ///
    /// # Errors
    /// If interrupted, or if memory is short.
    pub(super) fn of(graph: &Graph, config: &Bc, control: &Control) -> Result<Option<Self>> {
        let weights = &graph.out().weights;
        if graph.is_directed() || config.weighted && !sums_are_exact(weights, graph.vertices()) {
            return Ok(None);
        }
        let blocks = Blocks::of(graph, control)?;
        let layout = Layout::of(&blocks);
        let unordered = layout.build(graph, &blocks, config.weighted)?;
        let order = layout.breadth_first(&unordered);
        let (originals, masses) =
            order.iter().map(|&copy| (layout.originals[copy as usize], layout.masses[copy as usize])).unzip();
        let folded = unordered.renumbered(&NodeMap::of_order(order)?, control)?;
        let (others, arcs) = reached(graph, &blocks);
        let separated = blocks.separated();
        Ok(Some(Self { graph: folded, originals, masses, ranges: layout.ranges, separated, others, arcs }))
    }

    /// Returns the arcs and vertices that all searches visit, there and back. Visits of walks count [`WALK`] times; if `walks`,
    /// large blocks are walked too.
    pub(super) fn visits(&self, walks: bool) -> u64 {
        let (offsets, large) = (self.graph.out().csr.offsets(), self.large());
        let visits = |(number, range): (usize, &Range<usize>)| {
            let arcs = offsets.get(range.end) - offsets.get(range.start);
            let each = if walks || number >= large { WALK } else { 1 };
            each * range.len() as u64 * 2 * (range.len() + arcs) as u64
        };
        self.ranges.iter().enumerate().map(visits).fold(0, u64::saturating_add)
    }

    /// Returns how many blocks are searched like any graph. They are the first.
    fn large(&self) -> usize {
        let is_large =
            |vertices| vertices >= LARGE || vertices >= MEDIUM && SHARE * vertices >= self.sources();
        self.ranges.partition_point(|range| is_large(range.len()))
    }

    /// Returns how many vertices are left to search from.
    pub(super) fn sources(&self) -> usize {
        self.originals.len()
    }

    /// Adds the dependencies on all vertices to `sums`.
    ///
    /// # Errors
    /// If interrupted, or if memory is short.
    pub(super) fn search(&self, task: &mut Task<'_>, sums: &mut [f64]) -> Result<()> {
        let config = Bc { endpoints: false, ..task.config.clone() };
        let mut inner = Task {
            graph: &self.graph,
            config: &config,
            masses: Masses::of_blocks(&self.masses),
            recorder: task.recorder.take(),
            total: self.sources(),
            ..Task::quiet(&self.graph, &config, task.options)
        };
        let mut found = vec![0.0; self.sources()];
        let large = self.large();
        let split = self.ranges.get(large).map_or(self.sources(), |range| range.start);
        let sources: Vec<Vertex> = (0..split as Vertex).collect();
        inner.search(&sources, &mut found)?;
        self.search_small(&mut inner, large, &mut found[split..])?;
        task.recorder = inner.recorder.take();
        task.bytes += inner.bytes + self.bytes();
        task.arcs += self.arcs;
        let ends = if task.config.endpoints { 2.0 } else { 0.0 };
        for (v, sum) in sums.iter_mut().enumerate() {
            *sum += self.separated[v] as f64 + ends * f64::from(self.others[v]);
        }
        self.originals.iter().zip(found).for_each(|(&v, found)| sums[v as usize] += found);
        Ok(())
    }

    /// Searches the blocks from number `first` on, each on one thread. `sums` are those of their vertices.
    fn search_small(&self, task: &mut Task<'_>, first: usize, mut sums: &mut [f64]) -> Result<()> {
        let sources = sums.len();
        if sources == 0 {
            return Ok(());
        }
        let mut blocks = Vec::with_capacity(self.ranges.len() - first);
        for range in &self.ranges[first..] {
            let (mine, rest) = sums.split_at_mut(range.len());
            blocks.push(Block { range: range.clone(), sums: mine });
            sums = rest;
        }
        let blocks = Mutex::new(blocks.into_iter());
        let small = Small { blocks, control: task.options.control.clone(), masses: task.masses };
        let stands = Stands { masses: task.masses, copies: None };
        task.bytes += walks(task.graph, stands, task.config.weighted, small)?;
        task.tell(sources, sources, 0, || "small blocks".to_owned());
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.graph.bytes() + 24 * self.originals.len() as u64 + 20 * self.separated.len() as u64
    }
}

/// A block to search, and the sums of its vertices.
struct Block<'a> {
    range: Range<usize>,
    sums: &'a mut [f64],
}

/// Searches from all vertices of some blocks, each block on one thread.
struct Small<'a> {
    blocks: Mutex<std::vec::IntoIter<Block<'a>>>,
    control: Control,
    masses: Masses<'a>,
}

impl<'a> Small<'a> {
    /// Takes blocks of about [`PIECE`] vertices together; none if none are left.
    fn take(&self) -> Vec<Block<'a>> {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut taken, mut vertices) = (Vec::new(), 0);
        while vertices < PIECE
            && let Some(block) = blocks.next()
        {
            vertices += block.range.len();
            taken.push(block);
        }
        taken
    }

    fn search(&self, walker: &mut impl Walk, block: Block<'_>) -> Result<()> {
        for source in block.range.clone() {
            walker.walk(source as Vertex, &self.control)?;
            let (mass, (reached, deltas)) = (self.masses.of(source as Vertex), walker.dependencies());
            for (&v, delta) in reached.iter().zip(deltas).skip(1) {
                block.sums[v as usize - block.range.start] += mass * delta;
            }
        }
        Ok(())
    }
}

impl Searches for Small<'_> {
    fn run<W: Walk>(self, make: impl Fn() -> Result<W> + Sync, bytes: u64) -> Result<u64> {
        let walkers = walkers(bytes);
        par::try_each(walkers, |_| {
            let mut walker = make()?;
            loop {
                let blocks = self.take();
                if blocks.is_empty() {
                    return Ok::<_, Error>(());
                }
                blocks.into_iter().try_for_each(|block| self.search(&mut walker, block))?;
            }
        })?;
        Ok(walkers as u64 * bytes)
    }
}

/// Where every vertex of the blocks of three or more vertices goes.
struct Layout {
    /// For every block, the range of its vertices: the top, then the others; `None` for a block of two.
    places: Vec<Option<Range<usize>>>,
    /// For every original vertex, its place in its home.
    homes: Vec<Vertex>,
    originals: Vec<Vertex>,
    masses: Vec<f64>,
    ranges: Vec<Range<usize>>,
}

impl Layout {
    fn of(blocks: &Blocks) -> Self {
        let (sizes, members) = (blocks.sizes(), Members::of(blocks));
        let mut all_of = vec![0; blocks.len()];
        for (range, all) in blocks.components() {
            all_of[range.start as usize..range.end as usize].fill(*all);
        }
        let mut large: Vec<u32> = (0..blocks.len() as u32).filter(|&b| sizes[b as usize] > 2).collect();
        large.sort_by_key(|&block| Reverse(sizes[block as usize]));
        let n = blocks.vertices();
        let (places, homes) = (vec![None; blocks.len()], vec![NO_VERTEX; n]);
        let mut layout =
            Self { places, homes, originals: Vec::new(), masses: Vec::new(), ranges: Vec::new() };
        for block in large {
            let start = layout.originals.len();
            layout.originals.push(blocks.top(block));
            layout.masses.push(f64::from(blocks.top_mass(block, all_of[block as usize])));
            for &v in members.of_block(block) {
                layout.homes[v as usize] = layout.originals.len() as Vertex;
                layout.originals.push(v);
                layout.masses.push(f64::from(blocks.mass(v)));
            }
            let range = start..layout.originals.len();
            layout.places[block as usize] = Some(range.clone());
            layout.ranges.push(range);
        }
        layout
    }

    /// Builds the graph of the blocks.
    fn build(&self, graph: &Graph, blocks: &Blocks, weighted: bool) -> Result<Graph> {
        let (mut pairs, mut arcs) = (Vec::new(), Vec::new());
        for v in 0..graph.vertices() as Vertex {
            for arc in graph.out().csr.arcs_of(v) {
                let u = graph.out().csr.targets()[arc];
                // Each edge once, by the arc from its larger end.
                if u < v
                    && let block = blocks.of_edge(u, v)
                    && let Some(range) = &self.places[block as usize]
                {
                    let place = |v: Vertex| {
                        if blocks.home(v) == block { self.homes[v as usize] } else { range.start as Vertex }
                    };
                    pairs.push([place(u), place(v)]);
                    arcs.push(arc);
                }
            }
        }
        let weights = if weighted { picked(&graph.out().weights, &arcs) } else { EdgeWeights::None };
        let options = build::Options { directed: false, loops: Loops::Keep, parallel: Parallel::Keep };
        Ok(FromEdges { options }.build(self.originals.len(), pairs, weights)?)
    }

    /// Lists the vertices of every block in the order of a breadth-first search from its vertex of largest degree.
    fn breadth_first(&self, graph: &Graph) -> Vec<Vertex> {
        let csr = &graph.out().csr;
        let (mut order, mut seen) = (Vec::with_capacity(graph.vertices()), vec![false; graph.vertices()]);
        for range in &self.ranges {
            let Some(first) = range.clone().max_by_key(|&v| (csr.degree(v as Vertex), Reverse(v))) else {
                continue;
            };
            let mut at = order.len();
            order.push(first as Vertex);
            seen[first] = true;
            while let Some(&v) = order.get(at) {
                at += 1;
                let new = |u: &Vertex| !std::mem::replace(&mut seen[*u as usize], true);
                order.extend(csr.neighbors(v).iter().copied().filter(new));
            }
        }
        order
    }
}

/// Returns the weights of some arcs.
fn picked(weights: &Weights, arcs: &[usize]) -> EdgeWeights {
    match weights {
        Weights::None => EdgeWeights::None,
        Weights::U32(w) => EdgeWeights::U32(arcs.iter().map(|&arc| w[arc]).collect()),
        Weights::I32(w) => EdgeWeights::I32(arcs.iter().map(|&arc| w[arc]).collect()),
        Weights::F32(w) => EdgeWeights::F32(arcs.iter().map(|&arc| w[arc]).collect()),
        Weights::F64(w) => EdgeWeights::F64(arcs.iter().map(|&arc| w[arc]).collect()),
    }
}

/// Returns for every vertex the number of others in its component, and the sum over all vertices of the arcs there.
fn reached(graph: &Graph, blocks: &Blocks) -> (Vec<u32>, u64) {
    let n = graph.vertices();
    let (mut others, mut component_of) = (vec![0; n], vec![u32::MAX; n]);
    let mut arcs = vec![0; blocks.components().len()];
    let mut block_of = vec![0; blocks.len()];
    for (number, (range, _)) in blocks.components().iter().enumerate() {
        block_of[range.start as usize..range.end as usize].fill(number as u32);
        component_of[blocks.top(range.end - 1) as usize] = number as u32;
    }
    let mut alone = 0;
    for v in 0..n as Vertex {
        if blocks.home(v) != NO_BLOCK {
            component_of[v as usize] = block_of[blocks.home(v) as usize];
        }
        match component_of[v as usize] {
            u32::MAX => alone += graph.degree(v) as u64,
            number => {
                arcs[number as usize] += graph.degree(v) as u64;
                others[v as usize] = blocks.components()[number as usize].1 - 1;
            }
        }
    }
    let sums = blocks.components().iter().zip(arcs).map(|((_, all), arcs)| u64::from(*all) * arcs);
    (others, sums.sum::<u64>() + alone)
}

/// Returns true if no sum of the weights along a path of a graph of `n` vertices is rounded: all are multiples of a power of
/// two that is large enough.
fn sums_are_exact(weights: &Weights, n: usize) -> bool {
    match weights {
        Weights::None | Weights::U32(_) | Weights::I32(_) => true,
        Weights::F32(w) => are_multiples(w.iter().map(|&w| f64::from(w)), n),
        Weights::F64(w) => are_multiples(w.iter().copied(), n),
    }
}

fn are_multiples(weights: impl Iterator<Item = f64>, n: usize) -> bool {
    let (mut unit, mut most) = (i32::MAX, 0.0f64);
    for w in weights.filter(|&w| w != 0.0) {
        let bits = w.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        // Subnormal weights are too small beside any other.
        if exponent == 0 {
            return false;
        }
        unit = unit.min(exponent - 1075 + (fraction | 1 << 52).trailing_zeros() as i32);
        most = most.max(w.abs());
    }
    unit == i32::MAX || most * n as f64 <= 2f64.powi(53) * 2f64.powi(unit)
}

#[cfg(test)]
mod tests;
