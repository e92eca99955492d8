//! The statements, in the order of the figures they are about.
//!
//! The paper's words are of sections III-B, IV and VI. It had memory for hierarchical only, beside node, on its large graphs.

use super::{
    ALGORITHMS as BOTH, EDGE, EDGE_WITHOUT_CHUNKING as UNCHUNKED, HIERARCHICAL, NODE, SPLIT, STRATEGIES,
    WORKLOAD,
    degrees::{
        Degrees,
        Kind::{self, Even, Large, Road, Skewed},
    },
};
use crate::evaluation::{
    Cell, GraphCase,
    statements::{Case, Statement, Unit, View},
    tables::over,
};

/// Kinds of graphs: all, those that are not large, those that the paper says have small diameters.
const EVERY: [Kind; 4] = [Skewed, Even, Road, Large];
const SMALLER: [Kind; 3] = [Skewed, Even, Road];
const SHALLOW: [Kind; 2] = [Skewed, Even];
/// All strategies of the paper but the baseline, and those that it calls node-based: their worklists hold vertices.
const BALANCED: [&str; 4] = [EDGE, WORKLOAD, SPLIT, HIERARCHICAL];
const NODE_BASED: [&str; 3] = [WORKLOAD, SPLIT, HIERARCHICAL];

/// A row per statement: figure, unit and words; the kinds of graphs, algorithms and strategies it is about; how a case is judged.
macro_rules! statements {
    ($($nr:literal $unit:ident $says:literal: $kinds:expr, $algorithms:expr, $labels:expr, $judge:expr;)*) => {
        &[$(Statement {
            figure: $nr,
            says: $says,
            unit: Unit::$unit,
            cases: |view| cases(view, (&$kinds, &$algorithms, &$labels), $judge),
        }),*]
    };
}

/// All statements.
pub(super) static ALL: &[Statement] = statements! {
    "7" Less "sssp: every strategy takes at least 20 % less time than node":
        EVERY, ["sssp"], BALANCED, when(On::saved, |saved| saved >= 0.2);
    "7" Less "sssp: edge takes 60 to 80 % less time than node, where it fits":
        SMALLER, ["sssp"], [EDGE], when(On::saved, |saved| saved >= 0.6);
    "7" Times "sssp: edge is the fastest of all, where it fits":
        SMALLER, ["sssp"], [EDGE], when(|on| on.least(&STRATEGIES, On::time), |lead| lead >= 1.0);
    "7" Times "sssp: workload is the fastest node-based one on skewed and random graphs":
        SHALLOW, ["sssp"], [WORKLOAD], when(|on| on.least(&NODE_BASED, On::time), |lead| lead >= 1.0);
    "7" Times "sssp: split is the slowest node-based one on skewed and random graphs":
        SHALLOW, ["sssp"], [SPLIT], when(|on| on.most(&NODE_BASED, On::time), |times| times >= 1.0);
    "7" Times "sssp: split is the fastest node-based one on road networks":
        [Road], ["sssp"], [SPLIT], when(|on| on.least(&NODE_BASED, On::time), |lead| lead >= 1.0);
    "7" Share "sssp: hierarchical lies between workload (0 %) and split (100 %) on smaller graphs":
        SMALLER, ["sssp"], [HIERARCHICAL], when(On::between, |share| (0.0..=1.0).contains(&share));
    "7" Less "sssp: hierarchical takes 48 to 75 % less time than node on large graphs":
        [Large], ["sssp"], [HIERARCHICAL], when(On::saved, |saved| saved >= 0.48);
    "7" Share "sssp: overhead is less than the time of kernels":
        EVERY, ["sssp"], STRATEGIES, when(On::overhead, |share| share < 0.5);
    "8" Times "bfs: the share of overhead is larger than in sssp":
        EVERY, ["bfs"], STRATEGIES, when(On::overhead_of_sssp, |ratio| ratio > 1.0);
    "8" Less "bfs: edge is faster than node, where it fits":
        SMALLER, ["bfs"], [EDGE], when(On::saved, |saved| saved > 0.0);
    "8" Less "bfs: edge takes 48 to 68 % less time than node on skewed and random graphs":
        SHALLOW, ["bfs"], [EDGE], when(On::saved, |saved| saved >= 0.48);
    "8" Less "bfs: edge gains at most about 10 % (here: 15 %) on road networks":
        [Road], ["bfs"], [EDGE], when(On::saved, |saved| saved <= 0.15);
    "8" Less "bfs: workload, split and hierarchical lose to node on smaller graphs":
        SMALLER, ["bfs"], NODE_BASED, when(On::saved, |saved| saved < 0.0);
    "8" Times "bfs: workload is the fastest node-based one on skewed and random graphs":
        SHALLOW, ["bfs"], [WORKLOAD], when(|on| on.least(&NODE_BASED, On::time), |lead| lead >= 1.0);
    "8" Times "bfs: split is the fastest node-based one on road networks":
        [Road], ["bfs"], [SPLIT], when(|on| on.least(&NODE_BASED, On::time), |lead| lead >= 1.0);
    "8" Times "bfs: hierarchical is over twice as fast as node on large graphs":
        [Large], ["bfs"], [HIERARCHICAL], when(|on| on.least(&[NODE], On::time), |times| times > 2.0);
    "9" Times "edge does not fit the memory with large graphs":
        [Large], BOTH, [EDGE], On::does_not_fit;
    "9" Times "node takes the least memory":
        EVERY, BOTH, [NODE], when(|on| on.least(&BALANCED, On::bytes), |ratio| ratio >= 1.0);
    "9" Times "edge takes the most memory":
        EVERY, BOTH, [EDGE], when(|on| on.most(&STRATEGIES, On::bytes), |ratio| ratio >= 1.0);
    "9" Times "split takes more memory than workload":
        EVERY, BOTH, [SPLIT], when(|on| on.most(&[WORKLOAD], On::bytes), |ratio| ratio > 1.0);
    "10" Share "fewer than 5 % of the vertices are split":
        EVERY, [""], [""], split(Degrees::split_share, |share| share < 0.05);
    "10" Degree "the threshold is 2 to 4 on road networks and random graphs":
        [Even, Road], [""], [""], split(|of| of.threshold as f64, |x| (2.0..=4.0).contains(&x));
    // Rounded down to a whole degree: 118 of 1181.
    "10" Share "the threshold is a tenth of the largest degree on skewed graphs":
        [Skewed], [""], [""], split(|of| of.threshold as f64 / of.max as f64, |x| x > 0.0 && x <= 0.1);
    "11" Times "work chunking makes edge 1.11 to 3.125 times as fast, 1.82 on average":
        EVERY, BOTH, [EDGE], when(|on| on.least(&[UNCHUNKED], On::time), |times| times >= 1.11);
};

/// A strategy by an algorithm on a graph.
struct On<'a> {
    view: &'a View<'a>,
    graph: &'a GraphCase,
    algorithm: &'a str,
    label: &'a str,
}

/// Kinds of graphs, algorithms and strategies.
type About<'a> = (&'a [Kind], &'a [&'a str], &'a [&'a str]);
/// The figure of a case, if there is one, and whether the statement holds.
type Judged = Option<(Option<f64>, bool)>;
type Value<'a> = fn(&On<'a>, &str) -> Option<f64>;

impl<'a> On<'a> {
    fn cell(&self, label: &str) -> Option<&Cell> {
        self.view.report.cell(&self.graph.name, self.algorithm, label)
    }

    fn time(&self, label: &str) -> Option<f64> {
        self.view.time(self.cell(label)?)
    }

    /// Bytes on the device.
    fn bytes(&self, label: &str) -> Option<f64> {
        Some(self.cell(label)?.memory?.total() as f64)
    }

    /// The part of a run that is overhead.
    fn overhead(&self) -> Option<f64> {
        let cell = self.cell(self.label)?;
        over(cell.overhead(), Some(cell.overhead()? + cell.kernel?))
    }

    fn overhead_of_sssp(&self) -> Option<f64> {
        over(self.overhead(), On { algorithm: "sssp", ..*self }.overhead())
    }

    /// The share of the baseline's time that it saves; negative if it loses.
    fn saved(&self) -> Option<f64> {
        over(self.time(self.label), self.time(NODE)).map(|ratio| 1.0 - ratio)
    }

    /// How far it is on the way from workload to split.
    fn between(&self) -> Option<f64> {
        let [own, workload, split] = [self.label, WORKLOAD, SPLIT].map(|label| self.time(label));
        Some((own? - workload?) / (split? - workload?)).filter(|share| share.is_finite())
    }

    fn values(&self, others: &[&str], value: Value<'a>) -> impl Iterator<Item = f64> {
        others.iter().filter(|label| **label != self.label).filter_map(move |label| value(self, label))
    }

    /// The smallest value of the others, as far as they have one, over its own.
    fn least(&self, others: &[&str], value: Value<'a>) -> Option<f64> {
        over(self.values(others, value).reduce(f64::min), value(self, self.label))
    }

    /// Its own value over the largest of the others, as far as they have one.
    fn most(&self, others: &[&str], value: Value<'a>) -> Option<f64> {
        over(value(self, self.label), self.values(others, value).reduce(f64::max))
    }

    /// With how many times the memory of `node` it fits, and whether it does not.
    fn does_not_fit(&self) -> Judged {
        let error = self.cell(self.label)?.error.as_ref();
        Some((self.most(&[NODE], On::bytes), error.is_some_and(|error| error.kind == "device-memory")))
    }
}

fn when<'a>(value: impl Fn(&On<'a>) -> Option<f64>, holds: fn(f64) -> bool) -> impl Fn(&On<'a>) -> Judged {
    move |on| value(on).map(|x| (Some(x), holds(x)))
}

fn split<'a>(value: fn(&Degrees) -> f64, holds: fn(f64) -> bool) -> impl Fn(&On<'a>) -> Judged {
    when(move |on: &On<'a>| Some(value(&on.graph.figure("degrees")?)), holds)
}

/// Returns the cases that can be judged. An algorithm or strategy that is the only one is not said.
fn cases<'a>(view: &'a View<'a>, of: About<'a>, judge: impl Fn(&On<'a>) -> Judged) -> Vec<Case> {
    let (kinds, algorithms, labels) = of;
    let is_of = |graph: &&GraphCase| graph.figure("kind").is_some_and(|kind| kinds.contains(&kind));
    let graphs = view.report.graphs.iter().filter(is_of);
    let pairs = graphs.flat_map(|graph| algorithms.iter().map(move |algorithm| (graph, algorithm)));
    let all = pairs
        .flat_map(|(graph, algorithm)| labels.iter().map(move |label| On { view, graph, algorithm, label }));
    let case = |on: On<'a>| {
        let (figure, holds) = judge(&on)?;
        let name = match (algorithms.len(), labels.len()) {
            (1, 1) => String::new(),
            (1, _) => format!(": {}", on.label),
            _ => format!(": {}", on.algorithm),
        };
        Some(Case { on: on.graph.short().to_owned() + &name, figure, holds })
    };
    all.filter_map(case).collect()
}
