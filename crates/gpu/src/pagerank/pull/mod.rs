//! PageRank by sweeps that pull; lanes share rows by their lengths.
//!
//! A sweep gathers *shares*: a vertex's rank over its outgoing arcs. Rank that is not passed on along arcs goes to
//! where teleports go in the next sweep: it is everything that is missing from 1. So ranks sum to 1 after every sweep,
//! and the final scaling only corrects rounding. One kernel is one sweep: warps take tickets for chunks of long rows,
//! for rows of a warp, and for rows of a few lanes, in this order; then every warp takes its share of the rows of a
//! thread; the last block to end adds up. The host launches several sweeps at a time; the sweeps after the one that met
//! the tolerance do nothing.
//!
//! Invariants: how lanes share a row depends on its length alone, and sums over lanes of different warps are sums of
//! whole numbers. So the bits of ranks depend on nothing that differs between runs, and `deterministic` runs use this
//! form too. Ranks as whole numbers have an error of 2^-63 each: totals are off by at most 1e-12 for 10^7 vertices.
//!
//! Precision: 32-bit shares have a relative error of 2^-24. The change of a sweep is measured on the ranks that the
//! shares stand for, plus a bound of what rounding can hide (`draw_line` in `kernels/pagerank.cuh`). For tolerances
//! below [`COARSE`], the run sweeps with 32-bit shares down to `COARSE`, or to where rounding keeps the change from
//! shrinking, and continues with 64-bit shares.
//!
//! If edges are in host memory or in code, sweeps go by pages of arcs instead of rows (`kernels/pagerank_pages.cu`), so
//! that the edge array is read in order, once per sweep.
//!
//! If many arcs start at the first vertices, as in degree order, every block keeps their shares in shared memory. If many
//! arcs start at as few vertices elsewhere, shares lie in degree order ([`places`]).
//!
//! O(m) work per sweep. Memory: 20 bytes per vertex, 8 more if teleports are not uniform, and about 6 bytes per 128
//! arcs.

mod places;
mod state;
mod sweeps;

pub(crate) use places::bytes_of as places_bytes;
pub(crate) use state::bytes;
pub(crate) use sweeps::{LEAST_HOT, Shares, module};

use crate::{DeviceGraph, arguments::Edges, machine::Machine, waves};
use state::State;
use sweeps::Sweeps;
use warpgraph_core::{
    Halted, Options, Plan, Result,
    pagerank::{PageRank, PageRankAnswer},
};
use warpgraph_device::{Address, arguments};

arguments! {
    /// The arguments of the kernels of PageRank.
    pub(crate) struct PullArgs {
        /// Incoming rows, and offsets of outgoing rows, which are the same on an undirected graph.
        pub(crate) offsets: Address<()>,
        pub(crate) targets: Edges,
        pub(crate) out_offsets: Address<()>,
        pub(crate) vertices: u64,
        /// The teleport distribution; null if it is `uniform` everywhere.
        pub(crate) teleport: Address<f64>,
        pub(crate) uniform: f64,
        pub(crate) damping: f64,
        pub(crate) tolerance: f64,
        /// The first guess: a multiple of the teleports, an amount per vertex with outgoing arcs, and an amount per
        /// outgoing arc.
        pub(crate) guess: f64,
        pub(crate) guess_with_arcs: f64,
        pub(crate) guess_an_arc: f64,
        /// The vertices in the order of their places; null if shares are in the order of vertices. Otherwise `targets` are
        /// places, `offsets` and `ends` say where the row of each place begins and ends, and `out_degrees` are those of places.
        pub(crate) order: Address<u32>,
        pub(crate) ends: Address<()>,
        pub(crate) out_degrees: Address<u32>,
        /// Shares before a sweep, and after it.
        pub(crate) from: Address<()>,
        pub(crate) into: Address<()>,
        pub(crate) ranks: Address<f64>,
        pub(crate) words: Address<u64>,
        /// Parts of rows longer than a chunk: the index of the row in `huge`, and the number of the part.
        pub(crate) chunks: Address<u64>,
        /// For each of these rows: the gathered sum as a whole number, the number of missing parts, and the vertex.
        pub(crate) gathered: Address<u64>,
        pub(crate) missing: Address<u32>,
        pub(crate) huge: Address<u32>,
        /// Rows that a warp gathers.
        pub(crate) warp_rows: Address<u32>,
        /// Rows that a thread gathers from the front, rows that a few lanes gather from the back.
        pub(crate) rows: Address<u32>,
        /// Of sweeps by pages: the first row that begins in each page or behind it, and two parts of sums per page.
        pub(crate) first_rows: Address<u32>,
        pub(crate) parts: Address<f64>,
        /// The number of vertices whose shares every block keeps.
        pub(crate) hot: u64,
        pub(crate) cancel: Address<u32>,
    }
}

/// Sweeps with 32-bit shares end here, whatever the tolerance: well above what rounding hides.
pub(super) const COARSE: f64 = 5e-7;

/// Returns the rank of every vertex.
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
    let mut state = State::new(&machine, device_graph.graph())?;
    let (mut halted, mut form) = (Halted::Converged, Shares::Coarse);
    if device_graph.graph().vertices() > 0 {
        sweeps.begin(&state)?;
        sweeps.sweep(&state, form, config.target().max(COARSE), &mut recorder)?;
        if sweeps.residual() >= config.target() && recorder.rounds() < config.max_iterations {
            form = Shares::Fine;
            sweeps.widen(&state)?;
            sweeps.sweep(&state, form, config.target(), &mut recorder)?;
        }
        halted = match sweeps.residual() {
            residual if residual < config.target() => Halted::Tolerance,
            0.0 => Halted::Converged,
            _ => Halted::MaxIterations,
        };
        sweeps.rank(&mut state, form)?;
    }
    machine.wait()?;
    let mut run = recorder.finish(Plan::AUTO, halted, state.bytes() + sweeps.teleport_bytes());
    run.device_bytes = machine.gpu().peak();
    let ranks = waves::fetched(&state.ranks, &mut run)?;
    Ok(PageRankAnswer::new(device_graph.graph(), config, ranks, sweeps.residual(), run))
}
