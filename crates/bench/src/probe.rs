//! What an algorithm holds, found out by asking it: small runs on graphs of the same kind.
//!
//! Two graphs of as many vertices and different degrees give the bytes a vertex and the bytes an arc. Whether incoming
//! arcs are looked at shows in the graph: its transpose has been built.

use warpgraph::{Control, Engine, Entry, Options, Order, Result, cost::Shape, graph::generate::Spec};

/// Vertices of the small graphs, as a power of two.
const SCALE: u32 = 10;
/// Their degrees.
const DEGREES: [u32; 2] = [4, 16];

/// What small runs showed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Probe {
    /// Does the algorithm look at incoming arcs of a directed graph?
    pub transpose: bool,
    per_vertex: f64,
    per_arc: f64,
}

impl Probe {
    /// Asks an algorithm twice, on graphs that are directed and weighted as `shape` is.
    ///
    /// # Errors
    /// When it refuses such graphs.
    pub fn of(entry: &Entry, shape: &Shape, engine: &Engine, control: &Control) -> Result<Self> {
        let seen = |degree| run(entry, shape, degree, engine, control);
        let (thin, thick) = (seen(DEGREES[0])?, seen(DEGREES[1])?);
        let per_arc = ((thick.state - thin.state) / (thick.arcs - thin.arcs)).max(0.0);
        let per_vertex = ((thin.state - per_arc * thin.arcs) / f64::from(1 << SCALE)).max(0.0);
        Ok(Self { transpose: thin.transpose, per_vertex, per_arc })
    }

    /// The bytes of its state on a graph of another size.
    pub fn state(&self, shape: &Shape) -> u64 {
        (self.per_vertex * shape.vertices as f64 + self.per_arc * shape.arcs as f64).round() as u64
    }
}

struct Seen {
    state: f64,
    arcs: f64,
    transpose: bool,
}

fn run(entry: &Entry, shape: &Shape, degree: u32, engine: &Engine, control: &Control) -> Result<Seen> {
    let weights = if shape.weights.is_some() { ",w=1..9" } else { "" };
    let directed = if shape.directed { ",directed" } else { "" };
    let spec: Spec = format!("uniform:{SCALE},degree={degree}{weights}{directed}").parse()?;
    let graph = engine.install(|| spec.generate(control))?;
    let loaded = engine.load(&graph, Order::Natural)?;
    // Not verified: verifiers look at incoming arcs, too.
    let options = Options { control: control.clone(), ..Options::default() };
    let (answer, _) = loaded.ask(&*entry.usual(), &options)?;
    let transpose = graph.is_directed() && graph.has_incoming();
    Ok(Seen { state: answer.run().state_bytes as f64, arcs: graph.arcs() as f64, transpose })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(directed: bool) -> Shape {
        Shape { vertices: 1 << 20, arcs: 1 << 24, directed, weights: None, largest_weight: None, id_bytes: 0 }
    }

    fn probe(entry: &Entry, shape: &Shape) -> Probe {
        Probe::of(entry, shape, &Engine::auto().unwrap(), &Control::new()).unwrap()
    }

    #[test]
    fn a_probe_says_what_the_formula_says() {
        for entry in warpgraph::algorithms() {
            let Some(formula) = entry.cost.state else { continue };
            let shape = shape(false);
            let (said, scaled) = (formula(&shape) as f64, probe(entry, &shape).state(&shape) as f64);
            assert!((said - scaled).abs() <= 0.1 * said, "{}: {said}, scaled {scaled}", entry.name);
        }
    }

    #[test]
    fn only_those_that_pull_need_a_transpose() {
        let transpose = |name, directed| probe(warpgraph::find(name).unwrap(), &shape(directed)).transpose;
        assert!(transpose("pagerank", true) && transpose("bfs", true));
        assert!(!transpose("sssp", true) && !transpose("wcc", true) && !transpose("pagerank", false));
    }
}
