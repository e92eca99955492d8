//! Measures everything that an evaluation wants: graph after graph, order after order, cells in turn.
//!
//! A graph that cannot be loaded, an order that cannot be made, or a cell that cannot run says why in the report; it ends
//! nothing but itself. An error of [`run`] means that the whole measurement must stop.

use super::{
    Asked, Cell, Evaluation, GraphCase, Handle, Held, Looked, Making, Measuring, Ordered, Per, Report,
    RunsOn, Starts, Subject, Wanted, orders, question,
    report::RoundSeen,
    sources::Sources,
    turns::{Once, Ran, in_turn},
    wanted::by_order,
};
use crate::{
    GpuLimits,
    gpu_model::{Gauge, Seen},
    result::{Failure, GraphReport},
    units,
};
use warpgraph::{Control, Engine, Error, Graph, Loaded, Options, Order, Plan, Result};

/// Loads what a text stands for: the graph, and the seconds that took.
pub type Load<'a> = dyn Fn(&str) -> Result<(Graph, f64), Failure> + 'a;

/// Where and how an evaluation is measured.
pub struct Bench<'a> {
    /// The evaluation.
    pub evaluation: &'a dyn Evaluation,
    /// How often and how long.
    pub measuring: Measuring,
    /// The engine that was asked for.
    pub engine: &'a Engine,
    /// The processor.
    pub processor: &'a Engine,
    /// Cancel flag, deadline, progress.
    pub control: &'a Control,
    /// Loads graphs.
    pub load: &'a Load<'a>,
    /// Is told what is being done, a line at a time.
    pub say: &'a (dyn Fn(&str) + Sync),
}

impl std::fmt::Debug for Bench<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bench").field("evaluation", &self.evaluation).finish_non_exhaustive()
    }
}

/// Measures all graphs, and adds them to the report. `save` gets the report after every graph.
///
/// # Errors
/// Only when the whole measurement must stop: it was interrupted, or its time is over. The report has what was measured.
pub fn run(
    bench: &Bench<'_>,
    graphs: &[Asked],
    report: &mut Report,
    save: &mut dyn FnMut(&Report) -> Result<()>,
) -> Result<()> {
    for asked in graphs {
        (bench.say)(&format!("loading {}", asked.source));
        let loaded = (bench.load)(&asked.source);
        bench.control.check("measuring")?;
        match loaded {
            Err(failure) => report.graphs.push(failed(asked, failure)),
            Ok((graph, seconds)) => {
                bench.graph(asked, &graph, Some(seconds), report)?;
                match bench.evaluation.made_from(&graph, bench.control) {
                    Ok(None) => {}
                    Ok(Some(graph)) => {
                        bench.graph(&Asked::new(graph.origin().name.clone()), &graph, None, report)?;
                    }
                    Err(error) => bench.note(asked, &error, report)?,
                }
            }
        }
        save(report)?;
    }
    Ok(())
}

fn failed(asked: &Asked, failure: Failure) -> GraphCase {
    let (name, source) = (asked.name.clone(), asked.source.clone());
    GraphCase { name, source, error: Some(failure), ..GraphCase::default() }
}

impl<'a> Bench<'a> {
    /// Adds why a graph could not be measured, unless all must stop.
    fn note(&self, asked: &Asked, error: &Error, report: &mut Report) -> Result<()> {
        self.control.check("measuring")?;
        report.graphs.push(failed(asked, Failure::from(error)));
        Ok(())
    }

    /// Measures one graph.
    fn graph(&self, asked: &Asked, graph: &Graph, load: Option<f64>, report: &mut Report) -> Result<()> {
        let case = GraphCase {
            name: asked.name.clone(),
            source: asked.source.clone(),
            graph: Some(self.engine.install(|| GraphReport::new(graph))),
            load,
            ..GraphCase::default()
        };
        let subject = Subject {
            asked,
            graph,
            processor: self.processor,
            measuring: &self.measuring,
            control: self.control,
        };
        let looked = self.evaluation.look(&subject);
        let begun = looked.and_then(|looked| Ok((looked, self.evaluation.cells(asked, graph)?)));
        let (looked, cells) = match begun {
            Ok(begun) => begun,
            Err(error) => return self.note(asked, &error, report),
        };
        let on = match self.evaluation.about().runs_on {
            RunsOn::Gpu => self.engine,
            RunsOn::Processor => self.processor,
        };
        report.graphs.push(GraphCase { figures: looked.figures.clone(), ..case });
        let mut at = match AtGraph::new(self, on, subject, looked, report, &cells) {
            Ok(at) => at,
            Err(error) if self.control.should_stop() => return Err(error),
            Err(error) => {
                report.graphs.pop();
                return self.note(asked, &error, report);
            }
        };
        let mut groups = by_order(cells);
        for wanted in self.evaluation.orders() {
            if !groups.iter().any(|(order, _)| order.is_made_with(wanted.order)) {
                at.learner = wanted.clone();
                groups.push((wanted.order, Vec::new()));
            }
        }
        groups.into_iter().try_for_each(|(order, cells)| at.order(order, &cells))
    }
}

/// One graph while it is measured.
struct AtGraph<'a, 'r> {
    bench: &'a Bench<'a>,
    /// Where cells run.
    on: &'a Engine,
    subject: Subject<'a>,
    looked: Looked<'a>,
    natural: Loaded,
    sources: Option<Result<Sources, Failure>>,
    /// Teaches an order that has no cells.
    learner: Wanted,
    total: usize,
    done: usize,
    /// Supersteps of bfs.
    levels: Option<u64>,
    report: &'r mut Report,
}

impl<'a, 'r> AtGraph<'a, 'r> {
    fn new(
        bench: &'a Bench<'a>,
        on: &'a Engine,
        subject: Subject<'a>,
        looked: Looked<'a>,
        report: &'r mut Report,
        cells: &[Wanted],
    ) -> Result<Self> {
        let natural = match bench.evaluation.about().as_stored {
            true => on.load_as_stored(subject.graph)?,
            false => on.load(subject.graph, Order::Natural)?,
        };
        let searches = cells.iter().any(|cell| cell.starts != Starts::Configured);
        let sources = searches.then(|| Sources::find(&natural, bench.control)).transpose()?;
        if let (Some(Ok(sources)), Some(case)) = (&sources, report.graphs.last_mut()) {
            case.figures.insert("giant".to_owned(), serde_json::to_value(sources.giant).unwrap_or_default());
        }
        let total = cells.len();
        let learner = Wanted::new("bfs", Plan::default().to_string());
        Ok(Self {
            bench,
            on,
            subject,
            looked,
            natural,
            sources,
            learner,
            total,
            done: 0,
            levels: None,
            report,
        })
    }

    /// Measures all cells of an order; of `sampled`, all its stages up to this one.
    fn order(&mut self, order: Held, cells: &[Wanted]) -> Result<()> {
        let before = self.report.cells.len();
        let made = match order {
            Held::Order(Order::Natural) if self.looked.in_order.is_none() => {
                let loaded = self.natural.clone();
                self.by_algorithm(cells, &loaded, Order::Natural)
            }
            Held::Order(order) => self.made(order, cells),
            Held::Sampled(rounds) => self.sampled(rounds, cells),
            Held::Planted => self.planted(cells),
        };
        match made {
            Ok(()) => Ok(()),
            Err(error) if self.bench.control.should_stop() => Err(error),
            Err(error) => {
                let left = &cells[self.report.cells.len() - before..];
                self.failed(order, left, &orders::explained(&error, self.bench.measuring.order_limit()));
                Ok(())
            }
        }
    }

    /// Adds that an order cannot be made, and its cells not be measured.
    fn failed(&mut self, order: Held, cells: &[Wanted], failure: &Failure) {
        let name = match order {
            Held::Sampled(_) => Order::Sampled.to_string(),
            other => other.to_string(),
        };
        (self.bench.say)(&format!("  {name}: {}", failure.message));
        self.add(Making { order: name, error: Some(failure.clone()), ..Making::default() });
        for wanted in cells {
            let cell = Cell { error: Some(failure.clone()), ..self.blank(wanted) };
            self.report.cells.push(cell);
        }
    }

    fn add(&mut self, making: Making) {
        self.report.orders.push(Making { graph: self.subject.asked.name.clone(), ..making });
    }

    fn made(&mut self, order: Order, cells: &[Wanted]) -> Result<()> {
        let (bench, measuring) = (self.bench, &self.bench.measuring);
        (bench.say)(&format!("{} into the order {order}", self.subject.asked.name));
        let how = (measuring.seed, measuring.order_limit());
        let (ordered, mut making) =
            orders::ordered(bench.engine, self.subject.graph, order, how, bench.control)?;
        if let Some(look) = &self.looked.in_order {
            making.figures = look(&ordered)?;
        }
        self.add(making);
        let Ordered { order, graph } = ordered;
        let loaded = self.on.load_as_stored(&graph)?;
        self.by_algorithm(cells, &loaded, order)
    }

    /// Stage after stage on one handle, which learns between the stages and not while a cell is measured.
    fn sampled(&mut self, last: u32, cells: &[Wanted]) -> Result<()> {
        let seed = self.bench.measuring.seed;
        let loaded = self.on.load_with(self.subject.graph, Order::Sampled, seed, self.bench.control)?;
        for stage in cells.chunk_by(|one, next| one.order == next.order) {
            let Held::Sampled(rounds) = stage[0].order else { continue };
            self.learn(&loaded, rounds, &cells[0])?;
            stage
                .iter()
                .try_for_each(|cell| self.cells(std::slice::from_ref(cell), &loaded, Order::Sampled))?;
        }
        if cells.is_empty() {
            self.learn(&loaded, last, &self.learner)?;
        }
        let rounds: Vec<RoundSeen> = loaded.rounds().iter().map(RoundSeen::from).collect();
        let sum = |of: fn(&RoundSeen) -> f64| (!rounds.is_empty()).then(|| rounds.iter().map(of).sum());
        self.add(Making {
            order: Order::Sampled.to_string(),
            seconds: sum(|round| round.sampling_seconds),
            renumber: sum(|round| round.renumbering_seconds),
            rounds,
            ..Making::default()
        });
        Ok(())
    }

    fn learn(&self, loaded: &Loaded, rounds: u32, by: &Wanted) -> Result<()> {
        (self.bench.say)(&format!("{} by {rounds} rounds of sampled", self.subject.asked.name));
        orders::learn(loaded, rounds, self.bench.measuring.order_limit(), |number| {
            self.bench.control.check("learning an order")?;
            let asked = self.ask(by, loaded, number, false);
            asked
                .map(drop)
                .map_err(|failure| super::refused(failure.message, failure.help.unwrap_or_default()))
        })
    }

    fn planted(&mut self, cells: &[Wanted]) -> Result<()> {
        let Some(spec) = &self.subject.asked.planted else { return Ok(()) };
        (self.bench.say)(&format!("generating {spec}"));
        let graph = spec.generate(self.bench.control)?;
        let loaded = self.on.load_as_stored(&graph)?;
        // It is another graph, so searches start at its own vertices.
        let own = Sources::find(&loaded, self.bench.control)?;
        let natural = std::mem::replace(&mut self.natural, loaded.clone());
        let sources = self.sources.replace(own);
        let done = self.by_algorithm(cells, &loaded, Order::Natural);
        (self.natural, self.sources) = (natural, sources);
        done
    }

    /// Measures cells of one algorithm in turn, and those that need a handle of their own alone.
    fn by_algorithm(&mut self, cells: &[Wanted], loaded: &Loaded, order: Order) -> Result<()> {
        let is_with = |one: &Wanted, next: &Wanted| {
            one.algorithm == next.algorithm && [one, next].iter().all(|cell| cell.handle == Handle::Shared)
        };
        for group in cells.chunk_by(is_with) {
            let handle = match group[0].handle {
                Handle::Shared => loaded.clone(),
                Handle::Fresh => self.fresh(loaded)?,
                Handle::FreshCompiled => {
                    // That this run fails is said by the cell's own runs.
                    let _ = self.ask(&group[0], loaded, 0, false);
                    self.fresh(loaded)?
                }
            };
            self.cells(group, &handle, order)?;
        }
        Ok(())
    }

    fn fresh(&self, loaded: &Loaded) -> Result<Loaded> {
        self.on.load_as_stored(loaded.graph())
    }

    fn cells(&mut self, cells: &[Wanted], loaded: &Loaded, order: Order) -> Result<()> {
        let bench = self.bench;
        let made = || loaded.rounds().len() as u32;
        let before = made();
        let this = &*self;
        let asking = (this.done + 1..).zip(cells).map(|(number, wanted)| {
            this.announce(number, wanted);
            move |number, verify| this.ask(wanted, loaded, number, verify)
        });
        let ran = in_turn(asking, &bench.measuring, bench.control)?;
        self.done += cells.len();
        let gauge = self.report.limits.is_some().then(|| Gauge::of(loaded.graph(), order));
        for (wanted, ran) in cells.iter().zip(ran) {
            let mut cell = self.cell(wanted, ran, gauge.as_ref());
            cell.rounds_made = matches!(wanted.order, Held::Sampled(_)).then(|| (before, made()));
            self.report.cells.push(cell);
        }
        Ok(())
    }

    fn announce(&self, number: usize, wanted: &Wanted) {
        (self.bench.say)(&format!(
            "[{number}/{}] {} on {} by {}, order {}",
            self.total, wanted.algorithm, self.subject.asked.name, wanted.plan, wanted.order
        ));
    }

    /// One run: numbered, since sources are drawn by number.
    fn ask(&self, wanted: &Wanted, loaded: &Loaded, number: u64, verify: bool) -> Result<Once, Failure> {
        let measuring = &self.bench.measuring;
        let number_of_source = if wanted.starts == Starts::LargestOnce { 0 } else { number };
        let source = match (&self.sources, wanted.starts) {
            (_, Starts::Configured) | (None, _) => None,
            (Some(Ok(sources)), _) => {
                Some(sources.draw(self.natural.graph(), measuring.seed, number_of_source))
            }
            (Some(Err(failure)), _) => return Err(failure.clone()),
        };
        let limit = measuring.case_limit();
        let once = || {
            let config = match &source {
                Some(id) => question::starting_at(warpgraph::find(&wanted.algorithm)?, &wanted.config, id),
                None => wanted.config.clone(),
            };
            let options = Options {
                plan: wanted.plan.parse()?,
                control: self.bench.control.clone().with_time_limit(2 * limit),
                price_tiling: wanted.price_tiling,
                seed: measuring.seed,
                run: number,
                ..Options::default()
            };
            question::ask(&wanted.algorithm, config, loaded, &options, verify)
        };
        let answered = once().map_err(|error| crate::case::explained(&error, Some(limit)))?;
        if let Some((seconds, _)) = answered.verify {
            (self.bench.say)(&format!("  verified in {}", units::seconds(seconds)));
        }
        Ok((answered, source))
    }

    /// Returns a cell of what its runs gave.
    fn cell(&mut self, wanted: &Wanted, ran: Result<Ran, Failure>, gauge: Option<&Gauge>) -> Cell {
        let mut cell = self.blank(wanted);
        let ran = match ran {
            Ok(ran) => ran,
            Err(failure) => return Cell { error: Some(failure), ..cell },
        };
        let limit = |limits: &GpuLimits, levels| {
            let (run, rounds) = (ran.last.as_ref()?, ran.median(|run| run.rounds as f64) as u64);
            let is_told = ran.timed.iter().all(|run| run.reached.is_some());
            let seen = Seen {
                arcs: ran.median(|run| run.arcs as f64) as u64,
                rounds,
                reached: is_told.then(|| ran.median(|run| run.reached.unwrap_or(0) as f64) as u64),
                levels,
            };
            let entry = warpgraph::find(&wanted.algorithm).ok()?;
            let limit = gauge?.limit(entry, run, &seen, limits)?;
            Some(if wanted.per == Per::Sweep { limit.times(1.0 / rounds.max(1) as f64) } else { limit })
        };
        cell.limit = self.report.limits.as_ref().and_then(|limits| limit(limits, self.levels));
        cell.fill(ran, wanted.clock, graph_bytes(self.subject.graph, &wanted.algorithm));
        cell.share =
            cell.limit.as_ref().zip(cell.median()).map(|(limit, time)| limit.seconds / time.max(1e-9));
        if wanted.algorithm == "bfs" {
            self.levels = cell.rounds;
        }
        if let (Some(median), Some(speed)) = (cell.median(), cell.speed) {
            let (plan, time, per) = (&wanted.plan, units::seconds(median), cell.per.name());
            let verified = cell.verify.as_deref().unwrap_or("not verified");
            let line = format!("  {plan}: {time} per {per}, {speed:.2} billion arcs per second, {verified}");
            (self.bench.say)(&line);
        }
        cell
    }

    fn blank(&self, wanted: &Wanted) -> Cell {
        let case = self.report.graphs.last();
        Cell {
            graph: self.subject.asked.name.clone(),
            hash: case.and_then(|case| Some(case.graph.as_ref()?.hash.clone())).unwrap_or_default(),
            parts: wanted.parts.clone(),
            algorithm: wanted.algorithm.clone(),
            config: wanted.config.clone(),
            order: wanted.order,
            device: self.on.gpu().map_or_else(|| "cpu".to_owned(), |gpu| gpu.properties().label.clone()),
            plan_asked: wanted.plan.parse::<Plan>().map_or_else(|_| wanted.plan.clone(), |p| p.to_string()),
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
