//! From buckets of arcs to rows: sort, merge, number, write.
//!
//! Every bucket is sorted by source and target, merged, and written where its arcs would lie if nothing had been merged
//! before it: over its keys, or in arrays of their own, and then its keys are given back at once. The gaps are closed at
//! the end.

use super::{
    Parallel,
    meter::Meter,
    numbering::Numbering,
    partition::{Layout, Partition},
    radix::{Key, Scratch},
    starts::{Starts, StartsSection},
    weight::{Weight, merge},
};
use crate::{
    csr::{Csr, Offsets, Vertex},
    error::{Error, Result},
    graph::Arcs,
    memory::{Pages, Section},
};
use bytemuck::Pod;
use rayon::prelude::*;

/// How buckets become rows.
#[derive(Debug)]
pub(super) struct Rule<'a> {
    pub(super) numbering: &'a Numbering,
    pub(super) parallel: Parallel,
    /// Count merged arcs, or merged edges of a mirrored list?
    pub(super) directed: bool,
    /// Are the arcs of every source listed by rising target already?
    pub(super) presorted: bool,
}

/// Finished arcs, and how many listed edges were merged away.
pub(super) fn finish<K: Key, W: Weight>(
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
    // SAFETY: `write_rows` writes offsets that start at 0 and never fall, and `shift` makes the last one the number of
    // targets; targets are numbered vertices, since `partition` refuses endpoints that are none; every row is a run of
    // keys sorted by target, and the numbering is monotone.
    let csr = unsafe { Csr::new_unchecked(offsets, targets.into()) };
    Ok((Arcs { csr, weights: W::finish(weights) }, merged))
}

fn narrow(wide: &[u64]) -> Result<Pages<u32>> {
    let mut narrow = Pages::<u32>::zeroed(wide.len())?;
    narrow.par_iter_mut().zip(wide).for_each(|(n, &w)| *n = w as u32);
    Ok(narrow)
}

/// One bucket's share of every array.
struct Bucket<'a, K: Key, W: Weight> {
    /// The first source of the bucket.
    first: u64,
    keys: Section<'a, K>,
    weights: Section<'a, W>,
    /// Where to write; over keys and weights if `None`.
    out: Option<(Section<'a, Vertex>, Section<'a, W>)>,
    offsets: StartsSection<'a>,
}

type Written<W> = (Starts, Pages<Vertex>, Pages<W>, u64);

fn write<K: Key, W: Weight>(
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
    let written: Vec<(usize, u64)> = firsts
        .into_par_iter()
        .zip(keys.sections(&starts))
        .zip(weights.sections(&starts))
        .zip(outs)
        .zip(offsets.sections(&rows).into_par_iter().take(layout.buckets()))
        .map(|((((first, keys), weights), out), offsets)| Bucket { first, keys, weights, out, offsets })
        .map_init(Scratch::new, |scratch, bucket| {
            meter.add(bucket.keys.len() as u64)?;
            write_bucket(bucket, scratch, &layout, rule)
        })
        .collect::<Result<_>>()?;
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

/// [`write_rows`], compiled for processors that count bits in one instruction, where this is one.
fn write_bucket<K: Key, W: Weight>(
    bucket: Bucket<'_, K, W>,
    scratch: &mut Scratch<K, W>,
    layout: &Layout,
    rule: &Rule<'_>,
) -> Result<(usize, u64)> {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "popcnt")]
        fn counting<K: Key, W: Weight>(
            bucket: Bucket<'_, K, W>,
            scratch: &mut Scratch<K, W>,
            layout: &Layout,
            rule: &Rule<'_>,
        ) -> Result<(usize, u64)> {
            write_rows(bucket, scratch, layout, rule)
        }
        if std::is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has the feature.
            return unsafe { counting(bucket, scratch, layout, rule) };
        }
    }
    write_rows(bucket, scratch, layout, rule)
}

/// Sorts, merges and writes a bucket; says how many arcs it kept and how many listed edges it merged away.
#[inline(always)]
fn write_rows<K: Key, W: Weight>(
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
            let slot = &mut out_weights[kept - 1];
            *slot = merge(*slot, weight, rule.parallel).ok_or_else(overflow::<W>)?;
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

fn overflow<W: Weight>() -> Error {
    Error::invalid(
        format!("the weights of parallel edges add up to more than {} can hold", W::NAME),
        "give the weights as f64 decimals (write 5 as 5.0), or merge parallel edges by min or first",
    )
}

/// Moves the kept part of every bucket to the end of the one before it.
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
