//! Wrong use of warps is an error that names the threads, their places and their masks.

use crate::common::{Bench, assert_lost, block, blocks, body, run};
use warpgraph_device::Error;

#[test]
fn a_mask_must_name_its_caller() {
    let parts =
        ["kernel k: thread 34 of block 1 calls warp_ballot of mask 0x00000003", "@HERE", "own lane 2"];
    assert_lost("if (thread_in_grid() == 98) warp_ballot(3, true); // HERE", blocks(2, 64), &parts);
}

#[test]
fn a_mask_must_not_name_a_lane_that_has_exited() {
    // The lane exits before the others arrive, or while they wait.
    let text = "if (lane_in_warp() == 9) return;
        warp_sync(FULL_WARP); // HERE";
    let parts = ["calls warp_sync of mask 0xffffffff", "@HERE", "names lane 9, and thread 41 has exited"];
    assert_lost(&format!("if (thread_in_block() < 32) return;\n{text}"), block(64), &parts);
    let text = "if (lane_in_warp() == 0) warp_sync(0x21);
        else wait_until([&] { return atomic_add(args.output, 1u) > 9; });";
    assert_lost(text, block(6), &["thread 0 of block 0 calls warp_sync", "thread 5 has exited"]);
}

#[test]
fn a_mask_must_not_name_a_lane_that_the_block_does_not_have() {
    let text = "if (thread_in_block() >= 32) warp_any(FULL_WARP, true); // HERE";
    let parts = ["thread 32 of block 0 calls warp_any", "@HERE", "lane 1, and the block has no thread 33"];
    assert_lost(text, block(33), &parts);
}

#[test]
fn lanes_must_not_name_each_other_in_different_masks() {
    let text = "if (thread_in_block() % 2) warp_sync(FULL_WARP); // ODD
        else warp_sync(0x55555557); // EVEN";
    let parts =
        ["mask 0x55555557 at", "@EVEN", "mask 0xffffffff at", "@ODD", "name each other in different masks"];
    assert_lost(text, block(32), &parts);
}

#[test]
fn lanes_that_wait_for_each_other_in_a_circle_are_a_deadlock() {
    let text = "u32 next = (lane_in_warp() + 1) % 3;
        warp_sync(1u << lane_in_warp() | 1u << next);";
    let parts = ["deadlock, 3 threads wait", "thread 2 of block 0 in warp_sync of mask 0x00000005"];
    assert_lost(text, block(3), &parts);
}

#[test]
fn lanes_may_wait_for_lanes_that_are_in_another_collective_first() {
    let text = "if (lane_in_warp() < 8) for (u32 i = 0; i < 10; i++) warp_sync(0xff);
        args.output[lane_in_warp()] = warp_ballot(FULL_WARP, true);";
    assert_eq!(run(text, block(32), &[0], 32).unwrap(), [!0; 32]);
}

#[test]
fn lanes_of_one_mask_must_do_the_same() {
    let text = "if (thread_in_block() < 7) warp_ballot(FULL_WARP, true); // BALLOT
        else warp_any(FULL_WARP, true); // ANY";
    assert_lost(
        text,
        block(32),
        &["warp_ballot of mask", "@BALLOT", "warp_any of mask", "@ANY", "of the same mask waits"],
    );
}

#[test]
fn a_shuffle_must_read_from_lanes_of_its_mask() {
    let text = "if (thread_in_block() < 16) warp_shuffle_down(0xffff, 1u, 4); // HERE";
    let parts =
        ["thread 12 of block 0 calls warp_shuffle_down of mask 0x0000ffff", "@HERE", "reads from lane 16"];
    assert_lost(text, block(32), &parts);
}

#[test]
fn a_trap_names_its_thread_and_ends_the_device() {
    let bench = Bench::new(&body("if (thread_in_grid() == 70) trap();"));
    let what = bench.lost(blocks(2, 64), false);
    assert!(what.contains("kernel k: thread 6 of block 1 trapped at test.cu:"), "{what}");
    for error in [
        bench.gpu.memory().unwrap_err(),
        bench.gpu.array::<u32>(1, "more").unwrap_err(),
        bench.gpu.finish().unwrap_err(),
        bench.gpu.compile(&body("")).unwrap_err(),
    ] {
        assert!(matches!(&error, Error::Lost { what: again, .. } if *again == what), "{error}");
    }
}
