//! Programs in parts: values equal those of one machine, bit for bit; sums are near them.

use crate::{
    agree::{self, values},
    common::{Parted, Whole, cuts, dealt, engine, fixtures, on_each, sources},
};
use std::sync::Arc;
use warpgraph::{
    Answer, Graph, Halt, Order, ProgramAnswer, VertexProgram,
    graph::{Control, hash},
    program::{Combine, Dialect, Edge, Scalar, Seeds, Vertex, Ways, library},
};
use warpgraph_conformance::{cases::programs::Walks, fixtures};
use warpgraph_parts::{Exchange, drive, start_program};

/// Runs a program on members of this process.
fn in_parts<P: VertexProgram>(parted: &Parted, program: &Arc<P>) -> Whole {
    let found = agree::in_parts(parted, program);
    found.unwrap_or_else(|error| panic!("{}, {}: {error}", parted.name, P::NAME))
}

/// Runs on one machine, and in parts of every kind; `judge` compares.
fn each_cut<P: VertexProgram + Clone>(
    fixture: &'static fixtures::Fixture,
    program: P,
    judge: impl Fn(&Whole, &ProgramAnswer<P::Value>, &str),
) {
    let engine = engine();
    let loaded = engine.load(&fixture.graph, Order::Natural).unwrap();
    let Ok(one) = loaded.program(program.clone()).run() else {
        // Refused for this graph: negative weights, or directions.
        return;
    };
    let program = Arc::new(program);
    for parted in dealt(fixture) {
        let found = in_parts(&parted, &program);
        judge(&found, &one, &format!("{}, {}", parted.name, P::NAME));
    }
}

/// The values are the same bits, and so are the figures.
fn same<P: VertexProgram + Clone>(fixture: &'static fixtures::Fixture, program: P) {
    each_cut(fixture, program, |found, one, at| {
        let bits = |values: &[P::Value]| values.iter().map(|x| x.bits()).collect::<Vec<_>>();
        assert_eq!(bits(&values::<P>(found)), bits(one.values()), "{at}");
        assert_eq!(found.summary(), &one.summary(), "{at}");
    });
}

pub(crate) fn programs_of_the_library_equal_those_of_one_machine() {
    for fixture in fixtures() {
        let n = fixture.graph.vertices();
        for source in sources(&fixture.graph) {
            same(fixture, library::Hops::from(source));
            same(fixture, library::Hops { source, limit: 2 });
            same(fixture, library::ShortestPaths::<f64>::from(source));
            same(fixture, library::WidestPaths::<f64>::from(source));
            same(fixture, library::Reach::from([source, 0, n as u32 / 2], n));
        }
        same(fixture, library::Components {});
    }
}

/// Hops that end because far vertices do not wake their neighbours, and whose toll is paid on arrival.
#[derive(Clone)]
struct Tolls {
    source: u32,
    tolls: Vec<u32>,
    rounds: u64,
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
    fn active<D: Dialect>(&self, d: &D, old: D::Val<u32>, new: D::Val<u32>) -> D::Bool {
        d.ne(old, new) & d.lt(new, d.lit(60))
    }
    fn halt(&self) -> Halt {
        Halt::rounds(self.rounds)
    }
    fn columns(&self) -> Vec<(&'static str, &[u32])> {
        vec![("toll", &self.tolls)]
    }
}

/// With a limit of rounds too, since supersteps are strict.
pub(crate) fn programs_with_their_own_apply_equal_those_of_one_machine() {
    for fixture in fixtures() {
        let n = fixture.graph.vertices() as u64;
        let tolls: Vec<u32> = (0..n).map(|v| (hash::mix(3, v) % 20) as u32).collect();
        for source in sources(&fixture.graph) {
            for rounds in [1, 2, 1000] {
                same(fixture, Tolls { source, tolls: tolls.clone(), rounds });
            }
        }
    }
}

pub(crate) fn sums_are_near_those_of_one_machine() {
    for fixture in fixtures() {
        let graph = &fixture.graph;
        for length in 1..=3 {
            // Whole numbers: the same bits.
            each_cut(fixture, Walks { length }, |found, one, at| {
                assert_eq!(values::<Walks>(found), one.values(), "{at}");
            });
        }
        let halt = Halt::l1(1e-9).or(Halt::rounds(1000));
        each_cut(fixture, library::Ranks::<f64>::of(graph, 0.85, halt), |found, one, at| {
            let off: f64 = values::<library::Ranks<f64>>(found)
                .iter()
                .zip(one.values())
                .map(|(a, b)| (a - b).abs())
                .sum();
            // Each is within 1e-9 / (1 - 0.85) of the fixed point.
            assert!(off <= 2e-9 / 0.15, "{at}: {off:e}");
            assert!(found.summary()["residual"].as_f64().unwrap() <= 1e-9, "{at}");
        });
        each_cut(fixture, adsorption(graph), |found, one, at| {
            let off: f64 = values::<library::Adsorption>(found)
                .iter()
                .zip(one.values())
                .map(|(a, b)| (a - b).abs())
                .sum();
            assert!(off <= 2e-9 / 0.5, "{at}: {off:e}");
        });
    }
}

/// Half of what arrives is passed on, in equal parts to all, so that the sum of changes halves in each superstep.
fn adsorption(graph: &Graph) -> library::Adsorption {
    let n = graph.vertices();
    let mut arriving = vec![0.0; n];
    graph.out().csr.targets().iter().for_each(|&v| arriving[v as usize] += 1.0);
    let most = (0..n).map(|v| graph.degree(v as u32)).max().unwrap_or(1).max(1) as f64;
    library::Adsorption {
        inject: (0..n as u64).map(|v| (hash::mix(5, v) % 10) as f64).collect(),
        pass: (0..n).map(|v| 0.5 / (arriving[v] as f64).max(most)).collect(),
        weighted: false,
        halt: Halt::l1(1e-9).or(Halt::rounds(1000)),
    }
}

/// The largest of what is known about both ends of an arc, in one superstep.
#[derive(Clone)]
struct Nosy {
    column: Vec<u32>,
}

impl VertexProgram for Nosy {
    type Value = u32;
    type Weight = ();
    type Column = [u32; 1];
    const NAME: &'static str = "nosy";
    const COMBINE: Combine = Combine::Max;
    fn init<D: Dialect>(&self, d: &D, _: Vertex<D, [u32; 1]>) -> D::Val<u32> {
        d.lit(0)
    }
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<u32> {
        let ([here], [there]) = (e.source.columns, e.target.columns);
        here + there + e.target.degree * d.lit(100) + e.target.id * d.lit(7) + e.source.id
    }
    fn active<D: Dialect>(&self, d: &D, _: D::Val<u32>, _: D::Val<u32>) -> D::Bool {
        d.eq(d.lit(0u32), d.lit(1u32))
    }
    fn columns(&self) -> Vec<(&'static str, &[u32])> {
        vec![("column", &self.column)]
    }
}

pub(crate) fn messages_may_read_all_about_their_target() {
    for fixture in fixtures() {
        let graph = &fixture.graph;
        let column: Vec<u32> =
            (0..graph.vertices() as u64).map(|v| (hash::mix(9, v) % 1000) as u32).collect();
        let mut wanted = vec![0u32; graph.vertices()];
        for u in 0..graph.vertices() as u32 {
            for &v in graph.out().csr.neighbors(u) {
                let columns = column[u as usize] + column[v as usize];
                let all = columns + graph.degree(v) as u32 * 100 + v * 7 + u;
                wanted[v as usize] = wanted[v as usize].max(all);
            }
        }
        let program = Arc::new(Nosy { column });
        for parted in cuts(fixture) {
            assert_eq!(in_parts(&parted, &program).u32s("value"), wanted, "{}", parted.name);
        }
    }
}

/// At most 4 bytes beside the value for every (sender, vertex) and superstep, and a few per pair of parts.
pub(crate) fn a_value_travels_once_per_sender_and_vertex() {
    let fixture = fixtures::named("random 4097, directed");
    for parted in cuts(fixture) {
        let program = Arc::new(library::Hops::from(0));
        let sent = on_each(&parted.parts, |part, mut member| {
            let run = start_program(&program, part, Ways::Out, &mut member, &Control::new()).unwrap();
            let before = member.traffic().0;
            let answer = drive(run, &mut member, &Control::new(), &mut |_, _| Ok(())).unwrap();
            (member.traffic().0 - before, answer.report.supersteps)
        });
        for (part, (sent, supersteps)) in parted.parts.iter().zip(sent) {
            let own = part.own();
            let mut ghosts: Vec<u32> = part.out().targets().to_vec();
            ghosts.retain(|&place| !own.contains(&(place as usize)));
            ghosts.sort_unstable();
            ghosts.dedup();
            // A search improves every vertex once, and a ghost may be sent again if a better value is found later: never
            // here, since levels follow each other.
            let most = 8 * ghosts.len() as u64 + 8 * (parted.parts.len() as u64 - 1) * supersteps;
            assert!(sent <= most, "{}: {sent} of {most}", parted.name);
        }
    }
}
