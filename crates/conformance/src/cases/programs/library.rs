//! The programs that come with warpgraph.

use super::{arcs, each_plan};
use crate::oracle::{self, Lengths};
use crate::{Backend, cases::assert_same, covering, fixtures::Fixture};
use warpgraph::{
    Halt, PageRank,
    graph::{Vertex, Weights},
    program::{
        Float, Scalar,
        library::{Components, HopTree, Hops, Ranks, Reach, ShortestPaths, WidestPaths},
    },
};

/// Hops, trees and reachability are those of a breadth-first search.
pub(super) fn hops_equal_the_oracle(backend: &Backend) {
    for fixture in backend.fixtures() {
        for source in backend.sources(fixture) {
            for limit in [u32::MAX, 2] {
                hops(backend, fixture, source, limit);
            }
        }
    }
}

/// The same in every order of the vertices: programs see original numbers, and so do their answers.
pub(super) fn hops_do_not_depend_on_the_order(backend: &Backend) {
    let count = if backend.is_dealt() { 1 } else { 2 };
    for fixture in backend.fixtures().into_iter().filter(|f| !f.is_large()) {
        for order in covering::orders("hops", fixture, count) {
            let source = backend.sources(fixture).into_iter().next_back();
            source.into_iter().for_each(|source| hops(&backend.in_order(order), fixture, source, 3));
        }
    }
}

/// Hops, trees and, without a limit, what is reached from one source are right, by every plan.
///
/// # Panics
/// When they are not.
pub fn hops(backend: &Backend, fixture: &Fixture, source: Vertex, limit: u32) {
    let graph = &fixture.graph;
    let expected = oracle::bfs(graph, source, Some(limit));
    let coded: Vec<u32> = expected.iter().map(|d| d.unwrap_or(u32::MAX)).collect();
    each_plan(backend, fixture, &Hops { source, limit }, |answer, at| {
        assert_same(answer.values(), &coded, &at);
    });
    let mut tree: Vec<u64> = coded.iter().map(|&d| u64::from(d) << 32 | u64::from(u32::MAX)).collect();
    tree[source as usize] = u64::from(source);
    for (u, v, _) in arcs(graph) {
        let nearer =
            coded[u as usize].checked_add(1) == Some(coded[v as usize]) && coded[v as usize] != u32::MAX;
        if nearer {
            tree[v as usize] = tree[v as usize].min(u64::from(coded[v as usize]) << 32 | u64::from(u));
        }
    }
    each_plan(backend, fixture, &HopTree { source, limit }, |answer, at| {
        assert_same(answer.values(), &tree, &at);
    });
    if limit == u32::MAX {
        let other = graph.vertices() as Vertex - 1;
        let also = oracle::bfs(graph, other, None);
        let reached: Vec<u32> =
            expected.iter().zip(&also).map(|(a, b)| u32::from(a.is_some() || b.is_some())).collect();
        let reach = Reach::from([source, other, source], graph.vertices());
        each_plan(backend, fixture, &reach, |answer, at| assert_same(answer.values(), &reached, &at));
    }
}

/// Distances are the oracle's, to the last bit, in the type of the weights.
pub(super) fn shortest_paths_equal_the_oracle(backend: &Backend) {
    for fixture in backend.fixtures() {
        if fixture.graph.weight_range().is_some_and(|(least, _)| least < 0.0) {
            continue;
        }
        for source in backend.sources(fixture) {
            let lengths = oracle::sssp(&fixture.graph, source).expect("no negative cycle");
            match (&fixture.graph.out().weights, lengths) {
                (Weights::F32(_), Lengths::Decimals(d)) => shortest::<f32>(backend, fixture, source, &d),
                (_, Lengths::Decimals(d)) => shortest::<f64>(backend, fixture, source, &d),
                (_, Lengths::Integers(d)) => {
                    let whole: Vec<u64> = d.iter().map(|d| d.map_or(u64::MAX, |d| d as u64)).collect();
                    let program = ShortestPaths::<u64>::from(source);
                    each_plan(backend, fixture, &program, |answer, at| {
                        assert_same(answer.values(), &whole, &at);
                    });
                }
            }
        }
    }
}

fn shortest<T: Float>(backend: &Backend, fixture: &Fixture, source: Vertex, expected: &[Option<f64>]) {
    let coded: Vec<T> = expected.iter().map(|d| d.map_or(T::GREATEST, |d| d.cast())).collect();
    let program = ShortestPaths::<T>::from(source);
    each_plan(backend, fixture, &program, |answer, at| assert_same(answer.values(), &coded, &at));
}

/// The widest ways are those a serial loop over all arcs finds.
pub(super) fn widest_paths_equal_a_serial_loop(backend: &Backend) {
    for fixture in backend.fixtures() {
        for source in backend.sources(fixture) {
            let mut width = vec![f64::NEG_INFINITY; fixture.graph.vertices()];
            width[source as usize] = f64::INFINITY;
            let arcs = arcs(&fixture.graph);
            let mut changed = true;
            while changed {
                changed = false;
                for &(u, v, w) in &arcs {
                    let way = width[u as usize].min(w);
                    if way > width[v as usize] {
                        (width[v as usize], changed) = (way, true);
                    }
                }
            }
            let program = WidestPaths::<f64>::from(source);
            each_plan(backend, fixture, &program, |answer, at| assert_same(answer.values(), &width, &at));
        }
    }
}

/// Components are the oracle's, on undirected graphs.
pub(super) fn components_equal_the_oracle(backend: &Backend) {
    for fixture in backend.fixtures().into_iter().filter(|f| !f.graph.is_directed()) {
        let expected = oracle::wcc(&fixture.graph);
        each_plan(backend, fixture, &Components {}, |answer, at| {
            assert_same(answer.values(), &expected, &at);
        });
    }
}

/// Ranks are near the oracle's. A residual r leaves values at most r / (1 - d) from the fixed point, in all; scaling them to sum 1
/// at most doubles that and divides it by the sum.
pub(super) fn ranks_are_near_the_oracle(backend: &Backend) {
    for fixture in backend.fixtures() {
        for damping in [0.85, 0.3] {
            let config = PageRank { damping, ..PageRank::default() };
            let expected = oracle::pagerank(&fixture.graph, &config).expect("ranks");
            ranks::<f64>(backend, fixture, damping, 1e-10, &expected);
            ranks::<f32>(backend, fixture, damping, 1e-4, &expected);
        }
    }
}

fn ranks<T: Float>(backend: &Backend, fixture: &Fixture, damping: f64, tolerance: f64, expected: &[f64]) {
    let program = Ranks::<T>::of(&fixture.graph, damping, Halt::l1(tolerance).or(Halt::rounds(1000)));
    each_plan(backend, fixture, &program, |answer, at| {
        let sum: f64 = answer.values().iter().map(|x| x.to_f64()).sum();
        let off: f64 = answer.normalised().iter().zip(expected).map(|(a, b)| (a - b).abs()).sum();
        let bound = 2.0 * tolerance / (1.0 - damping) / sum.max(f64::MIN_POSITIVE) + 1e-9;
        assert!(
            fixture.graph.vertices() == 0 || off <= bound,
            "{at}: {off:e} from the oracle, allowed are {bound:e}"
        );
    });
}
