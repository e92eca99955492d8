//! Measurement: what the machine can do at best, what a run takes, and how two measurements compare.
//!
//! [`limits`] measures the machine, [`runner`] an algorithm: warm-up, repeats, median and spread. [`traffic`] says what an
//! algorithm must move at least; both together give the share of the machine's limit that a run reaches; [`yardsticks`]
//! are the limits of where runs are. [`footprint`]
//! says how much memory a graph and an algorithm take before either is there. [`algorithms`] is the table of what can be
//! measured, [`case`](mod@case) one cell of a suite, [`result`] its JSON, [`compare`] two of those side by side. [`balance`]
//! repeats a paper's evaluation of load balancing strategies, [`halo`] another's of orders of the vertices, [`sage`] a third's of
//! traversals that adapt themselves. [`gpu_limits`] is
//! what a GPU can do at best, [`gpu`] a table of its times beside those of other programs. Tables are
//! [`sheet`]s until somebody prints them, figures are [`plot`]s, as SVG or PNG.

pub mod algorithms;
pub mod balance;
pub mod case;
pub mod compare;
pub mod footprint;
pub mod gpu;
pub mod gpu_limits;
pub mod halo;
pub mod limits;
pub mod machine;
pub mod plot;
pub mod probe;
mod read_back;
pub mod result;
pub mod runner;
pub mod sage;
pub mod shape;
pub mod sheet;
pub mod statistics;
pub mod traffic;
pub mod units;
pub mod yardsticks;

pub use algorithms::Entry;
pub use gpu_limits::GpuLimits;
pub use limits::Limits;
pub use result::{GraphReport, Report};
pub use shape::Shape;
pub use yardsticks::Yardsticks;
