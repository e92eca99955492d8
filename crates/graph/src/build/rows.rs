//! Turns buckets of arcs into rows: sorts, merges, numbers and writes them.
//!
//! A thread sorts a bucket by source and target, merges parallel edges, and writes the rows where they would lie if no
//! other bucket had merged any edges: either over the keys of the bucket or into separate arrays. In the second case
//! the memory of the keys returns to the system at once. The last step closes the gaps between buckets.

use super::{
    Parallel,
    meter::Meter,
    numbering::Numbering,
    partition::{Layout, Partition},
    radix::{Key, Scratch},
    starts::{Starts, StartsSection},
    weight::{Bits, merge},
};
use crate::{
    csr::{Csr, Offsets, Vertex},
    error::{Error, Result},
    graph::Arcs,
    memory::{Pages, Section},
    par,
    weights::WeightType,
};
use bytemuck::Pod;

/// Defines how buckets become rows.
#[derive(Debug)]
pub(super) struct Rule<'a> {
    pub(super) numbering: &'a Numbering,
    /// The type of the weights.
    pub(super) kind: Option<WeightType>,
    pub(super) parallel: Parallel,
    /// True to count merged arcs, false to count merged edges of a mirrored list.
    pub(super) directed: bool,
    /// True if the arcs of every source are already listed by increasing target.
    pub(super) presorted: bool,
}

/// Returns the finished arcs and the number of listed edges that merging removed.
pub(super) fn finish<K: Key, W: Bits>(
    partition: Partition<K, W>,
    rule: &Rule<'_>,
    meter: &Meter<'_>,
) -> Result<(Arcs, u64)> {
    let vertices = rule.numbering.below(partition.layout.bound);
    let offsets = if u32::try_from(partition.keys.len()).is_ok() {
        Starts::Narrow(Pages::zeroed(vertices + 1)?)
    } else {
        Starts::Wide(Pages::zeroed(vertices + 1)?)
    };
    let (offsets, targets, weights, merged) = write(partition, offsets, rule, meter)?;
    let offsets = match offsets {
        Starts::Narrow(offsets) => Offsets::Narrow(offsets.into()),
        Starts::Wide(offsets) if u32::try_from(targets.len()).is_ok() => {
            Offsets::Narrow(narrow(&offsets)?.into())
        }
        Starts::Wide(offsets) => Offsets::Wide(offsets.into()),
    };
    // SAFETY: `write_rows` writes offsets that start at 0 and never decrease, and `shift` sets the last one to the
    // number of targets; targets are numbered vertices, since `partition` refuses endpoints that are not vertices;
    // every row is a run of keys sorted by target, and the numbering is monotone.
    let csr = unsafe { Csr::new_unchecked(offsets, targets.into()) };
    Ok((Arcs { csr, weights: W::finish(weights, rule.kind) }, merged))
}

fn narrow(wide: &[u64]) -> Result<Pages<u32>> {
    let mut narrow = Pages::<u32>::zeroed(wide.len())?;
    par::parts_mut(&mut narrow, par::FINE, |first, part| {
        part.iter_mut().zip(&wide[first..]).for_each(|(n, &w)| *n = w as u32);
    });
    Ok(narrow)
}

/// The sections of all arrays that belong to one bucket.
struct Bucket<'a, K: Key, W: Bits> {
    /// The first source of the bucket.
    first: u64,
    keys: Section<'a, K>,
    weights: Section<'a, W>,
    /// The destination of the rows; `None` to write over keys and weights.
    out: Option<(Section<'a, Vertex>, Section<'a, W>)>,
    offsets: StartsSection<'a>,
}

type Written<W> = (Starts, Pages<Vertex>, Pages<W>, u64);

fn write<K: Key, W: Bits>(
    partition: Partition<K, W>,
    mut offsets: Starts,
    rule: &Rule<'_>,
    meter: &Meter<'_>,
) -> Result<Written<W>> {
    let Partition { layout, mut keys, mut weights, starts, in_place } = partition;
    let firsts: Vec<u64> = (0..layout.buckets() as u64).map(|b| b << layout.low_bits).collect();
    let mut rows: Vec<usize> = firsts.iter().map(|&first| rule.numbering.below(first)).collect();
    let vertices = rule.numbering.below(layout.bound);
    rows.extend([vertices, vertices + 1]);
    let mut out = None;
    if !in_place {
        out = Some((Pages::<Vertex>::zeroed(keys.len())?, Pages::<W>::zeroed(keys.len())?));
    }
    let outs: Vec<Option<_>> = match &mut out {
        Some((t, w)) => t.sections(&starts).into_iter().zip(w.sections(&starts)).map(Some).collect(),
        None => firsts.iter().map(|_| None).collect(),
    };
    let buckets = firsts
        .into_iter()
        .zip(keys.sections(&starts))
        .zip(weights.sections(&starts))
        .zip(outs)
        .zip(offsets.sections(&rows))
        .map(|((((first, keys), weights), out), offsets)| Bucket { first, keys, weights, out, offsets })
        .collect();
    let written = par::try_map_with(buckets, Scratch::new, |scratch, bucket| {
        meter.add(bucket.keys.len() as u64)?;
        write_bucket(bucket, scratch, &layout, rule)
    })?;
    let kept: Vec<usize> = written.iter().map(|w| w.0).collect();
    let (mut targets, mut weights) = match (out, K::as_targets(keys)) {
        (Some(out), _) => out,
        (None, Some(targets)) => (targets, weights),
        (None, None) => {
            return Err(Error::invalid("wide keys cannot become targets", "report this as a bug"));
        }
    };
    close_gaps(&mut targets, &starts, &kept);
    close_gaps(&mut weights, &starts, &kept);
    offsets.shift(&rows, &kept);
    Ok((offsets, targets, weights, written.iter().map(|w| w.1).sum()))
}

/// Calls [`write_rows`], compiled with the `popcnt` instruction where the processor has it.
fn write_bucket<K: Key, W: Bits>(
    bucket: Bucket<'_, K, W>,
    scratch: &mut Scratch<K, W>,
    layout: &Layout,
    rule: &Rule<'_>,
) -> Result<(usize, u64)> {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "popcnt")]
        fn counting<K: Key, W: Bits>(
            bucket: Bucket<'_, K, W>,
            scratch: &mut Scratch<K, W>,
            layout: &Layout,
            rule: &Rule<'_>,
        ) -> Result<(usize, u64)> {
            write_rows(bucket, scratch, layout, rule)
        }
        if std::is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has the feature, as the condition checks.
            return unsafe { counting(bucket, scratch, layout, rule) };
        }
    }
    write_rows(bucket, scratch, layout, rule)
}

/// Sorts, merges and writes a bucket; returns the numbers of arcs kept and of listed edges that merging removed.
#[inline(always)]
fn write_rows<K: Key, W: Bits>(
    mut bucket: Bucket<'_, K, W>,
    scratch: &mut Scratch<K, W>,
    layout: &Layout,
    rule: &Rule<'_>,
) -> Result<(usize, u64)> {
    let first_bit = if rule.presorted { layout.target_bits } else { 0 };
    let bits = first_bit..layout.target_bits + layout.low_bits;
    let (keys, weights) = scratch.sort(&mut bucket.keys, &mut bucket.weights, bits);
    let (targets, out_weights): (&mut [Vertex], &mut [W]) = match &mut bucket.out {
        Some((targets, weights)) => (targets, weights),
        None => (bytemuck::cast_slice_mut(&mut bucket.keys), &mut bucket.weights),
    };
    let first_row = rule.numbering.below(bucket.first);
    let target_mask = (1u64 << layout.target_bits) - 1;
    let (mut kept, mut merged, mut next_row) = (0, 0, 0);
    let mut last = u64::MAX;
    let mut last_source = u64::MAX;
    for (key, &weight) in keys.iter().map(|key| key.bits()).zip(weights) {
        let (source, target) = (key >> layout.target_bits, key & target_mask);
        if key == last && kept > 0 && rule.parallel != Parallel::Keep {
            if let Some(kind) = rule.kind {
                let slot = &mut out_weights[kept - 1];
                let merged = merge(kind, slot.wide(), weight.wide(), rule.parallel);
                *slot = W::narrow(merged.ok_or_else(|| overflow(kind))?);
            }
            merged += u64::from(rule.directed || bucket.first + source <= target);
            continue;
        }
        if source != last_source {
            let row = rule.numbering.vertex((bucket.first + source) as Vertex) as usize - first_row;
            bucket.offsets.fill(next_row..row + 1, kept);
            (next_row, last_source) = (row + 1, source);
        }
        last = key;
        targets[kept] = rule.numbering.vertex(target as Vertex);
        out_weights[kept] = weight;
        kept += 1;
    }
    bucket.offsets.fill(next_row..bucket.offsets.len(), kept);
    if bucket.out.is_some() {
        bucket.keys.discard();
        bucket.weights.discard();
    }
    Ok((kept, merged))
}

fn overflow(kind: WeightType) -> Error {
    Error::invalid(
        format!("the weights of parallel edges add up to more than {kind} can hold"),
        "give the weights as f64 decimals (write 5 as 5.0), or merge parallel edges by min or first",
    )
}

/// Moves the kept part of every bucket to the end of the previous one.
fn close_gaps<T: Pod>(array: &mut Pages<T>, starts: &[usize], kept: &[usize]) {
    let mut end = 0;
    for (&start, &len) in starts.iter().zip(kept) {
        if end != start {
            array.copy_within(start..start + len, end);
        }
        end += len;
    }
    array.truncate(end);
}
