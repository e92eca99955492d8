//! The least time of a run on a GPU by what the device was measured to do.
//!
//! `limit` has the models, [`Gauge`] feeds them with a graph in an order and with what runs told,
//! [`Locality`] says what gathers along the arcs of a graph cost.

mod gauge;
mod limit;
mod locality;

pub use gauge::{Gauge, Seen};
pub use limit::{Bound, Limit, Term};
pub use locality::Locality;
