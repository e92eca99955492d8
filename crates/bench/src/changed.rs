//! The sizes of a graph that an approximation will change, before the graph is loaded.
//!
//! A run keeps the changed graph, with replicas merged into their masters, beside the original one, with a map between their
//! vertices. After `coalesce` it also keeps the graph with replicas and holes, and its map. How many edges are added and
//! dropped, and how many numbers holes take, depends on the graph, which nothing here reads: a small power-law graph of the same
//! direction, weights and mean degree is changed, and the result is scaled. Edges scale with the edges. Numbers scale with
//! the levels of a search, which grow with the logarithm of the vertices; a graph with more levels, such as a road network,
//! takes up to 31 numbers more per level.

use crate::footprint::{arrays, total};
use warpgraph::{
    Approximation, Control, Engine, Order, Result,
    cost::Shape,
    graph::{generate::Spec, stats::ArrayBytes},
};

/// Vertices of the small graph, as a power of two.
const SCALE: u32 = 12;
/// The largest mean degree of the small graph.
const DEGREE: u64 = 64;
/// The seed of the small change.
const SEED: u64 = 1;

/// What an approximation makes of a graph.
#[derive(Debug, Clone)]
pub struct Changed {
    /// The graph without replicas: what fast forms run on, and what answers are about.
    pub merged: Shape,
    /// The graph with replicas and holes, which all other forms run on; `None` if the approximation makes none.
    pub copied: Option<Shape>,
    /// Edges added and dropped, as shares of all edges.
    pub added: f64,
    /// Edges dropped, as a share of all edges.
    pub dropped: f64,
    /// Members of chunks per vertex.
    chunked: f64,
}

impl Changed {
    /// Returns what an approximation will make of a graph of this shape.
    ///
    /// # Errors
    /// If the control stops the work, or if memory is short.
    pub fn of(
        shape: &Shape,
        approximation: Approximation,
        engine: &Engine,
        control: &Control,
    ) -> Result<Self> {
        let spec = spec(shape)?;
        let graph = engine.install(|| spec.generate(control))?;
        let loaded = engine.load(&graph, Order::Natural)?.approximated(approximation, SEED, control)?;
        let exactness = loaded.exactness().cloned().unwrap_or_default();
        let share = |edges: u64| edges as f64 / exactness.edges.max(1) as f64;
        let (added, dropped) = (share(exactness.added), share(exactness.dropped));
        let levels = (shape.vertices.max(2) as f64).log2() / f64::from(SCALE);
        let numbers = ((exactness.holes + exactness.replicas) as f64 * levels).ceil() as u64;
        let arcs = (shape.arcs as f64 * (1.0 + added - dropped)).round() as u64;
        let merged = Shape { arcs, id_bytes: 0, ..*shape };
        // The rows of replicas are parts of those of their masters.
        let copied = approximation.coalesce.map(|_| Shape {
            vertices: shape.vertices + numbers,
            directed: true,
            ..merged
        });
        let chunked = if exactness.chunks > 0 { 1.0 } else { 0.0 };
        Ok(Self { merged, copied, added, dropped, chunked })
    }

    /// Returns the shape of the graph that a run takes place on.
    pub fn ran_on(&self, reflects: bool) -> &Shape {
        self.copied.as_ref().filter(|_| reflects).unwrap_or(&self.merged)
    }

    /// Returns what is held beside the original graph. `transpose`: the run looks at incoming arcs.
    pub fn arrays(&self, transpose: bool) -> Vec<ArrayBytes> {
        let n = self.merged.vertices;
        let merged = total(&arrays(&self.merged, transpose));
        let copied = self.copied.as_ref().map_or(0, |copied| total(&arrays(copied, false)));
        let maps = 8 * n + self.copied.as_ref().map_or(0, |copied| 4 * (n + copied.vertices));
        let chunks = (8.0 * self.chunked * n as f64) as u64;
        let all = [
            ("changed graph", merged),
            ("graph with replicas", copied),
            ("maps", maps),
            ("chunks, at most", chunks),
        ];
        all.into_iter().filter(|a| a.1 > 0).map(|(array, bytes)| ArrayBytes { array, bytes }).collect()
    }

    /// Returns the peak beside the original graph while it is changed: the changed graph, the one before it was renumbered, and
    /// the list of changes, with what will be kept.
    pub fn changing(&self) -> u64 {
        let edges = self.merged.arcs as f64 * (self.added + self.dropped);
        total(&self.arrays(false)) + total(&arrays(&self.merged, false)) + (32.0 * edges) as u64
    }
}

/// Returns a small graph of the kind of a shape.
fn spec(shape: &Shape) -> Result<Spec> {
    let degree = (shape.arcs / shape.vertices.max(1)).clamp(2, DEGREE);
    let weights = if shape.weights.is_some() { ",w=1..255" } else { "" };
    let directed = if shape.directed { ",directed" } else { "" };
    Ok(format!("kron:{SCALE},degree={degree}{directed}{weights}").parse()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The techniques, and a graph of each direction.
    #[test]
    fn what_is_said_is_what_a_changed_graph_holds() {
        let (engine, control) = (Engine::auto().unwrap(), Control::new());
        for name in ["kron:14,w=1..255", "uniform:14,degree=8,directed"] {
            let graph = name.parse::<Spec>().unwrap().generate(&control).unwrap();
            for text in ["coalesce", "divergence", "coalesce(threshold=1)"] {
                let approximation = text.parse().unwrap();
                let loaded = engine.load(&graph, Order::Natural).unwrap();
                let loaded = loaded.approximated(approximation, 1, &control).unwrap();
                let held = loaded.extra_bytes().unwrap() as f64;
                let changed = Changed::of(&Shape::of(&graph), approximation, &engine, &control).unwrap();
                let said = total(&changed.arrays(false)) as f64;
                assert!(
                    (0.9 * held..=1.15 * held).contains(&said),
                    "{text} of {name}: {said} were said, {held} held"
                );
                assert_eq!(changed.copied.is_some(), text.starts_with("coalesce"));
                assert!(changed.changing() as f64 > said);
            }
        }
    }
}
