//! Graphs with copies and holes give the answers of the graphs in which the copies are merged, and chunks change none.

use crate::{Options, program};
use std::sync::Arc;
use warpgraph_core::{
    Answer, Chunks, Direction, Halt, Plan,
    program::{
        Combine, Dialect, Edge, Float, ProgramAnswer, Scalar, Seeds, Vertex as Seen, VertexProgram,
        library::{Adsorption, Components, HopTree, Hops, Ranks, Reach, ShortestPaths, WidestPaths},
    },
};
use warpgraph_graph::{
    Graph, NO_VERTEX, NodeMap, Vertex,
    build::{self, EdgeWeights, FromEdges, Loops, Parallel},
    hash,
};

const GRAPHS: u64 = 200;

/// Numbers that a seed draws.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = hash::mix(self.0, 1);
        (self.0 % bound as u64) as usize
    }
}

/// A graph, and the same one with copies and holes.
pub(crate) struct Sample {
    pub(crate) merged: Graph,
    pub(crate) copied: Graph,
    pub(crate) map: NodeMap,
    chunks: Arc<Chunks>,
    pub(crate) seed: u64,
}

impl Sample {
    fn random(seed: u64, directed: bool) -> Self {
        let mut random = Random(hash::mix(seed, 3));
        let n = 2 + random.below(if seed.is_multiple_of(10) { 400 } else { 50 });
        let m = random.below(5 * n + 1);
        let pairs = (0..m).map(|_| [random.below(n) as Vertex, random.below(n) as Vertex]).collect();
        let merged = built(n, pairs, (0..m).map(|_| 1 + random.below(90) as u32).collect(), directed);
        Self::of(merged, seed, &mut random)
    }

    /// Shares the arcs of every vertex among the vertex and random copies of it.
    pub(crate) fn of(merged: Graph, seed: u64, random: &mut Random) -> Self {
        let n = merged.vertices();
        let spare = 1 + random.below(n);
        // Original of every inner vertex: masters, copies and holes in random order.
        let mut originals: Vec<Vertex> = (0..n as Vertex).collect();
        let copy =
            |random: &mut Random| if random.below(4) == 0 { NO_VERTEX } else { random.below(n) as Vertex };
        originals.extend((0..spare).map(|_| copy(random)));
        (1..originals.len()).for_each(|i| originals.swap(i, random.below(i + 1)));
        let mut places = vec![Vec::new(); n];
        for (inner, &original) in originals.iter().enumerate().filter(|(_, v)| **v != NO_VERTEX) {
            places[original as usize].push(inner as Vertex);
        }
        let masters: Vec<Vertex> = places.iter().map(|all| all[random.below(all.len())]).collect();
        let (mut pairs, mut weights) = (Vec::new(), Vec::new());
        for u in 0..n as Vertex {
            for arc in merged.out().csr.arcs_of(u) {
                let all = &places[u as usize];
                let to = merged.out().csr.targets()[arc];
                pairs.push([all[random.below(all.len())], masters[to as usize]]);
                weights.push(merged.out().weights.get(arc) as u32);
            }
        }
        let copied = built(originals.len(), pairs, weights, true);
        let mut chunks = Chunks::default();
        let members: Vec<Vertex> = masters.iter().copied().filter(|_| random.below(2) == 0).collect();
        members.chunks(7).for_each(|members| chunks.push(members));
        let map = NodeMap::new(masters.into(), originals.into(), "a sample").unwrap();
        Self { merged, copied, map, chunks: Arc::new(chunks), seed }
    }

    /// Runs a program on both graphs, by every direction and with and without chunks; calls `check` with each pair of answers.
    fn each<P: VertexProgram + Clone>(
        &self,
        program: &P,
        check: impl Fn(&ProgramAnswer<P::Value>, &ProgramAnswer<P::Value>, &str),
    ) {
        let program = Arc::new(program.clone());
        for direction in [None, Some(Direction::Push), Some(Direction::Pull)] {
            let plan = direction.map_or(Plan::AUTO, |direction| Plan::bsp(Some(direction)));
            let merged = Options { plan, ..Options::default() };
            let expected = program::program(&self.merged, &program, &merged).unwrap();
            for chunks in [None, Some(Arc::clone(&self.chunks))] {
                let name = format!(
                    "{} on sample {}, {direction:?}, chunks {}",
                    P::NAME,
                    self.seed,
                    chunks.is_some()
                );
                let options = Options { map: Some(self.map.clone()), chunks, ..merged.clone() };
                let answer = program::program(&self.copied, &program, &options).unwrap();
                check(&answer.restore(&self.merged, &self.map).unwrap(), &expected, &name);
            }
        }
    }

    fn same<P: VertexProgram + Clone>(&self, program: &P) {
        let bits = |values: &[P::Value]| values.iter().map(|value| value.bits()).collect::<Vec<_>>();
        self.each(program, |answer, expected, name| {
            assert_eq!(bits(answer.values()), bits(expected.values()), "{name}");
        });
    }

    fn near<P: VertexProgram + Clone>(&self, program: &P, bound: f64) {
        self.each(program, |answer, expected, name| {
            let pairs = answer.values().iter().zip(expected.values());
            let off: f64 = pairs.map(|(a, b)| (a.to_f64() - b.to_f64()).abs()).sum();
            assert!(off <= bound, "{name}: {off:e} apart");
            let (halt, residual) = (program.halt(), answer.residual().unwrap());
            assert!(halt.tolerance().is_none_or(|tolerance| residual < tolerance), "{name}: {residual:e}");
        });
    }
}

/// Builds a graph, with loops and parallel edges.
pub(crate) fn built(n: usize, pairs: Vec<[Vertex; 2]>, weights: Vec<u32>, directed: bool) -> Graph {
    let options = build::Options { directed, loops: Loops::Keep, parallel: Parallel::Keep };
    FromEdges { options }.build(n, pairs, EdgeWeights::U32(weights)).unwrap()
}

/// Calls `test` with samples, half of them of undirected graphs, on one, two and three threads.
pub(crate) fn each_sample(test: impl Fn(&Sample, &mut Random) + Send + Sync) {
    for threads in 1..=3 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for seed in (threads as u64 - 1..GRAPHS).step_by(3) {
            pool.install(|| test(&Sample::random(seed, seed.is_multiple_of(2)), &mut Random(seed)));
        }
    }
}

fn sources(sample: &Sample, random: &mut Random) -> Vec<u32> {
    (0..1 + random.below(3)).map(|_| random.below(sample.merged.vertices()) as u32).collect()
}

#[test]
fn programs_that_improve_values_do_not_notice_copies_holes_and_chunks() {
    each_sample(|sample, random| {
        let source = random.below(sample.merged.vertices()) as u32;
        sample.same(&Hops { source, limit: 1 + random.below(5) as u32 });
        sample.same(&HopTree { source, limit: u32::MAX });
        sample.same(&ShortestPaths::<u32>::from(source));
        sample.same(&WidestPaths::<f32>::from(source));
        sample.same(&Reach::from(sources(sample, random), sample.merged.vertices()));
        if !sample.merged.is_directed() {
            sample.same(&Components {});
        }
    });
}

/// The smallest vertex that leads here, in supersteps of its own: its `apply` counts what arrives from the second one on.
#[derive(Clone)]
struct Late {
    source: u32,
}

impl VertexProgram for Late {
    type Value = u32;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "late";
    const COMBINE: Combine = Combine::Max;
    fn init<D: Dialect>(&self, d: &D, v: Seen<D, ()>) -> D::Val<u32> {
        d.select(d.eq(v.id, d.param("source", self.source)), d.lit(1), d.lit(0))
    }
    fn seeds(&self) -> Seeds {
        Seeds::one(self.source)
    }
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<u32> {
        e.value + d.bits_and(e.source.degree, d.lit(3)) + d.lit(1)
    }
    fn apply<D: Dialect>(
        &self,
        d: &D,
        _: Seen<D, ()>,
        old: D::Val<u32>,
        arrived: D::Val<u32>,
    ) -> D::Val<u32> {
        d.select(d.eq(old, d.lit(0)), arrived, old)
    }
}

#[test]
fn programs_with_supersteps_of_their_own_see_the_degrees_of_merged_vertices() {
    each_sample(|sample, random| {
        sample.same(&Late { source: random.below(sample.merged.vertices()) as u32 });
    });
}

fn adsorption(graph: &Graph, weighted: bool) -> Adsorption {
    let (n, arcs) = (graph.vertices(), graph.out());
    let mut strength = vec![0.0; n];
    for (arc, &v) in arcs.csr.targets().iter().enumerate() {
        strength[v as usize] += if weighted { arcs.weights.get(arc) } else { 1.0 };
    }
    let pass = strength.iter().map(|&s| if s > 0.0 { 0.75 / s } else { 0.0 }).collect();
    let inject = (0..n).map(|v| if v % 5 == 0 { 0.25 } else { 0.0 }).collect();
    Adsorption { inject, pass, weighted, halt: Halt::l1(1e-9) }
}

fn ranks<T: Float>(graph: &Graph, tolerance: f64) -> Ranks<T> {
    Ranks::of(graph, 0.85, Halt::l1(tolerance))
}

#[test]
fn sums_over_copies_are_those_over_merged_vertices() {
    each_sample(|sample, random| {
        let tolerance = [1e-6, 1e-9][random.below(2)];
        sample.near(&ranks::<f64>(&sample.merged, tolerance), 2.0 * tolerance / 0.15);
        sample.near(&adsorption(&sample.merged, random.below(2) == 0), 1e-8);
        let deterministic = Options { deterministic: true, ..Options::default() };
        let program = Arc::new(ranks::<f64>(&sample.merged, tolerance));
        let expected = program::program(&sample.merged, &program, &deterministic).unwrap();
        let options = Options { map: Some(sample.map.clone()), ..deterministic };
        let answer = program::program(&sample.copied, &program, &options).unwrap();
        let answer = answer.restore(&sample.merged, &sample.map).unwrap();
        let off = answer.values().iter().zip(expected.values()).map(|(a, b)| (a - b).abs()).sum::<f64>();
        assert!(off < 1e-10, "sample {}: {off:e} apart", sample.seed);
        assert_eq!(answer.run().rounds, expected.run().rounds, "sample {}", sample.seed);
    });
}
