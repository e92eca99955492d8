//! [`Kind`]: what the types and constants of a program say, as values.

use super::{Combine, ScalarType, VertexProgram, Weight};

/// The types of a program and its promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// Its name in messages and results.
    pub name: &'static str,
    /// How messages combine.
    pub combine: Combine,
    /// The type of a vertex's value.
    pub value: ScalarType,
    /// The type in which a message reads weights; `None` if it reads none.
    pub weight: Option<ScalarType>,
    /// [`VertexProgram::DISTRIBUTES`].
    pub distributes: bool,
    /// [`VertexProgram::ONCE`].
    pub once: bool,
}

impl Kind {
    /// Returns the kind of a program in Rust.
    pub fn of<P: VertexProgram>() -> Self {
        use super::Scalar as _;
        Self {
            name: P::NAME,
            combine: P::COMBINE,
            value: P::Value::TYPE,
            weight: P::Weight::USED.then_some(<P::Weight as Weight>::Scalar::TYPE),
            distributes: P::DISTRIBUTES,
            once: P::ONCE,
        }
    }

    /// Returns true if a value is a decimal.
    pub(super) fn is_decimal(&self) -> bool {
        self.value.is_decimal()
    }
}
