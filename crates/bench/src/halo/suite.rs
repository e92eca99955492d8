//! What is measured unless something else is named: the graphs, the orders, and graphs made undirected.

use warpgraph::{
    Control, Error, Graph, Order,
    graph::{
        Ids, Origin, Vertex,
        build::{self, EdgeChunk, EdgeList, EdgeWeights, Loops, Parallel},
    },
};

/// A Kronecker graph, and communities before and after they were shuffled.
pub const GRAPHS: [&str; 3] = ["kron:20", "community:20", "community:20,shuffle"];
/// Graphs that take seconds.
pub const QUICK: [&str; 3] = ["kron:12", "community:12,shuffle", "kron:11,directed"];
/// What stands behind the name of a graph that was made undirected.
pub const SYMMETRISED: &str = " (sym)";
/// Samples of figure 11.
pub const SAMPLES: [u32; 8] = [2, 4, 8, 16, 32, 64, 128, 256];

/// Every order; those that sample, with so many searches.
///
/// # Errors
/// When there cannot be so many.
pub fn orders(samples: u32) -> Result<Vec<Order>, Error> {
    Order::ALL.into_iter().map(|each| order(each.name(), samples)).collect()
}

/// An order by its text; one that samples, with so many searches unless the text says otherwise.
///
/// # Errors
/// When there is no such order, or there cannot be so many searches.
pub fn order(text: &str, samples: u32) -> Result<Order, Error> {
    let order: Order = text.parse()?;
    match order.searches() && !text.contains('(') {
        true => format!("{text}(k={samples})").parse(),
        false => Ok(order),
    }
}

/// The graph with every arc both ways, once, as section 3.4 of the paper has it; without weights.
///
/// # Errors
/// When memory is short, or what `control` asks for.
pub fn symmetrised(graph: &Graph, control: &Control) -> Result<Graph, Error> {
    let csr = &graph.out().csr;
    let row = |u: Vertex| csr.neighbors(u).iter().map(move |&v| [u, v]);
    let pairs = (0..graph.vertices() as Vertex).flat_map(row).collect();
    let chunks = vec![EdgeChunk { pairs, weights: EdgeWeights::None }];
    let list = EdgeList { vertices: graph.vertices(), chunks };
    let how = build::Options { directed: false, loops: Loops::Keep, parallel: Parallel::First };
    let arcs = build::build(list, &how, control)?.arcs;
    let origin = Origin { name: format!("{}{SYMMETRISED}", graph.origin().name), ..Origin::default() };
    Ok(Graph::new(arcs, false, Ids::zero_based(graph.vertices()), origin)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::graph::generate::Spec;

    #[test]
    fn every_graph_is_one_that_generators_take() {
        for name in GRAPHS.into_iter().chain(QUICK) {
            name.parse::<Spec>().unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }

    #[test]
    fn orders_sample_as_often_as_asked() {
        let orders = orders(20).unwrap();
        assert_eq!(orders.len(), Order::ALL.len());
        let names: Vec<String> = orders.iter().map(ToString::to_string).collect();
        assert!(names.contains(&"halo2(k=20)".to_owned()) && names.contains(&"rcm".to_owned()), "{names:?}");
        assert!(super::orders(1).is_err());
        let texts = ["halo2", "halo2(k=7)", "rcm"].map(|text| order(text, 9).unwrap().to_string());
        assert_eq!(texts, ["halo2(k=9)", "halo2(k=7)", "rcm"]);
    }

    #[test]
    fn a_symmetrised_graph_has_every_arc_both_ways_once() {
        let graph = Graph::from_edges(4, &[(0, 1), (1, 0), (2, 1), (3, 3)], true).unwrap();
        let both = symmetrised(&graph, &Control::new()).unwrap();
        assert!(!both.is_directed());
        let rows: Vec<&[Vertex]> = (0..4).map(|v| both.out().csr.neighbors(v)).collect();
        assert_eq!(rows, [&[1][..], &[0, 2], &[1], &[3]]);
    }
}
