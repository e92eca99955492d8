//! Checks that the graphs of each generator have the properties that its model promises.

use super::{
    super::{
        community::planted::Planted,
        random::{Draws, Purpose},
    },
    graph, spec,
};
use crate::{Graph, Vertex, Weights, hash::is_symmetric};

fn degrees(graph: &Graph) -> Vec<usize> {
    (0..graph.vertices() as Vertex).map(|v| graph.out().csr.degree(v)).collect()
}

fn arcs(graph: &Graph) -> impl Iterator<Item = (Vertex, Vertex)> + '_ {
    (0..graph.vertices() as Vertex).flat_map(|u| graph.out().csr.neighbors(u).iter().map(move |&v| (u, v)))
}

fn sorted(mut values: Vec<usize>) -> Vec<usize> {
    values.sort_unstable();
    values
}

#[test]
fn the_origin_tells_what_was_done() {
    let graph = graph("kron:10,seed=01,directed=false");
    let origin = graph.origin();
    assert_eq!((origin.name.as_str(), origin.format.as_str()), ("kron:10", "generated"));
    assert_eq!(origin.direction_because, "kron graphs are undirected");
    assert!(origin.symmetrised && !graph.is_directed());
    assert_eq!(origin.listed, 16 << 10);
    assert_eq!(graph.edges() + origin.merged + origin.loops_dropped, origin.listed);
    assert_eq!(graph.counts().self_loops, 0);
    assert!(origin.loops_dropped > 0 && origin.merged > 0);
}

#[test]
fn the_direction_is_the_generators_or_the_descriptions() {
    for (text, directed, because) in [
        ("powerlaw:50", true, "powerlaw graphs are directed"),
        ("powerlaw:50,directed=false", false, "its description says directed=false"),
        ("grid:5x5", false, "grid graphs are undirected"),
        ("grid:5x5,directed", true, "its description says directed"),
    ] {
        let graph = graph(text);
        assert_eq!(graph.is_directed(), directed, "{text}");
        assert_eq!(graph.origin().direction_because, because, "{text}");
    }
}

#[test]
fn undirected_graphs_are_symmetric_with_their_weights() {
    for text in ["kron:9,w=1..1000", "uniform:9,w=-50..50", "grid:20x9,w=1..9,shuffle", "community:9,w=0..7"]
    {
        assert!(is_symmetric(graph(text).out()), "{text}");
    }
}

#[test]
fn weights_fill_their_range_and_type() {
    let weighted = graph("uniform:10,w=3..6");
    let Weights::U32(w) = &weighted.out().weights else { panic!("expected u32") };
    let counts: Vec<usize> = (3..=6).map(|k| w.iter().filter(|&&x| x == k).count()).collect();
    assert_eq!(counts.iter().sum::<usize>(), w.len());
    assert!(counts.iter().all(|&c| c.abs_diff(w.len() / 4) < w.len() / 40), "{counts:?}");
    let signed = graph("uniform:10,w=-2..2");
    assert!(matches!(&signed.out().weights, Weights::I32(_)));
    assert_eq!(signed.out().weights.range(), Some((-2.0, 2.0)));
    assert!(graph("uniform:10").out().weights.weight_type().is_none());
}

#[test]
fn kron_is_skewed_and_its_ids_tell_nothing() {
    let degrees = degrees(&graph("kron:12"));
    let mean = degrees.iter().sum::<usize>() as f64 / 4096.0;
    let most = *degrees.iter().max().unwrap();
    assert!(most as f64 > 20.0 * mean, "largest degree {most}, mean {mean}");
    let halves = degrees.split_at(2048);
    let (low, high) = (halves.0.iter().sum::<usize>() as f64, halves.1.iter().sum::<usize>() as f64);
    // Without scrambling, the lower half of the ids would hold 76 % of all endpoints.
    assert!((low / (low + high) - 0.5).abs() < 0.05, "{low} and {high}");
}

#[test]
fn uniform_degrees_are_those_of_a_poisson_distribution() {
    let degrees = degrees(&graph("uniform:12"));
    let mean = degrees.iter().sum::<usize>() as f64 / 4096.0;
    let variance = degrees.iter().map(|&d| (d as f64 - mean).powi(2)).sum::<f64>() / 4096.0;
    assert!((mean - 32.0).abs() < 0.5, "mean {mean}");
    assert!((variance / mean - 1.0).abs() < 0.1, "variance {variance}, mean {mean}");
}

#[test]
fn a_grid_joins_each_place_with_its_two_to_four_neighbours() {
    let grid = graph("grid:7x5");
    assert_eq!(grid.edges(), 6 * 5 + 7 * 4);
    assert_eq!(grid.out().csr.neighbors(0), [1, 7]);
    assert_eq!(grid.out().csr.neighbors(8), [1, 7, 9, 15]);
    assert_eq!(grid.out().csr.neighbors(34), [27, 33]);
    assert!(arcs(&graph("grid:7x5,directed")).all(|(u, v)| v == u + 1 || v == u + 7));
    assert_eq!((graph("grid:1x1").edges(), graph("grid:1x9").edges()), (0, 8));
}

#[test]
fn a_grid_drops_its_share_of_edges() {
    let (all, kept) = (graph("grid:100x80").edges() as f64, graph("grid:100x80,drop=0.3").edges() as f64);
    assert!((kept / all - 0.7).abs() < 0.02, "{kept} of {all}");
    assert_eq!(graph("grid:100x80,drop=1").edges(), 0);
}

#[test]
fn a_shuffled_graph_is_the_planted_one_renumbered() {
    for text in ["grid:30x20,drop=0.2", "community:12,size=60"] {
        let (planted, shuffled) = (graph(text), graph(&format!("{text},shuffle")));
        assert_ne!(planted.hash(), shuffled.hash());
        assert_eq!(sorted(degrees(&planted)), sorted(degrees(&shuffled)), "{text}");
    }
}

#[test]
fn powerlaw_expects_the_edges_of_the_published_graphs() {
    // AsynGraph, table 3: 10^7 vertices, one draw per alpha. The sum of a heavy tail varies by a few percent.
    let published = [(1.8, 667e6), (1.9, 246e6), (2.0, 104e6), (2.1, 56e6), (2.2, 37e6)];
    let exact = [643.7e6, 232.5e6, 101.5e6, 55.05e6, 36.18e6];
    for ((alpha, edges), exact) in published.into_iter().zip(exact) {
        let expected = spec(&format!("powerlaw:10000000,alpha={alpha}")).estimate().edges as f64;
        assert!((expected / edges - 1.0).abs() < 0.06, "alpha {alpha}: {expected}, published {edges}");
        assert!((expected / exact - 1.0).abs() < 0.001, "alpha {alpha}: {expected}, the sum is {exact}");
    }
}

#[test]
fn powerlaw_lists_what_it_expects() {
    let control = crate::Control::new();
    // The tolerance is at least two standard deviations of the sum; it shrinks as the tail gets lighter.
    for (alpha, tolerance) in [(2.2, 0.15), (2.5, 0.03), (3.0, 0.01)] {
        let spec = spec(&format!("powerlaw:400000,alpha={alpha}"));
        let (items, expected) = (spec.edges(&control).unwrap().items(), spec.estimate().edges);
        let off = items as f64 / expected as f64 - 1.0;
        assert!(off.abs() < tolerance, "alpha {alpha}: {items} of {expected}");
    }
}

#[test]
fn powerlaw_degrees_are_as_drawn() {
    let graph = graph("powerlaw:20000,alpha=2");
    assert_eq!((graph.origin().merged, graph.origin().loops_dropped), (0, 0));
    assert_eq!(graph.edges(), graph.origin().listed);
    let ones = degrees(&graph).iter().filter(|&&d| d == 1).count() as f64 / 20000.0;
    // The expected share is 1 / zeta(2).
    assert!((ones - 0.608).abs() < 0.02, "share of degree 1: {ones}");
    assert_eq!(graph.counts().sinks, 0);
    assert_eq!((super::graph("powerlaw:1").edges(), super::graph("powerlaw:2").edges()), (0, 2));
}

#[test]
fn a_share_of_mix_leaves_its_community() {
    for mix in [0.0, 0.2, 0.5] {
        let graph = graph(&format!("community:14,size=200,degree=16,mix={mix}"));
        let planted = Planted::new(1 << 14, 200, Draws::new(1, Purpose::Bounds));
        let home: Vec<u64> = (0..1 << 14).map(|v| planted.community(v)).collect();
        let inside = arcs(&graph).filter(|&(u, v)| home[u as usize] == home[v as usize]).count();
        let share = inside as f64 / graph.arcs() as f64;
        assert!((share - (1.0 - mix)).abs() < 0.05, "mix {mix}: {share} inside");
        let mean = graph.arcs() as f64 / f64::from(1 << 14);
        assert!((mean / 16.0 - 1.0).abs() < 0.15, "mix {mix}: mean degree {mean}");
    }
}

/// Returns the mean over vertices of the share of neighbour pairs that are joined.
fn clustering(graph: &Graph) -> f64 {
    let csr = &graph.out().csr;
    let of = |v: Vertex| {
        let row = csr.neighbors(v);
        let joined =
            row.iter().map(|&a| row.iter().filter(|b| csr.neighbors(a).binary_search(b).is_ok()).count());
        let pairs = row.len() * row.len().saturating_sub(1);
        if pairs == 0 { 0.0 } else { joined.sum::<usize>() as f64 / pairs as f64 }
    };
    (0..graph.vertices() as Vertex).map(of).sum::<f64>() / graph.vertices() as f64
}

#[test]
fn communities_are_clustered_and_have_hubs() {
    let community = graph("community:13,size=200,degree=16");
    let uniform = graph("uniform:13,degree=8");
    let (clustered, flat) = (clustering(&community), clustering(&uniform));
    assert!(clustered > 0.1 && flat < 0.01, "community {clustered}, uniform {flat}");
    // No vertex lists more than size / 2 edges, so a larger degree comes from popularity.
    assert!(community.counts().max_degree > 300, "largest degree {}", community.counts().max_degree);
}

#[test]
fn the_smallest_graphs_exist() {
    for text in ["kron:0", "uniform:0", "grid:1x1", "powerlaw:1", "community:1", "community:1,mix=1"] {
        let graph = graph(text);
        assert!(graph.vertices() <= 2 && graph.edges() <= 1, "{text}");
    }
}
