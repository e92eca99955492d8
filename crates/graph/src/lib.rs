//! Stores graphs, builds them from edge lists, reads and writes file formats, and generates graphs for warpgraph.
//!
//! A [`Graph`] is a checked CSR with optional weights and the original ids of its vertices. It comes from a file of any
//! known format, from a generator, or from an edge list in memory. Its [`Origin`] records every change made on the way.

pub mod atomic_file;
pub mod atomics;
pub mod build;
pub mod coded;
pub mod control;
pub mod csr;
pub mod error;
pub mod format;
pub mod generate;
mod graph;
pub mod hash;
pub mod ids;
mod labels;
mod mapped;
pub mod memory;
mod node_map;
pub mod par;
pub mod paths;
pub mod probe;
mod renumber;
pub mod stats;
mod stored;
pub mod suggest;
pub mod timeline;
mod transpose;
mod weights;

pub use atomic_file::AtomicFile;
pub use control::{Control, Progress};
pub use csr::{Csr, MAX_VERTICES, NO_VERTEX, Offset, Offsets, Vertex, View, Views};
pub use error::{Error, Position, Result};
pub use format::{Columns, Format, Header, IdKind, Input, Preview, ReadOptions};
pub use graph::{Arcs, Counts, Graph, Origin, Seen};
pub use ids::{Ids, Names, VertexId};
pub use labels::Labels;
pub use mapped::MappedFile;
pub use memory::{Buffer, Pages};
pub use node_map::NodeMap;
pub use paths::Paths;
pub use stored::{OrderLabel, Stored};
pub use timeline::Timeline;
pub use weights::{WeightType, Weights};
