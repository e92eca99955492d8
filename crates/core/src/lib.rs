//! The words of warpgraph: what can be asked, how, and what comes back.
//!
//! One module per algorithm holds its configuration (library options, command-line flags and JSON at once), its answer
//! and the verifier of that answer. Beside them stand the words all of them share: [`Plan`], [`Halt`], [`Run`],
//! [`Source`], [`Table`]. Engines live in other crates; nothing here traverses a graph except to verify.

pub mod answer;
pub mod bc;
pub mod bfs;
pub mod closeness;
mod error;
mod halt;
mod order;
pub mod pagerank;
mod plan;
mod run;
mod source;
mod sources;
pub mod sssp;
pub mod table;
mod top;
pub mod verify;
pub mod wcc;

pub use answer::{Algorithm, Answer, Path};
pub use error::{Error, Result};
pub use halt::{Halt, Halted};
pub use order::Order;
pub use plan::{Direction, Plan};
pub use run::{Run, Step};
pub use source::Source;
pub use sources::Sources;
pub use table::{Table, TableFormat};
pub use verify::Violation;
pub use warpgraph_graph as graph;
