//! AddressSanitizer reports kernels that access memory outside of their allocations. It must be in a process from the
//! start, so these tests start themselves again with it.

use crate::common::{Bench, blocks, body, is_inside, run_in_new_process, settings};
use std::process::{Command, Output};
use warpgraph_device::{
    Shape,
    simt::{Simt, SimtOptions},
};

/// Returns the sanitizer's library, if the compiler has one.
fn library() -> Option<String> {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let asked = Command::new(compiler).arg("-print-file-name=libasan.so").output().ok()?;
    let path = String::from_utf8(asked.stdout).ok()?.trim().to_owned();
    path.starts_with('/').then_some(path)
}

/// Runs an inner test with the sanitizer; returns `None` if the compiler has none.
fn run_again(test: &str) -> Option<Output> {
    let Some(library) = library() else {
        println!("skipped: the compiler has no libasan.so");
        return None;
    };
    let options = ("ASAN_OPTIONS", "detect_leaks=0");
    Some(run_in_new_process(test, &[("LD_PRELOAD", &library), options]))
}

fn text_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn bench(text: &str) -> Bench {
    Bench::with(&body(text), SimtOptions { sanitize: true, ..SimtOptions::default() })
}

#[test]
fn without_the_sanitizer_in_the_process_asking_for_it_is_an_error() {
    if std::env::var_os("LD_PRELOAD").is_some() {
        println!("skipped: something is preloaded");
        return;
    }
    let error =
        Simt::open(&settings(), SimtOptions { sanitize: true, ..SimtOptions::default() }).unwrap_err();
    assert!(error.to_string().contains("LD_PRELOAD=$(c++ -print-file-name=libasan.so)"), "{error}");
}

#[test]
fn a_clean_kernel_passes_the_sanitizer() {
    let Some(output) = run_again("sanitize::inner_clean_kernel") else { return };
    let text = text_of(&output);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    assert!(!text.contains("AddressSanitizer"), "{text}");
}

#[test]
fn frames_left_behind_do_not_disturb_the_sanitizer() {
    let Some(output) = run_again("sanitize::inner_frames_left_behind") else { return };
    let text = text_of(&output);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

#[test]
fn a_write_behind_an_allocation_fails_the_process() {
    let Some(output) = run_again("sanitize::inner_overflow") else { return };
    let text = text_of(&output);
    assert!(!output.status.success() && text.contains("heap-buffer-overflow"), "{text}");
    assert!(text.contains("test.cu"), "{text}");
}

#[test]
fn a_write_behind_dynamic_shared_memory_fails_the_process() {
    let Some(output) = run_again("sanitize::inner_shared_overflow") else { return };
    let text = text_of(&output);
    assert!(!output.status.success() && text.contains("heap-buffer-overflow"), "{text}");
}

#[test]
#[ignore = "run by a_clean_kernel_passes_the_sanitizer"]
fn inner_clean_kernel() {
    if !is_inside() {
        return;
    }
    // Frames with arrays, in threads that wait, exit early and reuse each other's stacks.
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

#[test]
#[ignore = "run by frames_left_behind_do_not_disturb_the_sanitizer"]
fn inner_frames_left_behind() {
    if !is_inside() {
        return;
    }
    // A trap leaves frames with small arrays behind, in memory that the next device uses for a frame with a large
    // array.
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

#[test]
#[ignore = "run by a_write_behind_an_allocation_fails_the_process"]
fn inner_overflow() {
    if !is_inside() {
        return;
    }
    // One word beyond ten.
    let _ = bench("args.output[thread_in_block()] = 1;").run(blocks(1, 11), &[0], 10, false);
}

#[test]
#[ignore = "run by a_write_behind_dynamic_shared_memory_fails_the_process"]
fn inner_shared_overflow() {
    if !is_inside() {
        return;
    }
    let shape = Shape { shared: 40, ..blocks(1, 11) };
    let _ = bench("DYNAMIC_SHARED(u32, s); s[thread_in_block()] = 1;").run(shape, &[0], 10, false);
}
