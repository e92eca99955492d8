//! [`Body`]: the lines of one function, one per node: `const f32 t2 = plus(t0, t1);`. The function returns the last
//! node.

use std::fmt;
use warpgraph_core::program::{
    Expression, Scalar, ScalarType,
    trace::{Binary, Constant, Field, Id, Input, Node, Param, Unary},
};

/// The indentation of function bodies.
const INDENT: &str = "        ";

/// A function and the slots of its program's parameters.
pub(super) struct Body<'a> {
    pub(super) function: &'a Expression,
    pub(super) slots: &'a [Param],
}

impl fmt::Display for Body<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = self.function.nodes();
        for (id, (node, kind)) in nodes.iter().enumerate() {
            write!(f, "{INDENT}const {kind} t{id} = ")?;
            self.node(*node, *kind, f)?;
        }
        writeln!(f, "{INDENT}return t{};", nodes.len().saturating_sub(1))
    }
}

impl Body<'_> {
    /// Prints a node and the end of its line.
    fn node(&self, node: Node, kind: ScalarType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match node {
            Node::Literal(constant) => {
                literal(constant, f)?;
                f.write_str(";")?;
                // Bits are hard to read, so a comment shows the number.
                if matches!(kind, ScalarType::F32 | ScalarType::F64) {
                    write!(f, " // {constant}")?;
                }
            }
            Node::Param(at) => {
                let name = self.function.params[at as usize].name;
                let slot = self.slots.iter().position(|param| param.name == name).unwrap_or_default();
                // The name is escaped, so that it cannot end the comment.
                write!(f, "Scalar<{kind}>::of_bits(params[{slot}]); // \"{}\"", name.escape_default())?;
            }
            Node::Input(input) => write!(f, "{};", Sighted(input))?,
            Node::Unary(op, a) => {
                unary(op, a, kind, f)?;
                f.write_str(";")?;
            }
            Node::Binary(op, a, b) => {
                binary(op, a, b, f)?;
                f.write_str(";")?;
            }
            Node::Select(c, a, b) => write!(f, "t{c} ? t{a} : t{b};")?,
        }
        f.write_str("\n")
    }
}

/// Prints a number so that the compiler reads exactly this one.
fn literal(constant: Constant, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let bits = constant.bits;
    match constant.kind {
        ScalarType::Bool => write!(f, "{}", bits != 0),
        ScalarType::U32 => write!(f, "{bits}u"),
        // The language has no negative literals, and the magnitude of the least i32 is not an i32.
        ScalarType::I32 => match <i32 as Scalar>::from_bits(bits) {
            i32::MIN => f.write_str("-2147483647 - 1"),
            number => write!(f, "{number}"),
        },
        ScalarType::U64 => write!(f, "{bits}ull"),
        ScalarType::F32 => write!(f, "f32_of(0x{bits:08x}u)"),
        ScalarType::F64 => write!(f, "f64_of(0x{bits:016x}ull)"),
    }
}

fn unary(op: Unary, a: Id, kind: ScalarType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match op {
        Unary::Not => write!(f, "!t{a}"),
        Unary::Cast => write!(f, "cast<{kind}>(t{a})"),
        Unary::Abs => write!(f, "magnitude(t{a})"),
        Unary::Sqrt => write!(f, "root(t{a})"),
        Unary::Hi => write!(f, "hi(t{a})"),
        Unary::Lo => write!(f, "lo(t{a})"),
    }
}

fn binary(op: Binary, a: Id, b: Id, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let word = match op {
        Binary::Eq => return write!(f, "t{a} == t{b}"),
        Binary::Lt => return write!(f, "t{a} < t{b}"),
        Binary::Le => return write!(f, "t{a} <= t{b}"),
        Binary::And => return write!(f, "t{a} && t{b}"),
        Binary::Or => return write!(f, "t{a} || t{b}"),
        Binary::Add => "plus",
        Binary::Sub => "minus",
        Binary::Mul => "times",
        Binary::Div => "over",
        Binary::Least => "least",
        Binary::Greatest => "greatest",
        Binary::BitsAnd => "bits_and",
        Binary::BitsOr => "bits_or",
        Binary::Pack => "pack",
    };
    write!(f, "{word}(t{a}, t{b})")
}

/// An input, displayed by its name in the function signatures.
struct Sighted(Input);

impl fmt::Display for Sighted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (vertex, field) = match self.0 {
            Input::Value => return f.write_str("value"),
            Input::Arrived => return f.write_str("arrived"),
            Input::Weight => return f.write_str("weight"),
            Input::Source(field) => ("source", field),
            Input::Target(field) => ("target", field),
            Input::Own(field) => ("v", field),
        };
        match field {
            Field::Id => write!(f, "{vertex}.id()"),
            Field::Degree => write!(f, "{vertex}.degree()"),
            Field::Column(at) => write!(f, "{vertex}.column({at}u)"),
        }
    }
}
