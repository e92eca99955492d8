//! Graphs from lists of edges, without dictionaries.
//!
//! Nodes and neighbours come in the order in which a NetworkX graph has them after `add_edge` for each edge: in the order of
//! first mention. A repeated edge replaces the values of the first mention and keeps its place.

use super::{
    adjacency::Adjacency,
    column::{Collected, Column, Value, refused},
    keys::{Keys, Mix},
    rows::Rows,
};
use crate::work::Signals;
use numpy::PyReadonlyArray1;
use pyo3::{
    prelude::*,
    types::{PyBytes, PyList},
};
use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hash},
};

/// A list of edges between numbered nodes.
#[derive(Default)]
struct List {
    ends: Vec<[u32; 2]>,
    /// Per attribute one value per edge.
    values: Vec<Vec<Value>>,
}

/// Rows, and per arc the place in the list of the last mention of its edge.
fn rows(nodes: usize, arcs: &[[u32; 2]]) -> (Rows, Vec<usize>) {
    let mut next = vec![0_usize; nodes + 1];
    arcs.iter().for_each(|&[u, _]| next[u as usize + 1] += 1);
    (0..nodes).for_each(|v| next[v + 1] += next[v]);
    let starts = next.clone();
    let mut listed = vec![0; arcs.len()];
    for (at, &[u, _]) in arcs.iter().enumerate() {
        listed[next[u as usize]] = at;
        next[u as usize] += 1;
    }
    let (mut rows, mut last) = (Rows::new(nodes), Vec::with_capacity(arcs.len()));
    // The place of each target in the row at hand, valid if it is not below the start of the row.
    let mut places = vec![usize::MAX; nodes];
    for u in 0..nodes {
        let first = rows.targets.len();
        for &at in &listed[starts[u]..starts[u + 1]] {
            let v = arcs[at][1];
            let place = &mut places[v as usize];
            if *place != usize::MAX && *place >= first {
                last[*place] = at;
            } else {
                *place = rows.targets.len();
                rows.targets.push(v);
                last.push(at);
            }
        }
        rows.end_row();
    }
    (rows, last)
}

impl List {
    fn build(self, keys: Keys, nodes: usize, directed: bool) -> PyResult<(Adjacency, Vec<Column>)> {
        let reversed = |&[u, v]: &[u32; 2]| [v, u];
        // An edge is listed as two arcs in turn, so that arc `at` is of edge `at / 2`; the second arc of a self-loop repeats
        // the first.
        let arcs: Vec<[u32; 2]> = match directed {
            true => self.ends.clone(),
            false => self.ends.iter().flat_map(|ends| [*ends, reversed(ends)]).collect(),
        };
        let (out, last) = rows(nodes, &arcs);
        let edge = |at: usize| if directed { at } else { at / 2 };
        let column = |values: &Vec<Value>| {
            let mut column = Collected::default();
            last.iter().for_each(|&at| column.push(values[edge(at)]));
            column.finish(nodes)
        };
        let columns = self.values.iter().map(column).collect::<PyResult<_>>()?;
        let adjacency = Adjacency::new(keys, out, directed, None);
        if !directed {
            return Ok((adjacency, columns));
        }
        let back: Vec<[u32; 2]> = arcs.iter().map(reversed).collect();
        Ok((adjacency.with_sources(rows(nodes, &back).0), columns))
    }
}

/// Builds a graph from the keys of its nodes, the numbers of the ends of its edges, and per attribute its values.
#[pyfunction]
pub(crate) fn read_arrays(
    keys: Bound<'_, PyList>,
    source: PyReadonlyArray1<'_, i64>,
    target: PyReadonlyArray1<'_, i64>,
    attributes: Vec<Bound<'_, PyAny>>,
    directed: bool,
) -> PyResult<(Adjacency, Vec<Column>)> {
    let nodes = keys.len();
    let number = |&v: &i64| u32::try_from(v).ok().filter(|&v| (v as usize) < nodes);
    let (source, target) = (source.as_array(), target.as_array());
    let ends = source.iter().zip(target.iter()).map(|(u, v)| Some([number(u)?, number(v)?]));
    let ends = ends.collect::<Option<Vec<_>>>().ok_or_else(|| refused("an end of an edge is no node"))?;
    let values = attributes.iter().map(values).collect::<PyResult<Vec<_>>>()?;
    if values.iter().any(|values| values.len() != ends.len()) {
        return Err(refused("an attribute has not one value per edge"));
    }
    List { ends, values }.build(Keys::new(keys), nodes, directed)
}

/// Reads an array of integers or decimals.
fn values(array: &Bound<'_, PyAny>) -> PyResult<Vec<Value>> {
    if let Ok(ints) = array.extract::<PyReadonlyArray1<'_, i64>>() {
        let fits = |&value: &i64| (value.unsigned_abs() < 1 << 53).then_some(Value::Int(value));
        let values = ints.as_array().iter().map(fits).collect::<Option<_>>();
        return values.ok_or_else(|| refused("an attribute has an integer of 2**53 or more"));
    }
    let floats = array.extract::<PyReadonlyArray1<'_, f64>>()?;
    let fits = |&value: &f64| value.is_finite().then_some(Value::Float(value));
    let values = floats.as_array().iter().map(fits).collect::<Option<_>>();
    values.ok_or_else(|| refused("an attribute has a value that is not finite"))
}

/// How the lines of a file are read.
struct Lines<'a> {
    comments: Option<&'a str>,
    delimiter: Option<&'a str>,
    /// Per attribute, whether it is an integer; `None` if attributes are skipped.
    attributes: Option<Vec<bool>>,
}

/// Parses the text of an edge list: two keys per line and the attributes. `None` for what only Python's own functions read
/// as NetworkX does.
#[pyfunction]
pub(crate) fn parse_edges(
    py: Python<'_>,
    text: &Bound<'_, PyBytes>,
    comments: Option<&str>,
    delimiter: Option<&str>,
    integers: bool,
    attributes: Option<Vec<bool>>,
    directed: bool,
) -> PyResult<Option<(Adjacency, Vec<Column>)>> {
    let Ok(text) = std::str::from_utf8(text.as_bytes()) else { return Ok(None) };
    let lines = Lines { comments, delimiter, attributes };
    let (keys, list) = if integers {
        let Some((keys, list)) = py.detach(|| lines.parse(text, integer))? else { return Ok(None) };
        (PyList::new(py, keys)?, list)
    } else {
        let Some((keys, list)) = py.detach(|| lines.parse(text, Some))? else { return Ok(None) };
        (PyList::new(py, keys)?, list)
    };
    let nodes = keys.len();
    list.build(Keys::new(keys), nodes, directed).map(Some)
}

/// Reads an integer as Python's `int` does, if it has only ASCII digits and a sign.
fn integer(text: &str) -> Option<i64> {
    text.trim_ascii().parse().ok()
}

/// A hash of keys: strings get the standard hash, integers a cheap one.
trait Key: Copy + Eq + Hash {
    type Hasher: std::hash::BuildHasher + Default;
}

impl Key for &str {
    type Hasher = std::hash::RandomState;
}

impl Key for i64 {
    type Hasher = BuildHasherDefault<Mix>;
}

impl Lines<'_> {
    /// Returns the keys and the list; `None` for what only Python's own functions read as NetworkX does.
    ///
    /// # Errors
    /// The exception that a signal raises.
    fn parse<'t, K: Key>(
        &self,
        text: &'t str,
        key: impl Fn(&'t str) -> Option<K>,
    ) -> PyResult<Option<(Vec<K>, List)>> {
        // Python splits at these separators too.
        let odd = |c: char| ('\u{1c}'..='\u{1f}').contains(&c);
        if self.delimiter.is_none() && text.contains(odd) {
            return Ok(None);
        }
        let mut numbers = HashMap::<K, u32, K::Hasher>::default();
        let (mut keys, mut list, mut signals) = (Vec::new(), List::default(), Signals::default());
        list.values = self.attributes.iter().flatten().map(|_| Vec::new()).collect();
        for line in text.split('\n') {
            signals.step()?;
            let line = self.comments.and_then(|mark| line.find(mark)).map_or(line, |at| &line[..at]);
            let tokens: Vec<&str> = match self.delimiter {
                Some(delimiter) => line.split(delimiter).collect(),
                None => line.split_whitespace().collect(),
            };
            if tokens.len() < 2 {
                continue;
            }
            let mut number = |token| {
                let key = key(token)?;
                let next = u32::try_from(keys.len()).ok()?;
                Some(*numbers.entry(key).or_insert_with(|| {
                    keys.push(key);
                    next
                }))
            };
            let [Some(u), Some(v)] = [number(tokens[0]), number(tokens[1])] else { return Ok(None) };
            list.ends.push([u, v]);
            if let Some(attributes) = &self.attributes
                && self.values(&tokens[2..], attributes, &mut list.values).is_none()
            {
                return Ok(None);
            }
        }
        Ok(Some((keys, list)))
    }

    fn values(&self, tokens: &[&str], attributes: &[bool], values: &mut [Vec<Value>]) -> Option<()> {
        // NetworkX writes `{}` for an edge without attributes.
        if attributes.is_empty() && tokens == ["{}"] {
            return Some(());
        }
        if tokens.len() != attributes.len() {
            return None;
        }
        for ((token, &is_integer), values) in tokens.iter().zip(attributes).zip(values) {
            values.push(match is_integer {
                true => Value::Int(integer(token).filter(|value| value.unsigned_abs() < 1 << 53)?),
                false => Value::Float(decimal(token)?),
            });
        }
        Some(())
    }
}

/// Reads a decimal as Python's `float` does, if it is plain and finite.
fn decimal(text: &str) -> Option<f64> {
    let text = text.trim_ascii();
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    text.parse().ok().filter(|value: &f64| plain && value.is_finite())
}
