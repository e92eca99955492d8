use super::*;
use warpgraph_core::Draws;

fn blocks(n: usize, edges: &[(Vertex, Vertex)]) -> (Graph, Blocks) {
    let graph = Graph::from_edges(n, edges, false).expect("a small graph");
    let blocks = Blocks::of(&graph, &Control::new()).expect("blocks");
    (graph, blocks)
}

/// Returns the sets of vertices of all blocks, each sorted, in order.
fn sets(blocks: &Blocks) -> Vec<Vec<Vertex>> {
    let members = Members::of(blocks);
    let set = |block: u32| {
        let mut set = [members.of_block(block), &[blocks.top(block)]].concat();
        set.sort_unstable();
        set
    };
    let mut sets: Vec<_> = (0..blocks.len() as u32).map(set).collect();
    sets.sort();
    sets
}

#[test]
fn two_triangles_a_bridge_and_a_loop_make_three_blocks() {
    let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (5, 5), (6, 6)];
    let (_, blocks) = blocks(8, &edges);
    assert_eq!(sets(&blocks), [vec![0, 1, 2], vec![2, 3], vec![3, 4, 5]]);
    assert_eq!(blocks.components().iter().map(|c| c.1).collect::<Vec<_>>(), [6]);
    // 2 separates 2 vertices from 3, and so does 3.
    assert_eq!(blocks.separated(), [0, 0, 12, 12, 0, 0, 0, 0]);
}

#[test]
fn a_path_is_bridges() {
    let (_, blocks) = blocks(1000, &(1..1000).map(|v| (v - 1, v)).collect::<Vec<_>>());
    assert_eq!(blocks.len(), 999);
    let apart = |v: u128| 2 * v * (999 - v);
    assert!(blocks.separated().iter().zip(0..).all(|(&got, v)| got == apart(v)));
}

/// Returns the number of vertices that `from` reaches without passing `without`.
fn reach(graph: &Graph, from: Vertex, without: Vertex) -> u128 {
    let (mut seen, mut queue, mut at) = (vec![false; graph.vertices()], vec![from], 0);
    (seen[from as usize], seen[without as usize]) = (true, true);
    while let Some(&v) = queue.get(at) {
        at += 1;
        for &u in graph.out().csr.neighbors(v) {
            if !std::mem::replace(&mut seen[u as usize], true) {
                queue.push(u);
            }
        }
    }
    queue.len() as u128
}

#[test]
fn pairs_apart_and_blocks_of_edges_are_those_that_removing_a_vertex_shows() {
    for seed in 0..60u64 {
        let n = 4 + seed % 30;
        let edge = |i: u64| {
            let mut draws = Draws::of(seed, 0, i);
            (draws.below(n) as Vertex, draws.below(n) as Vertex)
        };
        let (graph, blocks) = blocks(n as usize, &(0..n + seed % 9).map(edge).collect::<Vec<_>>());
        for (v, &apart) in blocks.separated().iter().enumerate() {
            let v = v as Vertex;
            let others: Vec<Vertex> =
                (0..n as Vertex).filter(|&u| u != v && reach(&graph, u, v) > 0).collect();
            let within = |u: Vertex| reach(&graph, u, v);
            // Vertices of the component of v, without v, and those still joined without it.
            let mine: Vec<_> = others.into_iter().filter(|&u| joined(&graph, u, v)).collect();
            let pairs =
                mine.len() as u128 * mine.len() as u128 - mine.iter().map(|&u| within(u)).sum::<u128>();
            assert_eq!(apart, pairs, "vertex {v}, seed {seed}");
        }
        let sizes = blocks.sizes();
        for u in 0..n as Vertex {
            for &v in graph.out().csr.neighbors(u).iter().filter(|&&v| v != u) {
                let block = blocks.of_edge(u, v);
                assert_eq!(block, blocks.of_edge(v, u));
                let is_in = |v: Vertex| blocks.home(v) == block || blocks.top(block) == v;
                assert!(is_in(u) && is_in(v) && sizes[block as usize] >= 2);
            }
        }
    }
}

fn joined(graph: &Graph, u: Vertex, v: Vertex) -> bool {
    let (mut seen, mut queue) = (vec![false; graph.vertices()], vec![u]);
    seen[u as usize] = true;
    while let Some(w) = queue.pop() {
        for &x in graph.out().csr.neighbors(w) {
            if !std::mem::replace(&mut seen[x as usize], true) {
                queue.push(x);
            }
        }
    }
    seen[v as usize]
}
