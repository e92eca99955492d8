//! Decompositions of random graphs into many parts, and of graphs whose paths are known.

use super::*;
use crate::paths::{set::Set, strands::Strand};
use proptest::{collection::vec, prelude::*};
use std::time::{Duration, Instant};
use warpgraph_core::PathPlan;
use warpgraph_graph::{
    Arcs, Csr, Ids, Offset, Offsets, Origin, Vertex,
    build::{self, EdgeChunk, EdgeList, EdgeWeights, Loops, Parallel},
    generate::Spec,
    paths::SLOTS,
};

fn graph(n: usize, edges: &[(Vertex, Vertex, u32)], weighted: bool, directed: bool) -> Graph {
    let weights = match weighted {
        true => EdgeWeights::U32(edges.iter().map(|edge| edge.2 % 3).collect()),
        false => EdgeWeights::None,
    };
    let pairs = edges.iter().map(|edge| [edge.0, edge.1]).collect();
    let list = EdgeList { vertices: n, chunks: vec![EdgeChunk { pairs, weights }] };
    let how = build::Options { directed, loops: Loops::Keep, parallel: Parallel::Keep };
    let arcs = build::build(list, &how, &Control::new()).unwrap().arcs;
    Graph::new(arcs, directed, Ids::zero_based(n), Origin::default()).unwrap()
}

fn wide(graph: &Graph) -> Graph {
    let Arcs { csr, weights } = graph.out().clone();
    let offsets: Vec<u64> = (0..=graph.vertices()).map(|v| csr.offsets().get(v) as u64).collect();
    let csr = Csr::new(Offsets::Wide(offsets.into()), csr.targets().clone(), "wide").unwrap();
    Graph::new(Arcs { csr, weights }, graph.is_directed(), graph.ids().clone(), Origin::default()).unwrap()
}

fn generated(text: &str) -> Graph {
    text.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
}

/// Draws graphs with loops, parallel edges, isolated vertices, and weights or none.
fn graphs() -> impl Strategy<Value = Graph> {
    // Few targets make hubs and parallel edges.
    let edge = |n: Vertex| (0..n, prop_oneof![0..n, 0..n.min(4)], any::<u32>());
    let parts = (1..60u32).prop_flat_map(move |n| (Just(n), vec(edge(n), 0..250)));
    (parts, any::<bool>(), any::<bool>())
        .prop_map(|((n, edges), weighted, directed)| graph(n as usize, &edges, weighted, directed))
}

fn recipe(lambda: u32, both_arcs: bool) -> Recipe {
    Recipe { lambda, beta: 10_000, importance: "degree".to_owned(), both_arcs }
}

fn recipes() -> impl Strategy<Value = Recipe> {
    let lambda =
        prop_oneof![Just(0), Just(1), Just(25_000), Just(300_000), Just(1_000_000), 0..=1_000_000u32];
    (lambda, any::<bool>()).prop_map(|(lambda, both_arcs)| recipe(lambda, both_arcs))
}

fn made(graph: &Graph, recipe: &Recipe, parts: usize) -> Paths {
    let control = Control::new();
    let hubs = Hubs::of(graph, recipe, None, &Means::on_cpu(1, &control)).unwrap();
    in_parts(graph, recipe, &hubs, parts, &control).unwrap()
}

fn check_same(a: &Paths, b: &Paths) {
    assert_eq!((a.found(), a.hub_chunks(), a.chunks()), (b.found(), b.hub_chunks(), b.chunks()));
    assert_eq!(a.vertices()[..], b.vertices()[..]);
    assert_eq!(a.joined()[..], b.joined()[..]);
    assert!((0..a.arcs().len()).all(|slot| a.arcs().get(slot) == b.arcs().get(slot)));
}

/// Returns the vertices of every path.
fn listed<O: Offset>(strand: &Strand<O>) -> Vec<Vec<Vertex>> {
    let mut edge = 0;
    let path = |&[from, edges]: &[u32; 2]| {
        let ends = &strand.ends[edge..edge + edges as usize];
        edge += edges as usize;
        std::iter::once(from).chain(ends.iter().copied()).collect()
    };
    let paths = strand.paths.iter().map(path).collect();
    assert_eq!((edge, strand.ends.len()), (strand.ends.len(), strand.arcs.len()));
    paths
}

/// Checks that paths end at hubs where they must, and pass none.
fn check_strands(graph: &Graph, recipe: &Recipe, parts: usize) {
    let control = Control::new();
    let hubs = Hubs::of(graph, recipe, None, &Means::on_cpu(1, &control)).unwrap();
    let parts = Parts::of(&graph.out().csr, parts);
    let strands = with_view!(graph.out().csr, |view| {
        let strands = strands(graph, view, recipe, &parts, &hubs, &control).unwrap();
        strands.into_iter().map(|s| [listed(&s.hub), listed(&s.cold)]).collect::<Vec<_>>()
    });
    for (i, [hub, cold]) in strands.iter().enumerate() {
        let part = parts.part(i);
        for path in hub.iter().chain(cold) {
            assert!(path[1..path.len() - 1].iter().all(|&v| !hubs.has(v)), "{path:?}");
            // Every edge has an end in the part.
            assert!(path.windows(2).all(|ends| ends.iter().any(|v| part.contains(v))), "{path:?}");
        }
        assert!(hub.iter().all(|path| hubs.has(path[path.len() - 1])));
        assert!(cold.iter().all(|path| !hubs.has(path[path.len() - 1])));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_edge_is_on_one_path_once(graph in graphs(), recipe in recipes(), parts in 1..20usize) {
        for graph in [wide(&graph), graph] {
            let paths = made(&graph, &recipe, parts);
            paths.check(&graph).unwrap();
            prop_assert_eq!(paths.found().edges(), covered(&graph, &recipe));
            let joined: u32 = paths.joined().iter().map(|word| word.count_ones()).sum();
            prop_assert_eq!(u64::from(joined), paths.found().edges());
            prop_assert!(recipe.lambda > 0 || paths.found().hubs == 0);
        }
    }

    #[test]
    fn hub_paths_end_at_hubs_and_no_path_passes_one(graph in graphs(), recipe in recipes(), parts in 1..20usize) {
        check_strands(&graph, &recipe, parts);
    }

    #[test]
    fn paths_do_not_depend_on_threads(graph in graphs(), recipe in recipes(), parts in 1..20usize) {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| made(&graph, &recipe, parts))
        };
        check_same(&on(1), &on(3));
    }
}

#[test]
fn large_graphs_in_several_parts_do_not_depend_on_threads() {
    for text in ["kron:18", "uniform:18,degree=20,directed", "grid:1100x1100"] {
        let graph = generated(text);
        assert!(number(&graph) > 1, "{text}");
        for importance in ["degree", "closeness"] {
            let recipe = Recipe { importance: importance.to_owned(), ..recipe(25_000, false) };
            let [one, three] = [1, 3].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let run = || paths(&graph, &recipe, None, &Means::on_cpu(4, &Control::new())).unwrap();
                pool.install(run)
            });
            check_same(&one, &three);
            one.check(&graph).unwrap();
        }
    }
}

#[test]
fn graphs_without_arcs_have_no_chunks() {
    for (n, directed) in [(0, true), (0, false), (1, true), (1, false), (200, false)] {
        let graph = graph(n, &[], false, directed);
        for lambda in [0, 1_000_000] {
            let paths = paths(&graph, &recipe(lambda, false), None, &Means::on_cpu(1, &Control::new()));
            let paths = paths.unwrap();
            assert_eq!((paths.chunks(), *paths.found()), (0, Found { hubs: 0, ..Found::default() }));
            paths.check(&graph).unwrap();
            assert!(paths.homes(n).is_ok());
        }
    }
    let mut lonely = made(&graph(1, &[(0, 0, 0)], false, false), &recipe(0, false), 3);
    assert_eq!((lonely.found().cold_paths, lonely.vertices()[0], lonely.vertices()[32]), (1, 0, 0));
    lonely = made(&graph(1, &[(0, 0, 0)], false, true), &recipe(0, false), 3);
    assert_eq!(lonely.found().cold_edges, 1);
}

#[test]
fn the_centre_of_a_star_is_its_hub_and_its_paths_share_lanes() {
    let edges: Vec<_> = (1..=512).map(|v| (0, v, 0)).collect();
    for directed in [false, true] {
        let star = graph(513, &edges, false, directed);
        let paths = made(&star, &recipe(25_000, false), 1);
        paths.check(&star).unwrap();
        let found = paths.found();
        assert_eq!((found.hubs, found.hub_paths, found.cold_paths, found.cold_edges), (1, 0, 512, 512));
        // 16 paths of two rows fill a lane.
        assert_eq!(paths.chunks(), 1);
        assert!(paths.joined().iter().all(|&word| word == 0x5555_5555));
    }
    // The other way round, every leaf leads to the hub.
    let edges: Vec<_> = (1..=512).map(|v| (v, 0, 0)).collect();
    let found = *made(&graph(513, &edges, false, true), &recipe(25_000, false), 1).found();
    assert_eq!((found.hub_paths, found.cold_paths), (512, 0));
}

#[test]
fn a_walk_goes_on_before_the_hub_that_it_met() {
    // Hubs 0 and 9. The walk 0-1-2-9 is a hub path; 2 has more edges: 2-3-9 begins at a vertex that is no hub; 1-4 is cold.
    let edges: Vec<_> =
        [(0, 1), (1, 2), (2, 9), (2, 3), (3, 9), (1, 4), (4, 5)].map(|(u, v)| (u, v, 0)).into();
    let graph = graph(10, &edges, false, true);
    let hubs = Hubs::new(Set::of(10, |v| v == 0 || v == 9).unwrap());
    let parts = Parts::of(&graph.out().csr, 1);
    let (recipe, control) = (recipe(1, false), Control::new());
    let [hub, cold] = with_view!(graph.out().csr, |view| {
        let strands = strands(&graph, view, &recipe, &parts, &hubs, &control).unwrap();
        [listed(&strands[0].hub), listed(&strands[0].cold)]
    });
    // Rows are sorted: 2 leads to 3 first.
    assert_eq!(hub, [vec![0, 1, 2, 3, 9], vec![2, 9]]);
    assert_eq!(cold, [vec![1, 4, 5]]);
}

#[test]
fn regular_graphs_have_no_hubs() {
    let edges: Vec<_> = (0..80).flat_map(|u| (u + 1..80).map(move |v| (u, v, 0))).collect();
    let complete = graph(80, &edges, false, false);
    for parts in [1, 7] {
        let paths = made(&complete, &recipe(500_000, false), parts);
        paths.check(&complete).unwrap();
        assert_eq!((paths.found().hubs, paths.hub_chunks(), paths.found().cold_edges), (0, 0, 80 * 79 / 2));
    }
}

#[test]
fn a_path_of_millions_of_edges_wastes_few_slots() {
    let n = 3_000_000;
    let edges: Vec<_> = (1..n).map(|v| (v - 1, v)).collect();
    for directed in [false, true] {
        let line = Graph::from_edges(n as usize, &edges, directed).unwrap();
        for parts in [1, 3] {
            let paths = made(&line, &recipe(0, false), parts);
            paths.check(&line).unwrap();
            let used = paths.found().edges() as f64 / (paths.chunks() * SLOTS) as f64;
            assert!(used > 0.9 && paths.found().cold_paths < 2 * parts as u64, "{used} {:?}", paths.found());
        }
    }
}

#[test]
fn slots_are_filled_on_graphs_of_all_kinds() {
    for text in ["kron:14", "grid:200x200", "powerlaw:40000,alpha=2.1,directed", "uniform:15,degree=3"] {
        let graph = generated(text);
        let paths = made(&graph, &PathPlan::DEFAULT.recipe(&graph), 1);
        let found = paths.found();
        let needed = found.edges() + found.paths();
        let used = needed as f64 / (paths.chunks() * SLOTS) as f64;
        assert!(used > 0.75, "{text}: {used} {found:?}");
    }
}

#[test]
fn an_importance_of_the_users_own_chooses_the_hubs() {
    let graph = generated("grid:20x20");
    let recipe = Recipe { importance: "rain".to_owned(), ..recipe(25_000, false) };
    let own: Vec<f64> = (0..400).map(|v| if v % 100 == 7 { 9.0 } else { f64::NEG_INFINITY }).collect();
    let control = Control::new();
    let means = Means::on_cpu(1, &control);
    assert_eq!(paths(&graph, &recipe, Some(&own), &means).unwrap().found().hubs, 4);
    let refused = |own: Option<&[f64]>| paths(&graph, &recipe, own, &means).unwrap_err().to_string();
    assert_eq!(refused(Some(&own[1..])), "the importance has 399 numbers for 400 vertices");
    let mut hole = own;
    hole[3] = f64::NAN;
    assert_eq!(refused(Some(&hole)), "the importance of vertex 3 is NaN");
    assert_eq!(refused(None), "the importance \"rain\" is none that can be computed");
}

#[test]
fn where_many_shortest_paths_meet_is_important_by_closeness_and_betweenness() {
    // Forty arms of five vertices meet at vertex 0, whose neighbour 201 has more neighbours than it.
    let arms = (1..=200).map(|v| (if v % 5 == 1 { 0 } else { v - 1 }, v));
    let edges: Vec<_> = arms.chain([(0, 201)]).collect();
    let graph = Graph::from_edges(202, &edges, false).unwrap();
    let control = Control::new();
    for importance in ["closeness", "betweenness"] {
        let recipe = Recipe { importance: importance.to_owned(), ..recipe(10_000, false) };
        let hubs = Hubs::of(&graph, &recipe, None, &Means::on_cpu(1, &control)).unwrap();
        assert!((1..=2).contains(&hubs.count()) && hubs.has(0), "{importance}: {}", hubs.count());
    }
}

#[test]
fn degrees_of_directed_graphs_count_both_directions() {
    let edges: Vec<_> = (1..50).map(|v| (v, 0, 0)).chain((51..100).map(|v| (50, v, 0))).collect();
    let graph = graph(100, &edges, false, true);
    let hubs = Hubs::of(&graph, &recipe(30_000, false), None, &Means::on_cpu(1, &Control::new())).unwrap();
    assert!(hubs.count() == 2 && hubs.has(0) && hubs.has(50) && !graph.has_incoming());
}

#[test]
fn a_stopped_control_ends_the_work() {
    let graph = generated("grid:30x30");
    let control = Control::new();
    control.cancel();
    let error = paths(&graph, &recipe(0, false), None, &Means::on_cpu(1, &control)).unwrap_err();
    assert_eq!(error.to_string(), "interrupted while making paths");
}

#[test]
fn too_many_slots_are_refused_in_words() {
    let error = refuse_too_many(1 << 32).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the paths of this graph needs 4294967296 slots or more, the limit is 2^32-1 slots"
    );
}

/// Returns the time to build the graph from its edges in a random order.
fn rebuild(graph: &Graph) -> Duration {
    let csr = &graph.out().csr;
    let row = |u: Vertex| csr.neighbors(u).iter().map(move |&v| [u, v]);
    let all = (0..graph.vertices() as Vertex).flat_map(row);
    let mut pairs: Vec<_> = all.filter(|[u, v]| graph.is_directed() || u <= v).collect();
    pairs.sort_by_cached_key(|[u, v]| warpgraph_graph::hash::mix((*u).into(), (*v).into()));
    let chunks = vec![EdgeChunk { pairs, weights: EdgeWeights::None }];
    let list = EdgeList { vertices: graph.vertices(), chunks };
    let how = build::Options { directed: graph.is_directed(), loops: Loops::Keep, parallel: Parallel::Keep };
    let start = Instant::now();
    let built = build::build(list, &how, &Control::new()).unwrap();
    assert_eq!(built.arcs.csr.arcs(), graph.arcs());
    start.elapsed()
}

/// The least times of several runs: `cargo test --release -p warpgraph-transform --lib -- --ignored --nocapture builds`.
#[test]
#[ignore = "measures time"]
fn paths_take_less_time_than_five_builds() {
    for text in ["kron:20", "grid:1024x1024", "uniform:20,degree=16,directed"] {
        let graph = generated(text);
        let build = (0..3).map(|_| rebuild(&graph)).min().unwrap();
        let recipe = PathPlan::DEFAULT.recipe(&graph);
        let make = |_| {
            let start = Instant::now();
            let made = paths(&graph, &recipe, None, &Means::on_cpu(1, &Control::new())).unwrap();
            (start.elapsed(), made)
        };
        let (time, made) = (0..5).map(make).min_by_key(|run| run.0).unwrap();
        let (found, chunks) = (made.found(), made.chunks());
        let filled = (found.edges() + found.paths()) as f64 / (chunks * SLOTS) as f64;
        println!("{text}: build {build:.2?}, paths {time:.2?}, {} hub chunks of {chunks}", made.hub_chunks());
        println!("{filled:.3} of the slots in use, {found:?}");
        assert!(time < 5 * build, "{text}");
    }
}
