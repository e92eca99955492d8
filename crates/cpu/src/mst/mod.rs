//! Minimum spanning forest: Borůvka [1] on the lightest edges first [2].
//!
//! The lightest edge of every vertex is in the forest. On an undirected graph a vertex finds it in its own row, so the
//! first round of Borůvka needs no atomics for comparisons, and joins at least half of the vertices. Then the algorithm
//! collects some of the lightest edges between trees, and rounds over that list join nearly all of the rest. Only after
//! that does it examine heavier edges; nearly all of them lie inside a tree and are never listed.
//!
//! Departures from the papers: the edges are never all stored at once; each pass reads the rows and keeps what it
//! needs. Lists are joined by rounds of Borůvka, which all threads share, and only short lists are sorted and taken in
//! order (Kruskal). On undirected graphs, rows inside the giant tree are no longer read, since the other end of an edge
//! that leaves it has the edge in its row. In a directed graph only one end has the arc in its row, so all passes read
//! all rows, and all rounds go over lists.
//!
//! A graph may have copies of vertices, whose rows are parts of those of their masters. A copy starts in the tree of its
//! master, and the lightest edge of a vertex is that of all its rows. So the forest is that of the graph in which copies are
//! merged into their masters.
//!
//! Work O(m + n log n) for weights in random order, O(m log n) at most. Memory: 8 bytes per vertex for trees, 12 to 16
//! per edge of the forest, and 20 to 24 per listed edge, of which there are a small multiple of n.
//!
//! [1] O. Borůvka, O jistém problému minimálním, 1926. [2] V. Osipov, P. Sanders, J. Singler, The Filter-Kruskal
//!     minimum spanning tree algorithm, ALENEX 2009.

mod boruvka;
mod collect;
mod weight;

use crate::{
    Options, Recorder,
    parts::{Forest, Team, atomics, team},
};
use boruvka::Trees;
use collect::Rows;
use std::{sync::atomic::Ordering::Relaxed, time::Instant};
use warpgraph_core::{
    Direction, Halted, Plan, Result,
    mst::{Mst, MstAnswer},
    program::Copies,
};
use warpgraph_graph::{Graph, Offset, Pages, Vertex, Weights, with_view};
use weight::{Edge, Unit, Weighing};

/// Edges collected per remaining tree the first time; four times as many each time after.
const EDGES_PER_TREE: usize = 3;

/// Computes the lightest edges that connect every component.
///
/// # Errors
/// If interrupted, or if memory is short.
pub fn mst(graph: &Graph, _: &Mst, options: &Options) -> Result<MstAnswer> {
    match &graph.out().weights {
        Weights::None => span(graph, Unit, options),
        Weights::U32(w) => span(graph, &w[..], options),
        Weights::I32(w) => span(graph, &w[..], options),
        Weights::F32(w) => span(graph, &w[..], options),
        Weights::F64(w) => span(graph, &w[..], options),
    }
}

fn span<W: Weighing>(graph: &Graph, weights: W, options: &Options) -> Result<MstAnswer> {
    let prepared = Instant::now();
    let copies = Copies::of_run(graph, options)?;
    let mut recorder = Recorder::start(options, prepared);
    let (n, whole) = (graph.vertices(), options.whole(graph));
    let (mut above, mut least) = (Pages::<Vertex>::scratch(n)?, Pages::<u32>::scratch(n)?);
    let mut edges = Vec::with_capacity(n);
    let trees = Trees { forest: Forest { cells: atomics(&mut above) }, least: atomics(&mut least) };
    with_view!(graph.out().csr, |out| {
        let (is_undirected, copies) = (!whole.is_directed(), copies.as_ref());
        let rows = Rows { out, weights, options, is_undirected, copies };
        team(|team| grow(team, &rows, whole.vertices(), &trees, &mut edges, &mut recorder))?;
    });
    let (sources, targets, weights) = in_order::<W>(n, &edges)?;
    let state = 8 * n + edges.len() * (size_of::<Edge<W::Key>>() + 8);
    let run = recorder.finish(Plan::bsp(None), Halted::Converged, state as u64);
    Ok(MstAnswer::new(graph, sources, targets, weights, run))
}

/// Joins trees until no edge leads from one to another. `n` is the number of vertices without copies.
fn grow<O: Offset, W: Weighing>(
    team: &Team,
    rows: &Rows<'_, O, W>,
    n: usize,
    trees: &Trees<'_>,
    edges: &mut Vec<Edge<W::Key>>,
    recorder: &mut Recorder,
) -> Result<()> {
    let (forest, control) = (&trees.forest, &rows.options.control);
    control.check("growing trees")?;
    forest.for_all(team, |v| forest.cells[v as usize].store(v, Relaxed));
    if let Some(copies) = rows.copies {
        forest.unite(team, copies);
    }
    if rows.is_undirected {
        rows.join_lightest(team, forest, edges);
        forest.compress(team);
        recorder.step(n, Direction::Push, || format!("{} trees left", n - edges.len()));
    }
    let mut wanted = EDGES_PER_TREE;
    let mut done = None;
    loop {
        control.report("mst", edges.len() as u64, Some(n as u64));
        let limit = rows.limit(forest, done, wanted * (n - edges.len()));
        let giant = (rows.is_undirected && done.is_some())
            .then(|| forest.sample(rows.out.vertices() as u64))
            .flatten();
        let list = rows.collect(team, trees, giant, done, limit);
        let listed = list.len();
        trees.join_all(team, list, edges, control)?;
        recorder.step(listed, Direction::Push, || format!("{} trees left", n - edges.len()));
        if limit.is_none() {
            return Ok(());
        }
        forest.compress(team);
        (done, wanted) = (limit, 4 * wanted);
    }
}

/// The columns of the answer.
type Columns = (Pages<Vertex>, Pages<Vertex>, Weights);

/// Sorts the edges by smaller end, then larger end: distributes them into buckets by the smaller end and sorts each
/// bucket.
fn in_order<W: Weighing>(n: usize, edges: &[Edge<W::Key>]) -> Result<Columns> {
    let mut starts = Pages::<u32>::zeroed(n + 1)?;
    edges.iter().for_each(|e| starts[e.low as usize + 1] += 1);
    for v in 1..=n {
        starts[v] += starts[v - 1];
    }
    // Every start moves to the end of its bucket, which is where the next one started.
    let mut placed: Vec<Edge<W::Key>> = edges.to_vec();
    for &edge in edges {
        let at = &mut starts[edge.low as usize];
        placed[*at as usize] = edge;
        *at += 1;
    }
    let mut first = 0;
    for &end in &starts[..n] {
        placed[first..end as usize].sort_unstable_by_key(|edge| edge.high);
        first = end as usize;
    }
    let (mut sources, mut targets) = (Pages::scratch(edges.len())?, Pages::scratch(edges.len())?);
    for ((source, target), edge) in sources.iter_mut().zip(targets.iter_mut()).zip(&placed) {
        (*source, *target) = (edge.low, edge.high);
    }
    let weights = W::weights(placed.iter().map(|edge| edge.key));
    Ok((sources, targets, weights))
}
