//! Measures everything that an evaluation wants: graph after graph, order after order, cells in turn.
//!
//! A graph that cannot be loaded, an order that cannot be made, or a cell that cannot run says why in the report; it ends
//! nothing but itself. An error of [`run`] means that the whole measurement must stop.

use super::{Asked, Evaluation, GraphCase, Measuring, Report, RunsOn, at_graph::AtGraph};
use crate::result::Failure;
use warpgraph::{Control, Engine, Error, Graph, Result};

/// Loads what a text stands for: the graph, and the seconds that took.
pub type Load<'a> = dyn Fn(&str) -> Result<(Graph, f64), Failure> + 'a;

/// Where and how an evaluation is measured.
#[allow(missing_docs, reason = "the types say what the fields are")]
pub struct Bench<'a> {
    pub evaluation: &'a dyn Evaluation,
    pub measuring: Measuring,
    /// The engine that was asked for.
    pub engine: &'a Engine,
    pub processor: &'a Engine,
    pub control: &'a Control,
    pub load: &'a Load<'a>,
    /// Is told what is being done, a line at a time.
    pub say: &'a (dyn Fn(&str) + Sync),
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
                match bench.engine.install(|| bench.evaluation.made_from(&graph, bench.control)) {
                    Ok(None) => {}
                    Ok(Some(graph)) => {
                        bench.graph(&Asked::new(graph.origin().name.clone()), &graph, None, report)?;
                    }
                    Err(error) => bench.note(asked, error, report)?,
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

impl Bench<'_> {
    /// Returns where cells run.
    pub(super) fn on(&self) -> &Engine {
        match self.evaluation.about().runs_on {
            RunsOn::Gpu | RunsOn::Asked => self.engine,
            RunsOn::Processor => self.processor,
        }
    }

    /// Adds why a graph could not be measured, unless all must stop.
    fn note(&self, asked: &Asked, error: Error, report: &mut Report) -> Result<()> {
        if self.control.should_stop() {
            return Err(error);
        }
        report.graphs.push(failed(asked, Failure::from(&error)));
        Ok(())
    }

    /// Measures one graph, or says why that cannot be.
    fn graph(&self, asked: &Asked, graph: &Graph, load: Option<f64>, report: &mut Report) -> Result<()> {
        AtGraph::measure(self, asked, graph, load, report).or_else(|error| self.note(asked, error, report))
    }
}
