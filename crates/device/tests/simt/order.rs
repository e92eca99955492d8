//! Lanes run in an order that the seed determines, so that code which relies on lockstep fails.

use crate::common::{Bench, block, blocks, body};
use warpgraph_device::simt::SimtOptions;

/// Number of launches, each in an order of its own.
const LAUNCHES: usize = 100;

fn seeded(text: &str, seed: u64) -> Bench {
    Bench::with(&body(text), SimtOptions { seed, ..SimtOptions::default() })
}

/// Returns how many warps leave what is expected.
fn count_right(text: &str, expected: &[u32]) -> usize {
    let bench = seeded(text, 1);
    (0..LAUNCHES).filter(|_| bench.run(block(32), &[0], 32, false).unwrap() == expected).count()
}

/// Each lane takes the value of its neighbour, `rounds` times.
fn exchange(first: &str, second: &str) -> String {
    format!(
        "SHARED(u32, values[32]);
        u32 lane = lane_in_warp(), x = lane;
        for (u32 round = 0; round < 8; round++) {{
            values[lane] = x;
            {first}
            x = values[(lane + 1) % 32];
            {second}
        }}
        args.output[lane] = x;"
    )
}

#[test]
fn an_exchange_with_both_syncs_is_always_right() {
    let text = exchange("warp_sync(FULL_WARP);", "warp_sync(FULL_WARP);");
    let expected: Vec<u32> = (0..32).map(|lane| (lane + 8) % 32).collect();
    assert_eq!(count_right(&text, &expected), LAUNCHES);
}

#[test]
fn an_exchange_that_relies_on_lockstep_fails() {
    let sync = "warp_sync(FULL_WARP);";
    let expected: Vec<u32> = (0..32).map(|lane| (lane + 8) % 32).collect();
    for (first, second) in [("", ""), (sync, ""), ("", sync)] {
        assert!(count_right(&exchange(first, second), &expected) < LAUNCHES, "{first:?} and {second:?}");
    }
}

/// Every thread takes a number.
const TICKETS: &str = "args.output[thread_in_grid()] = atomic_add(args.input, 1u);";

#[test]
fn the_same_seed_gives_the_same_order_and_another_one_another() {
    let orders = [7, 7, 8].map(|seed| seeded(TICKETS, seed).run(block(256), &[0], 256, false).unwrap());
    assert_eq!(orders[0], orders[1]);
    assert_ne!(orders[0], orders[2]);
    let mut tickets = orders[0].clone();
    tickets.sort_unstable();
    assert!(tickets.into_iter().eq(0..256));
}

#[test]
fn blocks_run_in_an_order_of_the_seed_and_launches_differ() {
    let bench = Bench::new(&body(TICKETS));
    let first = bench.run(blocks(50, 1), &[0], 50, false).unwrap();
    let second = bench.run(blocks(50, 1), &[0], 50, false).unwrap();
    assert_ne!(first, (0..50).collect::<Vec<u32>>());
    assert_ne!(first, second);
}

#[test]
fn warps_take_turns_even_if_one_never_waits_for_another() {
    // The first warp repeats its vote until the second warp has run.
    let text = "if (warp_in_block() == 0) while (!warp_any(FULL_WARP, load_now(args.input) != 0)) {}
        else if (lane_in_warp() == 0) { args.output[32] = 1; store_now(args.input, 1u); }";
    let bench = seeded(text, 5);
    for _ in 0..10 {
        assert_eq!(bench.run(block(64), &[0], 33, false).unwrap()[32], 1);
    }
}
