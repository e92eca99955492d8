//! Measures everything that an evaluation wants: graph after graph, order after order, cells in turn.
//!
//! A graph that cannot be loaded, an order that cannot be made, or a cell that cannot run says why in the report; it ends
//! nothing but itself. An error of [`run`] means that the whole measurement must stop.

use super::{
    Asked, Evaluation, GraphCase, Measuring, Report, RunsOn, Subject, at_graph::AtGraph, wanted::by_order,
};
use crate::result::{Failure, GraphReport};
use warpgraph::{Control, Engine, Error, Graph, Result};

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
            RunsOn::Gpu => self.engine,
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
        let before = report.graphs.len();
        self.cells(asked, graph, load, report).or_else(|error| {
            if !self.control.should_stop() {
                report.graphs.truncate(before);
            }
            self.note(asked, error, report)
        })
    }

    fn cells(&self, asked: &Asked, graph: &Graph, load: Option<f64>, report: &mut Report) -> Result<()> {
        let Self { evaluation, measuring, processor, control, .. } = self;
        let subject = Subject { asked, graph, processor, measuring, control };
        let looked = evaluation.look(&subject)?;
        let cells = evaluation.cells(asked, graph)?;
        report.graphs.push(GraphCase {
            name: asked.name.clone(),
            source: asked.source.clone(),
            graph: Some(self.engine.install(|| GraphReport::new(graph))),
            load,
            figures: looked.figures.clone(),
            error: None,
        });
        let mut at = AtGraph::new(self, subject, looked, report, &cells)?;
        let mut groups = by_order(cells);
        for wanted in evaluation.orders() {
            if !groups.iter().any(|(order, _)| order.is_made_with(wanted.order)) {
                at.learner = wanted.clone();
                groups.push((wanted.order, Vec::new()));
            }
        }
        groups.into_iter().try_for_each(|(order, cells)| at.order(order, &cells))
    }
}
