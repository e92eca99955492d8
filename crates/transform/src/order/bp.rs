//! Recursive bisection over adjacency, BP \[1\]: places the out-neighbours of every vertex close together.
//!
//! Every vertex is a query, and its out-neighbours are the members. So the row of a vertex in the bipartite graph is
//! its incoming arcs, without parallel ones. The cost is an estimate of the log gap (see
//! [`Locality`](crate::Locality)). Vertices without incoming arcs come last, by number.
//!
//! Work, memory and departures from the paper are those of [`bisection`], with one entry per arc.
//!
//! \[1\] L. Dhulipala, I. Kabiljo, B. Karrer, G. Ottaviano, S. Pupyrev, A. Shalita. Compressing Graphs and Indexes with
//! Recursive Graph Bisection. KDD 2016.

use super::bisection::{self, CHECK, DURING, Rows};
use warpgraph_core::Result;
use warpgraph_graph::{Control, Graph, Pages, Vertex, with_view};

/// Returns all vertices in an order with small gaps between out-neighbours.
pub(super) fn order(graph: &Graph, control: &Control) -> Result<Pages<Vertex>> {
    bisection::order(rows(graph, control)?, graph.vertices(), control)
}

/// Returns the incoming arcs, without parallel ones.
fn rows(graph: &Graph, control: &Control) -> Result<Rows> {
    let csr = &graph.incoming()?.csr;
    let (mut lengths, mut queries) = (Pages::scratch(csr.vertices())?, Pages::zeroed_lazily(csr.arcs())?);
    let mut end = 0;
    with_view!(csr, |view| for (v, length) in lengths.iter_mut().enumerate() {
        if v % CHECK == 0 {
            control.check(DURING)?;
        }
        let start = end;
        for &source in view.neighbors(v as Vertex) {
            // Rows are sorted, so parallel arcs are adjacent.
            if end == start || queries[end - 1] != source {
                queries[end] = source;
                end += 1;
            }
        }
        *length = (end - start) as u32;
    });
    queries.truncate(end);
    Ok(Rows { lengths, queries })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Locality;
    use proptest::{collection::vec, prelude::*};
    use warpgraph_graph::{Csr, NodeMap, Offsets, generate::Spec};

    fn generated(text: &str) -> Graph {
        text.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
    }

    fn order_of(graph: &Graph) -> Vec<Vertex> {
        order(graph, &Control::new()).unwrap().to_vec()
    }

    fn log_gap(graph: &Graph, order: Vec<Vertex>) -> f64 {
        let map = NodeMap::of_order(order).unwrap();
        let renumbered = graph.renumbered(&map, &Control::new()).unwrap();
        Locality::of(&renumbered.out().csr).log_gap.unwrap()
    }

    /// Returns the same graph with 64-bit offsets.
    fn wide(graph: &Graph) -> Graph {
        let mut arcs = graph.out().clone();
        let offsets: Vec<u64> = (0..=graph.vertices()).map(|v| arcs.csr.offsets().get(v) as u64).collect();
        arcs.csr = Csr::new(Offsets::Wide(offsets.into()), arcs.csr.targets().clone(), "wide").unwrap();
        Graph::new(arcs, graph.is_directed(), graph.ids().clone(), graph.origin().clone()).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_graph_gets_an_order_and_its_width_does_not_matter(
            (n, edges) in (1..60u32).prop_flat_map(|n| (Just(n), vec((0..n, 0..n), 0..200))),
            directed: bool,
        ) {
            let graph = Graph::from_edges(n as usize, &edges, directed).unwrap();
            let order = order_of(&graph);
            prop_assert!(NodeMap::of_order(order.clone()).is_ok_and(|map| map.len() == n as usize));
            let without = |&&v: &&Vertex| graph.incoming().unwrap().csr.degree(v) == 0;
            let last: Vec<Vertex> = order.iter().rev().take_while(without).copied().collect();
            prop_assert_eq!(last.len(), order.iter().filter(without).count());
            prop_assert!(last.iter().rev().is_sorted());
            prop_assert_eq!(order_of(&wide(&graph)), order);
        }
    }

    #[test]
    fn rows_are_incoming_arcs_each_once() {
        let graph = Graph::from_edges(4, &[(0, 1), (2, 1), (2, 1), (1, 1), (3, 0)], true).unwrap();
        let rows = rows(&graph, &Control::new()).unwrap();
        assert_eq!((&rows.lengths[..], &rows.queries[..]), (&[1, 3, 0, 0][..], &[3, 0, 1, 2][..]));
    }

    #[test]
    fn planted_structures_are_found_again() {
        for (text, least) in [("grid:64x64,shuffle", 4.0), ("community:12,size=64,mix=0.1,shuffle", 3.0)] {
            let graph = generated(text);
            let (before, after) = (log_gap(&graph, (0..4096).collect()), log_gap(&graph, order_of(&graph)));
            assert!(after + least < before, "{text}: {before} to {after}");
        }
    }

    #[test]
    fn two_cliques_that_alternate_come_apart() {
        let all = (0..40).flat_map(|u| (0..u).map(move |v| (u, v)));
        let edges: Vec<(Vertex, Vertex)> = all.filter(|(u, v)| u % 2 == v % 2).collect();
        let order = order_of(&Graph::from_edges(40, &edges, false).unwrap());
        assert!(order[..20].iter().all(|v| v % 2 == order[0] % 2), "{order:?}");
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        for text in ["kron:14", "powerlaw:20000,alpha=1.9", "grid:150x150,shuffle"] {
            let graph = generated(text);
            let orders = [1, 3].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| order_of(&graph))
            });
            assert!(orders[0] == orders[1], "{text}");
        }
    }

    #[test]
    fn graphs_without_arcs_stay_as_they_are() {
        for n in [0, 1, 5] {
            assert!(order_of(&Graph::from_edges(n, &[], true).unwrap()).into_iter().eq(0..n as Vertex));
        }
        assert_eq!(order_of(&Graph::from_edges(3, &[(2, 2)], false).unwrap()), [2, 0, 1]);
    }

    #[test]
    fn a_cancelled_order_ends() {
        let control = Control::new();
        control.cancel();
        let error = order(&generated("kron:10"), &control).unwrap_err();
        assert_eq!(error.to_string(), "interrupted while ordering the vertices");
    }
}
