//! [`Recorded`]: a program whose functions are expressions and whose types are values. Programs of other languages come so:
//! they are traced there, and run here without a call back.
//!
//! The processor interprets the expressions in blocks of 1,024 arcs ([`Computer`]); GPUs compile their text, as for every
//! program. The answers are those of a [`VertexProgram`](super::VertexProgram) with the same functions.

mod answer;
mod computer;
mod verify;

pub use answer::RecordedAnswer;
pub use computer::{Block, Computer, RecordedSight};

use super::{
    Kind, Scalar, ScalarType, Seeds, Traced,
    border::{check_kind, check_weights, resolve},
    trace::{Binary, Builder, Expression, Input, Lane, Unary},
};
use crate::{Error, Halt, Result};
use warpgraph_graph::{Graph, NodeMap, Vertex, Weights};

/// A column: its name, and one number per vertex in the order of the original ids.
pub type RecordedColumn = (String, Lane);

/// A program of expressions.
#[derive(Debug, Clone)]
pub struct Recorded {
    kind: Kind,
    traced: Traced,
    columns: Vec<RecordedColumn>,
    seeds: Seeds,
    halt: Halt,
}

/// The functions of a program.
#[derive(Debug, Clone)]
pub struct Functions {
    /// The value of a vertex before any message arrives.
    pub init: Expression,
    /// The message along an arc.
    pub message: Expression,
    /// The new value of a vertex from the old one and the combined messages; `None` combines both.
    pub apply: Option<Expression>,
    /// Whether a change makes the vertex send; `None` if the value changed.
    pub active: Option<Expression>,
}

impl Recorded {
    /// Makes a program.
    ///
    /// # Errors
    /// [`Error::Config`] for functions that read what they have not, or return another type; for columns of different types.
    pub fn new(
        kind: Kind,
        functions: Functions,
        columns: Vec<RecordedColumn>,
        seeds: Seeds,
        halt: Halt,
    ) -> Result<Self> {
        let refuse =
            |what: String| Error::config(kind.name, what, "see docs/programs.md for what each function has");
        let (join, change) = defaults(kind).map_err(refuse)?;
        let plain = functions.apply.as_ref().is_none_or(|apply| *apply == join)
            && functions.active.as_ref().is_none_or(|active| *active == change);
        let traced = Traced {
            start: functions.init.clone(),
            init: functions.init,
            message: functions.message,
            apply: functions.apply.unwrap_or(join),
            active: functions.active.unwrap_or(change),
            plain,
        };
        check(kind, &traced, &columns).map_err(refuse)?;
        traced.check_params().map_err(refuse)?;
        Ok(Self { kind, traced, columns, seeds, halt })
    }

    /// Returns the same program with other vertices that send first.
    pub fn with_seeds(self, seeds: Seeds) -> Self {
        Self { seeds, ..self }
    }

    /// Returns its types and promises.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns its functions.
    pub fn traced(&self) -> &Traced {
        &self.traced
    }

    /// Returns when it stops.
    pub fn halt(&self) -> Halt {
        self.halt
    }

    /// Returns its columns.
    pub fn columns(&self) -> &[RecordedColumn] {
        &self.columns
    }

    /// Returns the type of its columns; u32 if it has none.
    pub fn column_type(&self) -> ScalarType {
        self.columns.first().map_or(ScalarType::U32, |(_, values)| values.kind())
    }

    /// Refuses a graph, whose weights or number of vertices do not fit.
    ///
    /// # Errors
    /// [`Error::Config`] with what is refused, and why.
    pub fn check(&self, graph: &Graph) -> Result<()> {
        check_kind(self.kind, self.traced.plain, self.halt, self.seeds == Seeds::All)?;
        check_weights(self.kind, graph.out().weights.weight_type())?;
        for (name, values) in &self.columns {
            let (got, wanted) = (values.len(), graph.vertices());
            if got != wanted {
                let what = format!("column {name:?} has {got} values for {wanted} vertices");
                return Err(Error::config(
                    self.kind.name,
                    what,
                    "give one number per vertex, in the order of ids",
                ));
            }
            if let Some(v) = values.first_nan() {
                let what = format!("column {name:?} has NaN at vertex {v}");
                return Err(Error::config(self.kind.name, what, "give a number there"));
            }
        }
        self.inner_seeds(graph.vertices(), None).map(drop)
    }

    /// Checks an answer.
    pub(super) fn verify<T: Scalar>(
        &self,
        answer: &super::ProgramAnswer<T>,
        graph: &Graph,
    ) -> std::result::Result<(), crate::Violation> {
        verify::verify(self, answer, graph)
    }

    /// Returns the vertices that send first, in the numbers of the graph that it runs on; `None` for all.
    ///
    /// # Errors
    /// [`Error::Config`] for a seed that is no vertex.
    pub fn inner_seeds(&self, vertices: usize, map: Option<&NodeMap>) -> Result<Option<Vec<Vertex>>> {
        resolve(self.kind.name, self.seeds.clone(), vertices, map)
    }

    /// Returns its columns in the order of the graph that it runs on.
    pub fn inner_columns(&self, map: Option<&NodeMap>) -> Vec<Lane> {
        let inner = |(_, values): &RecordedColumn| match map {
            None => values.clone(),
            Some(map) => {
                let mut lane = Lane::new(values.kind());
                lane.gather(values, map.originals());
                lane
            }
        };
        self.columns.iter().map(inner).collect()
    }

    /// Returns weights in the type that the program wants, as bytes: one weight if all arcs weigh 1, none if it reads none.
    pub fn weights(&self, weights: &Weights) -> Lane {
        let mut lane = Lane::new(self.kind.weight.unwrap_or(ScalarType::U32));
        if self.kind.weight.is_some() {
            warpgraph_graph::with_weights!(weights, |w| lane.fill(w.iter().copied()), none: lane.fill([1u32].into_iter()));
        }
        lane
    }
}

/// Returns the functions that a program has if it gives none: combining, and whether the value changed.
fn defaults(kind: Kind) -> Result<(Expression, Expression), String> {
    let builder = Builder::default();
    let (old, arrived) = (builder.input(Input::Value, kind.value), builder.input(Input::Arrived, kind.value));
    let join = builder.binary(kind.combine.binary(), old, arrived)?;
    let join = builder.finish(join)?;
    let builder = Builder::default();
    let (old, new) = (builder.input(Input::Value, kind.value), builder.input(Input::Arrived, kind.value));
    let same = builder.binary(Binary::Eq, old, new)?;
    let change = builder.unary(Unary::Not, same, ScalarType::Bool)?;
    Ok((join, builder.finish(change)?))
}

/// Returns the type of an input; `None` if the function does not have it.
type Reads<'a> = &'a dyn Fn(Input) -> Option<ScalarType>;

/// Checks results and inputs of all functions.
fn check(kind: Kind, traced: &Traced, columns: &[RecordedColumn]) -> Result<(), String> {
    use super::trace::Field;
    let column = columns.first().map_or(ScalarType::U32, |(_, values)| values.kind());
    if let Some((name, values)) = columns.iter().find(|(_, values)| values.kind() != column) {
        return Err(format!(
            "column {name:?} is {}, and another is {column}: all have one type",
            values.kind()
        ));
    }
    let field = |field: Field| match field {
        Field::Id | Field::Degree => Some(ScalarType::U32),
        Field::Column(at) => ((at as usize) < columns.len()).then_some(column),
    };
    let own = |input: Input| match input {
        Input::Own(of) => field(of),
        _ => None,
    };
    let arc = |input: Input| match input {
        Input::Value => Some(kind.value),
        Input::Weight => kind.weight,
        Input::Source(of) | Input::Target(of) => field(of),
        _ => None,
    };
    let both = |input: Input| match input {
        Input::Value | Input::Arrived => Some(kind.value),
        _ => None,
    };
    let new = |input: Input| both(input).or_else(|| own(input));
    let functions: [(&str, &Expression, ScalarType, Reads<'_>); 4] = [
        ("init", &traced.init, kind.value, &own),
        ("message", &traced.message, kind.value, &arc),
        ("apply", &traced.apply, kind.value, &new),
        ("active", &traced.active, ScalarType::Bool, &both),
    ];
    functions.into_iter().try_for_each(|(name, function, wanted, allowed)| {
        let got = function.nodes().last().map_or(ScalarType::Bool, |(_, kind)| *kind);
        if got != wanted {
            return Err(format!("`{name}` returns {got}, and {wanted} is expected"));
        }
        let wrong = |input: Input, kind: ScalarType| allowed(input) != Some(kind);
        match function.inputs().find(|&(input, kind)| wrong(input, kind)) {
            Some((input, kind)) => Err(format!("`{name}` reads {input} as {kind}, which it does not have")),
            None => Ok(()),
        }
    })
}

/// Returns values as numbers of a type.
///
/// # Panics
/// If they have another type, which [`Recorded::new`] has excluded.
pub(crate) fn numbers<T: Scalar>(lane: &Lane) -> &[T] {
    lane.numbers().unwrap_or_else(|| unreachable!("the types were checked when the program was made"))
}
