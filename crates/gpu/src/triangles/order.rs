//! Vertices in decreasing order of degrees, so that the vertices that are met most often have the least ranks.
//!
//! The sort distinguishes degrees only by their first four bits, so that one pass suffices; vertices of the same class
//! stay in the order of their numbers. This bounds a list of neighbours with lesser ranks by sqrt(9/8 * 2 m).

use super::TrianglesArgs;
use crate::{
    machine::{Grid, Launch, Machine},
    sort::{self, Pairs, Sort},
};
use warpgraph_core::Result;
use warpgraph_device::{Array, Source};
use warpgraph_graph::Vertex;

/// The ranks of vertices, and the vertices of ranks.
pub(super) struct Ranked {
    pub(super) rank: Array<u32>,
    pub(super) order: Array<Vertex>,
}

impl Ranked {
    pub(super) fn bytes(&self) -> u64 {
        self.rank.bytes() + self.order.bytes()
    }
}

/// The kernels.
pub(super) struct Ranker {
    keys: Launch<TrianglesArgs>,
    rank: Launch<TrianglesArgs>,
    sort: Sort,
}

impl Ranker {
    pub(super) fn new(machine: &Machine<'_>, source: &Source) -> Result<Self> {
        Ok(Self {
            keys: machine.kernel(source, "triangles_keys")?,
            rank: machine.kernel(source, "triangles_rank")?,
            sort: Sort::new(machine)?,
        })
    }

    /// Returns the ranks of the vertices whose rows `args` describes, when the device is idle.
    pub(super) fn ranked(&self, machine: &Machine<'_>, args: TrianglesArgs) -> Result<Ranked> {
        let n = args.vertices as usize;
        let (mut pairs, mut spare) = (Pairs::new(machine, n)?, Pairs::new(machine, n)?);
        let args = TrianglesArgs { keys: pairs.keys.address(), order: pairs.values.address(), ..args };
        // SAFETY: there is a key and a value per vertex, which live until sorting has waited; the caller's rows are
        // valid.
        unsafe { machine.start(&self.keys, Grid::For(args.vertices), &args)? };
        self.sort.run(machine, &mut pairs, &mut spare, std::iter::once(0))?;
        drop(spare);
        let Pairs { keys, values: order } = pairs;
        drop(keys);
        let rank = machine.array(n, "ranks")?;
        let args = TrianglesArgs { rank: rank.address(), order: order.address(), ..args };
        // SAFETY: the order has every vertex once, and there is one rank per vertex; both arrays live until the wait.
        unsafe { machine.start(&self.rank, Grid::For(args.vertices), &args)? };
        machine.wait()?;
        Ok(Ranked { rank, order })
    }
}

/// Returns the most bytes that ranking this many vertices takes.
pub(super) fn bytes(vertices: u64) -> u64 {
    2 * 12 * vertices + sort::bytes(vertices)
}
