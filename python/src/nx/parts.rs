//! Functions that return parts of a graph: components and forests.

use super::{adjacency::Adjacency, build::Nodes, column::Column, kruskal, labels, strong};
use crate::{
    engines::{self, Key},
    work::{self, Watched},
};
use pyo3::{prelude::*, types::PyList};
use std::collections::HashSet;

/// Returns the components that ignore directions, as sets, in the order of their first nodes.
#[pyfunction]
pub(crate) fn weak_components<'py>(py: Python<'py>, graph: &Adjacency) -> PyResult<Bound<'py, PyList>> {
    grouped(py, graph, &graph.weak(py)?)
}

/// Returns the sets of nodes with the same name, each named after its first node, in the order of the names.
fn grouped<'py>(py: Python<'py>, graph: &Adjacency, names: &[u32]) -> PyResult<Bound<'py, PyList>> {
    let mut ends = vec![0_usize; names.len() + 1];
    names.iter().for_each(|&name| ends[name as usize + 1] += 1);
    (0..names.len()).for_each(|v| ends[v + 1] += ends[v]);
    let (mut next, mut members) = (ends.clone(), vec![0; names.len()]);
    for (v, &name) in names.iter().enumerate() {
        members[next[name as usize]] = v as u32;
        next[name as usize] += 1;
    }
    ends.dedup();
    sets(py, graph, &members, &ends)
}

/// Returns the number of components that ignore directions.
#[pyfunction]
pub(crate) fn weak_count(py: Python<'_>, graph: &Adjacency) -> PyResult<usize> {
    Ok(named_after_themselves(&graph.weak(py)?))
}

/// Returns the communities of label propagation as sets, in the order of their first nodes.
#[pyfunction]
pub(crate) fn communities<'py>(py: Python<'py>, graph: &Adjacency) -> PyResult<Bound<'py, PyList>> {
    let found = py.detach(|| labels::propagate(&graph.out, graph.parallel.as_deref()))?;
    // A label may be that of a node elsewhere, so communities are named after their first nodes.
    let mut first = vec![u32::MAX; found.len()];
    let named = |(v, &label): (u32, &u32)| {
        let first = &mut first[label as usize];
        *first = v.min(*first);
        *first
    };
    let names: Vec<u32> = (0..).zip(&found).map(named).collect();
    grouped(py, graph, &names)
}

/// Returns the strongly connected components as sets, each after those that it reaches.
#[pyfunction]
pub(crate) fn strong_components<'py>(py: Python<'py>, graph: &Adjacency) -> PyResult<Bound<'py, PyList>> {
    let (members, mut ends) = py.detach(|| strong::components(&graph.out))?;
    ends.insert(0, 0);
    sets(py, graph, &members, &ends)
}

/// Source and target of arcs.
type Arcs = Vec<(u32, u32)>;

/// Returns the strongly connected components as [`strong_components`] does, and the arcs between different ones, each once,
/// in the order of the graph.
#[pyfunction]
pub(crate) fn condensed<'py>(py: Python<'py>, graph: &Adjacency) -> PyResult<(Bound<'py, PyList>, Arcs)> {
    let (members, mut ends) = py.detach(|| strong::components(&graph.out))?;
    ends.insert(0, 0);
    let mut of = vec![0; members.len()];
    for (component, ends) in (0_u32..).zip(ends.windows(2)) {
        members[ends[0]..ends[1]].iter().for_each(|&v| of[v as usize] = component);
    }
    let mut seen = HashSet::new();
    let mut between = Vec::new();
    for u in 0..graph.nodes() as u32 {
        let arcs = graph.out.of(u).iter().map(|&v| (of[u as usize], of[v as usize]));
        between.extend(arcs.filter(|&(a, b)| a != b && seen.insert((a, b))));
    }
    Ok((sets(py, graph, &members, &ends)?, between))
}

/// Returns the number of strongly connected components.
#[pyfunction]
pub(crate) fn strong_count(py: Python<'_>, graph: &Adjacency) -> PyResult<usize> {
    Ok(named_after_themselves(&graph.strong(py)?))
}

/// Counts components, each named after one of its nodes.
fn named_after_themselves(names: &[u32]) -> usize {
    names.iter().zip(0..).filter(|&(&name, v)| name == v).count()
}

fn sets<'py>(
    py: Python<'py>,
    graph: &Adjacency,
    members: &[u32],
    ends: &[usize],
) -> PyResult<Bound<'py, PyList>> {
    let nodes = Nodes::new(py, &graph.keys);
    let sets = PyList::empty(py);
    for ends in ends.windows(2) {
        sets.append(nodes.set(&graph.keys, &members[ends[0]..ends[1]])?)?;
    }
    Ok(sets)
}

/// Returns the edges of the forest of least or greatest weight, in the order in which Kruskal's algorithm takes them. Edges
/// weigh the same without a column.
#[pyfunction]
pub(crate) fn forest<'py>(
    py: Python<'py>,
    graph: &Adjacency,
    column: Option<&Column>,
    minimum: bool,
) -> PyResult<Bound<'py, PyList>> {
    let forest = work::run(py, &Watched::default(), |control| {
        engines::engine(Key::usual())?.install(|| Ok(kruskal::forest(&graph.out, column, minimum, control)?))
    })?;
    Nodes::new(py, &graph.keys).pairs(forest.into_iter())
}
