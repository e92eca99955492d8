//! Counts, or sums that round: what is around every vertex, as either wants it.

use crate::{
    DeviceGraph,
    device_graph::{Made, Prepare, Side},
    error::lift,
};
use rayon::prelude::*;
use std::sync::Arc;
use warpgraph_core::{Result, program::ScalarType};
use warpgraph_device::{Address, Array};
use warpgraph_graph::{Arcs, Graph, Pages, Vertex, Weights};

/// Vertices whose arcs are put in order by one thread at a time.
const VERTICES: usize = 1 << 10;

/// How labels are weighed.
enum Form {
    /// By whole numbers, none of whose sums over a row passes 2^32: in any order.
    Counts,
    /// By decimals, or numbers too large: in increasing order of weights, as the definition says.
    Ordered,
}

impl Form {
    /// For a graph whose vertices have no more than so many arcs around them.
    fn of(graph: &Graph, weighted: bool, most_arcs: u64) -> Self {
        let most = match graph.out().weights {
            Weights::U32(_) | Weights::I32(_) if weighted => {
                graph.weight_range().map_or(0.0, |(_, most)| most)
            }
            Weights::F32(_) | Weights::F64(_) if weighted => f64::INFINITY,
            _ => 1.0,
        };
        if most * most_arcs as f64 <= f64::from(u32::MAX) { Self::Counts } else { Self::Ordered }
    }
}

/// Bytes that a run takes at most for an arc of a direction, beside the arc and its weight, and those of the weight.
pub(crate) fn bytes_an_arc(graph: &Graph) -> (u64, u64) {
    let most = graph.counts().max_degree;
    // The largest in-degree is not known before there are incoming arcs.
    let most = if graph.is_directed() { most + graph.arcs() as u64 } else { most };
    match Form::of(graph, graph.weight_type().is_some(), most) {
        Form::Counts => (2 * 8, 4),
        Form::Ordered => (2 * (4 + 8) + 4 + 8, 0),
    }
}

/// What is around every vertex, on the device.
pub(super) enum Around {
    /// Weights of outgoing and of incoming arcs, as whole numbers; `None`: each is 1.
    Counted([Option<Arc<Array<u8>>>; 2]),
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
    /// Brings it to the device.
    ///
    /// # Errors
    /// When memory is short, here or there.
    pub(super) fn new(device_graph: &DeviceGraph, weighted: bool) -> Result<Self> {
        let graph = device_graph.graph();
        match Form::of(graph, weighted, most_arcs(graph)?) {
            Form::Counts => {
                let weights = |side| if weighted { whole(device_graph, side) } else { Ok(None) };
                Ok(Self::Counted([weights(Side::Out)?, weights(Side::In)?]))
            }
            Form::Ordered => Ok(Self::Ordered(device_graph.prepared(weighted, (), || {
                let (neighbours, weights) = ordered(graph, weighted)?;
                let gpu = device_graph.gpu();
                Ok(ByWeight {
                    neighbours: gpu.array_of(&neighbours, "neighbours by weight").map_err(lift)?,
                    weights: gpu.array_of(&weights, "weights in order").map_err(lift)?,
                })
            })?)),
        }
    }

    /// Weights of the arcs of a side; null: each is 1.
    pub(super) fn weights(&self, side: Side) -> Address<u32> {
        match self {
            Self::Counted(weights) => weights[usize::from(side == Side::In)]
                .as_ref()
                .map_or(Address::NULL, |weights| weights.address().cast()),
            Self::Ordered(_) => Address::NULL,
        }
    }
}

/// Whole weights of a side, none of which is negative, so that u32 and i32 are the same bits.
fn whole(device_graph: &DeviceGraph, side: Side) -> Result<Option<Arc<Array<u8>>>> {
    match &device_graph.host(side)?.weights {
        Weights::U32(w) => device_graph.weights(side, ScalarType::U32, |give| give(w)).map(Some),
        Weights::I32(w) => device_graph.weights(side, ScalarType::I32, |give| give(w)).map(Some),
        _ => Ok(None),
    }
}

/// The arcs of both sides, if they are different ones.
fn sides(graph: &Graph) -> Result<Vec<&Arcs>> {
    let out = graph.out();
    Ok(if graph.is_directed() { vec![out, graph.incoming()?] } else { vec![out] })
}

/// At least as many as any vertex has around it.
fn most_arcs(graph: &Graph) -> Result<u64> {
    let n = graph.vertices() as Vertex;
    let most = |arcs: &Arcs| (0..n).into_par_iter().map(|v| arcs.csr.degree(v) as u64).max().unwrap_or(0);
    Ok(sides(graph)?.into_iter().map(most).sum())
}

/// All arcs around every vertex in increasing order of weights.
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
    pieces.into_par_iter().for_each(|(vertices, near, heavy)| {
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
