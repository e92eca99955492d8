//! Layered label propagation \[1\]: communities of several sizes, nested into one order.
//!
//! A *layer* is a labelling of the vertices for one gamma of the absolute Potts model: a vertex takes the label `l` that
//! maximises `k - gamma (v - k)`, where `k` of its neighbours and `v` of all other vertices carry `l`, until few change.
//! The smaller gamma is, the larger the communities. Layers are combined as in the paper: the order is sorted by the labels
//! of a layer, labels by where their first vertex stands in the order so far, and vertices of one label stay as they were.
//! So the last layer decides first, and the order inside each of its communities is that of the layers before.
//!
//! Choices, and departures from the paper:
//!
//! - Gammas are 2^-1, 2^-4, 2^-7, 2^-10 and 0, from the smallest communities to the largest: few, to be quick. All of 2^0
//!   to 2^-10, which the WebGraph framework takes, and 0 give log gaps that are 0.1 bits smaller at best, in more than
//!   twice the time. Powers of two keep scores whole: `k (2^i + 1) - v`.
//! - The order that the first layer starts from is depth first, not arbitrary, so that communities that are joined come
//!   near each other. Where communities are small, as in road networks, this is worth several bits a gap.
//! - A directed graph counts as symmetrised: out-neighbours and in-neighbours, so that arcs both ways count twice, and
//!   parallel arcs as often as they are there. Loops do not count. Weights are ignored.
//! - A round visits [`visits::BLOCKS`] blocks, to which `seed` deals the vertices. All vertices of a block look at the
//!   labels as they were at its start, in parallel; then they move one after the other, those that still gain with the
//!   volumes as they have become. So the order is the same on any number of threads.
//! - On ties a vertex stays; else a draw decides. It looks again only when a neighbour has moved.
//! - Of more than [`layer::LONG`] neighbours every second, third, ... is counted, as many times as it stands for.
//!
//! Vertices without neighbours are last, by number. Work O(n + m) a round, at most [`layer::ROUNDS`] a layer. Memory: 20
//! bytes a vertex, a bit, and at most 2 MiB for every thread. Directed graphs need the transpose.
//!
//! \[1\] P. Boldi, M. Rosa, M. Santini, S. Vigna. Layered Label Propagation: A MultiResolution Coordinate-Free Ordering for
//! Compressing Social Networks. WWW 2011.

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

/// From small communities to large ones.
const GAMMAS: [Gamma; 5] = [Gamma::power(1), Gamma::power(4), Gamma::power(7), Gamma::power(10), Gamma::ZERO];

/// All vertices, communities together.
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
