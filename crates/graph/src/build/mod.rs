//! Builds sorted, checked arcs from a list of edges.
//!
//! By default the builder keeps self-loops and merges parallel edges to the smallest weight. It always sorts
//! neighbours. It mirrors an undirected list: every edge becomes two arcs (a self-loop becomes one), and an edge listed
//! in both directions is a parallel edge.
//!
//! The builder is a radix partition \[1\]. `chunks` cuts the list into parts. `partition` scatters their arcs into
//! buckets by ranges of the source. `radix` sorts a bucket while it lies in cache, and `rows` merges and writes it.
//! Weights move as raw bits (`weight`). The partition takes 4 bytes per arc where the keys of source and target fit 32
//! bits (up to 2^21 vertices), otherwise 8, and the bytes of the weight.
//!
//! \[1\] O. Polychroniou, K. A. Ross. A Comprehensive Study of Main-Memory Partitioning and its Application to
//! Large-Scale Comparison- and Radix-Sort. SIGMOD 2014.

mod chunks;
mod from_edges;
mod meter;
mod numbering;
mod partition;
mod radix;
mod rows;
mod shared;
mod starts;
mod weight;

pub(crate) use self::{
    chunks::{Chunk, Filled, Part},
    meter::Meter,
    numbering::{Numbering, Ranks},
    radix::Scratch,
    weight::Bits,
};
pub use from_edges::FromEdges;

use self::{
    partition::{Layout, Partition, partition},
    radix::Key,
    rows::Rule,
};
use crate::{
    control::Control,
    csr::{MAX_VERTICES, Vertex},
    error::{Error, Result},
    graph::Arcs,
    timeline::Phase,
    weights::{WeightType, Weights},
};
use serde::{Deserialize, Serialize};

/// The treatment of edges from a vertex to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Loops {
    /// Keeps the edge. This is the default, since it loses nothing.
    #[default]
    Keep,
    /// Drops the edge.
    Drop,
}

/// The treatment of several edges between the same two vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Parallel {
    /// Keeps all edges.
    Keep,
    /// Keeps the edge listed first.
    First,
    /// Keeps the smallest weight. This is the default, since the result does not depend on the order of the file.
    #[default]
    Min,
    /// Adds the weights; unweighted edges merge into one.
    Sum,
}

/// The options of [`build`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// True to keep the arcs as listed, false to mirror each of them.
    pub directed: bool,
    /// The treatment of self-loops.
    pub loops: Loops,
    /// The treatment of parallel edges.
    pub parallel: Parallel,
}

/// A list of edges in chunks.
#[derive(Debug, Default)]
pub struct EdgeList {
    /// The number of vertices; every endpoint is below it.
    pub vertices: usize,
    /// The chunks, in the order of the list.
    pub chunks: Vec<EdgeChunk>,
}

/// A chunk of an edge list.
#[derive(Debug, Default)]
pub struct EdgeChunk {
    /// The source and target of each edge.
    pub pairs: Vec<[Vertex; 2]>,
    /// One weight per edge, or [`EdgeWeights::None`].
    pub weights: EdgeWeights,
}

/// The weights of a chunk. All chunks of a list have the same variant.
#[derive(Debug, Clone, Default)]
pub enum EdgeWeights {
    /// No weights.
    #[default]
    None,
    /// Non-negative integers.
    U32(Vec<u32>),
    /// Integers, possibly negative.
    I32(Vec<i32>),
    /// 32-bit decimals.
    F32(Vec<f32>),
    /// 64-bit decimals.
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

/// The result of [`build`].
#[derive(Debug)]
pub struct Built {
    /// Sorted, checked arcs.
    pub arcs: Arcs,
    /// The number of self-loops dropped.
    pub loops_dropped: u64,
    /// The number of listed edges merged into others.
    pub merged: u64,
}

/// Builds sorted arcs from a list of edges.
///
/// The result does not depend on the number of threads. Work O(edges). Memory: the list, which is freed as it is
/// consumed, and at most twice the finished arcs.
///
/// # Errors
/// [`Error::Invalid`] if an endpoint is not a vertex, if chunks have weights of different types or not one weight per
/// edge, or if a sum of weights exceeds its type; [`Error::TooLarge`] if memory is short; [`Error::Interrupted`] or
/// [`Error::DeadlinePassed`] if `control` stops the work.
pub fn build(list: EdgeList, options: &Options, control: &Control) -> Result<Built> {
    let bound = list.vertices as u64;
    if bound > MAX_VERTICES {
        return Err(too_many_vertices(bound));
    }
    let ends = Numbering::From(0);
    let weighted = list.chunks.iter().map(|c| &c.weights).find(|w| !matches!(w, EdgeWeights::None));
    macro_rules! weighted {
        ($variant:ident, $bits:ty) => {{
            let chunks = chunks::typed::<$bits>(list, |weights, _| match weights {
                EdgeWeights::$variant(weights) => Some(bytemuck::cast_vec(weights)),
                _ => None,
            })?;
            build_chunks(chunks, Some(WeightType::$variant), bound, &ends, options, control)
        }};
    }
    match weighted {
        None | Some(EdgeWeights::None) => {
            build_chunks(chunks::unweighted(list)?, None, bound, &ends, options, control)
        }
        Some(EdgeWeights::U32(_)) => weighted!(U32, u32),
        Some(EdgeWeights::I32(_)) => weighted!(I32, u32),
        Some(EdgeWeights::F32(_)) => weighted!(F32, u32),
        Some(EdgeWeights::F64(_)) => weighted!(F64, u64),
    }
}

/// Builds like [`build`] from chunks whose endpoints are numbers below `bound`, which `numbering` maps to vertices, and
/// whose weights have type `kind`.
pub(crate) fn build_chunks<W: Bits>(
    chunks: Vec<Chunk<W>>,
    kind: Option<WeightType>,
    bound: u64,
    numbering: &Numbering,
    options: &Options,
    control: &Control,
) -> Result<Built> {
    control.check(DURING)?;
    let _span = control.span(Phase::Building);
    debug_assert!(
        chunks.iter().flat_map(Chunk::weights).all(|w| weight::is_valid(kind, w.wide())),
        "readers refuse NaN and infinite weights"
    );
    let edges: usize = chunks.iter().map(Chunk::len).sum();
    let arcs = if options.directed { edges } else { 2 * edges };
    let meter = Meter::new(control, "building", DURING, (2 * edges + arcs) as u64);
    let parts = chunks::cut(chunks, part_size(edges), !options.directed, options.loops == Loops::Drop);
    let rule =
        Rule { numbering, kind, parallel: options.parallel, directed: options.directed, presorted: false };
    let (arcs, kept, merged) = arcs_of_parts(parts, Layout::new(bound, arcs), &rule, &meter)?;
    let mut loops_dropped = 0;
    if options.loops == Loops::Drop {
        loops_dropped = (edges - if options.directed { kept } else { kept / 2 }) as u64;
    }
    Ok(Built { arcs, loops_dropped, merged })
}

/// Returns the arcs of `parts`, which must list the arcs of every source by increasing target.
pub(crate) fn transposed<W: Bits>(
    parts: Vec<impl Part<W>>,
    kind: Option<WeightType>,
    vertices: usize,
    arcs: usize,
) -> Result<Arcs> {
    let control = Control::new();
    let meter = Meter::new(&control, "transposing", "transposing the graph", 3 * arcs as u64);
    let numbering = &Numbering::From(0);
    let rule = Rule { numbering, kind, parallel: Parallel::Keep, directed: true, presorted: true };
    Ok(arcs_of_parts(parts, Layout::new(vertices as u64, arcs), &rule, &meter)?.0)
}

/// Returns the arcs of `parts`, their number before merging, and the number of listed edges that merging removed.
fn arcs_of_parts<W: Bits>(
    parts: Vec<impl Part<W>>,
    layout: Layout,
    rule: &Rule<'_>,
    meter: &Meter<'_>,
) -> Result<(Arcs, usize, u64)> {
    fn run<K: Key, W: Bits>(
        partition: Partition<K, W>,
        rule: &Rule<'_>,
        meter: &Meter<'_>,
    ) -> Result<(Arcs, usize, u64)> {
        let kept = partition.keys.len();
        let (arcs, merged) = rows::finish(partition, rule, meter)?;
        Ok((arcs, kept, merged))
    }
    if layout.is_narrow() {
        // The arcs of a mirrored list take no less memory than the list, so lazy arrays would save nothing.
        run(partition::<u32, W>(parts, layout, !rule.directed, meter)?, rule, meter)
    } else {
        run(partition::<u64, W>(parts, layout, false, meter)?, rule, meter)
    }
}

const DURING: &str = "building the graph";

/// Returns the number of edges per part: small enough for an even share per thread, and large enough that counting
/// buckets costs little.
pub(crate) fn part_size(edges: usize) -> usize {
    (edges / (8 * rayon::current_num_threads())).clamp(1 << 16, 1 << 20)
}

pub(crate) fn too_many_vertices(vertices: u64) -> Error {
    Error::TooLarge {
        what: format!("a graph of {vertices} vertices"),
        needed: "numbers of more than 32 bits".to_owned(),
        limit: format!("{MAX_VERTICES} vertices"),
        help: "split the graph, or leave vertices out".to_owned(),
    }
}

#[cfg(test)]
mod tests;
