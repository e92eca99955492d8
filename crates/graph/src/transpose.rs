//! The transpose: every arc u -> v as v -> u, with its weight.
//!
//! Arcs are visited by rising source and partitioned stably by target (see [`crate::build`]), so every bucket needs
//! only be sorted by its own few bits of the target. Work O(arcs); beside the result, memory of 4 bytes an arc (8 beyond
//! 2^21 vertices), given back as the result fills.

use crate::{
    build::{self, Part, Weight},
    csr::{Csr, Vertex},
    error::Result,
    graph::Arcs,
    weights::Weights,
};
use std::ops::Range;

/// Turns every arc round; lists stay sorted.
pub(crate) fn transpose(arcs: &Arcs) -> Result<Arcs> {
    let csr = &arcs.csr;
    match &arcs.weights {
        Weights::None => weighted(csr, &vec![(); csr.arcs()]),
        Weights::U32(w) => weighted(csr, w),
        Weights::I32(w) => weighted(csr, w),
        Weights::F32(w) => weighted(csr, w),
        Weights::F64(w) => weighted(csr, w),
    }
}

fn weighted<W: Weight>(csr: &Csr, weights: &[W]) -> Result<Arcs> {
    let size = build::part_size(csr.arcs());
    let parts = (0..csr.arcs().div_ceil(size))
        .map(|i| ArcPart { csr, weights, arcs: i * size..csr.arcs().min((i + 1) * size) })
        .collect();
    build::transposed(parts, csr.vertices(), csr.arcs())
}

/// A run of arcs of a CSR, turned round.
struct ArcPart<'a, W> {
    csr: &'a Csr,
    weights: &'a [W],
    arcs: Range<usize>,
}

impl<W: Weight> Part<W> for ArcPart<'_, W> {
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

/// The vertex whose row holds arc `index`, which there is.
fn source_of(csr: &Csr, index: usize) -> usize {
    let (mut low, mut high) = (0, csr.vertices());
    while low < high {
        let middle = low + (high - low) / 2;
        if csr.offsets().get(middle + 1) <= index { low = middle + 1 } else { high = middle }
    }
    low
}
