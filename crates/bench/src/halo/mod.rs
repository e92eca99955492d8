//! `bench halo`: the evaluation of Gera et al. \[1\], sections 6 and 10, on the graphs at hand.
//!
//! Orders of the vertices are held against each other by what breadth-first searches from the same sources meet in them. A
//! [`Cell`] is one order of one graph, a [`Report`] has all of them, and everything else follows from it, so that tables and
//! plots can be made anew from its JSON:
//! - figure 3, read amplification in the natural order, with and without prefetching, and how often pages are fetched;
//! - figure 8, the staircases of active vertices;
//! - figure 9, bytes moved over the least possible;
//! - figure 10, the log gap within levels, MinIntraBFS, beside the other gaps;
//! - figure 11, `halo2` by its number of samples;
//! - beside the paper: what orders cost in time and memory, and what they do to times on the processor.
//!
//! Bytes moved are those of a model of unified memory, since the paper's card, and its driver, are not at hand; the paper's
//! times by order (figures 6 and 7) follow from them, and are not repeated.
//!
//! \[1\] P. Gera, H. Kim, P. Sao, H. Kim, D. Bader. Traversing Large Graphs on GPUs with Unified Memory. PVLDB 13(7), 2020.

mod markdown;
mod means;
mod measure;
mod ordered;
pub mod plot;
mod report;
mod searches;
pub mod suite;
pub mod tables;
#[cfg(test)]
mod testing;

pub use markdown::markdown;
pub use means::Mean;
pub use measure::{Setting, Subject};
pub(crate) use ordered::{explained, ordered};
pub use report::{
    COMMAND, Cell, Gaps, GraphCase, Measuring, NATURAL, Ordering, Report, Sample, Staircase, Times, Transfer,
    read,
};
pub use searches::Searches;
