//! Stacks of threads: reused, and guarded.

use crate::common::{Bench, block, blocks, body, is_inside, module, run_in_new_process};
use std::os::unix::process::ExitStatusExt as _;
use warpgraph_device::Source;

#[test]
fn every_block_uses_the_stacks_again() {
    // Every thread waits once, so every stack is in use, block after block.
    let text = "u32 x[64];
        for (u32 i = 0; i < 64; i++) x[i] = thread_in_grid() + i;
        block_sync();
        u32 sum = 0;
        for (u32 i = 0; i < 64; i++) sum += x[(i + args.other) % 64];
        args.output[thread_in_grid()] = sum;";
    let bench = Bench::new(&body(text));
    // More threads than before need new stacks.
    for threads in [200, 1, 1000] {
        let out = bench.run(blocks(30, threads), &[0], 30 * threads as usize, false).unwrap();
        assert!(out.iter().zip(0u32..).all(|(&x, i)| x == 64 * i + 63 * 32), "{out:?}");
    }
}

/// A kernel whose last thread recurses `input[0]` frames of this many words deep, while all others wait on stacks below
/// its own.
fn deep(words: u32) -> Source {
    let text = format!(
        "static __attribute__((noinline)) u32 deep(u32 n) {{
            volatile u32 frame[{words}];
            frame[0] = n;
            return n ? deep(n - 1) + frame[0] : 0;
        }}
        KERNEL(k, Io) {{
            bool last = atomic_add(args.output, 1u) == block_threads() - 1;
            block_sync();
            if (last) args.output[1] = deep(args.input[0]);
        }}"
    );
    module(&text, vec!["k"])
}

#[test]
fn a_thread_may_use_most_of_its_stack() {
    assert_eq!(Bench::new(&deep(1000)).run(block(40), &[10], 2, false).unwrap(), [40, 55]);
}

#[test]
fn a_thread_that_outgrows_its_stack_ends_the_process() {
    let segmentation_fault = 11;
    for test in ["stacks::inner_many_frames", "stacks::inner_large_frame"] {
        let output = run_in_new_process(test, &[]);
        assert_eq!(output.status.signal(), Some(segmentation_fault), "{test}: {output:?}");
    }
}

#[test]
#[ignore = "run by a_thread_that_outgrows_its_stack_ends_the_process"]
fn inner_many_frames() {
    if !is_inside() {
        return;
    }
    let _ = Bench::new(&deep(100)).run(block(40), &[300], 2, false);
}

#[test]
#[ignore = "run by a_thread_that_outgrows_its_stack_ends_the_process"]
fn inner_large_frame() {
    if !is_inside() {
        return;
    }
    // The frame would begin beyond the guard page.
    let _ = Bench::new(&deep(17_000)).run(block(40), &[0], 2, false);
}
