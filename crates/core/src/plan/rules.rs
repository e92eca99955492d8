//! Which plans an algorithm takes, declared by the algorithm itself.

use super::Direction;

/// Which plans an algorithm or a program takes, and why not the others. [`Rules::check`] refuses by them.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// The name of the algorithm or program.
    pub name: &'static str,
    /// The directions that the processor takes.
    pub on_cpu: Directions,
    /// The general form on a GPU: what runs when a plan names a direction or a balance.
    pub on_gpu: General,
}

/// The directions that the processor takes.
#[derive(Debug, Clone, Copy)]
pub enum Directions {
    /// Push and pull.
    Both,
    /// One direction only, for a reason.
    Only(Direction, &'static str),
    /// No plan may name a direction, for a reason.
    Neither(&'static str),
    /// The rules of the general form on a GPU: for programs.
    AsGeneral,
}

/// The general form of an algorithm on a GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum General {
    /// A program whose values only improve: any direction, any balance.
    Program,
    /// A program that sums up messages.
    Sum,
    /// A program that sums up messages and needs all messages of a superstep at once, so it cannot push.
    SumAtOnce,
    /// Filters: any balance, no direction, for a reason.
    Filters(&'static str),
    /// Filters that gather over whole rows: any balance, no push, for a reason.
    Gather(&'static str),
    /// Filters that sum up: any balance, no direction, for a reason.
    FilteredSum(&'static str),
    /// Kernels of its own, without frontiers: no direction and no balance, for a reason.
    Kernels(&'static str),
}
