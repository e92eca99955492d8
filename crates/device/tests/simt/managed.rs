//! Managed memory: its values, its place in the budget, and moving it.

use crate::common::{Bench, Io, block, body, settings};
use warpgraph_device::{
    Advice, Error, Gpu, MemoryKind, Place, Settings, Stream,
    simt::{Faults, Simt, SimtOptions},
};

fn limited(budget: u64, oversubscribe: bool) -> Gpu {
    let settings = Settings { memory_budget: Some(budget), oversubscribe, ..settings() };
    Simt::open(&settings, SimtOptions::default()).unwrap()
}

#[test]
fn kernels_read_the_values_that_the_host_wrote() {
    let bench =
        Bench::new(&body("args.output[thread_in_block()] = args.input[args.other + thread_in_block()];"));
    let values: Vec<u32> = (0..5 << 20).collect();
    for advice in [Advice::None, Advice::ReadMostly] {
        let managed = bench.gpu.managed_of(&values, advice, "values").unwrap();
        assert_eq!((managed.len(), managed.bytes(), managed.is_empty()), (5 << 20, 20 << 20, false));
        let output = bench.zeros(32).unwrap();
        for other in [0, 1 << 20, (5 << 20) - 32] {
            managed.prefetch(4 * other as usize..4 * other as usize + 128).unwrap();
            let io = Io { input: managed.address(), other, ..bench.io(&output, &output) };
            bench.launch(block(32), io, false).unwrap();
            assert!(output.to_vec().unwrap().into_iter().eq(other..other + 32));
            managed.evict().unwrap();
        }
        managed.prefetch(0..0).unwrap();
        managed.prefetch(0..20 << 20).unwrap();
    }
}

#[test]
fn it_counts_against_the_budget_to_the_byte() {
    let gpu = limited(1000, false);
    let managed = gpu.managed_of(&[7_u8; 600], Advice::ReadMostly, "values").unwrap();
    let error = gpu.managed_of(&[7_u8; 401], Advice::None, "more").unwrap_err();
    assert_eq!(error.to_string(), "simt has no room for more of 401 bytes: 400 of 1000 bytes are free");
    assert!(gpu.array::<u8>(401, "other memory").is_err());
    let rest = gpu.managed_of(&[7_u8; 400], Advice::None, "the rest").unwrap();
    let info = gpu.memory().unwrap();
    assert_eq!((info.free, info.total, info.held, info.peak), (0, 1000, 1000, 1000));
    drop((managed, rest));
    assert_eq!(gpu.memory().unwrap().held, 0);
}

#[test]
fn it_exceeds_the_budget_if_the_settings_allow_it_and_other_memory_does_not() {
    let gpu = limited(1000, true);
    let managed = gpu.managed_of(&[7_u8; 5000], Advice::None, "values").unwrap();
    let info = gpu.memory().unwrap();
    assert_eq!((info.free, info.total, info.held, info.peak), (1000, 1000, 5000, 5000));
    let most = gpu.array::<u8>(999, "most").unwrap();
    let error = gpu.array::<u8>(2, "two more").unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { asked: 2, free: 1, total: 1000, .. }), "{error:?}");
    drop(managed);
    let info = gpu.memory().unwrap();
    assert_eq!((info.free, info.held, info.peak), (1, 999, 5999));
    drop(most);
}

#[test]
fn a_device_that_cannot_move_pages_says_so_and_works_on() {
    let faults = Faults { no_prefetch: true, ..Faults::default() };
    let source = body("args.output[0] = args.input[1];");
    let bench = Bench::with(&source, SimtOptions { faults, ..SimtOptions::default() });
    let managed = bench.gpu.managed_of(&[5_u32, 6], Advice::ReadMostly, "values").unwrap();
    for result in [managed.prefetch(0..8), managed.evict()] {
        let error = result.unwrap_err();
        assert!(matches!(&error, Error::Call { call, .. } if call == "prefetch"), "{error:?}");
    }
    let output = bench.zeros(1).unwrap();
    let io = Io { input: managed.address(), ..bench.io(&output, &output) };
    bench.launch(block(1), io, false).unwrap();
    assert_eq!(output.to_vec().unwrap(), [6]);
}

#[test]
#[should_panic(expected = "4..9 of 8")]
fn no_more_is_moved_than_there_is() {
    let gpu = limited(1000, false);
    let managed = gpu.managed_of(&[1_u32, 2], Advice::None, "values").unwrap();
    let _ = managed.prefetch(4..9);
}

#[test]
fn only_managed_memory_is_moved_and_advised() {
    let device = Simt::device(&settings(), SimtOptions::default()).unwrap();
    let [device_memory, managed] =
        [MemoryKind::Device, MemoryKind::Managed].map(|kind| device.alloc(100, kind).unwrap().device);
    // SAFETY: ranges that are not in managed memory are refused.
    unsafe {
        for (at, bytes) in [(device_memory, 100), (managed, 101), (managed, 0), (64, 1)] {
            assert!(device.prefetch(Stream::Copy, at, bytes, Place::Device).is_err());
            assert!(device.advise(at, bytes, Advice::ReadMostly).is_err());
        }
        device.prefetch(Stream::Copy, managed + 50, 50, Place::Host).unwrap();
        device.advise(managed, 100, Advice::ReadMostly).unwrap();
    }
}
