//! The limit of runs on one graph in one order: an algorithm's model fed with what the runs told.

use super::{Limit, Locality};
use crate::GpuLimits;
use warpgraph::{Direction, Entry, Graph, Order, Run, cost::GpuWork, measure::Measured};

/// What median runs told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// Arcs of the vertices reached.
    pub arcs: u64,
    /// Supersteps or sweeps.
    pub rounds: u64,
    /// Vertices reached, if the runs told.
    pub reached: Option<u64>,
    /// Supersteps of bfs on this graph, if that was measured.
    pub levels: Option<u64>,
}

impl From<&Measured> for Seen {
    fn from(measured: &Measured) -> Self {
        let figures = &measured.figures;
        let (arcs, rounds) = (figures.median_arcs() as u64, figures.median_rounds());
        Self { arcs, rounds, reached: figures.median_reached(), levels: None }
    }
}

/// What the models ask of a graph in an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Gauge {
    /// The work of a run that does nothing.
    idle: GpuWork,
    has_weights: bool,
    locality: Locality,
}

impl Gauge {
    /// Looks at the arcs of the graph once.
    pub fn of(graph: &Graph, order: Order) -> Self {
        let (vertices, arcs) = (graph.vertices() as u64, graph.arcs() as u64);
        let with_arcs = vertices - graph.counts().isolated;
        let (reached, arcs_reached, rounds, levels) = (0, 0, 0, None);
        let idle = GpuWork { vertices, with_arcs, arcs, reached, arcs_reached, rounds, levels, order };
        let has_weights = graph.weight_type().is_some();
        Self { idle, has_weights, locality: Locality::of(graph, order) }
    }

    /// Returns the least time of a whole median run. `None` if it was not on a GPU, if there is no model of the algorithm,
    /// or none of the way it was run: PageRank that pushes looks at changes only.
    pub fn limit(&self, entry: &Entry, run: &Run, seen: &Seen, limits: &GpuLimits) -> Option<Limit> {
        let entry = self.model(entry)?;
        let pushes = run.plan.fixed_direction() == Some(Direction::Push);
        let sweeps = entry.name == "pagerank";
        if (pushes && sweeps) || !run.device.is_gpu() {
            return None;
        }
        let Seen { arcs: arcs_reached, rounds, levels, .. } = *seen;
        let reached = seen.reached.unwrap_or_else(|| self.share_of(arcs_reached));
        let work = GpuWork { reached, arcs_reached, rounds, levels, ..self.idle.clone() };
        let terms = (entry.cost.on_gpu?)(&work);
        let limit = Limit::of(&terms, &self.locality, limits)?;
        Some(if sweeps { limit.times(rounds as f64) } else { limit })
    }

    /// Returns whose model counts: shortest paths without weights can be had by bfs.
    fn model<'a>(&self, entry: &'a Entry) -> Option<&'a Entry> {
        match entry.name {
            "sssp" if !self.has_weights => warpgraph::find("bfs").ok(),
            _ => Some(entry),
        }
    }

    /// Returns about how many vertices have so many arcs, over several searches too: as many as have that share of all arcs.
    fn share_of(&self, arcs: u64) -> u64 {
        (self.idle.with_arcs as f64 * arcs as f64 / self.idle.arcs.max(1) as f64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{gpu_limits::tests, gpu_model::Bound};
    use warpgraph::{
        Control, Engine, Options,
        graph::generate::Spec,
        measure::{Repeats, measure},
    };

    /// Returns a generated graph and its gauge.
    fn gauged(spec: &str) -> (Graph, Gauge) {
        let graph = spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap();
        let gauge = Gauge::of(&graph, Order::Natural);
        (graph, gauge)
    }

    #[test]
    #[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "no simulator here")]
    fn a_run_is_held_against_what_it_reached_and_what_has_no_model_has_no_limit() {
        let (graph, gauge) = gauged("grid:16x16,w=1..9");
        let run = |engine: &Engine, algorithm: &str, plan: &str| {
            let loaded = engine.load(&graph, Order::Natural).unwrap();
            let options = Options { plan: plan.parse().unwrap(), ..Options::default() };
            let entry = warpgraph::find(algorithm).unwrap();
            let repeats = Repeats { runs: 3, ..Repeats::ONCE };
            let run = measure(&loaded, &*entry.usual(), &options, &repeats).unwrap();
            let limit = gauge.limit(entry, run.answer.run(), &Seen::from(&run), &tests::limits());
            (run.figures, limit)
        };
        let processor = Engine::on(warpgraph::Device::Cpu, Some(1)).unwrap();
        assert_eq!(run(&processor, "bfs", "auto").1, None, "the processor has limits of its own");
        let engine = tests::simulator();
        for (algorithm, plan) in [("pagerank", "push"), ("scc", "auto")] {
            assert_eq!(run(&engine, algorithm, plan).1, None, "{algorithm}");
        }
        // PageRank is held against all its sweeps.
        for (algorithm, plan, more_than) in [("bfs", "push", 10), ("pagerank", "auto", 1)] {
            let (figures, limit) = run(&engine, algorithm, plan);
            let (limit, rounds) = (limit.unwrap(), figures.median_rounds());
            let barrier = limit.terms.iter().find(|term| term.bound == Bound::Barrier).unwrap();
            assert!(rounds > more_than && barrier.amount == rounds as f64, "{limit:?}");
            assert!((limit.seconds - rounds as f64 * 1e-6).abs() < 1e-12, "{limit:?}");
            assert!(algorithm != "bfs" || limit.bound == Bound::Barrier, "{limit:?}");
            assert!(algorithm != "bfs" || figures.reached == [256; 3], "{figures:?}");
        }
    }

    #[test]
    fn what_a_run_does_not_tell_follows_from_the_graph() {
        let (_, gauge) = gauged("grid:8x8");
        let sssp = warpgraph::find("sssp").unwrap();
        assert_eq!(gauge.model(sssp).unwrap().name, "bfs", "no weight is read");
        assert_eq!([1, 4].map(|times| gauge.share_of(times * gauge.idle.arcs)), [64, 256]);
    }
}
