//! Compares the builder with a naive reference, on several numbers of threads.

use super::*;
use crate::{csr::Csr, transpose::transpose};
use proptest::prelude::*;

/// An edge list with small integer weights.
type Edges = Vec<(Vertex, Vertex, u8)>;

/// The source, target and weight of each arc, sorted.
type Listed = Vec<(Vertex, Vertex, f64)>;

/// Returns the expected result of [`build`]: arcs, dropped self-loops, merged edges.
fn naive(edges: &Edges, options: &Options) -> (Listed, u64, u64) {
    let mut arcs = Vec::new();
    let mut loops = 0;
    for (i, &(u, v, w)) in edges.iter().enumerate() {
        if u == v && options.loops == Loops::Drop {
            loops += 1;
            continue;
        }
        arcs.push((u, v, i, f64::from(w)));
        if !options.directed && u != v {
            arcs.push((v, u, i, f64::from(w)));
        }
    }
    arcs.sort_by_key(|&(u, v, i, _)| (u, v, i));
    let (mut out, mut merged): (Listed, u64) = (Vec::new(), 0);
    for (u, v, _, w) in arcs {
        match out.last_mut() {
            Some(last) if options.parallel != Parallel::Keep && (last.0, last.1) == (u, v) => {
                merged += u64::from(options.directed || u <= v);
                match options.parallel {
                    Parallel::Min => last.2 = last.2.min(w),
                    Parallel::Sum => last.2 += w,
                    _ => {}
                }
            }
            _ => out.push((u, v, w)),
        }
    }
    (out, loops, merged)
}

fn listed(arcs: &Arcs) -> Listed {
    let csr = Csr::new(arcs.csr.offsets().clone(), arcs.csr.targets().clone(), "test").unwrap();
    assert!(arcs.weights.weight_type().is_none() || arcs.weights.len() == csr.arcs());
    let row = |u| csr.arcs_of(u).map(move |i| (u, i));
    let all = (0..csr.vertices() as Vertex).flat_map(row);
    all.map(|(u, i)| (u, csr.targets()[i], arcs.weights.get(i))).collect()
}

fn chunks(edges: &Edges, vertices: usize, kind: usize, pieces: usize) -> EdgeList {
    let chunk = |edges: &[(Vertex, Vertex, u8)]| EdgeChunk {
        pairs: edges.iter().map(|e| [e.0, e.1]).collect(),
        weights: match kind {
            0 => EdgeWeights::None,
            1 => EdgeWeights::U32(edges.iter().map(|e| e.2.into()).collect()),
            2 => EdgeWeights::I32(edges.iter().map(|e| e.2.into()).collect()),
            3 => EdgeWeights::F32(edges.iter().map(|e| e.2.into()).collect()),
            _ => EdgeWeights::F64(edges.iter().map(|e| e.2.into()).collect()),
        },
    };
    let size = edges.len().div_ceil(pieces).max(1);
    EdgeList { vertices, chunks: edges.chunks(size).map(chunk).collect() }
}

fn all_options() -> Vec<Options> {
    let mut all = Vec::new();
    for directed in [true, false] {
        for loops in [Loops::Keep, Loops::Drop] {
            for parallel in [Parallel::Keep, Parallel::First, Parallel::Min, Parallel::Sum] {
                all.push(Options { directed, loops, parallel });
            }
        }
    }
    all
}

fn assert_built(edges: &Edges, vertices: usize, kind: usize, pieces: usize, options: &Options) {
    let (mut expected, loops, merged) = naive(edges, options);
    if kind == 0 {
        expected.iter_mut().for_each(|arc| arc.2 = 1.0);
    }
    let built = build(chunks(edges, vertices, kind, pieces), options, &Control::new()).unwrap();
    assert_eq!(listed(&built.arcs), expected, "{options:?}");
    assert_eq!((built.loops_dropped, built.merged), (loops, merged), "{options:?}");
    let mut turned: Listed = expected.iter().map(|&(u, v, w)| (v, u, w)).collect();
    turned.sort_by_key(|&(u, v, _)| (u, v));
    assert_eq!(listed(&transpose(&built.arcs).unwrap()), turned, "{options:?}");
}

/// Returns a pseudorandom number that depends only on `n`.
fn mixed(n: u64) -> u64 {
    let x = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20
}

fn random_edges(count: u64, vertices: u64) -> Edges {
    let vertex = |n| (mixed(n) % vertices) as Vertex;
    (0..count).map(|i| (vertex(3 * i), vertex(3 * i + 1), mixed(3 * i + 2) as u8)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn small_lists_are_built_as_the_naive_builder_does(
        edges in prop::collection::vec((0u32..9, 0u32..9, 0u8..20), 0..60),
        kind in 0usize..5,
        pieces in 1usize..5,
    ) {
        for options in all_options() {
            assert_built(&edges, 9, kind, pieces, &options);
        }
    }
}

#[test]
fn large_lists_are_built_as_the_naive_builder_does() {
    // Many buckets of narrow keys; many buckets of wide keys; few vertices with many arcs.
    for (count, vertices, kind) in [(300_000, 1 << 18, 1), (200_000, 2_500_000, 4), (250_000, 40, 2)] {
        let edges = random_edges(count, vertices);
        for options in all_options().into_iter().step_by(5) {
            assert_built(&edges, vertices as usize, kind, 3, &options);
        }
    }
}

#[test]
fn the_graph_is_the_same_on_any_number_of_threads() {
    let edges = random_edges(300_000, 1000);
    let options = Options { directed: false, loops: Loops::Keep, parallel: Parallel::Sum };
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| listed(&build(chunks(&edges, 1000, 3, 7), &options, &Control::new()).unwrap().arcs))
    };
    let one = on(1);
    assert!(one == on(2) && one == on(5));
}

const PLAIN: Options = Options { directed: true, loops: Loops::Keep, parallel: Parallel::Min };

fn list_of(vertices: usize, pairs: Vec<[Vertex; 2]>, weights: EdgeWeights) -> EdgeList {
    EdgeList { vertices, chunks: vec![EdgeChunk { pairs, weights }] }
}

#[test]
fn an_endpoint_that_is_no_vertex_is_refused() {
    for (vertices, pair, got) in [(3, [1, 3], 3), (3, [70_000, 1], 70_000), (0, [0, 0], 0)] {
        let error = build(list_of(vertices, vec![pair], EdgeWeights::None), &PLAIN, &Control::new());
        assert_eq!(
            error.unwrap_err().to_string(),
            format!("an edge has endpoint {got}, expected one below {vertices}")
        );
    }
}

#[test]
fn weights_that_do_not_fit_the_edges_are_refused() {
    let few = list_of(2, vec![[0, 1], [1, 0]], EdgeWeights::U32(vec![1]));
    let error = build(few, &PLAIN, &Control::new()).unwrap_err();
    assert_eq!(error.to_string(), "1 weights for 2 edges of a chunk");
    let mut mixed = list_of(2, vec![[0, 1]], EdgeWeights::U32(vec![1]));
    mixed.chunks.push(EdgeChunk { pairs: vec![[0, 1]], weights: EdgeWeights::None });
    let error = build(mixed, &PLAIN, &Control::new()).unwrap_err();
    assert_eq!(error.to_string(), "the chunks of the edge list have weights of different types");
}

#[test]
fn sums_that_leave_their_type_are_an_error_and_do_not_wrap() {
    let options = Options { parallel: Parallel::Sum, ..PLAIN };
    let twice = vec![[0, 1], [0, 1]];
    for (weights, name) in [
        (EdgeWeights::U32(vec![u32::MAX, 1]), "u32"),
        (EdgeWeights::I32(vec![i32::MIN, -1]), "i32"),
        (EdgeWeights::F64(vec![f64::MAX, f64::MAX]), "f64"),
    ] {
        let error = build(list_of(2, twice.clone(), weights), &options, &Control::new()).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("the weights of parallel edges add up to more than {name} can hold")
        );
    }
}

#[test]
fn building_stops_when_asked_and_tells_how_far_it_is() {
    let control = Control::new();
    control.cancel();
    let error = build(list_of(2, vec![[0, 1]], EdgeWeights::None), &PLAIN, &control).unwrap_err();
    assert_eq!(error.to_string(), "interrupted while building the graph");
    let last = std::sync::Arc::new(std::sync::Mutex::new((0, None)));
    let seen = last.clone();
    let control = Control::new().with_progress(move |p| *seen.lock().unwrap() = (p.done, p.total));
    build(list_of(2, vec![[0, 1]; 10], EdgeWeights::None), &PLAIN, &control).unwrap();
    assert_eq!(*last.lock().unwrap(), (30, Some(30)));
}

#[test]
fn a_graph_without_vertices_or_edges_is_built() {
    for vertices in [0, 1, 5] {
        let built = build(EdgeList { vertices, chunks: Vec::new() }, &PLAIN, &Control::new()).unwrap();
        assert_eq!((built.arcs.csr.vertices(), built.arcs.csr.arcs()), (vertices, 0));
    }
}
