//! Minimum spanning forest: one round of Borůvka [1], then Filter-Kruskal [2].
//!
//! The lightest edge of every vertex is in the forest. On an undirected graph a vertex finds it in its own row, so the
//! first round of Borůvka needs no atomics to compare and joins half of the vertices at least. Then some of the lightest
//! edges between trees are collected, sorted and taken in order unless their ends hang together already (Kruskal); that
//! joins nearly all of the rest. Heavier edges are only looked at after that, on all threads, and nearly all of them lie inside a
//! tree and are left out unsorted.
//!
//! Departures from the papers: edges are never stored all at once, each pass reads the rows and keeps what it needs; and
//! on undirected graphs rows inside the giant tree are not read any more, since the other end of an edge that leaves it
//! has it in its row. A directed graph's rows have only one of the ends, so there all passes read all rows, and there is no
//! round of Borůvka.
//!
//! Work O(m + n log n log(m / n)) for weights in random order. Memory: 4 bytes a vertex for trees, 12 to 16 for picks, and
//! 12 to 16 an edge collected, some n of them.
//!
//! [1] O. Borůvka, O jistém problému minimálním, 1926. [2] V. Osipov, P. Sanders, J. Singler, The Filter-Kruskal minimum
//! spanning tree algorithm, ALENEX 2009.

mod collect;
mod weight;

use crate::{
    Options, Recorder,
    parts::{Forest, atomics, team},
};
use collect::Rows;
use rayon::prelude::*;
use std::time::Instant;
use warpgraph_core::{
    Direction, Halted, Plan, Result,
    mst::{Mst, MstAnswer},
};
use warpgraph_graph::{Graph, Offset, Pages, Vertex, Weights, with_view};
use weight::{Edge, Unit, Weighing};

/// Edges collected for each tree that is left, the first time; four times as many each time after.
const EDGES_A_TREE: usize = 3;

/// The lightest edges that hold together what hangs together.
///
/// # Errors
/// When interrupted or when memory is short.
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
    let mut recorder = Recorder::start(options, Instant::now());
    let n = graph.vertices();
    let mut trees = Pages::<Vertex>::scratch(n)?;
    let mut edges = Vec::with_capacity(n);
    with_view!(graph.out().csr, |out| {
        let forest = Forest { cells: atomics(&mut trees) };
        let rows = Rows { out, weights, options, is_undirected: !graph.is_directed() };
        grow(&rows, &forest, &mut edges, &mut recorder)?;
    });
    let (sources, targets, weights) = in_order::<W>(n, &edges)?;
    let state = 4 * n + edges.len() * (size_of::<Edge<W::Key>>() + 8);
    let run = recorder.finish(Plan::Bsp { direction: None }, Halted::Converged, state as u64);
    Ok(MstAnswer::new(graph, sources, targets, weights, run))
}

/// Joins trees until no edge leads from one to another.
fn grow<O: Offset, W: Weighing>(
    rows: &Rows<'_, O, W>,
    forest: &Forest<'_>,
    edges: &mut Vec<Edge<W::Key>>,
    recorder: &mut Recorder,
) -> Result<()> {
    let n = rows.out.vertices();
    let control = &rows.options.control;
    control.check("growing trees")?;
    team(|team| {
        forest.for_all(team, |v| forest.cells[v as usize].store(v, std::sync::atomic::Ordering::Relaxed))
    });
    if rows.is_undirected {
        team(|team| rows.join_lightest(team, forest, edges));
        team(|team| forest.compress(team));
        recorder.step(n, Direction::Push, || format!("{} trees left", n - edges.len()));
    }
    let mut wanted = EDGES_A_TREE;
    let mut done = None;
    loop {
        control.check("growing trees")?;
        control.report("mst", edges.len() as u64, Some(n as u64));
        let trees = n - edges.len();
        let limit = rows.limit(forest, done, wanted * trees);
        let giant = (rows.is_undirected && done.is_some()).then(|| forest.sample(n as u64)).flatten();
        let mut found = team(|team| rows.collect(team, forest, giant, done, limit));
        found.par_sort_unstable();
        control.check("growing trees")?;
        edges.extend(found.iter().filter(|e| rows.join(forest, e)));
        team(|team| forest.compress(team));
        recorder.step(found.len(), Direction::Push, || format!("{} trees left", n - edges.len()));
        if limit.is_none() {
            return Ok(());
        }
        (done, wanted) = (limit, 4 * wanted);
    }
}

/// The columns of the answer.
type Columns = (Pages<Vertex>, Pages<Vertex>, Weights);

/// The edges by smaller end, then larger end: put into buckets by the smaller one, each sorted by itself.
fn in_order<W: Weighing>(n: usize, edges: &[Edge<W::Key>]) -> Result<Columns> {
    let mut starts = Pages::<u32>::zeroed(n + 1)?;
    edges.iter().for_each(|e| starts[e.low as usize + 1] += 1);
    for v in 1..=n {
        starts[v] += starts[v - 1];
    }
    let mut places: Vec<(Vertex, u32)> = vec![(0, 0); edges.len()];
    for (i, e) in edges.iter().enumerate() {
        let at = &mut starts[e.low as usize];
        places[*at as usize] = (e.high, i as u32);
        *at += 1;
    }
    // Every start has moved to its end, which is where the next one was.
    let (mut sources, mut targets) = (Pages::scratch(edges.len())?, Pages::scratch(edges.len())?);
    let mut first = 0;
    for (v, &end) in starts[..n].iter().enumerate() {
        let row = first..end as usize;
        places[row.clone()].sort_unstable();
        sources[row].fill(v as Vertex);
        first = end as usize;
    }
    targets.iter_mut().zip(&places).for_each(|(target, place)| *target = place.0);
    let weights = W::weights(places.iter().map(|place| edges[place.1 as usize].key));
    Ok((sources, targets, weights))
}
