//! [`Forecast`]: what a run in parts takes and sends, before there is a graph.
//!
//! Loading is that of a generated part, which is made without a list of edges. Its estimate counts arcs before parallel ones
//! merge, as the generator lists them.
//!
//! Own vertices and arcs are those of a part of mean size: a cut is even by both together. Ghosts are at most all vertices of
//! other parts, and at most as many as arcs leave the part; a good order has fewer, and `partition` counts them. So memory
//! and traffic are upper bounds for an even cut.

use crate::{Result, entry, wcc::MOST_EDGES};
use serde::Serialize;
use warpgraph_core::cost::Shape;
use warpgraph_graph::WeightType;

/// What one process of a run takes, and what all of them send.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Forecast {
    /// Number of parts, and so of processes.
    pub parts: u64,
    /// Own vertices and arcs of a part of mean size.
    pub vertices: u64,
    /// Outgoing arcs of such a part.
    pub arcs: u64,
    /// Ghosts of such a part, at most.
    pub ghosts: u64,
    /// Bytes of its arrays.
    pub graph_bytes: u64,
    /// Bytes that the question keeps beside them.
    pub state_bytes: u64,
    /// Bytes at most while a generator makes the part. Other sources are read whole, or are slices, which are mapped.
    pub loading_bytes: u64,
    /// Bytes that all processes together send in a superstep, at most.
    pub superstep_bytes: u64,
}

impl Forecast {
    /// Returns the forecast of an algorithm on a graph of this shape.
    ///
    /// # Errors
    /// When the algorithm does not run in parts.
    pub fn of(algorithm: &str, shape: &Shape, parts: u64) -> Result<Self> {
        let name = entry(algorithm)?.name;
        let (n, m) = (shape.vertices, shape.arcs);
        let (vertices, arcs) = (n.div_ceil(parts), m.div_ceil(parts));
        let ways = if shape.directed { 2 } else { 1 };
        let ghosts = (n - n.min(vertices)).min(ways * arcs);
        let places = vertices + ghosts;
        let weight = match shape.weights {
            None => 0,
            Some(WeightType::F64) => 8,
            Some(_) => 4,
        };
        // The widest distances and ranks: 8 bytes.
        let (state, value) = match name {
            "bfs" => (8 * vertices + places / 4, 4),
            "sssp" => (8 * places + places / 2, 8),
            "pagerank" => (8 * places + 8 * vertices, 8),
            _ => (8 * places + 8 * vertices + 4 * ghosts, 8),
        };
        let rows = ways * (4 * (vertices + 1) + (4 + weight) * arcs);
        // While rows are made: where each starts, in 8 bytes and in the width it keeps, and then 2 bits per vertex of the whole.
        let making = ways * 8 * vertices + n / 4;
        // A part tells others of its ghosts, and is told of as many own vertices.
        let lists = ways * 8 * ghosts;
        let messages = parts * (parts - 1) * 4;
        // Components: the edges between trees, which all parts learn.
        let edges = if name == "wcc" { (parts - 1) * 8 * MOST_EDGES.min(parts * ghosts) } else { 0 };
        Ok(Self {
            parts,
            vertices,
            arcs,
            ghosts,
            graph_bytes: rows + 4 * places,
            state_bytes: state + lists,
            loading_bytes: rows + 4 * places + making,
            superstep_bytes: parts * ghosts * value + edges + 8 * messages,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cut, Exchange, Part, Question, start, together};
    use std::sync::Arc;
    use warpgraph_graph::{Control, Graph, generate::Spec};

    fn graph(spec: &str) -> Graph {
        spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
    }

    /// The mean part and its run take no more than the forecast, and no superstep sends more.
    #[test]
    fn runs_keep_within_the_forecast() {
        for spec in ["kron:10,w=1..255", "uniform:10", "grid:40x40"] {
            let graph = graph(spec);
            let shape = Shape::of(&graph);
            for (parts, algorithm) in [(2, "bfs"), (3, "sssp"), (5, "pagerank"), (7, "wcc")] {
                let forecast = Forecast::of(algorithm, &shape, parts).unwrap();
                let cut = Cut::even(&graph.out().csr, parts as usize).unwrap();
                let question = Question { algorithm: algorithm.to_owned(), ..Question::default() };
                let control = Control::new();
                let ends = together(parts as usize, 1, |mut member| {
                    let part = Part::of(&graph, &cut, member.part()).unwrap().compacted().unwrap();
                    let bytes = part.bytes();
                    let mut run = start(&question, &Arc::new(part), &mut member, &control).unwrap();
                    let (mut most, mut last) = (0, member.traffic().0);
                    let halted = loop {
                        let halted = run.step(&mut member, &control).unwrap();
                        let now = member.traffic().0;
                        (most, last) = (most.max(now - last), now);
                        if let Some(halted) = halted {
                            break halted;
                        }
                    };
                    let answer = run.answer(halted, &mut member, &control).unwrap();
                    (bytes, answer.report.state_bytes, most)
                });
                let ends = ends.unwrap();
                let mean = |of: &dyn Fn(&(u64, u64, u64)) -> u64| ends.iter().map(of).sum::<u64>() / parts;
                let at = format!("{spec}, {algorithm}, {parts} parts: {forecast:?} {ends:?}");
                assert!(mean(&|end| end.0) <= forecast.graph_bytes + 64, "{at}");
                assert!(mean(&|end| end.1) <= forecast.state_bytes + 64, "{at}");
                let sent: u64 = ends.iter().map(|end| end.2).sum();
                assert!(sent <= forecast.superstep_bytes, "{at}");
            }
        }
        assert!(Forecast::of("bc", &Shape::of(&graph("grid:2x2")), 2).is_err());
    }
}
