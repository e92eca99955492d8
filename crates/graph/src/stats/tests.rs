//! Compares the statistics with graphs whose values are known.

use super::{Blocks, Histogram, Stats};
use crate::{
    Control, Graph, Ids, Origin, WeightType,
    build::{self, EdgeChunk, EdgeList, EdgeWeights, Loops, Parallel},
    generate::Spec,
};
use rayon::ThreadPoolBuilder;

fn of(text: &str) -> Stats {
    let graph = text.parse::<Spec>().unwrap().generate(&Control::new()).unwrap();
    Stats::of(&graph, &Control::new()).unwrap()
}

fn directed(vertices: usize, pairs: &[[u32; 2]], weights: EdgeWeights) -> Graph {
    let list = EdgeList { vertices, chunks: vec![EdgeChunk { pairs: pairs.to_vec(), weights }] };
    let options = build::Options { directed: true, loops: Loops::Keep, parallel: Parallel::Keep };
    let arcs = build::build(list, &options, &Control::new()).unwrap().arcs;
    Graph::new(arcs, true, Ids::zero_based(vertices), Origin::default()).unwrap()
}

#[test]
fn a_small_directed_graph_is_told_exactly() {
    // The arcs are 0 <-> 1, 0 -> 2, 2 -> 2 and 3 -> 0; vertex 4 is isolated.
    let weights = EdgeWeights::I32(vec![5, -3, 2, 0, 1]);
    let graph = directed(5, &[[0, 1], [1, 0], [0, 2], [2, 2], [3, 0]], weights);
    let stats = Stats::of(&graph, &Control::new()).unwrap();
    assert_eq!((stats.vertices, stats.edges, stats.arcs, stats.directed), (5, 5, 5, true));
    assert_eq!((stats.isolated, stats.sinks, stats.sources, stats.self_loops), (1, 1, 2, 1));
    assert_eq!(stats.reciprocity, Some(0.5));
    let weights = stats.weights.unwrap();
    assert_eq!((weights.kind, weights.min, weights.max), (WeightType::I32, -3.0, 5.0));
    let (out, incoming) = (&stats.out, stats.incoming.as_ref().unwrap());
    assert_eq!((out.min, out.max, out.p50, out.p90, out.mean), (0, 2, 1, 2, 1.0));
    assert_eq!((incoming.min, incoming.max, incoming.p50), (0, 2, 1));
    assert_eq!(out.histogram.bins(), [1, 3, 1]);
    // The degrees are 0 1 1 1 2, so the Gini coefficient is (-4 * 0 - 2 + 0 + 2 + 4 * 2) / (5 * 5).
    assert_eq!((out.gini, out.top_share), (8.0 / 25.0, 2.0 / 5.0));
    let arrays: Vec<(&str, u64)> = stats.memory.iter().map(|m| (m.array, m.bytes)).collect();
    assert_eq!(arrays, [("offsets", 24), ("targets", 20), ("weights", 20)]);
}

#[test]
fn a_built_transpose_gives_the_same_and_is_counted() {
    let graph = "powerlaw:2000".parse::<Spec>().unwrap().generate(&Control::new()).unwrap();
    let before = Stats::of(&graph, &Control::new()).unwrap();
    graph.incoming().unwrap();
    let mut after = Stats::of(&graph, &Control::new()).unwrap();
    assert_eq!(after.memory.pop().unwrap().array, "transpose");
    assert_eq!(before, after);
}

#[test]
fn nothing_at_all_has_statistics_too() {
    for vertices in [0, 1] {
        let stats = Stats::of(&directed(vertices, &[], EdgeWeights::None), &Control::new()).unwrap();
        assert_eq!((stats.arcs, stats.out.mean, stats.out.gini, stats.out.top_share), (0, 0.0, 0.0, 0.0));
        assert_eq!((stats.reciprocity, stats.weights, stats.out.exponent), (None, None, None));
        assert_eq!(stats.isolated, vertices as u64);
    }
}

#[test]
fn the_exponent_of_a_power_law_is_found_and_of_others_is_none() {
    for alpha in [1.8, 2.1, 2.5] {
        let found = of(&format!("powerlaw:40000,alpha={alpha}")).out.exponent.unwrap();
        assert!((found - alpha).abs() < 0.1, "{found}, expected {alpha}");
    }
    for text in ["grid:50x50", "uniform:12", "grid:3x3"] {
        assert_eq!(of(text).out.exponent, None, "{text}");
    }
}

#[test]
fn skew_orders_the_generators() {
    let [grid, uniform, kron] = ["grid:64x64", "uniform:12", "kron:12"].map(|t| of(t).out);
    assert!(grid.gini < 0.05 && grid.gini < uniform.gini && uniform.gini < 0.15 && kron.gini > 0.6);
    assert!(uniform.top_share < 0.02 && kron.top_share > 5.0 * uniform.top_share, "{}", kron.top_share);
}

#[test]
fn statistics_do_not_depend_on_threads() {
    let graph = "powerlaw:90000,alpha=1.7".parse::<Spec>().unwrap().generate(&Control::new()).unwrap();
    let on = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Stats::of(&graph, &Control::new()).unwrap())
    };
    let one = on(1);
    assert!(one.out.max > 65_536, "the largest degree, {}, should not fit the table", one.out.max);
    assert_eq!(one, on(5));
}

#[test]
fn cancelling_stops_the_count() {
    let control = Control::new();
    control.cancel();
    let graph = directed(2, &[[0, 1]], EdgeWeights::None);
    assert!(matches!(Stats::of(&graph, &control), Err(crate::Error::Interrupted { .. })));
}

#[test]
fn bins_cover_all_degrees_without_gaps() {
    assert_eq!((Histogram::bounds(0), Histogram::bounds(1), Histogram::bounds(3)), ((0, 0), (1, 1), (4, 7)));
    for bin in 1..=64 {
        assert_eq!(Histogram::bounds(bin).0, Histogram::bounds(bin - 1).1 + 1);
    }
    assert_eq!(Histogram::bounds(64).1, u64::MAX);
    let counts = [(0, 1), (1, 2), (3, 3), (u64::MAX, 4)];
    let bins = Histogram::of(&counts);
    assert_eq!((bins.bins().len(), bins.bins()[0], bins.bins()[2], bins.bins()[64]), (65, 1, 3, 4));
}

#[test]
fn histograms_draw_in_unicode_and_ascii() {
    let histogram = Histogram::of(&[(1, 160), (2, 50), (3, 30), (5, 1), (20, 20)]);
    assert_eq!(
        histogram.render(30, Blocks::Unicode),
        "    1  ██████████████████  160\n\
         \x20 2-3  █████████           80\n\
         \x20 4-7  ▏                   1\n\
         \x208-15                      0\n\
         16-31  ██▎                 20\n"
    );
    assert_eq!(
        histogram.render(20, Blocks::Ascii),
        "    1  ########  160\n\
         \x20 2-3  ####      80\n\
         \x20 4-7  #         1\n\
         \x208-15            0\n\
         16-31  #         20\n"
    );
    assert_eq!(Histogram::default().render(80, Blocks::Unicode), "");
}
