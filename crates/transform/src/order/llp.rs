//! Layered label propagation \[1\]: communities of several sizes, nested into one order.
//!
//! A *layer* is a labelling of the vertices for one gamma of the absolute Potts model: a vertex takes the label `l`
//! that maximises `k - gamma (v - k)`, where `k` of its neighbours and `v` of all other vertices carry `l`, until few
//! labels change. A smaller gamma gives larger communities. Layers are combined as in the paper: the order is sorted by
//! the labels of a layer, labels by the position of their first vertex in the order so far, and vertices of one label
//! keep their order. So the last layer decides first, and the order inside each of its communities is that of the
//! earlier layers.
//!
//! Choices, and departures from the paper:
//!
//! - Gammas are 2^-1, 2^-4, 2^-7, 2^-10 and 0, from the smallest communities to the largest: few, for speed. All of 2^0
//!   to 2^-10, which the WebGraph framework uses, and 0 give log gaps at best 0.1 bits smaller, in more than twice the
//!   time. Powers of two keep scores integer: `k (2^i + 1) - v`.
//! - The first layer starts from a depth-first order, not an arbitrary one, so that connected communities come close to
//!   each other. Where communities are small, as in road networks, this saves several bits per gap.
//! - A directed graph counts as symmetrised: out-neighbours and in-neighbours, so that a pair of opposite arcs counts
//!   twice, and parallel arcs count as often as they occur. Loops do not count. Weights are ignored.
//! - A round visits [`visits::BLOCKS`] blocks, to which a hash of `seed` assigns the vertices. All vertices of a block
//!   read the labels at its start, in parallel; then those that still gain with the current volumes move, one after the
//!   other. So the order is the same on any number of threads.
//! - On a tie with its own label a vertex stays; a hash decides other ties. A vertex is visited again only when a
//!   neighbour has moved.
//! - If a vertex has more than [`layer::LONG`] neighbours, only every second, third, ... is counted, with the weight of
//!   those that it stands for.
//!
//! Vertices without neighbours come last, by number. Work O(n + m) per round, at most [`layer::ROUNDS`] rounds per
//! layer. Memory: 20 bytes and one bit per vertex, and at most 2 MiB per thread. Directed graphs need the transpose.
//!
//! \[1\] P. Boldi, M. Rosa, M. Santini, S. Vigna. Layered Label Propagation: A MultiResolution Coordinate-Free Ordering
//! for Compressing Social Networks. WWW 2011.

mod around;
mod bits;
mod count;
mod depth_first;
mod layer;
mod regroup;
#[cfg(test)]
mod tests;
mod visits;

use around::Around;
use layer::{Gamma, Layer};
use visits::Visits;
use warpgraph_core::Result;
use warpgraph_graph::{Control, Graph, Pages, Vertex, hash};

/// What a stopped order was doing.
const DURING: &str = "ordering the vertices";

/// The gammas, from small communities to large ones.
const GAMMAS: [Gamma; 5] = [Gamma::power(1), Gamma::power(4), Gamma::power(7), Gamma::power(10), Gamma::ZERO];

/// Returns all vertices, with communities kept together.
pub(super) fn order(graph: &Graph, seed: u64, control: &Control) -> Result<Pages<Vertex>> {
    let around = Around::new(graph)?;
    let mut order = depth_first::order(&around, control)?;
    let visits = Visits::new(&around, seed, control)?;
    for (i, &gamma) in GAMMAS.iter().enumerate() {
        let mut layer = Layer::new(&around, gamma, hash::mix(seed, 1 + i as u64))?;
        layer.spread(&visits, control, |round| {
            let (done, total) = (i as u64 * layer::ROUNDS + round, GAMMAS.len() as u64 * layer::ROUNDS);
            control.report("label propagation", done, Some(total));
        })?;
        let (labels, volumes) = layer.into_parts();
        regroup::by_label(&mut order, &labels, volumes, control)?;
    }
    Ok(order)
}
