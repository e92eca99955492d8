//! Makes the arcs of a graph row by row, on all threads.
//!
//! A first pass asks for the length of every row, a second one for its arcs. So each array is written once, in place, and a thread
//! needs room for one row besides.

use super::DURING;
use bytemuck::Pod;
use warpgraph_core::Result;
use warpgraph_graph::{Arcs, Control, Csr, Offset, Offsets, Pages, Vertex, WeightType, Weights, par};

/// An arc of a row: its target, and the bits of its weight in the lower half or all of a word.
pub(super) type Arc = (Vertex, u64);

/// Rows plus arcs per piece of work.
const PIECE: usize = 1 << 15;

/// Returns the bits of the weight of an arc; 0 if the graph has no weights.
#[inline(always)]
pub(super) fn bits(weights: &Weights, arc: usize) -> u64 {
    match weights {
        Weights::None => 0,
        Weights::U32(w) => u64::from(w[arc]),
        Weights::I32(w) => u64::from(w[arc] as u32),
        Weights::F32(w) => u64::from(w[arc].to_bits()),
        Weights::F64(w) => w[arc].to_bits(),
    }
}

/// Returns the arcs of a graph of `rows` vertices: row v has `length(v)` arcs, which `fill(v, row)` adds to an empty row, by
/// increasing target.
///
/// # Errors
/// If memory is short, or if `control` stops the work.
pub(super) fn arcs(
    rows: usize,
    kind: Option<WeightType>,
    length: impl Fn(Vertex) -> usize + Sync,
    fill: impl Fn(Vertex, &mut Vec<Arc>) + Sync,
    control: &Control,
) -> Result<Arcs> {
    let sum = |range: std::ops::Range<usize>| range.map(|v| length(v as Vertex) as u64).sum();
    let total = par::sum(rows, par::FINE, sum) as usize;
    let shape = Shape { rows, total, kind };
    if u32::try_from(total).is_ok() {
        let offsets = offsets::<u32>(rows, &length)?;
        let (targets, weights) = shape.filled(&offsets, &fill, control)?;
        return finish(Offsets::Narrow(offsets.into()), targets, weights);
    }
    let offsets = offsets::<u64>(rows, &length)?;
    let (targets, weights) = shape.filled(&offsets, &fill, control)?;
    finish(Offsets::Wide(offsets.into()), targets, weights)
}

fn finish(offsets: Offsets, targets: Pages<Vertex>, weights: Weights) -> Result<Arcs> {
    Ok(Arcs { csr: Csr::new(offsets, targets.into(), "an approximate graph")?, weights })
}

fn offsets<O: Offset>(rows: usize, length: &(impl Fn(Vertex) -> usize + Sync)) -> Result<Pages<O>> {
    let mut offsets = Pages::<O>::zeroed(rows + 1)?;
    par::parts_mut(&mut offsets[1..], par::FINE, |first, part| {
        for (v, end) in (first as Vertex..).zip(part) {
            *end = O::from_index(length(v));
        }
    });
    let mut sum = 0;
    for end in &mut offsets[..] {
        sum += end.index();
        *end = O::from_index(sum);
    }
    Ok(offsets)
}

/// The size of a graph, and the type of its weights.
struct Shape {
    rows: usize,
    total: usize,
    kind: Option<WeightType>,
}

impl Shape {
    fn filled<O: Offset>(
        &self,
        offsets: &[O],
        fill: &(impl Fn(Vertex, &mut Vec<Arc>) + Sync),
        control: &Control,
    ) -> Result<(Pages<Vertex>, Weights)> {
        match self.kind {
            None => self.with::<O, ()>(offsets, fill, control),
            Some(WeightType::U32) => self.with::<O, u32>(offsets, fill, control),
            Some(WeightType::I32) => self.with::<O, i32>(offsets, fill, control),
            Some(WeightType::F32) => self.with::<O, f32>(offsets, fill, control),
            Some(WeightType::F64) => self.with::<O, f64>(offsets, fill, control),
        }
    }

    fn with<O: Offset, W: Weight>(
        &self,
        offsets: &[O],
        fill: &(impl Fn(Vertex, &mut Vec<Arc>) + Sync),
        control: &Control,
    ) -> Result<(Pages<Vertex>, Weights)> {
        let (mut targets, mut weights) = (Pages::scratch(self.total)?, Pages::<W>::scratch(self.total)?);
        par::consume(pieces(self.rows, offsets, &mut targets, &mut weights), |pieces, _| {
            let mut row = Vec::new();
            for piece in pieces {
                if !control.should_stop() {
                    piece.fill(&mut row, fill);
                }
            }
        });
        control.check(DURING)?;
        Ok((targets, W::finish(weights)))
    }
}

/// The arcs of some rows.
struct Piece<'a, O, W> {
    first: Vertex,
    /// The offsets of the rows, and the end of the last one.
    offsets: &'a [O],
    targets: &'a mut [Vertex],
    weights: &'a mut [W],
}

impl<O: Offset, W: Weight> Piece<'_, O, W> {
    fn fill(self, row: &mut Vec<Arc>, fill: &impl Fn(Vertex, &mut Vec<Arc>)) {
        let mut at = 0;
        for (v, ends) in (self.first..).zip(self.offsets.windows(2)) {
            row.clear();
            fill(v, row);
            assert_eq!(row.len(), ends[1].index() - ends[0].index(), "row {v} has its length");
            for &(target, bits) in &*row {
                (self.targets[at], self.weights[at]) = (target, W::of(bits));
                at += 1;
            }
        }
    }
}

/// Cuts the arrays at row boundaries.
fn pieces<'a, O: Offset, W>(
    rows: usize,
    offsets: &'a [O],
    mut targets: &'a mut [Vertex],
    mut weights: &'a mut [W],
) -> Vec<Piece<'a, O, W>> {
    let (mut pieces, mut start) = (Vec::new(), 0);
    for end in 1..=rows {
        let arcs = offsets[end].index() - offsets[start].index();
        if end - start + arcs >= PIECE || end == rows {
            let (now, later) = targets.split_at_mut(arcs);
            let (along, after) = weights.split_at_mut(arcs);
            let first = start as Vertex;
            pieces.push(Piece { first, offsets: &offsets[start..=end], targets: now, weights: along });
            (targets, weights, start) = (later, after, end);
        }
    }
    pieces
}

/// The weights of an array.
trait Weight: Pod + Send + Sync {
    /// Returns the weight of these bits.
    fn of(bits: u64) -> Self;
    fn finish(weights: Pages<Self>) -> Weights;
}

impl Weight for () {
    fn of(_: u64) {}
    fn finish(_: Pages<()>) -> Weights {
        Weights::None
    }
}

macro_rules! weight {
    ($type:ty, $variant:ident, $of:expr) => {
        impl Weight for $type {
            #[inline(always)]
            fn of(bits: u64) -> Self {
                $of(bits)
            }
            fn finish(weights: Pages<Self>) -> Weights {
                Weights::$variant(weights.into())
            }
        }
    };
}

weight!(u32, U32, |bits| bits as u32);
weight!(i32, I32, |bits| bits as u32 as i32);
weight!(f32, F32, |bits| f32::from_bits(bits as u32));
weight!(f64, F64, f64::from_bits);
