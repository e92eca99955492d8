//! Graphs from columns of sources, targets and weights, as NumPy, Arrow and lists of texts hold them.
//!
//! [`column`] has columns as they lie in memory. [`numbering`] maps the ids in two of them to vertices, [`weights`] turns the
//! third into the type that the graph stores, and [`build`] builds the graph.

mod build;
mod column;
mod input;
mod numbering;
mod weights;

pub(crate) use build::{Build, Universe};
pub(crate) use column::{Column, Numbers, Piece, Shared, Texts, Values};
pub(crate) use input::{addresses, column};
