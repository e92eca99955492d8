//! Verifies labels:
//!
//! 1. every label is a vertex, in the same weakly connected component as the vertices it labels (by union-find);
//! 2. no more rounds were made than allowed;
//! 3. if the run ended because nothing changed, every label is the one that its vertex would take next;
//! 4. the labels are those of the definition, computed again from the start by sorting the labels around each vertex,
//!    which shares nothing with the counting of the engines. Nothing less identifies the right answer: many labellings
//!    are fixed points, and a run that stopped at its limit is not one. On graphs too large for that (rounds x arcs over
//!    2^32), only rules 1 to 3 are checked.

use super::LabelPropagationAnswer;
use crate::{Answer, Halted, Violation, verify::first};
use warpgraph_graph::{Arcs, Graph, Vertex, par};

const VERTEX: &str = "a label is a vertex that hangs together with those it labels";
const ROUNDS: &str = "no more rounds than allowed";
const FIXED: &str = "every vertex has the label it would take";
const DEFINED: &str = "the labels are those of the definition";
/// The largest rounds x arcs for which rule 4 is checked.
const LIMIT: u128 = 1 << 32;

pub(super) fn verify(answer: &LabelPropagationAnswer, graph: &Graph) -> Result<(), Violation> {
    let labels = answer.labels();
    if labels.len() != graph.vertices() {
        let what = format!("{} for {} vertices", labels.len(), graph.vertices());
        return Err(Violation::new("one value per vertex", what));
    }
    hang_together(labels, graph)?;
    let (rounds, allowed) = (answer.run().rounds, answer.config.max_iterations);
    if rounds > allowed {
        return Err(Violation::new(ROUNDS, format!("{rounds} were made, {allowed} are allowed")));
    }
    let incoming =
        graph.incoming().map_err(|e| Violation::new("the arcs can be turned round", e.to_string()))?;
    let step = Step { graph, incoming, weighted: answer.config.weighted };
    let is_converged = answer.run().halt == Halted::Converged;
    if is_converged {
        differ(FIXED, labels, &step.after(labels), graph)?;
    }
    if u128::from(rounds) * graph.arcs() as u128 > LIMIT {
        return Ok(());
    }
    match step.run(allowed, rounds) {
        Some(expected) => differ(DEFINED, labels, &expected, graph),
        None => Err(Violation::new(DEFINED, format!("they do not settle within the {rounds} rounds made"))),
    }
}

fn hang_together(labels: &[Vertex], graph: &Graph) -> Result<(), Violation> {
    let mut above: Vec<Vertex> = (0..labels.len() as Vertex).collect();
    for u in 0..labels.len() as Vertex {
        for &v in graph.out().csr.neighbors(u) {
            let (a, b) = (find(&mut above, u), find(&mut above, v));
            above[a.max(b) as usize] = a.min(b);
        }
    }
    for (v, &label) in labels.iter().enumerate() {
        let is_vertex = (label as usize) < labels.len();
        if !is_vertex || find(&mut above, label) != find(&mut above, v as Vertex) {
            let what = format!("vertex {} has label number {label}", graph.ids().id(v as Vertex));
            return Err(Violation::new(VERTEX, what));
        }
    }
    Ok(())
}

fn find(above: &mut [Vertex], mut v: Vertex) -> Vertex {
    while above[v as usize] != v {
        above[v as usize] = above[above[v as usize] as usize];
        v = above[v as usize];
    }
    v
}

fn differ(rule: &'static str, got: &[Vertex], expected: &[Vertex], graph: &Graph) -> Result<(), Violation> {
    first(got.len(), |v| {
        let (got, expected) = (got[v as usize], expected[v as usize]);
        let ids = graph.ids();
        (got != expected).then(|| {
            Violation::new(
                rule,
                format!("vertex {} has {}, not {}", ids.id(v), ids.id(got), ids.id(expected)),
            )
        })
    })
}

/// One round of the definition.
struct Step<'a> {
    graph: &'a Graph,
    incoming: &'a Arcs,
    weighted: bool,
}

impl Step<'_> {
    /// Returns the labels after `allowed` rounds, if `made` rounds are enough to know them: all were made, or the last
    /// one brought back the labels of one or two rounds before.
    fn run(&self, allowed: u64, made: u64) -> Option<Vec<Vertex>> {
        let mut labels: Vec<Vertex> = (0..self.graph.vertices() as Vertex).collect();
        let mut before = labels.clone();
        for round in 1..=made {
            let next = self.after(&labels);
            let left = allowed - round;
            if left == 0 || next == labels {
                return Some(next);
            }
            if next == before && round > 1 {
                return Some(if left.is_multiple_of(2) { next } else { labels });
            }
            before = std::mem::replace(&mut labels, next);
        }
        None
    }

    fn after(&self, labels: &[Vertex]) -> Vec<Vertex> {
        par::map(labels.len(), |v| self.label(v as Vertex, labels))
    }

    fn label(&self, v: Vertex, labels: &[Vertex]) -> Vertex {
        let around = |arcs: &Arcs, all: &mut Vec<(Vertex, f64)>| {
            let weight = |i| if self.weighted { arcs.weights.get(i) } else { 1.0 };
            all.extend(arcs.csr.arcs_of(v).map(|i| (labels[arcs.csr.targets()[i] as usize], weight(i))));
        };
        let mut all = Vec::new();
        around(self.graph.out(), &mut all);
        if self.graph.is_directed() {
            around(self.incoming, &mut all);
        }
        all.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let sums =
            all.chunk_by(|a, b| a.0 == b.0).map(|same| (same[0].0, same.iter().map(|x| x.1).sum::<f64>()));
        // In ascending order of labels, so that only a larger sum replaces the label found so far.
        let best = sums.fold(None, |best: Option<(Vertex, f64)>, next| match best {
            Some(held) if held.1 >= next.1 => Some(held),
            _ => Some(next),
        });
        best.map_or(labels[v as usize], |(label, _)| label)
    }
}
