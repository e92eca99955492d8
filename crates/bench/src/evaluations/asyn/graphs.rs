//! The graphs, and what is measured of them before anything runs.

use super::Asyn;
use crate::{
    evaluation::{Asked, Subject},
    statistics::median,
};
use serde::{Deserialize, Serialize};
use std::time::Instant;
use warpgraph::{
    Bfs, Control, Engine, Graph, Order, Result,
    graph::{
        Vertex,
        build::{self, EdgeChunk, EdgeList, EdgeWeights, Loops, Parallel},
    },
};

/// The scale of the graphs where nothing else is said.
const SCALE: u32 = 20;
/// The scale of tiny graphs.
const TINY: u32 = 6;
/// Left out of the names of own graphs.
const WEIGHTS: &str = ",w=1..255";
/// The exponents of figure 14, and the one whose graph is in all parts.
const ALPHAS: [f64; 5] = [1.8, 1.9, 2.0, 2.1, 2.2];
const IN_ALL_PARTS: f64 = 2.0;
/// Builds of a CSR, of which the median is taken.
const BUILDS: usize = 3;

/// Returns graphs of the kinds that the paper has: skewed degrees both ways and one way, clusters, no structure at all, a long
/// diameter, a power law.
pub(super) fn suite(scale: u32) -> Vec<String> {
    let (wide, high) = (1u64 << (scale / 2), 1u64 << (scale - scale / 2));
    let clusters = if scale < 12 { ",size=16,degree=8" } else { "" };
    let all = [
        format!("kron:{scale}"),
        format!("kron:{scale},directed"),
        format!("community:{scale}{clusters}"),
        format!("uniform:{scale}"),
        format!("grid:{wide}x{high}"),
        powerlaw(scale, IN_ALL_PARTS),
    ];
    all.map(|text| text + WEIGHTS).to_vec()
}

fn powerlaw(scale: u32, alpha: f64) -> String {
    format!("powerlaw:{},alpha={alpha}", 1u64 << scale)
}

/// Returns the graphs of figure 14.
pub(super) fn series(scale: u32) -> Vec<String> {
    ALPHAS.map(|alpha| powerlaw(scale, alpha) + WEIGHTS).to_vec()
}

/// Returns the exponent of a generated power-law graph.
pub(super) fn alpha(source: &str) -> Option<f64> {
    let mut pieces = source.strip_prefix("powerlaw:")?.split(',');
    let alpha = pieces.find_map(|piece| piece.strip_prefix("alpha="));
    alpha.map_or(Some(IN_ALL_PARTS), |alpha| alpha.parse().ok())
}

impl Asyn {
    fn own_scale(&self) -> u32 {
        if self.quick { TINY } else { self.scale.unwrap_or(SCALE) }
    }

    /// Returns the graphs to measure: own ones, unless others are named, and those of a scale in any case; each in some part.
    pub(super) fn asked(&self, named: &[String]) -> Vec<Asked> {
        let has_own = self.quick || self.scale.is_some() || named.is_empty();
        let (scale, mut own) = (self.own_scale(), Vec::new());
        if has_own && (self.parts.is_empty() || self.parts.iter().any(|part| part != "fig14")) {
            own.extend(suite(scale));
        }
        if has_own && self.has("fig14") {
            own.extend(series(scale));
        }
        let mut all: Vec<Asked> = Vec::new();
        for source in own.into_iter().chain(named.iter().cloned()) {
            if !all.iter().any(|asked| asked.source == source) {
                let name = source.strip_suffix(WEIGHTS).unwrap_or(&source).to_owned();
                all.push(Asked { name, ..Asked::new(source) });
            }
        }
        all
    }

    /// Returns true for a graph that only figure 14 is about.
    pub(super) fn is_only_of_series(&self, source: &str) -> bool {
        alpha(source) != Some(IN_ALL_PARTS) && series(self.own_scale()).iter().any(|text| text == source)
    }
}

/// What is measured of a graph before anything runs.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Seen {
    /// Seconds of building a CSR from its edges, on all threads.
    pub(super) build: f64,
    /// A lower bound of its diameter: hops to the farthest vertex from one that is far from the vertex of largest degree.
    pub(super) diameter: u64,
    /// The exponent of a generated power-law graph.
    pub(super) alpha: Option<f64>,
}

impl Seen {
    pub(super) fn of(subject: &Subject<'_>) -> Result<Self> {
        let Subject { asked, graph, processor, control, .. } = *subject;
        Ok(Self {
            build: processor.install(|| build_seconds(graph, control))?,
            diameter: diameter(processor, graph, control)?,
            alpha: alpha(&asked.source),
        })
    }
}

/// Returns the seconds of building the outgoing arcs of a graph from its list of edges.
fn build_seconds(graph: &Graph, control: &Control) -> Result<f64> {
    let is_listed = |u: Vertex, v: Vertex| graph.is_directed() || u <= v;
    let row = |u: Vertex| {
        graph.out().csr.neighbors(u).iter().filter(move |&&v| is_listed(u, v)).map(move |&v| [u, v])
    };
    let pairs: Vec<[Vertex; 2]> = (0..graph.vertices() as Vertex).flat_map(row).collect();
    let how =
        build::Options { directed: graph.is_directed(), loops: Loops::Keep, parallel: Parallel::default() };
    let mut times = Vec::new();
    for _ in 0..BUILDS {
        let chunks = vec![EdgeChunk { pairs: pairs.clone(), weights: EdgeWeights::None }];
        let (list, start) = (EdgeList { vertices: graph.vertices(), chunks }, Instant::now());
        build::build(list, &how, control)?;
        times.push(start.elapsed().as_secs_f64());
    }
    Ok(median(&times))
}

fn diameter(engine: &Engine, graph: &Graph, control: &Control) -> Result<u64> {
    if graph.vertices() == 0 {
        return Ok(0);
    }
    let loaded = engine.load(graph, Order::Natural)?;
    let farthest = |from: Vertex| -> Result<(u32, Vertex)> {
        let answer = loaded.bfs(Bfs::from(graph.ids().id(from))).control(control).run()?;
        let reached = answer.distances().iter().zip(0..).filter(|(hops, _)| **hops != u32::MAX);
        Ok(reached.map(|(hops, v)| (*hops, v)).max_by_key(|(hops, _)| *hops).unwrap_or_default())
    };
    let (near, far) = farthest(graph.counts().max_degree_vertex)?;
    Ok(u64::from(farthest(far)?.0.max(near)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluations::of;
    use warpgraph::graph::generate::Spec;

    #[test]
    fn generators_take_every_graph_and_exponents_are_told_from_their_texts() {
        for name in (6..=26).flat_map(|scale| [suite(scale), series(scale)].concat()) {
            name.parse::<Spec>().unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        let alphas = ["powerlaw:9,alpha=1.8,w=1..9", "powerlaw:9", "powerlaw:9,seed=2", "kron:9", "a.el"];
        assert_eq!(alphas.map(alpha), [Some(1.8), Some(2.0), Some(2.0), None, None]);
    }

    #[test]
    fn own_graphs_are_those_of_the_parts_that_are_asked_for() {
        let names = |line: &str, named: &[&str]| -> Vec<String> {
            let named: Vec<String> = named.iter().map(|name| (*name).to_owned()).collect();
            of::<Asyn>(line).asked(&named).into_iter().map(|asked| asked.name).collect()
        };
        assert_eq!(names("", &[]).len(), 10);
        assert_eq!(names("--only main", &[]).len(), 6);
        let series = ["1.8", "1.9", "2", "2.1", "2.2"].map(|alpha| format!("powerlaw:64,alpha={alpha}"));
        assert_eq!(names("--only fig14 --quick", &[]), series);
        assert_eq!(names("", &["a.el", "kron:5,w=1..255"]), ["a.el", "kron:5"]);
        assert_eq!(names("--scale 8 --only main", &["a.el"]).len(), 7);
        let asyn = of::<Asyn>("--scale 8");
        let only = ["powerlaw:256,alpha=1.8,w=1..255", "powerlaw:256,alpha=2,w=1..255", "powerlaw:256"];
        assert_eq!(only.map(|source| asyn.is_only_of_series(source)), [true, false, false]);
    }

    #[test]
    fn a_diameter_is_found_from_a_far_vertex_and_a_build_takes_time() {
        let engine = Engine::on(warpgraph::Device::Cpu, Some(1)).unwrap();
        let hops = |spec: &str| {
            let graph = spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap();
            assert!(build_seconds(&graph, &Control::new()).unwrap() > 0.0, "{spec}");
            diameter(&engine, &graph, &Control::new()).unwrap()
        };
        assert_eq!((hops("grid:5x9"), hops("grid:1x4")), (12, 3));
        let none = Graph::from_edges(0, &[], false).unwrap();
        assert_eq!(diameter(&engine, &none, &Control::new()).unwrap(), 0);
    }
}
