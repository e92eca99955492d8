//! [`PartRun`]: the run of one part, superstep by superstep, so that a driver outside can look at it, stop it, or keep its
//! state between two supersteps.
//!
//! Every member of a run makes the same calls in the same order, each on its own part and with its own [`Exchange`]:
//! [`start`](crate::start), then [`PartRun::step`] until it returns what ended the run, then [`PartRun::answer`].
//! [`drive`] does that. The state of all members after equally many supersteps is a checkpoint of the whole run: a run that
//! was started anew, on the same cut, with the same question, continues from it with [`PartRun::restore`] and ends with
//! the same answer.

use crate::{Error, Exchange, Result};
use serde::Serialize;
use std::sync::Arc;
use warpgraph_core::{Halted, Table, table::Values};
use warpgraph_graph::{Control, Ids, Vertex};

/// What a run keeps between two supersteps, as named arrays of bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    /// How many supersteps were done.
    pub superstep: u64,
    /// The arrays. Which ones there are, and what they hold, is the business of the run.
    pub arrays: Vec<(String, Vec<u8>)>,
}

impl State {
    /// Returns an empty state after so many supersteps.
    pub fn after(superstep: u64) -> Self {
        Self { superstep, arrays: Vec::new() }
    }

    /// Adds an array.
    pub fn with<T: bytemuck::Pod>(mut self, name: &str, values: &[T]) -> Self {
        self.arrays.push((name.to_owned(), bytemuck::cast_slice(values).to_vec()));
        self
    }

    /// Returns an array of any length.
    ///
    /// # Errors
    /// [`Error::State`] if there is no such array, or if its bytes are no whole number of values.
    pub fn array<T: bytemuck::Pod>(&self, name: &str) -> Result<Vec<T>> {
        let found = self.arrays.iter().find(|(other, _)| other == name);
        let (_, bytes) = found.ok_or_else(|| Error::state(format!("it has no array {name:?}")))?;
        if !bytes.len().is_multiple_of(size_of::<T>()) {
            let (len, size) = (bytes.len(), size_of::<T>());
            return Err(Error::state(format!(
                "array {name:?} has {len} bytes, expected a multiple of {size}"
            )));
        }
        Ok(bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect())
    }

    /// Copies an array to one of the same length.
    ///
    /// # Errors
    /// [`Error::State`] if there is no such array, or if it has another length.
    pub fn fill<T: bytemuck::Pod>(&self, name: &str, values: &mut [T]) -> Result<()> {
        let array = self.array(name)?;
        if array.len() != values.len() {
            let (got, wanted) = (array.len(), values.len());
            return Err(Error::state(format!("array {name:?} has {got} values, expected {wanted}")));
        }
        values.copy_from_slice(&array);
        Ok(())
    }
}

/// The run of one part. Calls marked *collective* must be made by all members.
pub trait PartRun: Send {
    /// Returns the name of the algorithm or program.
    fn name(&self) -> &'static str;

    /// Runs the next superstep; collective. Returns what ended the run in every member, or `None` in every member. Must not
    /// be called again once it has returned what ended the run.
    ///
    /// # Errors
    /// When interrupted, when memory is short, when the question turns out to have no answer, and if another member fails.
    /// The member must then end: [`Exchange::fail`] tells the others, unless they sent the error.
    fn step(&mut self, exchange: &mut dyn Exchange, control: &Control) -> Result<Option<Halted>>;

    /// Returns how many supersteps were done.
    fn supersteps(&self) -> u64;

    /// Returns what the run needs in order to continue after this superstep.
    fn state(&self) -> State;

    /// Takes over the state of a run of the same part, cut and question. Call it on a run that has made no step, in all
    /// members or in none, with states after equally many supersteps.
    ///
    /// # Errors
    /// [`Error::State`] if an array is missing, has another length, or holds what no such run leaves.
    fn restore(&mut self, state: &State) -> Result<()>;

    /// Returns the answer of this part and the figures of the whole; collective. `halted` is what [`PartRun::step`] has
    /// returned.
    ///
    /// # Errors
    /// As [`PartRun::step`].
    fn answer(
        self: Box<Self>,
        halted: Halted,
        exchange: &mut dyn Exchange,
        control: &Control,
    ) -> Result<PartAnswer>;
}

/// A column of an answer: one value per vertex of the part.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// Vertices, by their original numbers; `NO_VERTEX` for none.
    Vertices(Vec<Vertex>),
    /// 32-bit unsigned integers; the largest stands for none.
    U32(Vec<u32>),
    /// 64-bit unsigned integers; the largest stands for none.
    U64(Vec<u64>),
    /// 64-bit signed integers; the largest stands for none.
    I64(Vec<i64>),
    /// Single-precision floating point; infinity stands for none.
    F32(Vec<f32>),
    /// Double-precision floating point; infinity stands for none.
    F64(Vec<f64>),
}

impl Column {
    fn values<'a>(&'a self, ids: &'a Ids) -> Values<'a> {
        match self {
            Self::Vertices(v) => Values::Vertices(ids, v.into()),
            Self::U32(v) => Values::U32(v.into()),
            Self::U64(v) => Values::U64(v.into()),
            Self::I64(v) => Values::I64(v.into()),
            Self::F32(v) => Values::F32(v.into()),
            Self::F64(v) => Values::F64(v.into()),
        }
    }
}

/// How a run in parts went, as one member saw it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Number of parts.
    pub parts: usize,
    /// Supersteps, or sweeps.
    pub supersteps: u64,
    /// The rule that ended the run.
    pub halt: Halted,
    /// Bytes that this member sent to others since it was started.
    pub sent: u64,
    /// Bytes that this member received from others since it was started.
    pub received: u64,
    /// Bytes that all members together sent.
    pub sent_by_all: u64,
    /// Bytes of the arrays that this member held beside its part of the graph.
    pub state_bytes: u64,
}

/// The answer of one part: the values of its own vertices, and the figures of the whole.
#[derive(Debug, Clone)]
pub struct PartAnswer {
    /// The figures of the whole graph, the same in every part: what `run` prints as `result`.
    pub summary: serde_json::Value,
    /// How the run went.
    pub report: Report,
    /// The ids by which the vertices below are written.
    pub ids: Ids,
    /// The vertices of this part: their numbers among `ids`. A row of the table for each.
    pub vertices: Vec<Vertex>,
    /// The values, by the names of their columns. Vertices are numbers among `ids`.
    pub columns: Vec<(&'static str, Column)>,
}

impl PartAnswer {
    /// Returns the rows of this part as a table; the tables of all parts together are that of a run on one machine, though
    /// perhaps in another order of rows.
    pub fn table(&self) -> Table<'_> {
        let table = Table { columns: Vec::new() };
        let table = table.with("vertex", Values::Vertices(&self.ids, (&*self.vertices).into()));
        self.columns.iter().fold(table, |table, (name, column)| table.with(name, column.values(&self.ids)))
    }

    /// Returns a column by its name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|(other, _)| *other == name).map(|(_, column)| column)
    }
}

/// A question as the registry of algorithms writes it.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// The name of the algorithm.
    pub algorithm: String,
    /// Its configuration, as in the JSON of `run`.
    pub config: serde_json::Value,
    /// The seed of a random source.
    pub seed: u64,
    /// The number of the run, from 0: each draws another random source.
    pub run: u64,
}

/// Runs to the end, and returns the answer of this part. `between` is called after every superstep but the last, in every
/// member: it may keep the state. Tells the other members if this one fails.
///
/// # Errors
/// Those of [`PartRun::step`] and of `between`.
pub fn drive(
    mut run: Box<dyn PartRun>,
    exchange: &mut dyn Exchange,
    control: &Control,
    between: &mut dyn FnMut(&dyn PartRun, &mut dyn Exchange) -> Result<()>,
) -> Result<PartAnswer> {
    let halted = loop {
        match run.step(exchange, control).and_then(|halted| match halted {
            Some(halted) => Ok(Some(halted)),
            None => between(&*run, exchange).map(|()| None),
        }) {
            Ok(None) => {}
            Ok(Some(halted)) => break halted,
            Err(error) => return told(Err(error), exchange),
        }
    };
    let answer = run.answer(halted, exchange, control);
    told(answer, exchange)
}

/// Tells the other members of an error of this one, unless all of them have it.
pub(crate) fn told<T>(result: Result<T>, exchange: &mut dyn Exchange) -> Result<T> {
    if let Err(error) = &result
        && !matches!(error, Error::Exchange(_) | Error::NegativeCycle)
    {
        exchange.fail(&error.to_string());
    }
    result
}

/// Starts and drives a question on one part, from beginning to end.
///
/// # Errors
/// Those of [`start`](crate::start) and [`drive`].
pub fn run(
    question: &Question,
    part: &Arc<crate::Part>,
    exchange: &mut dyn Exchange,
    control: &Control,
) -> Result<PartAnswer> {
    let started = crate::start(question, part, exchange, control);
    drive(told(started, exchange)?, exchange, control, &mut |_, _| Ok(()))
}
