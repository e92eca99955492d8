//! Transposes a graph: every arc u -> v becomes v -> u, with its weight.
//!
//! The stable partition of the builder (see [`crate::build`]) visits arcs by increasing source and scatters them by
//! target, so sorting a bucket takes only the few bits of the target that the bucket covers. Work O(arcs). Memory
//! beside the result: 4 bytes per arc (8 beyond 2^21 vertices) and the weights, returned to the system while the result
//! fills.

use crate::{
    build::{self, Bits, Part},
    csr::{Csr, Vertex},
    error::Result,
    graph::Arcs,
    weights::{WeightType, Weights},
};
use std::ops::Range;

/// Returns the transpose; adjacency lists stay sorted.
pub(crate) fn transpose(arcs: &Arcs) -> Result<Arcs> {
    let (csr, kind) = (&arcs.csr, arcs.weights.weight_type());
    match &arcs.weights {
        Weights::None => weighted(csr, &vec![(); csr.arcs()], kind),
        Weights::U32(w) => weighted::<u32>(csr, w, kind),
        Weights::I32(w) => weighted::<u32>(csr, bytemuck::cast_slice(w), kind),
        Weights::F32(w) => weighted::<u32>(csr, bytemuck::cast_slice(w), kind),
        Weights::F64(w) => weighted::<u64>(csr, bytemuck::cast_slice(w), kind),
    }
}

fn weighted<W: Bits>(csr: &Csr, weights: &[W], kind: Option<WeightType>) -> Result<Arcs> {
    let size = build::part_size(csr.arcs());
    let parts = (0..csr.arcs().div_ceil(size))
        .map(|i| ArcPart { csr, weights, arcs: i * size..csr.arcs().min((i + 1) * size) })
        .collect();
    build::transposed(parts, kind, csr.vertices(), csr.arcs())
}

/// A run of arcs of a CSR, reversed.
struct ArcPart<'a, W> {
    csr: &'a Csr,
    weights: &'a [W],
    arcs: Range<usize>,
}

impl<W: Bits> Part<W> for ArcPart<'_, W> {
    fn len(&self) -> usize {
        self.arcs.len()
    }

    #[inline(always)]
    fn for_each(&self, mut visit: impl FnMut(Vertex, Vertex, W)) {
        let mut source = source_of(self.csr, self.arcs.start);
        let mut at = self.arcs.start;
        while at < self.arcs.end {
            let end = self.csr.offsets().get(source + 1).min(self.arcs.end);
            for (&target, &weight) in self.csr.targets()[at..end].iter().zip(&self.weights[at..end]) {
                visit(target, source as Vertex, weight);
            }
            (at, source) = (end.max(at), source + 1);
        }
    }
}

/// Returns the vertex whose row holds arc `index`, which must exist.
fn source_of(csr: &Csr, index: usize) -> usize {
    let (mut low, mut high) = (0, csr.vertices());
    while low < high {
        let middle = low + (high - low) / 2;
        if csr.offsets().get(middle + 1) <= index { low = middle + 1 } else { high = middle }
    }
    low
}
