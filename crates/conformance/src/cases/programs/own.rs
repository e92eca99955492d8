//! Programs as a user would write them, with an `apply`, an `active` or columns of their own.

use super::{arcs, ask, each_plan, plans};
use crate::oracle;
use crate::{
    Backend,
    cases::assert_same,
    fixtures::{Edges, Fixture, random},
};
use warpgraph::{
    Answer, Device, Halt, Halted, Order, Plan, VertexProgram,
    graph::hash,
    program::{Combine, Dialect, Edge, Seeds, Vertex},
};

/// Hops that end because far vertices do not wake their neighbours.
#[derive(Clone)]
struct Whisper {
    source: u32,
    until: u32,
}

impl VertexProgram for Whisper {
    type Value = u32;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "whisper";
    const COMBINE: Combine = Combine::Min;
    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<u32> {
        d.select(d.eq(v.id, d.param("source", self.source)), d.lit(0), d.lit(u32::MAX))
    }
    fn seeds(&self) -> Seeds {
        Seeds::one(self.source)
    }
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<u32> {
        e.value + d.lit(1)
    }
    fn active<D: Dialect>(&self, d: &D, old: D::Val<u32>, new: D::Val<u32>) -> D::Bool {
        d.ne(old, new) & d.lt(new, d.param("until", self.until))
    }
}

/// The least sum of tolls on the way, the toll of a vertex paid on arrival.
#[derive(Clone)]
struct Tolls {
    source: u32,
    tolls: Vec<u32>,
}

impl VertexProgram for Tolls {
    type Value = u32;
    type Weight = ();
    type Column = [u32; 1];
    const NAME: &'static str = "tolls";
    const COMBINE: Combine = Combine::Min;
    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, [u32; 1]>) -> D::Val<u32> {
        d.select(d.eq(v.id, d.param("source", self.source)), d.lit(0), d.lit(u32::MAX))
    }
    fn seeds(&self) -> Seeds {
        Seeds::one(self.source)
    }
    fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<u32> {
        e.value
    }
    fn apply<D: Dialect>(
        &self,
        d: &D,
        v: Vertex<D, [u32; 1]>,
        old: D::Val<u32>,
        arrived: D::Val<u32>,
    ) -> D::Val<u32> {
        let [toll] = v.columns;
        d.min(old, arrived + toll)
    }
    fn columns(&self) -> Vec<(&'static str, &[u32])> {
        vec![("toll", &self.tolls)]
    }
}

/// An `active` and an `apply` of one's own, against a search with a depth limit and a serial loop.
pub(super) fn own_apply_and_active_are_followed(backend: &Backend) {
    for fixture in backend.fixtures() {
        let graph = &fixture.graph;
        for source in backend.sources(fixture) {
            let expected = oracle::bfs(graph, source, Some(3));
            let coded: Vec<u32> = expected.iter().map(|d| d.unwrap_or(u32::MAX)).collect();
            let whisper = Whisper { source, until: 3 };
            each_plan(backend, fixture, &whisper, |answer, at| assert_same(answer.values(), &coded, &at));
            let tolls: Vec<u32> =
                (0..graph.vertices() as u64).map(|v| (hash::mix(3, v) % 20) as u32).collect();
            let mut paid = vec![u32::MAX; graph.vertices()];
            paid[source as usize] = 0;
            for _ in 0..graph.vertices() {
                let before = paid.clone();
                for (u, v, _) in arcs(graph).into_iter().filter(|(u, _, _)| before[*u as usize] != u32::MAX) {
                    paid[v as usize] = paid[v as usize].min(before[u as usize] + tolls[v as usize]);
                }
                if paid == before {
                    break;
                }
            }
            let program = Tolls { source, tolls };
            each_plan(backend, fixture, &program, |answer, at| assert_same(answer.values(), &paid, &at));
        }
    }
}

/// How many ways of a number of arcs end at every vertex, times how heavy they are: a sum that keeps nothing of the old value.
#[derive(Debug, Clone)]
pub struct Walks {
    /// The number of arcs.
    pub length: u64,
}

impl VertexProgram for Walks {
    type Value = u64;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "walks";
    const COMBINE: Combine = Combine::Sum;
    fn init<D: Dialect>(&self, d: &D, _: Vertex<D, ()>) -> D::Val<u64> {
        d.lit(1)
    }
    fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<u64> {
        e.value
    }
    fn apply<D: Dialect>(
        &self,
        _: &D,
        _: Vertex<D, ()>,
        _: D::Val<u64>,
        arrived: D::Val<u64>,
    ) -> D::Val<u64> {
        arrived
    }
    fn halt(&self) -> Halt {
        Halt::rounds(self.length)
    }
}

/// A sum that does not distribute makes exactly the supersteps it asks for.
pub(super) fn supersteps_of_a_sum_are_counted(backend: &Backend) {
    for fixture in backend.fixtures() {
        let mut walks = vec![1u64; fixture.graph.vertices()];
        for length in 1..=4 {
            let mut next = vec![0u64; walks.len()];
            for (u, v, _) in arcs(&fixture.graph) {
                next[v as usize] = next[v as usize].wrapping_add(walks[u as usize]);
            }
            let still = next == walks;
            walks = next;
            each_plan(backend, fixture, &Walks { length }, |answer, at| {
                assert_same(answer.values(), &walks, &at);
                assert!(answer.run().rounds <= length, "{at}: {:?}", answer.run());
            });
            if still {
                break;
            }
        }
    }
}

/// How many ways lead to every vertex of an acyclic graph: whole numbers, which end without a rule.
#[derive(Clone)]
struct Ways {
    source: u32,
}

impl VertexProgram for Ways {
    type Value = u64;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "ways";
    const COMBINE: Combine = Combine::Sum;
    const DISTRIBUTES: bool = true;
    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<u64> {
        d.select(d.eq(v.id, d.param("source", self.source)), d.lit(1), d.lit(0))
    }
    fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<u64> {
        e.value
    }
}

/// Changes cross every arc once: counts of ways come out exactly, and a graph with a cycle is told to be endless.
pub(super) fn whole_sums_are_exact(backend: &Backend) {
    let forwards = |(a, b): (u32, u32)| if a < b { Some((a, b)) } else { None };
    let draw = |i: u64, below: u64| (hash::mix(11, i) % below) as u32;
    for (n, m) in [(12, 30), (300, 900), (3000, 4000)] {
        let pairs = (0..m).filter_map(|i| forwards((draw(2 * i, n), draw(2 * i + 1, n))));
        let graph = Edges::new(n as usize, pairs).build(true);
        let mut ways = vec![0u64; n as usize];
        ways[0] = 1;
        for (u, v, _) in arcs(&graph) {
            ways[v as usize] = ways[v as usize].wrapping_add(ways[u as usize]);
        }
        let fixture = Fixture::new(format!("acyclic {n}"), graph);
        each_plan(backend, &fixture, &Ways { source: 0 }, |answer, at| {
            assert_same(answer.values(), &ways, &at);
            assert_eq!(answer.run().halt, Halted::Converged, "{at}");
        });
    }
    let ring = Fixture::new("ring", Edges::new(3, [(0, 1), (1, 2), (2, 0)]).build(true));
    for plan in plans(backend, &ring, &Ways { source: 0 }) {
        let error =
            ask(backend, &ring.graph, Ways { source: 0 }, plan).expect_err("it never ends").to_string();
        assert!(error.starts_with("ways: it comes no nearer to its end"), "{error}");
    }
}

/// The same bits run after run, also for sums, on any number of threads.
pub(super) fn deterministic_sums_give_the_same_bits(backend: &Backend) {
    let graph = random(3000, 20_000, 4).build(true);
    let program = warpgraph::program::library::Ranks::<f64>::of(&graph, 0.85, Halt::l1(1e-9));
    let bits = |backend: &dyn Fn() -> warpgraph::Loaded| -> Vec<u64> {
        let answer = backend().program(program.clone()).deterministic(true).run().expect("ranks");
        answer.verify(&graph).expect("right ranks");
        answer.values().iter().map(|x| x.to_bits()).collect()
    };
    let load = || backend.engine().load(&graph, Order::Natural).expect("a small graph");
    let alone = || Backend::cpu(1).engine().load(&graph, Order::Natural).expect("a small graph");
    let first = bits(&load);
    assert!(first == bits(&load), "{}", backend.name());
    // Another engine adds up in another order.
    assert!(backend.engine().device() != Device::Cpu || first == bits(&alone), "{}", backend.name());
    let pushed =
        load().program(program.clone()).deterministic(true).plan("push".parse().expect("a plan")).run();
    let device = backend.engine().device();
    let expected = format!(
        "ranks on {device} cannot run with `push`: pushed sums are added up in any order, and the same bits were asked for"
    );
    assert_eq!(pushed.expect_err("refused").to_string(), expected);
    let limited = ask(backend, &graph, Walks { length: 2 }, Plan::AUTO).expect("walks");
    assert_eq!((limited.run().halt, limited.run().rounds), (Halted::MaxIterations, 2));
}
