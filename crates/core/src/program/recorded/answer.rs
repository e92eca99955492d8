//! [`RecordedAnswer`]: the answer of a recorded program, whatever the type of its values.

use crate::{Answer, Judged, Path, Result, Run, Table, Violation, program::ProgramAnswer};
use warpgraph_graph::{Graph, NodeMap, Vertex};

/// The value of each vertex, in the type that the program has.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum RecordedAnswer {
    U32(ProgramAnswer<u32>),
    I32(ProgramAnswer<i32>),
    U64(ProgramAnswer<u64>),
    F32(ProgramAnswer<f32>),
    F64(ProgramAnswer<f64>),
}

macro_rules! each {
    ($self:expr, |$answer:ident| $body:expr) => {
        match $self {
            Self::U32($answer) => $body,
            Self::I32($answer) => $body,
            Self::U64($answer) => $body,
            Self::F32($answer) => $body,
            Self::F64($answer) => $body,
        }
    };
}

macro_rules! from {
    ($($variant:ident $kind:ty),*) => {$(
        impl From<ProgramAnswer<$kind>> for RecordedAnswer {
            fn from(answer: ProgramAnswer<$kind>) -> Self {
                Self::$variant(answer)
            }
        }
    )*};
}
from!(U32 u32, I32 i32, U64 u64, F32 f32, F64 f64);

impl RecordedAnswer {
    /// Maps the answer back to the original `graph`; `map` is the renumbering.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn restore(self, graph: &Graph, map: &NodeMap) -> Result<Self> {
        Ok(each!(self, |answer| answer.restore(graph, map)?.into()))
    }
}

impl Answer for RecordedAnswer {
    fn run(&self) -> &Run {
        each!(self, |answer| answer.run())
    }

    fn run_mut(&mut self) -> &mut Run {
        each!(self, |answer| answer.run_mut())
    }

    fn summary(&self) -> serde_json::Value {
        each!(self, |answer| answer.summary())
    }

    fn table(&self) -> Table<'_> {
        each!(self, |answer| answer.table())
    }

    fn verify(&self, graph: &Graph) -> Result<(), Violation> {
        each!(self, |answer| answer.verify(graph))
    }

    fn judged(&self) -> Option<Judged<'_>> {
        each!(self, |answer| answer.judged())
    }

    fn path(&self, target: Vertex) -> Option<Path> {
        each!(self, |answer| answer.path(target))
    }

    fn arcs_reached(&self) -> u64 {
        each!(self, |answer| answer.arcs_reached())
    }
}
