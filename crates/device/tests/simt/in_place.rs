//! Kernels read host memory in place, or a copy of it where it cannot be mapped.

use crate::common::{Bench, Io, block, blocks, body, settings};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};
use warpgraph_device::{
    Error, Shared,
    simt::{Faults, SimtOptions},
};

const SUM: &str =
    "if (thread_in_block() == 0) for (u32 i = 0; i < args.count; i++) args.output[0] += args.input[i];";

/// Values that count how many of their owners were dropped.
struct Counted {
    values: Vec<u32>,
    drops: Arc<AtomicUsize>,
}

impl std::ops::Deref for Counted {
    type Target = [u32];
    fn deref(&self) -> &[u32] {
        &self.values
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.drops.fetch_add(1, Ordering::SeqCst);
    }
}

fn counted(len: u32) -> (Counted, Arc<AtomicUsize>) {
    let drops = Arc::new(AtomicUsize::new(0));
    (Counted { values: (0..len).collect(), drops: drops.clone() }, drops)
}

fn bench(faults: Faults) -> Bench {
    Bench::with(&body(SUM), SimtOptions { faults, ..SimtOptions::default() })
}

/// Returns the sum of the shared values, as a kernel finds it.
fn sum(bench: &Bench, shared: &Shared<u32>) -> u32 {
    let output = bench.zeros(1).unwrap();
    let io = Io { input: shared.address(), count: shared.len() as u32, ..bench.io(&output, &output) };
    bench.launch(block(32), io, false).unwrap();
    bench.gpu.finish().unwrap();
    output.to_vec().unwrap()[0]
}

#[test]
fn a_kernel_reads_the_values_of_the_caller() {
    let bench = bench(Faults::default());
    let (values, drops) = counted(5000);
    let at = values.values.as_ptr() as u64;
    let held = bench.gpu.memory().unwrap().held;
    let shared = bench.gpu.share(values, "values").unwrap();
    assert_eq!(
        (shared.len(), shared.bytes(), shared.is_copy(), shared.is_empty()),
        (5000, 20_000, false, false)
    );
    assert_eq!((shared.address().raw(), bench.gpu.shared_bytes()), (at, 20_000));
    assert_eq!(bench.gpu.memory().unwrap().held, held, "shared memory is not the device's");
    assert_eq!(sum(&bench, &shared), 4999 * 2500);
    assert_eq!(drops.load(Ordering::SeqCst), 0);
    drop(shared);
    assert_eq!((drops.load(Ordering::SeqCst), bench.gpu.shared_bytes()), (1, 0));
}

#[test]
fn arrays_may_be_shared_twice_and_may_be_empty() {
    let bench = bench(Faults::default());
    let values: Arc<[u32]> = (0..100).collect();
    let first = bench.gpu.share(values.clone(), "values").unwrap();
    let second = bench.gpu.share(values, "values").unwrap();
    drop(first);
    assert_eq!(sum(&bench, &second), 4950);
    let empty = bench.gpu.share(Vec::new(), "nothing").unwrap();
    assert!(empty.is_empty() && empty.bytes() == 0 && !empty.is_copy());
    assert_ne!(empty.address().raw(), 0, "kernels get a valid address");
    assert_eq!(sum(&bench, &empty), 0);
}

#[test]
fn memory_that_cannot_be_mapped_is_copied_once() {
    let bench = bench(Faults { mapping: Some(1), ..Faults::default() });
    let (values, drops) = counted(3 << 20);
    let expected = values.iter().copied().fold(0, u32::wrapping_add);
    let at = values.values.as_ptr() as u64;
    let shared = bench.gpu.share(values, "values").unwrap();
    assert!(shared.is_copy() && shared.address().raw() != at);
    assert_eq!(shared.address().raw() % (2 << 20), 0, "huge pages");
    assert_eq!(drops.load(Ordering::SeqCst), 1, "the values are no longer needed");
    assert_eq!(sum(&bench, &shared), expected);
}

#[test]
fn memory_that_cannot_be_mapped_or_copied_is_an_error_with_a_next_step() {
    let bench = bench(Faults { no_pinning: true, ..Faults::default() });
    let (values, drops) = counted(100);
    let error = bench.gpu.share(values, "the targets").unwrap_err();
    assert!(matches!(&error, Error::NotShared { bytes: 400, .. }), "{error:?}");
    let text = error.to_string();
    for part in
        ["simt cannot read the targets of 400 bytes", "map failed", "a copy in huge pages: simt: map failed"]
    {
        assert!(text.contains(part), "{part:?} is not in {text:?}");
    }
    assert!(error.help().contains("residency streamed or device"), "{}", error.help());
    assert_eq!((drops.load(Ordering::SeqCst), bench.gpu.shared_bytes()), (1, 0));
    assert!(bench.gpu.lost().is_none());
}

#[test]
fn dropping_waits_for_the_kernels_that_read() {
    let bench = bench(Faults::default());
    let (values, drops) = counted(1000);
    let shared = bench.gpu.share(values, "values").unwrap();
    let output = bench.zeros(1).unwrap();
    let io = Io { input: shared.address(), count: 1000, ..bench.io(&output, &output) };
    bench.launch(blocks(1, 32), io, false).unwrap();
    drop(shared);
    assert_eq!(drops.load(Ordering::SeqCst), 1);
    assert_eq!(output.to_vec().unwrap(), [999 * 500], "the kernel ran before the values were dropped");
}

#[test]
fn a_lost_device_keeps_the_values_allocated() {
    let bench = bench(Faults { trap: Some(1), ..Faults::default() });
    let (values, drops) = counted(1000);
    let shared = bench.gpu.share(values, "values").unwrap();
    let output = bench.zeros(1).unwrap();
    let io = Io { input: shared.address(), count: 1000, ..bench.io(&output, &output) };
    bench.launch(block(32), io, false).unwrap();
    assert!(bench.gpu.finish().is_err());
    let gpu = bench.gpu.clone();
    drop((output, shared, bench));
    let error = gpu.share(vec![1_u32], "more").unwrap_err();
    assert!(matches!(error, Error::Lost { .. }), "{error:?}");
    drop(gpu);
    assert_eq!(drops.load(Ordering::SeqCst), 0);
}

#[test]
fn a_device_unmaps_only_what_it_mapped() {
    let device = warpgraph_device::simt::Simt::device(&settings(), SimtOptions::default()).unwrap();
    let values = [0_u8; 64];
    let at = values.as_ptr() as u64;
    // SAFETY: the values outlive the mapping, and nothing reads them.
    unsafe {
        assert_eq!(device.map(at, 64).unwrap(), at);
        assert!(device.unmap(at, 32).is_err());
        device.unmap(at, 64).unwrap();
        assert!(device.unmap(at, 64).is_err());
    }
}
