//! [`Builder`]: makes an expression node by node, with types that are known only when the program runs, such as those of
//! programs in other languages. It gives the same nodes as [`Trace`](super::Trace).

use super::{Binary, Constant, Expression, Id, Input, Node, Tracer, Unary};
use crate::program::ScalarType;
use std::{
    collections::HashSet,
    sync::{LazyLock, Mutex, PoisonError},
};

/// An expression that grows. Each method returns the index of the node that it adds, or of an equal one.
#[derive(Debug, Default)]
pub struct Builder {
    tracer: Tracer,
}

/// Returns the same name with an unlimited lifetime. Each name that a process uses is kept once, until it ends.
pub fn interned(name: &str) -> &'static str {
    static NAMES: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    match names.get(name) {
        Some(known) => known,
        None => {
            let kept: &'static str = Box::leak(name.into());
            names.insert(kept);
            kept
        }
    }
}

impl Builder {
    /// Adds a literal.
    pub fn literal(&self, value: Constant) -> Id {
        self.tracer.place(Node::Literal(value), value.kind)
    }

    /// Adds a parameter with its value in this run.
    pub fn param(&self, name: &str, value: Constant) -> Id {
        let node = self.tracer.parameter(interned(name), value);
        self.tracer.place(node, value.kind)
    }

    /// Adds an input of the engine.
    pub fn input(&self, input: Input, kind: ScalarType) -> Id {
        self.tracer.place(Node::Input(input), kind)
    }

    /// Adds an operation with one operand; `to` is the type that a cast leads to.
    ///
    /// # Errors
    /// For an operand of a type that the operation does not take.
    pub fn unary(&self, op: Unary, a: Id, to: ScalarType) -> Result<Id, String> {
        let kind = self.kind(a)?;
        let result = match op {
            Unary::Cast if kind == to => return Ok(a),
            Unary::Cast if kind.is_number() && to.is_number() => Some(to),
            Unary::Not => Some(kind).filter(|kind| !kind.is_number()),
            Unary::Abs => Some(kind).filter(|kind| kind.is_number()),
            Unary::Sqrt => Some(kind).filter(|kind| kind.is_decimal()),
            Unary::Hi | Unary::Lo => (kind == ScalarType::U64).then_some(ScalarType::U32),
            Unary::Cast => None,
        };
        let result = result.ok_or_else(|| format!("`{}` does not take {kind}", op.name()))?;
        Ok(self.tracer.place(Node::Unary(op, a), result))
    }

    /// Adds an operation with two operands of one type.
    ///
    /// # Errors
    /// For operands of different types, or of a type that the operation does not take.
    pub fn binary(&self, op: Binary, a: Id, b: Id) -> Result<Id, String> {
        let (kind, other) = (self.kind(a)?, self.kind(b)?);
        if kind != other {
            return Err(format!("`{}` of {kind} and {other}: cast one of them", op.name()));
        }
        let result = match op {
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Least | Binary::Greatest => {
                Some(kind).filter(|kind| kind.is_number())
            }
            Binary::BitsAnd | Binary::BitsOr => {
                Some(kind).filter(|kind| kind.is_number() && !kind.is_decimal())
            }
            Binary::Eq | Binary::Lt | Binary::Le => kind.is_number().then_some(ScalarType::Bool),
            Binary::And | Binary::Or => Some(kind).filter(|kind| !kind.is_number()),
            Binary::Pack => (kind == ScalarType::U32).then_some(ScalarType::U64),
        };
        let result = result.ok_or_else(|| format!("`{}` does not take {kind}", op.name()))?;
        Ok(self.tracer.place(Node::Binary(op, a, b), result))
    }

    /// Adds the choice of `a` if `condition` holds, else `b`.
    ///
    /// # Errors
    /// If the condition is a number, or `a` and `b` have different types.
    pub fn select(&self, condition: Id, a: Id, b: Id) -> Result<Id, String> {
        let (truth, kind, other) = (self.kind(condition)?, self.kind(a)?, self.kind(b)?);
        if truth.is_number() {
            return Err(format!("a choice by a {truth}, which is no truth value"));
        }
        if kind != other || !kind.is_number() {
            return Err(format!("a choice between {kind} and {other}: cast one of them"));
        }
        Ok(self.tracer.place(Node::Select(condition, a, b), kind))
    }

    /// Returns the type of a node.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn kind(&self, of: Id) -> Result<ScalarType, String> {
        let inner = self.tracer.inner.borrow();
        let node = inner.expression.nodes().get(of as usize);
        node.map(|(_, kind)| *kind).ok_or_else(|| format!("there is no node {of}"))
    }

    /// Ends the expression.
    ///
    /// # Errors
    /// If there is no such node, or a parameter has two types or two values.
    pub fn finish(&self, result: Id) -> Result<Expression, String> {
        self.kind(result)?;
        self.tracer.end(result)
    }
}
