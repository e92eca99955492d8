//! Brings a graph into an order, measures what that takes, and then the cells of that order.

use super::{Held, Making, Wanted, at_graph::AtGraph, refused, sources::Sources};
use crate::machine::with_peak;
use std::time::{Duration, Instant};
use warpgraph::{Graph, Loaded, Order, Result, Round, graph::NodeMap, transform};

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

impl AtGraph<'_, '_> {
    /// An order that is made before anything runs.
    pub(super) fn made(&mut self, order: Order, is_shuffled: bool, cells: &[Wanted]) -> Result<()> {
        let held = if is_shuffled { Held::Shuffled(order) } else { Held::Order(order) };
        self.say(format_args!("{} into the order {held}", self.subject.asked.name));
        let (ordered, mut making) = self.ordered(order, is_shuffled)?;
        making.order = held.to_string();
        if let Some(look) = &self.looked.in_order {
            making.figures = look(&ordered)?;
        }
        self.add(making);
        let loaded = self.bench.on().load_as_stored(&ordered.graph)?;
        drop(ordered);
        self.by_algorithm(cells, &loaded, order)
    }

    /// The graph in an order. If it is shuffled, the vertices are first put in random places, which is not timed.
    fn ordered(&self, order: Order, is_shuffled: bool) -> Result<(Ordered, Making)> {
        let (graph, how) = (self.subject.graph, &self.bench.measuring);
        if order == Order::Natural {
            return Ok((Ordered { order, graph: graph.stored_as(None)? }, Making::default()));
        }
        let limited = self.bench.control.clone().with_time_limit(Duration::from_secs(how.order_limit));
        let reorder = |graph: &Graph, order| self.bench.engine.reorder(graph, order, how.seed, &limited);
        let shuffled = is_shuffled.then(|| reorder(graph, Order::Random)).transpose()?;
        let start = Instant::now();
        let from = shuffled.as_ref().map_or(graph, |shuffled| &shuffled.graph);
        let (made, memory) = with_peak(|| reorder(from, order));
        let mut made = made?;
        let seconds = made.order_seconds;
        let renumber = Some(start.elapsed().as_secs_f64() - seconds);
        if let Some(shuffled) = &shuffled {
            made.map = shuffled.map.then(&made.map)?;
        }
        let graph = transform::stored(graph, made, order, how.seed)?;
        let making = Making { seconds: Some(seconds), renumber, memory, ..Making::default() };
        Ok((Ordered { order, graph }, making))
    }

    /// Stage after stage on one handle, which learns between the stages and not while a cell is measured.
    pub(super) fn sampled(&mut self, last: u32, cells: &[Wanted]) -> Result<()> {
        let (order, seed) = (Order::Sampled, self.bench.measuring.seed);
        let loaded = self.bench.on().load_with(self.subject.graph, order, seed, self.bench.control)?;
        for stage in cells.chunk_by(|one, next| one.order == next.order) {
            let Held::Sampled(rounds) = stage[0].order else { continue };
            self.learn(&loaded, rounds, &cells[0])?;
            stage.chunks(1).try_for_each(|cell| self.cells(cell, &loaded, order))?;
        }
        if cells.is_empty() {
            self.learn(&loaded, last, &self.learner)?;
        }
        let rounds = loaded.rounds();
        let sum = |of: fn(&Round) -> f64| (!rounds.is_empty()).then(|| rounds.iter().map(of).sum());
        let seconds = sum(|round| round.sampling_seconds);
        let renumber = sum(|round| round.renumbering_seconds);
        self.add(Making { order: order.to_string(), seconds, renumber, rounds, ..Making::default() });
        Ok(())
    }

    /// Runs until so many rounds are made and it is known what the last one has brought, the order has settled, no further
    /// round comes, or the time is over. Nothing is sampled afterwards until more rounds are asked for.
    fn learn(&self, loaded: &Loaded, rounds: u32, by: &Wanted) -> Result<()> {
        self.say(format_args!("{} by {rounds} rounds of sampled", self.subject.asked.name));
        let start = Instant::now();
        loaded.limit_rounds(rounds as usize);
        let (mut number, mut last) = (0, (0, 0));
        while !loaded.is_settled() {
            let made = loaded.rounds().len();
            if made > last.0 {
                last = (made, number);
            }
            if number - last.1 >= PATIENCE || start.elapsed().as_secs() >= self.bench.measuring.order_limit {
                loaded.limit_rounds(0);
                break;
            }
            self.bench.control.check("learning an order")?;
            let asked = self.ask(by, loaded, number, false);
            asked.map_err(|failure| refused(failure.message, failure.help.unwrap_or_default()))?;
            number += 1;
        }
        Ok(())
    }

    /// The order in which a generator made the graph. It is another graph, so searches start at its own vertices.
    pub(super) fn planted(&mut self, cells: &[Wanted]) -> Result<()> {
        let Some(spec) = &self.subject.asked.planted else { return Ok(()) };
        self.say(format_args!("generating {spec}"));
        let graph = self.bench.engine.install(|| spec.generate(self.bench.control))?;
        let loaded = self.bench.on().load_as_stored(&graph)?;
        let sources = self.sources.replace(Sources::find(&loaded, self.bench.control));
        let done = self.by_algorithm(cells, &loaded, Order::Natural);
        self.sources = sources;
        done
    }
}
