//! Programs that `warpgraph.program` has traced: lists of nodes become expressions, which engines run.
//!
//! A function comes as a list of tuples `(what, type, operands...)`, where operands are indices of earlier nodes; its last
//! node is its result:
//!
//! ```text
//! ("literal", "f64", 0.5)    ("param", "u32", "source", 17)    ("input", "f64", "source.column0")
//! ("select", "f64", 0, 1, 2)    ("add", "f64", 0, 1)    ("cast", "u32", 3)
//! ```

use crate::{answer::NativeAnswer, edges, errors, graph::NativeGraph, options::How};
use pyo3::{
    prelude::*,
    types::{PyDict, PyList, PyTuple},
};
use warpgraph::{
    Error, Halt, Options, Rules,
    program::{
        Combine, Kind, Recorded, Scalar, ScalarType, Seeds,
        recorded::{Functions, RecordedColumn, RecordedSight},
        trace::{Binary, Builder, Constant, Expression, Field, Input, Lane, Unary, interned},
    },
};

fn refuse(py: Python<'_>, what: impl Into<String>) -> PyErr {
    errors::invalid(py, what, "see docs/python.md for what a program may do")
}

fn scalar(py: Python<'_>, name: &str) -> PyResult<ScalarType> {
    let all = [
        ScalarType::Bool,
        ScalarType::U32,
        ScalarType::I32,
        ScalarType::U64,
        ScalarType::F32,
        ScalarType::F64,
    ];
    let known = all.into_iter().find(|kind| kind.name() == name);
    known.ok_or_else(|| refuse(py, format!("there is no type {name:?}: u32, i32, u64, f32 and f64 are")))
}

fn constant(kind: ScalarType, value: &Bound<'_, PyAny>) -> PyResult<Constant> {
    Ok(match kind {
        ScalarType::Bool => Constant { kind, bits: value.extract::<bool>()?.into() },
        ScalarType::U32 => Constant::of(value.extract::<u32>()?),
        ScalarType::I32 => Constant::of(value.extract::<i32>()?),
        ScalarType::U64 => Constant::of(value.extract::<u64>()?),
        ScalarType::F32 => Constant::of(value.extract::<f64>()? as f32),
        ScalarType::F64 => Constant::of(value.extract::<f64>()?),
    })
}

fn input(name: &str) -> Option<Input> {
    let field = |name: &str| {
        Some(match name {
            "id" => Field::Id,
            "degree" => Field::Degree,
            _ => Field::Column(name.strip_prefix("column")?.parse().ok()?),
        })
    };
    Some(match name.split_once('.') {
        None if name == "value" => Input::Value,
        None if name == "arrived" => Input::Arrived,
        None if name == "weight" => Input::Weight,
        Some(("source", rest)) => Input::Source(field(rest)?),
        Some(("target", rest)) => Input::Target(field(rest)?),
        Some(("own", rest)) => Input::Own(field(rest)?),
        _ => return None,
    })
}

/// Makes an expression of a list of nodes.
fn expression(nodes: &Bound<'_, PyList>) -> PyResult<Expression> {
    let py = nodes.py();
    let builder = Builder::default();
    let mut places = Vec::with_capacity(nodes.len());
    for node in nodes.iter() {
        let node = node.cast::<PyTuple>()?;
        let (what, kind): (String, String) = (node.get_item(0)?.extract()?, node.get_item(1)?.extract()?);
        let kind = scalar(py, &kind)?;
        let operand = |at: usize| -> PyResult<u32> {
            let index: usize = node.get_item(at)?.extract()?;
            places.get(index).copied().ok_or_else(|| refuse(py, format!("there is no node {index}")))
        };
        let unary = Unary::ALL.into_iter().find(|op| op.name() == what);
        let binary = Binary::ALL.into_iter().find(|op| op.name() == what);
        let place = match what.as_str() {
            "literal" => Ok(builder.literal(constant(kind, &node.get_item(2)?)?)),
            "param" => {
                let name: String = node.get_item(2)?.extract()?;
                Ok(builder.param(&name, constant(kind, &node.get_item(3)?)?))
            }
            "input" => {
                let name: String = node.get_item(2)?.extract()?;
                let input = input(&name).ok_or_else(|| refuse(py, format!("there is no input {name:?}")))?;
                Ok(builder.input(input, kind))
            }
            "select" => builder.select(operand(2)?, operand(3)?, operand(4)?),
            _ => match (unary, binary) {
                (Some(op), _) => builder.unary(op, operand(2)?, kind),
                (_, Some(op)) => builder.binary(op, operand(2)?, operand(3)?),
                _ => return Err(refuse(py, format!("there is no operation {what:?}"))),
            },
        };
        places.push(place.map_err(|what| refuse(py, what))?);
    }
    let result = *places.last().ok_or_else(|| refuse(py, "a function without a result"))?;
    builder.finish(result).map_err(|what| refuse(py, what))
}

/// What `python/warpgraph/_program.py` passes.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Spec<'py> {
    name: String,
    combine: String,
    value: String,
    weight: Option<String>,
    distributes: bool,
    once: bool,
    init: Bound<'py, PyList>,
    message: Bound<'py, PyList>,
    apply: Option<Bound<'py, PyList>>,
    active: Option<Bound<'py, PyList>>,
    columns: Bound<'py, PyDict>,
    seeds: Option<Vec<u32>>,
    tolerance: Option<f64>,
    max_rounds: Option<u64>,
}

fn combine(py: Python<'_>, name: &str) -> PyResult<Combine> {
    let all = [Combine::Min, Combine::Max, Combine::Sum, Combine::Or];
    let known = all.into_iter().find(|combine| combine.name() == name);
    known.ok_or_else(|| refuse(py, format!("combine={name:?} is no choice: min, max, sum and or are")))
}

/// Returns a column of numbers, whose type is one of the five.
fn lane(values: &Bound<'_, PyAny>) -> PyResult<Lane> {
    use crate::edges::{Numbers, Values};
    let column = edges::column(values)?;
    let mut lane = None;
    for piece in &column.pieces {
        lane = Some(match &piece.values {
            Values::Numbers(Numbers::U32(values)) => Lane::U32(values.to_vec()),
            Values::Numbers(Numbers::I32(values)) => Lane::I32(values.to_vec()),
            Values::Numbers(Numbers::U64(values)) => Lane::U64(values.to_vec()),
            Values::Numbers(Numbers::F32(values)) => Lane::F32(values.to_vec()),
            Values::Numbers(Numbers::F64(values)) => Lane::F64(values.to_vec()),
            _ => {
                return Err(refuse(values.py(), "a column has another type than u32, i32, u64, f32 and f64"));
            }
        });
    }
    lane.ok_or_else(|| refuse(values.py(), "a column is empty"))
}

impl Spec<'_> {
    fn recorded(&self, py: Python<'_>) -> PyResult<Recorded> {
        let kind = Kind {
            name: interned(&self.name),
            combine: combine(py, &self.combine)?,
            value: scalar(py, &self.value)?,
            weight: self.weight.as_deref().map(|name| scalar(py, name)).transpose()?,
            distributes: self.distributes,
            once: self.once,
        };
        let optional = |nodes: &Option<Bound<'_, PyList>>| nodes.as_ref().map(expression).transpose();
        let functions = Functions {
            init: expression(&self.init)?,
            message: expression(&self.message)?,
            apply: optional(&self.apply)?,
            active: optional(&self.active)?,
        };
        let column = |(name, values): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok::<RecordedColumn, PyErr>((name.extract()?, lane(&values)?))
        };
        let columns = self.columns.iter().map(column).collect::<PyResult<_>>()?;
        let mut halt = self.tolerance.map_or(Halt::default(), Halt::l1);
        if let Some(rounds) = self.max_rounds {
            halt = halt.or(Halt::rounds(rounds));
        }
        let seeds = self.seeds.clone().map_or(Seeds::All, Seeds::Many);
        Recorded::new(kind, functions, columns, seeds, halt).map_err(|error| errors::raise(py, &error))
    }
}

/// Runs a traced program. Without seeds, the vertices send first whose initial value is not the one that stands for "nothing
/// arrived yet".
#[pyfunction]
pub(crate) fn run_program(
    graph: &Bound<'_, NativeGraph>,
    spec: Spec<'_>,
    options: &Bound<'_, PyDict>,
) -> PyResult<NativeAnswer> {
    let (py, graph) = (graph.py(), graph.get());
    let program = spec.recorded(py)?;
    program.check(&graph.graph).map_err(|error| errors::raise(py, &error))?;
    let program = match spec.seeds.is_none() && program.kind().combine != Combine::Sum {
        true => graph.on_threads(py, |graph| seeded(program, graph))?,
        false => program,
    };
    let how = How::new(options)?;
    let rules = Rules::of_recorded(&program);
    graph.ask(py, how, rules, move |loaded, options: &Options| {
        let (answer, choice) = loaded.recorded(program).options(options.clone()).run_chosen()?;
        Ok::<_, Error>((Box::new(answer) as warpgraph::AnyAnswer, choice))
    })
}

/// Returns the program with seeds: the vertices that start with something to tell.
fn seeded(program: Recorded, graph: &warpgraph::Graph) -> Recorded {
    fn tellers<T: Scalar>(program: &Recorded, graph: &warpgraph::Graph) -> Vec<u32> {
        let out = graph.out();
        let init: Vec<T> = RecordedSight::new(program, &out.csr, &out.weights, None).init();
        let nothing: T = program.kind().combine.identity();
        (0..init.len() as u32).filter(|&v| init[v as usize] != nothing).collect()
    }
    let seeds = match program.kind().value {
        ScalarType::U32 | ScalarType::Bool => tellers::<u32>(&program, graph),
        ScalarType::I32 => tellers::<i32>(&program, graph),
        ScalarType::U64 => tellers::<u64>(&program, graph),
        ScalarType::F32 => tellers::<f32>(&program, graph),
        ScalarType::F64 => tellers::<f64>(&program, graph),
    };
    program.with_seeds(if seeds.len() == graph.vertices() { Seeds::All } else { Seeds::Many(seeds) })
}
