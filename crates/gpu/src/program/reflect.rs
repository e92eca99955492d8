//! The reflect hook: copies of vertices stay equal to their masters during a run on a device.
//!
//! A graph may have *copies*, which have outgoing arcs of their masters and no incoming ones, and *holes*, which stand for
//! no vertex ([`Copies`]). The answer for masters is that of the graph in which copies are merged into their masters:
//!
//! - copies start as their masters do, and holes with the identity, for which nothing of a program is computed;
//! - after a superstep, a copy takes the value of its master, or the change that it has yet to send, and joins the next
//!   frontier if the master did. If messages also went against the direction of arcs, masters first join what their
//!   copies received;
//! - after a sweep, a copy takes the value of its master. Residuals leave copies and holes out;
//! - programs see the degree of the merged vertex.
//!
//! The hook costs one launch per superstep and reads no edges, so they may be stored anywhere. A graph without copies and
//! holes has no tables ([`crate::copies`]), and runs what it always ran.

use super::stage::Stage;
use crate::{
    arguments::ProgramArgs,
    copies::CopyTable,
    device_graph::Made,
    machine::{Grid, Launch, Machine},
};
use std::sync::Arc;
use warpgraph_core::Result;
use warpgraph_device::{Address, arguments};

arguments! {
    /// The arguments of the kernels in `reflect.cu`.
    pub(crate) struct ReflectArgs {
        /// The values, the frontier, and the parameters.
        pub(crate) program: ProgramArgs,
        /// Pairs of a copy and its master.
        pub(crate) copies: Address<u32>,
        pub(crate) masters: Address<u32>,
        pub(crate) pairs: u64,
    }
}

/// A kernel of the hook, ready to run.
pub(super) struct Reflect {
    kernel: Launch<ReflectArgs>,
    table: Arc<Made<CopyTable>>,
}

impl Reflect {
    /// Compiles a kernel; `None` if there are no copies to reflect.
    ///
    /// # Errors
    /// Those of compiling.
    pub(super) fn new(stage: &Stage<'_>, name: &'static str) -> Result<Option<Self>> {
        let Some(table) = stage.copies.as_ref().filter(|table| table.pairs() > 0) else { return Ok(None) };
        let source = stage.functor.reflect(stage.device_graph.is_wide())?;
        Ok(Some(Self { kernel: stage.machine.kernel(&source, name)?, table: Arc::clone(table) }))
    }

    /// Returns the number of pairs.
    pub(super) fn pairs(&self) -> u64 {
        self.table.pairs()
    }

    /// Starts the kernel. Copies that are woken join the next frontier of `program`.
    ///
    /// # Safety
    /// The arrays of `program` have an entry per vertex and live until the next wait; the next frontier has room for all
    /// that join.
    pub(super) unsafe fn start(&self, machine: &Machine<'_>, program: ProgramArgs) -> Result<()> {
        let (copies, masters) = (self.table.copies(), self.table.masters());
        let args = ReflectArgs { program, copies, masters, pairs: self.pairs() };
        // SAFETY: copies and masters are vertices, and the table outlives the run; the caller promises the rest.
        unsafe { machine.start(&self.kernel, Grid::For(self.pairs()), &args) }
    }
}
