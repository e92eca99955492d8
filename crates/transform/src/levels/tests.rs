//! Figures computed by hand, and by a slow method that examines every pair and every edge.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use super::*;
use proptest::{collection::vec, prelude::*};
use std::collections::{BTreeSet, VecDeque};
use warpgraph_graph::{Graph, Offsets, Vertex, generate::Spec};

/// Returns the levels of a search, found with a queue.
pub(crate) fn search(csr: &Csr, source: Vertex) -> Vec<u32> {
    let mut levels = vec![UNREACHED; csr.vertices()];
    levels[source as usize] = 0;
    let mut queue = VecDeque::from([source]);
    while let Some(u) = queue.pop_front() {
        for &v in csr.neighbors(u) {
            if levels[v as usize] == UNREACHED {
                levels[v as usize] = levels[u as usize] + 1;
                queue.push_back(v);
            }
        }
    }
    levels
}

pub(crate) fn frontiers(levels: &[u32]) -> Frontiers {
    Frontiers::of(levels, &Control::new()).unwrap()
}

pub(crate) fn generated(text: &str) -> Graph {
    text.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
}

fn of(csr: &Csr, levels: &[u32], edge_bytes: u32) -> LevelLocality {
    Traversal::of(csr, &frontiers(levels), edge_bytes, &Control::new()).unwrap().means()
}

fn directed(n: usize, edges: &[(Vertex, Vertex)]) -> Csr {
    Graph::from_edges(n, edges, true).unwrap().out().csr.clone()
}

/// The same arcs with 64-bit offsets.
fn wide(csr: &Csr) -> Csr {
    let offsets: Vec<u64> = (0..=csr.vertices()).map(|v| csr.offsets().get(v) as u64).collect();
    Csr::new(Offsets::Wide(offsets.into()), csr.targets().clone(), "wide").unwrap()
}

/// The same figures, pair by pair and edge by edge.
fn naive(csr: &Csr, levels: &[u32], edge_bytes: u32) -> LevelLocality {
    let level = |l: u32| (0..csr.vertices() as Vertex).filter(move |&v| levels[v as usize] == l);
    let depth = levels.iter().filter(|&&l| l != UNREACHED).max().map_or(0, |&l| l + 1);
    let (mut intra, mut inter, mut pages, mut edges) = (Vec::new(), Vec::new(), BTreeSet::new(), 0);
    for l in 0..depth {
        let active: Vec<Vertex> = level(l).collect();
        intra.extend(active.windows(2).map(|pair| f64::from(pair[1] - pair[0]).log2()));
        for &v in &active {
            let nearest = (l > 0).then(|| level(l - 1).map(|u| u.abs_diff(v)).min()).flatten();
            inter.extend(nearest.map(|gap| f64::from(gap).log2()));
            for arc in csr.arcs_of(v) {
                edges += 1;
                let first = arc as u64 * u64::from(edge_bytes);
                pages.extend([(l, first / PAGE), (l, (first + u64::from(edge_bytes) - 1) / PAGE)]);
            }
        }
    }
    let mean = |gaps: &[f64]| (!gaps.is_empty()).then(|| gaps.iter().sum::<f64>() / gaps.len() as f64);
    let ideal_pages = (edges * u64::from(edge_bytes)) as f64 / PAGE as f64;
    LevelLocality {
        sources: 1,
        levels: Some(depth.into()),
        reached: levels.iter().filter(|&&l| l != UNREACHED).count() as u64,
        edges,
        intra_gap: mean(&intra),
        inter_gap: mean(&inter),
        pages: pages.len() as u64,
        ideal_pages,
        page_ratio: (edges > 0).then(|| pages.len() as f64 / ideal_pages),
        pages_per_level: (depth > 0).then(|| pages.len() as f64 / f64::from(depth)),
    }
}

/// Asserts equality except for rounding.
fn assert_near(got: &LevelLocality, expected: &LevelLocality) {
    let near = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-9 * b.abs().max(1.0),
        (a, b) => a == b,
    };
    let means = |x: &LevelLocality| [x.intra_gap, x.inter_gap, x.page_ratio];
    assert!(means(got).into_iter().zip(means(expected)).all(|(a, b)| near(a, b)), "{got:?} {expected:?}");
    let exact = LevelLocality {
        intra_gap: expected.intra_gap,
        inter_gap: expected.inter_gap,
        page_ratio: expected.page_ratio,
        ..got.clone()
    };
    assert_eq!(&exact, expected);
}

#[test]
fn a_path_in_order_moves_like_a_staircase_and_a_shuffled_one_does_not() {
    // One edge per page: 0 -> 1 -> 2 -> 3.
    let path = directed(4, &[(0, 1), (1, 2), (2, 3)]);
    let got = of(&path, &[0, 1, 2, 3], 4096);
    assert_eq!((got.intra_gap, got.inter_gap), (None, Some(0.0)));
    assert_eq!((got.pages, got.ideal_pages, got.page_ratio), (3, 3.0, Some(1.0)));
    assert_eq!((got.levels, got.pages_per_level), (Some(4.0), Some(0.75)));
    assert_eq!((got.sources, got.reached, got.edges), (1, 4, 3));
    // 0 -> 2 -> 1 -> 3: jumps of 2, 1 and 2.
    let shuffled = directed(4, &[(0, 2), (2, 1), (1, 3)]);
    assert_eq!(of(&shuffled, &[0, 2, 1, 3], 4096).inter_gap, Some(2.0 / 3.0));
}

#[test]
fn gaps_are_within_a_level_and_to_the_nearest_of_the_level_before() {
    // Levels {4}, {0, 8, 16}, {1, 12}: gaps 8, 8 and 11; distances 4, 4, 12 and 1, 4.
    let mut levels = [UNREACHED; 20];
    for (l, active) in [&[4][..], &[0, 8, 16], &[1, 12]].into_iter().enumerate() {
        active.iter().for_each(|&v: &usize| levels[v] = l as u32);
    }
    let got = of(&directed(20, &[]), &levels, 4);
    assert_near(
        &got,
        &LevelLocality {
            sources: 1,
            levels: Some(3.0),
            reached: 6,
            edges: 0,
            intra_gap: Some((3.0 + 3.0 + 11f64.log2()) / 3.0),
            inter_gap: Some((2.0 + 2.0 + 12f64.log2() + 0.0 + 2.0) / 5.0),
            pages: 0,
            ideal_pages: 0.0,
            page_ratio: None,
            pages_per_level: Some(0.0),
        },
    );
}

#[test]
fn a_page_counts_once_a_level_and_anew_in_the_next() {
    // Rows of 2 edges of 1 KiB: vertices 0 and 1 on page 0, 2 and 3 on page 1, 4 on page 2.
    let edges: Vec<_> = (0..5).flat_map(|v| [(v, 0), (v, 1)]).collect();
    let csr = directed(6, &edges);
    let pages = |levels: &[u32]| of(&csr, levels, 1024).pages;
    assert_eq!(pages(&[0, 1, 1, 1, 1, 1]), 1 + 3, "page 0 in both levels");
    assert_eq!(pages(&[0, 0, 0, 0, 0, 0]), 3);
    assert_eq!(pages(&[0, 1, 0, 1, 0, 1]), 3 + 2);
    // 5 edges of 3 KiB in a row: 15 KiB on 4 pages.
    let got = of(&directed(5, &[(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)]), &[0, 1, 1, 1, 1], 3072);
    assert_eq!((got.pages, got.ideal_pages, got.page_ratio), (4, 3.75, Some(4.0 / 3.75)));
}

#[test]
fn without_terms_there_is_no_mean() {
    let none = Traversal::default().means();
    assert_eq!((none.sources, none.levels, none.intra_gap, none.inter_gap), (0, None, None, None));
    assert_eq!((none.page_ratio, none.pages_per_level), (None, None));
    assert_eq!(of(&directed(0, &[]), &[], 4).levels, Some(0.0));
    let loop_alone = of(&directed(1, &[(0, 0)]), &[0], 4);
    assert_eq!((loop_alone.inter_gap, loop_alone.pages, loop_alone.edges), (None, 1, 1));
}

#[test]
fn searches_add_up() {
    let graph = generated("grid:30x30");
    let csr = &graph.out().csr;
    let of = |source| Traversal::of(csr, &frontiers(&search(csr, source)), 64, &Control::new()).unwrap();
    let mut both = of(0);
    both.add(&of(500));
    let (a, b, both) = (of(0).means(), of(500).means(), both.means());
    assert_eq!((both.sources, both.reached, both.edges), (2, 1800, a.edges + b.edges));
    assert_eq!(both.pages, a.pages + b.pages);
    assert_eq!(both.levels, Some((a.levels.unwrap() + b.levels.unwrap()) / 2.0));
    let gaps = |x: &LevelLocality| (900.0 - x.levels.unwrap()) * x.intra_gap.unwrap();
    let terms = 1800.0 - a.levels.unwrap() - b.levels.unwrap();
    assert!((both.intra_gap.unwrap() - (gaps(&a) + gaps(&b)) / terms).abs() < 1e-12);
}

#[test]
fn refuses_levels_of_other_graphs_and_edges_of_no_size() {
    let csr = directed(3, &[(0, 1)]);
    let refused = |levels: &[u32], bytes| {
        Traversal::of(&csr, &frontiers(levels), bytes, &Control::new()).unwrap_err().to_string()
    };
    assert_eq!(refused(&[0, 1], 4), "the levels of 2 vertices in a graph of 3");
    assert_eq!(refused(&[0, 1, 2], 0), "edges of 0 bytes");
    assert_eq!(refused(&[0, 1, 2], 4097), "edges of 4097 bytes");
    let control = Control::new();
    control.cancel();
    let stopped = Traversal::of(&csr, &frontiers(&[0, 1, 2]), 4, &control).unwrap_err();
    assert_eq!(stopped.to_string(), "interrupted while measuring levels");
}

#[test]
fn stretches_add_up_to_the_whole_on_any_number_of_threads() {
    // Over 60,000 vertices in 3 or more blocks; levels that alternate, are large, and are deep.
    let graph = generated("kron:16");
    let csr = &graph.out().csr;
    let n = csr.vertices() as u32;
    let alternating: Vec<u32> = (0..n).map(|v| v % 3).collect();
    let deep: Vec<u32> = (0..n).map(|v| v / 7 % 5000).collect();
    for levels in [search(csr, 1), alternating, deep] {
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let three = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let got = alone.install(|| of(csr, &levels, 4));
        assert_eq!(three.install(|| of(csr, &levels, 4)), got, "the same bits");
        let rows = |f: &Frontiers| f.iter().map(|level| pages(csr, level)).sum::<u64>();
        assert_eq!(got.pages, rows(&frontiers(&levels)));
    }
}

/// Counts the distinct pages of the rows of some vertices.
fn pages(csr: &Csr, vertices: &[Vertex]) -> u64 {
    let rows = vertices.iter().map(|&v| csr.arcs_of(v)).filter(|arcs| !arcs.is_empty());
    let pages: BTreeSet<u64> = rows.flat_map(|a| a.start as u64 / 1024..=(a.end as u64 - 1) / 1024).collect();
    pages.len() as u64
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_levels_have_the_figures_of_the_slow_way(
        (n, edges, levels, bytes) in (1..60u32).prop_flat_map(|n| (
            Just(n),
            vec((0..n, 0..n), 0..200),
            vec((0..n.min(9)).prop_map(|l| if l == 8 { UNREACHED } else { l }), n as usize),
            prop_oneof![Just(4), Just(8), 1..4097u32],
        ))
    ) {
        let csr = directed(n as usize, &edges);
        let expected = naive(&csr, &levels, bytes);
        assert_near(&of(&csr, &levels, bytes), &expected);
        assert_eq!(of(&wide(&csr), &levels, bytes), of(&csr, &levels, bytes));
    }

    #[test]
    fn searches_have_the_figures_of_the_slow_way(n in 1..50u32, seed in vec((any::<u32>(), any::<u32>()), 0..150), source: u32) {
        let edges: Vec<_> = seed.iter().map(|&(u, v)| (u % n, v % n)).collect();
        let csr = directed(n as usize, &edges);
        let levels = search(&csr, source % n);
        assert_near(&of(&csr, &levels, 300), &naive(&csr, &levels, 300));
    }
}
