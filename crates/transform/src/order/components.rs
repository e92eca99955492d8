//! Separates components: gives each weakly connected component consecutive numbers.
//!
//! No search goes from one weakly connected component to another, but scores may be alike in both. An order by scores
//! alone would interleave them: with two copies of a graph, half of every cache line and page would be useless \[1,
//! section 11\].
//!
//! \[1\] P. Gera, H. Kim, P. Sao, H. Kim, D. Bader. Traversing Large Graphs on GPUs with Unified Memory. PVLDB 13(7),
//! 2020.

use super::DURING;
use warpgraph_core::{Options, Result, wcc::Wcc};
use warpgraph_graph::{Control, Graph, Pages, Vertex};

/// Keeps the order within each component; the largest component comes first, that with the smallest vertex on ties. O(n
/// + m), 8 bytes per vertex besides the result and about 28 per component.
pub(super) fn apart(graph: &Graph, order: Pages<Vertex>, control: &Control) -> Result<Pages<Vertex>> {
    let options = Options { control: control.clone(), ..Options::default() };
    let answer = warpgraph_cpu::wcc(graph, &Wcc {}, &options)?;
    let mut sizes = answer.sizes();
    if sizes.len() < 2 {
        return Ok(order);
    }
    control.check(DURING)?;
    // The sizes come by smallest vertex, and the sort is stable.
    sizes.sort_by_key(|&(_, size)| std::cmp::Reverse(size));
    let mut places: Pages<Vertex> = Pages::scratch(graph.vertices())?;
    let mut start = 0;
    for (component, size) in sizes {
        places[component as usize] = start;
        start += size as Vertex;
    }
    let mut apart: Pages<Vertex> = Pages::scratch(graph.vertices())?;
    for &v in &order[..] {
        let place = &mut places[answer.components()[v as usize] as usize];
        apart[*place as usize] = v;
        *place += 1;
    }
    Ok(apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_by_size_and_keep_their_order_inside() {
        // {0, 4}, {1}, {2, 3, 5}, {6, 7}.
        let graph = Graph::from_edges(8, &[(0, 4), (2, 3), (5, 3), (7, 6)], true).unwrap();
        let order = vec![7, 5, 4, 3, 1, 0, 2, 6].into();
        let got = apart(&graph, order, &Control::new()).unwrap();
        assert_eq!(got[..], [5, 3, 2, 4, 0, 7, 6, 1]);
    }
}
