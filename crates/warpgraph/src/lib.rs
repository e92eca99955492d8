//! Graph analytics on CPUs and GPUs: the library that users depend on.
//!
//! An [`Engine`] is a device with threads. It loads a [`Graph`] in an [`Order`]; [`Loaded`] then runs algorithms, each
//! configured by a struct such as `Bfs`, and returns an [`Answer`] that can verify itself.
//!
//! ```
//! use warpgraph::{Bfs, Engine, Graph, Order, Answer};
//!
//! # fn main() -> Result<(), warpgraph::Error> {
//! let graph = Graph::from_edges(4, &[(0, 1), (1, 2), (0, 3)], false)?;
//! let loaded = Engine::auto()?.load(&graph, Order::Natural)?;
//! let answer = loaded.bfs(Bfs::from(0)).run()?;
//! assert_eq!(answer.distance(2), Some(2));
//! assert_eq!(answer.path_to(2).unwrap().len(), 3);
//! answer.verify(&graph).expect("a breadth-first search tree");
//! # Ok(())
//! # }
//! ```

mod accelerator;
mod approximate;
mod ask;
pub mod bus;
mod engine;
mod job;
mod learning;
mod loaded;
pub mod measure;
mod measured;
mod opening;
mod ordering;
mod paths;
mod registry;
mod running;
mod stages;
#[cfg(test)]
mod tests;
mod view;
mod worth;

pub use ask::{Arguments, Ask, Dispatch, Place, Program};
pub use engine::Engine;
pub use job::Job;
pub use loaded::Loaded;
pub use opening::{Modules, Opened, Purpose};
pub use registry::{AnyAnswer, Entry, Question, algorithms, find};
pub use stages::stages;
pub use warpgraph_core::{
    About, Accepted, Accuracy, Ahead, Algorithm, Answer, Approximation, Balance, Basis, Bound, Code,
    DEFAULT_SEED, Device, DeviceTrouble, Direction, Directions, Error, Exactness, Form, General, Group, Halt,
    Halted, Heads, Importance, InParts, Inaccuracy, Judged, Knob, Model, Options, Order, Partitions, Path,
    PathPlan, PathUse, Plan, Residency, Result, Round, Rows, Rules, Run, Share, Source, Sources, Staging,
    Step, Table, TableFormat, Threshold, TileUse, Tiles, Transfer, Violation, Watch, Word, Work, cost,
    program::{self, ProgramAnswer, VertexProgram},
    quoted, table,
};
pub use warpgraph_device::{self as devices, Gpu, MemoryInfo, Properties, Settings};
pub use warpgraph_gpu::{Cost, CostModel, Costs, Footprint, Measurement, Outline, ahead, cost_model};
pub use warpgraph_graph::{self as graph, Control, Graph, VertexId};
pub use warpgraph_transform::{self as transform, Locality};
pub use worth::{Choice, WORTH_ARCS};

macro_rules! configurations {
    ($($module:ident: $config:ident -> $answer:ident;)*) => {
        $(pub use warpgraph_core::$module::{self, $answer, $config};)*
    };
}
warpgraph_core::for_each_algorithm!(configurations);

/// Runs the README's examples as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Runs the examples of the guide to programs as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/programs.md")]
struct Programs;

/// Runs the example of the page on approximation as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/approximation.md")]
struct Approximating;
