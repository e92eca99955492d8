//! Shortest paths: delta-stepping, or Bellman-Ford if a weight is negative.
//!
//! The type of the distances follows from the weights, so that sums never wrap; everything below is compiled for each
//! type.

mod bellman_ford;
mod bins;
mod delta;
mod metric;

use crate::{AlongPaths, Options, Recorder};
use delta::Search;
use metric::{Metric, Unit, WeightOf};
use std::time::Instant;
use warpgraph_core::{
    Direction, Halted, Plan, Result,
    sssp::{Distances, Sssp, SsspAnswer, by_program},
};
use warpgraph_graph::{Graph, Pages, Vertex, Weights, with_view};

/// Computes the distance of every vertex from a source.
///
/// # Errors
/// If the source can reach a negative cycle, if a distance is beyond the range of its type, if interrupted, or if memory
/// is short.
pub fn sssp(graph: &Graph, config: &Sssp, options: &Options) -> Result<SsspAnswer> {
    if options.plan.paths().is_some() {
        return by_program(&AlongPaths::new(graph), config, options);
    }
    let prepared = Instant::now();
    let source = config.source.resolve(graph, options.seed, options.run)?;
    let (least, most) = graph.weight_range().unwrap_or((1.0, 1.0));
    let recorder = Recorder::start(options, prepared);
    if least < 0.0 {
        return bellman_ford::search(graph, source, options, recorder);
    }
    let is_narrow = most * (graph.vertices() as f64) < f64::from(u32::MAX);
    let task = Task { graph, config, options, source, most };
    match &graph.out().weights {
        Weights::None => task.search::<u32, _>(Unit, recorder),
        Weights::U32(w) if is_narrow => task.search::<u32, _>(&w[..], recorder),
        Weights::U32(w) => task.search::<u64, _>(&w[..], recorder),
        Weights::I32(w) if is_narrow => task.search::<u32, _>(&w[..], recorder),
        Weights::I32(w) => task.search::<u64, _>(&w[..], recorder),
        Weights::F32(w) => task.search::<f32, _>(&w[..], recorder),
        Weights::F64(w) => task.search::<f64, _>(&w[..], recorder),
    }
}

/// The question.
struct Task<'a> {
    graph: &'a Graph,
    config: &'a Sssp,
    options: &'a Options,
    source: Vertex,
    /// The largest weight.
    most: f64,
}

impl Task<'_> {
    fn search<D: Metric, W: WeightOf<D>>(&self, weights: W, mut recorder: Recorder) -> Result<SsspAnswer> {
        let n = self.graph.vertices();
        let mut distances = Pages::<D>::scratch(n)?;
        let width = D::width(self.config.delta.unwrap_or_else(|| self.width()));
        with_view!(self.graph.out().csr, |out| {
            let search = Search::new(out, weights, &mut distances, width);
            search.run(self.source, self.options, &mut recorder)?;
        });
        let plan = Plan::bsp(Some(Direction::Push));
        let run = recorder.finish(plan, Halted::Converged, (n * size_of::<D>()) as u64);
        let distances: Distances = D::wrap(distances);
        SsspAnswer::found(self.graph, self.source, distances, run)
    }

    /// Returns a bucket width. Wide buckets relax arcs repeatedly; narrow ones leave threads without work, especially
    /// if vertices have few arcs. So on average half an arc per vertex stays inside a bucket where vertices have many
    /// arcs, and two arcs where they have few.
    fn width(&self) -> f64 {
        let mean_degree = self.graph.arcs() as f64 / self.graph.vertices().max(1) as f64;
        let arcs_inside = if mean_degree < FEW_ARCS { 2.0 } else { 0.5 };
        arcs_inside * self.most / mean_degree.max(1.0)
    }
}

/// A mean degree below this is typical of a mesh or a road network.
const FEW_ARCS: f64 = 8.0;
