#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use super::stage::run_losing;
use crate::{
    DeviceGraph,
    testing::{generated, simt},
};
use std::sync::Arc;
use warpgraph_core::{
    Halt, Options, Result,
    program::{
        Combine, Dialect, Edge, Prepared, Ran, Runs, Seeds, Vertex, VertexProgram, Ways,
        library::{self, Components, HopTree, Ranks, ShortestPaths, WidestPaths},
    },
};
use warpgraph_device::{
    Settings,
    simt::{Simt, SimtOptions},
};
use warpgraph_graph::{
    Graph, NO_VERTEX, Offsets, Paths,
    build::{self, EdgeWeights, FromEdges, Loops, Parallel},
    paths::{Found, LANES, ROWS, Recipe, SLOTS, slot},
};

/// Returns some decomposition of a graph: walks along edges that are left, from every vertex. Walks that begin at one of the
/// first `hubs` vertices count as the sketch.
fn trails(graph: &Graph, hubs: u32) -> Arc<Paths> {
    let (csr, is_once) = (&graph.out().csr, !graph.is_directed());
    let mut left: Vec<bool> = vec![true; csr.arcs()];
    let mut trails: [Vec<Vec<(u32, usize)>>; 2] = Default::default();
    for start in 0..graph.vertices() as u32 {
        loop {
            let (mut at, mut trail) = (start, Vec::new());
            while let Some(arc) = csr.arcs_of(at).find(|&arc| left[arc]) {
                let to = csr.targets()[arc];
                left[arc] = false;
                let mut own = arc;
                if is_once && to != at {
                    let mirror =
                        csr.arcs_of(to).find(|&back| csr.targets()[back] == at && left[back]).unwrap();
                    left[mirror] = false;
                    own = if at < to { arc } else { mirror };
                }
                trail.push((at, own));
                at = to;
            }
            if trail.is_empty() {
                break;
            }
            trail.push((at, 0));
            trails[usize::from(start >= hubs)].push(trail);
        }
    }
    let (mut vertices, mut arcs, mut joined) = (Vec::new(), Vec::new(), Vec::new());
    let mut hub_chunks = 0;
    let count = |kind: usize| trails[kind].iter().map(|trail| trail.len() as u64 - 1).sum();
    let found = Found {
        hubs: hubs.into(),
        hub_paths: trails[0].len() as u64,
        cold_paths: trails[1].len() as u64,
        hub_edges: count(0),
        cold_edges: count(1),
    };
    for (kind, of_kind) in trails.iter().enumerate() {
        let first = joined.len() / LANES;
        let mut lengths = [0usize; LANES];
        for trail in of_kind {
            let lane = (0..LANES).min_by_key(|&lane| lengths[lane]).unwrap();
            for pair in trail.windows(2) {
                // A path goes on where it was, unless its chunk has ended; and no path begins in a last row.
                let goes_on = pair[0].0 != trail[0].0 || pair[0].1 != trail[0].1;
                if goes_on && !lengths[lane].is_multiple_of(ROWS) {
                    lengths[lane] -= 1;
                } else if lengths[lane] % ROWS == ROWS - 1 {
                    lengths[lane] += 1;
                }
                let (chunk, row) = (first + lengths[lane] / ROWS, lengths[lane] % ROWS);
                while joined.len() <= chunk * LANES + lane {
                    vertices.extend([NO_VERTEX; SLOTS]);
                    arcs.extend([0u32; SLOTS]);
                    joined.extend([0u32; LANES]);
                }
                vertices[slot(chunk, row, lane)] = pair[0].0;
                arcs[slot(chunk, row, lane)] = pair[0].1 as u32;
                vertices[slot(chunk, row + 1, lane)] = pair[1].0;
                joined[chunk * LANES + lane] |= 1 << row;
                lengths[lane] += 2;
            }
        }
        if kind == 0 {
            hub_chunks = joined.len() / LANES;
        }
    }
    let recipe =
        Recipe { lambda: u32::from(hubs > 0), beta: 1, importance: "test".to_owned(), both_arcs: false };
    let arcs = Offsets::Narrow(arcs.into());
    let paths = Paths::new(recipe, found, hub_chunks, vertices.into(), arcs, joined.into()).unwrap();
    paths.check(graph).unwrap();
    Arc::new(paths)
}

/// Draws numbers below a bound, one after the other.
struct Draws(u64);

impl Draws {
    fn below(&mut self, most: u64) -> u64 {
        self.0 += 1;
        warpgraph_graph::hash::mix(self.0, 77) % most
    }

    /// Draws a graph with loops, parallel edges, isolated vertices and weights.
    fn graph(&mut self) -> Graph {
        let (n, m) = (1 + self.below(60), self.below(200));
        let pairs = (0..m).map(|_| [self.below(n) as u32, self.below(n) as u32]).collect();
        let weights = (0..m).map(|_| 1 + self.below(20) as u32).collect();
        let directed = self.below(2) == 1;
        let options = build::Options { directed, loops: Loops::Keep, parallel: Parallel::Keep };
        FromEdges { options }.build(n as usize, pairs, EdgeWeights::U32(weights)).unwrap()
    }
}

/// No wake-up is lost: a thousand small graphs with three programs each, every graph with another order of lanes, warps and
/// blocks, and with other paths.
#[test]
fn random_graphs_end_with_the_right_values_whatever_the_schedule() {
    let mut draws = Draws(0);
    for seed in 0..1000 {
        let graph = draws.graph();
        let n = graph.vertices() as u64;
        let (source, hubs, np) = (draws.below(n) as u32, draws.below(n + 1) as u32, 1 + draws.below(4));
        let gpu = Simt::open(&Settings::default(), SimtOptions { seed, ..SimtOptions::default() }).unwrap();
        let device_graph = DeviceGraph::new(&gpu, &graph);
        let (plan, paths) = (format!("paths(np={np})").parse().unwrap(), Some(trails(&graph, hubs)));
        let options = Options { plan, paths, ..Options::default() };
        let at = format!("graph {seed}, {n} vertices, {} arcs, {hubs} hubs, np {np}", graph.arcs());
        let lengths = library::Lengths::<u32, u32>::from(source);
        let prepared = Prepared::new(&lengths, &graph, None).unwrap();
        let ran = device_graph.run(&prepared, &options, Ways::Out).unwrap();
        assert_eq!(ran.values[..], distances(&graph, source), "{at}");
        let ranks = Ranks::<f64>::of(&graph, 0.5, Halt::l1(1e-9));
        let prepared = Prepared::new(&ranks, &graph, None).unwrap();
        let ran = device_graph.run(&prepared, &options, Ways::Out).unwrap();
        assert!(residual(&graph, 0.5, &ran.values) < 1e-9, "{at}");
        let prepared = Prepared::new(&Components {}, &graph, None).unwrap();
        let ran = device_graph.run(&prepared, &options, Ways::Both).unwrap();
        assert_eq!(ran.values[..], components(&graph), "{at}");
    }
}

/// Relaxes all arcs until no distance falls.
fn distances(graph: &Graph, source: u32) -> Vec<u32> {
    let out = graph.out();
    let mut distances = vec![u32::MAX; graph.vertices()];
    distances[source as usize] = 0;
    loop {
        let before = distances.clone();
        for u in (0..graph.vertices()).filter(|&u| before[u] < u32::MAX) {
            for arc in out.csr.arcs_of(u as u32) {
                let to = &mut distances[out.csr.targets()[arc] as usize];
                *to = (*to).min(before[u] + out.weights.get(arc) as u32);
            }
        }
        if before == distances {
            return distances;
        }
    }
}

/// The smallest vertex that each is joined with, whatever the direction of arcs.
fn components(graph: &Graph) -> Vec<u32> {
    let mut names: Vec<u32> = (0..graph.vertices() as u32).collect();
    loop {
        let before = names.clone();
        for u in 0..graph.vertices() {
            for &v in graph.out().csr.neighbors(u as u32) {
                let least = names[u].min(names[v as usize]);
                (names[u], names[v as usize]) = (least, least);
            }
        }
        if before == names {
            return names;
        }
    }
}

/// What another sweep would change in all.
fn residual(graph: &Graph, damping: f64, ranks: &[f64]) -> f64 {
    let csr = &graph.out().csr;
    let mut next = vec![(1.0 - damping) / graph.vertices() as f64; graph.vertices()];
    for (u, rank) in ranks.iter().enumerate() {
        for &v in csr.neighbors(u as u32) {
            next[v as usize] += damping * rank / csr.degree(u as u32) as f64;
        }
    }
    next.iter().zip(ranks).map(|(a, b)| (a - b).abs()).sum()
}

fn along<P: VertexProgram>(
    graph: &Graph,
    program: &P,
    plan: &str,
    ways: Ways,
    lost: u64,
) -> Result<Ran<P::Value>> {
    let gpu = simt();
    let device_graph = DeviceGraph::new(&gpu, graph);
    let options =
        Options { plan: plan.parse()?, paths: Some(trails(graph, 3)), trace: true, ..Options::default() };
    let prepared = Prepared::new(program, graph, None)?;
    run_losing(&device_graph, &prepared, &options, ways, lost)
}

fn stepped<P: VertexProgram>(graph: &Graph, program: &P, ways: Ways) -> Ran<P::Value> {
    let gpu = simt();
    let options = Options { plan: "push".parse().unwrap(), count_work: true, ..Options::default() };
    let prepared = Prepared::new(program, graph, None).unwrap();
    let ran = DeviceGraph::new(&gpu, graph).run(&prepared, &options, ways).unwrap();
    let work = ran.run.work.unwrap();
    assert!(work.edges >= work.updates, "{work:?}");
    ran
}

const SPECS: [&str; 5] =
    ["kron:7", "grid:9x9,w=1..9", "uniform:7,directed,w=1..20", "powerlaw:200,alpha=2.1", "kron:6,directed"];

#[test]
fn values_that_improve_are_those_of_supersteps() {
    for spec in SPECS {
        let graph = generated(spec);
        let check = |name: &str, same: bool, run: &warpgraph_core::Run| {
            assert!(same, "{name} on {spec}");
            let (work, used) = (run.work.unwrap(), run.paths.unwrap());
            assert!(work.updates >= work.merges && work.edges >= work.updates, "{name} on {spec}: {work:?}");
            assert!(
                (used.handled > 0) == (work.edges > 0) && (0.0..=1.0).contains(&used.busy),
                "{name} on {spec}: {used:?}"
            );
            let traced: u64 = run.trace.iter().map(|step| step.edges.unwrap()).sum();
            assert_eq!((run.trace.len() as u64, traced), (run.rounds, work.edges), "{name} on {spec}");
        };
        let tree = HopTree { source: 1, limit: u32::MAX };
        let ran = along(&graph, &tree, "paths", Ways::Out, 0).unwrap();
        check("hops", ran.values[..] == stepped(&graph, &tree, Ways::Out).values[..], &ran.run);
        let shortest = ShortestPaths::<u32>::from(2);
        let ran = along(&graph, &shortest, "paths(np=2)", Ways::Out, 0).unwrap();
        check("shortest", ran.values[..] == stepped(&graph, &shortest, Ways::Out).values[..], &ran.run);
        let widest = WidestPaths::<f32>::from(3);
        let ran = along(&graph, &widest, "paths(np=1)", Ways::Out, 0).unwrap();
        check("widest", ran.values[..] == stepped(&graph, &widest, Ways::Out).values[..], &ran.run);
        let undirected = if graph.is_directed() { continue } else { &graph };
        let ran = along(undirected, &Components {}, "paths", Ways::Both, 0).unwrap();
        check(
            "components",
            ran.values[..] == stepped(undirected, &Components {}, Ways::Both).values[..],
            &ran.run,
        );
    }
}

/// Halves what it sends, so that values bounce between neighbours until all are 0.
struct Halves;

impl VertexProgram for Halves {
    type Value = u32;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "halves";
    const COMBINE: Combine = Combine::Min;

    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<u32> {
        v.id + d.lit(1000)
    }
    fn seeds(&self) -> Seeds {
        Seeds::one(5)
    }
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<u32> {
        e.value / d.lit(2)
    }
}

#[test]
fn messages_bounce_until_nothing_improves_and_only_from_seeds() {
    for spec in SPECS {
        let graph = generated(spec);
        let ran = along(&graph, &Halves, "paths", Ways::Out, 0).unwrap();
        assert_eq!(ran.values[..], stepped(&graph, &Halves, Ways::Out).values[..], "{spec}");
    }
}

#[test]
fn sums_stay_within_the_tolerance() {
    for spec in SPECS {
        let graph = generated(spec);
        let halt = Halt::l1(1e-7);
        let ranks = Ranks::<f64>::of(&graph, 0.85, halt);
        let (ran, expected) =
            (along(&graph, &ranks, "paths", Ways::Out, 0).unwrap(), stepped(&graph, &ranks, Ways::Out));
        let apart: f64 = ran.values.iter().zip(&*expected.values).map(|(a, b)| (a - b).abs()).sum();
        assert!(
            ran.residual.unwrap() < 1e-7 && apart < 2e-6,
            "{spec}: {apart:e} apart, residual {:?}",
            ran.residual
        );
        let narrow = Ranks::<f32>::of(&graph, 0.85, Halt::l1(1e-4));
        let ran = along(&graph, &narrow, "paths", Ways::Out, 0).unwrap();
        let apart: f64 =
            ran.values.iter().zip(&*expected.values).map(|(a, b)| (f64::from(*a) - b).abs()).sum();
        assert!(ran.residual.unwrap() < 1e-4 && apart < 2e-3, "{spec}: {apart:e} apart");
    }
}

/// The tests above can fail: answers are wrong if wake-ups are lost. Along a chain, each chunk is woken once.
#[test]
fn a_lost_wake_up_is_noticed() {
    let chain: Vec<_> = (1..3000).map(|v| (v - 1, v)).collect();
    let chain = Graph::from_edges(3000, &chain, false).unwrap();
    let tree = HopTree { source: 0, limit: u32::MAX };
    let hops = |lost| along(&chain, &tree, "paths", Ways::Out, lost).unwrap().values;
    let expected = hops(0);
    assert!((0..3000).all(|v| expected[v] >> 32 == v as u64));
    for lost in [1, 2, 7, 30] {
        assert_ne!(hops(lost)[..], expected[..], "one of {lost} wake-ups was lost");
    }
}

#[test]
fn a_sum_that_does_not_converge_ends_as_an_error_or_at_its_limit() {
    let ring: Vec<_> = (0..40).map(|v| (v, (v + 1) % 40)).collect();
    let ring = Graph::from_edges(40, &ring, true).unwrap();
    let endless = along(&ring, &Grows, "paths", Ways::Out, 0).map(|ran| ran.run.rounds);
    assert!(endless.unwrap_err().to_string().contains("comes no nearer to its end"));
    let graph = generated("kron:6");
    let limited = Ranks::<f64>::of(&graph, 0.999, Halt::l1(1e-12).or(Halt::rounds(5)));
    let ran = along(&graph, &limited, "paths", Ways::Out, 0).unwrap();
    assert_eq!(ran.run.halt, warpgraph_core::Halted::MaxIterations);
    let (edges, arcs) = (ran.run.work.unwrap().edges, graph.arcs() as u64);
    assert!(ran.residual.unwrap() > 1e-12 && edges >= 5 * arcs && edges <= 40 * arcs, "{edges} of {arcs}");
}

/// Sends everything it has, so that sums around a cycle grow for ever.
struct Grows;

impl VertexProgram for Grows {
    type Value = f64;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "grows";
    const COMBINE: Combine = Combine::Sum;
    const DISTRIBUTES: bool = true;

    fn init<D: Dialect>(&self, d: &D, _: Vertex<D, ()>) -> D::Val<f64> {
        d.lit(1.0)
    }
    fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<f64> {
        e.value
    }
    fn halt(&self) -> Halt {
        Halt::l1(1e-6)
    }
}
