//! `bench gpu`: one table of a GPU's times, beside those of other programs and beside what the card can do at best.
//!
//! [`suite`] says which graphs and which algorithms, [`measure`](fn@measure) gives the [`Cell`]s of one graph: warm-up runs, then
//! timed ones, each answer verified. A time is that of the whole call with the graph on the device: what the run reports,
//! and what came before its clock started. Searches start at [`sources`] of the largest component, another one a run. [`peers`] are figures of other
//! programs, shown beside graphs of their size only; [`limit_model`] is the least time by what the card was measured to do, [`Gauge`]
//! that of any run on a graph.
//! Everything is in a [`Report`]; tables and Markdown are made of it.

mod gauge;
pub mod limit_model;
pub mod locality;
mod markdown;
mod measure;
pub mod peers;
mod question;
mod report;
pub mod sources;
pub mod suite;
pub mod tables;
#[cfg(test)]
mod testing;

pub use gauge::Gauge;
pub use markdown::markdown;
pub use measure::{How, Measured, Verify, measure};
pub use question::Question;
pub use report::{
    Against, COMMAND, Cell, Compared, GraphCase, Measuring, Report, Summary, TimedRun, concluded,
};
