//! The graphs that are measured unless others are named: of the kinds of the paper's table II, and of its sizes at scale 20.

/// The scale of the paper's graphs.
pub const SCALE: u32 = 20;
/// The smallest scale: a grid of 2 x 2.
pub const LEAST_SCALE: u32 = 2;
/// The largest scale: vertices have 32 bits, and the largest graph is of scale + 4.
pub const MOST_SCALE: u32 = 27;

/// An RMAT, two Erdos-Renyi, a road-like and a Graph500-like graph, the latter of 16 times as many vertices as the first.
pub fn graphs(scale: u32) -> Vec<String> {
    let (wide, high) = (1u64 << (scale / 2), 1u64 << (scale - scale / 2));
    let large = scale + 4;
    vec![
        format!("kron:{scale},degree=8,directed,w=1..255"),
        format!("uniform:{scale},degree=4,directed,w=1..255"),
        format!("uniform:{},degree=4,directed,w=1..255", scale + 3),
        format!("grid:{wide}x{high},drop=0.1,w=1..255"),
        format!("kron:{large},degree=20,w=1..255"),
    ]
}

/// Graphs of one kind each that a simulator can be asked about.
pub const QUICK: [&str; 4] = [
    "kron:6,degree=8,directed,w=1..255",
    "uniform:6,degree=4,directed,w=1..255",
    "grid:4x32,drop=0.1,w=1..255",
    "kron:7,degree=20,w=1..255",
];

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::graph::generate::Spec;

    #[test]
    fn every_graph_is_one_that_generators_take() {
        for scale in LEAST_SCALE..=MOST_SCALE {
            for name in graphs(scale) {
                name.parse::<Spec>().unwrap_or_else(|e| panic!("{name}: {e}"));
            }
        }
        for name in QUICK {
            name.parse::<Spec>().unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }

    #[test]
    fn the_scale_of_the_paper_gives_its_sizes() {
        assert_eq!(graphs(SCALE)[3], "grid:1024x1024,drop=0.1,w=1..255");
        assert_eq!(graphs(SCALE)[4], "kron:24,degree=20,w=1..255");
        assert_eq!(graphs(9)[3], "grid:16x32,drop=0.1,w=1..255");
    }
}
