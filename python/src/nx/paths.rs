//! Functions that return lengths and paths, in the order and with the choice among equals of NetworkX.

use super::{
    adjacency::Adjacency,
    bellman_ford as queue, bfs,
    both_ends::{self, Ends},
    build::{Nodes, Number, path},
    column::{Column, Values, refused},
    dijkstra::{Answer, Distance, Found, Mixed, Question, Stopped},
    rows::Rows,
};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyDict, PyList, PyTuple},
};

/// Returns `{node: hops}` in the order of the search, up to `depth` levels away.
#[pyfunction]
pub(crate) fn bfs_lengths<'py>(
    py: Python<'py>,
    graph: &Adjacency,
    source: u32,
    depth: Option<usize>,
    backwards: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let found = search(py, graph, &[source], depth, backwards)?;
    Nodes::new(py, &graph.keys).dict(found.lengths())
}

/// Returns `[(parent, node), ...]` in the order of the search.
#[pyfunction]
pub(crate) fn bfs_edges<'py>(
    py: Python<'py>,
    graph: &Adjacency,
    source: u32,
    depth: Option<usize>,
    backwards: bool,
) -> PyResult<Bound<'py, PyList>> {
    let found = search(py, graph, &[source], depth, backwards)?;
    Nodes::new(py, &graph.keys).pairs(found.edges())
}

/// Returns `{node: path}` in the order of the search. Backwards, paths lead to the source.
#[pyfunction]
pub(crate) fn bfs_paths<'py>(
    py: Python<'py>,
    graph: &Adjacency,
    source: u32,
    depth: Option<usize>,
    backwards: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let found = search(py, graph, &[source], depth, backwards)?;
    let nodes = Nodes::new(py, &graph.keys);
    if !backwards {
        return paths(&nodes, &found.order, &found.parents);
    }
    nodes.dict_of(found.order.iter().map(|&v| {
        let mut path = path(&found.parents, v);
        path.reverse();
        (v, nodes.list(&path))
    }))
}

/// Returns the nodes of each level from the sources, which are different nodes.
#[pyfunction]
pub(crate) fn bfs_layers<'py>(
    py: Python<'py>,
    graph: &Adjacency,
    sources: Vec<u32>,
    depth: Option<usize>,
) -> PyResult<Bound<'py, PyList>> {
    let found = search(py, graph, &sources, depth, false)?;
    let (nodes, layers) = (Nodes::new(py, &graph.keys), PyList::empty(py));
    for ends in found.levels.windows(2) {
        layers.append(nodes.list(&found.order[ends[0]..ends[1]])?)?;
    }
    Ok(layers)
}

/// Returns all parents of each node on shortest paths, and the level of each node.
#[pyfunction]
pub(crate) fn bfs_parents<'py>(
    py: Python<'py>,
    graph: &Adjacency,
    source: u32,
    limit: u32,
) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
    let found = py.detach(|| bfs::all_parents(&graph.out, source, limit))?;
    let nodes = Nodes::new(py, &graph.keys);
    let parents = found.order.iter().map(|&v| (v, nodes.list(&found.parents[v as usize])));
    let levels = found.order.iter().map(|&v| (v, i64::from(found.levels[v as usize])));
    Ok((nodes.dict_of(parents)?, nodes.dict(levels)?))
}

fn search(
    py: Python<'_>,
    graph: &Adjacency,
    sources: &[u32],
    depth: Option<usize>,
    backwards: bool,
) -> PyResult<bfs::Found> {
    let rows = graph.along(backwards)?;
    py.detach(|| bfs::search(rows, sources, depth.unwrap_or(usize::MAX)))
}

/// Returns `{node: path}` for nodes that come after their parents.
fn paths<'py>(nodes: &Nodes<'py>, order: &[u32], parents: &[u32]) -> PyResult<Bound<'py, PyDict>> {
    let mut lists: Vec<Option<Bound<'py, PyList>>> = vec![None; parents.len()];
    for &v in order {
        nodes.py().check_signals()?;
        let parent = parents[v as usize];
        let list = match &lists[parent as usize] {
            Some(list) if parent != v => {
                let list = list.get_slice(0, list.len());
                list.append(nodes.object(v)?)?;
                list
            }
            _ => nodes.list(&[v])?,
        };
        lists[v as usize] = Some(list);
    }
    nodes.dict_of(order.iter().filter_map(|&v| Some((v, Ok(lists[v as usize].take()?)))))
}

/// Returns a path with the fewest arcs, found from both ends; `None` if there is none.
#[pyfunction]
pub(crate) fn path_by_hops<'py>(
    py: Python<'py>,
    graph: &Adjacency,
    source: u32,
    target: u32,
) -> PyResult<Option<Bound<'py, PyList>>> {
    let ends = Ends { out: &graph.out, incoming: graph.sources()? };
    let path = py.detach(|| both_ends::by_hops(&ends, source, target))?;
    path.map(|path| Nodes::new(py, &graph.keys).list(&path)).transpose()
}

/// Returns length and nodes of a shortest path by weight, found from both ends; `None` if there is none.
#[pyfunction]
pub(crate) fn path_by_weight<'py>(
    py: Python<'py>,
    graph: &Adjacency,
    column: Option<&Column>,
    source: u32,
    target: u32,
) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyList>)>> {
    let ends = Ends { out: &graph.out, incoming: graph.sources()? };
    let places = graph.directed.then(|| places_of(&graph.out, ends.incoming));
    fn find<D: Distance>(
        ends: &Ends<'_>,
        values: &[D],
        places: Option<&[usize]>,
        [source, target]: [u32; 2],
    ) -> Result<Option<(D, Vec<u32>)>, Stopped> {
        let back: Option<Vec<D>> = places.map(|places| places.iter().map(|&at| values[at]).collect());
        both_ends::by_weight(ends, [values, back.as_deref().unwrap_or(values)], source, target)
    }
    let (pair, places) = ([source, target], places.as_deref());
    let nodes = Nodes::new(py, &graph.keys);
    match &column.unwrap_or_else(|| graph.ones()).values {
        Values::Ints(values) => {
            let found =
                py.detach(|| find(&ends, values, places, pair)).map_err(|stopped| raised(stopped, true))?;
            found.map(|(length, path)| Ok((object(py, length)?, nodes.list(&path)?))).transpose()
        }
        Values::Floats { values, whole } => {
            let found =
                py.detach(|| find(&ends, values, places, pair)).map_err(|stopped| raised(stopped, true))?;
            let is_whole = |path: &[u32]| {
                path.windows(2).all(|ends| graph.out.find(ends[0], ends[1]).is_some_and(|place| whole[place]))
            };
            let found =
                found.map(|(length, path)| Ok((object(py, (length, is_whole(&path)))?, nodes.list(&path)?)));
            found.transpose()
        }
    }
}

/// Returns the place of every incoming arc among the outgoing ones.
fn places_of(out: &Rows, incoming: &Rows) -> Vec<usize> {
    let (sorted, places) = out.reversed();
    let mut found = Vec::with_capacity(places.len());
    for v in 0..incoming.nodes() as u32 {
        let first = sorted.range(v).start;
        let at = |u: &u32| sorted.of(v).binary_search(u).map_or(0, |at| places[first + at]);
        found.extend(incoming.of(v).iter().map(at));
    }
    found
}

fn object<N: Number>(py: Python<'_>, number: N) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: attached; the result is a new reference, or null with an error.
    unsafe { Bound::from_owned_ptr_or_err(py, number.object()) }
}

/// Returns the exception of a search that ended early: where a negative weight shows, that of NetworkX.
fn raised(stopped: Stopped, from_both_ends: bool) -> PyErr {
    match stopped {
        Stopped::Signal(exception) => exception,
        Stopped::Contradiction if from_both_ends => {
            PyValueError::new_err("Contradictory paths found: negative weights?")
        }
        Stopped::Contradiction => PyValueError::new_err(("Contradictory paths found:", "negative weights?")),
    }
}

/// Searches by weight, from different sources. Returns, as `kind` asks:
///
/// - `lengths`: `{node: length}`
/// - `paths`: lengths, and `{node: path}`
/// - `target`: length of and path to the target, or `None`
/// - `predecessors`: `{node: predecessors}`, and lengths
#[pyfunction]
pub(crate) fn dijkstra<'py>(
    py: Python<'py>,
    graph: &Adjacency,
    column: Option<&Column>,
    sources: Vec<u32>,
    cutoff: Option<f64>,
    target: Option<u32>,
    kind: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let column = column.unwrap_or_else(|| graph.ones());
    let by_engine = match sources.as_slice() {
        &[source] if cutoff.is_none() && target.is_none() && kind != "predecessors" => {
            graph.distances(py, column, source)?
        }
        _ => None,
    };
    let answer = match by_engine {
        Some(answer) => answer,
        None => {
            let question = Question { sources, cutoff, target, all: kind == "predecessors" };
            let search = || Answer::search(&graph.out, column, &question);
            py.detach(search).map_err(|stopped| raised(stopped, false))?
        }
    };
    let nodes = Nodes::new(py, &graph.keys);
    let (order, parents) = (answer.order(), answer.parents());
    match kind {
        "lengths" => Ok(lengths(&nodes, &answer)?.into_any()),
        "paths" => {
            (lengths(&nodes, &answer)?, paths(&nodes, order, parents)?).into_pyobject(py).map(Bound::into_any)
        }
        "predecessors" => {
            let (with, all) = answer.predecessors().ok_or_else(|| refused("no predecessors were found"))?;
            let all = nodes.dict_of(with.iter().map(|&v| (v, nodes.list(&all[v as usize]))))?;
            (all, lengths(&nodes, &answer)?).into_pyobject(py).map(Bound::into_any)
        }
        _ => match target.filter(|target| order.last() == Some(target)) {
            None => Ok(py.None().into_bound(py)),
            Some(target) => (length(py, &answer, target)?, nodes.list(&path(parents, target))?)
                .into_pyobject(py)
                .map(Bound::into_any),
        },
    }
}

fn lengths<'py>(nodes: &Nodes<'py>, answer: &Answer) -> PyResult<Bound<'py, PyDict>> {
    match answer {
        Answer::Ints(Found { order, distances, .. }) => {
            nodes.dict(order.iter().map(|&v| (v, distances[v as usize])))
        }
        Answer::Floats(Found { order, distances, .. }, whole) => {
            nodes.dict(order.iter().map(|&v| (v, (distances[v as usize], whole[v as usize]))))
        }
    }
}

fn length<'py>(py: Python<'py>, answer: &Answer, v: u32) -> PyResult<Bound<'py, PyAny>> {
    match answer {
        Answer::Ints(found) => object(py, found.distances[v as usize]),
        Answer::Floats(found, whole) => object(py, (found.distances[v as usize], whole[v as usize])),
    }
}

/// Returns true if an arc from a node to itself has a negative weight.
#[pyfunction]
pub(crate) fn has_negative_loop(graph: &Adjacency, column: &Column) -> bool {
    let is_negative = |place: usize| match &column.values {
        Values::Ints(values) => values[place] < 0,
        Values::Floats { values, .. } => values[place] < 0.0,
    };
    (0..graph.nodes() as u32).any(|v| graph.out.find(v, v).is_some_and(is_negative))
}

/// Searches by weights that may be negative. Returns lengths, and `{node: predecessors}` or with `paths` `{node: path}`, of
/// which only that to `target` if one is given; `None` if there is a negative cycle.
#[pyfunction]
pub(crate) fn bellman_ford<'py>(
    py: Python<'py>,
    graph: &Adjacency,
    column: Option<&Column>,
    source: u32,
    target: Option<u32>,
    heuristic: bool,
    kind: &str,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    let nodes = Nodes::new(py, &graph.keys);
    match &column.unwrap_or_else(|| graph.ones()).values {
        Values::Ints(weights) => {
            let Some(found) = py.detach(|| queue::search(&graph.out, weights, source, heuristic))? else {
                return Ok(None);
            };
            with_paths(py, &nodes, &found, (source, target), kind, |v| found.distances[v as usize]).map(Some)
        }
        Values::Floats { values, whole } => {
            let weights = values.iter().zip(whole).map(|(&value, &is_whole)| Mixed { value, is_whole });
            let weights: Vec<Mixed> = weights.collect();
            let Some(found) = py.detach(|| queue::search(&graph.out, &weights, source, heuristic))? else {
                return Ok(None);
            };
            let value = |v: u32| (found.distances[v as usize].value, found.distances[v as usize].is_whole);
            with_paths(py, &nodes, &found, (source, target), kind, value).map(Some)
        }
    }
}

fn with_paths<'py, D, N: Number>(
    py: Python<'py>,
    nodes: &Nodes<'py>,
    found: &queue::Found<D>,
    (source, target): (u32, Option<u32>),
    kind: &str,
    value: impl Fn(u32) -> N,
) -> PyResult<Bound<'py, PyTuple>> {
    let lengths = nodes.dict(found.order.iter().map(|&v| (v, value(v))))?;
    let second = match kind {
        "paths" => {
            let mut seen = vec![false; found.predecessors.len()];
            let is_asked = |v: &&u32| target.is_none_or(|target| target == **v);
            let paths = found.order.iter().filter(is_asked).map(|&v| {
                let path = found.path(source, v, &mut seen).unwrap_or_default();
                (v, nodes.list(&path))
            });
            nodes.dict_of(paths)?
        }
        "predecessors" => {
            nodes.dict_of(found.order.iter().map(|&v| (v, nodes.list(&found.predecessors[v as usize]))))?
        }
        _ => PyDict::new(py),
    };
    PyTuple::new(py, [lengths, second])
}
