//! What `bsp+push` counts, by a serial reference, for the processor: there the algorithms have forms of their own, and none of
//! them pushes every message of a superstep. Also what sums count that send large changes first, as `paths` does.
//!
//! - `Min`, `Max` and `Or`: every vertex that changed in a superstep sends the value it then has along its arcs.
//! - A `Sum` that distributes: every vertex that was told something sends that change. The changes that are still to be sent are
//!   the residual; it is below the tolerance in the end.
//! - The same with large changes first ([`Sending`]): a vertex sends a change that is above a threshold. If there is none, the
//!   threshold falls to half of it, or of the largest change if that is less. Vertices without arcs have nothing to send.
//!
//! A message is an edge that was crossed, and one that changes a value an update, as the kernels of a GPU count them. So are
//! bytes: per message its target, its weight and the value at its end. Values of one superstep are not seen before the next
//! one; on a GPU some are, so counts there are a little smaller.
//!
//! Work: one message at a time. Memory: two values and a number per vertex.

use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Instant;
use warpgraph::{
    Answer, Direction, Error, Graph, Halted, Options, Plan, Result, Run, Work, adsorption,
    graph::{Control, Csr, Offset, Vertex, with_view},
    pagerank,
    program::{Combine, Prepared, Ran, Runs, Scalar, Sight, VertexProgram, Watch, Ways, Weight},
    sssp, wcc,
};
use warpgraph_core::Recorder;

/// Which changes a sum sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sending {
    /// All that arrived in the superstep before.
    Every,
    /// Those above a threshold that arrived in supersteps before.
    LargeFirst,
    /// Those above a threshold, vertex after vertex, as soon as they have arrived.
    InPlace,
}

/// Returns the report of a run of an algorithm with this configuration.
///
/// # Errors
/// For an algorithm that is no program, a configuration that cannot be read, and what stops a run.
pub(super) fn count(
    (algorithm, config): (&str, &Value),
    sending: Sending,
    graph: &Graph,
    control: &Control,
) -> Result<Run> {
    let options = Options { control: control.clone(), trace: true, ..Options::default() };
    let engine = Supersteps { graph, sending };
    Ok(match algorithm {
        "pagerank" => pagerank::by_program(&engine, &read(algorithm, config)?, &options)?.run().clone(),
        "adsorption" => adsorption::by_program(&engine, &read(algorithm, config)?, &options)?.run().clone(),
        "sssp" => sssp::by_program(&engine, &read(algorithm, config)?, &options)?.run().clone(),
        "wcc" => wcc::by_program(&engine, &options)?.run().clone(),
        _ => {
            let what = format!("the work of {algorithm} cannot be counted");
            return Err(Error::Refused { what, help: "leave it out".to_owned() });
        }
    })
}

fn read<C: DeserializeOwned>(algorithm: &str, config: &Value) -> Result<C> {
    let wrong = |error: serde_json::Error| Error::Refused {
        what: format!("the configuration of {algorithm}: {error}"),
        help: "`warpgraph run --help` has its fields".to_owned(),
    };
    serde_json::from_value(config.clone()).map_err(wrong)
}

/// A graph, and the engine that counts.
struct Supersteps<'g> {
    graph: &'g Graph,
    sending: Sending,
}

impl Runs for Supersteps<'_> {
    fn graph(&self) -> &Graph {
        self.graph
    }

    fn label(&self) -> String {
        "the reference".to_owned()
    }

    fn run<P: VertexProgram>(
        &self,
        prepared: &Prepared<'_, P>,
        options: &Options,
        ways: Ways,
    ) -> Result<Ran<P::Value>> {
        let out = self.graph.out();
        let is_both = ways == Ways::Both && self.graph.is_directed();
        let incoming = if is_both { self.graph.incoming()? } else { out };
        let (weights, in_weights) = (prepared.weights(out)?, prepared.weights(incoming)?);
        with_view!(out.csr, |view| {
            let mut sides = vec![(&out.csr, Sight::new(prepared, view, &weights))];
            if is_both {
                sides.push((&incoming.csr, Sight::new(prepared, view, &in_weights)));
            }
            let recorder = Recorder::start(options, Instant::now());
            let (work, sending) = (Work::default(), self.sending);
            Steps { prepared, options, sides, sending, recorder, work }.run(weights.len() > 1)
        })
    }
}

/// A run.
struct Steps<'a, P: VertexProgram, O> {
    prepared: &'a Prepared<'a, P>,
    options: &'a Options,
    /// The arcs of each direction that messages go along, and the graph as the program sees it with their weights.
    sides: Vec<(&'a Csr, Sight<'a, P, O>)>,
    sending: Sending,
    recorder: Recorder,
    work: Work,
}

impl<P: VertexProgram, O: Offset> Steps<'_, P, O> {
    fn run(mut self, reads_weights: bool) -> Result<Ran<P::Value>> {
        let (values, residual, halted) = match P::COMBINE {
            Combine::Sum => self.sum()?,
            _ => self.improve()?,
        };
        let weight = if reads_weights { size_of::<<P::Weight as Weight>::Scalar>() } else { 0 };
        self.work.bytes = self.work.edges * (4 + weight + size_of::<P::Value>()) as u64;
        self.recorder.work(self.work);
        let run = self.recorder.finish(Plan::bsp(Some(Direction::Push)), halted, 0);
        Ok(Ran { values: values.into(), residual, run })
    }

    fn first_values(&self) -> Vec<P::Value> {
        let (csr, sight) = &self.sides[0];
        (0..csr.vertices() as Vertex).map(|v| sight.init(v)).collect()
    }

    /// Sends a value along all arcs of a vertex. `deliver` returns true if a message changed what it met.
    fn send(&mut self, u: Vertex, value: P::Value, mut deliver: impl FnMut(Vertex, P::Value) -> bool) {
        for (csr, sight) in &self.sides {
            for (&v, arc) in csr.neighbors(u).iter().zip(csr.arcs_of(u)) {
                // SAFETY: `arc` leads from u to v among the arcs of `csr`, and `sight` has their weights.
                let message = unsafe { sight.message(u, v, arc, value) };
                self.work.edges += 1;
                self.work.updates += u64::from(deliver(v, message));
            }
        }
    }

    /// Ends a superstep that began with so many vertices, after so many messages.
    fn step(&mut self, frontier: usize, before: u64, rest: Option<f64>) -> Result<()> {
        let Work { updates, edges, .. } = self.work;
        self.recorder.step_by(frontier, Some(edges - before), Direction::Push, None, || match rest {
            Some(rest) => format!("{updates} updates so far, {rest:.3e} to be told"),
            None => format!("{updates} updates so far"),
        });
        Ok(self.options.control.check("counting")?)
    }

    fn improve(&mut self) -> Result<(Vec<P::Value>, Option<f64>, Halted)> {
        let mut values = self.first_values();
        let all = || (0..values.len() as Vertex).collect();
        let mut frontier = Frontier::new(values.len(), self.prepared.seeds.clone().unwrap_or_else(all));
        loop {
            let spoken: Vec<_> = frontier.take().into_iter().map(|v| (v, values[v as usize])).collect();
            if spoken.is_empty() {
                return Ok((values, None, Halted::Converged));
            }
            let before = self.work.edges;
            for &(u, value) in &spoken {
                self.send(u, value, |v, message| {
                    let old = &mut values[v as usize];
                    let is_better = P::COMBINE.improves(*old, message);
                    if is_better {
                        *old = P::COMBINE.join(*old, message);
                        frontier.add(v);
                    }
                    is_better
                });
            }
            self.step(spoken.len(), before, None)?;
        }
    }

    fn sum(&mut self) -> Result<(Vec<P::Value>, Option<f64>, Halted)> {
        let (mut pending, halt) = (self.first_values(), self.prepared.program.halt());
        let mut values = vec![P::Value::ZERO; pending.len()];
        let mut watch = Watch::new(P::NAME, halt);
        let mut threshold =
            if self.sending == Sending::Every { 0.0 } else { sizes(&pending).fold(0.0, f64::max) / 2.0 };
        loop {
            let before = self.work.edges;
            let senders = self.superstep(&mut pending, &mut values, threshold);
            let rest: f64 = sizes(&pending).sum();
            self.step(senders, before, Some(rest))?;
            watch.see(self.recorder.rounds(), rest)?;
            let halted = match halt.tolerance() {
                Some(tolerance) if rest < tolerance => Halted::Tolerance,
                _ if rest == 0.0 => Halted::Converged,
                _ if halt.limit().is_some_and(|limit| self.recorder.rounds() >= limit) => {
                    Halted::MaxIterations
                }
                _ => {
                    if senders == 0 {
                        threshold = sizes(&pending).fold(0.0, f64::max).min(threshold) / 2.0;
                    }
                    continue;
                }
            };
            return Ok((values, Some(rest), halted));
        }
    }

    /// Sends all changes that are due, and adds them to the values of their vertices. Returns how many there were.
    fn superstep(&mut self, pending: &mut Vec<P::Value>, values: &mut [P::Value], threshold: f64) -> usize {
        let (is_in_place, none) = (self.sending == Sending::InPlace, vec![P::Value::ZERO; pending.len()]);
        // What arrives in this superstep is for the next one.
        let mut arrived = if is_in_place { Vec::new() } else { std::mem::replace(pending, none) };
        let mut senders = 0;
        for (u, value) in (0..).zip(values) {
            let changes = if is_in_place { &mut *pending } else { &mut arrived };
            let change = std::mem::replace(&mut changes[u as usize], P::Value::ZERO);
            if !self.is_due(u, change, threshold) {
                pending[u as usize] = pending[u as usize].plus(change);
                continue;
            }
            (senders, *value) = (senders + 1, value.plus(change));
            self.send(u, change, |v, message| {
                pending[v as usize] = pending[v as usize].plus(message);
                P::COMBINE.improves(message, message)
            });
        }
        senders
    }

    /// Returns true if a vertex sends its change now. At first all vertices send, as on a GPU.
    fn is_due(&self, u: Vertex, change: P::Value, threshold: f64) -> bool {
        let is_change = change != P::Value::ZERO;
        match self.sending {
            Sending::Every => is_change || self.recorder.rounds() == 0,
            _ => change.to_f64().abs() > threshold || is_change && self.sides[0].0.degree(u) == 0,
        }
    }
}

fn sizes<T: Scalar>(changes: &[T]) -> impl Iterator<Item = f64> {
    changes.iter().map(|change| change.to_f64().abs())
}

/// The vertices of the next superstep, each once.
struct Frontier {
    next: Vec<Vertex>,
    is_in: Vec<bool>,
}

impl Frontier {
    fn new(vertices: usize, first: Vec<Vertex>) -> Self {
        let mut frontier = Self { next: Vec::new(), is_in: vec![false; vertices] };
        first.into_iter().for_each(|v| frontier.add(v));
        frontier
    }

    fn add(&mut self, v: Vertex) {
        if !std::mem::replace(&mut self.is_in[v as usize], true) {
            self.next.push(v);
        }
    }

    fn take(&mut self) -> Vec<Vertex> {
        self.next.iter().for_each(|&v| self.is_in[v as usize] = false);
        std::mem::take(&mut self.next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use warpgraph::{Device, Order, graph::generate::Spec};

    fn generated(spec: &str) -> Graph {
        spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
    }

    fn config(algorithm: &str) -> Value {
        match algorithm {
            "pagerank" | "adsorption" => json!({ "max_iterations": 1000 }),
            _ => json!({}),
        }
    }

    #[test]
    fn its_answers_are_right_and_its_counts_those_of_a_chain() {
        for spec in ["kron:6,w=1..9", "kron:6,directed,w=1..9", "grid:5x7,w=1..9"] {
            let (graph, options) = (generated(spec), Options::default());
            let engine = Supersteps { graph: &graph, sending: Sending::Every };
            wcc::by_program(&engine, &options).unwrap().verify(&graph).unwrap();
            let answer = sssp::by_program(&engine, &Default::default(), &options).unwrap();
            answer.verify(&graph).unwrap();
            for sending in [Sending::Every, Sending::LargeFirst, Sending::InPlace] {
                let engine = Supersteps { graph: &graph, sending };
                let config = pagerank::PageRank { max_iterations: 10_000, ..Default::default() };
                pagerank::by_program(&engine, &config, &options).unwrap().verify(&graph).unwrap();
                let config = adsorption::Adsorption { max_iterations: 10_000, ..Default::default() };
                adsorption::by_program(&engine, &config, &options).unwrap().verify(&graph).unwrap();
            }
        }
        // A chain 0 - 1 - 2: from 0, each vertex sends once, along 4 arcs in all; 2 messages lower a distance.
        let chain = Graph::from_edges(3, &[(0, 1), (1, 2)], false).unwrap();
        let run = count(("sssp", &json!({ "source": 0 })), Sending::Every, &chain, &Control::new()).unwrap();
        let work = Work { updates: 2, merges: 0, edges: 4, bytes: 4 * (4 + 4) };
        assert_eq!((run.work, run.rounds, run.trace.len()), (Some(work), 3, 3));
        assert_eq!(run.trace[2].note, "2 updates so far");
        assert!(count(("mst", &json!({})), Sending::Every, &chain, &Control::new()).is_err());
    }

    #[test]
    fn large_changes_first_take_fewer_messages_and_in_place_fewer_still() {
        let graph = generated("powerlaw:2000,alpha=2.1");
        let config = json!({ "max_iterations": 100_000 });
        let updates = [Sending::Every, Sending::LargeFirst, Sending::InPlace].map(|sending| {
            let run = count(("pagerank", &config), sending, &graph, &Control::new()).unwrap();
            assert_eq!(run.halt, Halted::Tolerance, "{sending:?}");
            run.work.unwrap().updates
        });
        assert!(updates[0] > updates[1] && updates[1] > updates[2], "{updates:?}");
    }

    #[test]
    #[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "no simulator here")]
    fn sums_count_as_on_a_gpu_and_values_that_improve_nearly_so() {
        let simulator = crate::gpu_limits::tests::simulator();
        assert_eq!(simulator.device(), Device::Simt);
        for spec in ["kron:6,w=1..9", "uniform:6,degree=4,directed,w=1..9"] {
            let graph = generated(spec);
            let loaded = simulator.load(&graph, Order::Natural).unwrap();
            for algorithm in ["pagerank", "adsorption", "sssp", "wcc"] {
                let question = warpgraph::find(algorithm).unwrap().question(config(algorithm)).unwrap();
                let options =
                    Options { plan: "push".parse().unwrap(), count_work: true, ..Options::default() };
                let (answer, _) = loaded.ask(&*question, &options).unwrap();
                let (there, rounds) = (answer.run().work.unwrap(), answer.run().rounds);
                let run =
                    count((algorithm, &question.config()), Sending::Every, &graph, &Control::new()).unwrap();
                let here = run.work.unwrap();
                let on = format!("{algorithm} on {spec}: {here:?}, {there:?}");
                match algorithm {
                    "pagerank" | "adsorption" => assert_eq!((here, run.rounds), (there, rounds), "{on}"),
                    _ => {
                        assert_eq!(here.bytes / here.edges, there.bytes / there.edges, "{on}");
                        for [here, there] in [[here.updates, there.updates], [here.edges, there.edges]] {
                            assert!(2 * here >= there && here <= 2 * there, "{on}");
                        }
                    }
                }
            }
        }
    }
}
