//! `bench sage`: the evaluation of Sha et al. \[1\], section 7, on the graphs at hand and one GPU.
//!
//! A [`Cell`] is one plan of one algorithm on one graph held in one order. Every figure is a choice of cells, so a cell is
//! measured once however many figures it is in; a [`Report`] has all of them, and everything else follows from it, so that
//! tables and plots can be made anew from its JSON:
//! - figure 6, speed by order, and table 2, what orders cost, `sampled` by the round;
//! - figure 7, speed by balance, in the natural order and in `gorder`, beside other programs;
//! - figure 10, the ablation: a thread a vertex, tiles, resident tiles, the order that was learnt from them;
//! - table 3, what electing tiles costs;
//! - beside the paper: how far the engine's own choice of balances is from the best one ([`auto`]), how many tiles are met
//!   again, and what the first run on a graph takes.
//!
//! A run is timed with the graph on the device; what is made once and kept for later runs is told apart. The plans of an algorithm on a
//! graph in one order are timed in turn, so that each meets what the machine does meanwhile. Searches start at random
//! vertices of the largest component, the same in every cell; PageRank makes a fixed number of sweeps and is timed by the sweep.
//! Out-of-core traversal and several GPUs (figures 8 and 9) are not repeated.
//!
//! \[1\] M. Sha, Y. Li, K.-L. Tan. Self-adaptive graph traversal on GPUs. SIGMOD 2021.

pub mod auto;
mod beside;
mod cells;
mod held;
mod markdown;
mod measure;
mod part;
mod peers;
pub mod plot;
mod question;
mod report;
mod rounds;
mod seen;
pub mod suite;
pub mod tables;
#[cfg(test)]
mod testing;
mod turns;
mod wanted;

pub use held::Held;
pub use markdown::markdown;
pub use measure::{How, Measured, measure};
pub use part::Part;
pub use peers::{Peer, known as known_peers, read as read_peers};
pub use question::Question;
pub use report::{COMMAND, Cell, Measuring, Report, read};
pub use seen::{First, Kept, Making, RoundSeen, TilesSeen, Tiling};
pub use wanted::{Choice, Wanted};
