#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use super::{SECTOR, renumber};
use crate::{
    DeviceGraph, bfs, scc,
    testing::{generated, simt},
};
use warpgraph_core::{Options, bfs::Bfs, scc::Scc};
use warpgraph_graph::{Arcs, Control, Csr, Graph, Offsets, Vertex};

fn by(plan: &str) -> Options {
    Options { plan: plan.parse().unwrap(), ..Options::default() }
}

/// Searches until a round can end; returns the number of searches.
fn until_ready(device_graph: &DeviceGraph, plan: &str) -> u32 {
    for searches in 0..200 {
        let far = device_graph.how_far().unwrap().unwrap();
        assert_eq!(far.why_not, None);
        if far.is_ready {
            return searches;
        }
        bfs(device_graph, &Bfs::from(0), &by(plan)).unwrap();
    }
    panic!("no round after 200 searches");
}

/// Returns a graph whose rows all fill tiles, so that no access consists of the ends of rows.
fn whole_tiles() -> Graph {
    let n = 208;
    let mut edges = Vec::new();
    for v in 0..n {
        let degree = [8, 16, 24, 32, 40, 72, 104][v as usize % 7];
        // A step without a common divisor with n reaches each target once; the first target is the next vertex.
        edges.extend((0..degree).map(|k| (v, (v + 1 + k * [1, 3, 5, 7, 9][v as usize % 5]) % n)));
    }
    Graph::from_edges(n as usize, &edges, true).unwrap()
}

/// Returns what the lanes of a warp read at once from rows that fill tiles.
fn accesses(graph: &Graph) -> Vec<Vec<Vertex>> {
    let mut all = Vec::new();
    for v in 0..graph.vertices() as Vertex {
        let mut row = graph.out().csr.neighbors(v);
        for size in [32, 32, 32, 32, 16, 8] {
            if row.len() >= size {
                let (now, later) = row.split_at(size);
                all.push(now.to_vec());
                row = later;
            }
        }
        assert!(row.is_empty());
    }
    all
}

/// Returns for each vertex the sum of `worth` over all its mates.
fn tally(accesses: &[Vec<Vertex>], n: usize, worth: impl Fn(usize, u32) -> i32) -> Vec<i32> {
    let mut sums = vec![0; n];
    for (access, nth) in accesses.iter().flat_map(|access| (0..access.len()).map(move |nth| (access, nth))) {
        let v = access[nth] as usize;
        let mates = access.iter().enumerate().filter(|(other, _)| *other != nth);
        sums[v] += mates.map(|(_, &mate)| worth(v, mate / SECTOR)).sum::<i32>();
    }
    sums
}

/// Returns the candidate sector of each vertex, after halving intervals as the votes say.
fn candidates(accesses: &[Vec<Vertex>], n: usize) -> Vec<u32> {
    let sectors = (n as u32).div_ceil(SECTOR).next_power_of_two();
    let mut intervals = vec![(0, sectors); n];
    while intervals[0].1 - intervals[0].0 > 1 {
        let half = |v: usize, sector: u32| {
            let (from, to): (u32, u32) = intervals[v];
            if sector < from || sector >= to {
                0
            } else if sector < (from + to) / 2 {
                1
            } else {
                -1
            }
        };
        let votes = tally(accesses, n, half);
        intervals = (0..n)
            .map(|v| {
                let ((from, to), own) = (intervals[v], half(v, v as u32 / SECTOR));
                let goes_right = votes[v] < 0 || (votes[v] == 0 && own < 0);
                if goes_right { ((from + to) / 2, to) } else { (from, (from + to) / 2) }
            })
            .collect();
    }
    intervals.into_iter().map(|(sector, _)| sector).collect()
}

#[test]
fn samples_count_the_mates_of_every_access_and_halve_towards_where_most_are() {
    let graph = whole_tiles();
    let n = graph.vertices();
    let accesses = accesses(&graph);
    let locality = tally(&accesses, n, |v, sector| i32::from(sector == v as u32 / SECTOR));
    let candidates = candidates(&accesses, n);
    let gain = tally(&accesses, n, |v, sector| i32::from(sector == candidates[v]));
    let distinct = |access: &Vec<Vertex>| {
        let mut sectors: Vec<u32> = access.iter().map(|v| v / SECTOR).collect();
        sectors.dedup();
        sectors.len()
    };
    let sectors = accesses.iter().map(distinct).sum::<usize>() as f64 / accesses.len() as f64;
    for plan in ["push+tiled(min=8)", "push+resident(min=8)"] {
        let device_graph = DeviceGraph::new(&simt(), &graph).sampled();
        // Every search goes along every arc once; 26 sectors take 5 halvings.
        assert_eq!(until_ready(&device_graph, plan), 7, "{plan}");
        let tallies = device_graph.sampler().unwrap().ready().unwrap();
        assert_eq!(tallies.locality.to_vec().unwrap(), locality, "{plan}");
        assert_eq!(tallies.candidates.to_vec().unwrap(), candidates, "{plan}");
        assert_eq!(tallies.gain.to_vec().unwrap(), gain, "{plan}");
        let far = device_graph.how_far().unwrap().unwrap();
        assert_eq!((far.samples, far.arcs), (7, 7 * graph.arcs() as u64), "{plan}");
        assert_eq!(far.sectors, Some(sectors), "{plan}");
        assert!(far.sampling_seconds > 0.0 && far.kernel_seconds > 0.0, "{plan}");
        let moved = gain.iter().zip(&locality).filter(|(gain, locality)| gain > locality).count() as u64;
        assert_eq!(renumber(&device_graph, &Options::default()).unwrap().moved, moved, "{plan}");
    }
}

#[test]
fn nothing_is_sampled_by_other_balances() {
    let device_graph = DeviceGraph::new(&simt(), &generated("kron:7")).sampled();
    for plan in ["auto", "push+node", "workload"] {
        bfs(&device_graph, &Bfs::from(0), &by(plan)).unwrap();
    }
    let far = device_graph.how_far().unwrap().unwrap();
    assert_eq!((far.samples, far.arcs, far.is_ready), (0, 0, false));
    assert!(renumber(&device_graph, &Options::default()).is_err());
    assert_eq!(DeviceGraph::new(&simt(), &generated("kron:7")).how_far().unwrap(), None);
}

#[test]
fn a_graph_of_one_sector_or_without_arcs_has_nothing_to_gain() {
    for graph in [
        Graph::from_edges(0, &[], false).unwrap(),
        Graph::from_edges(100, &[], true).unwrap(),
        Graph::from_edges(8, &[(0, 1), (1, 2)], false).unwrap(),
    ] {
        let far = DeviceGraph::new(&simt(), &graph).sampled().how_far().unwrap().unwrap();
        assert_eq!(far.why_not.unwrap(), "the values of all vertices that are read lie in one sector");
    }
}

/// Returns the arrays of a graph, including incoming arcs.
fn arrays(graph: &Graph) -> Vec<(Vec<usize>, Vec<Vertex>, Vec<f64>)> {
    let sides = [graph.out(), graph.incoming().unwrap()];
    let weights = |w: &warpgraph_graph::Weights| (0..w.len()).map(|i| w.get(i)).collect();
    sides
        .map(|arcs| {
            let offsets = (0..=graph.vertices()).map(|v| arcs.csr.offsets().get(v)).collect();
            (offsets, arcs.csr.targets().to_vec(), weights(&arcs.weights))
        })
        .to_vec()
}

/// Returns the same graph with 64-bit offsets.
fn widened(graph: &Graph) -> Graph {
    let out = graph.out();
    let offsets: Vec<u64> = (0..=graph.vertices()).map(|v| out.csr.offsets().get(v) as u64).collect();
    let csr = Csr::new(Offsets::Wide(offsets.into()), out.csr.targets().clone(), "wide").unwrap();
    let arcs = Arcs { csr, weights: out.weights.clone() };
    Graph::new(arcs, graph.is_directed(), graph.ids().clone(), graph.origin().clone()).unwrap()
}

#[test]
fn the_device_renumbers_as_the_processor_does_weights_and_incoming_arcs_along() {
    let directed = generated("community:9,degree=8,w=1..9,directed,shuffle");
    for graph in
        [widened(&directed), directed, generated("kron:8,w=1..9"), generated("community:9,degree=8,shuffle")]
    {
        let device_graph = DeviceGraph::new(&simt(), &graph).sampled();
        // This goes along arcs of both directions.
        scc(&device_graph, &Scc::default(), &by("tiled")).unwrap();
        until_ready(&device_graph, "tiled");
        let renumbered = renumber(&device_graph, &Options::default()).unwrap();
        let (new, name) = (renumbered.device_graph.graph(), &graph.origin().name);
        assert!(renumbered.moved > 0 && new.has_incoming(), "{name}");
        let expected = graph.renumbered(&renumbered.map, &Control::new()).unwrap();
        assert_eq!(arrays(new), arrays(&expected), "{name}");
        assert_eq!(new.is_directed(), graph.is_directed());
        assert!(renumbered.device_graph.is_there() && renumbered.device_graph.transfer_seconds() == 0.0);
        assert_eq!(renumbered.device_graph.how_far().unwrap().unwrap().samples, 0, "it starts anew");
    }
}

#[test]
fn sectors_of_a_shuffled_graph_fall_round_after_round() {
    let planted = generated("community:10,size=32,mix=0.1");
    let device_graph = DeviceGraph::new(&simt(), &planted).sampled();
    bfs(&device_graph, &Bfs::from(0), &by("push+tiled")).unwrap();
    bfs(&device_graph, &Bfs::from(0), &by("push+tiled")).unwrap();
    let planted = device_graph.how_far().unwrap().unwrap().sectors.unwrap();
    let mut device_graph =
        DeviceGraph::new(&simt(), &generated("community:10,size=32,mix=0.1,shuffle")).sampled();
    let mut seen = Vec::new();
    for _ in 0..3 {
        until_ready(&device_graph, "push+tiled");
        seen.push(device_graph.how_far().unwrap().unwrap().sectors.unwrap());
        device_graph = renumber(&device_graph, &Options::default()).unwrap().device_graph;
    }
    assert!(seen[0] > seen[1] && seen[1] > seen[2] && seen[2] > planted, "{seen:?} towards {planted}");
    // More than half of the way.
    assert!(seen[0] - seen[2] > 0.5 * (seen[0] - planted), "{seen:?} towards {planted}");
}
