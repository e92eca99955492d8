//! `bench balance`: the evaluation of Raval et al. \[1\], section IV, on the graphs at hand.
//!
//! Five ways of sharing a frontier's arcs among the threads of a GPU are measured by BFS and SSSP, pushing: [`measure`](fn@measure)
//! gives one [`Cell`], a [`Report`] has all of them, and everything else follows from it, so that tables and plots can be made
//! anew from its JSON:
//! - figures 7 and 8, time by strategy, split into kernels and overhead ([`tables`], [`plot`]);
//! - figure 9, memory, and the rank of each strategy in time and memory ([`ranks`](fn@ranks)). The paper's third axis,
//!   complexity of implementation, is its authors' judgement; here all strategies are of one interface, and it is left out;
//! - figure 10, degrees before and after node splitting, with the threshold ([`degrees`]);
//! - figure 11, what work chunking gains ([`chunking`](fn@chunking));
//! - the paper's statements, and which of them hold here ([`statements`]).
//!
//! A run is timed with the graph on the device. Its overhead is what is not kernels that expand frontiers; what a strategy
//! makes once and keeps for later runs, such as a list of all edges, is preparation and reported apart. The paper counts it
//! as overhead, so statements are judged both ways.
//!
//! \[1\] A. Raval, R. Nasre, V. Kumar, R. Vasudevan, S. Vadhiyar, K. Pingali, "Dynamic Load Balancing Strategies for Graph
//! Applications on GPUs".

pub mod degrees;
mod kind;
mod markdown;
mod measure;
pub mod plot;
mod ranks;
mod report;
pub mod statements;
pub mod strategy;
pub mod suite;
pub mod tables;
#[cfg(test)]
mod testing;

pub use crate::sheet::{Sheet, Side};
pub use kind::Kind;
pub use markdown::markdown;
pub(crate) use measure::explained;
pub use measure::{Subject, measure};
pub use ranks::{Chunking, Rank, chunking, ranks};
pub use report::{COMMAND, Cell, Clock, GraphCase, Measuring, Memory, OnDevice, Report, Seconds, read};
