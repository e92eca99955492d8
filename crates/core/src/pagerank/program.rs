//! PageRank as a program: a sum that distributes, `y[v] = (1 - d) t[v] + d * sum of y[u] p(u, v)`, swept from one array into another.
//!
//! What flows into sinks is dropped, and ranks are scaled to sum 1 at the end, which gives the same ranks as sending it where teleports
//! go. With s the sum of y, scaling makes a residual r of y one of at most 2 r / s of the ranks: r / s for the arcs, and as
//! much again because the sum is not yet what it will be. It will be 1 if there are no sinks, and at least 1 - d if there are;
//! s is less by r / (1 - d) at most. So sweeps go on until r is below the target T (the tolerance, or what proves the error)
//! times the least sum over 2 + T / (1 - d), and then 2 r / s is at most T.

use super::{PageRank, PageRankAnswer};
use crate::{
    Halt, Options, Result,
    program::{Combine, Dialect, Edge, Prepared, Runs, Vertex, VertexProgram, Ways},
};
use warpgraph_graph::{Arcs, Graph, NodeMap, par};

/// A walker: columns `teleport` (t) and `factor` (d over the degree, or over the sum of outgoing weights).
#[derive(Debug, Clone)]
pub struct Walk {
    teleport: Vec<f64>,
    factor: Vec<f64>,
    damping: f64,
    weighted: bool,
    /// The first guess: so much of `teleport`, and so much for every outgoing arc.
    guess: (f64, f64),
    halt: Halt,
}

impl Walk {
    /// Of one vertex, for the table of variants.
    pub fn example(weighted: bool) -> Self {
        let column = vec![1.0];
        let halt = Halt::l1(1e-6);
        Self { teleport: column.clone(), factor: column, damping: 0.5, weighted, guess: (1.0, 0.0), halt }
    }

    /// Of a graph; `map` leads to its vertices from those that are ranked, if it has copies.
    fn new(graph: &Graph, config: &PageRank, map: Option<&NodeMap>) -> Result<Self> {
        let n = map.map_or(graph.vertices(), NodeMap::len);
        let mut given = config.teleport(graph)?;
        if let (Some(teleport), Some(map)) = (&mut given, map) {
            *teleport = map.restore(teleport)?.to_vec();
        }
        let is_uniform = given.is_none();
        let teleport = given.unwrap_or_else(|| vec![1.0 / n.max(1) as f64; n]);
        let out = graph.out();
        let mut sent: Vec<f64> = match config.weighted {
            true => par::map(graph.vertices(), |v| strength(out, v as u32)),
            false => par::map(graph.vertices(), |v| out.csr.degree(v as u32) as f64),
        };
        if let Some(map) = map {
            sent = merged(&sent, map);
        }
        let has_sinks = sent.contains(&0.0);
        let factor = par::map(n, |v| if sent[v] > 0.0 { config.damping / sent[v] } else { 0.0 });
        // On an undirected graph a walker who teleports anywhere comes by in proportion to the degree.
        let by_degree = !graph.is_directed() && is_uniform && !config.weighted && graph.arcs() > 0;
        let connected = (n as u64).saturating_sub(graph.counts().isolated) as f64 / n.max(1) as f64;
        let guess = match by_degree {
            true => (1.0 - config.damping, config.damping * connected / graph.arcs() as f64),
            false => (1.0, 0.0),
        };
        let least_sum = if has_sinks { 1.0 - config.damping } else { 1.0 };
        let room = 2.0 + config.target() / (1.0 - config.damping);
        let halt = Halt::l1(config.target() * least_sum / room).or(Halt::rounds(config.max_iterations));
        Ok(Self { teleport, factor, damping: config.damping, weighted: config.weighted, guess, halt })
    }
}

/// Adds what the copies of a vertex send to what it sends itself.
fn merged(sent: &[f64], map: &NodeMap) -> Vec<f64> {
    let mut sums = vec![0.0; map.len()];
    for (sent, &original) in sent.iter().zip(&map.originals()[..]) {
        if let Some(sum) = sums.get_mut(original as usize) {
            *sum += sent;
        }
    }
    sums
}

/// The sum of a vertex's outgoing weights.
fn strength(out: &Arcs, v: u32) -> f64 {
    out.csr.arcs_of(v).map(|arc| out.weights.get(arc)).sum()
}

impl VertexProgram for Walk {
    type Value = f64;
    type Weight = f64;
    type Column = [f64; 2];
    const NAME: &'static str = "pagerank";
    const COMBINE: Combine = Combine::Sum;
    const DISTRIBUTES: bool = true;

    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, [f64; 2]>) -> D::Val<f64> {
        let [teleport, _] = v.columns;
        d.param("teleports", 1.0 - self.damping) * teleport
    }
    fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<f64> {
        let [_, factor] = e.source.columns;
        let share = e.value * factor;
        if self.weighted { share * e.weight } else { share }
    }
    fn start<D: Dialect>(&self, d: &D, v: Vertex<D, [f64; 2]>) -> D::Val<f64> {
        let [teleport, _] = v.columns;
        let (base, per_arc) = self.guess;
        let degree: D::Val<f64> = d.cast(v.degree);
        d.param("guess", base) * teleport + d.param("guess-per-arc", per_arc) * degree
    }
    fn halt(&self) -> Halt {
        self.halt
    }
    fn columns(&self) -> Vec<(&'static str, &[f64])> {
        vec![("teleport", &self.teleport), ("factor", &self.factor)]
    }
}

/// Returns the rank of every vertex.
///
/// # Errors
/// When interrupted, when memory is short, when a personalised vertex is not in the graph, or when the device fails.
pub fn by_program(engine: &impl Runs, config: &PageRank, options: &Options) -> Result<PageRankAnswer> {
    let graph = engine.graph();
    let map = options.map.as_ref().filter(|map| !map.is_renumbering());
    let walk = Walk::new(graph, config, map)?;
    let prepared = Prepared::new(&walk, graph, map)?;
    let ran = engine.run(&prepared, options, Ways::Out)?;
    let mut ranks = ran.values;
    if let Some(copies) = prepared.copies() {
        let is_copy = |v: usize| !copies.is_master(v as u32);
        ranks.iter_mut().enumerate().filter(|(v, _)| is_copy(*v)).for_each(|(_, rank)| *rank = 0.0);
    }
    let sum: f64 = ranks.iter().sum();
    if sum > 0.0 {
        par::parts_mut(&mut ranks, par::FINE, |_, part| part.iter_mut().for_each(|rank| *rank /= sum));
    }
    let residual = ran.residual.map_or(0.0, |r| if sum > 0.0 { 2.0 * r / sum } else { r });
    Ok(PageRankAnswer::new(graph, config, ranks, residual, ran.run))
}
