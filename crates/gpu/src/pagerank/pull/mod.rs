//! PageRank by sweeps that pull, rows dealt to lanes by their lengths.
//!
//! What is gathered are *shares*, a vertex's rank over its outgoing arcs. A rank that is not passed on along arcs goes where teleports
//! go in the next sweep: all that is missing from 1, so ranks sum to 1 after every sweep and need no scale in the end but for
//! rounding. One kernel is a sweep: warps take tickets for chunks of long rows, rows of a warp, and rows of a few lanes, in
//! this order, then every warp its share of rows of a thread; the last block to end adds up. Sweeps are started several at a time; those behind the one that
//! met the tolerance do nothing.
//!
//! Invariants: a row's arcs are dealt to lanes by its length alone, and sums over lanes of different warps are of whole numbers, so the bits of ranks
//! depend on nothing that differs between runs: this is the form of `deterministic` too. Ranks as whole numbers are off by
//! 2^-63 each: totals by 1e-12 for 10^7 vertices.
//!
//! Precision: shares of 32 bits are off by 2^-24; the change of a sweep is that of what they stand for, and with it counts what rounding can
//! hide (`draw_line` in `kernels/pagerank.cuh`). Tolerances below [`COARSE`] are swept down to there, or to where rounding
//! keeps changes from shrinking, and on with shares of 64 bits.
//!
//! If the first vertices are at the end of many arcs, as in degree order, every block keeps their shares in shared memory.
//!
//! O(m) work a sweep. Memory: 20 bytes a vertex, 8 more if teleports are not uniform, and some 6 for every 128 arcs.

mod state;
mod sweeps;

pub(crate) use state::bytes;
pub(crate) use sweeps::{Shares, module};

use crate::{DeviceGraph, machine::Machine, waves};
use state::State;
use sweeps::Sweeps;
use warpgraph_core::{
    Halted, Options, Plan, Result,
    pagerank::{PageRank, PageRankAnswer},
};
use warpgraph_device::{Address, arguments};

arguments! {
    /// Of the kernels of PageRank.
    pub(crate) struct PullArgs {
        /// Incoming rows, and offsets of outgoing ones, which are the same on an undirected graph.
        pub(crate) offsets: Address<()>,
        pub(crate) targets: Address<u32>,
        pub(crate) out_offsets: Address<()>,
        pub(crate) vertices: u64,
        /// Where teleports go; null: everywhere alike, `uniform`.
        pub(crate) teleport: Address<f64>,
        pub(crate) uniform: f64,
        pub(crate) damping: f64,
        pub(crate) tolerance: f64,
        /// The first guess: so much of the teleports, so much for who has outgoing arcs, and so much for each of them.
        pub(crate) guess: f64,
        pub(crate) guess_with_arcs: f64,
        pub(crate) guess_an_arc: f64,
        /// Shares before a sweep, and after it.
        pub(crate) from: Address<()>,
        pub(crate) into: Address<()>,
        pub(crate) ranks: Address<f64>,
        pub(crate) words: Address<u64>,
        /// Parts of rows longer than a chunk: the number of the row among them, and that of the part.
        pub(crate) chunks: Address<u64>,
        /// Of these rows: what was gathered, as a whole number, parts that are missing, and the vertex.
        pub(crate) gathered: Address<u64>,
        pub(crate) missing: Address<u32>,
        pub(crate) huge: Address<u32>,
        /// Rows of a warp.
        pub(crate) warp_rows: Address<u32>,
        /// Rows of a thread from the front, rows of a few lanes from the back.
        pub(crate) rows: Address<u32>,
        /// Vertices whose shares every block keeps.
        pub(crate) hot: u64,
        pub(crate) cancel: Address<u32>,
    }
}

/// Sweeps with shares of 32 bits end here, whatever the tolerance: well above what rounding hides.
const COARSE: f64 = 5e-7;

/// The rank of every vertex.
pub(super) fn pagerank(
    device_graph: &DeviceGraph,
    config: &PageRank,
    options: &Options,
) -> Result<PageRankAnswer> {
    let machine = Machine::new(device_graph.gpu(), options, "ranking");
    machine.check()?;
    let transferred = device_graph.transfer_seconds();
    let mut sweeps = Sweeps::new(device_graph, config, options, &machine)?;
    let mut recorder = machine.recorder(device_graph.transfer_seconds() - transferred);
    let state = State::new(&machine, device_graph.graph())?;
    let (mut halted, mut form) = (Halted::Converged, Shares::Coarse);
    if device_graph.graph().vertices() > 0 {
        sweeps.begin(&state)?;
        sweeps.sweep(&state, form, config.tolerance.max(COARSE), &mut recorder)?;
        if sweeps.residual() >= config.tolerance && recorder.rounds() < config.max_iterations {
            form = Shares::Fine;
            sweeps.widen(&state)?;
            sweeps.sweep(&state, form, config.tolerance, &mut recorder)?;
        }
        halted = match sweeps.residual() {
            residual if residual < config.tolerance => Halted::Tolerance,
            0.0 => Halted::Converged,
            _ => Halted::MaxIterations,
        };
        sweeps.rank(&state, form)?;
    }
    machine.wait()?;
    let mut run = recorder.finish(Plan::AUTO, halted, state.bytes() + sweeps.teleport_bytes());
    run.device_bytes = machine.gpu().peak();
    let ranks = waves::fetched(&state.ranks, &mut run)?;
    Ok(PageRankAnswer::new(device_graph.graph(), config, ranks, sweeps.residual(), run))
}
