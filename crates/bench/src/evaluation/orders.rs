//! Brings a graph into an order, and measures what that takes.

use super::Making;
use crate::{machine::with_peak, result::Failure};
use std::time::{Duration, Instant};
use warpgraph::{
    Control, Engine, Error, Graph, Loaded, Order, Result,
    graph::NodeMap,
    transform::{self, Transformed},
};

/// Runs without another round of `sampled` after which there will be none. A round takes about 30 samples of as many arcs
/// as the graph has.
const PATIENCE: u64 = 1000;

/// A graph in an order.
#[derive(Debug)]
pub struct Ordered {
    /// The order.
    pub order: Order,
    /// The graph, stored in that order.
    pub graph: Graph,
}

impl Ordered {
    /// Returns the graph in that order, and the way to it.
    pub fn inner(&self) -> (&Graph, Option<&NodeMap>) {
        self.graph.stored().map_or((&self.graph, None), |stored| (stored.graph(), Some(stored.map())))
    }
}

/// Brings a graph into an order, drawn from the seed if it is random, unless that takes too long.
///
/// # Errors
/// Those of the engine; that it took too long is a deadline's.
pub(super) fn ordered(
    engine: &Engine,
    graph: &Graph,
    order: Order,
    (seed, limit): (u64, Duration),
    control: &Control,
) -> Result<(Ordered, Making)> {
    let making = Making { order: order.to_string(), ..Making::default() };
    if order == Order::Natural {
        return Ok((Ordered { order, graph: graph.stored_as(None)? }, making));
    }
    let limited = control.clone().with_time_limit(limit);
    let start = Instant::now();
    let (made, memory) = with_peak(|| engine.reorder(graph, order, seed, &limited));
    let made: Transformed = made?;
    let seconds = made.order_seconds;
    let renumber = start.elapsed().as_secs_f64() - seconds;
    let graph = transform::stored(graph, made, order, seed)?;
    let making = Making { seconds: Some(seconds), renumber: Some(renumber), memory, ..making };
    Ok((Ordered { order, graph }, making))
}

/// Runs until so many rounds of `sampled` are made and it is known what the last one has brought, the order has settled, no
/// further round comes, or the time is over. `ask` runs once; it is told how often it ran before. Nothing is sampled
/// afterwards until more rounds are asked for.
///
/// # Errors
/// Those of `ask`.
pub(super) fn learn(
    loaded: &Loaded,
    rounds: u32,
    limit: Duration,
    mut ask: impl FnMut(u64) -> Result<()>,
) -> Result<()> {
    let start = Instant::now();
    loaded.limit_rounds(rounds as usize);
    let (mut number, mut last) = (0, (0, 0));
    loop {
        let made = loaded.rounds().len();
        if made > last.0 {
            last = (made, number);
        }
        let is_vain = number - last.1 >= PATIENCE || start.elapsed() >= limit;
        if is_vain {
            loaded.limit_rounds(0);
        }
        if loaded.is_settled() || is_vain {
            return Ok(());
        }
        ask(number)?;
        number += 1;
    }
}

/// Returns an error; that of an order that took too long names the limit it met.
pub(super) fn explained(error: &Error, limit: Duration) -> Failure {
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
