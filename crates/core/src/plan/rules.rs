//! Which plans an algorithm accepts, declared by the algorithm itself.

use super::Direction;

/// Which plans an algorithm or a program accepts, and why not the others. [`Rules::check`] applies them.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// The name of the algorithm or program.
    pub name: &'static str,
    /// The directions that the CPU accepts.
    pub on_cpu: Directions,
    /// The general form on a GPU, which runs when a plan names a direction or a balance.
    pub on_gpu: General,
    /// True if its answers can be compared with exact ones, so that the graph may be changed before a run.
    pub approximates: bool,
    /// Why no GPU answers this question, whatever the plan; `None` if GPUs do.
    pub only_on_cpu: Option<&'static str>,
}

/// The directions that the CPU accepts.
#[derive(Debug, Clone, Copy)]
pub enum Directions {
    /// Push and pull.
    Both,
    /// One direction only, for a reason.
    Only(Direction, &'static str),
    /// A plan must not name a direction, for a reason.
    Neither(&'static str),
    /// Whatever the general form on a GPU accepts; for programs.
    AsGeneral,
}

/// The general form of an algorithm on a GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum General {
    /// A program whose values improve monotonically: any direction, any balance.
    Program,
    /// The same, if it needs supersteps for a reason: it does not run along paths.
    Stepped(&'static str),
    /// A program that sums messages.
    Sum,
    /// A program that sums messages and needs all messages of a superstep at once, so it cannot push.
    SumAtOnce,
    /// Filters: any balance, no direction, for a reason.
    Filters(&'static str),
    /// Filters that gather over whole adjacency lists: any balance, no push, for a reason.
    Gather(&'static str),
    /// Filters that sum: any balance, no direction, for a reason.
    FilteredSum(&'static str),
    /// Special kernels without frontiers: no direction and no balance, for a reason.
    Kernels(&'static str),
}
