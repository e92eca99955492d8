//! Displays an expression, one node per line: `%2: f32 = add %0 %1`. The last line is the result.

use super::{Binary, Constant, Expression, Field, Input, Node, Unary};
use crate::program::{Scalar, ScalarType};
use std::fmt;

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, (node, kind)) in self.nodes().iter().enumerate() {
            write!(f, "%{id}: {kind} = ")?;
            match *node {
                Node::Literal(constant) => writeln!(f, "{constant}")?,
                Node::Param(at) => writeln!(f, "param {:?}", self.params[at as usize].name)?,
                Node::Input(input) => writeln!(f, "{input}")?,
                Node::Unary(op, a) => writeln!(f, "{} %{a}", op.name())?,
                Node::Binary(op, a, b) => writeln!(f, "{} %{a} %{b}", op.name())?,
                Node::Select(c, a, b) => writeln!(f, "select %{c} %{a} %{b}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ScalarType::Bool => write!(f, "{}", self.bits != 0),
            ScalarType::U32 => write!(f, "{}", <u32 as Scalar>::from_bits(self.bits)),
            ScalarType::I32 => write!(f, "{}", <i32 as Scalar>::from_bits(self.bits)),
            ScalarType::U64 => write!(f, "{}", self.bits),
            ScalarType::F32 => write!(f, "{:?}", <f32 as Scalar>::from_bits(self.bits)),
            ScalarType::F64 => write!(f, "{:?}", <f64 as Scalar>::from_bits(self.bits)),
        }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value => f.write_str("value"),
            Self::Arrived => f.write_str("arrived"),
            Self::Weight => f.write_str("weight"),
            Self::Source(field) => write!(f, "source.{field}"),
            Self::Target(field) => write!(f, "target.{field}"),
            Self::Own(field) => write!(f, "own.{field}"),
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id => f.write_str("id"),
            Self::Degree => f.write_str("degree"),
            Self::Column(at) => write!(f, "column{at}"),
        }
    }
}

impl Unary {
    /// Every operation.
    pub const ALL: [Self; 6] = [Self::Not, Self::Cast, Self::Abs, Self::Sqrt, Self::Hi, Self::Lo];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Not => "not",
            Self::Cast => "cast",
            Self::Abs => "abs",
            Self::Sqrt => "sqrt",
            Self::Hi => "hi",
            Self::Lo => "lo",
        }
    }
}

impl Binary {
    /// Every operation.
    pub const ALL: [Self; 14] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::Div,
        Self::Least,
        Self::Greatest,
        Self::BitsAnd,
        Self::BitsOr,
        Self::Eq,
        Self::Lt,
        Self::Le,
        Self::And,
        Self::Or,
        Self::Pack,
    ];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Sub => "sub",
            Self::Mul => "mul",
            Self::Div => "div",
            Self::Least => "least",
            Self::Greatest => "greatest",
            Self::BitsAnd => "bits-and",
            Self::BitsOr => "bits-or",
            Self::Eq => "eq",
            Self::Lt => "lt",
            Self::Le => "le",
            Self::And => "and",
            Self::Or => "or",
            Self::Pack => "pack",
        }
    }
}
