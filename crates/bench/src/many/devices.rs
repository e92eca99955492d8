//! Runs on virtual devices: members of one process, whose exchange is metered, and what their time would be over a link.

use super::{
    meter::{Metered, Span, Turn},
    model::{Modelled, Setting, modelled, waits},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use warpgraph::{Control, Graph, graph::NodeMap};
use warpgraph_parts::{Cut, Exchange, Part, PartRun, Question, Result, exchange::Local, start, together};

/// A graph in the order in which it is cut.
#[derive(Debug)]
pub struct Ordered {
    /// The name of the graph.
    pub graph: String,
    /// The name of the order.
    pub order: String,
    /// The graph as it was loaded.
    pub original: Graph,
    /// The graph in the order, and the way there; `None` in the natural order.
    pub inner: Option<(Graph, NodeMap)>,
}

impl Ordered {
    /// Returns the graph in the order.
    pub fn cut_graph(&self) -> &Graph {
        self.inner.as_ref().map_or(&self.original, |(graph, _)| graph)
    }

    fn part(&self, cut: &Cut, number: usize) -> Result<Part> {
        let part = match &self.inner {
            None => Part::of(&self.original, cut, number),
            Some((graph, map)) => Part::of_renumbered(&self.original, graph, map, cut, number),
        };
        part?.compacted()
    }
}

/// Starts the run of a member on its engine: the processor ([`warpgraph_parts::start`]), or a device.
pub type Start =
    dyn Fn(&Question, &Arc<Part>, &mut dyn Exchange, &Control) -> Result<Box<dyn PartRun>> + Sync;

/// How members run.
#[derive(Clone, Copy)]
pub struct Members<'a> {
    /// Starts a member's run.
    pub start: &'a Start,
    /// Threads of each.
    pub threads: usize,
    /// How often each case runs.
    pub runs: usize,
}

impl std::fmt::Debug for Members<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Members").field("threads", &self.threads).field("runs", &self.runs).finish()
    }
}

impl Members<'_> {
    /// Returns members that run on the processor.
    pub fn on_processor(threads: usize, runs: usize) -> Self {
        Self { start: &start, threads, runs }
    }
}

/// A question on a graph in some parts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Row {
    pub graph: String,
    pub order: String,
    pub algorithm: String,
    pub parts: usize,
    pub vertices: u64,
    pub arcs: u64,
    /// Supersteps, and meetings of all members in them.
    pub supersteps: u64,
    pub meetings: u64,
    /// Bytes that all members sent: to learn who shares which vertices, in all supersteps, and in the largest one.
    pub bytes_before: u64,
    pub bytes: u64,
    pub bytes_largest: u64,
    /// The arcs of the largest part over the mean.
    pub imbalance_arcs: f64,
    /// Bytes of the largest part.
    pub memory: u64,
    /// Seconds of the members: the mean, the slowest, and with the waits for the slowest one at each meeting.
    pub mean: f64,
    pub slowest: f64,
    pub waiting: f64,
    /// The slowest member over the mean.
    pub imbalance_time: f64,
    /// What the run would take over links; the first part of each is that of one part.
    pub modelled: Vec<Modelled>,
    /// True if the figures of the answer are those of one part; null if they may differ by rounding.
    pub same: Option<bool>,
}

/// What a member saw.
struct Seen {
    arcs: u64,
    bytes: u64,
    before: Vec<Span>,
    steps: Vec<Vec<Span>>,
    summary: serde_json::Value,
}

/// Runs a question in each number of parts; the first should be 1, which the others are compared with.
///
/// # Errors
/// Those of the members.
pub fn rows(
    ordered: &Ordered,
    algorithm: &str,
    parts: &[usize],
    members: &Members<'_>,
    settings: &[Setting],
    control: &Control,
) -> Result<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    let (mut one, mut summary) = (None, None);
    for &parts in parts {
        let cut = Cut::even(&ordered.cut_graph().out().csr, parts)?;
        let mut runs = Vec::new();
        for _ in 0..members.runs.max(1) {
            control.check("running in parts")?;
            runs.push(run(ordered, algorithm, &cut, members, control)?);
        }
        // The run in the middle: its steps belong together, as medians of single steps would not.
        runs.sort_by(|a, b| waits(&steps(a)).total_cmp(&waits(&steps(b))));
        let seen = runs.swap_remove(runs.len() / 2);
        let steps = steps(&seen);
        if parts == 1 {
            one = Some(steps.clone());
        }
        let modelled = settings.iter().map(|&setting| modelled(setting, &steps, one.as_deref())).collect();
        let first = summary.get_or_insert_with(|| seen[0].summary.clone());
        let same = (algorithm != "pagerank").then(|| figures_agree(first, &seen[0].summary));
        rows.push(row(ordered, algorithm, &seen, &steps, modelled, same));
    }
    Ok(rows)
}

/// Returns true if two summaries are equal; decimals are sums, whose order differs.
fn figures_agree(one: &serde_json::Value, other: &serde_json::Value) -> bool {
    use serde_json::Value::{Number, Object};
    match (one, other) {
        (Object(one), Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| other.get(name).is_some_and(|o| figures_agree(value, o)))
        }
        (Number(one), Number(other)) if one.is_f64() || other.is_f64() => {
            let (one, other) = (one.as_f64().unwrap_or(f64::NAN), other.as_f64().unwrap_or(f64::NAN));
            (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
        }
        _ => one == other,
    }
}

/// Returns the meetings of all supersteps, with the spans of all members.
fn steps(seen: &[Seen]) -> Vec<Vec<Span>> {
    let meetings = seen[0].steps.iter().map(Vec::len).sum::<usize>();
    let flat: Vec<Vec<Span>> = seen.iter().map(|seen| seen.steps.concat()).collect();
    (0..meetings).map(|at| flat.iter().map(|spans| spans[at]).collect()).collect()
}

/// Runs all members; the first that fails ends the others.
fn run(
    ordered: &Ordered,
    algorithm: &str,
    cut: &Cut,
    members: &Members<'_>,
    control: &Control,
) -> Result<Vec<Seen>> {
    let question = Question { algorithm: algorithm.to_owned(), ..Question::default() };
    let turn = Turn::default();
    let seen = together(cut.parts(), members.threads, |member| {
        let mut member = Metered::new(member, &turn);
        let seen = ordered
            .part(cut, member.part())
            .and_then(|part| member_of(&question, &Arc::new(part), members, &mut member, control));
        seen.inspect_err(|error| member.fail(&error.to_string()))
    })?;
    seen.into_iter().collect()
}

/// Runs one member to its end.
fn member_of(
    question: &Question,
    part: &Arc<Part>,
    members: &Members<'_>,
    exchange: &mut Metered<'_, Local>,
    control: &Control,
) -> Result<Seen> {
    let mut run = (members.start)(question, part, exchange, control)?;
    exchange.barrier()?;
    let (before, mut steps) = (exchange.spans(), Vec::new());
    let halted = loop {
        let halted = run.step(exchange, control)?;
        steps.push(exchange.spans());
        if let Some(halted) = halted {
            break halted;
        }
    };
    let summary = run.answer(halted, exchange, control)?.summary;
    Ok(Seen { arcs: part.out().arcs() as u64, bytes: part.bytes(), before, steps, summary })
}

fn row(
    ordered: &Ordered,
    algorithm: &str,
    seen: &[Seen],
    steps: &[Vec<Span>],
    modelled: Vec<Modelled>,
    same: Option<bool>,
) -> Row {
    let parts = seen.len();
    let sent = |spans: &[Span]| spans.iter().map(|span| span.sent).sum::<u64>();
    let of_step = |at: usize| seen.iter().map(|seen| sent(&seen.steps[at])).sum::<u64>();
    let by_step: Vec<u64> = (0..seen[0].steps.len()).map(of_step).collect();
    let seconds = |seen: &Seen| seen.steps.iter().flatten().map(|span| span.seconds).sum::<f64>();
    let all: Vec<f64> = seen.iter().map(seconds).collect();
    let (mean, slowest) = (all.iter().sum::<f64>() / parts as f64, all.iter().copied().fold(0.0, f64::max));
    let arcs: u64 = seen.iter().map(|seen| seen.arcs).sum();
    let largest = seen.iter().map(|seen| seen.arcs).max().unwrap_or_default();
    Row {
        graph: ordered.graph.clone(),
        order: ordered.order.clone(),
        algorithm: algorithm.to_owned(),
        parts,
        vertices: ordered.original.vertices() as u64,
        arcs,
        supersteps: by_step.len() as u64,
        meetings: steps.len() as u64,
        bytes_before: seen.iter().map(|seen| sent(&seen.before)).sum(),
        bytes: by_step.iter().sum(),
        bytes_largest: by_step.iter().copied().max().unwrap_or_default(),
        imbalance_arcs: largest as f64 * parts as f64 / arcs.max(1) as f64,
        memory: seen.iter().map(|seen| seen.bytes).max().unwrap_or_default(),
        mean,
        slowest,
        waiting: waits(steps),
        imbalance_time: if mean > 0.0 { slowest / mean } else { 1.0 },
        modelled,
        same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::graph::generate::Spec;

    #[test]
    fn parts_send_bytes_that_one_part_does_not_and_answer_alike() {
        let control = Control::new();
        let original = "kron:9,w=1..9".parse::<Spec>().unwrap().generate(&control).unwrap();
        let ordered = Ordered { graph: "kron:9".into(), order: "natural".into(), original, inner: None };
        let settings = [Setting { bandwidth: 1e9, latency: 1e-5, faster: 1.0 }];
        let members = Members::on_processor(1, 1);
        for algorithm in ["bfs", "sssp", "wcc", "pagerank"] {
            let rows = rows(&ordered, algorithm, &[1, 2, 4], &members, &settings, &control).unwrap();
            assert_eq!(rows.iter().map(|row| row.parts).collect::<Vec<_>>(), [1, 2, 4]);
            assert_eq!((rows[0].bytes, rows[0].modelled[0].times), (0, Some(1.0)), "{algorithm}");
            for row in &rows[1..] {
                assert!(row.bytes >= row.bytes_largest && row.bytes_largest > 0, "{row:?}");
                assert!(row.slowest >= row.mean && row.waiting >= row.slowest, "{row:?}");
                assert!(row.imbalance_arcs >= 1.0 && row.memory < rows[0].memory, "{row:?}");
                assert!(row.modelled[0].seconds > row.waiting && row.modelled[0].times.is_some(), "{row:?}");
                assert!(row.same.is_none_or(|same| same), "{row:?}");
            }
        }
        assert!(rows(&ordered, "bc", &[1], &members, &settings, &control).is_err());
    }
}
