//! Label propagation: finds communities. In each round, every vertex takes the label that most of its neighbours have.
//!
//! ```text
//! label_0[v]     = v
//! label_(t+1)[v] = the label most frequent among label_t[u] over all neighbours u of v; the smallest on ties
//! ```
//! All vertices change at once \[1\]. This is the CDLP of LDBC Graphalytics \[2\], label for label: the answer does not
//! depend on order, threads or chance. A neighbour counts once per arc, so parallel arcs give it more weight. In a
//! directed graph arcs in both directions count, and a neighbour with an arc each way counts twice. A self-loop makes a
//! vertex its own neighbour (twice if directed). A vertex without neighbours keeps its label. Weighted, a vertex takes
//! the label with the largest sum of weights; the weights of one label are added in f64, in ascending order.
//!
//! A run ends when no label changes, or after `max_iterations` rounds. Bipartite components can swap labels forever.
//! When a round brings back the labels of two rounds before, the remaining rounds are skipped, because the answer is
//! known: the labels of one of the two rounds, depending on whether the number of remaining rounds is even or odd. Such a
//! run ends as [`Halted::Alternates`]. O(m) expected work per round, less if few labels change.
//!
//! \[1\] U. N. Raghavan, R. Albert, S. Kumara, Near linear time algorithm to detect community structures in large-scale
//! networks, Physical Review E 76, 2007. \[2\] A. Iosup et al., LDBC Graphalytics, VLDB 2016.

mod answer;
mod verify;

pub use answer::{LabelPropagationAnswer, LabelPropagationSummary};

use crate::{
    About, Algorithm, Direction, Directions, Error, General, Halted, Result, Rules,
    cost::Cost,
    weighted::{self, Least},
};
use serde::{Deserialize, Serialize};
use warpgraph_graph::{Graph, NodeMap};

/// The default limit on rounds.
pub const MAX_ITERATIONS: u64 = 10;

/// Configures label propagation: when to stop, and whether weights count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct LabelPropagation {
    /// Stop after this many rounds at the latest
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = MAX_ITERATIONS))]
    pub max_iterations: u64,
    /// Count neighbours by the weights of their arcs
    #[cfg_attr(feature = "clap", arg(long))]
    pub weighted: bool,
}

impl Default for LabelPropagation {
    fn default() -> Self {
        Self { max_iterations: MAX_ITERATIONS, weighted: false }
    }
}

impl LabelPropagation {
    /// Limits the number of rounds.
    pub fn max_iterations(mut self, rounds: u64) -> Self {
        self.max_iterations = rounds;
        self
    }
}

/// Why a plan must not name push.
const WHY: &str = "a vertex needs the labels of all its neighbours at once";

impl Algorithm for LabelPropagation {
    const NAME: &'static str = "label-propagation";
    const ABOUT: About = About {
        title: "Label propagation",
        asks: "communities, all vertices updated at once (CDLP of LDBC Graphalytics); also weighted",
        details: "All vertices change at once, ties go to the smallest label, arcs count both ways: the CDLP of LDBC Graphalytics. Columns of --out: vertex, label (a vertex).",
        verified_by: "the definition, computed again by sorting",
    };
    const RULES: Rules = Rules {
        name: Self::NAME,
        on_cpu: Directions::Only(Direction::Pull, WHY),
        on_gpu: General::Gather(WHY),
        approximates: false,
        only_on_cpu: None,
    };
    const COST: Cost = Cost::UNKNOWN;
    type Answer = LabelPropagationAnswer;

    fn not_settled(halt: Halted, rounds: u64) -> Option<String> {
        let name = Self::NAME;
        match halt {
            Halted::MaxIterations => Some(format!(
                "{name} made {rounds} rounds and labels still changed; raise --max-iterations to let them settle, if they do"
            )),
            Halted::Alternates => Some(format!(
                "{name}: after {rounds} rounds the labels swap between two states for ever, as they do in bipartite parts; \
                 these are the labels after --max-iterations rounds, and one more round would give the other state"
            )),
            Halted::Converged | Halted::Tolerance => None,
        }
    }

    fn check_config(&self) -> Result<()> {
        match self.max_iterations {
            0 => Err(Error::config(
                Self::NAME,
                "max-iterations must be at least 1, got 0",
                "10 is the default",
            )),
            _ => Ok(()),
        }
    }

    fn check(&self, graph: &Graph) -> Result<()> {
        self.check_config()?;
        match self.weighted {
            true => weighted::check(Self::NAME, graph, Least::Zero, "to count all neighbours alike"),
            false => Ok(()),
        }
    }

    fn restore(
        &self,
        answer: LabelPropagationAnswer,
        graph: &Graph,
        map: &NodeMap,
    ) -> Result<LabelPropagationAnswer> {
        answer.restore(graph, map)
    }
}
