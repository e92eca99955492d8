//! One cell of a suite: an algorithm on a graph, with a plan, in an order. A cell that cannot run says why; it ends
//! nothing but itself.

use crate::{
    Entry, Limits, Shape,
    result::{CaseReport, Failure, GraphReport, Ready, Timing},
    runner::How,
};
use warpgraph::{Engine, Error, Loaded, Order, Plan};

/// The default suite: a skewed, an even and a wide graph, small enough for a laptop.
pub const SUITE: [&str; 3] = ["kron:18,w=1..255", "uniform:18,w=1..255", "grid:512x512,drop=0.1,w=1..255"];

/// What is asked.
#[derive(Debug, Clone)]
pub struct Case<'a> {
    /// The algorithm.
    pub entry: &'static Entry,
    /// The graph, as the user named it.
    pub name: &'a str,
    /// The plan.
    pub plan: Plan,
    /// The order.
    pub order: Order,
}

/// A graph that is ready to be asked, and what is said of it.
#[derive(Debug)]
pub struct Subject {
    /// It on its engine.
    pub loaded: Loaded,
    /// Its report.
    pub graph: GraphReport,
    /// Its shape.
    pub shape: Shape,
    /// How long that took.
    pub ready: Ready,
}

impl Case<'_> {
    /// Runs it.
    ///
    /// # Errors
    /// Only when the whole measurement must stop: it was interrupted, or its time is over.
    pub fn run(&self, subject: &Subject, how: &How<'_>, limits: &Limits) -> warpgraph::Result<CaseReport> {
        let engine = subject.loaded.engine();
        let mut report = self.blank(engine);
        report.graph = Some(subject.graph.clone());
        match (self.entry.measure)(&subject.loaded, &How { plan: self.plan, ..*how }) {
            Ok(outcome) => {
                report.device = outcome.run.device.clone();
                report.timing = Timing::new(self.entry, &outcome, &subject.shape, subject.ready, limits);
            }
            Err(error) if how.control.should_stop() => return Err(error),
            Err(error) => report.error = Some(explained(&error, how)),
        }
        Ok(report)
    }

    /// The report of a case whose graph could not be made ready.
    pub fn failed(&self, engine: &Engine, failure: Failure) -> CaseReport {
        CaseReport { error: Some(failure), ..self.blank(engine) }
    }

    fn blank(&self, engine: &Engine) -> CaseReport {
        CaseReport {
            algorithm: self.entry.name.to_owned(),
            config: (self.entry.config)(),
            name: self.name.to_owned(),
            graph: None,
            device: engine.device().to_string(),
            plan_asked: self.plan,
            order: self.order,
            threads: engine.threads(),
            timing: Timing::default(),
            error: None,
        }
    }
}

/// An error; that of a case that took too long names the limit it met.
fn explained(error: &Error, how: &How<'_>) -> Failure {
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
