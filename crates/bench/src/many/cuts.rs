//! Cuts of a graph into up to 1,024 parts, simulated: what they would hold and send, without running them.
//!
//! A part sends, in a superstep in which every value changes, one value per vertex of others that it knows (its *ghosts*), or
//! gets one: which of the two depends on the algorithm, and the sum over all parts is the same. So the number of ghosts
//! bounds the bytes of a superstep, at the width of a value, and no part sends or receives more than the larger of its own
//! ghosts and of its vertices that are ghosts elsewhere.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use warpgraph::{Control, Graph, graph::Arcs};
use warpgraph_parts::{Cut, Result};

/// Bytes of the widest value.
pub const VALUE: u64 = 8;
/// Bytes in front of a message.
const HEAD: u64 = 8;

/// A cut of a graph in an order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Row {
    pub graph: String,
    pub order: String,
    pub parts: usize,
    pub vertices: u64,
    pub arcs: u64,
    /// Arcs between parts, and their share.
    pub crossing: u64,
    pub crossing_share: f64,
    /// Ghosts of all parts, and of the part with the most.
    pub ghosts: u64,
    pub ghosts_largest: u64,
    /// Pairs of parts that share an arc, counted in each direction.
    pub pairs: u64,
    /// The arcs of the largest part over the mean, and the same for arcs and vertices together.
    pub imbalance_arcs: f64,
    pub imbalance: f64,
    /// Bytes of a superstep at most: of all parts, and of the busiest one in its busier direction.
    pub bytes: u64,
    pub bytes_busiest: u64,
}

/// What is counted of one part.
struct Counted {
    crossing: u64,
    ghosts: u64,
    arcs: u64,
    work: u64,
    /// Ghosts by owner, for owners that have any.
    asked: Vec<(usize, u64)>,
}

/// Returns a row per number of parts. `graph` is in the order in which it is cut.
///
/// # Errors
/// If a number of parts is none or too many, if memory is short for the transpose of a directed graph, and if `control` stops
/// the work.
pub fn rows(name: (&str, &str), graph: &Graph, parts: &[usize], control: &Control) -> Result<Vec<Row>> {
    let incoming = if graph.is_directed() { Some(graph.incoming()?) } else { None };
    let ways: Vec<&Arcs> = [Some(graph.out()), incoming].into_iter().flatten().collect();
    let one = |&parts: &usize| {
        control.check("simulating cuts")?;
        let cut = Cut::even(&graph.out().csr, parts)?;
        let owners = owners(&cut);
        // Each thread marks the vertices that a part has met with the number of that part.
        let marks = || vec![u32::MAX; graph.vertices()];
        let each = |marks: &mut Vec<u32>, part| counted(&ways, &cut, &owners, marks, part);
        let counted: Vec<Counted> = (0..parts).into_par_iter().map_init(marks, each).collect();
        Ok(row(name, graph, &cut, &counted))
    };
    parts.iter().map(one).collect()
}

fn owners(cut: &Cut) -> Vec<u32> {
    let one = |part: usize| std::iter::repeat_n(part as u32, cut.range(part).len());
    (0..cut.parts()).flat_map(one).collect()
}

/// Looks at all arcs of a part.
fn counted(ways: &[&Arcs], cut: &Cut, owners: &[u32], marks: &mut [u32], part: usize) -> Counted {
    let range = cut.range(part);
    let (mut crossing, mut by_owner) = (0, vec![0u64; cut.parts()]);
    for (way, arcs) in ways.iter().enumerate() {
        for v in range.clone() {
            for &u in arcs.csr.neighbors(v) {
                if !range.contains(&u) {
                    crossing += u64::from(way == 0);
                    let is_new = std::mem::replace(&mut marks[u as usize], part as u32) != part as u32;
                    by_owner[owners[u as usize] as usize] += u64::from(is_new);
                }
            }
        }
    }
    let offsets = ways[0].csr.offsets();
    let arcs = (offsets.get(range.end as usize) - offsets.get(range.start as usize)) as u64;
    let ghosts = by_owner.iter().sum();
    let asked = by_owner.into_iter().enumerate().filter(|(_, ghosts)| *ghosts > 0).collect();
    Counted { crossing, ghosts, arcs, work: arcs + range.len() as u64, asked }
}

fn row((name, order): (&str, &str), graph: &Graph, cut: &Cut, counted: &[Counted]) -> Row {
    let parts = cut.parts();
    let sum = |of: &dyn Fn(&Counted) -> u64| counted.iter().map(of).sum::<u64>();
    let most = |of: &dyn Fn(&Counted) -> u64| counted.iter().map(of).max().unwrap_or_default();
    let over_mean = |of: &dyn Fn(&Counted) -> u64| most(of) as f64 * parts as f64 / sum(of).max(1) as f64;
    // What others know of each part, in values and in messages.
    let mut known = vec![(0, 0); parts];
    for (owner, ghosts) in counted.iter().flat_map(|part| &part.asked) {
        known[*owner].0 += ghosts;
        known[*owner].1 += 1;
    }
    let bytes = |values: u64, messages: u64| VALUE * values + HEAD * messages;
    let busiest = counted
        .iter()
        .zip(&known)
        .map(|(part, known)| bytes(part.ghosts, part.asked.len() as u64).max(bytes(known.0, known.1)));
    let (crossing, ghosts) = (sum(&|part| part.crossing), sum(&|part| part.ghosts));
    let (arcs, pairs) = (graph.arcs() as u64, sum(&|part| part.asked.len() as u64));
    Row {
        graph: name.to_owned(),
        order: order.to_owned(),
        parts,
        vertices: graph.vertices() as u64,
        arcs,
        crossing,
        crossing_share: crossing as f64 / arcs.max(1) as f64,
        ghosts,
        ghosts_largest: most(&|part| part.ghosts),
        pairs,
        imbalance_arcs: over_mean(&|part| part.arcs),
        imbalance: over_mean(&|part| part.work),
        bytes: bytes(ghosts, pairs),
        bytes_busiest: busiest.max().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::graph::generate::Spec;
    use warpgraph_parts::Part;

    fn graph(spec: &str) -> Graph {
        spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
    }

    #[test]
    fn a_simulated_cut_counts_what_its_parts_would_have() {
        for spec in ["kron:9", "powerlaw:500,directed", "grid:20x30"] {
            let graph = graph(spec);
            for row in rows((spec, "natural"), &graph, &[1, 2, 7, 64], &Control::new()).unwrap() {
                let cut = Cut::even(&graph.out().csr, row.parts).unwrap();
                let part = |number| Part::of(&graph, &cut, number).unwrap().compacted().unwrap();
                let parts: Vec<Part> = (0..row.parts).map(part).collect();
                let ghosts = |part: &Part| (part.places() - part.vertices()) as u64;
                assert_eq!(row.ghosts, parts.iter().map(ghosts).sum::<u64>(), "{row:?}");
                assert_eq!(row.ghosts_largest, parts.iter().map(ghosts).max().unwrap(), "{row:?}");
                assert_eq!(row.crossing, parts.iter().map(Part::crossing).sum::<u64>(), "{row:?}");
                let largest = parts.iter().map(|part| part.out().arcs()).max().unwrap() as f64;
                let imbalance = largest * row.parts as f64 / graph.arcs() as f64;
                assert!((row.imbalance_arcs - imbalance).abs() < 1e-9, "{row:?}");
                assert_eq!(row.bytes, 8 * row.ghosts + 8 * row.pairs);
                assert!(row.bytes_busiest <= row.bytes && row.bytes_busiest * row.parts as u64 >= row.bytes);
            }
        }
    }

    #[test]
    fn a_ring_in_parts_has_two_ghosts_per_part() {
        let edges: Vec<(u32, u32)> = (0..100).map(|v| (v, (v + 1) % 100)).collect();
        let ring = Graph::from_edges(100, &edges, false).unwrap();
        let row = &rows(("ring", "natural"), &ring, &[10], &Control::new()).unwrap()[0];
        assert_eq!((row.crossing, row.ghosts, row.ghosts_largest, row.pairs), (20, 20, 2, 20));
        assert_eq!((row.bytes, row.bytes_busiest), (8 * 20 + 8 * 20, 32));
    }
}
