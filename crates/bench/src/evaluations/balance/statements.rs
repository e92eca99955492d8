//! The statements, in the order of the figures they are about.
//!
//! The paper's words are of sections III-B, IV and VI. It had memory for hierarchical only, beside node, on its large graphs.

use super::{
    Degrees, EDGE, EDGE_WITHOUT_CHUNKING, HIERARCHICAL, NODE, SPLIT, WORKLOAD,
    kind::{ALL as EVERY, Kind, SHALLOW, SMALLER},
};
use crate::evaluation::{
    Cell, GraphCase,
    statements::{Case, Statement, Unit, View},
};

const BOTH: [&str; 2] = ["sssp", "bfs"];
const ROAD: [Kind; 1] = [Kind::Road];
const LARGE: [Kind; 1] = [Kind::Large];
const SKEWED: [Kind; 1] = [Kind::Skewed];
const PLAIN: [Kind; 2] = [Kind::Even, Kind::Road];
/// All strategies of the paper but the baseline, and those that it calls node-based: their worklists hold vertices.
const BALANCED: [&str; 4] = [EDGE, WORKLOAD, SPLIT, HIERARCHICAL];
const NODE_BASED: [&str; 3] = [WORKLOAD, SPLIT, HIERARCHICAL];

const fn says(
    figure: &'static str,
    says: &'static str,
    unit: Unit,
    cases: fn(&View<'_>) -> Vec<Case>,
) -> Statement {
    Statement { figure, says, unit, cases }
}

impl<'a> View<'a> {
    /// The graphs of some kinds.
    fn graphs(&self, kinds: &'a [Kind]) -> impl Iterator<Item = &'a GraphCase> + use<'a> {
        let is_of = |graph: &&GraphCase| graph.figure("kind").is_some_and(|kind| kinds.contains(&kind));
        self.report.graphs.iter().filter(is_of)
    }

    fn cell(&self, graph: &GraphCase, algorithm: &str, label: &str) -> Option<&'a Cell> {
        self.report.cell(&graph.name, algorithm, label)
    }

    fn median(&self, graph: &GraphCase, algorithm: &str, label: &str) -> Option<f64> {
        self.time(self.cell(graph, algorithm, label)?)
    }

    /// The part of a run that is overhead.
    fn overhead(&self, graph: &GraphCase, algorithm: &str, label: &str) -> Option<f64> {
        let cell = self.cell(graph, algorithm, label)?;
        let overhead = cell.overhead()?;
        Some(overhead / (overhead + cell.kernel?)).filter(|share| share.is_finite())
    }

    /// Bytes on the device.
    fn bytes(&self, graph: &GraphCase, algorithm: &str, label: &str) -> Option<f64> {
        Some(self.cell(graph, algorithm, label)?.memory?.total() as f64)
    }

    /// The share of the baseline's time that a strategy saves; negative if it loses.
    fn saved(&self, graph: &GraphCase, algorithm: &str, label: &str) -> Option<f64> {
        let node = self.median(graph, algorithm, NODE)?;
        Some(1.0 - self.median(graph, algorithm, label)? / node).filter(|saved| saved.is_finite())
    }

    /// A case for every graph of some kinds, where there is a figure.
    fn each(
        &self,
        kinds: &'a [Kind],
        figure: impl Fn(&GraphCase) -> Option<f64>,
        holds: impl Fn(f64) -> bool,
    ) -> Vec<Case> {
        let case = |graph: &GraphCase| Some(Case::new(graph.short().to_owned(), figure(graph)?, &holds));
        self.graphs(kinds).filter_map(case).collect()
    }

    /// A case for every graph of some kinds and every strategy or algorithm, where there is a figure.
    fn each_of(
        &self,
        kinds: &'a [Kind],
        names: &[&str],
        figure: impl Fn(&GraphCase, &str) -> Option<f64>,
        holds: impl Fn(f64) -> bool,
    ) -> Vec<Case> {
        let case = |graph: &GraphCase, name: &str| {
            Some(Case::new(format!("{}: {name}", graph.short()), figure(graph, name)?, &holds))
        };
        let graphs = self.graphs(kinds);
        graphs
            .flat_map(|graph| names.iter().filter_map(|name| case(graph, name)).collect::<Vec<_>>())
            .collect()
    }
}

/// All statements.
pub(super) static ALL: &[Statement] = &[
    says("7", "sssp: every strategy takes at least 20 % less time than node", Unit::Less, |view| {
        view.each_of(&EVERY, &BALANCED, |g, label| view.saved(g, "sssp", label), |saved| saved >= 0.2)
    }),
    says("7", "sssp: edge takes 60 to 80 % less time than node, where it fits", Unit::Less, |view| {
        view.each(&SMALLER, |g| view.saved(g, "sssp", EDGE), |saved| saved >= 0.6)
    }),
    says("7", "sssp: edge is the fastest of all, where it fits", Unit::Times, |view| {
        let others = [NODE, WORKLOAD, SPLIT, HIERARCHICAL];
        view.each(&SMALLER, |g| lead(view, g, "sssp", EDGE, &others), |lead| lead >= 1.0)
    }),
    says(
        "7",
        "sssp: workload is the fastest node-based one on skewed and random graphs",
        Unit::Times,
        |view| view.each(&SHALLOW, |g| lead(view, g, "sssp", WORKLOAD, &NODE_BASED), |lead| lead >= 1.0),
    ),
    says("7", "sssp: split is the slowest node-based one on skewed and random graphs", Unit::Times, |view| {
        let slowest = |g: &GraphCase| {
            let others = [WORKLOAD, HIERARCHICAL].map(|label| view.median(g, "sssp", label));
            Some(view.median(g, "sssp", SPLIT)? / largest(&others)?)
        };
        view.each(&SHALLOW, slowest, |times| times >= 1.0)
    }),
    says("7", "sssp: split is the fastest node-based one on road networks", Unit::Times, |view| {
        view.each(&ROAD, |g| lead(view, g, "sssp", SPLIT, &NODE_BASED), |lead| lead >= 1.0)
    }),
    says(
        "7",
        "sssp: hierarchical lies between workload (0 %) and split (100 %) on smaller graphs",
        Unit::Share,
        |view| {
            // How far on the way from one to the other.
            let between = |g: &GraphCase| {
                let [workload, split, own] =
                    [WORKLOAD, SPLIT, HIERARCHICAL].map(|label| view.median(g, "sssp", label));
                Some((own? - workload?) / (split? - workload?)).filter(|share| share.is_finite())
            };
            view.each(&SMALLER, between, |share| (0.0..=1.0).contains(&share))
        },
    ),
    says(
        "7",
        "sssp: hierarchical takes 48 to 75 % less time than node on large graphs",
        Unit::Less,
        |view| view.each(&LARGE, |g| view.saved(g, "sssp", HIERARCHICAL), |saved| saved >= 0.48),
    ),
    says("7", "sssp: overhead is less than the time of kernels", Unit::Share, |view| {
        view.each_of(&EVERY, &with_node(), |g, label| view.overhead(g, "sssp", label), |share| share < 0.5)
    }),
    says("8", "bfs: the share of overhead is larger than in sssp", Unit::Times, |view| {
        let ratio = |g: &GraphCase, label: &str| {
            let [bfs, sssp] = ["bfs", "sssp"].map(|name| view.overhead(g, name, label));
            Some(bfs? / sssp?).filter(|ratio| ratio.is_finite())
        };
        view.each_of(&EVERY, &with_node(), ratio, |ratio| ratio > 1.0)
    }),
    says("8", "bfs: edge is faster than node, where it fits", Unit::Less, |view| {
        view.each(&SMALLER, |g| view.saved(g, "bfs", EDGE), |saved| saved > 0.0)
    }),
    says(
        "8",
        "bfs: edge takes 48 to 68 % less time than node on skewed and random graphs",
        Unit::Less,
        |view| view.each(&SHALLOW, |g| view.saved(g, "bfs", EDGE), |saved| saved >= 0.48),
    ),
    says("8", "bfs: edge gains at most about 10 % (here: 15 %) on road networks", Unit::Less, |view| {
        view.each(&ROAD, |g| view.saved(g, "bfs", EDGE), |saved| saved <= 0.15)
    }),
    says("8", "bfs: workload, split and hierarchical lose to node on smaller graphs", Unit::Less, |view| {
        view.each_of(&SMALLER, &NODE_BASED, |g, label| view.saved(g, "bfs", label), |saved| saved < 0.0)
    }),
    says(
        "8",
        "bfs: workload is the fastest node-based one on skewed and random graphs",
        Unit::Times,
        |view| view.each(&SHALLOW, |g| lead(view, g, "bfs", WORKLOAD, &NODE_BASED), |lead| lead >= 1.0),
    ),
    says("8", "bfs: split is the fastest node-based one on road networks", Unit::Times, |view| {
        view.each(&ROAD, |g| lead(view, g, "bfs", SPLIT, &NODE_BASED), |lead| lead >= 1.0)
    }),
    says("8", "bfs: hierarchical is over twice as fast as node on large graphs", Unit::Times, |view| {
        view.each(&LARGE, |g| lead(view, g, "bfs", HIERARCHICAL, &[NODE]), |times| times > 2.0)
    }),
    says("9", "edge does not fit the memory with large graphs", Unit::Times, does_not_fit),
    says("9", "node takes the least memory", Unit::Times, |view| {
        let ratio = |g: &GraphCase, algorithm: &str| {
            let others = BALANCED.map(|label| view.bytes(g, algorithm, label));
            Some(smallest(&others)? / view.bytes(g, algorithm, NODE)?)
        };
        view.each_of(&EVERY, &BOTH, ratio, |ratio| ratio >= 1.0)
    }),
    says("9", "edge takes the most memory", Unit::Times, |view| {
        let ratio = |g: &GraphCase, algorithm: &str| {
            let others = [NODE, WORKLOAD, SPLIT, HIERARCHICAL].map(|label| view.bytes(g, algorithm, label));
            Some(view.bytes(g, algorithm, EDGE)? / largest(&others)?)
        };
        view.each_of(&EVERY, &BOTH, ratio, |ratio| ratio >= 1.0)
    }),
    says("9", "split takes more memory than workload", Unit::Times, |view| {
        let ratio = |g: &GraphCase, algorithm: &str| {
            Some(view.bytes(g, algorithm, SPLIT)? / view.bytes(g, algorithm, WORKLOAD)?)
        };
        view.each_of(&EVERY, &BOTH, ratio, |ratio| ratio > 1.0)
    }),
    says("10", "fewer than 5 % of the vertices are split", Unit::Share, |view| {
        view.each(&EVERY, |g| Some(g.figure::<Degrees>("degrees")?.split_share()), |share| share < 0.05)
    }),
    says("10", "the threshold is 2 to 4 on road networks and random graphs", Unit::Degree, |view| {
        view.each(&PLAIN, threshold, |threshold| (2.0..=4.0).contains(&threshold))
    }),
    says("10", "the threshold is a tenth of the largest degree on skewed graphs", Unit::Share, |view| {
        let share = |g: &GraphCase| Some(threshold(g)? / g.figure::<Degrees>("degrees")?.max as f64);
        // Rounded down to a whole degree: 118 of 1181.
        view.each(&SKEWED, share, |share| share > 0.0 && share <= 0.1)
    }),
    says(
        "11",
        "work chunking makes edge 1.11 to 3.125 times as fast, 1.82 on average",
        Unit::Times,
        |view| {
            let gain = |g: &GraphCase, algorithm: &str| {
                Some(view.median(g, algorithm, EDGE_WITHOUT_CHUNKING)? / view.median(g, algorithm, EDGE)?)
            };
            view.each_of(&EVERY, &BOTH, gain, |times| times >= 1.11)
        },
    ),
];

/// The strategies of the paper, the baseline among them.
fn with_node() -> [&'static str; 5] {
    [NODE, EDGE, WORKLOAD, SPLIT, HIERARCHICAL]
}

fn threshold(graph: &GraphCase) -> Option<f64> {
    Some(graph.figure::<Degrees>("degrees")?.threshold as f64)
}

/// How many times as fast as the fastest of the others a strategy is; below 1 if one of them is faster.
fn lead(view: &View<'_>, graph: &GraphCase, algorithm: &str, own: &str, others: &[&str]) -> Option<f64> {
    let others = others.iter().filter(|label| **label != own);
    let others: Vec<_> = others.map(|label| view.median(graph, algorithm, label)).collect();
    Some(smallest(&others)? / view.median(graph, algorithm, own)?).filter(|lead| lead.is_finite())
}

/// A case is a cell of `edge` on a large graph: with how many times the memory of `node` it fits, or that it does not.
fn does_not_fit(view: &View<'_>) -> Vec<Case> {
    let mut cases = Vec::new();
    for graph in view.graphs(&LARGE) {
        for algorithm in BOTH {
            let Some(cell) = view.cell(graph, algorithm, EDGE) else { continue };
            let holds = cell.error.as_ref().is_some_and(|error| error.kind == "device-memory");
            let ratio = view.bytes(graph, algorithm, EDGE).zip(view.bytes(graph, algorithm, NODE));
            let figure = ratio.map(|(edge, node)| edge / node);
            cases.push(Case { on: format!("{}: {algorithm}", graph.short()), figure, holds });
        }
    }
    cases
}

/// The smallest of those that are there.
fn smallest(values: &[Option<f64>]) -> Option<f64> {
    values.iter().flatten().copied().reduce(f64::min)
}

/// The largest of those that are there.
fn largest(values: &[Option<f64>]) -> Option<f64> {
    values.iter().flatten().copied().reduce(f64::max)
}
