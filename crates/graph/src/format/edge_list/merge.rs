//! Merges the names of several pieces: each name once, in ascending order.
//!
//! Pieces of a large file repeat most names. So names are made unique first, by hash tables of their own for every shard
//! of the names, and only then sorted. The sort compares eight bytes behind what all names begin with, and looks at the
//! names themselves only if these are equal.

use crate::{
    build,
    csr::{MAX_VERTICES, Vertex},
    error::Result,
    par,
};
use rayon::prelude::*;
use std::{
    borrow::Cow,
    collections::HashMap,
    sync::atomic::{AtomicU32, Ordering},
};
use xxhash_rust::xxh3::{Xxh3DefaultBuilder, xxh3_64};

/// Names are dealt to this many shards by their hash. The tables of more shards fit caches better.
const SHARDS: usize = 256;

/// The names of all pieces.
pub(super) struct Merged<'a> {
    /// Each name once, in ascending order.
    pub(super) names: Vec<&'a [u8]>,
    /// Per piece, the place among `names` of each of its names.
    pub(super) places: Vec<Vec<Vertex>>,
}

/// Merges lists of names. The names of one list differ.
pub(super) fn merge<'a>(lists: &'a [Vec<Cow<'_, [u8]>>]) -> Result<Merged<'a>> {
    let dealt = par::map(lists.len(), |i| deal(&lists[i]));
    // Per list, the number of each name within its shard, then its place among all names.
    let places: Vec<Vec<AtomicU32>> =
        lists.iter().map(|list| list.iter().map(|_| AtomicU32::new(0)).collect()).collect();
    let shards = par::map(SHARDS, |shard| {
        let mut known = HashMap::with_hasher(Xxh3DefaultBuilder::new());
        let mut unique: Vec<&[u8]> = Vec::new();
        for (i, list) in lists.iter().enumerate() {
            for &number in &dealt[i][shard] {
                let name = &list[number as usize][..];
                let place = *known.entry(name).or_insert_with(|| {
                    unique.push(name);
                    unique.len() as u32 - 1
                });
                places[i][number as usize].store(place, Ordering::Relaxed);
            }
        }
        unique
    });
    let mut starts = vec![0];
    starts.extend(shards.iter().scan(0, |end, shard| {
        *end += shard.len();
        Some(*end)
    }));
    let count = starts[SHARDS] as u64;
    if count > MAX_VERTICES {
        return Err(build::too_many_vertices(count));
    }
    let (names, ranks) = sorted(shards.concat());
    let place = |i: usize, mut places: Vec<AtomicU32>| -> Vec<Vertex> {
        for (shard, numbers) in dealt[i].iter().enumerate() {
            for &number in numbers {
                let place = places[number as usize].get_mut();
                *place = ranks[starts[shard] + *place as usize];
            }
        }
        places.into_iter().map(AtomicU32::into_inner).collect()
    };
    Ok(Merged { names, places: par::map_each(places, place) })
}

/// Returns the numbers of the names of a list by shard.
fn deal(list: &[Cow<'_, [u8]>]) -> Vec<Vec<u32>> {
    let mut shards = vec![Vec::new(); SHARDS];
    for (name, number) in list.iter().zip(0..) {
        // Bits from the middle: the table of a shard goes by the lowest and the highest ones.
        shards[(xxh3_64(name) >> 32) as usize % SHARDS].push(number);
    }
    shards
}

/// Returns the names in ascending order, and the place of each.
fn sorted(names: Vec<&[u8]>) -> (Vec<&[u8]>, Vec<Vertex>) {
    let common = names.par_iter().map(|name| common_prefix(name, names[0])).min().unwrap_or(0);
    let key = |name: &[u8]| {
        let mut bytes = [0; 8];
        let rest = &name[common..name.len().min(common + 8)];
        bytes[..rest.len()].copy_from_slice(rest);
        u64::from_be_bytes(bytes)
    };
    let mut order: Vec<(u64, u32)> =
        names.par_iter().zip(0..names.len() as u32).map(|(name, number)| (key(name), number)).collect();
    order.par_sort_unstable_by(|(a, i), (b, j)| {
        a.cmp(b).then_with(|| names[*i as usize].cmp(names[*j as usize]))
    });
    let mut ranks = vec![0; names.len()];
    for (&(_, number), rank) in order.iter().zip(0..) {
        ranks[number as usize] = rank;
    }
    (order.par_iter().map(|&(_, number)| names[number as usize]).collect(), ranks)
}

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn every_name_is_there_once_in_order_and_found_by_its_place(
            lists in proptest::collection::vec(
                proptest::collection::btree_set("[ab\\x00]{0,12}|user-[0-9]{1,3}", 0..40), 0..6)
        ) {
            let lists: Vec<Vec<Cow<'_, [u8]>>> = lists
                .iter()
                .map(|list| list.iter().rev().map(|name| Cow::Borrowed(name.as_bytes())).collect())
                .collect();
            let merged = merge(&lists).unwrap();
            let all: BTreeSet<&[u8]> = lists.iter().flatten().map(|name| &name[..]).collect();
            prop_assert_eq!(&merged.names, &all.into_iter().collect::<Vec<_>>());
            for (list, places) in lists.iter().zip(&merged.places) {
                for (name, &place) in list.iter().zip(places) {
                    prop_assert_eq!(&merged.names[place as usize], &&name[..]);
                }
            }
        }
    }
}
