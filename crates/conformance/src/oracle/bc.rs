//! Betweenness centrality by Brandes' algorithm as published. Path counts carry an exponent, so that they cannot
//! overflow.

use std::collections::{BTreeSet, VecDeque};
use warpgraph::graph::{Graph, Vertex, Weights};
use warpgraph_core::bc::Bc;

/// A number of paths, `m * 2^e` with `m` below 2^64.
#[derive(Clone, Copy)]
struct Paths {
    m: f64,
    e: i64,
}

impl Paths {
    fn add(self, other: Self) -> Self {
        let e = self.e.max(other.e);
        let m = self.m * two_to(self.e - e) + other.m * two_to(other.e - e);
        if m < 2f64.powi(64) { Self { m, e } } else { Self { m: m * 2f64.powi(-64), e: e + 64 } }
    }

    fn divided_by(self, other: Self) -> f64 {
        self.m / other.m * two_to(self.e - other.e)
    }
}

fn two_to(e: i64) -> f64 {
    if e < -2000 { 0.0 } else { 2f64.powi(e as i32) }
}

/// The search from one source: vertices in the order they were settled, the predecessors of each, and its path count.
struct Search {
    order: Vec<Vertex>,
    before: Vec<Vec<Vertex>>,
    paths: Vec<Paths>,
}

/// Returns the scores of `config` from these sources (`None`: all vertices), scaled as NetworkX 3.6 does.
///
/// Reference for: scores, to a relative error of 1e-9.
///
/// # Panics
/// If a source is not a vertex.
pub fn bc(graph: &Graph, config: &Bc, sources: Option<&[Vertex]>) -> Vec<f64> {
    let n = graph.vertices();
    let mut scores = vec![0.0; n];
    let all: Vec<Vertex> = (0..n as Vertex).collect();
    let sources = sources.filter(|list| list.len() < n);
    for &s in sources.unwrap_or(&all) {
        let search = if config.weighted { dijkstra(graph, s) } else { queue(graph, s) };
        accumulate(&search, s, config.endpoints, &mut scores);
    }
    rescale(graph, config, sources, &mut scores);
    scores
}

fn accumulate(search: &Search, source: Vertex, endpoints: bool, scores: &mut [f64]) {
    let mut dependency = vec![0.0; scores.len()];
    if endpoints {
        scores[source as usize] += (search.order.len() - 1) as f64;
    }
    for &w in search.order.iter().rev() {
        for &v in &search.before[w as usize] {
            let share = search.paths[v as usize].divided_by(search.paths[w as usize]);
            dependency[v as usize] += share * (1.0 + dependency[w as usize]);
        }
        if w != source {
            scores[w as usize] += dependency[w as usize] + if endpoints { 1.0 } else { 0.0 };
        }
    }
}

fn rescale(graph: &Graph, config: &Bc, sources: Option<&[Vertex]>, scores: &mut [f64]) {
    let pairs = graph.vertices() as f64 - if config.endpoints { 0.0 } else { 1.0 };
    if pairs < 2.0 {
        return;
    }
    for (v, score) in scores.iter_mut().enumerate() {
        let mut k = sources.map_or(pairs, |list| list.len() as f64);
        if !config.endpoints && sources.is_some_and(|list| list.contains(&(v as Vertex))) {
            k -= 1.0;
        }
        let half = if graph.is_directed() { 1.0 } else { 2.0 };
        let whole = if config.normalized { k * (pairs - 1.0) } else { k * half / pairs };
        *score = if k == 0.0 { f64::NAN } else { *score / whole };
    }
}

fn new_search(n: usize, source: Vertex) -> Search {
    let mut paths = vec![Paths { m: 0.0, e: 0 }; n];
    paths[source as usize].m = 1.0;
    Search { order: Vec::new(), before: vec![Vec::new(); n], paths }
}

fn queue(graph: &Graph, source: Vertex) -> Search {
    let n = graph.vertices();
    let mut search = new_search(n, source);
    let mut hops = vec![None; n];
    hops[source as usize] = Some(0u64);
    let mut queue = VecDeque::from([source]);
    while let Some(v) = queue.pop_front() {
        search.order.push(v);
        let next = hops[v as usize].map(|h| h + 1);
        for &w in graph.out().csr.neighbors(v) {
            if hops[w as usize].is_none() {
                hops[w as usize] = next;
                queue.push_back(w);
            }
            if hops[w as usize] == next {
                search.paths[w as usize] = search.paths[w as usize].add(search.paths[v as usize]);
                search.before[w as usize].push(v);
            }
        }
    }
    search
}

/// A distance that sorts like a number: integers as they are, floating-point distances by their bits.
type Key = u128;

fn plus(key: Key, weights: &Weights, arc: usize) -> Option<Key> {
    match weights {
        Weights::F32(_) | Weights::F64(_) => {
            let sum = f64::from_bits(key as u64) + weights.get(arc);
            Some(Key::from(sum.to_bits())).filter(|_| sum.is_finite())
        }
        _ => Some(key + weights.get(arc) as Key),
    }
}

fn dijkstra(graph: &Graph, source: Vertex) -> Search {
    let (csr, weights) = (&graph.out().csr, &graph.out().weights);
    let n = graph.vertices();
    let mut search = new_search(n, source);
    let mut distance = vec![Key::MAX; n];
    distance[source as usize] = 0;
    let mut waiting = BTreeSet::from([(0, source)]);
    while let Some((far, v)) = waiting.pop_first() {
        search.order.push(v);
        for arc in csr.arcs_of(v) {
            let w = csr.targets()[arc] as usize;
            let Some(farther) = plus(far, weights, arc) else { continue };
            if farther < distance[w] {
                waiting.remove(&(distance[w], w as Vertex));
                waiting.insert((farther, w as Vertex));
                distance[w] = farther;
                search.before[w].clear();
                search.paths[w] = Paths { m: 0.0, e: 0 };
            }
            if farther == distance[w] {
                search.paths[w] = search.paths[w].add(search.paths[v as usize]);
                search.before[w].push(v);
            }
        }
    }
    search
}
