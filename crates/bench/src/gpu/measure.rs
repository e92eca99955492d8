//! The cells of one graph: it goes to the device once, and every algorithm is asked of it. A cell that cannot run says why; it
//! ends nothing but itself.

use super::{
    Cell, Gauge, Question, TimedRun,
    limit_model::{self, Work},
    sources::{Giant, Sources},
    suite::Asked,
};
use crate::{
    GpuLimits,
    result::Failure,
    statistics::{self, Spread},
    units,
};
use serde::Serialize;
use serde_json::Value;
use std::time::{Duration, Instant};
use warpgraph::{
    Answer, Bc, Bfs, Control, DEFAULT_SEED, Dispatch, Engine, Error, Graph, Kcore, Loaded, Mst, Order,
    PageRank, Result, Run, Sssp, Triangles, VertexId, Violation, Wcc,
};

/// The change at which pagerank ends, as cuGraph's did.
const TOLERANCE: f64 = 1e-6;
/// The orders of pagerank: the other algorithms run in the natural one.
const ORDERS: [Order; 2] = [Order::Natural, Order::Degree];

/// Which answers are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verify {
    /// That of every timed run.
    All,
    /// That of the first timed run of a cell.
    Once,
}

/// How to measure.
#[derive(Clone, Copy)]
pub struct How<'a> {
    /// Timed runs, at least 1.
    pub runs: u64,
    /// Untimed runs before them.
    pub warmup: u64,
    /// What sources are drawn from.
    pub seed: u64,
    /// Which answers are checked.
    pub verify: Verify,
    /// Start no further run of a cell after this long; a run under way may take twice as long.
    pub limit: Duration,
    /// Cancel flag, deadline, progress.
    pub control: &'a Control,
    /// Is told what is being done, a line at a time.
    pub say: &'a (dyn Fn(&str) + Sync),
}

impl std::fmt::Debug for How<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("How").field("runs", &self.runs).field("warmup", &self.warmup).finish_non_exhaustive()
    }
}

/// What came of a graph.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Its cells.
    pub cells: Vec<Cell>,
    /// Its largest component, if sources were drawn.
    pub giant: Option<Giant>,
    /// Seconds of bringing it into the order `degree`, if that was done.
    pub reorder: Option<f64>,
}

/// Measures all cells of a graph.
///
/// # Errors
/// Only when the whole measurement must stop: it was interrupted, its time is over, or there is no memory for the graph.
pub fn measure(
    engine: &Engine,
    graph: &Graph,
    asked: &Asked,
    limits: &GpuLimits,
    how: &How<'_>,
) -> Result<Measured> {
    let natural = engine.load(graph, Order::Natural)?;
    let sources = match asked.questions.iter().any(|question| question.has_source()) {
        true => Some(Sources::find(&natural, how.control)?),
        false => None,
    };
    let gauges = ORDERS.map(|order| Gauge::of(graph, order));
    let (levels, cells) = (None, Vec::new());
    let mut bench = Bench { graph, asked, limits, how, sources, gauges, levels, cells };
    let mut reorder = None;
    for &question in &asked.questions {
        for order in ORDERS {
            if order == Order::Natural {
                bench.measure(question, &natural)?;
            } else if question == Question::PageRank {
                let loaded = engine.load_with(graph, order, DEFAULT_SEED, how.control)?;
                reorder = loaded.reorder_seconds();
                bench.measure(question, &loaded)?;
            }
        }
    }
    let giant = bench.sources().map(|sources| sources.giant);
    Ok(Measured { cells: bench.cells, giant, reorder })
}

struct Bench<'a> {
    graph: &'a Graph,
    asked: &'a Asked,
    limits: &'a GpuLimits,
    how: &'a How<'a>,
    sources: Option<Result<Sources, Failure>>,
    /// One an order.
    gauges: [Gauge; ORDERS.len()],
    /// Supersteps of bfs.
    levels: Option<u64>,
    cells: Vec<Cell>,
}

impl Bench<'_> {
    fn measure(&mut self, question: Question, loaded: &Loaded) -> Result<()> {
        (self.how.say)(&format!("{question} on {}, order {}", self.asked.name, loaded.order()));
        let mut cell = self.blank(question, loaded.order());
        match (&self.sources, question.has_source()) {
            (Some(Err(failure)), true) => cell.error = Some(failure.clone()),
            _ => match self.ask(question, loaded) {
                Ok(ran) => self.fill(&mut cell, ran),
                Err(error) if self.how.control.should_stop() => return Err(error),
                Err(error) => cell.error = Some(explained(&error, self.how)),
            },
        }
        if let Some(time) = cell.seconds {
            let (median, per) = (units::seconds(time.median), cell.per);
            (self.how.say)(&format!(
                "  {median} a {per}, {}",
                cell.verify.as_deref().unwrap_or("not verified")
            ));
        }
        self.cells.push(cell);
        Ok(())
    }

    fn sources(&self) -> Option<&Sources> {
        self.sources.as_ref()?.as_ref().ok()
    }

    fn blank(&self, question: Question, order: Order) -> Cell {
        Cell {
            graph: self.asked.name.clone(),
            algorithm: question,
            order,
            config: Value::Null,
            plan: None,
            runs: Vec::new(),
            per: question.per(),
            seconds: None,
            total: None,
            before: None,
            outliers: 0,
            transfer: 0.0,
            compile: 0.0,
            state: 0,
            limit: None,
            share: None,
            peers: None,
            counts: false,
            verify: None,
            error: None,
        }
    }

    fn ask(&self, question: Question, loaded: &Loaded) -> Result<Ran> {
        let source = |run: u64| {
            let sources = self.sources().filter(|_| question.has_source())?;
            Some(sources.draw(self.graph, self.how.seed, run))
        };
        let how = self.how;
        match question {
            Question::Bfs => runs(loaded, how, source, |id| id.map_or_else(Bfs::default, Bfs::from)),
            Question::Sssp => runs(loaded, how, source, |id| id.map_or_else(Sssp::default, Sssp::from)),
            Question::Bc => runs(loaded, how, source, |id| {
                id.map_or_else(|| Bc::default().sources(1), |id| Bc::default().source(id))
            }),
            Question::PageRank => {
                runs(loaded, how, source, |_| PageRank { tolerance: TOLERANCE, ..PageRank::default() })
            }
            Question::Wcc => runs(loaded, how, source, |_| Wcc::default()),
            Question::Triangles => runs(loaded, how, source, |_| Triangles::default()),
            Question::Kcore => runs(loaded, how, source, |_| Kcore::default()),
            Question::Mst => runs(loaded, how, source, |_| Mst::default()),
        }
    }

    fn fill(&mut self, cell: &mut Cell, ran: Ran) {
        let rounds = middle(&ran.runs, |run| run.rounds as f64) as u64;
        if cell.algorithm == Question::Bfs {
            self.levels = Some(rounds);
        }
        let total: Vec<f64> = ran.runs.iter().map(TimedRun::call).collect();
        let of_sweep = |run: &TimedRun| run.call() / run.rounds.max(1) as f64;
        let times = match cell.algorithm {
            Question::PageRank => ran.runs.iter().map(of_sweep).collect(),
            _ => total.clone(),
        };
        (cell.seconds, cell.total) = (Spread::of(&times), Spread::of(&total));
        cell.outliers = statistics::outliers(&times);
        let work = self.work(cell, rounds, middle(&ran.runs, |run| run.arcs as f64) as u64);
        cell.limit = limit_model::limit(cell.algorithm, &work, self.limits);
        cell.share = cell.limit.as_ref().map(|limit| limit.seconds / cell.median().max(1e-9));
        cell.before = Some(middle(&ran.runs, |run| run.before));
        (cell.transfer, cell.compile) = (ran.transfer, ran.compile);
        (cell.config, cell.plan, cell.state) = (ran.config, ran.plan, ran.state);
        cell.verify = Some(if ran.violation.is_some() { "failed" } else { "passed" }.to_owned());
        cell.error = ran.violation.map(|violation| Failure {
            kind: "verification".to_owned(),
            message: violation.to_string(),
            help: None,
        });
        cell.runs = ran.runs;
    }

    fn work(&self, cell: &Cell, rounds: u64, arcs_reached: u64) -> Work {
        let [natural, degree] = &self.gauges;
        let gauge = if cell.order == Order::Natural { natural } else { degree };
        let most = self.sources().map_or(gauge.with_arcs(), |sources| sources.giant.vertices);
        // Of a directed graph a search may reach less, but each vertex that it does by an arc.
        let reached = most.min(arcs_reached.saturating_add(1));
        Work { levels: self.levels, ..gauge.work(reached, arcs_reached, rounds) }
    }
}

fn middle(runs: &[TimedRun], of: impl Fn(&TimedRun) -> f64) -> f64 {
    statistics::median(&runs.iter().map(of).collect::<Vec<f64>>())
}

/// The runs of a cell.
#[derive(Default)]
struct Ran {
    runs: Vec<TimedRun>,
    config: Value,
    plan: Option<String>,
    state: u64,
    transfer: f64,
    compile: f64,
    violation: Option<Violation>,
}

impl Ran {
    fn note(&mut self, run: &Run) {
        self.plan = Some(run.plan.to_string());
        self.state = self.state.max(run.state_bytes);
        self.transfer += run.transfer_seconds;
        self.compile += run.compile_seconds;
    }
}

/// Warm-up runs, then timed ones.
fn runs<A: Dispatch>(
    loaded: &Loaded,
    how: &How<'_>,
    source: impl Fn(u64) -> Option<VertexId>,
    ask: impl Fn(Option<VertexId>) -> A,
) -> Result<Ran> {
    let mut ran = Ran { config: serde_json::to_value(ask(source(0))).unwrap_or_default(), ..Ran::default() };
    let spent = std::cell::Cell::new(Duration::ZERO);
    let once = |number: u64| {
        let control = how.control.clone().with_time_limit(2 * how.limit);
        let (start, id) = (Instant::now(), source(number));
        let answer = loaded.job(ask(id.clone())).control(&control).seed(how.seed, number).run()?;
        spent.set(spent.get() + start.elapsed());
        Ok::<_, Error>((answer, id))
    };
    for i in 0..how.warmup {
        // Numbered from the far end: the timed runs draw the same sources whatever the warm-up.
        let (answer, _) = once(u64::MAX - i)?;
        ran.note(answer.run());
        if spent.get() >= how.limit {
            break;
        }
    }
    for number in 0..how.runs.max(1) {
        let (answer, id) = once(number)?;
        ran.note(answer.run());
        let run = answer.run();
        let mut timed = TimedRun {
            seconds: run.seconds,
            before: run.prepare_seconds,
            kernels: run.kernel_seconds,
            rounds: run.rounds,
            arcs: answer.arcs_reached(),
            source: id,
            verify: None,
        };
        if how.verify == Verify::All || number == 0 {
            let start = Instant::now();
            let violation = loaded.engine().install(|| answer.verify(loaded.graph()).err());
            spent.set(spent.get() + start.elapsed());
            let seconds = start.elapsed().as_secs_f64();
            (how.say)(&format!("  run {}: verified in {}", number + 1, units::seconds(seconds)));
            timed.verify = Some(seconds);
            ran.violation = ran.violation.take().or(violation);
        }
        ran.runs.push(timed);
        if spent.get() >= how.limit {
            break;
        }
    }
    Ok(ran)
}

/// An error; that of a cell that took too long names the limit it met.
fn explained(error: &Error, how: &How<'_>) -> Failure {
    let failure = Failure::from(error);
    match failure.kind.as_str() {
        "deadline" => Failure {
            message: format!("one run takes over {} s", 2 * how.limit.as_secs()),
            help: Some("allow more with --case-limit, or choose a smaller graph".to_owned()),
            ..failure
        },
        _ => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu_limits::tests::limits;
    use std::sync::Mutex;
    use warpgraph::{Device, graph::generate::Spec};

    fn measured(spec: &str, questions: &[Question], verify: Verify, limit: Duration) -> Result<Measured> {
        let control = Control::new();
        let graph = spec.parse::<Spec>().unwrap().generate(&control).unwrap();
        let engine = Engine::on(Device::Cpu, Some(1)).unwrap();
        let said = Mutex::new(Vec::new());
        let say = |line: &str| said.lock().unwrap().push(line.to_owned());
        let how = How { runs: 3, warmup: 1, seed: 5, verify, limit, control: &control, say: &say };
        let (name, source) = ("small".to_owned(), spec.to_owned());
        let asked = Asked { name, source, row: None, questions: questions.to_vec() };
        measure(&engine, &graph, &asked, &limits(), &how)
    }

    // On the processor: what is measured here does not depend on the device.
    #[test]
    fn every_algorithm_has_its_runs_each_verified_and_pagerank_both_orders() {
        let minute = Duration::from_secs(60);
        let all = measured("kron:8,w=1..9", &Question::ALL, Verify::All, minute).unwrap();
        assert_eq!(all.cells.len(), Question::ALL.len() + 1);
        for cell in &all.cells {
            assert_eq!((&cell.error, cell.verify.as_deref()), (&None, Some("passed")), "{cell:?}");
            assert!(cell.runs.len() == 3 && cell.runs.iter().all(|run| run.verify.is_some()), "{cell:?}");
            assert!(cell.limit.is_some() && cell.share.unwrap() > 0.0, "{cell:?}");
            assert!(cell.before.is_some_and(|seconds| seconds >= 0.0 && seconds.is_finite()), "{cell:?}");
            assert_eq!(cell.runs[0].source.is_some(), cell.algorithm.has_source());
        }
        let of = |question| all.cells.iter().find(move |cell| cell.algorithm == question).unwrap();
        let sources = |cell: &Cell| cell.runs.iter().map(|run| run.source.clone()).collect::<Vec<_>>();
        assert_eq!(sources(of(Question::Bfs)), sources(of(Question::Sssp)), "one seed, the same sources");
        let ranks = of(Question::PageRank);
        let sweep = ranks.runs[0].call() / ranks.runs[0].rounds as f64;
        assert!(ranks.seconds.unwrap().min <= sweep && sweep <= ranks.seconds.unwrap().max);
        assert!(all.giant.unwrap().is_most() && all.reorder.is_some());
    }

    #[test]
    fn once_verifies_the_first_run_and_what_cannot_run_says_why() {
        let minute = Duration::from_secs(60);
        let all = measured("grid:9x9", &[Question::Bfs], Verify::Once, minute).unwrap();
        let verified: Vec<bool> = all.cells[0].runs.iter().map(|run| run.verify.is_some()).collect();
        assert_eq!((verified, all.reorder), (vec![true, false, false], None));
        let late = measured("grid:9x9", &[Question::Bfs], Verify::All, Duration::ZERO).unwrap();
        let failure = late.cells[0].error.clone().unwrap();
        assert_eq!((failure.kind.as_str(), failure.message.as_str()), ("deadline", "one run takes over 0 s"));
    }
}
