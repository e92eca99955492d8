//! The traits that every algorithm ([`Algorithm`]) and every answer ([`Answer`]) implements.

use crate::{Bound, Halted, Judged, Result, Rules, Run, Table, Violation, cost::Cost};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt;
use warpgraph_graph::{Graph, NodeMap, Vertex, VertexId};

/// The texts that describe an algorithm, used in help texts and in the tables of the documentation.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// Its full name.
    pub title: &'static str,
    /// What it computes, as a phrase.
    pub asks: &'static str,
    /// What a user should know before reading the answer, and the columns of its table.
    pub details: &'static str,
    /// Which properties the verifier checks.
    pub verified_by: &'static str,
}

/// The configuration of an algorithm. One struct serves as library options, command-line flags and JSON.
pub trait Algorithm:
    Serialize + DeserializeOwned + Clone + Default + PartialEq + fmt::Debug + Send + Sync + 'static
{
    /// Its name on the command line and in JSON.
    const NAME: &'static str;
    /// Its descriptive texts.
    const ABOUT: About;
    /// The plans that it accepts.
    const RULES: Rules;
    /// Lower bounds on its cost.
    const COST: Cost;
    /// True if its answers contain a path to each vertex they reach.
    const FINDS_PATHS: bool = false;
    /// What it costs to return the same bits in every run.
    const DETERMINISM: &'static str = "nothing: it gives the same answer on any number of threads";
    /// The same, on a GPU.
    const DETERMINISM_ON_GPU: &'static str = "nothing: it gives the same answer in any order of threads";
    /// How it keeps within [`Algorithm::max_error`].
    const BOUND: Bound = Bound::Proved;
    /// The answer that it returns.
    type Answer: Answer + Send + Sync + 'static;

    /// Returns the configuration that `bench` and `doctor` use: the default, unless that needs a search from every
    /// vertex.
    fn usual() -> Self {
        Self::default()
    }

    /// Returns the greatest error that the user allows; `None` if the answer must be exact.
    fn max_error(&self) -> Option<f64> {
        None
    }

    /// Returns another question of the same kind with a random source, which measures the error of an approximation; `None`
    /// if there is none.
    fn held_out(&self) -> Option<Self> {
        None
    }

    /// Returns why only the processor answers this question; `None` if GPUs do as well.
    fn only_on_cpu(&self) -> Option<&'static str> {
        None
    }

    /// Returns true if the processor answers on a graph with copies of vertices as on `merged`, the graph in which they are
    /// merged into their masters. Otherwise it runs on that graph.
    fn reflects_on_cpu(&self, _merged: &Graph) -> bool {
        false
    }

    /// Returns the plans that this question accepts: those of the algorithm, on the devices that answer the question.
    fn rules(&self) -> Rules {
        Rules { only_on_cpu: self.only_on_cpu(), ..Self::RULES }
    }

    /// Returns the warning for a run that ended as `halt` says after this many rounds; `None` if it has its answer.
    fn not_settled(halt: Halted, rounds: u64) -> Option<String> {
        (halt == Halted::MaxIterations).then(|| {
            format!(
                "{} stopped after {rounds} iterations before it met its tolerance; raise --max-iterations or --tolerance",
                Self::NAME
            )
        })
    }

    /// Refuses a configuration that is invalid on every graph. Call it before reading a graph for the question.
    ///
    /// # Errors
    /// [`crate::Error::Config`].
    fn check_config(&self) -> Result<()> {
        Ok(())
    }

    /// Refuses a configuration that [`Algorithm::check_config`] refuses, or that is invalid on this graph.
    ///
    /// # Errors
    /// [`crate::Error::Config`], or the graph's own error for an unknown vertex.
    fn check(&self, graph: &Graph) -> Result<()>;

    /// Returns the same configuration, with every option on that a table of the answer needs.
    fn for_table(&self) -> Self {
        self.clone()
    }

    /// Returns the same question about a graph renumbered by `map`. The ids of that graph are its vertex numbers, so
    /// vertices named here become the numbers of their masters. Rules that pick a vertex are resolved on the original
    /// `graph` first.
    ///
    /// # Errors
    /// When a vertex is not in the graph.
    fn renumbered(&self, _graph: &Graph, _map: &NodeMap, _seed: u64, _run: u64) -> Result<Self> {
        Ok(self.clone())
    }

    /// Converts the answer to [`Algorithm::renumbered`] into an answer about the original `graph`, to this question.
    ///
    /// # Errors
    /// When memory runs out.
    fn restore(&self, answer: Self::Answer, graph: &Graph, map: &NodeMap) -> Result<Self::Answer>;
}

/// An answer: values per vertex, and the report on the run that computed them.
pub trait Answer {
    /// Returns the report on the run.
    fn run(&self) -> &Run;

    /// Returns the report, for callers that complete it.
    fn run_mut(&mut self) -> &mut Run;

    /// Returns the summary figures that become `result` in JSON.
    fn summary(&self) -> serde_json::Value;

    /// Returns all values as a table for files, usually with one row per vertex.
    fn table(&self) -> Table<'_>;

    /// Checks properties that the right answer has, on the graph that was asked about.
    ///
    /// # Errors
    /// The first property that does not hold, and where.
    fn verify(&self, graph: &Graph) -> Result<(), Violation>;

    /// Returns the arcs of the vertices reached, from which the rate in traversed edges per second is computed.
    fn arcs_reached(&self) -> u64;

    /// Returns the level of every vertex in a breadth-first search, [`UNREACHED`](crate::bfs::UNREACHED) if it has none;
    /// `None` for every other answer.
    fn levels(&self) -> Option<&[u32]> {
        None
    }

    /// Returns the numbers by which this answer is compared with an exact one; `None` if approximations do not apply.
    fn judged(&self) -> Option<Judged<'_>> {
        None
    }

    /// Returns the path to a vertex, for algorithms that find paths; `None` if it was not reached.
    fn path(&self, _target: Vertex) -> Option<Path> {
        None
    }
}

/// A path from the source to a vertex.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Path {
    /// The vertices on the path, both ends included.
    pub vertices: Vec<VertexId>,
    /// Its length: hops, or the sum of weights.
    pub length: serde_json::Number,
}

/// Follows parents from `target` to the root, which is its own parent. Returns the path with the root first.
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
