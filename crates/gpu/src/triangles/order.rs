//! Vertices in decreasing order of degrees, so that those met most often have the least ranks.
//!
//! Degrees are told apart by their first four bits, for one pass of a sort; who has the same is in the order of numbers. A list of
//! neighbours with lesser ranks is so sqrt(9/8 * 2 m) long at most.

use super::TrianglesArgs;
use crate::{
    machine::{Grid, Launch, Machine},
    sort::{self, Pairs, Sort},
};
use warpgraph_core::Result;
use warpgraph_device::{Array, Source};
use warpgraph_graph::Vertex;

/// Ranks of vertices, and the vertices of ranks.
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

    /// The ranks of the vertices whose rows `args` has. Nothing is under way when they are there.
    pub(super) fn ranked(&self, machine: &Machine<'_>, args: TrianglesArgs) -> Result<Ranked> {
        let n = args.vertices as usize;
        let (mut pairs, mut spare) = (Pairs::new(machine, n)?, Pairs::new(machine, n)?);
        let args = TrianglesArgs { keys: pairs.keys.address(), order: pairs.values.address(), ..args };
        // SAFETY: a key and a value a vertex, which live until sorting has waited; rows as the caller has them.
        unsafe { machine.start(&self.keys, Grid::For(args.vertices), &args)? };
        self.sort.run(machine, &mut pairs, &mut spare, std::iter::once(0))?;
        drop(spare);
        let Pairs { keys, values: order } = pairs;
        drop(keys);
        let rank = machine.array(n, "ranks")?;
        let args = TrianglesArgs { rank: rank.address(), order: order.address(), ..args };
        // SAFETY: the order has every vertex once, and there is a rank for each; both live until the wait.
        unsafe { machine.start(&self.rank, Grid::For(args.vertices), &args)? };
        machine.wait()?;
        Ok(Ranked { rank, order })
    }
}

/// Bytes that ranking so many vertices takes at most.
pub(super) fn bytes(vertices: u64) -> u64 {
    2 * 12 * vertices + sort::bytes(vertices)
}
