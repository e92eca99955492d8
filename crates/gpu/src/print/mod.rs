//! Programs printed as CUDA C++.
//!
//! [`program`] returns two texts. [`Printed::types`] defines the types of a program. After it, the including module
//! declares the struct through which a program reads vertices:
//!
//! ```text
//! struct VertexSight {
//!     DEVICE u32 id() const;
//!     DEVICE u32 degree() const;
//!     DEVICE Column column(u32 i) const;
//! };
//! ```
//!
//! [`Printed::program`] follows, `struct Program { const u64* params; ... }` with the functions
//!
//! ```text
//! Value init(const VertexSight& v) const
//! Value start(const VertexSight& v) const
//! Value message(Value value, Weight weight, const VertexSight& source, const VertexSight& target) const
//! Value apply(const VertexSight& v, Value value, Value arrived) const
//! bool active(Value value, Value arrived) const        // the old value and the new one
//! ```
//!
//! Each function is the expression it was traced as, with one node per line in the order of the trace, in the
//! vocabulary of `scalar.cuh`. So it computes the same bits as the
//! [`Interpreter`](warpgraph_core::program::trace::Interpreter). A function only calls the accessors of a `VertexSight`
//! that it needs.
//!
//! Literals are part of the text, decimals by their bits. Parameters are not: a function reads them as bits from
//! `params`, one slot each, so that another source or damping needs no new compilation. The slots are in the order of
//! first use over the five functions; uses of the same name share one slot.

mod body;

use body::Body;
use std::fmt::Write as _;
use warpgraph_core::{
    Error, Result,
    program::{
        Column, Combine, Expression, Recorded, Scalar, ScalarType, Traced, VertexProgram, Weight,
        trace::{Input, Param},
    },
};

/// The most parameters of a program: the slots in a kernel's arguments.
pub const MAX_PARAMS: usize = 32;

/// The files that the texts need, by the names under which they are included; both also need `prelude.cuh`.
pub const FILES: [(&str, &str); 2] = [
    ("scalar.cuh", include_str!("../../kernels/scalar.cuh")),
    ("combine.cuh", include_str!("../../kernels/combine.cuh")),
];

/// The types of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Types {
    /// The type of a vertex's value.
    pub value: ScalarType,
    /// The type of weights that the program wants; u32 if it wants none.
    pub weight: ScalarType,
    /// The type of its columns; u32 if it has none.
    pub column: ScalarType,
    /// The number of columns.
    pub columns: usize,
    /// How messages are combined.
    pub combine: Combine,
}

impl Types {
    /// Returns the types of a program.
    pub fn of<P: VertexProgram>() -> Self {
        Self {
            value: P::Value::TYPE,
            weight: <P::Weight as Weight>::Scalar::TYPE,
            column: <P::Column as Column>::Scalar::TYPE,
            columns: P::Column::COUNT,
            combine: P::COMBINE,
        }
    }

    /// Returns the types of a recorded program.
    pub fn of_recorded(program: &Recorded) -> Self {
        let kind = program.kind();
        Self {
            value: kind.value,
            weight: kind.weight.unwrap_or(ScalarType::U32),
            column: program.column_type(),
            columns: program.columns().len(),
            combine: kind.combine,
        }
    }
}

/// A program as text, with its parameters kept separate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// `Value`, `Weight`, `Column` and `Combine` as typedefs, `COLUMNS`, and three properties that the engine may use,
    /// each 0 or 1: `READS_WEIGHT` (a message reads the arc's weight), `MESSAGE_OF_SOURCE` (all messages of a vertex
    /// are the same) and `PLAIN` (`apply` is the join, and `active` tests whether the value changed). Comes after
    /// `combine.cuh`.
    pub types: String,
    /// `struct Program`. Comes after `VertexSight`.
    pub program: String,
    /// The parameters in the order of their slots, with this run's values.
    pub params: Vec<Param>,
}

impl Printed {
    /// Returns what a run passes as `params`.
    pub fn slots(&self) -> [u64; MAX_PARAMS] {
        let mut slots = [0; MAX_PARAMS];
        for (slot, param) in slots.iter_mut().zip(&self.params) {
            *slot = param.value.bits;
        }
        slots
    }
}

/// Prints the program of this name, whose functions are in `traced`.
///
/// # Errors
/// When the program has more than [`MAX_PARAMS`] parameters.
pub fn program(name: &'static str, traced: &Traced, types: Types) -> Result<Printed> {
    let functions = [
        ("Value", "init(const VertexSight& v)", &traced.init),
        ("Value", "start(const VertexSight& v)", &traced.start),
        (
            "Value",
            "message(Value value, Weight weight, const VertexSight& source, const VertexSight& target)",
            &traced.message,
        ),
        ("Value", "apply(const VertexSight& v, Value value, Value arrived)", &traced.apply),
        ("bool", "active(Value value, Value arrived)", &traced.active),
    ];
    let params = merged(functions.iter().map(|(_, _, function)| *function));
    if params.len() > MAX_PARAMS {
        return Err(Error::config(
            name,
            format!("it has {} parameters, and a kernel takes {MAX_PARAMS} at most", params.len()),
            "make numbers that stay the same literals (`d.lit`), or those that differ by vertex a column",
        ));
    }
    let mut text = String::from("struct Program {\n    const u64* params;\n");
    for (result, signature, function) in functions {
        let body = Body { function, slots: &params };
        let _ = write!(text, "\n    DEVICE {result} {signature} const {{\n{body}    }}\n");
    }
    text += "};\n";
    Ok(Printed { types: types_text(traced, types), program: text, params })
}

/// Returns the parameters of all functions, each name once.
fn merged<'a>(functions: impl Iterator<Item = &'a Expression>) -> Vec<Param> {
    let mut params: Vec<Param> = Vec::new();
    for param in functions.flat_map(|function| &function.params) {
        if params.iter().all(|known| known.name != param.name) {
            params.push(*param);
        }
    }
    params
}

fn types_text(traced: &Traced, types: Types) -> String {
    let Types { value, weight, column, columns, combine } = types;
    let monoid = match combine {
        Combine::Min => "Min",
        Combine::Max => "Max",
        Combine::Sum => "Sum",
        Combine::Or => "Or",
    };
    let reads_weight = u32::from(traced.message.reads(Input::Weight));
    let of_source = u32::from(traced.message_is_of_source());
    let plain = u32::from(traced.plain);
    format!(
        "typedef {value} Value;\n\
         typedef {weight} Weight;\n\
         typedef {column} Column;\n\
         typedef {monoid} Combine;\n\
         #define COLUMNS {columns}\n\
         #define READS_WEIGHT {reads_weight}\n\
         #define MESSAGE_OF_SOURCE {of_source}\n\
         #define PLAIN {plain}\n"
    )
}
