//! Barriers of blocks, and threads that wait for ever.

use crate::common::{assert_lost, block, blocks, run};

#[test]
fn a_barrier_has_all_threads_of_a_block_on_one_side() {
    let text = "SHARED(u32, values[1024]);
        u32 t = thread_in_block(), n = block_threads(), sum = 0;
        for (u32 round = 0; round < 20; round++) {
            values[t] = t * round;
            block_sync();
            sum += values[(t + round) % n];
            block_sync();
        }
        args.output[thread_in_grid()] = sum;";
    let expected = |t: u32, n: u32| (0..20).map(|round| (t + round) % n * round).sum::<u32>();
    for n in [1, 33, 1024] {
        let out = run(text, blocks(2, n), &[0], 2 * n as usize).unwrap();
        assert!(out.iter().zip(0u32..).all(|(&x, t)| x == expected(t % n, n)), "{n} threads: {out:?}");
    }
}

#[test]
fn block_any_tells_all_threads() {
    let text = "u32 t = thread_in_block();
        bool first = block_any(t == 77), second = block_any(false), third = block_any(true);
        args.output[t] = first + 2 * second + 4 * third;";
    assert_eq!(run(text, block(100), &[0], 100).unwrap(), [5; 100]);
    assert_eq!(run(text, block(77), &[0], 77).unwrap(), [4; 77]);
}

#[test]
fn threads_that_have_exited_are_not_waited_for() {
    let text = "u32 t = thread_in_block();
        if (t % 3 == 1) return;
        block_sync();
        if (t % 3 == 2) return;
        block_sync();
        args.output[t] = 1;";
    let out = run(text, block(96), &[0], 96).unwrap();
    assert!(out.iter().zip(0u32..).all(|(&x, t)| x == u32::from(t.is_multiple_of(3))), "{out:?}");
}

#[test]
fn a_barrier_in_two_branches_is_two_barriers() {
    let text = "if (thread_in_block() < 40) block_sync(); // LOW
        else block_sync(); // HIGH";
    assert_lost(text, block(64), &["of block 0 calls block_sync at", "@LOW", "waits in block_sync", "@HIGH"]);
}

#[test]
fn a_deadlock_lists_the_waiting_threads_and_their_places() {
    // Lane 3 waits for its warp, the others wait for lane 3 at the barrier of the block.
    let text = "if (thread_in_block() == 3) warp_sync(0x18); // WARP
        else block_sync(); // BLOCK";
    let parts = [
        "kernel k: deadlock, 40 threads wait: thread 0 of block 0 in block_sync at",
        "; thread 3 of block 0 in warp_sync of mask 0x00000018 at",
        "@WARP",
        "@BLOCK",
        "; and 30 more",
    ];
    assert_lost(text, block(40), &parts);
    let text = "if (thread_in_block() == 3) warp_sync(0x18);
        if (thread_in_block() == 4) block_sync();";
    assert_lost(text, block(40), &["deadlock, 2 threads wait: thread 3", "; thread 4"]);
}
