//! Compares coded targets with the targets themselves.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use super::*;
use crate::{control::Control, csr::NO_VERTEX, generate::Spec};
use proptest::prelude::*;

/// Encodes targets and compares every way to read them.
fn check(targets: &[Vertex]) -> Coded {
    let coded = Coded::of(targets).unwrap();
    assert_eq!((coded.arcs(), coded.bytes()), (targets.len(), coded_bytes(targets)));
    for (arc, &target) in targets.iter().enumerate() {
        assert_eq!(coded.get(arc), target, "arc {arc} of {targets:?}");
    }
    let mut decoded = vec![7; targets.len()];
    coded.decode_into(0, &mut decoded);
    assert_eq!(decoded, targets);
    let middle = targets.len() / 3;
    coded.decode_into(middle, &mut decoded[middle..]);
    assert_eq!(decoded, targets);
    // The words of blocks follow each other, and one word follows them.
    let mut end = 0;
    for block in 0..coded.entries().len() {
        assert_eq!(coded.words_of(block).start, end);
        end = coded.words_of(block).end;
    }
    assert_eq!(coded.words().len(), end + 1);
    coded
}

/// Returns rows of random lengths with random targets below a random bound, one after the other.
fn rows() -> impl Strategy<Value = Vec<Vertex>> {
    let bound = prop_oneof![1..4_u32, 1..5000_u32, 1..=NO_VERTEX];
    let longest = prop_oneof![Just(1_usize), 1..8_usize, 1..100_usize];
    (bound, longest, 0..60_usize).prop_flat_map(|(bound, longest, count)| {
        let row = prop::collection::vec(0..bound, 0..=longest);
        prop::collection::vec(row, count).prop_map(|mut rows| {
            rows.iter_mut().for_each(|row| row.sort_unstable());
            rows.concat()
        })
    })
}

proptest! {
    #[test]
    fn every_target_is_found_again(targets in rows()) {
        check(&targets);
    }

    #[test]
    fn targets_close_together_but_far_from_zero_take_few_bits(
        first in 0..NO_VERTEX - 5000, targets in rows(),
    ) {
        let near: Vec<Vertex> = targets.iter().map(|target| first + target % 5000).collect();
        let coded = check(&near);
        // Rounding may lower a base by less than 2^shift.
        let most = (4999 + (1_u32 << coded.shift())).ilog2() as usize + 1;
        prop_assert!(coded.words().len() <= 1 + near.len().div_ceil(BLOCK) * most);
    }

    #[test]
    fn any_numbers_can_be_coded(targets in prop::collection::vec(any::<u32>(), 0..200)) {
        check(&targets);
    }
}

#[test]
fn blocks_of_all_lengths_are_coded() {
    assert_eq!(check(&[]).words(), [0]);
    for len in [1, 2, 31, 32, 33, 63, 64, 65, 32 * GROUP, 32 * GROUP + 1] {
        check(&(0..len as Vertex).collect::<Vec<_>>());
        check(&vec![NO_VERTEX - 1; len]);
        check(&(0..len).map(|i| if i % 2 == 0 { 0 } else { NO_VERTEX - 1 }).collect::<Vec<_>>());
    }
}

#[test]
fn a_row_may_begin_anywhere() {
    for fall in 0..=BLOCK as Vertex {
        for step in [0, 1, 1000, 100_000_000] {
            let len = BLOCK as Vertex;
            let below = |i: Vertex| if i < fall { i } else { i - fall };
            check(&(0..len).map(|i| below(i) * step).collect::<Vec<_>>());
            check(&(0..len).map(|i| NO_VERTEX - 1 - (len - below(i)) * step).collect::<Vec<_>>());
        }
    }
}

#[test]
fn every_block_falls_at_all_places_at_once() {
    for step in [1, 7, 100_000_000] {
        check(&(0..100).map(|i| (32 - i % 33) * step).collect::<Vec<_>>());
    }
}

#[test]
fn a_block_moves_to_another_array() {
    let entry = Entry::of(&[5, 9, 300], 0).at(12);
    let near = entry.near(7);
    assert!(!entry.is_near() && near.is_near());
    assert_eq!((entry.position(), near.position(), near.words(3)), (12, 7, entry.words(3)));
    assert_eq!(near.bits() & !Entry::NEAR, entry.at(7).bits());
}

#[test]
fn graphs_take_as_much_as_the_documentation_says() {
    for (spec, most) in [("kron:12", 1.5), ("uniform:12", 1.6), ("grid:64x64", 1.3)] {
        let graph = Spec::parse(spec).unwrap().generate(&Control::new()).unwrap();
        let coded = check(graph.out().csr.targets());
        let per_arc = coded.bytes() as f64 / graph.arcs() as f64;
        assert!(per_arc < most, "{spec}: {per_arc}");
    }
}
