//! Answers of the engines of this project, for questions whose answers do not depend on the order of neighbours.

use super::{
    adjacency::Adjacency,
    column::{Column, Values, refused},
    dijkstra::{self, Answer, Found},
    rows::Rows,
};
use crate::{
    engines::{self, Key},
    work::{self, Watched},
};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};
use warpgraph::{
    Bc, Closeness, Control, Error, Graph, Kcore, Loaded, Order, PageRank, Scc, Sssp, Triangles, Wcc,
    graph::{Arcs, Csr, Ids, Offsets, Origin, Weights},
    sssp::Distances,
};

/// Fewer arcs than this, and Dijkstra's algorithm with a heap takes less time than to wake the threads of an engine.
const WORTH_AN_ENGINE: usize = 20_000;

/// Makes the graph of an engine: the same arcs, each row sorted.
fn graph(rows: &Rows, directed: bool, weights: Option<&Column>) -> Result<Graph, Error> {
    let (targets, weights) = match weights.map(|column| &column.values) {
        None => (sorted(rows, |_| ()).0, Weights::None),
        Some(Values::Ints(values)) => {
            let (least, most) = values
                .par_iter()
                .fold(|| (0, 0), |(low, high), &w| (w.min(low), w.max(high)))
                .reduce(|| (0, 0), |a: (i64, i64), b| (a.0.min(b.0), a.1.max(b.1)));
            if least >= 0 && most <= u32::MAX.into() {
                let (targets, weights) = sorted(rows, |at| values[at] as u32);
                (targets, Weights::U32(weights.into()))
            } else {
                let (targets, weights) = sorted(rows, |at| values[at] as f64);
                (targets, Weights::F64(weights.into()))
            }
        }
        Some(Values::Floats { values, .. }) => {
            let (targets, weights) = sorted(rows, |at| values[at]);
            (targets, Weights::F64(weights.into()))
        }
    };
    let name = "a NetworkX graph";
    let offsets = match u32::try_from(targets.len()) {
        Ok(_) => Offsets::Narrow(rows.offsets.iter().map(|&at| at as u32).collect::<Vec<_>>().into()),
        Err(_) => Offsets::Wide(rows.offsets.iter().map(|&at| at as u64).collect::<Vec<_>>().into()),
    };
    let csr = Csr::new(offsets, targets.into(), name)?;
    let origin = Origin { name: name.to_owned(), format: "memory".to_owned(), ..Origin::default() };
    Ok(Graph::new(Arcs { csr, weights }, directed, Ids::zero_based(rows.nodes()), origin)?)
}

/// Returns targets and weights with every row in ascending order of its targets.
fn sorted<W: Copy + Send + Sync>(rows: &Rows, weight: impl Fn(usize) -> W + Sync) -> (Vec<u32>, Vec<W>) {
    let mut arcs: Vec<(u32, W)> =
        rows.targets.par_iter().enumerate().map(|(at, &target)| (target, weight(at))).collect();
    let mut left = arcs.as_mut_slice();
    let mut lists = Vec::with_capacity(rows.nodes());
    for ends in rows.offsets.windows(2) {
        let (row, rest) = std::mem::take(&mut left).split_at_mut(ends[1] - ends[0]);
        lists.push(row);
        left = rest;
    }
    lists.par_iter_mut().for_each(|row| row.sort_unstable_by_key(|&(target, _)| target));
    arcs.into_par_iter().unzip()
}

/// A graph prepared by the engine of a device. The key also names the process, because threads do not survive `fork`.
#[derive(Debug, Default)]
pub(crate) struct Kept(Mutex<Option<(Key, Loaded)>>);

impl Adjacency {
    /// Returns the graph prepared by the engine of a device, with the weights of `column`; kept for later calls.
    fn loaded(&self, column: Option<&Column>, device: Key, control: &Control) -> Result<Loaded, Error> {
        let mut kept = column
            .map_or(&self.loaded, |column| &column.loaded)
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some((_, loaded)) = kept.as_ref().filter(|(kept, _)| *kept == device) {
            return Ok(loaded.clone());
        }
        let engine = engines::engine(device)?;
        let graph = engine.install(|| graph(&self.out, self.directed, column))?;
        let loaded = engine.load_with(&graph, Order::Natural, warpgraph::DEFAULT_SEED, control)?;
        *kept = Some((device, loaded.clone()));
        Ok(loaded)
    }

    /// Runs `ask` on the graph prepared by an engine, without the interpreter's lock. An error of the engine becomes
    /// `NotImplementedError`, after which NetworkX answers itself.
    pub(super) fn ask<T: Send>(
        &self,
        py: Python<'_>,
        column: Option<&Column>,
        ask: impl FnOnce(&Loaded, &Control) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let device = self.device();
        let answer = work::run(py, &Watched::default(), |control| {
            let loaded = self.loaded(column, device, control);
            Ok(match loaded.and_then(|loaded| ask(&loaded, control)) {
                Err(error) if error.kind() == "interrupted" => return Err(error),
                answer => answer,
            })
        })?;
        answer.map_err(|error| refused(error.to_string()))
    }

    /// Returns ranks, and the total change of the last sweep.
    pub(super) fn ranks(
        &self,
        py: Python<'_>,
        column: Option<&Column>,
        config: PageRank,
    ) -> PyResult<(Vec<f64>, f64)> {
        self.ask(py, column, |loaded, control| {
            let answer = loaded.pagerank(config).control(control).run()?;
            let figures = answer.figures();
            Ok((answer.ranks().to_vec(), figures.residual))
        })
    }

    /// Searches from one node by the engine's distances, ordered as NetworkX does.
    pub(super) fn distances(&self, py: Python<'_>, column: &Column, source: u32) -> PyResult<Option<Answer>> {
        if self.out.targets.len() < WORTH_AN_ENGINE || column.least().is_some_and(|least| least < 0.0) {
            return Ok(None);
        }
        self.ask(py, Some(column), |loaded, control| {
            let answer = loaded.sssp(Sssp::from(source)).control(control).run()?;
            let distances = answer.distances();
            let is_reached = |v: u32| distances.is_reached(v as usize);
            Ok(match (&column.values, distances) {
                (Values::Ints(weights), Distances::U32(found)) => {
                    let found = found.iter().map(|&d| i64::from(d)).collect();
                    dijkstra::in_order(&self.out, weights, source, found, is_reached).map(Answer::Ints)
                }
                (Values::Ints(weights), Distances::U64(found)) => {
                    let found = found.iter().map(|&d| d as i64).collect();
                    dijkstra::in_order(&self.out, weights, source, found, is_reached).map(Answer::Ints)
                }
                (Values::Floats { values, whole }, Distances::F64(found)) => {
                    let ordered = dijkstra::in_order(&self.out, values, source, found.to_vec(), is_reached);
                    ordered.map(|found: Found<f64>| {
                        let is_whole = dijkstra::whole(&self.out, whole, &found);
                        Answer::Floats(found, is_whole)
                    })
                }
                _ => None,
            })
        })
    }

    /// Returns betweenness from all nodes, or from some.
    pub(super) fn betweenness(
        &self,
        py: Python<'_>,
        column: Option<&Column>,
        config: Bc,
    ) -> PyResult<Vec<f64>> {
        self.ask(py, column, |loaded, control| {
            Ok(loaded.bc(config).control(control).run()?.scores().to_vec())
        })
    }

    /// Returns per node the number of other nodes that reach it, closeness, harmonic centrality and eccentricity.
    pub(super) fn near(&self, py: Python<'_>, sources: &[u32]) -> PyResult<Near> {
        let config = sources.iter().fold(Closeness::default(), |config, &v| config.source(v));
        self.ask(py, None, |loaded, control| {
            let answer = loaded.closeness(config).control(control).run()?;
            Ok(Near {
                reached: answer.reached().to_vec(),
                closeness: answer.closeness().to_vec(),
                harmonic: answer.harmonic().to_vec(),
                eccentricity: answer.eccentricity().to_vec(),
            })
        })
    }

    /// Returns the smallest member of the component of each node.
    pub(super) fn weak(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        self.ask(py, None, |loaded, control| {
            Ok(loaded.wcc(Wcc {}).control(control).run()?.components().to_vec())
        })
    }

    /// Returns the smallest member of the strongly connected component of each node.
    pub(super) fn strong(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        self.ask(py, None, |loaded, control| {
            Ok(loaded.scc(Scc::default()).control(control).run()?.components().to_vec())
        })
    }

    /// Returns per node the number of triangles and of neighbours.
    pub(super) fn corners(&self, py: Python<'_>) -> PyResult<(Vec<u64>, Vec<u32>)> {
        self.ask(py, None, |loaded, control| {
            let answer = loaded.triangles(Triangles::local()).control(control).run()?;
            let local = answer.local();
            Ok(local.map(|local| (local.triangles.to_vec(), local.degrees.to_vec())).unwrap_or_default())
        })
    }

    /// Returns the core number of each node.
    pub(super) fn cores(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        self.ask(py, None, |loaded, control| {
            Ok(loaded.kcore(Kcore::default()).control(control).run()?.cores().to_vec())
        })
    }
}

/// Sums over searches, per node.
pub(super) struct Near {
    pub(super) reached: Vec<u32>,
    pub(super) closeness: Vec<f64>,
    pub(super) harmonic: Vec<f64>,
    pub(super) eccentricity: Vec<u32>,
}
