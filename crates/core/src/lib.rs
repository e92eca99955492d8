//! The shared types of warpgraph: questions, options and answers.
//!
//! One module per algorithm holds its configuration (library options, command-line flags and JSON at once), its answer
//! and the verifier of that answer. Other modules hold the types that all algorithms share: [`Plan`], [`Halt`],
//! [`Run`], [`Source`], [`Table`]. The engines are in other crates; code here traverses a graph only to verify an
//! answer.

pub mod accuracy;
#[macro_use]
mod algorithms;
pub mod answer;
mod approximation;
mod brackets;
pub mod chernoff;
mod classes;
pub mod cost;
mod device;
mod draws;
mod error;
mod halt;
mod looks;
mod options;
mod order;
mod plan;
pub mod program;
pub mod quoted;
mod run;
mod source;
mod sources;
pub mod table;
mod top;
pub mod verify;
mod watch;
mod weighted;

pub use accuracy::{Accuracy, Bound, Word};
pub use answer::{About, Algorithm, Answer, Path};
pub use approximation::{Approximation, Chunks, Exactness, Inaccuracy, Judged, Knob};
pub use device::{Device, Group};
pub use draws::Draws;
pub use error::{DeviceTrouble, Error, Result};
pub use halt::{Halt, Halted};
pub use options::{Options, Recorder};
pub use order::{DEFAULT_SEED, Order};
pub use plan::{
    Accepted, Ahead, Balance, Code, Direction, Directions, General, Heads, Importance, Model, PathPlan, Plan,
    Residency, Rules, Share, Staging, Threshold, Tiles,
};
pub use run::{Basis, Form, InParts, Partitions, PathUse, Round, Run, Step, TileUse, Transfer, Work};
pub use source::Source;
pub use sources::{Sources, draw};
pub use table::{Table, TableFormat};
pub use verify::Violation;
pub use warpgraph_graph as graph;
pub use watch::{Rows, Watch};

macro_rules! modules {
    ($($module:ident: $config:ident -> $answer:ident;)*) => {
        $(pub mod $module;)*
    };
}
for_each_algorithm!(modules);
