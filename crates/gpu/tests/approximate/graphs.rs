//! Graphs with copies and holes beside the graphs that they merge to, and chunks.

use crate::Place;
use std::sync::Arc;
use warpgraph_core::{
    Chunks, Options,
    program::{Scalar, VertexProgram, library::Reach},
};
use warpgraph_gpu::{DeviceGraph, program, program_bytes_needed};
use warpgraph_graph::{
    Graph, NO_VERTEX, NodeMap,
    build::{self, EdgeWeights, FromEdges},
    hash,
};

/// A graph, and one with copies and holes that merges to it.
pub(crate) struct Case {
    pub(crate) place: Place,
    pub(crate) seed: u64,
    pub(crate) merged: Graph,
    pub(crate) inner: Graph,
    pub(crate) map: NodeMap,
}

/// Returns a directed graph with weights of type u32, and with parallel arcs if there are some.
pub(crate) fn weighing(vertices: usize, edges: &[(u32, u32, u32)]) -> Graph {
    let weights = EdgeWeights::U32(edges.iter().map(|edge| edge.2).collect());
    let pairs = edges.iter().map(|edge| [edge.0, edge.1]).collect();
    let options = build::Options { parallel: build::Parallel::Keep, ..FromEdges::default().options };
    FromEdges { options }.build(vertices, pairs, weights).unwrap()
}

impl Case {
    /// Returns a random graph whose arcs are shared among every vertex and up to two copies of it.
    pub(crate) fn new(place: Place, seed: u64, n: u32, degree: u32) -> Self {
        let n = n * place.scale;
        let draw = |what: u64, below: u32| (hash::mix(seed << 40 | what, 11) % u64::from(below)) as u32;
        let mut arcs: Vec<_> =
            (0..u64::from(n * degree)).map(|i| (draw(3 * i, n), draw(3 * i + 1, n))).collect();
        arcs.sort_unstable();
        arcs.dedup();
        let weight = |i: usize| 1 + draw(23 << 26 | i as u64, 9);
        let weighted: Vec<_> = arcs.iter().enumerate().map(|(i, &(u, v))| (u, v, weight(i))).collect();
        Self::of(place, seed, weighing(n as usize, &weighted))
    }

    /// Returns a random undirected graph, shared in the same way.
    pub(crate) fn undirected(place: Place, seed: u64, n: u32, degree: u32) -> Self {
        let n = n * place.scale;
        let draw = |what: u64, below: u32| (hash::mix(seed << 40 | what, 13) % u64::from(below)) as u32;
        let pairs: Vec<_> =
            (0..u64::from(n * degree / 2)).map(|i| [draw(3 * i, n), draw(3 * i + 1, n)]).collect();
        let weights = EdgeWeights::U32(pairs.iter().map(|[u, v]| 1 + (u ^ v) % 9).collect());
        let options = build::Options { directed: false, ..FromEdges::default().options };
        Self::of(place, seed, FromEdges { options }.build(n as usize, pairs, weights).unwrap())
    }

    /// Shares the arcs of a graph among every vertex and up to two copies of it.
    pub(crate) fn of(place: Place, seed: u64, merged: Graph) -> Self {
        let n = merged.vertices() as u32;
        let draw = |what: u64, below: u32| (hash::mix(seed << 40 | what, 11) % u64::from(below)) as u32;
        // Every original with its copies, then holes, all of them shuffled.
        let copies = |v: u32| draw(20 << 26 | u64::from(v), 5).saturating_sub(2);
        let mut originals: Vec<u32> = (0..n).flat_map(|v| vec![v; 1 + copies(v) as usize]).collect();
        originals.extend(vec![NO_VERTEX; n as usize / 6]);
        for at in (1..originals.len()).rev() {
            originals.swap(at, draw(21 << 26 | at as u64, at as u32 + 1) as usize);
        }
        let mut places = vec![Vec::new(); n as usize];
        for (at, &original) in originals.iter().enumerate().filter(|(_, original)| **original != NO_VERTEX) {
            places[original as usize].push(at as u32);
        }
        let masters: Vec<u32> = places
            .iter()
            .map(|of: &Vec<u32>| of[draw(22 << 26 | u64::from(of[0]), of.len() as u32) as usize])
            .collect();
        let (out, mut shared) = (merged.out(), Vec::new());
        for u in 0..n {
            let of = &places[u as usize];
            for arc in out.csr.arcs_of(u) {
                let from = of[draw(24 << 26 | arc as u64, of.len() as u32) as usize];
                shared.push((
                    from,
                    masters[out.csr.targets()[arc] as usize],
                    out.weights.get(arc).cast::<f64>() as u32,
                ));
            }
        }
        let inner = weighing(originals.len(), &shared);
        Self {
            place,
            seed,
            merged,
            inner,
            map: NodeMap::new(masters.into(), originals.into(), "a test").unwrap(),
        }
    }

    /// Returns the values of a program on the merged graph, and those of masters on the other one.
    pub(crate) fn both<P: VertexProgram>(
        &self,
        asked: &Arc<P>,
        plan: &str,
        chunks: Option<&Arc<Chunks>>,
    ) -> [Vec<P::Value>; 2] {
        let plain = Options { plan: plan.parse().unwrap(), ..Options::default() };
        let merged = DeviceGraph::new(&(self.place.open)(1), &self.merged);
        let expected = program(&merged, asked, &plain).unwrap();
        let options = Options { map: Some(self.map.clone()), chunks: chunks.cloned(), ..plain };
        let inner = DeviceGraph::new(&(self.place.open)(self.seed), &self.inner);
        let answer = program(&inner, asked, &options).unwrap();
        let peak = inner.gpu().memory().unwrap().peak;
        let said = program_bytes_needed::<P>(&self.inner, &options).total();
        let is_known = options.plan.residency.is_none() && self.place.measures_memory;
        assert!(!is_known || peak <= said, "{} by {plan}: {peak} bytes, {said} were said", P::NAME);
        [expected.values().to_vec(), self.map.restore(answer.values()).unwrap().to_vec()]
    }

    /// Checks that both answers have the same bits.
    pub(crate) fn agrees<P: VertexProgram>(&self, asked: &Arc<P>, plan: &str) {
        let [expected, got] =
            self.both(asked, plan, None).map(|all| all.iter().map(|x| x.bits()).collect::<Vec<_>>());
        assert_eq!(got, expected, "{} by {plan}, graph {}", P::NAME, self.seed);
    }

    /// Checks that both answers are near each other.
    pub(crate) fn is_near<P: VertexProgram>(&self, asked: &Arc<P>, plan: &str) {
        let [expected, got] = self.both(asked, plan, None);
        for (v, (e, g)) in expected.iter().zip(&got).enumerate() {
            let (e, g) = (e.to_f64(), g.to_f64());
            assert!(
                (e - g).abs() <= 1e-7 * e.abs().max(1.0),
                "{} by {plan}, graph {}, vertex {v}: {g}, not {e}",
                P::NAME,
                self.seed
            );
        }
    }

    /// Returns true if a vertex of the inner graph is neither a copy nor a hole.
    pub(crate) fn is_master(&self, v: u32) -> bool {
        self.map.original(v) != NO_VERTEX && self.map.inner(self.map.original(v)) == v
    }

    /// Returns a search from two vertices.
    pub(crate) fn reach(&self) -> Arc<Reach> {
        Arc::new(Reach::from([3, 5], self.merged.vertices()))
    }
}

/// Returns three graphs of different density.
pub(crate) fn cases(place: Place) -> [Case; 3] {
    [Case::new(place, 1, 60, 3), Case::new(place, 2, 90, 2), Case::new(place, 3, 40, 8)]
}

/// Returns chunks of a vertex and neighbours of it, of the vertices that may be members.
pub(crate) fn chunks(graph: &Graph, may: impl Fn(u32) -> bool) -> Arc<Chunks> {
    let (mut chunks, mut taken) = (Chunks::default(), vec![false; graph.vertices()]);
    for v in 0..graph.vertices() as u32 {
        let around = std::iter::once(v).chain(graph.out().csr.neighbors(v).iter().copied());
        let mut members: Vec<u32> = around.filter(|&u| may(u) && !taken[u as usize]).collect();
        members.sort_unstable();
        members.dedup();
        if members.len() > 2 {
            members.iter().for_each(|&u| taken[u as usize] = true);
            chunks.push(&members);
        }
    }
    assert!(chunks.len() > 1, "{} vertices have no chunks", graph.vertices());
    Arc::new(chunks)
}
