//! Injected faults have the effect that their documentation states.

use crate::common::{Bench, block, body, settings};
use std::time::{Duration, Instant};
use warpgraph_device::{
    Error, Gpu,
    simt::{Faults, Simt, SimtOptions},
};

fn options(faults: Faults) -> SimtOptions {
    SimtOptions { faults, ..SimtOptions::default() }
}

#[test]
fn one_allocation_finds_no_room() {
    let faults = Faults { allocation: Some(2), ..Faults::default() };
    let gpu = Simt::open(&settings(), options(faults)).unwrap();
    let first = gpu.array::<u32>(10, "one");
    assert!(first.is_ok());
    let error = gpu.array::<u32>(10, "two").unwrap_err();
    assert!(matches!(&error, Error::OutOfMemory { what, asked: 40, .. } if what == "two"), "{error}");
    assert!(gpu.array::<u32>(10, "three").is_ok());
}

#[test]
fn one_launch_traps_when_it_runs() {
    let faults = Faults { trap: Some(2), ..Faults::default() };
    let bench = Bench::with(&body("args.output[0] = 1;"), options(faults));
    assert_eq!(bench.run(block(1), &[0], 1, false).unwrap(), [1]);
    let what = bench.lost(block(1), false);
    assert!(what.contains("kernel k: trapped, as an injected fault asks"), "{what}");
    assert!(bench.gpu.lost().is_some());
}

#[test]
fn an_endless_launch_ends_when_it_is_asked_to() {
    let faults = Faults { endless: Some(1), ..Faults::default() };
    let bench = Bench::with(&body("args.output[0] = 1;"), options(faults));
    let output = bench.zeros(1).unwrap();
    bench.launch(block(1), bench.io(&output, &output), false).unwrap();
    let start = Instant::now();
    let error = bench.gpu.wait(|| start.elapsed() > Duration::from_millis(30)).unwrap_err();
    assert!(matches!(error, Error::Stopped { .. }), "{error}");
    assert!(start.elapsed() > Duration::from_millis(30));
    assert_eq!(output.to_vec().unwrap(), [1], "it did then what it does");
    // The device is as good as before.
    assert_eq!(bench.run(block(1), &[0], 1, false).unwrap(), [1]);
}

#[test]
fn a_deaf_launch_never_ends() {
    let faults = Faults { deaf: Some(1), ..Faults::default() };
    let device = Simt::device(&settings(), options(faults)).unwrap();
    let grace = Duration::from_millis(50);
    let bench = Bench::on(Gpu::with_grace(device, grace), &body("args.output[0] = 1;"));
    let output = bench.zeros(1).unwrap();
    bench.launch(block(1), bench.io(&output, &output), false).unwrap();
    let error = bench.gpu.wait(|| true).unwrap_err();
    assert!(matches!(error, Error::Hung { .. }), "{error}");
    assert!(matches!(bench.gpu.memory(), Err(Error::Hung { .. })));
}

#[test]
fn an_endless_launch_that_is_not_stopped_loses_the_device() {
    let faults = Faults { deaf: Some(1), ..Faults::default() };
    let limit = Duration::from_millis(50);
    let bench = Bench::with(&body(""), SimtOptions { poll_limit: limit, ..options(faults) });
    assert_eq!(bench.lost(block(1), false), "kernel k waits for ever, as an injected fault asks");
}

#[test]
fn there_may_be_no_compiler() {
    let faults = Faults { no_compiler: true, ..Faults::default() };
    let gpu = Simt::open(&settings(), options(faults)).unwrap();
    let error = gpu.compile(&body("")).unwrap_err();
    assert!(matches!(error, Error::NoCompiler { compiler: "a C++ compiler", .. }), "{error}");
    assert!(error.help().contains("apt install g++"), "{}", error.help());
    assert!(gpu.memory().is_ok());
}
