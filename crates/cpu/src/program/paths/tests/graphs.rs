//! Random small graphs with random paths: trails of random length, in a random number of lanes per chunk, so that a few
//! hundred edges already fill many chunks.

use std::sync::Arc;
use warpgraph_graph::{
    Graph, NO_VERTEX, Offsets, Vertex,
    build::{EdgeWeights, FromEdges, Loops, Options, Parallel},
    hash,
    paths::{Found, LANES, Paths, ROWS, Recipe, SLOTS, slot},
};

/// A source of random numbers.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(hash::mix(seed, 77))
    }

    /// Returns a number below `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = hash::mix(self.0, 1);
        (self.0 % bound as u64) as usize
    }
}

/// The weights of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    None,
    Whole,
    Decimal,
}

/// A graph with paths.
pub(super) struct Sample {
    pub(super) graph: Graph,
    pub(super) paths: Arc<Paths>,
    /// Shows it in messages.
    pub(super) text: String,
}

impl Sample {
    /// Draws a graph with up to `vertices` vertices and four times as many edges; loops and parallel edges are among
    /// them.
    pub(super) fn random(seed: u64, vertices: usize, kind: Kind) -> Self {
        let mut random = Random::new(seed);
        let (n, directed) = (1 + random.below(vertices), random.below(2) == 0);
        let m = random.below(4 * n + 1);
        let pairs: Vec<_> = (0..m).map(|_| [random.below(n) as Vertex, random.below(n) as Vertex]).collect();
        Self::of(n, pairs, directed, kind, &mut random)
    }

    /// Draws a graph without cycles.
    pub(super) fn acyclic(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let n = 2 + random.below(40);
        let pair = |random: &mut Random| {
            let v = 1 + random.below(n - 1);
            [random.below(v) as Vertex, v as Vertex]
        };
        let pairs = (0..2 * n).map(|_| pair(&mut random)).collect();
        Self::of(n, pairs, true, Kind::None, &mut random)
    }

    /// Draws a tree, in which every vertex is reached in one way only.
    pub(super) fn tree(seed: u64, vertices: usize) -> Self {
        let mut random = Random::new(seed);
        let pairs = (1..vertices).map(|v| [random.below(v) as Vertex, v as Vertex]).collect();
        let directed = random.below(2) == 0;
        Self::of(vertices, pairs, directed, Kind::None, &mut random)
    }

    pub(super) fn of(
        n: usize,
        pairs: Vec<[Vertex; 2]>,
        directed: bool,
        kind: Kind,
        random: &mut Random,
    ) -> Self {
        let weights = match kind {
            Kind::None => EdgeWeights::None,
            Kind::Whole => EdgeWeights::U32(pairs.iter().map(|_| random.below(20) as u32).collect()),
            Kind::Decimal => {
                EdgeWeights::F32(pairs.iter().map(|_| random.below(1000) as f32 / 64.0).collect())
            }
        };
        let parallel = if random.below(2) == 0 { Parallel::Keep } else { Parallel::Min };
        let options = Options { directed, loops: Loops::Keep, parallel };
        let graph = FromEdges { options }.build(n, pairs, weights).unwrap();
        let both_arcs = !directed && random.below(4) == 0;
        let paths = Arc::new(paths_of(&graph, both_arcs, random));
        paths.check(&graph).unwrap();
        let text = format!(
            "{n} vertices, {} arcs, directed {directed}, {} chunks, {} of hubs, both arcs {both_arcs}",
            graph.arcs(),
            paths.chunks(),
            paths.hub_chunks()
        );
        Self { graph, paths, text }
    }
}

/// An edge with the index of its arc.
type Edge = (Vertex, Vertex, usize);

/// A path: its vertices, and the arc after each but the last.
type Trail = (Vec<Vertex>, Vec<usize>);

/// Cuts a graph into random trails.
fn trails(graph: &Graph, both_arcs: bool, random: &mut Random) -> Vec<Trail> {
    let csr = &graph.out().csr;
    let is_once = !graph.is_directed() && !both_arcs;
    let mut left: Vec<Edge> = (0..graph.vertices() as Vertex)
        .flat_map(|u| csr.arcs_of(u).map(move |arc| (u, csr.targets()[arc], arc)))
        .filter(|&(u, v, _)| !is_once || u <= v)
        .collect();
    let mut trails = Vec::new();
    while !left.is_empty() {
        let (u, v, arc) = left.swap_remove(random.below(left.len()));
        let (u, v) = if is_once && random.below(2) == 0 { (v, u) } else { (u, v) };
        let mut trail = (vec![u, v], vec![arc]);
        let most = 1 + random.below(50);
        while trail.1.len() < most {
            let end = trail.0[trail.0.len() - 1];
            let goes_on = |&(u, v, _): &Edge| u == end || is_once && v == end;
            let Some(next) = left.iter().position(goes_on) else { break };
            let (u, v, arc) = left.swap_remove(next);
            trail.0.push(if u == end { v } else { u });
            trail.1.push(arc);
        }
        trails.push(trail);
    }
    trails
}

/// Lays trails out in chunks, in a few lanes each.
fn paths_of(graph: &Graph, both_arcs: bool, random: &mut Random) -> Paths {
    let (mut vertices, mut arcs, mut joined) = (Vec::new(), Vec::new(), Vec::<u32>::new());
    let (mut chunks, mut filled) = (0, [ROWS; LANES]);
    for (on_path, on_arcs) in trails(graph, both_arcs, random) {
        let mut at = 0;
        while at < on_arcs.len() {
            let lanes = 1 + random.below(4);
            let lane = match (0..lanes).find(|&lane| filled[lane] + 2 <= ROWS) {
                Some(lane) if random.below(20) > 0 => lane,
                _ => {
                    chunks += 1;
                    filled = [0; LANES];
                    vertices.resize(chunks * SLOTS, NO_VERTEX);
                    arcs.resize(chunks * SLOTS, 0u32);
                    joined.resize(chunks * LANES, 0);
                    0
                }
            };
            let first = filled[lane];
            let edges = (on_arcs.len() - at).min(ROWS - 1 - first);
            for i in 0..=edges {
                let slot = slot(chunks - 1, first + i, lane);
                vertices[slot] = on_path[at + i];
                if i < edges {
                    arcs[slot] = on_arcs[at + i] as u32;
                    joined[(chunks - 1) * LANES + lane] |= 1 << (first + i);
                }
            }
            filled[lane] += edges + 1;
            at += edges;
        }
    }
    let hub_chunks = random.below(chunks + 1);
    let count = |words: &[u32]| words.iter().map(|word| u64::from(word.count_ones())).sum();
    let (hot, cold) = joined.split_at(hub_chunks * LANES);
    let found = Found { hub_edges: count(hot), cold_edges: count(cold), ..Found::default() };
    let recipe = Recipe { lambda: 5000, beta: 10_000, importance: "degree".into(), both_arcs };
    let arcs = Offsets::Narrow(arcs.into());
    Paths::new(recipe, found, hub_chunks, vertices.into(), arcs, joined.into()).unwrap()
}
