//! The skeleton of evaluations: everything that `warpgraph bench <evaluation>` does, but for what one evaluation asks.
//!
//! An [`Evaluation`] says which graphs and which cells it wants, which statements it tests, and how its tables and figures
//! are drawn from a [`Report`]. Its flags are its own fields (`clap::Args`). It is one small folder in
//! [`crate::evaluations`], and one line in the table there: the command line, the files and the JSON follow from the table.
//!
//! - [`run`](fn@run) loads each graph once, asks the evaluation for its [`Wanted`] cells, and brings the graph into one order
//!   after the other. In an order, the cells of one algorithm are timed in turn (`turns`), so that all cells meet what the
//!   machine does meanwhile. An evaluation may look at a graph and at its orders on its own ([`Evaluation::look`]).
//! - [`Report`] is the one JSON form. Everything that is shown is made from it, so `--from` makes tables and figures again
//!   without measuring. [`statements`] judges every statement in every case that it is about.
//! - [`tables`] has what several tables need, [`write`](mod@write) makes the Markdown page and the files of `--out`. What was
//!   measured is written after every graph, so an interruption loses one graph at most.
//!
//! A cell is one algorithm with a configuration, on a graph in an order, by a plan, timed several times. It may be in several
//! *parts* (figures or tables); it is measured once. It may have an approximation: then it runs on the changed graph, and the
//! report says what was changed and how far its answer is from the exact one (`changed`).

mod at_graph;
mod cell;
mod changed;
mod counted;
mod held;
mod orders;
mod question;
pub mod report;
mod run;
mod sources;
pub mod statements;
pub mod tables;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod turns;
mod wanted;
pub mod write;

pub use counted::{Counted, Point};
pub use held::Held;
pub use orders::Ordered;
pub use report::{Cell, GraphCase, Making, Report};
pub use run::{Bench, Load, run};
pub use sources::Giant;
pub use wanted::{Asked, Clock, Counts, Handle, Measuring, Per, Starts, Verify, Wanted};

use crate::{chart::Figure, sheet::Sheet};
use serde_json::{Map, Value};
use statements::Statement;
use std::fmt;
use warpgraph::{Control, Engine, Error, Graph, Result, Run};

/// What is known of an evaluation before its flags are read.
#[derive(Debug)]
pub struct About {
    /// Its name on the command line and of its files.
    pub name: &'static str,
    /// The title of its page; the name of the device is put behind it.
    pub title: &'static str,
    /// The first paragraph of its page: after which paper, what times are of.
    pub head: &'static str,
    /// What is said before its statements.
    pub statements: &'static str,
    /// Where its cells run.
    pub runs_on: RunsOn,
    /// Measure the limits of the GPU, and hold every cell against them.
    pub limits: bool,
    /// The natural order is the one that a file holds; if not, that of the ids.
    pub as_stored: bool,
    /// Flags that try it without a GPU.
    pub try_with: &'static str,
    /// Defaults of the shared flags `--runs`, `--warmup`, `--case-limit` and `--verify`.
    pub defaults: [&'static str; 4],
}

/// Where cells run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunsOn {
    /// On a GPU, which must be there.
    Gpu,
    /// On the processor; a GPU may help to make orders.
    Processor,
    /// On the device that the user asked for, or that the engine chooses.
    Asked,
}

/// An evaluation, with its flags read.
pub trait Evaluation: fmt::Debug + Sync {
    /// Returns what is known of it before its flags are read.
    fn about(&self) -> &'static About;

    /// Returns the graphs to measure: those that the user named, or its own. Refuses flags that do not go together.
    fn graphs(&self, named: &[String]) -> Result<Vec<Asked>>;

    /// Returns the cells of a graph. Refuses a flag that names what there is not.
    fn cells(&self, asked: &Asked, graph: &Graph) -> Result<Vec<Wanted>>;

    /// Returns the cells of a graph, for evaluations whose cells depend on where they run. By default, [`Evaluation::cells`].
    fn cells_on(&self, subject: &Subject<'_>) -> Result<Vec<Wanted>> {
        self.cells(subject.asked, subject.graph)
    }

    /// Refuses flags that cannot be right, before anything is measured.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// Returns orders that are made even if no cell runs in them; runs of these cells teach an order that is learnt.
    fn orders(&self) -> Vec<Wanted> {
        Vec::new()
    }

    /// Returns a graph made from one that was measured, to be measured too. Fails when memory is short, and when `control`
    /// asks for it.
    fn made_from(&self, _graph: &Graph, _control: &Control) -> Result<Option<Graph>> {
        Ok(None)
    }

    /// Looks at a graph on its own, and returns what is to be looked at in its orders. Fails as its measurements do.
    fn look<'a>(&'a self, _subject: &Subject<'a>) -> Result<Looked<'a>> {
        Ok(Looked::default())
    }

    /// Counts what a cell does by a reference of its own, for plans that a device does not have, and returns the reference's
    /// report. Such a cell is not run, and has no times. `None` leaves it to the engine. The skeleton asks only about cells
    /// whose work is counted.
    fn count(&self, _question: &Question<'_>) -> Result<Option<Run>> {
        Ok(None)
    }

    /// Adds what follows from the whole report: own figures, warnings.
    fn conclude(&self, _report: &mut Report) {}

    /// Returns the statements it tests.
    fn statements(&self) -> &'static [Statement] {
        &[]
    }

    /// Returns facts of the measurement for the head of the page.
    fn facts(&self, _report: &Report) -> Vec<String> {
        Vec::new()
    }

    /// Returns its tables; tables without rows are not shown.
    fn tables(&self, report: &Report) -> Vec<Sheet>;

    /// Returns the lines below its tables.
    fn remarks(&self, _report: &Report) -> Vec<String> {
        Vec::new()
    }

    /// Returns further sections of its page: a title and a text each.
    fn sections(&self, _report: &Report) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Returns its figures.
    fn figures(&self, _report: &Report) -> Vec<Drawing> {
        Vec::new()
    }
}

/// A graph as it was asked for, and where and how it is looked at.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "the types say what they are")]
pub struct Subject<'a> {
    pub asked: &'a Asked,
    pub graph: &'a Graph,
    /// The engine that was asked for.
    pub engine: &'a Engine,
    pub processor: &'a Engine,
    pub measuring: &'a Measuring,
    pub control: &'a Control,
}

/// What a cell asks of a graph, and where.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "the types say what they are")]
pub struct Question<'a> {
    pub algorithm: &'a str,
    pub plan: &'a str,
    /// The whole configuration, the source included.
    pub config: &'a Value,
    pub graph: &'a Graph,
    /// True if cells run on a GPU or on the simulator.
    pub on_gpu: bool,
    pub control: &'a Control,
}

/// What an evaluation sees in a graph on its own.
#[derive(Default)]
pub struct Looked<'a> {
    /// Figures of the graph, for [`GraphCase::figures`].
    pub figures: Map<String, Value>,
    /// Looks at the graph in an order.
    pub in_order: Option<Box<LookInOrder<'a>>>,
}

/// Looks at a graph in an order; gives figures for [`Making::figures`].
pub type LookInOrder<'a> = dyn Fn(&Ordered) -> Result<Map<String, Value>> + Send + Sync + 'a;

/// A figure, and where it belongs.
#[derive(Debug)]
pub struct Drawing {
    /// The name of its file, without `.svg`.
    pub file: String,
    /// What the title of its table begins with.
    pub table: String,
    /// The figure.
    pub figure: Figure,
}

impl Drawing {
    /// Returns a drawing beside the table whose title begins so.
    pub fn new(file: impl Into<String>, table: impl Into<String>, figure: Figure) -> Self {
        Self { file: file.into(), table: table.into(), figure }
    }
}

/// Returns the error of an evaluation whose flags are wrong.
pub(crate) fn refused(what: impl Into<String>, help: impl Into<String>) -> Error {
    Error::Refused { what: what.into(), help: help.into() }
}
