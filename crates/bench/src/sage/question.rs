//! What is asked in a cell: an algorithm, and the configuration it is asked with.

use crate::runner::{self, Figures, How};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{fmt, str::FromStr};
use warpgraph::{
    Answer, Balance, Bc, Bfs, Closeness, Direction, Dispatch, LabelPropagation, Loaded, Model, PageRank,
    Plan, Result, Run, Scc, Sssp, VertexId, Wcc,
};

/// Sweeps of PageRank.
const SWEEPS: u64 = 20;
/// Vertices that closeness is about: a batch.
const CLOSENESS_SOURCES: u64 = 64;

/// An algorithm that frontiers are expanded in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "named after the algorithms")]
pub enum Question {
    Bfs,
    Bc,
    #[serde(rename = "pagerank")]
    PageRank,
    Sssp,
    Wcc,
    Scc,
    LabelPropagation,
    Closeness,
}

impl Question {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Bfs,
        Self::Bc,
        Self::PageRank,
        Self::Sssp,
        Self::Wcc,
        Self::Scc,
        Self::LabelPropagation,
        Self::Closeness,
    ];
    /// Those of the paper.
    pub const OF_THE_PAPER: [Self; 3] = [Self::Bfs, Self::Bc, Self::PageRank];
    /// Those that are programs of any direction and any balance: the ones the engine's choice is judged by.
    pub const PROGRAMS: [Self; 3] = [Self::Bfs, Self::Sssp, Self::Wcc];

    /// The algorithm's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bfs => "bfs",
            Self::Bc => "bc",
            Self::PageRank => "pagerank",
            Self::Sssp => "sssp",
            Self::Wcc => "wcc",
            Self::Scc => "scc",
            Self::LabelPropagation => "label-propagation",
            Self::Closeness => "closeness",
        }
    }

    /// Does it start at a vertex?
    pub fn has_source(self) -> bool {
        matches!(self, Self::Bfs | Self::Sssp | Self::Bc)
    }

    /// What its time is of.
    pub fn per(self) -> &'static str {
        if self == Self::PageRank { "sweep" } else { "run" }
    }

    /// A plan as it is asked with: one that names no direction pushes, where the algorithm can be held to that.
    pub fn plan(self, plan: Plan) -> Plan {
        match plan.model {
            Some(Model::Bsp { direction: None, balance }) if Self::PROGRAMS.contains(&self) => {
                Plan::bsp(Some(Direction::Push)).by(balance)
            }
            _ => plan,
        }
    }

    /// A balance as a plan; the engine's choice of them if `None`.
    pub fn balanced(self, balance: Option<Balance>) -> Plan {
        self.plan(Plan::bsp(None).by(balance))
    }

    /// Asks once, from a vertex if it has a source.
    ///
    /// # Errors
    /// The run's.
    pub(super) fn ask(self, loaded: &Loaded, source: Option<VertexId>, how: &How<'_>) -> Result<Asked> {
        match self {
            Self::Bfs => ask(loaded, &source.map_or_else(Bfs::default, Bfs::from), how),
            Self::Sssp => ask(loaded, &source.map_or_else(Sssp::default, Sssp::from), how),
            Self::Bc => {
                let one = || Bc::default().sources(1);
                ask(loaded, &source.map_or_else(one, |id| Bc::default().source(id)), how)
            }
            Self::PageRank => {
                let sweeps = PageRank { tolerance: 0.0, max_iterations: SWEEPS, ..PageRank::default() };
                ask(loaded, &sweeps, how)
            }
            Self::Wcc => ask(loaded, &Wcc::default(), how),
            Self::Scc => ask(loaded, &Scc::default(), how),
            Self::LabelPropagation => ask(loaded, &LabelPropagation::default(), how),
            Self::Closeness => {
                let sources = CLOSENESS_SOURCES.min(loaded.graph().vertices() as u64);
                ask(loaded, &Closeness::default().sources(sources), how)
            }
        }
    }
}

/// What one run gave.
pub(super) struct Asked {
    /// With this configuration.
    pub(super) config: Value,
    /// How it went.
    pub(super) run: Run,
    /// Its figures.
    pub(super) figures: Figures,
}

fn ask<A: Dispatch>(loaded: &Loaded, config: &A, how: &How<'_>) -> Result<Asked> {
    let measured = runner::measure(loaded, config, how)?;
    let run = measured.answer.run().clone();
    Ok(Asked { config: serde_json::to_value(config).unwrap_or_default(), run, figures: measured.figures })
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Question {
    type Err = warpgraph::Error;
    fn from_str(text: &str) -> Result<Self, warpgraph::Error> {
        Self::ALL.into_iter().find(|question| question.name() == text).ok_or_else(|| {
            let what = match warpgraph::find(text).is_ok() {
                true => format!("{text} is not measured by `bench sage`"),
                false => format!("there is no algorithm {text:?}"),
            };
            let help = format!("one of {}", Self::ALL.map(Self::name).join(", "));
            warpgraph::Error::Refused { what, help }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::{Control, Device, Engine, Order, graph::generate::Spec};

    #[test]
    fn names_are_those_of_algorithms_and_read_back() {
        for question in Question::ALL {
            assert!(warpgraph::find(question.name()).is_ok());
            assert_eq!(question.name().parse::<Question>().unwrap(), question);
            assert_eq!(serde_json::to_value(question).unwrap(), question.name());
        }
        let mst = "mst".parse::<Question>().unwrap_err();
        assert_eq!(mst.to_string(), "mst is not measured by `bench sage`");
    }

    #[test]
    fn only_programs_are_held_to_pushing_and_only_where_nothing_else_was_said() {
        let plan = |question: Question, text: &str| question.plan(text.parse().unwrap()).to_string();
        assert_eq!(plan(Question::Bfs, "tiled(min=8)"), "bsp+push+tiled(min=8)");
        assert_eq!(plan(Question::Bfs, "pull+tiled"), "bsp+pull+tiled");
        assert_eq!(plan(Question::PageRank, "tiled"), "bsp+tiled");
        assert_eq!(plan(Question::Bfs, "auto"), "auto");
        assert_eq!(Question::Wcc.balanced(None).to_string(), "bsp+push");
        for question in Question::ALL {
            for balance in Balance::ALL.map(Some).into_iter().chain([None]) {
                warpgraph::find(question.name())
                    .unwrap()
                    .rules
                    .check(
                        warpgraph::Device::FIRST_GPU,
                        &warpgraph::Options { plan: question.balanced(balance), ..Default::default() },
                    )
                    .unwrap();
            }
        }
    }

    #[test]
    fn pagerank_makes_as_many_sweeps_everywhere_and_is_right() {
        let control = Control::new();
        let graph = "kron:7".parse::<Spec>().unwrap().generate(&control).unwrap();
        let loaded = Engine::on(Device::Cpu, Some(1)).unwrap().load(&graph, Order::Natural).unwrap();
        let how = How { verify: true, ..How::new(&control) };
        let asked = Question::PageRank.ask(&loaded, None, &how).unwrap();
        assert_eq!((asked.run.rounds, asked.figures.verdict()), (SWEEPS, Some("passed")));
        assert_eq!(asked.config["max_iterations"], SWEEPS);
    }
}
