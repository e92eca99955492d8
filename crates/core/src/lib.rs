//! The words of warpgraph: what can be asked, how, and what comes back.
//!
//! One module per algorithm holds its configuration (library options, command-line flags and JSON at once), its answer
//! and the verifier of that answer. Beside them stand the words all of them share: [`Plan`], [`Halt`], [`Run`],
//! [`Source`], [`Table`]. Engines live in other crates; nothing here traverses a graph except to verify.

pub mod adsorption;
pub mod answer;
pub mod bc;
pub mod bfs;
mod brackets;
mod classes;
pub mod closeness;
mod error;
mod halt;
pub mod kcore;
pub mod label_propagation;
pub mod mst;
mod options;
mod order;
pub mod pagerank;
mod plan;
pub mod program;
mod run;
pub mod scc;
mod source;
mod sources;
pub mod sssp;
pub mod table;
mod top;
pub mod triangles;
pub mod verify;
pub mod wcc;

pub use answer::{Algorithm, Answer, Path};
pub use error::{Error, Result};
pub use halt::{Halt, Halted};
pub use options::{Options, Recorder};
pub use order::{DEFAULT_SEED, Order};
pub use plan::{Balance, Direction, Plan, Threshold, Tiles};
pub use run::{Round, Run, Step, TileUse};
pub use source::Source;
pub use sources::{Sources, draw};
pub use table::{Table, TableFormat};
pub use verify::Violation;
pub use warpgraph_graph as graph;
