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
use twox_hash::XxHash3_64;
use xxhash_rust::xxh3::xxh3_64;

/// The number of bytes per block.
pub(crate) const BLOCK: usize = 1 << 20;

/// Returns the hash of an array's bytes; runs at memory speed on all threads.
pub fn bytes(data: &[u8]) -> u64 {
    of_blocks(&par::map(data.len().div_ceil(BLOCK), |i| block_sum(block(data, i))))
}

/// Returns the hash of [`bytes`], and the result of `visit` for each block number, called while the block is in cache.
pub(crate) fn bytes_and<T: Send>(data: &[u8], visit: impl Fn(usize) -> T + Sync) -> (u64, Vec<T>) {
    let blocks = par::map(data.len().div_ceil(BLOCK), |i| (block_sum(block(data, i)), visit(i)));
    let (hashes, said): (Vec<u64>, Vec<T>) = blocks.into_iter().unzip();
    (of_blocks(&hashes), said)
}

/// Returns the hash of one block, of at most [`BLOCK`] bytes. This crate's XXH3 uses AVX2 where the processor has it,
/// which is a third faster than what every processor has.
pub(crate) fn block_sum(block: &[u8]) -> u64 {
    XxHash3_64::oneshot(block)
}

/// Returns the hash of an array, given the hashes of its blocks.
pub(crate) fn of_blocks(blocks: &[u64]) -> u64 {
    xxh3_64(bytemuck::cast_slice(blocks))
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
    let parts = Parts {
        directed: graph.is_directed(),
        offsets: match arcs.csr.offsets() {
            Offsets::Narrow(o) => bytes(bytemuck::cast_slice(o)),
            Offsets::Wide(o) => bytes(bytemuck::cast_slice(o)),
        },
        targets: bytes(bytemuck::cast_slice(arcs.csr.targets())),
        weights: with_weights!(&arcs.weights, |w| bytes(bytemuck::cast_slice(w)), none: 0),
        weight_type: arcs.weights.weight_type(),
        ids: match graph.ids() {
            Ids::Range { first, len } => mix(*first, *len as u64),
            Ids::Numbers(ids) => bytes(bytemuck::cast_slice(ids)),
            Ids::Names(names) => mix(bytes(bytemuck::cast_slice(names.starts())), bytes(names.text())),
        },
    };
    parts.hash()
}

/// The parts of the hash of a graph: each array is its own hash, as [`bytes`] computes it.
pub(crate) struct Parts {
    pub(crate) directed: bool,
    pub(crate) offsets: u64,
    pub(crate) targets: u64,
    /// 0 if there are no weights.
    pub(crate) weights: u64,
    pub(crate) weight_type: Option<WeightType>,
    /// The hash of numbers; [`mix`] of the first one and the length of a range, or of the hashes of starts and text.
    pub(crate) ids: u64,
}

impl Parts {
    /// Returns the hash of the graph.
    pub(crate) fn hash(&self) -> u64 {
        let kind = self.weight_type.map_or(0, |t| t as u64 + 1);
        let parts = [u64::from(self.directed), self.offsets, self.targets, kind, self.weights, self.ids];
        xxh3_64(bytemuck::cast_slice(&parts))
    }
}

/// The sums by which arcs are compared with their mirror images, and the number of loops.
///
/// An arc up adds the hash of its edge, an arc down subtracts it. Both sums are 0 if every arc has its mirror image with the
/// same weight, and otherwise 0 with probability 2^-64.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Mirror {
    pub(crate) sums: [u32; 2],
    pub(crate) loops: u64,
}

impl Mirror {
    /// Adds the arcs from `us` to `vs`. `bits(i)` returns the bits of the weight of arc i, 0 without weights.
    ///
    /// The hash of the edge {low, high} has two halves. Each starts with a sum of multiples of low and high, and the two
    /// sums tell all edges apart, because the matrix of the factors is invertible. Then a multiplication between two
    /// shifts mixes their bits. It is all in 32-bit numbers and without branches, so that the compiler handles several
    /// arcs at a time. The kernels of the GPU engine compute the same.
    #[inline(always)]
    pub(crate) fn add(&mut self, us: &[Vertex], vs: &[Vertex], bits: impl Fn(usize) -> u64) {
        let mixed = |x: u32, by: u32| {
            let x = (x ^ (x >> 15)).wrapping_mul(by);
            x ^ (x >> 13)
        };
        let (mut x_sum, mut y_sum, mut loops) = (0_u32, 0_u32, 0_u32);
        for (i, (&u, &v)) in us.iter().zip(vs).enumerate() {
            let (low, high, weight) = (u.min(v), u.max(v), bits(i));
            let (light, heavy) = (weight as u32, (weight >> 32) as u32);
            let half = |by: [u32; 4]| {
                let ends = low.wrapping_mul(by[0]).wrapping_add(high.wrapping_mul(by[1]));
                ends.wrapping_add(light.wrapping_mul(by[2])).wrapping_add(heavy.wrapping_mul(by[3]))
            };
            let x = mixed(half([0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d, 0x27d4_eb2f]), 0x85eb_ca6b);
            let y = mixed(half([0x1656_67b1, 0xd3a2_646c, 0xfd70_46c5, 0xb55a_4f09]), 0xc2b2_ae35);
            let (down, kept) = (u32::from(v < u).wrapping_neg(), u32::from(v != u).wrapping_neg());
            x_sum = x_sum.wrapping_add((x ^ down).wrapping_sub(down) & kept);
            y_sum = y_sum.wrapping_add((y ^ down).wrapping_sub(down) & kept);
            loops += !kept & 1;
        }
        self.join(&Self { sums: [x_sum, y_sum], loops: loops.into() });
    }

    /// Adds the sums of other arcs.
    pub(crate) fn join(&mut self, other: &Self) {
        self.sums = [0, 1].map(|i| self.sums[i].wrapping_add(other.sums[i]));
        self.loops += other.loops;
    }
}

/// Returns true if every arc has its mirror image with the same weight; wrong with probability 2^-64.
pub(crate) fn is_symmetric(arcs: &Arcs) -> bool {
    let csr = &arcs.csr;
    let weight_bits = |i: usize| match &arcs.weights {
        Weights::None => 0,
        Weights::U32(w) => u64::from(w[i]),
        Weights::I32(w) => w[i] as u64,
        Weights::F32(w) => u64::from(w[i].to_bits()),
        Weights::F64(w) => w[i].to_bits(),
    };
    let rows = |us: std::ops::Range<usize>| {
        let (mut mirror, mut own) = (Mirror::default(), Vec::new());
        for u in us {
            let (arcs, row) = (csr.arcs_of(u as Vertex), csr.neighbors(u as Vertex));
            own.clear();
            own.resize(row.len(), u as Vertex);
            mirror.add(&own, row, |i| weight_bits(arcs.start + i));
        }
        mirror
    };
    let joined = |mut a: Mirror, b: Mirror| {
        a.join(&b);
        a
    };
    par::reduce(csr.vertices(), 1024, rows, joined).unwrap_or_default().sums == [0, 0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_told_apart_by_the_ends_of_the_halves_of_their_hash() {
        // An odd determinant has an inverse modulo 2^32.
        let determinant =
            0x9e37_79b1_u32.wrapping_mul(0xd3a2_646c).wrapping_sub(0x85eb_ca77_u32.wrapping_mul(0x1656_67b1));
        assert_eq!(determinant % 2, 1, "{determinant:#x}");
    }

    #[test]
    fn both_crates_compute_the_same_hash() {
        let data: Vec<u8> = (0..BLOCK as u64 + 9).map(|i| (mix(i, 1) >> 40) as u8).collect();
        for len in (0..300).chain([1000, 1024, 1025, 65_537, BLOCK - 1, BLOCK]) {
            assert_eq!(block_sum(&data[..len]), xxh3_64(&data[..len]), "{len} bytes");
        }
    }
}
