//! Kernels that are asked to end, kernels that do not poll the cancel word, and devices that end independently.

use crate::common::{Bench, block, blocks, body, settings};
use std::time::{Duration, Instant};
use warpgraph_device::{
    Error, Gpu,
    simt::{Simt, SimtOptions},
};

#[test]
fn the_cancel_word_ends_a_kernel_that_polls_for_it() {
    let text = "wait_until([&] { return is_cancelled(args.cancel); });
        block_sync();
        args.output[thread_in_grid()] = 1;";
    let bench = Bench::new(&body(text));
    let output = bench.zeros(200).unwrap();
    bench.launch(blocks(2, 100), bench.io(&output, &output), true).unwrap();
    let start = Instant::now();
    let error = bench.gpu.wait(|| start.elapsed() > Duration::from_millis(50)).unwrap_err();
    assert!(matches!(error, Error::Stopped { .. }), "{error}");
    assert_eq!(output.to_vec().unwrap(), [1; 200]);
    assert!(bench.gpu.lost().is_none());
}

#[test]
fn the_cancel_word_ends_a_kernel_that_works_and_looks_now_and_then() {
    let text = "u32 rounds = 0;
        while (!block_any(is_cancelled(args.cancel))) rounds++;
        args.output[thread_in_block()] = rounds;";
    let bench = Bench::new(&body(text));
    let output = bench.zeros(64).unwrap();
    bench.launch(block(64), bench.io(&output, &output), false).unwrap();
    let start = Instant::now();
    let error = bench.gpu.wait(|| start.elapsed() > Duration::from_millis(50)).unwrap_err();
    assert!(matches!(error, Error::Stopped { .. }), "{error}");
    let rounds = output.to_vec().unwrap();
    assert!(rounds[0] > 100 && rounds.iter().all(|&x| x == rounds[0]), "{rounds:?}");
}

#[test]
fn a_kernel_that_ignores_the_cancel_word_is_hung() {
    let device = Simt::device(&settings(), SimtOptions::default()).unwrap();
    let gpu = Gpu::with_grace(device, Duration::from_millis(50));
    let bench = Bench::on(gpu, &body("while (!block_any(false)) {}"));
    let output = bench.zeros(1).unwrap();
    bench.launch(block(64), bench.io(&output, &output), false).unwrap();
    let error = bench.gpu.wait(|| true).unwrap_err();
    assert!(matches!(error, Error::Hung { .. }), "{error}");
    assert!(matches!(output.to_vec(), Err(Error::Hung { .. })));
}

#[test]
fn two_devices_go_on_independently_when_one_is_lost() {
    let source = body(
        "if (args.input[0] == 13) trap(); block_sync(); args.output[thread_in_block()] = args.input[0];",
    );
    let (one, other) = (Bench::new(&source), Bench::new(&source));
    let (long, output) = (other.gpu.array_of(&[5u32], "input").unwrap(), other.zeros(64).unwrap());
    other.launch(block(64), other.io(&long, &output), false).unwrap();
    assert!(matches!(one.run(block(64), &[13], 64, false), Err(Error::Lost { .. })));
    assert!(one.gpu.lost().is_some());
    assert_eq!(output.to_vec().unwrap(), [5; 64]);
    assert_eq!(other.run(block(64), &[6], 64, false).unwrap(), [6; 64]);
}

#[test]
fn two_devices_run_at_once_in_two_threads() {
    let source = body(
        "SHARED(u32, sum);
        if (thread_in_block() == 0) sum = 0;
        block_sync();
        for (u32 i = 0; i < 1000; i++) { atomic_add(&sum, args.input[0]); block_sync(); }
        args.output[thread_in_block()] = sum;",
    );
    std::thread::scope(|scope| {
        for x in [3u32, 4] {
            let source = &source;
            scope.spawn(move || {
                let out = Bench::new(source).run(block(64), &[x], 64, false).unwrap();
                assert_eq!(out, [64_000 * x; 64]);
            });
        }
    });
}
