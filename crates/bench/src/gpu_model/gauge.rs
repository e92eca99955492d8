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

    /// Returns what a run had to do.
    fn work(&self, seen: &Seen) -> GpuWork {
        GpuWork {
            vertices: self.vertices,
            with_arcs: self.with_arcs,
            arcs: self.arcs,
            reached: seen.reached.unwrap_or_else(|| self.share_of(seen.arcs)),
            arcs_reached: seen.arcs,
            rounds: seen.rounds,
            levels: seen.levels,
            order: self.order,
        }
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
        let terms = (entry.cost.on_gpu?)(&self.work(seen));
        let limit = Limit::of(&terms, &self.locality, limits)?;
        Some(if sweeps { limit.times(seen.rounds as f64) } else { limit })
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
        (self.with_arcs as f64 * arcs as f64 / self.arcs.max(1) as f64) as u64
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

    /// What came of an algorithm.
    fn measured(engine: &Engine, graph: &Graph, algorithm: &str, plan: &str) -> Measured {
        let loaded = engine.load(graph, Order::Natural).unwrap();
        let options = Options { plan: plan.parse().unwrap(), ..Options::default() };
        let usual = warpgraph::find(algorithm).unwrap().usual();
        measure(&loaded, &*usual, &options, &Repeats { runs: 3, ..Repeats::ONCE }).unwrap()
    }

    fn limit(gauge: &Gauge, algorithm: &str, measured: &Measured) -> Option<Limit> {
        let entry = warpgraph::find(algorithm).unwrap();
        gauge.limit(entry, measured.answer.run(), &Seen::from(measured), &tests::limits())
    }

    fn graph(spec: &str) -> Graph {
        spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
    }

    #[test]
    #[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "no simulator here")]
    fn a_search_is_held_against_what_it_reached_and_pagerank_against_all_its_sweeps() {
        let engine = tests::simulator();
        let graph = graph("grid:16x16,w=1..9");
        let gauge = Gauge::of(&graph, Order::Natural);
        let bfs = measured(&engine, &graph, "bfs", "push");
        assert_eq!(bfs.figures.reached, [256; 3]);
        let least = limit(&gauge, "bfs", &bfs).unwrap();
        let rounds = bfs.figures.median_rounds();
        assert!(rounds > 10 && least.bound == Bound::Barrier, "{least:?}");
        assert!((least.seconds - rounds as f64 * 1e-6).abs() < 1e-12, "{least:?}");
        let ranks = measured(&engine, &graph, "pagerank", "auto");
        let (least, sweeps) = (limit(&gauge, "pagerank", &ranks).unwrap(), ranks.answer.run().rounds);
        let barrier = least.terms.iter().find(|term| term.bound == Bound::Barrier).unwrap();
        assert!(sweeps > 1 && barrier.amount == sweeps as f64, "{least:?}");
        assert!((least.seconds - sweeps as f64 * 1e-6).abs() < 1e-12, "{least:?}");
    }

    #[test]
    #[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "no simulator here")]
    fn what_has_no_model_has_no_limit() {
        let graph = graph("grid:8x8,w=1..9");
        let gauge = Gauge::of(&graph, Order::Natural);
        let processor = Engine::on(warpgraph::Device::Cpu, Some(1)).unwrap();
        let here = measured(&processor, &graph, "bfs", "auto");
        assert_eq!(limit(&gauge, "bfs", &here), None, "the processor has limits of its own");
        let engine = tests::simulator();
        let pushed = measured(&engine, &graph, "pagerank", "push");
        assert_eq!(limit(&gauge, "pagerank", &pushed), None);
        let strong = measured(&engine, &graph, "scc", "auto");
        assert_eq!(limit(&gauge, "scc", &strong), None);
    }

    #[test]
    fn what_a_run_does_not_tell_follows_from_the_graph() {
        let gauge = Gauge::of(&graph("grid:8x8"), Order::Natural);
        let sssp = warpgraph::find("sssp").unwrap();
        assert_eq!(gauge.model(sssp).unwrap().name, "bfs", "no weight is read");
        assert_eq!((gauge.share_of(gauge.arcs), gauge.share_of(4 * gauge.arcs)), (64, 256));
    }
}
