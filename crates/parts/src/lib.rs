//! Graphs in parts: each part owns a range of the vertices, runs on its own, and exchanges values with the others between
//! supersteps.
//!
//! A [`Cut`] says which part owns which vertices. A [`Part`] has the rows of its own vertices. A [`PartRun`] answers a
//! question on it together with the runs of the other parts. Nothing here knows how values travel: that is an
//! [`Exchange`].
//!
//! ```
//! use std::sync::Arc;
//! use warpgraph_graph::{Control, Graph};
//! use warpgraph_parts::{Cut, Part, Question, run, together};
//!
//! let graph = Graph::from_edges(5, &[(0, 1), (1, 2), (3, 4)], false)?;
//! let cut = Cut::even(&graph.out().csr, 2)?;
//! let question = Question { algorithm: "wcc".to_owned(), ..Question::default() };
//! let answers = together(2, 1, |mut member| {
//!     let part = Arc::new(Part::of(&graph, &cut, warpgraph_parts::Exchange::part(&member))?);
//!     run(&question, &part, &mut member, &Control::new())
//! })?;
//! for answer in answers {
//!     assert_eq!(answer?.summary["components"], 2);
//! }
//! # Ok::<(), warpgraph_parts::Error>(())
//! ```

mod bfs;
mod bits;
mod collective;
mod compact;
mod cut;
mod error;
pub mod exchange;
mod forecast;
mod forest;
pub mod halo;
mod mail;
mod names;
mod pagerank;
mod part;
mod program;
mod run;
mod source;
mod sssp;
mod table;
mod together;
mod wcc;

pub use cut::{Cut, MAX_PARTS};
pub use error::{Error, Result};
pub use exchange::{Exchange, Reduce};
pub use forecast::Forecast;
pub use part::{Part, Rows, Whole};
pub use program::start_program;
pub use run::{Column, PartAnswer, PartRun, Question, Report, State, drive, run};
pub use table::{Entry, RUNS, entry, start};
pub use together::together;
