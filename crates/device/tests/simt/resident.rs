//! Blocks that run at the same time: they may wait for each other and share no shared memory.

use crate::common::{Bench, block, blocks, body};
use std::time::{Duration, Instant};
use warpgraph_device::{Error, simt::SimtOptions};

/// A barrier of the whole grid: `arrived` counts the blocks that have arrived so far.
const GRID_SYNC: &str = "auto grid_sync = [&](u32* arrived, u32 round) {
        block_sync();
        if (thread_in_block() == 0) {
            fence_device();
            atomic_add(arrived, 1u);
            wait_until([&] { return load_now(arrived) >= round * grid_blocks(); }); // GRID
        }
        block_sync();
    };";

#[test]
fn blocks_wait_for_each_other_at_a_grid_barrier() {
    // Each thread adds the value of its neighbour in the next block, level after level.
    let text = format!(
        "{GRID_SYNC}
        u32 i = thread_in_grid(), n = grid_threads(), next = (i + block_threads()) % n;
        u32* level = args.output + 1;
        level[i] = i;
        for (u32 round = 0; round < 10; round++) {{
            grid_sync(args.output, 2 * round + 1);
            u32 x = load_now(level + next);
            grid_sync(args.output, 2 * round + 2);
            store_now(level + i, x + 1);
        }}"
    );
    for (grid, threads) in [(1, 1), (2, 33), (4, 256), (3, 1024)] {
        let n = grid * threads;
        let out = Bench::new(&body(&text)).run(blocks(grid, threads), &[0], 1 + n as usize, true).unwrap();
        assert_eq!(out[0], grid * 20);
        let expected = |i: u32| (i + 10 * threads) % n + 10;
        assert!(out[1..].iter().zip(0..).all(|(&x, i)| x == expected(i)), "{grid} x {threads}: {out:?}");
    }
}

#[test]
fn co_resident_blocks_have_shared_memory_of_their_own() {
    let text = format!(
        "{GRID_SYNC}
        SHARED(u32, mine[64]);
        DYNAMIC_SHARED(u32, moving);
        u32 t = thread_in_block(), poison = 0xcdcdcdcdu;
        u32 right = mine[t] == poison && moving[t] == poison;
        for (u32 round = 1; round <= 5; round++) {{
            mine[t] = moving[t] = thread_in_grid() * round;
            grid_sync(args.output, round);
            right += mine[t ^ 1] == (thread_in_grid() ^ 1) * round && moving[t ^ 1] == mine[t ^ 1];
            block_sync();
        }}
        args.output[1 + thread_in_grid()] = right;"
    );
    let shape = warpgraph_device::Shape { grid: 4, block: 64, shared: 256 };
    let out = Bench::new(&body(&text)).run(shape, &[0], 257, true).unwrap();
    assert_eq!(out[1..], [6; 256]);
}

#[test]
fn no_more_blocks_than_fit_run_at_once() {
    let bench = Bench::new(&body("args.output[block_in_grid()] = 1;"));
    assert_eq!(bench.gpu.coresident_blocks(&bench.kernel, 1024, 0).unwrap(), 4);
    let error = bench.run(blocks(5, 1), &[0], 5, true).unwrap_err();
    assert!(matches!(error, Error::Call { .. }), "{error}");
    assert!(error.to_string().contains("5 blocks at the same time, at most 4 fit"), "{error}");
    assert_eq!(bench.run(blocks(4, 1), &[0], 5, true).unwrap(), [1, 1, 1, 1, 0]);
}

#[test]
fn a_block_of_too_many_threads_is_refused() {
    let bench = Bench::new(&body(""));
    for error in [
        bench.gpu.coresident_blocks(&bench.kernel, 1025, 0).unwrap_err(),
        bench.run(block(1025), &[0], 1, false).unwrap_err(),
        bench.run(block(0), &[0], 1, false).unwrap_err(),
    ] {
        assert!(error.to_string().contains("a block has 1 to 1024 threads"), "{error}");
    }
}

#[test]
fn threads_that_only_poll_are_given_up_after_a_while() {
    let text = "if (thread_in_block() == 0) wait_until([&] { return load_now(args.output) == 7; });
        else block_sync();";
    let limit = Duration::from_millis(200);
    let options = SimtOptions { poll_limit: limit, ..SimtOptions::default() };
    let bench = Bench::with(&body(text), options);
    let start = Instant::now();
    let what = bench.lost(block(3), false);
    assert!(start.elapsed() >= limit);
    for part in [
        "kernel k waits for ever",
        "0.2 s",
        "3 threads wait: thread 0 of block 0 in wait_until at",
        "; thread 2",
    ] {
        assert!(what.contains(part), "{what}");
    }
}

#[test]
fn a_lock_passes_between_threads_that_poll_for_it() {
    let text = "u32* lock = args.output;
        wait_until([&] { return atomic_compare_exchange(lock, 0u, 1u) == 0; });
        u32 seen = load_now(args.output + 1);
        store_now(args.output + 1, seen + 1);
        fence_device();
        atomic_exchange(lock, 0u);";
    let out = Bench::new(&body(text)).run(blocks(4, 100), &[0], 2, true).unwrap();
    assert_eq!(out, [0, 400]);
}
