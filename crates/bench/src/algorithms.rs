//! The table of algorithms that can be measured: one line each, with what is known of its traffic and its state.
//!
//! An algorithm without a model of its traffic has no share of the limit; one without a formula for its state has it
//! scaled from small runs ([`crate::probe`]). All run with their default configuration, but for those whose default is a
//! search from every vertex: bc from 4 sources, closeness about 64 vertices, drawn from the seed.

use crate::{
    Shape, footprint,
    runner::{self, Figures, How},
    traffic::{self, Traffic, Work},
};
use serde_json::Value;
use warpgraph::{
    Adsorption, Algorithm, Answer, Bc, Bfs, Closeness, Control, Dispatch, Kcore, LabelPropagation, Loaded,
    Mst, PageRank, Result, Run, Scc, Sssp, Triangles, Wcc,
};

/// A line of the table: an algorithm with its default configuration, or with the one that is given.
macro_rules! entry {
    ($config:ty) => {
        entry!($config, <$config>::default())
    };
    ($config:ty, $question:expr) => {
        Entry {
            name: <$config>::NAME,
            config: || serde_json::to_value($question).unwrap_or_default(),
            measure: |ready, how| measure(ready, &$question, how),
            traffic: None,
            usual_share: 1.0,
            state: None,
        }
    };
}

/// Every algorithm, in the order of [`warpgraph::algorithms`].
pub const ALL: &[Entry] = &[
    entry!(Bfs).moves(traffic::bfs, 0.1).holds(footprint::bfs),
    entry!(Sssp).moves(traffic::sssp, 0.25).holds(footprint::sssp),
    entry!(PageRank).moves(traffic::pagerank, 0.9).holds(footprint::pagerank),
    entry!(Adsorption),
    entry!(Bc, Bc::default().sources(4)),
    entry!(Closeness, Closeness::default().sources(64)),
    entry!(Wcc).moves(traffic::wcc, 0.25).holds(footprint::wcc),
    entry!(Scc),
    entry!(Mst),
    entry!(Triangles),
    entry!(Kcore),
    entry!(LabelPropagation),
];

/// An algorithm that can be measured.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Its configuration.
    pub config: fn() -> Value,
    /// Runs it as often as asked.
    pub measure: fn(&Loaded, &How<'_>) -> Result<Outcome>,
    /// What it must move at least, if there is a model.
    pub traffic: Option<fn(&Shape, &Work) -> Traffic>,
    /// The share of the limit it usually reaches by that model: about the middle of the default suite; for guesses.
    pub usual_share: f64,
    /// The bytes of its state, if there is a formula.
    pub state: Option<fn(&Shape) -> u64>,
}

/// What the runs of an algorithm gave, without the answer.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// How the last run went.
    pub run: Run,
    /// The figures of all runs.
    pub figures: Figures,
}

impl Entry {
    const fn moves(mut self, model: fn(&Shape, &Work) -> Traffic, usual_share: f64) -> Self {
        (self.traffic, self.usual_share) = (Some(model), usual_share);
        self
    }

    const fn holds(mut self, formula: fn(&Shape) -> u64) -> Self {
        self.state = Some(formula);
        self
    }

    /// Runs it once and verifies the answer.
    ///
    /// # Errors
    /// The run's; that the answer is wrong is told by the figures.
    pub fn once(&self, ready: &Loaded, control: &Control) -> Result<Outcome> {
        (self.measure)(ready, &How { verify: true, ..How::new(control) })
    }
}

fn measure<A: Dispatch>(ready: &Loaded, question: &A, how: &How<'_>) -> Result<Outcome> {
    let measured = runner::measure(ready, question, how)?;
    Ok(Outcome { run: measured.answer.run().clone(), figures: measured.figures })
}

/// The algorithm of that name.
pub fn find(name: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_every_algorithm_of_the_library() {
        let names: Vec<&str> = ALL.iter().map(|entry| entry.name).collect();
        let all: Vec<&str> = warpgraph::algorithms().iter().map(|entry| entry.name).collect();
        assert_eq!(names, all, "a new algorithm is one line in ALL");
    }
}
