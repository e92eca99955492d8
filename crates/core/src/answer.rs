//! What every algorithm and every answer has in common.

use crate::{Result, Rules, Run, Table, Violation, cost::Cost};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt;
use warpgraph_graph::{Graph, NodeMap, Vertex, VertexId};

/// The words of an algorithm: help texts and the tables of the documentation are made of them.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// What it is called.
    pub title: &'static str,
    /// What it answers, as a phrase.
    pub asks: &'static str,
    /// What a user should know before reading the answer, and the columns of its table.
    pub details: &'static str,
    /// Which properties the verifier checks.
    pub verified_by: &'static str,
}

/// A configuration: what is asked. Library options, command-line flags and JSON at once.
pub trait Algorithm:
    Serialize + DeserializeOwned + Clone + Default + PartialEq + fmt::Debug + Send + Sync + 'static
{
    /// Its name on the command line and in JSON.
    const NAME: &'static str;
    /// Its words.
    const ABOUT: About;
    /// The plans it takes.
    const RULES: Rules;
    /// What it costs at least.
    const COST: Cost;
    /// True if its answers know a way to every vertex they reach.
    const FINDS_PATHS: bool = false;
    /// What it costs to have the same bits run after run.
    const DETERMINISM: &'static str = "nothing: it gives the same answer on any number of threads";
    /// The same, on a GPU that has a form of it.
    const DETERMINISM_ON_GPU: &'static str = "nothing: it gives the same answer in any order of threads";
    /// What comes back.
    type Answer: Answer + Send + Sync + 'static;

    /// Returns what `bench` and `doctor` ask: the default, unless that takes a search from every vertex.
    fn usual() -> Self {
        Self::default()
    }

    /// Returns the warning for a run that stopped at its limit of iterations.
    fn not_settled(rounds: u64) -> String {
        format!(
            "{} stopped after {rounds} iterations before it met its tolerance; raise --max-iterations or --tolerance",
            Self::NAME
        )
    }

    /// Refuses values that make no sense on any graph, and those that make none on this one.
    ///
    /// # Errors
    /// [`crate::Error::Config`], or the graph's own error for an unknown vertex.
    fn check(&self, graph: &Graph) -> Result<()>;

    /// The same question with everything asked for that a table of the answer is made of.
    fn for_table(&self) -> Self {
        self.clone()
    }

    /// The same question to a graph that was renumbered by `map`: its ids are its vertex numbers, so vertices named
    /// here are named by their masters, and rules that pick one are resolved on the original `graph` first.
    ///
    /// # Errors
    /// When a vertex is not in the graph.
    fn renumbered(&self, _graph: &Graph, _map: &NodeMap, _seed: u64, _run: u64) -> Result<Self> {
        Ok(self.clone())
    }

    /// The answer of [`Algorithm::renumbered`] as an answer about the original `graph`, to this question.
    ///
    /// # Errors
    /// When memory is short.
    fn restore(&self, answer: Self::Answer, graph: &Graph, map: &NodeMap) -> Result<Self::Answer>;
}

/// An answer: values for vertices, and the report on the run that found them.
pub trait Answer {
    /// How the run went.
    fn run(&self) -> &Run;

    /// The report, for whoever brings the answer back.
    fn run_mut(&mut self) -> &mut Run;

    /// The few figures of the `result` of the JSON form.
    fn summary(&self) -> serde_json::Value;

    /// All values, one row a vertex, for files.
    fn table(&self) -> Table<'_>;

    /// Checks properties that the right answer has, on the graph it was found on.
    ///
    /// # Errors
    /// The first property that does not hold, and where.
    fn verify(&self, graph: &Graph) -> Result<(), Violation>;

    /// The arcs of the vertices reached: what a rate in traversed edges a second is counted over.
    fn arcs_reached(&self) -> u64;

    /// The way to a vertex, for algorithms that know ways; `None` if it was not reached.
    fn path(&self, _target: Vertex) -> Option<Path> {
        None
    }
}

/// A way from the source to a vertex.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Path {
    /// The vertices on it, both ends included.
    pub vertices: Vec<VertexId>,
    /// Its length: hops, or the sum of weights.
    pub length: serde_json::Number,
}

/// Follows parents from `target` to the root, which is its own parent; the way comes out root first.
pub(crate) fn follow(parents: &[Vertex], target: Vertex) -> Vec<Vertex> {
    let mut way = vec![target];
    let mut v = target;
    while parents[v as usize] != v && way.len() <= parents.len() {
        v = parents[v as usize];
        way.push(v);
    }
    way.reverse();
    way
}
