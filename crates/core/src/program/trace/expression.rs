//! [`Expression`]: what a traced function computes, as a list of typed nodes, each computed from earlier ones.

use super::interpret;
use crate::program::{Scalar, ScalarType};

/// The index of a node in its expression.
pub type Id = u32;

/// A typed number, stored as bits so that it can be hashed and compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Constant {
    /// Its type.
    pub kind: ScalarType,
    /// Its bits, widened to 64.
    pub bits: u64,
}

impl Constant {
    /// Returns the constant of a number.
    pub fn of<T: Scalar>(value: T) -> Self {
        Self { kind: T::TYPE, bits: value.bits() }
    }
}

/// A property of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// Its original number.
    Id,
    /// Its out-degree.
    Degree,
    /// A column, by its index.
    Column(u32),
}

/// An input that the engine passes to a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Input {
    /// The value: of the source in `message`, the old one in `apply` and `active`.
    Value,
    /// The combined messages in `apply`; the new value in `active`.
    Arrived,
    /// The arc's weight.
    Weight,
    /// A property of the arc's source.
    Source(Field),
    /// A property of the arc's target.
    Target(Field),
    /// A property of the vertex itself, in `init`, `start` and `apply`.
    Own(Field),
}

/// Operations with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the methods of Dialect say it")]
pub enum Unary {
    Not,
    Cast,
    Abs,
    Sqrt,
    Hi,
    Lo,
}

/// Operations with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the methods of Dialect say it")]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    /// The join of `Min`: by the total order, ignoring a NaN in the second operand.
    Least,
    /// The join of `Max`.
    Greatest,
    BitsAnd,
    BitsOr,
    Eq,
    Lt,
    Le,
    And,
    Or,
    Pack,
}

/// A node of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the methods of Dialect say it")]
pub enum Node {
    Literal(Constant),
    /// A parameter, by its index in [`Expression::params`].
    Param(u32),
    Input(Input),
    Unary(Unary, Id),
    Binary(Binary, Id, Id),
    Select(Id, Id, Id),
}

impl Node {
    /// Iterates over the nodes that it is computed from.
    pub fn operands(&self) -> impl Iterator<Item = Id> + use<> {
        let (list, len) = match *self {
            Self::Unary(_, a) => ([a, 0, 0], 1),
            Self::Binary(_, a, b) => ([a, b, 0], 2),
            Self::Select(c, a, b) => ([c, a, b], 3),
            _ => ([0; 3], 0),
        };
        list.into_iter().take(len)
    }

    fn with_operands(self, to: impl Fn(Id) -> Id) -> Self {
        match self {
            Self::Unary(op, a) => Self::Unary(op, to(a)),
            Self::Binary(op, a, b) => Self::Binary(op, to(a), to(b)),
            Self::Select(c, a, b) => Self::Select(to(c), to(a), to(b)),
            other => other,
        }
    }
}

/// A parameter and its value in this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: Constant,
}

impl Param {
    /// Returns what is wrong if this parameter also gets `value`; `None` if they agree.
    pub(super) fn contradiction(&self, value: Constant) -> Option<String> {
        let (name, old) = (self.name, self.value);
        if old.kind != value.kind {
            return Some(format!("parameter {name:?} is used as {} and as {}", old.kind, value.kind));
        }
        (old.bits != value.bits).then(|| format!("parameter {name:?} has two values in one run"))
    }
}

/// A traced function. The last node is its result.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Expression {
    nodes: Vec<(Node, ScalarType)>,
    /// The parameters that it uses, in the order of first use, with the values of this run.
    pub params: Vec<Param>,
}

impl Expression {
    /// Returns the nodes with their types; each is computed from earlier ones.
    pub fn nodes(&self) -> &[(Node, ScalarType)] {
        &self.nodes
    }

    /// Iterates over the inputs that the result depends on, with their types.
    pub fn inputs(&self) -> impl Iterator<Item = (Input, ScalarType)> {
        self.nodes.iter().filter_map(|&(node, kind)| match node {
            Node::Input(input) => Some((input, kind)),
            _ => None,
        })
    }

    /// Returns true if the result depends on this input.
    pub fn reads(&self, input: Input) -> bool {
        self.nodes.iter().any(|(node, _)| *node == Node::Input(input))
    }

    /// Returns true if the result depends on an input for which `is_one` holds.
    pub fn reads_any(&self, is_one: impl Fn(Input) -> bool) -> bool {
        self.nodes.iter().any(|(node, _)| matches!(node, Node::Input(input) if is_one(*input)))
    }

    pub(super) fn push(&mut self, node: Node, kind: ScalarType) -> Id {
        self.nodes.push((node, kind));
        self.nodes.len() as Id - 1
    }

    /// Returns the value of a node if all its operands are literals.
    pub(super) fn folded(&self, node: Node, kind: ScalarType) -> Option<Constant> {
        node.operands().next()?;
        let constants: Option<Vec<Constant>> = node
            .operands()
            .map(|id| match self.nodes[id as usize].0 {
                Node::Literal(constant) => Some(constant),
                _ => None,
            })
            .collect();
        Some(interpret::compute_one(node, kind, &constants?))
    }

    /// Returns only the nodes that `result` needs, renumbered without gaps.
    pub(super) fn only(&self, result: Id) -> Self {
        let mut needed = vec![false; self.nodes.len()];
        needed[result as usize] = true;
        // Backwards from the result: a node comes before all nodes that need it.
        for id in (0..=result as usize).rev() {
            if needed[id] {
                self.nodes[id].0.operands().for_each(|id| needed[id as usize] = true);
            }
        }
        let mut only = Self::default();
        let mut places = vec![0; self.nodes.len()];
        for (id, &(node, kind)) in self.nodes.iter().enumerate().filter(|(id, _)| needed[*id]) {
            let node = match node.with_operands(|id| places[id as usize]) {
                Node::Param(at) => Node::Param(only.param(self.params[at as usize])),
                other => other,
            };
            places[id] = only.push(node, kind);
        }
        only
    }

    fn param(&mut self, param: Param) -> u32 {
        let at = self.params.iter().position(|p| p.name == param.name);
        at.unwrap_or_else(|| {
            self.params.push(param);
            self.params.len() - 1
        }) as u32
    }
}
