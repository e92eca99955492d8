//! The graph of an engine from a converted NetworkX graph, with its keys as ids.

use super::{adjacency::Adjacency, column::Column, column::Values as Attribute};
use crate::{
    edges::{self, Build, Numbers, Piece, Shared, Texts, Universe, Values},
    errors,
    graph::NativeGraph,
    make,
    work::Watched,
};
use pyo3::{prelude::*, types::PyList};
use warpgraph::graph::build::{Loops, Options, Parallel};

/// The keys of all nodes, in one of the two forms of ids.
enum Keys {
    Numbers(Vec<u64>),
    Texts(edges::Column),
}

/// Returns the keys as ids.
fn keys(list: &Bound<'_, PyList>) -> PyResult<Keys> {
    if let Ok(numbers) = list.extract::<Vec<u64>>() {
        return Ok(Keys::Numbers(numbers));
    }
    edges::column(list).map(Keys::Texts).map_err(|_| {
        let other = list.iter().find(|key| key.extract::<u64>().is_err() && key.extract::<&str>().is_err());
        let what = match other.map(|key| key.repr()) {
            Some(Ok(key)) => format!("the node {key} is neither a whole number from 0 nor text"),
            _ => "some nodes are numbers and some are text".to_owned(),
        };
        let help = "number the nodes: networkx.convert_node_labels_to_integers(G, label_attribute=\"name\")";
        errors::invalid(list.py(), what, help)
    })
}

fn one(values: Values, length: usize) -> edges::Column {
    edges::Column { pieces: vec![Piece { values, length }] }
}

/// Makes the graph. Parallel edges count once, with their least weight.
#[pyfunction]
pub(crate) fn to_graph(
    py: Python<'_>,
    adjacency: &Bound<'_, Adjacency>,
    weights: Option<&Bound<'_, Column>>,
) -> PyResult<NativeGraph> {
    let adjacency = adjacency.get();
    let (rows, directed) = (&adjacency.out, adjacency.directed);
    let (mut ends, mut places) = ([Vec::new(), Vec::new()], Vec::new());
    for u in 0..rows.nodes() as u32 {
        for place in rows.range(u) {
            let v = rows.targets[place];
            if directed || u <= v {
                ends[0].push(u);
                ends[1].push(v);
                places.push(place);
            }
        }
    }
    let count = places.len();
    let weights = weights.map(|column| {
        let numbers = match &column.get().values {
            Attribute::Ints(values) => {
                Numbers::I64(places.iter().map(|&at| values[at]).collect::<Vec<_>>().into())
            }
            Attribute::Floats { values, .. } => {
                Numbers::F64(places.iter().map(|&at| values[at]).collect::<Vec<_>>().into())
            }
        };
        one(Values::Numbers(numbers), count)
    });
    let (ends, universe) = match keys(adjacency.keys.list(py))? {
        Keys::Numbers(known) => {
            let ids = |ends: Vec<u32>| -> Shared<u64> {
                ends.into_iter().map(|v| known[v as usize]).collect::<Vec<_>>().into()
            };
            let ends = ends.map(|ends| one(Values::Numbers(Numbers::U64(ids(ends))), count));
            let vertices = known.len();
            (ends, one(Values::Numbers(Numbers::U64(known.into())), vertices))
        }
        Keys::Texts(mut known) => {
            let table = || match known.pieces.first().map(|piece| &piece.values) {
                Some(Values::Texts(Texts::Wide(starts, text))) => Texts::Wide(starts.clone(), text.clone()),
                _ => Texts::default(),
            };
            let coded = ends.map(|ends| {
                let codes = Numbers::U32(ends.into());
                one(Values::Coded { codes, known: table() }, count)
            });
            (coded, std::mem::take(&mut known))
        }
    };
    let options = Options { directed, loops: Loops::Keep, parallel: Parallel::Min };
    let name = "a NetworkX graph".to_owned();
    let universe = Universe::Column(universe);
    let build = Build { ends, weights, universe, options, name, warnings: Vec::new() };
    make::made(py, &Watched::default(), |control| build.build(control))
}
