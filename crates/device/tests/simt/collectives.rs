//! Collectives of warps give the same results as on a GPU.

use crate::common::{Bench, block, blocks, body, run};

#[test]
fn every_thread_of_every_block_runs_once() {
    let bench = Bench::new(&body("atomic_add(args.output + thread_in_grid(), 1u + grid_threads());"));
    for (grid, threads) in [(1, 1), (1, 33), (1, 1024), (100, 96), (3, 1024)] {
        let out = bench.run(blocks(grid, threads), &[0], (grid * threads) as usize, false).unwrap();
        assert!(out.iter().all(|&x| x == 1 + grid * threads), "{grid} x {threads}: {out:?}");
    }
}

#[test]
fn a_ballot_has_a_bit_of_each_lane_that_said_yes() {
    let text = "u32 t = thread_in_block(); args.output[t] = warp_ballot(FULL_WARP, args.input[t] % 3 == 0);";
    let input: Vec<u32> = (0..64).collect();
    let out = run(text, block(64), &input, 64).unwrap();
    let bits =
        |from: u32| (0..32).filter(|lane| (from + lane).is_multiple_of(3)).map(|lane| 1u32 << lane).sum();
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
    // One thread is a warp too.
    let out = run("args.output[0] = 1 + warp_ballot(1, true);", block(1), &[0], 1).unwrap();
    assert_eq!(out, [2]);
}

#[test]
fn any_and_all_see_every_lane() {
    let text =
        "u32 t = thread_in_block(), warp = warp_in_block(), yes = args.input[warp] >> lane_in_warp() & 1;
        bool any = warp_any(FULL_WARP, yes), all = warp_all(FULL_WARP, yes);
        args.output[t] = any + 2 * all;";
    let out = run(text, block(96), &[0, 0x8000, !0], 96).unwrap();
    assert_eq!(out[..32], [0; 32]);
    assert_eq!(out[32..64], [1; 32]);
    assert_eq!(out[64..], [3; 32]);
}

#[test]
fn shuffles_move_values_between_lanes() {
    let text = "u32 t = thread_in_block(), x = args.input[t];
        u32* out = args.output + 6 * t;
        out[0] = warp_shuffle(FULL_WARP, x, 35);
        out[1] = warp_shuffle(FULL_WARP, x, t + 1);
        out[2] = warp_shuffle_up(FULL_WARP, x, 3);
        out[3] = warp_shuffle_down(FULL_WARP, x, 3);
        out[4] = warp_shuffle_xor(FULL_WARP, x, 5);
        out[5] = warp_shuffle_xor(FULL_WARP, x, 40);";
    let input: Vec<u32> = (100..132).collect();
    let out = run(text, block(32), &input, 6 * 32).unwrap();
    for (t, out) in (0..32).zip(out.chunks(6)) {
        let up = if t < 3 { t } else { t - 3 };
        let down = if t > 28 { t } else { t + 3 };
        let expected = [3, (t + 1) % 32, up, down, t ^ 5, t].map(|lane| 100 + lane);
        assert_eq!(out, expected, "lane {t}");
    }
}

#[test]
fn shuffles_carry_types_of_one_to_eight_bytes() {
    let text = "u32 t = thread_in_block(), from = 31 - t;
        struct Pair { u32 a; f32 b; };
        u64 big = warp_shuffle(FULL_WARP, (u64)t << 40, from);
        f64 real = warp_shuffle(FULL_WARP, t + 0.5, from);
        u8 small = warp_shuffle(FULL_WARP, (u8)t, from);
        Pair pair = warp_shuffle(FULL_WARP, Pair{t, t * 2.0f}, from);
        args.output[t] = big == (u64)from << 40 && real == from + 0.5 && small == from && pair.a == from
            && pair.b == from * 2.0f;";
    assert_eq!(run(text, block(32), &[0], 32).unwrap(), [1; 32]);
}

#[test]
fn a_reduction_by_shuffles_sums_a_warp() {
    let text = "u32 x = args.input[thread_in_block()];
        for (u32 by = 16; by; by /= 2) x += warp_shuffle_xor(FULL_WARP, x, by);
        args.output[thread_in_block()] = x;";
    let input: Vec<u32> = (0..1024).map(|i| i * i).collect();
    let out = run(text, block(1024), &input, 1024).unwrap();
    for (warp, out) in input.chunks(32).zip(out.chunks(32)) {
        assert_eq!(out, [warp.iter().sum::<u32>(); 32]);
    }
}

#[test]
fn groups_of_a_warp_are_in_different_collectives_at_the_same_time() {
    // Three groups with exact masks, each in a collective of its own kind, independently of the others.
    let text = "u32 lane = lane_in_warp(), out = 0;
        u32 low = 0x000000ff, middle = 0x0000ff00, high = 0xffff0000;
        if (lane < 8) {
            for (u32 i = 0; i < 100; i++) out += count_ones(warp_ballot(low, (lane + i) % 4 == 0));
        } else if (lane < 16) {
            for (u32 i = 0; i < 37; i++) out += warp_shuffle(middle, i, 8 + i % 8);
        } else {
            for (u32 i = 0; i < 5; i++) { warp_sync(high); out += warp_all(high, i < 3); }
        }
        warp_sync(FULL_WARP);
        args.output[lane] = out;";
    let out = run(text, block(32), &[0], 32).unwrap();
    assert_eq!(out[..8], [200; 8]);
    assert_eq!(out[8..16], [37 * 36 / 2; 8]);
    assert_eq!(out[16..], [3; 16]);
}

#[test]
fn lanes_of_one_mask_may_meet_from_different_lines() {
    let text = "u32 t = thread_in_block(), x;
        if (t % 2) x = warp_ballot(FULL_WARP, t < 8);
        else x = warp_ballot(FULL_WARP, t < 16);
        args.output[t] = x;";
    assert_eq!(run(text, block(32), &[0], 32).unwrap(), [0x55ff; 32]);
}
