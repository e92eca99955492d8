//! How much memory a graph takes, array by array, and an algorithm on it, before the graph is loaded.
//!
//! The arrays of a graph follow from its [`Shape`] exactly: `offsets` (n + 1 of 4 or 8 bytes), `targets` (4 per arc),
//! `weights` (4 or 8 per arc), `ids` (none where they are a range), and the `transpose` of a directed graph, offsets,
//! targets and weights once more, where an algorithm looks at incoming arcs. An algorithm's
//! [`Cost`](warpgraph::cost::Cost) says what its state takes; where it does not, a [`Probe`] asks it on small graphs of the
//! same kind.

use warpgraph::{
    Control, Engine, Entry, Options, Order, Plan, Result,
    cost::Shape,
    graph::{generate::Spec, stats::ArrayBytes},
};

/// Vertices of the small graphs, as a power of two.
const SCALE: u32 = 10;
/// Their degrees.
const DEGREES: [u32; 2] = [4, 16];

/// Returns the arrays of a graph, those of no bytes left out.
pub fn arrays(shape: &Shape, transpose: bool) -> Vec<ArrayBytes> {
    let offsets = (shape.vertices + 1) * shape.offset_bytes();
    let (targets, weights) = (4 * shape.arcs, shape.weight_bytes() * shape.arcs);
    let turned = if transpose && shape.directed { offsets + targets + weights } else { 0 };
    let all = [
        ("offsets", offsets),
        ("targets", targets),
        ("weights", weights),
        ("ids", shape.id_bytes),
        ("transpose", turned),
    ];
    all.into_iter().filter(|a| a.1 > 0).map(|(array, bytes)| ArrayBytes { array, bytes }).collect()
}

/// Returns the sum of some arrays.
pub fn total(arrays: &[ArrayBytes]) -> u64 {
    arrays.iter().map(|a| a.bytes).sum()
}

/// What two small runs showed, on graphs of as many vertices and different degrees: bytes per vertex and per arc.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Probe {
    /// Does the algorithm look at incoming arcs of a directed graph?
    pub transpose: bool,
    per_vertex: f64,
    per_arc: f64,
}

impl Probe {
    /// Asks an algorithm twice by a plan, on graphs that are directed and weighted as `shape` is.
    ///
    /// # Errors
    /// When it refuses such graphs.
    pub fn of(entry: &Entry, shape: &Shape, plan: Plan, engine: &Engine, control: &Control) -> Result<Self> {
        let seen = |degree| run(entry, (shape, plan), degree, engine, control);
        let ((thin, few, transpose), (thick, many, _)) = (seen(DEGREES[0])?, seen(DEGREES[1])?);
        let per_arc = ((thick - thin) / (many - few)).max(0.0);
        let per_vertex = ((thin - per_arc * few) / f64::from(1 << SCALE)).max(0.0);
        Ok(Self { transpose, per_vertex, per_arc })
    }

    /// The bytes of its state on a graph of another size.
    pub fn state(&self, shape: &Shape) -> u64 {
        (self.per_vertex * shape.vertices as f64 + self.per_arc * shape.arcs as f64).round() as u64
    }
}

/// Returns the bytes of its state, the arcs, and whether a transpose was built.
fn run(
    entry: &Entry,
    (shape, plan): (&Shape, Plan),
    degree: u32,
    engine: &Engine,
    control: &Control,
) -> Result<(f64, f64, bool)> {
    let weights = if shape.weights.is_some() { ",w=1..9" } else { "" };
    let directed = if shape.directed { ",directed" } else { "" };
    let spec: Spec = format!("uniform:{SCALE},degree={degree}{weights}{directed}").parse()?;
    let graph = engine.install(|| spec.generate(control))?;
    let loaded = engine.load(&graph, Order::Natural)?;
    // Not verified: verifiers look at incoming arcs, too.
    let options = Options { plan, control: control.clone(), ..Options::default() };
    let (answer, _) = loaded.ask(&*entry.usual(), &options)?;
    let is_transposed = graph.is_directed() && graph.has_incoming();
    Ok((answer.run().state_bytes as f64, graph.arcs() as f64, is_transposed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::Graph;

    const SPECS: [&str; 10] = [
        "kron:10",
        "kron:9,w=1..255,directed",
        "uniform:10,degree=4,w=1..9",
        "uniform:8,w=4000000000..4294967295",
        "grid:31x17,drop=0.1",
        "grid:1x1",
        "grid:20x20,directed,w=-3..9",
        "powerlaw:700,alpha=2.1",
        "powerlaw:700,w=1..3,directed=false",
        "community:9,w=1..7,directed",
    ];

    #[test]
    fn the_arrays_of_a_graph_and_every_state_are_as_large_as_they_are() {
        let engine = Engine::auto().unwrap();
        for spec in SPECS {
            let graph = spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap();
            let shape = Shape::of(&graph);
            assert_eq!(total(&arrays(&shape, false)), graph.bytes(), "{spec}");
            graph.incoming().unwrap();
            assert_eq!(total(&arrays(&shape, true)), graph.bytes(), "{spec} with its transpose");
            let loaded = engine.load(&graph, Order::Natural).unwrap();
            for entry in warpgraph::algorithms() {
                let Some(state) = entry.cost.state else { continue };
                let Ok((answer, _)) = loaded.ask(&*entry.usual(), &Options::default()) else { continue };
                let (got, said) = (answer.run().state_bytes as f64, state(&shape) as f64);
                assert!((got - said).abs() <= 0.1 * got, "{} on {spec}: {got}, not {said}", entry.name);
            }
        }
    }

    #[test]
    fn ids_with_gaps_and_names_count() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["10 20\n20 35\n", "libc6 bash\nbash zlib\n"] {
            let path = folder.path().join("a.el");
            std::fs::write(&path, text).unwrap();
            let graph = Graph::open(&path).unwrap();
            assert_eq!(total(&arrays(&Shape::of(&graph), false)), graph.bytes(), "{text}");
        }
    }

    fn shape(directed: bool) -> Shape {
        Shape { vertices: 1 << 20, arcs: 1 << 24, directed, weights: None, largest_weight: None, id_bytes: 0 }
    }

    fn probe(entry: &Entry, shape: &Shape) -> Probe {
        Probe::of(entry, shape, Plan::AUTO, &Engine::auto().unwrap(), &Control::new()).unwrap()
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
