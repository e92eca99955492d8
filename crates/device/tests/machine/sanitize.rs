//! AddressSanitizer sees kernels that reach outside of their memory. It must be in a process from the start, so these tests run
//! themselves again with it.

use crate::common::{Bench, blocks, body};
use std::process::{Command, Output};
use warpgraph_device::{Shape, simt::SimtOptions};
use warpgraph_testing::{Suite, needs, tests};

/// Says to the inner tests that they have a process of their own.
const INSIDE: &str = "WARPGRAPH_SANITIZE_INSIDE";

/// Returns whether this is the process of an inner test.
pub(crate) fn is_inside() -> bool {
    std::env::var_os(INSIDE).is_some()
}

/// The tests that need the sanitizer in their process.
pub(crate) fn inner() -> Suite {
    Suite::default().tests(tests![
        inner_clean_kernel,
        inner_frames_left_behind,
        inner_overflow,
        inner_shared_overflow
    ])
}

/// Runs an inner test with the sanitizer.
fn run_again(test: &str) -> Output {
    let library = needs::address_sanitizer_path().expect("the need of this test");
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", test]).env(INSIDE, "1");
    again.env("LD_PRELOAD", library).env("ASAN_OPTIONS", "detect_leaks=0").output().unwrap()
}

fn text_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn bench(text: &str) -> Bench {
    Bench::with(&body(text), SimtOptions { sanitize: true, ..SimtOptions::default() })
}

pub(crate) fn a_clean_kernel_passes_the_sanitizer() {
    let output = run_again("inner_clean_kernel");
    let text = text_of(&output);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    assert!(!text.contains("AddressSanitizer"), "{text}");
}

pub(crate) fn frames_left_behind_do_not_disturb_the_sanitizer() {
    let output = run_again("inner_frames_left_behind");
    let text = text_of(&output);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

pub(crate) fn a_write_behind_an_allocation_fails_the_process() {
    let output = run_again("inner_overflow");
    let text = text_of(&output);
    assert!(!output.status.success() && text.contains("heap-buffer-overflow"), "{text}");
    assert!(text.contains("test.cu"), "{text}");
}

pub(crate) fn a_write_behind_dynamic_shared_memory_fails_the_process() {
    let output = run_again("inner_shared_overflow");
    let text = text_of(&output);
    assert!(!output.status.success() && text.contains("heap-buffer-overflow"), "{text}");
}

pub(crate) fn inner_clean_kernel() {
    // Frames with arrays, in threads that wait, exit early and take each other's stacks.
    let text = "SHARED(u32, values[96]);
        DYNAMIC_SHARED(u32, more);
        u32 own[32], t = thread_in_block();
        for (u32 i = 0; i < 32; i++) own[i] = args.input[0] + i * t;
        values[t] = more[t] = own[t % 32];
        block_sync();
        if (t % 5 == 0) return;
        u32 other = values[(t + 1) % 96] + more[(t + 2) % 96];
        wait_until([&] { return atomic_add(args.input + 1, 1u) % 3 == 0; });
        block_sync();
        args.output[thread_in_grid()] = other + own[(t + other) % 32];";
    let bench = bench(text);
    let shape = Shape { shared: 384, ..blocks(40, 96) };
    for _ in 0..3 {
        let first = bench.run(shape, &[3, 0], 40 * 96, false).unwrap();
        assert!(first.iter().any(|&x| x != 0));
    }
    let resident = Shape { grid: 4, ..shape };
    bench.run(resident, &[3, 0], 40 * 96, true).unwrap();
}

pub(crate) fn inner_frames_left_behind() {
    // A trap leaves frames of small arrays behind, in memory that the next device gets for a frame of a large one.
    let small = "u8 a[5], b[5], c[5], d[5];
        for (u32 i = 0; i < 5; i++) a[i] = b[i] = c[i] = d[i] = args.input[0];
        block_sync();
        if (a[args.other] + b[args.other] + c[args.other] + d[args.other] == 4) trap();";
    assert!(bench(small).run(blocks(1, 64), &[1], 1, false).unwrap_err().to_string().contains("trapped"));
    let large = "u32 a[200];
        for (u32 i = 0; i < 200; i++) a[i] = args.input[0] + i;
        block_sync();
        args.output[thread_in_block()] = a[args.other];";
    assert_eq!(bench(large).run(blocks(1, 64), &[7], 64, false).unwrap(), [7; 64]);
}

pub(crate) fn inner_overflow() {
    // One word behind ten.
    let _ = bench("args.output[thread_in_block()] = 1;").run(blocks(1, 11), &[0], 10, false);
}

pub(crate) fn inner_shared_overflow() {
    let shape = Shape { shared: 40, ..blocks(1, 11) };
    let _ = bench("DYNAMIC_SHARED(u32, s); s[thread_in_block()] = 1;").run(shape, &[0], 10, false);
}
