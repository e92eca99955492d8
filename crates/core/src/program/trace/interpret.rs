//! The interpreter: computes an expression for a block of arcs or vertices at once, with one typed buffer per node.
//!
//! Each node is one loop over a column, so that [`BLOCK`] arcs share the cost of decoding a node. It uses the same
//! functions as [`Native`](crate::program::Native) and returns the same bits.

use super::{Binary, Constant, Expression, Id, Input, Node, Unary};
use crate::program::{Combine, Scalar, ScalarType};

/// The largest number of arcs computed at once.
pub const BLOCK: usize = 1024;

/// A column of values of one type.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Lane {
    Bool(Vec<bool>),
    U32(Vec<u32>),
    I32(Vec<i32>),
    U64(Vec<u64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
}

/// A scalar type that a [`Lane`] can hold.
pub(crate) trait Laned: Scalar {
    fn values(lane: &Lane) -> &[Self];
    fn values_mut(lane: &mut Lane) -> &mut Vec<Self>;
}

macro_rules! laned {
    ($($type:ty, $name:ident);*) => {$(
        impl Laned for $type {
            fn values(lane: &Lane) -> &[Self] {
                match lane {
                    Lane::$name(values) => values,
                    _ => unreachable!("a trace is typed"),
                }
            }
            fn values_mut(lane: &mut Lane) -> &mut Vec<Self> {
                match lane {
                    Lane::$name(values) => values,
                    _ => unreachable!("a trace is typed"),
                }
            }
        }
    )*};
}
laned!(u32, U32; i32, I32; u64, U64; f32, F32; f64, F64);

/// Runs `$body` with `$T` as the number type of a kind; for truth values it runs `$bool`.
macro_rules! with_type {
    ($kind:expr, |$T:ident| $body:expr, bool: $bool:expr) => {
        match $kind {
            ScalarType::Bool => $bool,
            ScalarType::U32 => {
                type $T = u32;
                $body
            }
            ScalarType::I32 => {
                type $T = i32;
                $body
            }
            ScalarType::U64 => {
                type $T = u64;
                $body
            }
            ScalarType::F32 => {
                type $T = f32;
                $body
            }
            ScalarType::F64 => {
                type $T = f64;
                $body
            }
        }
    };
}

impl Lane {
    /// Returns an empty column of a type.
    pub fn new(kind: ScalarType) -> Self {
        match kind {
            ScalarType::Bool => Self::Bool(Vec::new()),
            ScalarType::U32 => Self::U32(Vec::new()),
            ScalarType::I32 => Self::I32(Vec::new()),
            ScalarType::U64 => Self::U64(Vec::new()),
            ScalarType::F32 => Self::F32(Vec::new()),
            ScalarType::F64 => Self::F64(Vec::new()),
        }
    }

    /// Returns the type of its values.
    pub fn kind(&self) -> ScalarType {
        match self {
            Self::Bool(_) => ScalarType::Bool,
            Self::U32(_) => ScalarType::U32,
            Self::I32(_) => ScalarType::I32,
            Self::U64(_) => ScalarType::U64,
            Self::F32(_) => ScalarType::F32,
            Self::F64(_) => ScalarType::F64,
        }
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        with_type!(self.kind(), |T| T::values(self).len(), bool: self.truths().len())
    }

    /// Returns true if it has no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns one of its values.
    pub fn constant(&self, at: usize) -> Constant {
        let kind = self.kind();
        let bits = with_type!(kind, |T| T::values(self)[at].bits(), bool: u64::from(self.truths()[at]));
        Constant { kind, bits }
    }

    /// Replaces its values by these numbers, cast to the column's type.
    pub fn fill<T: Scalar>(&mut self, numbers: impl Iterator<Item = T>) {
        with_type!(self.kind(), |R| {
            let values = R::values_mut(self);
            values.clear();
            values.extend(numbers.map(|x| x.cast::<R>()));
        }, bool: *self.truths_mut() = numbers.map(|x| x != T::ZERO).collect());
    }

    /// Replaces its values by those of another column of its type, at these places.
    ///
    /// # Panics
    /// If the columns have different types.
    pub fn gather(&mut self, from: &Self, places: &[u32]) {
        with_type!(self.kind(), |T| {
            let (from, values) = (T::values(from), T::values_mut(self));
            values.clear();
            // A hole of a renumbered graph stands for no vertex.
            values.extend(places.iter().map(|&at| from.get(at as usize).copied().unwrap_or(T::ZERO)));
        }, bool: {});
    }

    /// Returns its values; `None` if they have another type.
    pub fn numbers<T: Scalar>(&self) -> Option<&[T]> {
        with_type!(self.kind(), |R| match R::TYPE == T::TYPE {
            true => bytemuck::try_cast_slice(R::values(self)).ok(),
            false => None,
        }, bool: None)
    }

    /// Returns its values as bytes.
    pub fn bytes(&self) -> &[u8] {
        with_type!(self.kind(), |T| bytemuck::cast_slice(T::values(self)), bool: bytemuck::cast_slice(self.truths()))
    }

    /// Returns its truth values; none if it has numbers.
    pub fn truth_values(&self) -> &[bool] {
        match self {
            Self::Bool(values) => values,
            _ => &[],
        }
    }

    /// Returns the place of the first value that is no number.
    pub fn first_nan(&self) -> Option<usize> {
        with_type!(self.kind(), |T| T::values(self).iter().position(|value| !value.is_number()), bool: None)
    }

    fn repeat(&mut self, constant: Constant, len: usize) {
        with_type!(self.kind(), |T| {
            let values = T::values_mut(self);
            values.clear();
            values.resize(len, <T as Scalar>::from_bits(constant.bits));
        }, bool: *self.truths_mut() = vec![constant.bits != 0; len]);
    }

    fn truths(&self) -> &[bool] {
        match self {
            Self::Bool(values) => values,
            _ => unreachable!("a trace is typed"),
        }
    }

    fn truths_mut(&mut self) -> &mut Vec<bool> {
        match self {
            Self::Bool(values) => values,
            _ => unreachable!("a trace is typed"),
        }
    }
}

/// Computes an expression block by block, with buffers allocated once.
#[derive(Debug)]
pub struct Interpreter<'e> {
    expression: &'e Expression,
    lanes: Vec<Lane>,
}

impl<'e> Interpreter<'e> {
    /// Returns an interpreter of one expression.
    pub fn new(expression: &'e Expression) -> Self {
        let lanes = expression.nodes().iter().map(|(_, kind)| Lane::new(*kind)).collect();
        Self { expression, lanes }
    }

    /// Computes `len` results. Calls `input` once per input that the expression reads; `input` fills in `len` values.
    ///
    /// # Panics
    /// When `len` is more than [`BLOCK`] or `input` fills in another number of values.
    pub fn run(&mut self, len: usize, mut input: impl FnMut(Input, &mut Lane)) -> &Lane {
        assert!(len <= BLOCK, "a block has {BLOCK} entries at most, got {len}");
        for (at, (node, _)) in self.expression.nodes().iter().enumerate() {
            let (before, after) = self.lanes.split_at_mut(at);
            let out = &mut after[0];
            match *node {
                Node::Literal(constant) => out.repeat(constant, len),
                Node::Param(param) => out.repeat(self.expression.params[param as usize].value, len),
                Node::Input(name) => {
                    input(name, out);
                    assert_eq!(out.len(), len, "{name}: one value per arc");
                }
                _ => compute(*node, before, out),
            }
        }
        self.lanes.last().unwrap_or_else(|| unreachable!("an expression has a result"))
    }
}

/// Computes a node whose operands are all literals.
pub(super) fn compute_one(node: Node, kind: ScalarType, operands: &[Constant]) -> Constant {
    let lane = |constant: &Constant| {
        let mut lane = Lane::new(constant.kind);
        lane.repeat(*constant, 1);
        lane
    };
    let lanes: Vec<Lane> = operands.iter().map(lane).collect();
    let node = match node {
        Node::Unary(op, _) => Node::Unary(op, 0),
        Node::Binary(op, ..) => Node::Binary(op, 0, 1),
        Node::Select(..) => Node::Select(0, 1, 2),
        other => other,
    };
    let mut out = Lane::new(kind);
    compute(node, &lanes, &mut out);
    out.constant(0)
}

fn compute(node: Node, lanes: &[Lane], out: &mut Lane) {
    let lane = |id: Id| &lanes[id as usize];
    match node {
        Node::Unary(op, a) => unary(op, lane(a), out),
        Node::Binary(op, a, b) => binary(op, lane(a), lane(b), out),
        Node::Select(c, a, b) => select(lane(c).truths(), lane(a), lane(b), out),
        Node::Literal(_) | Node::Param(_) | Node::Input(_) => {}
    }
}

fn unary(op: Unary, a: &Lane, out: &mut Lane) {
    match op {
        Unary::Not => *out.truths_mut() = a.truths().iter().map(|x| !x).collect(),
        Unary::Cast => with_type!(a.kind(), |T| out.fill(T::values(a).iter().copied()), bool: {}),
        Unary::Hi => out.fill(u64::values(a).iter().map(|x| (x >> 32) as u32)),
        Unary::Lo => out.fill(u64::values(a).iter().map(|x| *x as u32)),
        Unary::Abs => {
            with_type!(a.kind(), |T| out.fill(T::values(a).iter().map(|x| x.magnitude())), bool: {});
        }
        Unary::Sqrt => with_type!(a.kind(), |T| out.fill(T::values(a).iter().map(|x| x.root())), bool: {}),
    }
}

fn binary(op: Binary, a: &Lane, b: &Lane, out: &mut Lane) {
    let pack = |(hi, lo): (&u32, &u32)| u64::from(*hi) << 32 | u64::from(*lo);
    match op {
        Binary::Pack => out.fill(u32::values(a).iter().zip(u32::values(b)).map(pack)),
        Binary::And => *out.truths_mut() = a.truths().iter().zip(b.truths()).map(|(a, b)| a & b).collect(),
        Binary::Or => *out.truths_mut() = a.truths().iter().zip(b.truths()).map(|(a, b)| a | b).collect(),
        Binary::Eq | Binary::Lt | Binary::Le => {
            with_type!(a.kind(), |T| compare(op, T::values(a), T::values(b), out.truths_mut()), bool: {});
        }
        _ => {
            with_type!(a.kind(), |T| arithmetic(op, T::values(a), T::values(b), T::values_mut(out)), bool: {});
        }
    }
}

fn compare<T: Scalar>(op: Binary, a: &[T], b: &[T], out: &mut Vec<bool>) {
    match op {
        Binary::Eq => map(a, b, out, |a, b| a == b),
        Binary::Lt => map(a, b, out, |a, b| a < b),
        _ => map(a, b, out, |a, b| a <= b),
    }
}

fn arithmetic<T: Scalar>(op: Binary, a: &[T], b: &[T], out: &mut Vec<T>) {
    match op {
        Binary::Add => map(a, b, out, T::plus),
        Binary::Sub => map(a, b, out, T::minus),
        Binary::Mul => map(a, b, out, T::times),
        Binary::Div => map(a, b, out, T::over),
        Binary::BitsAnd => map(a, b, out, T::and),
        Binary::BitsOr => map(a, b, out, T::or),
        Binary::Least => map(a, b, out, |a, b| Combine::Min.join(a, b)),
        _ => map(a, b, out, |a, b| Combine::Max.join(a, b)),
    }
}

fn map<T: Copy, R>(a: &[T], b: &[T], out: &mut Vec<R>, f: impl Fn(T, T) -> R) {
    out.clear();
    out.extend(a.iter().zip(b).map(|(a, b)| f(*a, *b)));
}

fn select(conditions: &[bool], a: &Lane, b: &Lane, out: &mut Lane) {
    with_type!(a.kind(), |T| {
        let pairs = T::values(a).iter().zip(T::values(b)).zip(conditions);
        let out = T::values_mut(out);
        out.clear();
        out.extend(pairs.map(|((a, b), condition)| if *condition { *a } else { *b }));
    }, bool: {});
}
