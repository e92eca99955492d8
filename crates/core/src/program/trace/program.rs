//! [`Traced`]: all functions of a program as expressions, and what the engine learns from them.

use super::{Expression, Field, Handle, Input, Trace, Tracer};
use crate::{
    Error, Result,
    program::{Column, Dialect, Edge, Vertex, VertexProgram, Weight},
};

/// A program's functions as expressions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traced {
    /// [`VertexProgram::init`].
    pub init: Expression,
    /// [`VertexProgram::start`].
    pub start: Expression,
    /// [`VertexProgram::message`].
    pub message: Expression,
    /// [`VertexProgram::apply`].
    pub apply: Expression,
    /// [`VertexProgram::active`].
    pub active: Expression,
    /// True if `apply` only combines and `active` only compares, as by default.
    pub plain: bool,
}

impl Traced {
    /// Traces a program, with the current values of its parameters.
    ///
    /// # Errors
    /// When one parameter has two types or two values.
    pub fn of<P: VertexProgram>(program: &P) -> Result<Self> {
        let refuse = |what: String| {
            Error::config(P::NAME, what, "give every parameter a name of its own, and one type")
        };
        let trace =
            |build: &dyn Fn(&Tracer) -> Result<Expression, String>| build(&Tracer::default()).map_err(refuse);
        let traced = Self {
            init: trace(&|t| t.finish(program.init(&t.dialect(), vertex::<P>(t, Input::Own))))?,
            start: trace(&|t| t.finish(program.start(&t.dialect(), vertex::<P>(t, Input::Own))))?,
            message: trace(&|t| t.finish(program.message(&t.dialect(), edge::<P>(t))))?,
            apply: trace(&|t| {
                let (old, arrived) = both::<P>(t);
                t.finish(program.apply(&t.dialect(), vertex::<P>(t, Input::Own), old, arrived))
            })?,
            active: trace(&|t| {
                let (old, new) = both::<P>(t);
                t.finish_truth(program.active(&t.dialect(), old, new))
            })?,
            plain: false,
        };
        let join = trace(&|t| {
            let (old, arrived) = both::<P>(t);
            t.finish(t.dialect().combine(P::COMBINE, old, arrived))
        })?;
        let change = trace(&|t| {
            let (old, new) = both::<P>(t);
            t.finish_truth(t.dialect().ne(old, new))
        })?;
        let plain = traced.apply == join && traced.active == change;
        let traced = Self { plain, ..traced };
        traced.check_params().map_err(refuse)?;
        Ok(traced)
    }

    /// Returns true if all arcs of a vertex carry the same message; engines then compute it once per vertex, not once
    /// per arc.
    pub fn message_is_of_source(&self) -> bool {
        !self.message.reads_any(|input| matches!(input, Input::Weight | Input::Target(_)))
    }

    fn functions(&self) -> [&Expression; 5] {
        [&self.init, &self.start, &self.message, &self.apply, &self.active]
    }

    /// Checks that all functions agree on the type and value of each parameter.
    pub(in crate::program) fn check_params(&self) -> Result<(), String> {
        let all: Vec<_> = self.functions().into_iter().flat_map(|f| &f.params).collect();
        let twice = all.iter().find_map(|param| {
            let same = all.iter().filter(|other| other.name == param.name);
            same.filter_map(|other| param.contradiction(other.value)).next()
        });
        twice.map_or(Ok(()), Err)
    }
}

fn vertex<P: VertexProgram>(tracer: &Tracer, input: fn(Field) -> Input) -> Vertex<Trace<'_>, P::Column> {
    let d = tracer.dialect();
    Vertex {
        id: d.input(input(Field::Id)),
        degree: d.input(input(Field::Degree)),
        columns: P::Column::each::<Trace<'_>>(|at| d.input(input(Field::Column(at as u32)))),
    }
}

fn edge<P: VertexProgram>(tracer: &Tracer) -> Edge<Trace<'_>, P> {
    let d = tracer.dialect();
    Edge {
        value: d.input(Input::Value),
        weight: P::Weight::pass::<Trace<'_>>(|| d.input(Input::Weight)),
        source: vertex::<P>(tracer, Input::Source),
        target: vertex::<P>(tracer, Input::Target),
    }
}

/// Returns handles to the value and to the combined messages.
#[allow(clippy::type_complexity, reason = "two of the same")]
fn both<P: VertexProgram>(tracer: &Tracer) -> (Handle<'_, P::Value>, Handle<'_, P::Value>) {
    (tracer.dialect().input(Input::Value), tracer.dialect().input(Input::Arrived))
}
