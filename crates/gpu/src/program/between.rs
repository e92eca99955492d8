//! What happens between two supersteps of a program under `Min`, `Max` or `Or`, beside the filter: chunks are iterated, and
//! copies are reflected. Nothing, on an ordinary graph.

use super::{chunks::Iteration, reflect::Reflect, stage::Stage};
use crate::{
    advance::Queue,
    arguments::{Along, ProgramArgs},
    frontier::Members,
};
use warpgraph_core::Result;

/// The kernels that run between two supersteps.
pub(super) struct Between {
    chunks: Option<Iteration>,
    /// From copies to masters, if messages go along arcs of both directions; then from masters to copies.
    back: Option<Reflect>,
    forth: Option<Reflect>,
}

impl Between {
    /// Compiles what the graph and the options need.
    ///
    /// # Errors
    /// Those of compiling; when memory is short.
    pub(super) fn new(stage: &Stage<'_>) -> Result<Self> {
        let is_both = stage.sides() > 1;
        assert!(stage.plain || !is_both, "only programs that improve in place go along both directions");
        let back = if is_both { Reflect::new(stage, "reflect_back")? } else { None };
        Ok(Self { chunks: Iteration::new(stage)?, back, forth: Reflect::new(stage, "reflect_values")? })
    }

    /// Returns true if chunks are iterated, before the first superstep too.
    pub(super) fn iterates(&self) -> bool {
        self.chunks.is_some()
    }

    /// Returns how many entries it adds to a frontier at most.
    pub(super) fn most(&self) -> u64 {
        let reflected = [&self.back, &self.forth].into_iter().flatten().map(Reflect::pairs).sum::<u64>();
        self.chunks.as_ref().map_or(0, Iteration::members) + reflected
    }

    /// Returns the bytes of its arrays.
    pub(super) fn bytes(&self) -> u64 {
        self.chunks.as_ref().map_or(0, Iteration::bytes)
    }

    /// Iterates chunks that have a member in the frontier, then reflects. Vertices that change join `next`, which may be the
    /// queue that holds the frontier.
    ///
    /// # Safety
    /// `members` are vertices. The arrays of `args` have an entry per vertex and live until the next wait, and `next` has
    /// room for all that join.
    pub(super) unsafe fn start(
        &self,
        stage: &Stage<'_>,
        args: ProgramArgs,
        members: Members,
        next: Queue,
    ) -> Result<()> {
        let along = Along {
            items: members.items,
            size: members.size,
            count: members.count,
            next: next.items,
            next_size: next.size,
            cancel: stage.machine.gpu().cancel_address(),
            ..args.along
        };
        let args = ProgramArgs { along, ..args };
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(chunks) = &self.chunks {
                chunks.start(stage, args, members)?;
            }
            for reflect in [&self.back, &self.forth].into_iter().flatten() {
                reflect.start(&stage.machine, args)?;
            }
        }
        Ok(())
    }
}
