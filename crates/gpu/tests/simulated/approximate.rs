//! Graphs with copies and holes, and chunks of vertices: every program answers as on the graph in which copies are merged
//! into their masters, by every direction and balance, and iterating chunks does not change the answer.

use std::sync::Arc;
use warpgraph_core::{
    Chunks, Halt, Options,
    program::{
        Combine, Dialect, Edge, Prepared, Runs, Scalar, Seeds, Vertex, VertexProgram, Ways,
        library::{Adsorption, Components, HopTree, Hops, Ranks, Reach, ShortestPaths, WidestPaths},
    },
};
use warpgraph_device::{
    Gpu, Settings,
    simt::{Simt, SimtOptions},
};
use warpgraph_gpu::{DeviceGraph, program, program_bytes_needed};
use warpgraph_graph::{
    Graph, NO_VERTEX, NodeMap,
    build::{EdgeWeights, FromEdges},
    hash,
};

/// A graph, and one with copies and holes that merges to it.
struct Case {
    seed: u64,
    merged: Graph,
    inner: Graph,
    map: NodeMap,
}

fn simt(seed: u64) -> Gpu {
    Simt::open(&Settings::default(), SimtOptions { seed, ..SimtOptions::default() }).unwrap()
}

/// Returns a directed graph with weights of type u32.
fn weighing(vertices: usize, edges: &[(u32, u32, u32)]) -> Graph {
    let weights = EdgeWeights::U32(edges.iter().map(|edge| edge.2).collect());
    let pairs = edges.iter().map(|edge| [edge.0, edge.1]).collect();
    FromEdges::default().build(vertices, pairs, weights).unwrap()
}

/// Returns a random graph whose arcs are shared among every vertex and up to two copies of it.
fn case(seed: u64, n: u32, degree: u32) -> Case {
    let draw = |what: u64, below: u32| (hash::mix(seed << 32 | what, 11) % u64::from(below)) as u32;
    let mut arcs: Vec<_> = (0..u64::from(n * degree)).map(|i| (draw(3 * i, n), draw(3 * i + 1, n))).collect();
    arcs.sort_unstable();
    arcs.dedup();
    // Every original with its copies, then holes, all of them shuffled.
    let copies = |v: u32| draw(1 << 20 | u64::from(v), 5).saturating_sub(2);
    let mut originals: Vec<u32> = (0..n).flat_map(|v| vec![v; 1 + copies(v) as usize]).collect();
    originals.extend(vec![NO_VERTEX; n as usize / 6]);
    for at in (1..originals.len()).rev() {
        originals.swap(at, draw(1 << 21 | at as u64, at as u32 + 1) as usize);
    }
    let places = |v: u32| -> Vec<u32> {
        (0..originals.len() as u32).filter(|&at| originals[at as usize] == v).collect()
    };
    let places: Vec<Vec<u32>> = (0..n).map(places).collect();
    let masters: Vec<u32> =
        places.iter().map(|of| of[draw(1 << 22 | u64::from(of[0]), of.len() as u32) as usize]).collect();
    let weight = |i: usize| 1 + draw(1 << 23 | i as u64, 9);
    let weighted: Vec<_> = arcs.iter().enumerate().map(|(i, &(u, v))| (u, v, weight(i))).collect();
    let shared = weighted.iter().enumerate().map(|(i, &(u, v, w))| {
        let of = &places[u as usize];
        (of[draw(1 << 24 | i as u64, of.len() as u32) as usize], masters[v as usize], w)
    });
    let shared: Vec<_> = shared.collect();
    Case {
        seed,
        merged: weighing(n as usize, &weighted),
        inner: weighing(originals.len(), &shared),
        map: NodeMap::new(masters.into(), originals.into(), "a test").unwrap(),
    }
}

impl Case {
    /// Returns the values of a program on the merged graph, and those of masters on the other one.
    fn both<P: VertexProgram>(
        &self,
        asked: &Arc<P>,
        plan: &str,
        chunks: Option<&Arc<Chunks>>,
    ) -> [Vec<P::Value>; 2] {
        let plain = Options { plan: plan.parse().unwrap(), ..Options::default() };
        let merged = DeviceGraph::new(&simt(1), &self.merged);
        let expected = program(&merged, asked, &plain).unwrap();
        let options = Options { map: Some(self.map.clone()), chunks: chunks.cloned(), ..plain };
        let inner = DeviceGraph::new(&simt(self.seed), &self.inner);
        let answer = program(&inner, asked, &options).unwrap();
        let peak = inner.gpu().memory().unwrap().peak;
        let said = program_bytes_needed::<P>(&self.inner, &options).total();
        let is_known = options.plan.residency.is_none();
        assert!(!is_known || peak <= said, "{} by {plan}: {peak} bytes, {said} were said", P::NAME);
        [expected.values().to_vec(), self.map.restore(answer.values()).unwrap().to_vec()]
    }

    /// Checks that both answers have the same bits.
    fn agrees<P: VertexProgram>(&self, asked: &Arc<P>, plan: &str) {
        let [expected, got] =
            self.both(asked, plan, None).map(|all| all.iter().map(|x| x.bits()).collect::<Vec<_>>());
        assert_eq!(got, expected, "{} by {plan}, graph {}", P::NAME, self.seed);
    }

    /// Checks that both answers are near each other.
    fn is_near<P: VertexProgram>(&self, asked: &Arc<P>, plan: &str) {
        let [expected, got] = self.both(asked, plan, None);
        for (v, (e, g)) in expected.iter().zip(&got).enumerate() {
            let (e, g) = (e.to_f64(), g.to_f64());
            assert!(
                (e - g).abs() <= 1e-7,
                "{} by {plan}, graph {}, vertex {v}: {g}, not {e}",
                P::NAME,
                self.seed
            );
        }
    }

    fn is_master(&self, v: u32) -> bool {
        self.map.masters().contains(&v)
    }

    fn reach(&self) -> Arc<Reach> {
        Arc::new(Reach::from([3, 5], self.merged.vertices()))
    }
}

fn cases() -> [Case; 3] {
    [case(1, 60, 3), case(2, 90, 2), case(3, 40, 8)]
}

/// Takes a third of the greatest message, and sends only even values: so a vertex may change without sending.
#[derive(Clone)]
struct Applied;

impl VertexProgram for Applied {
    type Value = u32;
    type Weight = u32;
    type Column = ();
    const NAME: &'static str = "applied";
    const COMBINE: Combine = Combine::Max;

    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<u32> {
        v.id * d.lit(1000) + v.degree
    }
    fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<u32> {
        e.value + e.weight
    }
    fn apply<D: Dialect>(
        &self,
        d: &D,
        v: Vertex<D, ()>,
        old: D::Val<u32>,
        arrived: D::Val<u32>,
    ) -> D::Val<u32> {
        d.max(old, arrived / d.lit(3) + v.degree)
    }
    fn active<D: Dialect>(&self, d: &D, old: D::Val<u32>, new: D::Val<u32>) -> D::Bool {
        let is_even = d.eq(new / d.lit(2) * d.lit(2), new);
        d.and(d.ne(old, new), is_even)
    }
}

/// A sum that does not distribute: sweeps, as many as asked for.
#[derive(Clone)]
struct Swept;

impl VertexProgram for Swept {
    type Value = f64;
    type Weight = f64;
    type Column = ();
    const NAME: &'static str = "swept";
    const COMBINE: Combine = Combine::Sum;

    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<f64> {
        d.cast(v.id)
    }
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<f64> {
        let degree: D::Val<f64> = d.cast(e.source.degree);
        e.value * e.weight / degree
    }
    fn apply<D: Dialect>(
        &self,
        d: &D,
        _: Vertex<D, ()>,
        old: D::Val<f64>,
        arrived: D::Val<f64>,
    ) -> D::Val<f64> {
        old * d.lit(0.5) + arrived * d.lit(0.05)
    }
    fn halt(&self) -> Halt {
        Halt::rounds(4)
    }
}

#[test]
fn programs_that_improve_values_answer_as_on_the_merged_graph() {
    for case in cases() {
        for plan in ["push+node", "pull+node", "push+edge(condensing=off)"] {
            case.agrees(&Arc::new(Hops::from(3)), plan);
            case.agrees(&Arc::new(HopTree { source: 3, limit: u32::MAX }), plan);
            case.agrees(&case.reach(), plan);
            case.agrees(&Arc::new(ShortestPaths::<u32>::from(3)), plan);
            case.agrees(&Arc::new(WidestPaths::<f32>::from(3)), plan);
        }
    }
}

#[test]
fn every_balance_and_residency_reflects() {
    for plan in [
        "push+workload",
        "push+split(mdt=2)",
        "push+hierarchical(mdt=2)",
        "push+tiled",
        "push+resident",
        "bsp",
        "push+tiled+zero-copy",
        "push+tiled+streamed",
    ] {
        case(4, 70, 4).agrees(&Arc::new(ShortestPaths::<u32>::from(3)), plan);
    }
}

#[test]
fn programs_with_an_apply_of_their_own_answer_as_on_the_merged_graph() {
    for case in cases() {
        for plan in ["push+node", "pull+node"] {
            case.agrees(&Arc::new(Applied), plan);
        }
    }
}

#[test]
fn sums_answer_as_on_the_merged_graph() {
    for case in cases() {
        let n = case.merged.vertices();
        let ranks = Arc::new(Ranks::<f64>::of(&case.merged, 0.85, Halt::l1(1e-9)));
        let column = |from: u64| (0..n as u64).map(|v| (hash::mix(v, from) % 100) as f64 / 1000.0).collect();
        let adsorption = |weighted| {
            let halt = Halt::l1(1e-9);
            Arc::new(Adsorption {
                inject: column(1),
                pass: column(2).iter().map(|x: &f64| x / 20.0).collect(),
                weighted,
                halt,
            })
        };
        for plan in ["push+node", "pull+node", "push+workload"] {
            case.is_near(&ranks, plan);
            case.is_near(&adsorption(true), plan);
        }
        case.is_near(&Arc::new(Swept), "pull+node");
    }
}

/// Returns the components of a graph, along arcs of both directions.
fn components(graph: &Graph, options: &Options, seed: u64) -> Vec<u32> {
    let asked = Components {};
    let prepared = Prepared::new(&asked, graph, options.map.as_ref()).unwrap();
    let ran = DeviceGraph::new(&simt(seed), graph).run(&prepared, options, Ways::Both).unwrap();
    match &options.map {
        Some(map) => map.restore(&ran.values).unwrap().to_vec(),
        None => ran.values.to_vec(),
    }
}

#[test]
fn copies_pass_on_what_comes_against_the_direction_of_arcs() {
    for plan in ["push+node", "pull+node", "push+edge(condensing=off)"] {
        for case in [case(5, 80, 1), case(6, 200, 1), case(7, 50, 1)] {
            let plain = Options { plan: plan.parse().unwrap(), ..Options::default() };
            let expected = components(&case.merged, &plain, 1);
            let options = Options { map: Some(case.map.clone()), ..plain.clone() };
            assert_eq!(components(&case.inner, &options, case.seed), expected, "{plan}, graph {}", case.seed);
            let chunks = chunks(&case.inner, |v| case.is_master(v));
            let options = Options { chunks: Some(chunks), ..options };
            assert_eq!(components(&case.inner, &options, case.seed), expected, "{plan}, graph {}", case.seed);
        }
    }
}

/// Returns chunks of a vertex and neighbours of it, of the vertices that may be members.
fn chunks(graph: &Graph, may: impl Fn(u32) -> bool) -> Arc<Chunks> {
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

#[test]
fn iterating_chunks_changes_no_answer() {
    for case in cases() {
        let chunks = chunks(&case.inner, |v| case.is_master(v));
        for plan in ["push+node", "pull+node", "push+edge(condensing=off)"] {
            macro_rules! same {
                ($($asked:expr),*) => {$(
                    let asked = Arc::new($asked);
                    let [expected, got] = case.both(&asked, plan, Some(&chunks));
                    assert_eq!(got, expected, "{plan}, graph {}", case.seed);
                )*};
            }
            same!(
                ShortestPaths::<u32>::from(3),
                ShortestPaths::<f64>::from(3),
                WidestPaths::<f32>::from(3),
                HopTree { source: 3, limit: u32::MAX },
                // These go on as without chunks.
                Hops::from(3),
                Applied
            );
        }
    }
}

/// The least number of the vertices that lead to a vertex: all vertices send first. A hole would start with NaN.
struct Least;

impl VertexProgram for Least {
    type Value = f64;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "least";
    const COMBINE: Combine = Combine::Min;

    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<f64> {
        d.select(d.eq(v.id, d.lit(NO_VERTEX)), d.lit(f64::NAN), d.cast(v.id))
    }
    fn seeds(&self) -> Seeds {
        Seeds::All
    }
    fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<f64> {
        e.value
    }
}

#[test]
fn chunks_are_iterated_before_the_first_superstep_and_save_some() {
    // A path through three chunks, of which one is as large as chunks may be.
    let n = 1100u32;
    let edges: Vec<_> = (1..n).map(|v| (v - 1, v, 1)).collect();
    let graph = weighing(n as usize, &edges);
    let mut chunks = Chunks::default();
    chunks.push(&(0..10).collect::<Vec<_>>());
    chunks.push(&(10..10 + Chunks::MOST as u32).rev().collect::<Vec<_>>());
    chunks.push(&(10 + Chunks::MOST as u32..n).collect::<Vec<_>>());
    let device_graph = DeviceGraph::new(&simt(9), &graph);
    let options = |chunks| Options { plan: "push+node".parse().unwrap(), chunks, ..Options::default() };
    let (without, with) = (options(None), options(Some(Arc::new(chunks))));
    let asked = Arc::new(ShortestPaths::<u32>::from(0));
    let [plain, chunked] = [&without, &with].map(|options| program(&device_graph, &asked, options).unwrap());
    assert_eq!(chunked.values(), plain.values());
    let [many, few] = [&plain, &chunked].map(|answer| warpgraph_core::Answer::run(answer).rounds);
    assert!(few < many / 10, "{few} supersteps, {many} without chunks");
    let asked = Arc::new(Least);
    let [plain, chunked] = [&without, &with].map(|options| program(&device_graph, &asked, options).unwrap());
    assert_eq!(chunked.values(), plain.values());
}

#[test]
fn nothing_is_computed_for_holes() {
    for plan in ["push+node", "pull+node"] {
        cases().iter().for_each(|case| case.agrees(&Arc::new(Least), plan));
    }
}

#[test]
fn a_table_is_made_once_per_map() {
    let case = case(8, 60, 3);
    let device_graph = DeviceGraph::new(&simt(1), &case.inner);
    let ask = |map: &NodeMap| {
        let options =
            Options { map: Some(map.clone()), plan: "push+node".parse().unwrap(), ..Options::default() };
        let answer = program(&device_graph, &Arc::new(ShortestPaths::<u32>::from(3)), &options).unwrap();
        let values = map.restore(answer.values()).unwrap().to_vec();
        (values, device_graph.gpu().memory().unwrap().held)
    };
    let (first, (again, used)) = (ask(&case.map), ask(&case.map));
    assert_eq!((&first.0, first.1), (&again, used));
    let copy =
        NodeMap::new(case.map.masters().clone(), case.map.originals()[..].to_vec().into(), "a test").unwrap();
    assert_eq!(ask(&copy), (again, used), "the table of another map takes the place of the first");
}
