//! The two forms of label weights: counts, which are exact, and sums that round; and the arcs around every vertex as
//! either form needs them.

use crate::{
    DeviceGraph,
    arguments::Edges,
    device_graph::{Made, Prepare, Side},
    edges::Stored,
    error::lift,
    memory::Extent,
};
use std::sync::Arc;
use warpgraph_core::{Result, program::ScalarType};
use warpgraph_device::Array;
use warpgraph_graph::{Arcs, Graph, Pages, Vertex, WeightType, Weights, par};

/// Vertices whose arcs one thread sorts at a time.
const VERTICES: usize = 1 << 10;

/// How labels are weighed.
enum Sums {
    /// By whole numbers whose sums over a row stay below 2^32: they can be added in any order.
    Counts,
    /// By decimals, or by numbers that are too large: they are added in increasing order of weights, as the definition
    /// says.
    Ordered,
}

impl Sums {
    /// Chooses the form for a graph whose vertices have at most `most_arcs` arcs around them.
    fn of(graph: &dyn Extent, weighted: bool, most_arcs: u64) -> Self {
        let most = match graph.weight_type() {
            Some(WeightType::U32 | WeightType::I32) if weighted => {
                graph.weight_range().map_or(0.0, |(_, most)| most)
            }
            Some(WeightType::F32 | WeightType::F64) if weighted => f64::INFINITY,
            _ => 1.0,
        };
        if most * most_arcs as f64 <= f64::from(u32::MAX) { Self::Counts } else { Self::Ordered }
    }
}

/// Returns the most bytes that a run takes per arc of a direction, beside the arc and its weight, and the bytes of the
/// weight.
pub(crate) fn bytes_an_arc(graph: &dyn Extent) -> (u64, u64) {
    let most = graph.max_degree();
    // The largest in-degree is not known before incoming arcs exist.
    let most = if graph.is_directed() { most + graph.arcs() as u64 } else { most };
    match Sums::of(graph, graph.weight_type().is_some(), most) {
        Sums::Counts => (2 * 8, 4),
        Sums::Ordered => (2 * (4 + 8) + 4 + 8, 0),
    }
}

/// The arcs around every vertex, on the device.
pub(super) enum Around {
    /// Weights of outgoing and of incoming arcs as whole numbers; `None` if each is 1.
    Counted([Option<Arc<Stored>>; 2]),
    /// All arcs in increasing order of weights.
    Ordered(Arc<Made<ByWeight>>),
}

/// The arcs around every vertex in increasing order of weights: neighbours and weights.
#[derive(Debug)]
pub(crate) struct ByWeight {
    pub(crate) neighbours: Array<Vertex>,
    pub(crate) weights: Array<f64>,
}

impl Prepare for ByWeight {
    /// By the weights of the graph, or by weights that are all 1.
    type Slot = bool;
    type Options = ();
    const PURPOSE: &'static str = "label-propagation";

    fn bytes(&self) -> u64 {
        self.neighbours.bytes() + self.weights.bytes()
    }
}

impl Around {
    /// Copies the arcs to the device.
    ///
    /// # Errors
    /// When memory is short, on the host or on the device.
    pub(super) fn new(device_graph: &DeviceGraph, weighted: bool) -> Result<Self> {
        let graph = device_graph.graph();
        match Sums::of(graph, weighted, most_arcs(graph)?) {
            Sums::Counts => {
                let weights = |side| if weighted { whole(device_graph, side) } else { Ok(None) };
                Ok(Self::Counted([weights(Side::Out)?, weights(Side::In)?]))
            }
            Sums::Ordered => Ok(Self::Ordered(device_graph.prepared(weighted, (), || {
                let (neighbours, weights) = ordered(graph, weighted)?;
                let gpu = device_graph.gpu();
                Ok(ByWeight {
                    neighbours: gpu.array_of(&neighbours, "neighbours by weight").map_err(lift)?,
                    weights: gpu.array_of(&weights, "weights in order").map_err(lift)?,
                })
            })?)),
        }
    }

    /// Returns the weights of the arcs of a side; none if each is 1.
    pub(super) fn weights(&self, side: Side) -> Edges {
        match self {
            Self::Counted(weights) => {
                weights[usize::from(side == Side::In)].as_ref().map_or(Edges::NONE, |weights| weights.edges())
            }
            Self::Ordered(_) => Edges::NONE,
        }
    }
}

/// Returns the whole weights of a side. None of them is negative, so u32 and i32 have the same bits.
fn whole(device_graph: &DeviceGraph, side: Side) -> Result<Option<Arc<Stored>>> {
    match &device_graph.host(side)?.weights {
        Weights::U32(w) => device_graph.weights(side, ScalarType::U32, |give| give(w)).map(Some),
        Weights::I32(w) => device_graph.weights(side, ScalarType::I32, |give| give(w)).map(Some),
        _ => Ok(None),
    }
}

/// Returns the arcs of both sides if they differ, otherwise of one.
fn sides(graph: &Graph) -> Result<Vec<&Arcs>> {
    let out = graph.out();
    Ok(if graph.is_directed() { vec![out, graph.incoming()?] } else { vec![out] })
}

/// Returns an upper bound of the arcs around any vertex.
fn most_arcs(graph: &Graph) -> Result<u64> {
    let n = graph.vertices();
    let most = |arcs: &Arcs| {
        let block = |range: std::ops::Range<usize>| range.map(|v| arcs.csr.degree(v as Vertex) as u64).max();
        par::reduce(n, par::FINE, block, Option::max).flatten().unwrap_or(0)
    };
    Ok(sides(graph)?.into_iter().map(most).sum())
}

/// Returns all arcs around every vertex in increasing order of weights.
fn ordered(graph: &Graph, weighted: bool) -> Result<(Pages<Vertex>, Pages<f64>)> {
    let (sides, n) = (sides(graph)?, graph.vertices());
    let all = sides.iter().map(|arcs| arcs.csr.arcs()).sum();
    let (mut neighbours, mut weights) = (Pages::<Vertex>::scratch(all)?, Pages::<f64>::scratch(all)?);
    let degree = |v: usize| sides.iter().map(|arcs| arcs.csr.degree(v as Vertex)).sum::<usize>();
    let mut pieces = Vec::new();
    let (mut near, mut heavy) = (&mut neighbours[..], &mut weights[..]);
    for first in (0..n).step_by(VERTICES) {
        let vertices = first..n.min(first + VERTICES);
        let arcs = vertices.clone().map(degree).sum();
        let (piece, rest) = std::mem::take(&mut near).split_at_mut(arcs);
        let (weighed, others) = std::mem::take(&mut heavy).split_at_mut(arcs);
        (near, heavy) = (rest, others);
        pieces.push((vertices, piece, weighed));
    }
    par::consume_each(pieces, |_, (vertices, near, heavy)| {
        let (mut row, mut at) = (Vec::new(), 0);
        for v in vertices {
            row.clear();
            for arcs in &sides {
                let weight = |arc| if weighted { arcs.weights.get(arc) } else { 1.0 };
                row.extend(arcs.csr.arcs_of(v as Vertex).map(|arc| (weight(arc), arcs.csr.targets()[arc])));
            }
            row.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            for &(weight, neighbour) in &row {
                (heavy[at], near[at]) = (weight, neighbour);
                at += 1;
            }
        }
    });
    Ok((neighbours, weights))
}
