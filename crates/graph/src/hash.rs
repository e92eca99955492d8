//! Computes hashes of graphs, arrays and single edges.
//!
//! An array hash is XXH3 over 1 MiB blocks, then XXH3 over the block hashes: the same on any number of threads.

use crate::{
    csr::{Offsets, Vertex},
    graph::{Arcs, Graph},
    ids::Ids,
    par,
    weights::{WeightType, Weights},
    with_weights,
};
use xxhash_rust::xxh3::xxh3_64;

/// The number of bytes per block.
pub(crate) const BLOCK: usize = 1 << 20;

/// Returns the hash of an array's bytes; runs at memory speed on all threads.
pub fn bytes(data: &[u8]) -> u64 {
    let blocks = par::map(data.len().div_ceil(BLOCK), |i| xxh3_64(block(data, i)));
    xxh3_64(bytemuck::cast_slice(&blocks))
}

/// Returns the hash of [`bytes`], and the result of `visit` for each block number, called while the block is in cache.
pub(crate) fn bytes_and<T: Send>(data: &[u8], visit: impl Fn(usize) -> T + Sync) -> (u64, Vec<T>) {
    let blocks = par::map(data.len().div_ceil(BLOCK), |i| (xxh3_64(block(data, i)), visit(i)));
    let (hashes, said): (Vec<u64>, Vec<T>) = blocks.into_iter().unzip();
    (xxh3_64(bytemuck::cast_slice(&hashes)), said)
}

/// Returns block `number` of an array's bytes.
fn block(data: &[u8], number: usize) -> &[u8] {
    &data[number * BLOCK..data.len().min((number + 1) * BLOCK)]
}

/// Mixes two numbers into one; any change of either input changes about half of the bits.
#[inline(always)]
pub fn mix(a: u64, b: u64) -> u64 {
    // The finaliser of MurmurHash3 over a Weyl-style combination.
    let mut x = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.rotate_left(32).wrapping_add(0xd1b5_4a32_d192_ed03);
    x ^= x >> 33;
    x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^= x >> 33;
    x = x.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

/// Returns the hash of a graph; see [`Graph::hash`].
pub(crate) fn graph(graph: &Graph) -> u64 {
    let arcs = graph.out();
    let offsets = match arcs.csr.offsets() {
        Offsets::Narrow(o) => bytes(bytemuck::cast_slice(o)),
        Offsets::Wide(o) => bytes(bytemuck::cast_slice(o)),
    };
    let weights = with_weights!(&arcs.weights, |w| bytes(bytemuck::cast_slice(w)), none: 0);
    let ids = match graph.ids() {
        Ids::Range { first, len } => mix(*first, *len as u64),
        Ids::Numbers(ids) => bytes(bytemuck::cast_slice(ids)),
        Ids::Names(names) => mix(bytes(bytemuck::cast_slice(names.starts())), bytes(names.text())),
    };
    let targets = bytes(bytemuck::cast_slice(arcs.csr.targets()));
    of_arrays(
        graph.is_directed(),
        arcs.weights.weight_type(),
        &ArrayHashes { offsets, targets, weights, ids },
    )
}

/// The hashes of the arrays of a graph, as [`bytes`] returns them.
pub(crate) struct ArrayHashes {
    pub(crate) offsets: u64,
    pub(crate) targets: u64,
    /// 0 without weights.
    pub(crate) weights: u64,
    /// Of a range: its two numbers mixed. Of names: the hashes of the two arrays mixed.
    pub(crate) ids: u64,
}

/// Returns the hash of a graph with these arrays.
pub(crate) fn of_arrays(directed: bool, kind: Option<WeightType>, arrays: &ArrayHashes) -> u64 {
    let kind = kind.map_or(0, |kind| kind as u64 + 1);
    let ArrayHashes { offsets, targets, weights, ids } = *arrays;
    xxh3_64(bytemuck::cast_slice(&[u64::from(directed), offsets, targets, kind, weights, ids]))
}

/// Returns the contribution of a sorted row (or a part of it) to a sum over all rows. The sum is 0 if every arc has its
/// mirror image, and otherwise 0 with probability 2^-64.
#[inline(always)]
pub(crate) fn mirror_sum(u: Vertex, row: &[Vertex], weight_bits: impl Fn(usize) -> u64) -> u64 {
    // One widening multiplication per arc, folded to 64 bits, keeps the check at about memory speed.
    let hash = |low: Vertex, high: Vertex, bits: u64| {
        let pair = (u64::from(low) << 32) | u64::from(high);
        let key = bits.wrapping_mul(0xff51_afd7_ed55_8ccd) ^ 0x9e37_79b9_7f4a_7c15;
        let product = u128::from(pair ^ 0xd1b5_4a32_d192_ed03) * u128::from(key);
        product as u64 ^ (product >> 64) as u64
    };
    let below = row.partition_point(|&v| v < u);
    let loops = row[below..].partition_point(|&v| v == u);
    let mut sum = 0u64;
    for (i, &v) in row[..below].iter().enumerate() {
        sum = sum.wrapping_sub(hash(v, u, weight_bits(i)));
    }
    for (i, &v) in row.iter().enumerate().skip(below + loops) {
        sum = sum.wrapping_add(hash(u, v, weight_bits(i)));
    }
    sum
}

/// Returns true if every arc has its mirror image with the same weight. Compares sums of edge hashes over the two
/// triangles of the adjacency matrix: one pass at memory speed, wrong with probability 2^-64.
pub(crate) fn is_symmetric(arcs: &Arcs) -> bool {
    let csr = &arcs.csr;
    let weight_bits = |i: usize| match &arcs.weights {
        Weights::None => 0,
        Weights::U32(w) => u64::from(w[i]),
        Weights::I32(w) => w[i] as u64,
        Weights::F32(w) => u64::from(w[i].to_bits()),
        Weights::F64(w) => w[i].to_bits(),
    };
    let row = |u: Vertex| {
        let first = csr.arcs_of(u).start;
        mirror_sum(u, csr.neighbors(u), |i| weight_bits(first + i))
    };
    // The sum is taken modulo 2^64.
    par::sum(csr.vertices(), 1024, |us| us.fold(0, |sum, u| sum.wrapping_add(row(u as Vertex)))) == 0
}
