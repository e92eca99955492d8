//! [`Trace`]: runs a program once on handles instead of numbers, and so records what it computes.
//!
//! A handle is an index into a small typed expression graph that the [`Tracer`] holds. Equal expressions share one node
//! (hash-consing), and expressions of literals are folded. Parameters are stored separately from their values: two runs
//! that differ only in those have the same expressions.

mod builder;
mod expression;
mod interpret;
mod program;
mod text;

pub use builder::{Builder, interned};
pub use expression::{Binary, Constant, Expression, Field, Id, Input, Node, Param, Unary};
pub use interpret::{BLOCK, Interpreter, Lane};
pub use program::Traced;

use super::{Combine, Dialect, Float, Integer, Scalar, ScalarType};
use std::{
    cell::RefCell,
    collections::HashMap,
    marker::PhantomData,
    ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub},
};

/// Holds the expressions of one function while it is traced.
#[derive(Debug, Default)]
pub struct Tracer {
    inner: RefCell<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    expression: Expression,
    known: HashMap<(Node, ScalarType), Id>,
    /// The first contradiction found.
    problem: Option<String>,
}

/// The dialect that records an expression.
#[derive(Debug, Clone, Copy)]
pub struct Trace<'t> {
    tracer: &'t Tracer,
}

/// A handle to a number.
#[derive(Debug)]
pub struct Handle<'t, T> {
    tracer: &'t Tracer,
    id: Id,
    kind: PhantomData<T>,
}

impl<T> Clone for Handle<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Handle<'_, T> {}

/// A handle to a truth value.
#[derive(Debug, Clone, Copy)]
pub struct Truth<'t> {
    tracer: &'t Tracer,
    id: Id,
}

impl Tracer {
    /// Returns the dialect that records here.
    pub fn dialect(&self) -> Trace<'_> {
        Trace { tracer: self }
    }

    /// Ends the trace; `result` is a number.
    ///
    /// # Errors
    /// When a parameter has two types or two values.
    pub fn finish<T>(&self, result: Handle<'_, T>) -> Result<Expression, String> {
        self.end(result.id)
    }

    /// Ends the trace; `result` is a truth value.
    ///
    /// # Errors
    /// The same as [`Tracer::finish`].
    pub fn finish_truth(&self, result: Truth<'_>) -> Result<Expression, String> {
        self.end(result.id)
    }

    fn end(&self, result: Id) -> Result<Expression, String> {
        let inner = self.inner.borrow();
        match &inner.problem {
            Some(problem) => Err(problem.clone()),
            None => Ok(inner.expression.only(result)),
        }
    }

    /// Returns the index of a node; reuses an equal node, and folds it to a literal if all operands are literals.
    fn place(&self, node: Node, kind: ScalarType) -> Id {
        let mut inner = self.inner.borrow_mut();
        let node = inner.expression.folded(node, kind).map_or(node, Node::Literal);
        if let Some(&id) = inner.known.get(&(node, kind)) {
            return id;
        }
        let id = inner.expression.push(node, kind);
        inner.known.insert((node, kind), id);
        id
    }

    fn number<T: Scalar>(&self, node: Node) -> Handle<'_, T> {
        Handle { tracer: self, id: self.place(node, T::TYPE), kind: PhantomData }
    }

    fn truth(&self, node: Node) -> Truth<'_> {
        Truth { tracer: self, id: self.place(node, ScalarType::Bool) }
    }

    fn parameter(&self, name: &'static str, value: Constant) -> Node {
        let mut inner = self.inner.borrow_mut();
        let params = &mut inner.expression.params;
        let Some(at) = params.iter().position(|p| p.name == name) else {
            params.push(Param { name, value });
            return Node::Param(params.len() as u32 - 1);
        };
        let problem = params[at].contradiction(value);
        inner.problem = inner.problem.take().or(problem);
        Node::Param(at as u32)
    }
}

impl<'t> Trace<'t> {
    /// Returns a handle to an input of the engine: a value, an id, a weight.
    pub fn input<T: Scalar>(&self, input: Input) -> Handle<'t, T> {
        self.tracer.number(Node::Input(input))
    }

    fn binary<T: Scalar, R: Scalar>(&self, op: Binary, a: Handle<'t, T>, b: Handle<'t, T>) -> Handle<'t, R> {
        self.tracer.number(Node::Binary(op, a.id, b.id))
    }

    fn compare<T: Scalar>(&self, op: Binary, a: Handle<'t, T>, b: Handle<'t, T>) -> Truth<'t> {
        self.tracer.truth(Node::Binary(op, a.id, b.id))
    }

    fn unary<A: Scalar, B: Scalar>(&self, op: Unary, a: Handle<'t, A>) -> Handle<'t, B> {
        self.tracer.number(Node::Unary(op, a.id))
    }
}

macro_rules! operator {
    ($($trait:ident $method:ident),*) => {$(
        impl<'t, T: Scalar> $trait for Handle<'t, T> {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                self.tracer.dialect().binary(Binary::$trait, self, other)
            }
        }
    )*};
}
operator!(Add add, Sub sub, Mul mul, Div div);

impl BitAnd for Truth<'_> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        self.tracer.truth(Node::Binary(Binary::And, self.id, other.id))
    }
}

impl BitOr for Truth<'_> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.tracer.truth(Node::Binary(Binary::Or, self.id, other.id))
    }
}

impl Not for Truth<'_> {
    type Output = Self;
    fn not(self) -> Self {
        self.tracer.truth(Node::Unary(Unary::Not, self.id))
    }
}

impl<'t> Dialect for Trace<'t> {
    type Val<T: Scalar> = Handle<'t, T>;
    type Bool = Truth<'t>;

    fn lit<T: Scalar>(&self, value: T) -> Handle<'t, T> {
        self.tracer.number(Node::Literal(Constant::of(value)))
    }
    fn param<T: Scalar>(&self, name: &'static str, value: T) -> Handle<'t, T> {
        self.tracer.number(self.tracer.parameter(name, Constant::of(value)))
    }
    fn eq<T: Scalar>(&self, a: Handle<'t, T>, b: Handle<'t, T>) -> Truth<'t> {
        self.compare(Binary::Eq, a, b)
    }
    fn lt<T: Scalar>(&self, a: Handle<'t, T>, b: Handle<'t, T>) -> Truth<'t> {
        self.compare(Binary::Lt, a, b)
    }
    fn le<T: Scalar>(&self, a: Handle<'t, T>, b: Handle<'t, T>) -> Truth<'t> {
        self.compare(Binary::Le, a, b)
    }
    fn select<T: Scalar>(&self, condition: Truth<'t>, a: Handle<'t, T>, b: Handle<'t, T>) -> Handle<'t, T> {
        self.tracer.number(Node::Select(condition.id, a.id, b.id))
    }
    fn cast<A: Scalar, B: Scalar>(&self, a: Handle<'t, A>) -> Handle<'t, B> {
        if A::TYPE == B::TYPE {
            return Handle { tracer: a.tracer, id: a.id, kind: PhantomData };
        }
        self.unary(Unary::Cast, a)
    }
    fn combine<T: Scalar>(&self, how: Combine, a: Handle<'t, T>, b: Handle<'t, T>) -> Handle<'t, T> {
        self.binary(how.binary(), a, b)
    }
    fn bits_and<T: Integer>(&self, a: Handle<'t, T>, b: Handle<'t, T>) -> Handle<'t, T> {
        self.binary(Binary::BitsAnd, a, b)
    }
    fn bits_or<T: Integer>(&self, a: Handle<'t, T>, b: Handle<'t, T>) -> Handle<'t, T> {
        self.binary(Binary::BitsOr, a, b)
    }
    fn abs<T: Scalar>(&self, a: Handle<'t, T>) -> Handle<'t, T> {
        self.unary(Unary::Abs, a)
    }
    fn sqrt<T: Float>(&self, a: Handle<'t, T>) -> Handle<'t, T> {
        self.unary(Unary::Sqrt, a)
    }
    fn pack(&self, hi: Handle<'t, u32>, lo: Handle<'t, u32>) -> Handle<'t, u64> {
        self.binary(Binary::Pack, hi, lo)
    }
    fn hi(&self, a: Handle<'t, u64>) -> Handle<'t, u32> {
        self.unary(Unary::Hi, a)
    }
    fn lo(&self, a: Handle<'t, u64>) -> Handle<'t, u32> {
        self.unary(Unary::Lo, a)
    }
}

#[cfg(test)]
mod tests;
