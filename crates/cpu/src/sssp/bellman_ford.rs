//! Bellman-Ford for graphs with negative weights, in rounds over the vertices whose distance decreased.
//!
//! Every vertex remembers the arc that lowered it last. Without a negative cycle these arcs form a tree; a cycle among
//! them is a negative cycle, and a reachable one shows there after at most n rounds. The search looks for a cycle each
//! time it has relaxed as many arcs as there are vertices, which costs no more than the relaxations themselves. Serial;
//! O(n m) at worst, O(m) per round in practice.

use crate::{Options, Recorder, parts::Bitmap};
use warpgraph_core::{
    Direction, Error, Halted, Plan, Result,
    sssp::{Distance, SsspAnswer},
};
use warpgraph_graph::{Arcs, Graph, NO_VERTEX, Pages, Vertex, VertexId, Weights};

pub(super) fn search(
    graph: &Graph,
    source: Vertex,
    options: &Options,
    recorder: Recorder,
) -> Result<SsspAnswer> {
    match &graph.out().weights {
        Weights::F32(w) => run(graph, source, options, recorder, |i| w[i]),
        Weights::F64(w) => run(graph, source, options, recorder, |i| w[i]),
        Weights::I32(w) => run(graph, source, options, recorder, |i| i64::from(w[i])),
        Weights::U32(w) => run(graph, source, options, recorder, |i| i64::from(w[i])),
        Weights::None => run(graph, source, options, recorder, |_| 1i64),
    }
}

fn run<D: Distance>(
    graph: &Graph,
    source: Vertex,
    options: &Options,
    mut recorder: Recorder,
    weight: impl Fn(usize) -> D,
) -> Result<SsspAnswer> {
    let n = graph.vertices();
    let mut search = Search {
        arcs: graph.out(),
        weight,
        distances: Pages::scratch(n)?,
        lowered_by: vec![NO_VERTEX; n],
        waiting: Bitmap::empty(n)?,
    };
    search.distances.fill(D::UNREACHED);
    search.distances[source as usize] = D::ZERO;
    let mut frontier = vec![source];
    let mut relaxed = 0;
    while !frontier.is_empty() {
        options.control.check("searching")?;
        let size = frontier.len();
        relaxed += search.round(&mut frontier);
        recorder.step(size, Direction::Push, || "Bellman-Ford, since a weight is negative".to_owned());
        options.control.report("sssp", recorder.rounds(), None);
        if relaxed >= n {
            relaxed = 0;
            search.look_for_cycle(graph)?;
        }
    }
    let plan = Plan::bsp(Some(Direction::Push));
    let state = (n * (size_of::<D>() + 4)) as u64;
    let run = recorder.finish(plan, Halted::Converged, state);
    SsspAnswer::found(graph, source, D::wrap(search.distances), run)
}

struct Search<'a, D: Distance, W> {
    arcs: &'a Arcs,
    weight: W,
    distances: Pages<D>,
    /// The vertex that lowered each vertex last.
    lowered_by: Vec<Vertex>,
    /// Vertices in the next frontier.
    waiting: Bitmap,
}

impl<D: Distance, W: Fn(usize) -> D> Search<'_, D, W> {
    /// Relaxes the arcs of the frontier and replaces it by the vertices that were lowered. Returns the number of arcs.
    fn round(&mut self, frontier: &mut Vec<Vertex>) -> usize {
        let (mut next, mut relaxed) = (Vec::new(), 0);
        for &u in frontier.iter() {
            self.waiting.remove(u);
            let distance = self.distances[u as usize];
            for i in self.arcs.csr.arcs_of(u) {
                let v = self.arcs.csr.targets()[i];
                let longer = distance.plus((self.weight)(i));
                relaxed += 1;
                if longer < self.distances[v as usize] {
                    self.distances[v as usize] = longer;
                    self.lowered_by[v as usize] = u;
                    if !self.waiting.contains(v) {
                        self.waiting.insert(v);
                        next.push(v);
                    }
                }
            }
        }
        *frontier = next;
        relaxed
    }

    /// Returns an error if the arcs that lowered vertices last contain a cycle.
    fn look_for_cycle(&self, graph: &Graph) -> Result<()> {
        // The walk that met a vertex first. Each vertex is visited once.
        let mut met_by = vec![NO_VERTEX; self.lowered_by.len()];
        for start in 0..self.lowered_by.len() as Vertex {
            let mut v = start;
            while v != NO_VERTEX && met_by[v as usize] == NO_VERTEX {
                met_by[v as usize] = start;
                v = self.lowered_by[v as usize];
            }
            if v != NO_VERTEX && met_by[v as usize] == start {
                return Err(self.name_cycle(graph, v));
            }
        }
        Ok(())
    }

    fn name_cycle(&self, graph: &Graph, on_cycle: Vertex) -> Error {
        let mut cycle = vec![on_cycle];
        let mut v = self.lowered_by[on_cycle as usize];
        while v != on_cycle {
            cycle.push(v);
            v = self.lowered_by[v as usize];
        }
        // The walk went against the arcs. Reversed and rotated, the cycle starts and ends at its smallest vertex.
        cycle.reverse();
        let smallest = (0..cycle.len()).min_by_key(|&i| cycle[i]).unwrap_or(0);
        cycle.rotate_left(smallest);
        cycle.push(cycle[0]);
        let weight = cycle.windows(2).map(|pair| self.lightest(pair[0], pair[1])).sum();
        let vertices: Vec<VertexId> = cycle.into_iter().map(|v| graph.ids().id(v)).collect();
        Error::NegativeCycle { vertices, weight }
    }

    /// Returns the weight of the lightest arc u -> v.
    fn lightest(&self, u: Vertex, v: Vertex) -> f64 {
        let targets = self.arcs.csr.targets();
        let parallel = self.arcs.csr.arcs_of(u).filter(|&i| targets[i] == v);
        parallel.map(|i| self.arcs.weights.get(i)).fold(f64::INFINITY, f64::min)
    }
}
