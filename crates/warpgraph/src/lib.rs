//! Graph analytics that adapts itself: the library a user depends on.
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
mod device;
mod engine;
mod job;
mod learning;
mod loaded;
pub mod oracle;
mod ordering;
mod program_job;
#[cfg(test)]
mod tests;
mod view;
mod worth;

pub use device::Device;
pub use engine::Engine;
pub use job::{Dispatch, Job};
pub use loaded::Loaded;
pub use program_job::ProgramJob;
pub use warpgraph_core::{
    Algorithm, Answer, Balance, DEFAULT_SEED, Direction, Error, Halt, Halted, Order, Path, Plan, Result,
    Round, Run, Source, Sources, Step, Table, TableFormat, Threshold, TileUse, Tiles, Violation,
    adsorption::{self, Adsorption, AdsorptionAnswer},
    bc::{self, Bc, BcAnswer},
    bfs::{self, Bfs, BfsAnswer},
    closeness::{self, Closeness, ClosenessAnswer},
    kcore::{self, Kcore, KcoreAnswer},
    label_propagation::{self, LabelPropagation, LabelPropagationAnswer},
    mst::{self, Mst, MstAnswer},
    pagerank::{self, PageRank, PageRankAnswer},
    program::{self, ProgramAnswer, VertexProgram},
    scc::{self, Scc, SccAnswer},
    sssp::{self, Sssp, SsspAnswer},
    table,
    triangles::{self, Triangles, TrianglesAnswer},
    wcc::{self, Wcc, WccAnswer},
};
pub use warpgraph_device::{self as devices, Gpu, MemoryInfo, Properties, Settings};
pub use warpgraph_gpu::{Cost, CostModel, Costs, Measurement, cost_model};
pub use warpgraph_graph::{self as graph, Control, Graph, VertexId};
pub use warpgraph_transform::{self as transform, Locality};
pub use worth::{Choice, WORTH_ARCS};

/// The names of all algorithms, in the order of the documentation.
pub const ALGORITHMS: [&str; 12] = [
    Bfs::NAME,
    Sssp::NAME,
    PageRank::NAME,
    Adsorption::NAME,
    Bc::NAME,
    Closeness::NAME,
    Wcc::NAME,
    Scc::NAME,
    Mst::NAME,
    Triangles::NAME,
    Kcore::NAME,
    LabelPropagation::NAME,
];

/// The README's example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// So do those of the guide to programs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/programs.md")]
struct Programs;
