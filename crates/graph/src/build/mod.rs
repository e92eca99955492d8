//! From a list of edges to sorted, checked arcs.
//!
//! Choices and their defaults: self-loops are kept, parallel edges are merged to the smallest weight, neighbours are
//! always sorted. An undirected list is mirrored: every edge becomes two arcs (a self-loop one), and an edge listed in
//! both directions is a parallel edge.

use crate::{
    control::Control,
    csr::{Csr, Offsets, Vertex},
    error::Result,
    graph::Arcs,
    memory::Buffer,
    weights::Weights,
};
use serde::{Deserialize, Serialize};

/// What to do with an edge from a vertex to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Loops {
    /// Keep it (the default: nothing is lost).
    #[default]
    Keep,
    /// Drop it.
    Drop,
}

/// What to do with several edges between the same two vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Parallel {
    /// Keep them all.
    Keep,
    /// Keep the one listed first.
    First,
    /// Keep the smallest weight (the default: the same whatever the order of the file).
    #[default]
    Min,
    /// Add their weights; unweighted edges merge into one.
    Sum,
}

/// How to build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Keep the arcs as listed; otherwise mirror each.
    pub directed: bool,
    /// Self-loops.
    pub loops: Loops,
    /// Parallel edges.
    pub parallel: Parallel,
}

/// Edges in the order they were listed, in pieces.
#[derive(Debug, Default)]
pub struct EdgeList {
    /// Number of vertices; every endpoint is below it.
    pub vertices: usize,
    /// The pieces, in order.
    pub chunks: Vec<EdgeChunk>,
}

/// A piece of an edge list.
#[derive(Debug, Default)]
pub struct EdgeChunk {
    /// Source and target of each edge.
    pub pairs: Vec<[Vertex; 2]>,
    /// As many weights as pairs, or none.
    pub weights: EdgeWeights,
}

/// Weights of a piece. Pieces of one list have the same variant.
#[derive(Debug, Clone, Default)]
pub enum EdgeWeights {
    /// Unweighted.
    #[default]
    None,
    /// Non-negative integers.
    U32(Vec<u32>),
    /// Integers.
    I32(Vec<i32>),
    /// Narrow decimals.
    F32(Vec<f32>),
    /// Decimals.
    F64(Vec<f64>),
}

impl From<&Weights> for EdgeWeights {
    fn from(weights: &Weights) -> Self {
        match weights {
            Weights::None => Self::None,
            Weights::U32(w) => Self::U32(w.to_vec()),
            Weights::I32(w) => Self::I32(w.to_vec()),
            Weights::F32(w) => Self::F32(w.to_vec()),
            Weights::F64(w) => Self::F64(w.to_vec()),
        }
    }
}

/// What was built.
#[derive(Debug)]
pub struct Built {
    /// Sorted, checked arcs.
    pub arcs: Arcs,
    /// Self-loops dropped.
    pub loops_dropped: u64,
    /// Listed edges merged into others.
    pub merged: u64,
}

/// Builds sorted arcs from a list of edges.
///
/// # Errors
/// [`crate::Error::TooLarge`] when memory is short, or what `control` asks for.
pub fn build(list: EdgeList, options: &Options, control: &Control) -> Result<Built> {
    control.check("building the graph")?;
    let n = list.vertices;
    let mut loops_dropped = 0;
    let mut arcs: Vec<(Vertex, Vertex, u64)> = Vec::new();
    let mut weights = EdgeWeights::None;
    let mut index = 0u64;
    for chunk in &list.chunks {
        for &[u, v] in &chunk.pairs {
            if u == v && options.loops == Loops::Drop {
                loops_dropped += 1;
            } else {
                arcs.push((u, v, index));
                if !options.directed && u != v {
                    arcs.push((v, u, index));
                }
            }
            index += 1;
        }
        match (&mut weights, &chunk.weights) {
            (EdgeWeights::U32(a), EdgeWeights::U32(b)) => a.extend(b),
            (EdgeWeights::I32(a), EdgeWeights::I32(b)) => a.extend(b),
            (EdgeWeights::F32(a), EdgeWeights::F32(b)) => a.extend(b),
            (EdgeWeights::F64(a), EdgeWeights::F64(b)) => a.extend(b),
            (slot, w) => *slot = w.clone(),
        }
    }
    let get = |i: u64| match &weights {
        EdgeWeights::None => 0.0,
        EdgeWeights::U32(w) => f64::from(w[i as usize]),
        EdgeWeights::I32(w) => f64::from(w[i as usize]),
        EdgeWeights::F32(w) => f64::from(w[i as usize]),
        EdgeWeights::F64(w) => w[i as usize],
    };
    arcs.sort_unstable();
    let mut out: Vec<(Vertex, Vertex, f64)> = Vec::with_capacity(arcs.len());
    let mut merged = 0;
    for (u, v, i) in arcs {
        let w = get(i);
        match out.last_mut() {
            Some(last) if options.parallel != Parallel::Keep && (last.0, last.1) == (u, v) => {
                merged += u64::from(options.directed || u <= v);
                match options.parallel {
                    Parallel::Min => last.2 = last.2.min(w),
                    Parallel::Sum => last.2 += w,
                    _ => {}
                }
            }
            _ => out.push((u, v, w)),
        }
    }
    let mut offsets = vec![0u32; n + 1];
    for &(u, _, _) in &out {
        offsets[u as usize + 1] += 1;
    }
    for v in 0..n {
        offsets[v + 1] += offsets[v];
    }
    let targets: Vec<Vertex> = out.iter().map(|a| a.1).collect();
    let csr = Csr::new(Offsets::Narrow(offsets.into()), Buffer::from(targets), "edge list")?;
    let weights = match weights {
        EdgeWeights::None => Weights::None,
        EdgeWeights::U32(_) => Weights::U32(out.iter().map(|a| a.2 as u32).collect::<Vec<_>>().into()),
        EdgeWeights::I32(_) => Weights::I32(out.iter().map(|a| a.2 as i32).collect::<Vec<_>>().into()),
        EdgeWeights::F32(_) => Weights::F32(out.iter().map(|a| a.2 as f32).collect::<Vec<_>>().into()),
        EdgeWeights::F64(_) => Weights::F64(out.iter().map(|a| a.2).collect::<Vec<_>>().into()),
    };
    Ok(Built { arcs: Arcs { csr, weights }, loops_dropped, merged })
}
