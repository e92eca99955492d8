//! Collectives of warps give what a GPU gives.

use crate::common::{block, blocks, lost, run};

#[test]
fn every_thread_of_every_block_runs_once() {
    for (grid, threads) in [(1, 1), (1, 33), (1, 1024), (100, 96), (3, 1024)] {
        let out = run(
            "atomic_add(args.output + thread_in_grid(), 1u + grid_threads());",
            blocks(grid, threads),
            &[0],
            (grid * threads) as usize,
        );
        let out = out.unwrap();
        assert!(out.iter().all(|&x| x == 1 + grid * threads), "{grid} x {threads}: {out:?}");
    }
}

#[test]
fn a_ballot_has_a_bit_of_each_lane_that_said_yes() {
    let text = "u32 t = thread_in_block(); args.output[t] = warp_ballot(FULL_WARP, args.input[t] % 3 == 0);";
    let input: Vec<u32> = (0..64).collect();
    let out = run(text, block(64), &input, 64).unwrap();
    let bits =
        |from: u32| (0..32).filter(|lane| (from + lane) % 3 == 0).map(|lane| 1u32 << lane).sum::<u32>();
    assert_eq!(out[..32], [bits(0); 32]);
    assert_eq!(out[32..], [bits(32); 32]);
}

#[test]
fn a_partial_last_warp_votes_with_the_lanes_it_has() {
    let text = "u32 t = thread_in_block();
        u32 mask = t < 32 ? FULL_WARP : (1u << (block_threads() - 32)) - 1;
        args.output[t] = warp_ballot(mask, t % 2);";
    let out = run(text, block(39), &[0], 39).unwrap();
    assert_eq!(out[..32], [0xaaaa_aaaa; 32]);
    assert_eq!(out[32..], [0b010_1010; 7]);
    let text = lost("args.output[0] = warp_ballot(FULL_WARP, true);", block(33));
    assert!(text.contains("lane 1, and the block has no thread 33"), "{text}");
}
