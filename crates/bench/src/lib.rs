//! Measurement: what the machine can do at best, what a run takes, and how two measurements compare.
//!
//! - Limits: [`limits`] measures the processor, [`gpu_limits`] a GPU; [`yardsticks`] are the limits of where runs are. With an
//!   algorithm's own models ([`warpgraph::cost`], [`gpu_model`]) they give the share of the limit that a run reaches.
//! - The default suite: [`case`](mod@case) is one cell, [`result`] its JSON, [`compare`] two of those side by side.
//!   [`footprint`] says how much memory a graph and an algorithm take before a run.
//! - [`wait`]: what a user waits for, from the start of a process to its end.
//! - [`bounds`]: how often proved errors hold, against exact answers. [`changed`] says what an approximation makes of a graph
//!   before a run.
//! - [`many`]: graphs in many parts, measured and simulated.
//! - Evaluations: [`evaluation`] is the skeleton, [`evaluations`] the table of them.
//! - Tables are [`sheet`]s until they are printed, figures are drawn by [`chart`].

pub mod bounds;
pub mod case;
pub mod changed;
pub mod chart;
pub mod compare;
pub mod evaluation;
pub mod evaluations;
pub mod footprint;
pub mod gpu_limits;
pub mod gpu_model;
pub mod limits;
pub mod machine;
pub mod many;
mod read_back;
pub mod result;
pub mod searches;
pub mod sheet;
pub mod statistics;
pub mod units;
pub mod wait;
pub mod yardsticks;

pub use gpu_limits::GpuLimits;
pub use limits::Limits;
pub use result::{GraphReport, Report};
pub use yardsticks::Yardsticks;
