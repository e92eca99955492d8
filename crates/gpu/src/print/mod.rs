//! Programs printed as CUDA C++.
//!
//! [`program`] gives two texts. [`Printed::types`] says what a program's numbers are. What shows vertices is declared after it, by
//! who uses it:
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
//! Each is the expression it was traced as, one node a line in the order of the trace, with the words of `scalar.cuh`, so
//! that it computes the bits that the [`Interpreter`](warpgraph_core::program::trace::Interpreter) does. A sight is only
//! asked for what the function reads.
//!
//! Literals are part of the text, decimals by their bits. Parameters are not: a function reads them as bits from `params`,
//! one slot each, so that another source or damping needs no new compile. The slots are in the order of first use over the
//! five functions; what uses the same name shares one.

mod body;

use body::Body;
use std::fmt::Write as _;
use warpgraph_core::{
    Error, Result,
    program::{
        Column, Combine, Expression, Scalar, ScalarType, Traced, VertexProgram, Weight,
        trace::{Input, Param},
    },
};

/// The most parameters a program may have: so many slots a kernel's arguments hold.
pub const MAX_PARAMS: usize = 32;

/// The files the texts lean on, by the names they are included by; both also need `prelude.cuh`.
pub const FILES: [(&str, &str); 2] = [
    ("scalar.cuh", include_str!("../../kernels/scalar.cuh")),
    ("combine.cuh", include_str!("../../kernels/combine.cuh")),
];

/// What a program's numbers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Types {
    /// Of what a vertex holds.
    pub value: ScalarType,
    /// Of weights as the program wants them; u32 if it wants none.
    pub weight: ScalarType,
    /// Of its columns; u32 if it has none.
    pub column: ScalarType,
    /// How many columns it has.
    pub columns: usize,
    /// How what arrives is put together.
    pub combine: Combine,
}

impl Types {
    /// Of a program.
    pub fn of<P: VertexProgram>() -> Self {
        Self {
            value: P::Value::TYPE,
            weight: <P::Weight as Weight>::Scalar::TYPE,
            column: <P::Column as Column>::Scalar::TYPE,
            columns: P::Column::COUNT,
            combine: P::COMBINE,
        }
    }
}

/// A program as text, and its parameters apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// `Value`, `Weight`, `Column` and `Combine` as typedefs, `COLUMNS`, and what the engine may lean on, each 0 or 1:
    /// `READS_WEIGHT` (does a message read the arc's weight?), `MESSAGE_OF_SOURCE` (are a vertex's messages all the
    /// same?) and `PLAIN` (is `apply` the join, and `active` whether the value changed?). Comes after `combine.cuh`.
    pub types: String,
    /// `struct Program`. Comes after `VertexSight`.
    pub program: String,
    /// The parameters in the order of their slots, with this run's values.
    pub params: Vec<Param>,
}

impl Printed {
    /// What a run passes as `params`.
    pub fn slots(&self) -> [u64; MAX_PARAMS] {
        let mut slots = [0; MAX_PARAMS];
        for (slot, param) in slots.iter_mut().zip(&self.params) {
            *slot = param.value.bits;
        }
        slots
    }
}

/// Prints the program of this name, of which `traced` has the functions.
///
/// # Errors
/// When it has more than [`MAX_PARAMS`] parameters.
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

/// The parameters of all functions, each name once.
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
