//! What runs on a GPU are held against: the [`limit_model`] of an algorithm on one graph in one order, fed with what the
//! runs themselves tell.

use super::{
    Question,
    limit_model::{self, Limit, Work},
    locality::Locality,
};
use crate::{GpuLimits, algorithms::Outcome, runner};
use warpgraph::{Direction, Graph, Order};

/// What the models ask of a graph in an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Gauge {
    vertices: u64,
    with_arcs: u64,
    arcs: u64,
    has_weights: bool,
    order: Order,
    locality: Locality,
}

impl Gauge {
    /// Looks at the arcs of the graph once.
    pub fn of(graph: &Graph, order: Order) -> Self {
        let vertices = graph.vertices() as u64;
        Self {
            vertices,
            with_arcs: vertices - graph.counts().isolated,
            arcs: graph.arcs() as u64,
            has_weights: graph.weight_type().is_some(),
            order,
            locality: Locality::of(graph, order),
        }
    }

    /// The order.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Vertices with arcs.
    pub fn with_arcs(&self) -> u64 {
        self.with_arcs
    }

    /// What a run of so many supersteps had to do that reached so many vertices and arcs.
    pub fn work(&self, reached: u64, arcs_reached: u64, rounds: u64) -> Work {
        Work {
            vertices: self.vertices,
            with_arcs: self.with_arcs,
            arcs: self.arcs,
            reached,
            arcs_reached,
            rounds,
            levels: None,
            order: self.order,
            locality: self.locality.clone(),
        }
    }

    /// The least time of a whole median run. `None` if it was not on a GPU, if there is no model of the algorithm, or
    /// none of the way it was run: pagerank that pushes looks at changes only.
    pub fn limit(&self, algorithm: &str, outcome: &Outcome, limits: &GpuLimits) -> Option<Limit> {
        let question = self.question(algorithm)?;
        let (run, figures) = (&outcome.run, &outcome.figures);
        let pushes = run.plan.fixed_direction() == Some(Direction::Push);
        let is_partial = pushes && question == Question::PageRank;
        if is_partial || !runner::is_on_gpu(run) {
            return None;
        }
        let (arcs, rounds) = (figures.median_arcs() as u64, figures.median_rounds());
        let reached = figures.median_reached().unwrap_or_else(|| self.share_of(arcs));
        let limit = limit_model::limit(question, &self.work(reached, arcs, rounds), limits)?;
        Some(if question == Question::PageRank { limit.times(rounds) } else { limit })
    }

    /// What is asked; shortest paths without weights can be had by bfs.
    fn question(&self, algorithm: &str) -> Option<Question> {
        match algorithm.parse().ok()? {
            Question::Sssp if !self.has_weights => Some(Question::Bfs),
            question => Some(question),
        }
    }

    /// About the vertices that have so many arcs, over several searches too: as many as have that share of all arcs.
    fn share_of(&self, arcs: u64) -> u64 {
        (self.with_arcs as f64 * arcs as f64 / self.arcs.max(1) as f64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{algorithms, gpu::limit_model::Bound, gpu_limits::tests, runner::How};
    use warpgraph::{Control, Engine, Plan, graph::generate::Spec};

    /// What came of an algorithm.
    fn outcome(engine: &Engine, graph: &Graph, algorithm: &str, plan: &str) -> Outcome {
        let loaded = engine.load(graph, Order::Natural).unwrap();
        let control = Control::new();
        let how = How { plan: plan.parse::<Plan>().unwrap(), runs: 3, ..How::new(&control) };
        (algorithms::find(algorithm).unwrap().measure)(&loaded, &how).unwrap()
    }

    fn graph(spec: &str) -> Graph {
        spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
    }

    #[test]
    fn a_search_is_held_against_what_it_reached_and_pagerank_against_all_its_sweeps() {
        let Some(engine) = tests::simulator() else { return };
        let (graph, limits) = (graph("grid:16x16,w=1..9"), tests::limits());
        let gauge = Gauge::of(&graph, Order::Natural);
        let bfs = outcome(&engine, &graph, "bfs", "push");
        assert_eq!(bfs.figures.reached, [256; 3]);
        let limit = gauge.limit("bfs", &bfs, &limits).unwrap();
        let rounds = bfs.figures.median_rounds();
        assert!(rounds > 10 && limit.bound == Bound::Barrier, "{limit:?}");
        assert!((limit.seconds - rounds as f64 * 1e-6).abs() < 1e-12, "{limit:?}");
        let ranks = outcome(&engine, &graph, "pagerank", "auto");
        let (limit, sweeps) = (gauge.limit("pagerank", &ranks, &limits).unwrap(), ranks.run.rounds);
        let barrier = limit.terms.iter().find(|term| term.bound == Bound::Barrier).unwrap();
        assert!(sweeps > 1 && barrier.amount == sweeps as f64, "{limit:?}");
        assert!((limit.seconds - sweeps as f64 * 1e-6).abs() < 1e-12, "{limit:?}");
    }

    #[test]
    fn what_has_no_model_has_no_limit() {
        let (graph, limits) = (graph("grid:8x8,w=1..9"), tests::limits());
        let gauge = Gauge::of(&graph, Order::Natural);
        let processor = Engine::on(warpgraph::Device::Cpu, Some(1)).unwrap();
        let here = outcome(&processor, &graph, "bfs", "auto");
        assert_eq!(gauge.limit("bfs", &here, &limits), None, "the processor has limits of its own");
        let Some(engine) = tests::simulator() else { return };
        let pushed = outcome(&engine, &graph, "pagerank", "push");
        assert_eq!(gauge.limit("pagerank", &pushed, &limits), None);
        let strong = outcome(&engine, &graph, "scc", "auto");
        assert_eq!(gauge.limit("scc", &strong, &limits), None);
    }

    #[test]
    fn what_a_run_does_not_tell_follows_from_the_graph() {
        let gauge = Gauge::of(&graph("grid:8x8"), Order::Natural);
        assert_eq!(gauge.question("sssp"), Some(Question::Bfs), "no weight is read");
        assert_eq!((gauge.share_of(gauge.arcs), gauge.share_of(4 * gauge.arcs)), (64, 256));
    }
}
