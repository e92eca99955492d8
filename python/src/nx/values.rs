//! Functions that return one value per node, from the engines.

use super::{adjacency::Adjacency, build::Nodes, column::Column};
use pyo3::{prelude::*, types::PyDict};
use warpgraph::{Bc, PageRank, pagerank::Share};

/// Returns ranks in the order of the graph, and whether they have converged: they are within `tolerance` in total, or within
/// `loose` after `sweeps`.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the parameters of NetworkX")]
pub(crate) fn pagerank<'py>(
    py: Python<'py>,
    graph: &Adjacency,
    column: Option<&Column>,
    damping: f64,
    teleport: Vec<(u32, f64)>,
    sweeps: u64,
    tolerance: f64,
    loose: f64,
) -> PyResult<(Bound<'py, PyDict>, bool)> {
    let personalize = teleport.into_iter().map(|(v, share)| Share { vertex: v.into(), share }).collect();
    let weighted = column.is_some();
    let config =
        PageRank { damping, tolerance, max_iterations: sweeps, weighted, personalize, ..PageRank::default() };
    let (ranks, residual) = graph.ranks(py, column, config)?;
    Ok((by_node(py, graph, ranks.into_iter())?, residual < loose))
}

fn by_node<'py, N: super::build::Number>(
    py: Python<'py>,
    graph: &Adjacency,
    values: impl Iterator<Item = N>,
) -> PyResult<Bound<'py, PyDict>> {
    Nodes::new(py, &graph.keys).dict((0..).zip(values))
}

/// Returns betweenness from all nodes, or from some; or estimates it within `max_error`.
#[pyfunction]
pub(crate) fn betweenness<'py>(
    py: Python<'py>,
    graph: &Adjacency,
    column: Option<&Column>,
    sources: Option<Vec<u32>>,
    normalized: bool,
    endpoints: bool,
    max_error: Option<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let config = Bc { weighted: column.is_some(), normalized, endpoints, max_error, ..Bc::default() };
    let config = sources.into_iter().flatten().fold(config, |config, v| config.source(v));
    by_node(py, graph, graph.betweenness(py, column, config)?.into_iter())
}

/// Returns closeness of all nodes, or of some; `scaled` by the share of nodes that reach a node.
#[pyfunction]
pub(crate) fn closeness<'py>(
    py: Python<'py>,
    graph: &Adjacency,
    sources: Vec<u32>,
    scaled: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let near = graph.near(py, &sources)?;
    let others = graph.nodes() as f64 - 1.0;
    let value = |v: u32| {
        let (reached, closeness) = (f64::from(near.reached[v as usize]), near.closeness[v as usize]);
        match reached > 0.0 && !scaled {
            // The engine divides by the sum of distances, a whole number, which is found again from the result.
            true => reached / (reached * (reached / others) / closeness).round(),
            false => closeness,
        }
    };
    let nodes = Nodes::new(py, &graph.keys);
    match sources.is_empty() {
        true => nodes.dict((0..graph.nodes() as u32).map(|v| (v, value(v)))),
        false => nodes.dict(sources.iter().map(|&v| (v, value(v)))),
    }
}

/// Returns the sum of inverse distances; the integer 0 for a node that no other reaches.
#[pyfunction]
pub(crate) fn harmonic<'py>(
    py: Python<'py>,
    graph: &Adjacency,
    sources: Vec<u32>,
) -> PyResult<Bound<'py, PyDict>> {
    let near = graph.near(py, &sources)?;
    let value = |v: u32| (v, (near.harmonic[v as usize], near.reached[v as usize] == 0));
    let nodes = Nodes::new(py, &graph.keys);
    match sources.is_empty() {
        true => nodes.dict((0..graph.nodes() as u32).map(value)),
        false => nodes.dict(sources.into_iter().map(value)),
    }
}

/// Returns the sums of distances and of inverse distances over all pairs, and the least number of nodes that reach a node.
#[pyfunction]
pub(crate) fn distance_sums(py: Python<'_>, graph: &Adjacency) -> PyResult<(u64, f64, u32)> {
    let near = graph.near(py, &[])?;
    let others = graph.nodes() as f64 - 1.0;
    let total = |(&reached, &closeness): (&u32, &f64)| match reached {
        0 => 0,
        _ => (f64::from(reached) * (f64::from(reached) / others) / closeness).round() as u64,
    };
    let sum = near.reached.iter().zip(&near.closeness).map(total).sum();
    Ok((sum, near.harmonic.iter().sum(), near.reached.iter().copied().min().unwrap_or(0)))
}

/// Returns the greatest distance to a node, and the least number of nodes that reach one of those asked about.
#[pyfunction]
pub(crate) fn eccentricity<'py>(
    py: Python<'py>,
    graph: &Adjacency,
    sources: Vec<u32>,
) -> PyResult<(Bound<'py, PyDict>, u32)> {
    let near = graph.near(py, &sources)?;
    let asked: Vec<u32> = if sources.is_empty() { (0..graph.nodes() as u32).collect() } else { sources };
    let least = asked.iter().map(|&v| near.reached[v as usize]).min().unwrap_or(0);
    let values = asked.iter().map(|&v| (v, i64::from(near.eccentricity[v as usize])));
    Ok((Nodes::new(py, &graph.keys).dict(values)?, least))
}

/// Returns the number of triangles per node.
#[pyfunction]
pub(crate) fn triangles<'py>(py: Python<'py>, graph: &Adjacency) -> PyResult<Bound<'py, PyDict>> {
    by_node(py, graph, graph.corners(py)?.0.into_iter().map(|count| count as i64))
}

/// Returns the clustering coefficient per node, the integer 0 without triangles; and twice the number of triangles and the
/// number of ordered pairs of neighbours, both summed over all nodes.
#[pyfunction]
pub(crate) fn clustering<'py>(
    py: Python<'py>,
    graph: &Adjacency,
) -> PyResult<(Bound<'py, PyDict>, u64, u64)> {
    let (triangles, degrees) = graph.corners(py)?;
    let pairs = |degree: u32| u64::from(degree) * u64::from(degree.saturating_sub(1));
    let value = |(&count, &degree): (&u64, &u32)| match count {
        0 => (0.0, true),
        _ => ((2 * count) as f64 / pairs(degree) as f64, false),
    };
    let values = by_node(py, graph, triangles.iter().zip(&degrees).map(value))?;
    Ok((values, 2 * triangles.iter().sum::<u64>(), degrees.into_iter().map(pairs).sum()))
}

/// Returns the core number per node.
#[pyfunction]
pub(crate) fn core_numbers<'py>(py: Python<'py>, graph: &Adjacency) -> PyResult<Bound<'py, PyDict>> {
    by_node(py, graph, graph.cores(py)?.into_iter().map(i64::from))
}

/// Returns the degree of each node times `scale`: of arcs in (`-`), out (`+`) or both (`±`). Parallel edges and both ends of a
/// self-loop count.
#[pyfunction]
pub(crate) fn degrees<'py>(
    py: Python<'py>,
    graph: &Adjacency,
    scale: f64,
    direction: char,
) -> PyResult<Bound<'py, PyDict>> {
    let edges = |place: usize| graph.parallel.as_ref().map_or(1, |parallel| i64::from(parallel[place]));
    let mut degrees = vec![0_i64; graph.nodes()];
    let (out, incoming) = (direction != '-', direction != '+');
    for v in 0..graph.nodes() as u32 {
        for place in graph.out.range(v) {
            let target = graph.out.targets[place];
            if out {
                degrees[v as usize] += edges(place);
            }
            if incoming && (graph.directed || target == v) {
                degrees[target as usize] += edges(place);
            }
        }
    }
    by_node(py, graph, degrees.into_iter().map(|degree| degree as f64 * scale))
}
