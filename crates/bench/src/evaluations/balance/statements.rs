//! The statements, in the order of the figures they are about.
//!
//! The paper's words are of sections III-B, IV and VI. It had memory for hierarchical only, beside node, on its large graphs.

use super::{
    ALGORITHMS as BOTH, EDGE, EDGE_WITHOUT_CHUNKING, HIERARCHICAL, NODE, SPLIT, STRATEGIES, WORKLOAD,
    degrees::{
        Degrees,
        Kind::{self, Even, Large, Road, Skewed},
    },
};
use crate::evaluation::{
    GraphCase,
    statements::{
        Case, Statement,
        Unit::{self, Degree, Less, Share, Times},
        View,
    },
    tables::over,
};

/// Kinds of graphs: all, those that are not large, those that the paper says have small diameters.
const EVERY: [Kind; 4] = [Skewed, Even, Road, Large];
const SMALLER: [Kind; 3] = [Skewed, Even, Road];
const SHALLOW: [Kind; 2] = [Skewed, Even];
/// All strategies of the paper but the baseline, and those that it calls node-based: their worklists hold vertices.
const BALANCED: [&str; 4] = [EDGE, WORKLOAD, SPLIT, HIERARCHICAL];
const NODE_BASED: [&str; 3] = [WORKLOAD, SPLIT, HIERARCHICAL];

type Cases = fn(&View<'_>) -> Vec<Case>;

const fn says(figure: &'static str, says: &'static str, unit: Unit, cases: Cases) -> Statement {
    Statement { figure, says, unit, cases }
}

impl View<'_> {
    fn median(&self, graph: &GraphCase, algorithm: &str, label: &str) -> Option<f64> {
        self.time(self.report.cell(&graph.name, algorithm, label)?)
    }

    /// The part of a run that is overhead.
    fn overhead(&self, graph: &GraphCase, algorithm: &str, label: &str) -> Option<f64> {
        let cell = self.report.cell(&graph.name, algorithm, label)?;
        let overhead = cell.overhead()?;
        over(Some(overhead), Some(overhead + cell.kernel?))
    }

    /// Bytes on the device.
    fn bytes(&self, graph: &GraphCase, algorithm: &str, label: &str) -> Option<f64> {
        Some(self.report.cell(&graph.name, algorithm, label)?.memory?.total() as f64)
    }

    /// The share of the baseline's time that a strategy saves; negative if it loses.
    fn saved(&self, graph: &GraphCase, algorithm: &str, label: &str) -> Option<f64> {
        let [own, node] = [label, NODE].map(|label| self.median(graph, algorithm, label));
        over(own, node).map(|ratio| 1.0 - ratio)
    }

    /// How many times as fast as the fastest of the others a strategy is; below 1 if one of them is faster.
    fn lead(&self, graph: &GraphCase, algorithm: &str, own: &str, others: &[&str]) -> Option<f64> {
        least(own, others, |label| self.median(graph, algorithm, label))
    }

    /// A case for every graph of some kinds and every name of a strategy or algorithm, as far as it can be judged: its figure,
    /// if there is one, and whether the statement holds. A name that is the only one is not said.
    fn judged(
        &self,
        kinds: &[Kind],
        names: &[&str],
        judge: impl Fn(&GraphCase, &str) -> Option<(Option<f64>, bool)>,
    ) -> Vec<Case> {
        let case = |(graph, name): (&GraphCase, &str)| {
            let (figure, holds) = judge(graph, name)?;
            let behind = if names.len() > 1 { format!(": {name}") } else { String::new() };
            Some(Case { on: format!("{}{behind}", graph.short()), figure, holds })
        };
        let is_of = |graph: &&GraphCase| graph.figure("kind").is_some_and(|kind| kinds.contains(&kind));
        let graphs = self.report.graphs.iter().filter(is_of);
        graphs.flat_map(|graph| names.iter().map(move |name| (graph, *name))).filter_map(case).collect()
    }

    /// The same where a figure tells whether the statement holds.
    fn each(
        &self,
        kinds: &[Kind],
        names: &[&str],
        figure: impl Fn(&GraphCase, &str) -> Option<f64>,
        holds: fn(f64) -> bool,
    ) -> Vec<Case> {
        self.judged(kinds, names, |graph, name| figure(graph, name).map(|x| (Some(x), holds(x))))
    }

    /// The same for a figure of the degrees.
    fn of_degrees(&self, kinds: &[Kind], of: fn(&Degrees) -> f64, holds: fn(f64) -> bool) -> Vec<Case> {
        self.each(kinds, &[""], |graph, _| Some(of(&graph.figure("degrees")?)), holds)
    }
}

/// All statements.
pub(super) static ALL: &[Statement] = &[
    says("7", "sssp: every strategy takes at least 20 % less time than node", Less, |view| {
        view.each(&EVERY, &BALANCED, |g, label| view.saved(g, "sssp", label), |saved| saved >= 0.2)
    }),
    says("7", "sssp: edge takes 60 to 80 % less time than node, where it fits", Less, |view| {
        view.each(&SMALLER, &[EDGE], |g, label| view.saved(g, "sssp", label), |saved| saved >= 0.6)
    }),
    says("7", "sssp: edge is the fastest of all, where it fits", Times, |view| {
        view.each(&SMALLER, &[EDGE], |g, own| view.lead(g, "sssp", own, &STRATEGIES), |lead| lead >= 1.0)
    }),
    says("7", "sssp: workload is the fastest node-based one on skewed and random graphs", Times, |view| {
        view.each(&SHALLOW, &[WORKLOAD], |g, own| view.lead(g, "sssp", own, &NODE_BASED), |lead| lead >= 1.0)
    }),
    says("7", "sssp: split is the slowest node-based one on skewed and random graphs", Times, |view| {
        let slowest =
            |g: &GraphCase, own: &str| most(own, &NODE_BASED, |label| view.median(g, "sssp", label));
        view.each(&SHALLOW, &[SPLIT], slowest, |times| times >= 1.0)
    }),
    says("7", "sssp: split is the fastest node-based one on road networks", Times, |view| {
        view.each(&[Road], &[SPLIT], |g, own| view.lead(g, "sssp", own, &NODE_BASED), |lead| lead >= 1.0)
    }),
    says(
        "7",
        "sssp: hierarchical lies between workload (0 %) and split (100 %) on smaller graphs",
        Share,
        |view| view.each(&SMALLER, &["sssp"], |g, name| between(view, g, name), |x| (0.0..=1.0).contains(&x)),
    ),
    says("7", "sssp: hierarchical takes 48 to 75 % less time than node on large graphs", Less, |view| {
        view.each(&[Large], &[HIERARCHICAL], |g, label| view.saved(g, "sssp", label), |saved| saved >= 0.48)
    }),
    says("7", "sssp: overhead is less than the time of kernels", Share, |view| {
        view.each(&EVERY, &STRATEGIES, |g, label| view.overhead(g, "sssp", label), |share| share < 0.5)
    }),
    says("8", "bfs: the share of overhead is larger than in sssp", Times, |view| {
        let share = |g: &GraphCase, label: &str| {
            over(view.overhead(g, "bfs", label), view.overhead(g, "sssp", label))
        };
        view.each(&EVERY, &STRATEGIES, share, |ratio| ratio > 1.0)
    }),
    says("8", "bfs: edge is faster than node, where it fits", Less, |view| {
        view.each(&SMALLER, &[EDGE], |g, label| view.saved(g, "bfs", label), |saved| saved > 0.0)
    }),
    says("8", "bfs: edge takes 48 to 68 % less time than node on skewed and random graphs", Less, |view| {
        view.each(&SHALLOW, &[EDGE], |g, label| view.saved(g, "bfs", label), |saved| saved >= 0.48)
    }),
    says("8", "bfs: edge gains at most about 10 % (here: 15 %) on road networks", Less, |view| {
        view.each(&[Road], &[EDGE], |g, label| view.saved(g, "bfs", label), |saved| saved <= 0.15)
    }),
    says("8", "bfs: workload, split and hierarchical lose to node on smaller graphs", Less, |view| {
        view.each(&SMALLER, &NODE_BASED, |g, label| view.saved(g, "bfs", label), |saved| saved < 0.0)
    }),
    says("8", "bfs: workload is the fastest node-based one on skewed and random graphs", Times, |view| {
        view.each(&SHALLOW, &[WORKLOAD], |g, own| view.lead(g, "bfs", own, &NODE_BASED), |lead| lead >= 1.0)
    }),
    says("8", "bfs: split is the fastest node-based one on road networks", Times, |view| {
        view.each(&[Road], &[SPLIT], |g, own| view.lead(g, "bfs", own, &NODE_BASED), |lead| lead >= 1.0)
    }),
    says("8", "bfs: hierarchical is over twice as fast as node on large graphs", Times, |view| {
        view.each(&[Large], &[HIERARCHICAL], |g, own| view.lead(g, "bfs", own, &[NODE]), |times| times > 2.0)
    }),
    says("9", "edge does not fit the memory with large graphs", Times, |view| {
        view.judged(&[Large], &BOTH, |g, name| does_not_fit(view, g, name))
    }),
    says("9", "node takes the least memory", Times, |view| {
        let ratio = |g: &GraphCase, name: &str| least(NODE, &BALANCED, |label| view.bytes(g, name, label));
        view.each(&EVERY, &BOTH, ratio, |ratio| ratio >= 1.0)
    }),
    says("9", "edge takes the most memory", Times, |view| {
        let ratio = |g: &GraphCase, name: &str| most(EDGE, &STRATEGIES, |label| view.bytes(g, name, label));
        view.each(&EVERY, &BOTH, ratio, |ratio| ratio >= 1.0)
    }),
    says("9", "split takes more memory than workload", Times, |view| {
        let ratio = |g: &GraphCase, name: &str| most(SPLIT, &[WORKLOAD], |label| view.bytes(g, name, label));
        view.each(&EVERY, &BOTH, ratio, |ratio| ratio > 1.0)
    }),
    says("10", "fewer than 5 % of the vertices are split", Share, |view| {
        view.of_degrees(&EVERY, Degrees::split_share, |share| share < 0.05)
    }),
    says("10", "the threshold is 2 to 4 on road networks and random graphs", Degree, |view| {
        view.of_degrees(&[Even, Road], |of| of.threshold as f64, |threshold| (2.0..=4.0).contains(&threshold))
    }),
    says("10", "the threshold is a tenth of the largest degree on skewed graphs", Share, |view| {
        // Rounded down to a whole degree: 118 of 1181.
        let share = |of: &Degrees| of.threshold as f64 / of.max as f64;
        view.of_degrees(&[Skewed], share, |share| share > 0.0 && share <= 0.1)
    }),
    says("11", "work chunking makes edge 1.11 to 3.125 times as fast, 1.82 on average", Times, |view| {
        let gain = |g: &GraphCase, name: &str| view.lead(g, name, EDGE, &[EDGE_WITHOUT_CHUNKING]);
        view.each(&EVERY, &BOTH, gain, |times| times >= 1.11)
    }),
];

/// How far hierarchical is on the way from workload to split.
fn between(view: &View<'_>, graph: &GraphCase, algorithm: &str) -> Option<f64> {
    let [workload, split, own] =
        [WORKLOAD, SPLIT, HIERARCHICAL].map(|label| view.median(graph, algorithm, label));
    Some((own? - workload?) / (split? - workload?)).filter(|share| share.is_finite())
}

/// With how many times the memory of `node` `edge` fits, and whether it does not.
fn does_not_fit(view: &View<'_>, graph: &GraphCase, algorithm: &str) -> Option<(Option<f64>, bool)> {
    let error = view.report.cell(&graph.name, algorithm, EDGE)?.error.as_ref();
    let ratio = most(EDGE, &[NODE], |label| view.bytes(graph, algorithm, label));
    Some((ratio, error.is_some_and(|error| error.kind == "device-memory")))
}

/// The smallest value of the others, as far as they have one, over the own one.
fn least(own: &str, others: &[&str], value: impl Fn(&str) -> Option<f64>) -> Option<f64> {
    let others = others.iter().filter(|label| **label != own).filter_map(|label| value(label));
    over(others.reduce(f64::min), value(own))
}

/// The own value over the largest of the others, as far as they have one.
fn most(own: &str, others: &[&str], value: impl Fn(&str) -> Option<f64>) -> Option<f64> {
    let others = others.iter().filter(|label| **label != own).filter_map(|label| value(label));
    over(value(own), others.reduce(f64::max))
}
