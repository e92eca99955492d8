//! How much memory a graph takes, array by array, before it is loaded.
//!
//! The arrays of a graph follow from its [`Shape`] exactly: `offsets` (n + 1 of 4 or 8 bytes), `targets` (4 per arc),
//! `weights` (4 or 8 per arc), `ids` (none where they are a range), and the `transpose` of a directed graph, offsets,
//! targets and weights once more, where an algorithm looks at incoming arcs. An algorithm's
//! [`Cost`](warpgraph::cost::Cost) says what its state takes.

use warpgraph::{cost::Shape, graph::stats::ArrayBytes};

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

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::{Control, Engine, Graph, Options, Order, graph::generate::Spec};

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
}
