//! One cell: a strategy of an algorithm on a graph. One that cannot run says why; it ends nothing but itself.

use super::report::{Cell, Memory, Seconds};
use crate::{
    Entry, GpuLimits,
    algorithms::Outcome,
    gpu::Gauge,
    result::Failure,
    runner::How,
    statistics::{self, Spread},
};
use warpgraph::{Engine, Error, Graph, Order, Plan, Result};

/// A graph to be measured, and what its runs are held against.
#[derive(Debug, Clone)]
pub struct Subject<'a> {
    /// Where it runs.
    pub engine: &'a Engine,
    /// The graph.
    pub graph: &'a Graph,
    /// What models of runs ask of it, in the order it is stored in.
    pub gauge: Gauge,
    /// What the device can do at best, if that is known.
    pub limits: Option<&'a GpuLimits>,
}

impl<'a> Subject<'a> {
    /// Looks at the arcs of the graph once.
    pub fn new(engine: &'a Engine, graph: &'a Graph, limits: Option<&'a GpuLimits>) -> Self {
        // A graph in an unknown order is refused by every cell.
        let order = engine.load_as_stored(graph).map_or_else(|_| Order::default(), |loaded| loaded.order());
        Self { engine, graph, gauge: Gauge::of(graph, order), limits }
    }
}

/// Runs a plan, given as text: once to verify the answer and to have everything prepared, then as often as `how` says. The
/// graph goes to the device anew, so that nothing another strategy keeps there is counted. Which graph it is, the caller knows.
///
/// # Errors
/// Only when the whole measurement must stop: it was interrupted, or its time is over.
pub fn measure(subject: &Subject<'_>, entry: &Entry, plan: &str, how: &How<'_>) -> Result<Cell> {
    let engine = subject.engine;
    let mut cell = Cell {
        algorithm: entry.name.to_owned(),
        config: (entry.config)(),
        device: engine
            .gpu()
            .map_or_else(|| engine.device().to_string(), |gpu| gpu.properties().label.clone()),
        plan_asked: plan.to_owned(),
        ..Cell::default()
    };
    let outcomes = plan.parse().and_then(|plan: Plan| {
        cell.plan_asked = plan.to_string();
        runs(engine, subject.graph, entry, plan, how)
    });
    match outcomes {
        Ok((first, timed)) => cell.fill(subject, &first, &timed),
        Err(error) if how.control.should_stop() => return Err(error),
        Err(error) => cell.error = Some(explained(&error, how)),
    }
    Ok(cell)
}

/// The verified run, and the timed ones.
fn runs(
    engine: &Engine,
    graph: &Graph,
    entry: &Entry,
    plan: Plan,
    how: &How<'_>,
) -> Result<(Outcome, Outcome)> {
    let ready = engine.load_as_stored(graph)?;
    let first = (entry.measure)(&ready, &How { plan, runs: 1, warmup: 0, verify: true, ..*how })?;
    let timed = (entry.measure)(&ready, &How { plan, verify: false, ..*how })?;
    Ok((first, timed))
}

impl Cell {
    fn fill(&mut self, subject: &Subject<'_>, first: &Outcome, timed: &Outcome) {
        let (run, figures, once) = (&timed.run, &timed.figures, &first.figures);
        self.device = run.device.to_string();
        self.plan = Some(run.plan.to_string());
        self.seconds = Spread::of(&figures.runs).map(|spread| {
            let kernel = statistics::median(&figures.kernels);
            Seconds {
                prepare: once.prepare,
                transfer: once.transfer.unwrap_or(0.0),
                compile: once.compile.unwrap_or(0.0),
                runs: figures.runs.clone(),
                kernels: figures.kernels.clone(),
                spread,
                kernel,
                overhead: (spread.median - kernel).max(0.0),
                verify: once.verify.unwrap_or(0.0),
            }
        });
        self.outliers = statistics::outliers(&figures.runs);
        self.mteps = Some(figures.mteps()).filter(|rate| rate.is_finite());
        self.limit = subject.limits.and_then(|limits| subject.gauge.limit(&self.algorithm, timed, limits));
        self.share = self.limit.as_ref().map(|limit| limit.seconds / figures.median().max(1e-9));
        self.rounds = Some(run.rounds);
        self.memory = Some(Memory {
            graph: graph_bytes(subject.graph, &self.algorithm),
            state: run.state_bytes,
            extra: run.extra_bytes,
        });
        self.verify = once.verdict().map(str::to_owned);
        self.error = once.violation.as_ref().map(|violation| Failure {
            kind: "verification".to_owned(),
            message: violation.to_string(),
            help: None,
        });
    }
}

/// What pushing along outgoing arcs reads of a graph.
fn graph_bytes(graph: &Graph, algorithm: &str) -> u64 {
    let out = graph.out();
    out.csr.bytes() + if algorithm == "sssp" { out.weights.bytes() } else { 0 }
}

/// An error; that of a cell that took too long names the limit it met.
pub(crate) fn explained(error: &Error, how: &How<'_>) -> Failure {
    let failure = Failure::from(error);
    match how.limit {
        Some(limit) if failure.kind == "deadline" => Failure {
            message: format!("one run takes over {} s", 2 * limit.as_secs()),
            help: Some("allow more with --case-limit, or choose a smaller graph".to_owned()),
            ..failure
        },
        _ => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{algorithms, gpu_limits::tests::limits};
    use std::time::Duration;
    use warpgraph::{Control, Device, graph::generate::Spec};

    fn graph() -> Graph {
        "kron:6,w=1..9".parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
    }

    fn cell(device: Device, plan: &str) -> Option<Cell> {
        let engine = match Engine::on(device, Some(2)) {
            Ok(engine) => engine,
            Err(error) => {
                println!("skipped: {error}");
                return None;
            }
        };
        let control = Control::new();
        let how = How { runs: 3, warmup: 1, ..How::new(&control) };
        let (graph, limits) = (graph(), limits());
        let subject = Subject::new(&engine, &graph, Some(&limits));
        Some(measure(&subject, algorithms::find("sssp").unwrap(), plan, &how).unwrap())
    }

    #[test]
    fn a_cell_has_all_its_runs_and_adds_up() {
        let Some(cell) = cell(Device::Simt, "workload+push") else { return };
        assert_eq!((cell.error, cell.verify.as_deref()), (None, Some("passed")));
        assert_eq!(
            (cell.plan_asked.as_str(), cell.plan.as_deref()),
            ("bsp+push+workload", Some("bsp+push+workload"))
        );
        let seconds = cell.seconds.unwrap();
        let limit = cell.limit.unwrap().seconds;
        assert!(
            limit >= 1e-6 * cell.rounds.unwrap() as f64,
            "a barrier a superstep, all runs are of one source"
        );
        assert!((cell.share.unwrap() * seconds.spread.median - limit).abs() < 1e-12);
        assert_eq!((seconds.runs.len(), seconds.kernels.len()), (3, 3));
        assert!((seconds.kernel + seconds.overhead - seconds.spread.median).abs() < 1e-12);
        let memory = cell.memory.unwrap();
        assert_eq!(memory.graph, graph().out().csr.bytes() + graph().out().weights.bytes());
        assert_eq!(memory.total(), memory.graph + memory.state + memory.extra);
    }

    #[test]
    fn what_is_refused_is_a_cell_that_says_why() {
        let refused = cell(Device::Cpu, "bsp+push+node").unwrap();
        assert_eq!(refused.error.unwrap().kind, "refused");
        assert!(refused.seconds.is_none() && refused.verify.is_none());
        let unknown = cell(Device::Cpu, "bsp+push+warp").unwrap();
        assert_eq!(
            (unknown.plan_asked.as_str(), unknown.error.unwrap().kind.as_str()),
            ("bsp+push+warp", "plan")
        );
    }

    #[test]
    fn a_cell_without_time_says_so_and_a_measurement_without_ends() {
        let engine = Engine::on(Device::Cpu, Some(1)).unwrap();
        let (control, bfs) = (Control::new(), algorithms::find("bfs").unwrap());
        let how = How { limit: Some(Duration::ZERO), ..How::new(&control) };
        let (graph, limits) = (graph(), limits());
        let subject = Subject::new(&engine, &graph, Some(&limits));
        let late = measure(&subject, bfs, "bsp+push", &how).unwrap();
        assert_eq!(late.error.unwrap().message, "one run takes over 0 s");
        control.cancel();
        assert!(measure(&subject, bfs, "bsp+push", &how).is_err());
    }
}
