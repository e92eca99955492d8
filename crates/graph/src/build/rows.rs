//! From buckets of arcs to rows: sort, merge, number, write.
//!
//! Every bucket is sorted by source and target, merged, and written where its arcs would lie if nothing had been merged
//! before it; its part of the partition is given back at once. The gaps are closed at the end.

use super::{
    Parallel,
    meter::Meter,
    numbering::Numbering,
    partition::{Layout, Partition},
    radix::{Key, Scratch},
    weight::{Weight, merge},
};
use crate::{
    csr::{Csr, Offset, Offsets, Vertex},
    error::{Error, Result},
    graph::Arcs,
    memory::{Pages, Section},
};
use bytemuck::Pod;
use rayon::prelude::*;

/// How buckets become rows.
#[derive(Debug)]
pub(super) struct Rule<'a, N> {
    pub(super) numbering: &'a N,
    pub(super) parallel: Parallel,
    /// Count merged arcs, or merged edges of a mirrored list?
    pub(super) directed: bool,
    /// Are the arcs of every source listed by rising target already?
    pub(super) presorted: bool,
}

/// Finished arcs, and how many listed edges were merged away.
pub(super) fn finish<K: Key, W: Weight>(
    partition: Partition<K, W>,
    rule: &Rule<'_, impl Numbering>,
    meter: &Meter<'_>,
) -> Result<(Arcs, u64)> {
    if u32::try_from(partition.keys.len()).is_ok() {
        let (offsets, targets, weights, merged) = write::<K, W, u32>(partition, rule, meter)?;
        return Ok((arcs(Offsets::Narrow(offsets.into()), targets, weights), merged));
    }
    let (offsets, targets, weights, merged) = write::<K, W, u64>(partition, rule, meter)?;
    let offsets = if u32::try_from(targets.len()).is_ok() {
        Offsets::Narrow(narrow(&offsets)?.into())
    } else {
        Offsets::Wide(offsets.into())
    };
    Ok((arcs(offsets, targets, weights), merged))
}

fn arcs<W: Weight>(offsets: Offsets, targets: Pages<Vertex>, weights: Pages<W>) -> Arcs {
    // SAFETY: `write_bucket` writes offsets that start at 0 and never fall, and `close_gaps` makes the last one the
    // number of targets; targets are numbered vertices, since `partition` refuses endpoints that are none; every row is
    // a run of keys sorted by target, and the numbering is monotone.
    let csr = unsafe { Csr::new_unchecked(offsets, targets.into()) };
    Arcs { csr, weights: W::finish(weights) }
}

fn narrow(wide: &[u64]) -> Result<Pages<u32>> {
    let mut narrow = Pages::<u32>::zeroed(wide.len())?;
    narrow.par_iter_mut().zip(wide).for_each(|(n, &w)| *n = w as u32);
    Ok(narrow)
}

/// One bucket's share of every array.
struct Bucket<'a, K: Key, W: Weight, O: Offset> {
    /// The first source of the bucket.
    first: u64,
    keys: Section<'a, K>,
    weights: Section<'a, W>,
    targets: Section<'a, Vertex>,
    out_weights: Section<'a, W>,
    offsets: Section<'a, O>,
}

type Written<W, O> = (Pages<O>, Pages<Vertex>, Pages<W>, u64);

fn write<K: Key, W: Weight, O: Offset>(
    partition: Partition<K, W>,
    rule: &Rule<'_, impl Numbering>,
    meter: &Meter<'_>,
) -> Result<Written<W, O>> {
    let Partition { layout, mut keys, mut weights, starts } = partition;
    let firsts: Vec<u64> = (0..layout.buckets() as u64).map(|b| b << layout.low_bits).collect();
    let mut rows: Vec<usize> = firsts.iter().map(|&first| rule.numbering.below(first)).collect();
    let vertices = rule.numbering.below(layout.bound);
    rows.push(vertices);
    let mut targets = Pages::<Vertex>::zeroed(keys.len())?;
    let mut out_weights = Pages::<W>::zeroed(keys.len())?;
    let mut offsets = Pages::<O>::zeroed(vertices + 1)?;
    let mut with_end = rows.clone();
    with_end.push(vertices + 1);
    let written: Vec<(usize, u64)> = firsts
        .into_par_iter()
        .zip(keys.sections(&starts))
        .zip(weights.sections(&starts))
        .zip(targets.sections(&starts))
        .zip(out_weights.sections(&starts))
        .zip(offsets.sections(&with_end).into_par_iter().take(layout.buckets()))
        .map(|(((((first, keys), weights), targets), out_weights), offsets)| Bucket {
            first,
            keys,
            weights,
            targets,
            out_weights,
            offsets,
        })
        .map_init(Scratch::new, |scratch, bucket| {
            meter.add(bucket.keys.len() as u64)?;
            write_bucket(bucket, scratch, &layout, rule)
        })
        .collect::<Result<_>>()?;
    drop((keys, weights));
    let kept: Vec<usize> = written.iter().map(|w| w.0).collect();
    close_gaps(&mut targets, &starts, &kept);
    close_gaps(&mut out_weights, &starts, &kept);
    shift_offsets(&mut offsets, &rows, &kept);
    Ok((offsets, targets, out_weights, written.iter().map(|w| w.1).sum()))
}

/// Sorts, merges and writes a bucket; says how many arcs it kept and how many listed edges it merged away.
fn write_bucket<K: Key, W: Weight, O: Offset>(
    mut bucket: Bucket<'_, K, W, O>,
    scratch: &mut Scratch<K, W>,
    layout: &Layout,
    rule: &Rule<'_, impl Numbering>,
) -> Result<(usize, u64)> {
    let first_bit = if rule.presorted { layout.target_bits } else { 0 };
    let bits = first_bit..layout.target_bits + layout.low_bits;
    let (keys, weights) = scratch.sort(&mut bucket.keys, &mut bucket.weights, bits);
    let first_row = rule.numbering.below(bucket.first);
    let target_mask = (1u64 << layout.target_bits) - 1;
    let (mut kept, mut merged, mut next_row) = (0, 0, 0);
    let mut last = u64::MAX;
    let mut last_source = u64::MAX;
    for (key, &weight) in keys.iter().map(|key| key.bits()).zip(weights) {
        let (source, target) = (key >> layout.target_bits, key & target_mask);
        if key == last && kept > 0 && rule.parallel != Parallel::Keep {
            let slot = &mut bucket.out_weights[kept - 1];
            *slot = merge(*slot, weight, rule.parallel).ok_or_else(overflow::<W>)?;
            merged += u64::from(rule.directed || bucket.first + source <= target);
            continue;
        }
        if source != last_source {
            let row = rule.numbering.vertex((bucket.first + source) as Vertex) as usize - first_row;
            bucket.offsets[next_row..=row].fill(O::from_index(kept));
            (next_row, last_source) = (row + 1, source);
        }
        last = key;
        bucket.targets[kept] = rule.numbering.vertex(target as Vertex);
        bucket.out_weights[kept] = weight;
        kept += 1;
    }
    bucket.offsets[next_row..].fill(O::from_index(kept));
    bucket.keys.discard();
    bucket.weights.discard();
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

/// Turns places within buckets into places in the whole.
fn shift_offsets<O: Offset>(offsets: &mut Pages<O>, rows: &[usize], kept: &[usize]) {
    let mut sum = 0;
    let mut before = Vec::with_capacity(kept.len());
    for &len in kept {
        before.push(sum);
        sum += len;
    }
    let last = offsets.len() - 1;
    offsets[last] = O::from_index(sum);
    let mut cuts = rows.to_vec();
    cuts.push(last + 1);
    offsets.sections(&cuts).into_par_iter().zip(before).for_each(|(mut section, before)| {
        for offset in section.iter_mut() {
            *offset = O::from_index(offset.index() + before);
        }
    });
}
