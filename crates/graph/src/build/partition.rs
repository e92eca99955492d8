//! Partitions arcs by ranges of their sources into buckets that fit the second-level cache.
//!
//! Bucket `b` holds the arcs whose source lies in `b << low_bits .. (b + 1) << low_bits`, each as one key: the low bits
//! of the source, then the target. One pass over the list counts, and a second pass scatters to exact positions, so a
//! bucket keeps the order of the list on any number of threads. The scatter drops each part of the list once it is
//! done, and the system provides the memory of the buckets page by page, so list and buckets together take little more
//! than the larger of the two.

use super::{chunks::Part, meter::Meter, radix::Key, shared::Scattered, weight::Bits};
use crate::{
    csr::Vertex,
    error::{Error, Result},
    memory::Pages,
    par,
};

/// The intended number of arcs per bucket: the keys and their copy stay in cache during the sort.
const BUCKET_ARCS: usize = 1 << 16;
const MAX_BUCKET_BITS: u32 = 11;

/// Defines how arcs are distributed over buckets and packed into keys.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// The exclusive upper bound of sources and targets.
    pub(super) bound: u64,
    /// The number of target bits in a key.
    pub(super) target_bits: u32,
    /// The number of source bits in a key, above the target bits.
    pub(super) low_bits: u32,
}

impl Layout {
    /// Chooses the layout for sources and targets below `bound` and about `arcs` arcs.
    pub(super) fn new(bound: u64, arcs: usize) -> Self {
        let target_bits = 64 - bound.saturating_sub(1).leading_zeros();
        let wanted = (arcs / BUCKET_ARCS).next_power_of_two().trailing_zeros().min(MAX_BUCKET_BITS);
        // A few more buckets pay off if keys then fit 32 bits: half the memory, and fewer digits to sort by.
        let packing = (2 * target_bits).saturating_sub(32);
        let packs = packing <= MAX_BUCKET_BITS && arcs >> packing >= 256;
        let bucket_bits = if packs { wanted.max(packing) } else { wanted }.min(target_bits);
        // A 32-bit source cannot be shifted by 32 bits.
        Self { bound, target_bits, low_bits: (target_bits - bucket_bits).min(31) }
    }

    /// Returns the number of buckets.
    pub(super) fn buckets(&self) -> usize {
        self.bound.div_ceil(1 << self.low_bits) as usize
    }

    /// Returns true if keys fit 32 bits.
    pub(super) fn is_narrow(&self) -> bool {
        self.target_bits + self.low_bits <= 32
    }

    #[inline(always)]
    fn key<K: Key>(&self, source: Vertex, target: Vertex) -> K {
        let low = u64::from(source) & ((1 << self.low_bits) - 1);
        K::from_bits(low << self.target_bits | u64::from(target))
    }
}

/// The arcs, partitioned into buckets.
#[derive(Debug)]
pub(super) struct Partition<K: Key, W: Bits> {
    pub(super) layout: Layout,
    pub(super) keys: Pages<K>,
    pub(super) weights: Pages<W>,
    /// The start of each bucket, followed by the number of arcs.
    pub(super) starts: Vec<usize>,
    /// True to write the rows over the keys.
    pub(super) in_place: bool,
}

/// Counts and scatters the arcs of `parts`. If the rows are to be written in place, the arrays lie in huge pages;
/// otherwise they take physical memory as they fill.
pub(super) fn partition<K: Key, W: Bits>(
    parts: Vec<impl Part<W>>,
    layout: Layout,
    in_place: bool,
    meter: &Meter<'_>,
) -> Result<Partition<K, W>> {
    let counts: Vec<Vec<u32>> = par::try_map(parts.len(), |i| {
        meter.add(parts[i].len() as u64)?;
        count(&parts[i], &layout)
    })?;
    let (starts, cursors) = places(&counts, layout.buckets());
    drop(counts);
    let arcs = starts[layout.buckets()];
    let (mut keys, mut weights) = if in_place {
        (Pages::<K>::zeroed(arcs)?, Pages::<W>::zeroed(arcs)?)
    } else {
        (Pages::<K>::zeroed_lazily(arcs)?, Pages::<W>::zeroed_lazily(arcs)?)
    };
    let places = (Scattered::new(&mut keys), Scattered::new(&mut weights));
    let both = parts.into_iter().zip(cursors).collect();
    par::try_map_each(both, |_, (part, cursors)| {
        meter.add(part.len() as u64)?;
        scatter(&part, cursors, &layout, &places);
        Ok(())
    })?;
    Ok(Partition { layout, keys, weights, starts, in_place })
}

/// Returns the number of arcs of a part in each bucket; refuses endpoints that are not vertices.
fn count<W: Bits>(part: &impl Part<W>, layout: &Layout) -> Result<Vec<u32>> {
    let mut counts = vec![0u32; layout.buckets()];
    let mut end = 0;
    part.for_each(|source, target, _| {
        end = end.max(u64::from(source.max(target)) + 1);
        if let Some(count) = counts.get_mut((source >> layout.low_bits) as usize) {
            *count += 1;
        }
    });
    if end <= layout.bound {
        return Ok(counts);
    }
    Err(Error::invalid(
        format!("an edge has endpoint {}, expected one below {}", end - 1, layout.bound),
        "give the number of vertices as the largest endpoint plus one, or more",
    ))
}

/// Returns the start of each bucket, and the start of each part within each bucket.
fn places(counts: &[Vec<u32>], buckets: usize) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut cursors = vec![vec![0; buckets]; counts.len()];
    let mut starts = Vec::with_capacity(buckets + 1);
    let mut sum = 0;
    for bucket in 0..buckets {
        starts.push(sum);
        for (cursors, counts) in cursors.iter_mut().zip(counts) {
            cursors[bucket] = sum;
            sum += counts[bucket] as usize;
        }
    }
    starts.push(sum);
    (starts, cursors)
}

fn scatter<K: Key, W: Bits>(
    part: &impl Part<W>,
    mut cursors: Vec<usize>,
    layout: &Layout,
    (keys, weights): &(Scattered<'_, K>, Scattered<'_, W>),
) {
    part.for_each(|source, target, weight| {
        let cursor = &mut cursors[(source >> layout.low_bits) as usize];
        let at = *cursor;
        *cursor += 1;
        // SAFETY: parts do not change, so this loop visits the same arcs as `count`. `places` gave every part as many
        // positions in every bucket as the part has arcs there, all below the number of arcs and no two equal.
        unsafe {
            keys.write(at, layout.key(source, target));
            weights.write(at, weight);
        }
    });
}
