//! Measures one graph: brings it into one order after the other, and times the cells of each order.

use super::{
    Asked, Bench, Cell, Counted, Counts, GraphCase, Handle, Held, Looked, Making, Report, Starts, Subject,
    Wanted, cell::Answered, sources::Sources, turns::in_turn, wanted::by_order,
};
use crate::{
    gpu_model::Gauge,
    result::{Failure, GraphReport},
    units,
};
use serde_json::json;
use std::fmt::Arguments;
use warpgraph::{Approximation, Graph, Loaded, Order, Plan, Result};

/// One graph while it is measured.
pub(super) struct AtGraph<'a, 'r> {
    pub(super) bench: &'a Bench<'a>,
    pub(super) subject: Subject<'a>,
    pub(super) looked: Looked<'a>,
    natural: Loaded,
    /// Handles on the graph in the order at hand, changed by approximations.
    pub(super) changed: Vec<(Approximation, Result<Loaded, Failure>)>,
    pub(super) sources: Option<Result<Sources, Failure>>,
    /// Teaches an order that has no cells.
    pub(super) learner: Wanted,
    total: usize,
    done: usize,
    /// Supersteps of bfs.
    levels: Option<u64>,
    report: &'r mut Report,
}

impl<'a, 'r> AtGraph<'a, 'r> {
    /// Measures a graph, and adds it to the report. Unless all must stop, an error means that nothing was added.
    pub(super) fn measure(
        bench: &'a Bench<'a>,
        asked: &'a Asked,
        graph: &'a Graph,
        load: Option<f64>,
        report: &'r mut Report,
    ) -> Result<()> {
        let Bench { evaluation, measuring, processor, control, .. } = bench;
        let subject = Subject { asked, graph, engine: bench.engine, processor, measuring, control };
        let looked = evaluation.look(&subject)?;
        let cells = evaluation.cells_on(&subject)?;
        let natural = match evaluation.about().as_stored {
            true => bench.on().load_as_stored(graph)?,
            false => bench.on().load(graph, Order::Natural)?,
        };
        let searches = cells.iter().any(|cell| cell.starts != Starts::Configured);
        // If every cell has a handle of its own, nothing else may stay on the device: the processor finds the sources.
        let is_alone = cells.iter().all(|cell| cell.handle != Handle::Shared);
        let finder = if is_alone { processor.load(graph, Order::Natural)? } else { natural.clone() };
        let sources = searches.then(|| Sources::find(&finder, control));
        control.check("measuring")?;
        let mut figures = looked.figures.clone();
        if let Some(Ok(sources)) = &sources {
            figures.insert("giant".to_owned(), json!(sources.giant));
        }
        report.graphs.push(GraphCase {
            name: asked.name.clone(),
            source: asked.source.clone(),
            graph: Some(bench.engine.install(|| GraphReport::new(graph))),
            load,
            figures,
            error: None,
        });
        let learner = Wanted::new("bfs", Plan::default().to_string());
        let (total, done, levels) = (cells.len(), 0, None);
        let mut groups = by_order(cells);
        let changed = Vec::new();
        let mut at =
            Self { bench, subject, looked, natural, changed, sources, learner, total, done, levels, report };
        for wanted in evaluation.orders() {
            if !groups.iter().any(|(order, _)| order.is_made_with(wanted.order)) {
                groups.push((wanted.order, Vec::new()));
                at.learner = wanted;
            }
        }
        groups.into_iter().try_for_each(|(order, cells)| at.order(order, &cells))
    }

    /// Measures all cells of an order; of `sampled`, all its stages up to this one.
    fn order(&mut self, order: Held, cells: &[Wanted]) -> Result<()> {
        let before = self.report.cells.len();
        let made = match order {
            Held::Order(Order::Natural) if self.looked.in_order.is_none() => {
                let loaded = self.natural.clone();
                self.by_algorithm(cells, &loaded, Order::Natural)
            }
            Held::Order(order) => self.made(order, false, cells),
            Held::Shuffled(order) => self.made(order, true, cells),
            Held::Sampled(rounds) => self.sampled(rounds, cells),
            Held::Planted => self.planted(cells),
        };
        match made {
            Err(error) if !self.bench.control.should_stop() => {
                let left = &cells[self.report.cells.len() - before..];
                let late = format!("takes over {} s", self.bench.measuring.order_limit);
                self.failed(order, left, &Failure::in_time(&error, late, "--order-limit"));
                Ok(())
            }
            done => done,
        }
    }

    /// Adds that an order cannot be made, and its cells not be measured.
    fn failed(&mut self, order: Held, cells: &[Wanted], failure: &Failure) {
        let order = match order {
            Held::Sampled(_) => Order::Sampled.to_string(),
            other => other.to_string(),
        };
        self.say(format_args!("  {order}: {}", failure.message));
        self.add(Making { order, error: Some(failure.clone()), ..Making::default() });
        for wanted in cells {
            let cell = Cell { error: Some(failure.clone()), ..self.blank(wanted) };
            self.report.cells.push(cell);
        }
    }

    pub(super) fn add(&mut self, making: Making) {
        self.report.orders.push(Making { graph: self.subject.asked.name.clone(), ..making });
    }

    pub(super) fn say(&self, line: Arguments<'_>) {
        (self.bench.say)(&line.to_string());
    }

    /// Measures cells of one algorithm in turn, and those that need a fresh handle alone.
    pub(super) fn by_algorithm(&mut self, cells: &[Wanted], loaded: &Loaded, order: Order) -> Result<()> {
        self.changed.clear();
        let is_in_turn = |cell: &&Wanted| [Handle::Shared, Handle::Own].contains(&cell.handle);
        let is_with = |one: &Wanted, next: &Wanted| {
            one.algorithm == next.algorithm && [one, next].iter().all(is_in_turn)
        };
        for group in cells.chunk_by(is_with) {
            if group[0].handle == Handle::FreshCompiled {
                // That this run fails is said by the cell's own runs.
                let _ = self.ask(&group[0], loaded, 0, false);
            }
            let handle = match group[0].handle {
                Handle::Shared | Handle::Own => loaded.clone(),
                Handle::Fresh | Handle::FreshCompiled => self.bench.on().load_as_stored(loaded.graph())?,
            };
            self.cells(group, &handle, order)?;
        }
        Ok(())
    }

    pub(super) fn cells(&mut self, cells: &[Wanted], loaded: &Loaded, order: Order) -> Result<()> {
        let cells = &self.counted_apart_from(cells, loaded)?[..];
        let made = || loaded.rounds().len() as u32;
        let handles = cells.iter().map(|wanted| self.handle(wanted, loaded)).collect::<Result<Vec<_>>>()?;
        let (before, this) = (made(), &*self);
        let asking = (this.done + 1..).zip(cells.iter().zip(&handles)).map(|(number, (wanted, handle))| {
            let Wanted { algorithm, order, .. } = wanted;
            let (total, graph, way) = (this.total, &this.subject.asked.name, wanted.way());
            this.say(format_args!("[{number}/{total}] {algorithm} on {graph} by {way}, order {order}"));
            move |number, verify| this.ask(wanted, handle.as_ref().map_err(Failure::clone)?, number, verify)
        });
        let ran = in_turn(asking, &self.bench.measuring, self.bench.control)?;
        self.done += cells.len();
        let gauge = self.report.limits.is_some().then(|| Gauge::of(loaded.graph(), order));
        for ((wanted, handle), ran) in cells.iter().zip(&handles).zip(ran) {
            let mut cell = self.cell(wanted, ran, gauge.as_ref());
            if let (Ok(handle), None) = (handle, &cell.error) {
                self.look_again(&mut cell, wanted, handle, loaded);
                self.bench.control.check("measuring")?;
            }
            cell.rounds_made = matches!(wanted.order, Held::Sampled(_)).then(|| (before, made()));
            self.report.cells.push(cell);
        }
        Ok(())
    }

    /// Adds what runs beside the timed ones tell of a cell. `exact` is a handle on the graph itself.
    fn look_again(&self, cell: &mut Cell, wanted: &Wanted, handle: &Loaded, exact: &Loaded) {
        if wanted.count_transfer {
            cell.transfer = self.counted_transfer(wanted, handle).or(cell.transfer);
        }
        if wanted.counts != Counts::Nothing {
            cell.counted = self.counted_work(wanted, handle);
        }
        if let Some(exactness) = &mut cell.exactness {
            exactness.inaccuracy = self.inaccuracy(wanted, handle, exact);
        }
    }

    /// Adds the cells whose work the evaluation counts by itself, and returns the others.
    fn counted_apart_from(&mut self, cells: &[Wanted], loaded: &Loaded) -> Result<Vec<Wanted>> {
        let mut others = Vec::new();
        for wanted in cells {
            let is_counted = wanted.counts != Counts::Nothing;
            let counted = is_counted.then(|| self.counted_apart(wanted, loaded)).flatten();
            self.bench.control.check("measuring")?;
            let Some(counted) = counted else {
                others.push(wanted.clone());
                continue;
            };
            self.done += 1;
            let (mut cell, Wanted { algorithm, plan, .. }) = (self.blank(wanted), wanted);
            self.say(format_args!("[{}/{}] {algorithm} by {plan}: counted, not run", self.done, self.total));
            match counted {
                Ok(run) => {
                    (cell.counted, cell.rounds) = (Counted::of(&run), Some(run.rounds));
                    let unwanted = cell.counted.as_mut().filter(|_| wanted.counts != Counts::Rounds);
                    unwanted.into_iter().for_each(|counted| counted.curve.clear());
                }
                Err(failure) => cell.error = Some(failure),
            }
            self.report.cells.push(cell);
        }
        Ok(others)
    }

    /// Returns a cell of what its runs gave.
    fn cell(&mut self, wanted: &Wanted, ran: Result<Vec<Answered>, Failure>, gauge: Option<&Gauge>) -> Cell {
        let mut cell = self.blank(wanted);
        let ran = match ran {
            Ok(ran) => ran,
            Err(failure) => return Cell { error: Some(failure), ..cell },
        };
        cell.fill(&ran, wanted.clock, graph_bytes(self.subject.graph, &wanted.algorithm));
        if let (Some(gauge), Some(limits), Some(last)) = (gauge, &self.report.limits, ran.last()) {
            cell.hold(&last.run, gauge, self.levels, limits);
        }
        if wanted.algorithm == "bfs" {
            self.levels = cell.rounds;
        }
        if let (Some(median), Some(speed)) = (cell.median(), cell.speed) {
            let (plan, time, per) = (wanted.way(), units::seconds(median), cell.per.name());
            let verified = cell.verify.as_deref().unwrap_or("not verified");
            self.say(format_args!(
                "  {plan}: {time} per {per}, {speed:.2} billion arcs per second, {verified}"
            ));
        }
        cell
    }

    fn blank(&self, wanted: &Wanted) -> Cell {
        let case = self.report.graphs.last();
        let gpu = self.bench.on().gpu();
        Cell {
            graph: self.subject.asked.name.clone(),
            hash: case.and_then(|case| Some(case.graph.as_ref()?.hash.clone())).unwrap_or_default(),
            parts: wanted.parts.clone(),
            algorithm: wanted.algorithm.clone(),
            config: wanted.config.clone(),
            order: wanted.order,
            device: gpu.map_or_else(|| "cpu".to_owned(), |gpu| gpu.properties().label.clone()),
            plan_asked: wanted.plan.parse::<Plan>().map_or_else(|_| wanted.plan.clone(), |p| p.to_string()),
            approximation: wanted.approximation,
            per: wanted.per,
            ..Cell::default()
        }
    }
}

/// What pushing along outgoing arcs reads of a graph.
fn graph_bytes(graph: &Graph, algorithm: &str) -> u64 {
    let out = graph.out();
    out.csr.bytes() + if ["sssp", "mst"].contains(&algorithm) { out.weights.bytes() } else { 0 }
}
