//! A graph brought into an order, what that took, and what is said of one that takes too long.

use super::report::Ordering;
use crate::{machine::with_peak, result::Failure};
use std::time::{Duration, Instant};
use warpgraph::{
    Control, Engine, Error, Graph, Order, Result,
    graph::NodeMap,
    transform::{self, Transformed},
};

/// A graph in an order, and what bringing it there took.
pub(crate) struct Ordered {
    /// The graph, stored in that order.
    pub(crate) graph: Graph,
    /// `None` where it was in it.
    pub(crate) ordering: Option<Ordering>,
}

impl Ordered {
    /// The graph in that order, and the way to it.
    pub(super) fn inner(&self) -> (&Graph, Option<&NodeMap>) {
        self.graph.stored().map_or((&self.graph, None), |stored| (stored.graph(), Some(stored.map())))
    }
}

/// Brings a graph into an order, drawn from the seed if it is drawn, unless that takes too long.
///
/// # Errors
/// Those of the engine; that it took too long is a deadline's.
pub(crate) fn ordered(
    engine: &Engine,
    graph: &Graph,
    order: Order,
    (seed, limit): (u64, Duration),
    control: &Control,
) -> Result<Ordered> {
    if order == Order::Natural {
        return Ok(Ordered { graph: graph.stored_as(None)?, ordering: None });
    }
    let limited = control.clone().with_time_limit(limit);
    let start = Instant::now();
    let (made, memory) = with_peak(|| engine.reorder(graph, order, seed, &limited));
    let made: Transformed = made?;
    let seconds = made.order_seconds;
    let renumber = start.elapsed().as_secs_f64() - seconds;
    let graph = transform::stored(graph, made, order, seed)?;
    Ok(Ordered { graph, ordering: Some(Ordering { seconds, renumber, memory }) })
}

/// An error; that of an order that took too long names the limit it met.
pub(crate) fn explained(error: &Error, limit: Duration) -> Failure {
    let failure = Failure::from(error);
    match failure.kind.as_str() {
        "deadline" => Failure {
            message: format!("takes over {} s", limit.as_secs()),
            help: Some("allow more with --order-limit, or choose a smaller graph".to_owned()),
            ..failure
        },
        _ => failure,
    }
}
