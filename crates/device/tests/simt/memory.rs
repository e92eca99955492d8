//! Memory: a budget, poison, and no copy outside of what was allocated.

use crate::common::settings;
use warpgraph_device::{
    Allocation, CopyKind, Device, Error, Gpu, MemoryKind, Settings, Stream,
    simt::{Simt, SimtOptions},
};

fn device() -> Box<dyn Device> {
    Simt::device(&settings(), SimtOptions::default()).unwrap()
}

#[test]
fn the_device_says_what_it_is() {
    let device = device();
    let properties = device.properties();
    assert_eq!((properties.label.as_str(), properties.name.as_str()), ("simt", "simulated GPU"));
    assert_eq!((properties.capability, properties.multiprocessors), ((7, 0), 2));
    assert_eq!(properties.memory, 4 << 30);
    assert!(properties.compiler.contains("++ "), "{}", properties.compiler);
}

#[test]
fn no_more_is_allocated_than_the_budget_has() {
    let settings = Settings { memory_budget: Some(1000), ..settings() };
    let gpu = Simt::open(&settings, SimtOptions::default()).unwrap();
    let first = gpu.array::<u8>(600, "the first").unwrap();
    let error = gpu.array::<u8>(401, "the second").unwrap_err();
    assert_eq!(error.to_string(), "simt has no room for the second of 401 bytes: 400 of 1000 bytes are free");
    let pinned = gpu.pinned::<u8>(5000, "pinned memory").unwrap();
    drop(first);
    let second = gpu.array::<u8>(1000, "the second").unwrap();
    let info = gpu.memory().unwrap();
    assert_eq!((info.free, info.total, info.held, info.peak), (0, 1000, 1000, 1000));
    drop((second, pinned));
    assert_eq!(gpu.memory().unwrap().held, 0);
}

#[test]
fn new_memory_is_poisoned() {
    let gpu = Gpu::new(device());
    assert_eq!(gpu.array::<u32>(1000, "x").unwrap().to_vec().unwrap(), [0xcdcd_cdcd; 1000]);
}

#[test]
fn copies_and_fills_outside_of_allocations_are_refused() {
    let device = device();
    let Allocation { device: at, .. } = device.alloc(100, MemoryKind::Device).unwrap();
    let (compute, mut here) = (Stream::Compute, [7u8; 200]);
    let host = here.as_mut_ptr() as u64;
    // SAFETY: ranges outside of an allocation are refused before they are accessed.
    let results = unsafe {
        [
            (
                device.copy(compute, CopyKind::ToDevice, at, host, 101),
                "goes beyond the allocation of 100 bytes",
            ),
            (device.copy(compute, CopyKind::ToHost, host, at + 1, 100), "goes beyond the allocation"),
            (device.copy(compute, CopyKind::Within, at, host, 50), "is in no allocation"),
            (device.copy(compute, CopyKind::ToHost, at, at, 50), "should be host memory"),
            (device.fill(compute, at + 50, 0, 51), "goes beyond the allocation"),
            (device.fill(compute, host, 0, 1), "fill failed: its target, 1 bytes at"),
        ]
    };
    for (result, what) in results {
        let error = result.unwrap_err();
        assert!(error.to_string().contains(what), "{what}: {error}");
        assert!(!error.is_fatal());
    }
    // SAFETY: inside of both.
    unsafe {
        device.copy(compute, CopyKind::ToDevice, at + 90, host, 10).unwrap();
        device.copy(compute, CopyKind::ToHost, host + 100, at, 100).unwrap();
        device.copy(compute, CopyKind::ToDevice, at + 100, host, 0).unwrap();
        device.fill(compute, at + 100, 0, 0).unwrap();
    }
    assert_eq!(here[100..190], [0xcd; 90]);
    assert_eq!(here[190..], [7; 10]);
}

#[test]
fn freeing_unknown_memory_loses_the_device() {
    let device = device();
    let allocation = device.alloc(100, MemoryKind::Device).unwrap();
    // SAFETY: the second call is refused.
    unsafe {
        device.free(allocation);
        device.free(allocation);
    }
    let error = device.memory().unwrap_err();
    assert!(matches!(&error, Error::Lost { what, .. } if what.contains("is not the address")), "{error}");
}

#[test]
fn memory_that_is_freed_too_early_is_noticed() {
    let device = device();
    let from = device.alloc(100, MemoryKind::Pinned).unwrap();
    let to = device.alloc(100, MemoryKind::Device).unwrap();
    // SAFETY: not kept, and noticed before the memory is touched.
    unsafe {
        device.copy(Stream::Copy, CopyKind::ToDevice, to.device, from.host, 100).unwrap();
        device.free(to);
    }
    let event = device.record(Stream::Copy).unwrap();
    let error = device.is_done(event).unwrap_err();
    assert!(error.to_string().contains("freed before a copy was done"), "{error}");
}

#[test]
fn pinned_and_managed_memory_has_one_address() {
    let device = device();
    for kind in [MemoryKind::Pinned, MemoryKind::Managed] {
        let allocation = device.alloc(10, kind).unwrap();
        assert_eq!(allocation.host, allocation.device);
        assert_eq!((allocation.bytes, allocation.kind), (10, kind));
    }
    assert_eq!(device.alloc(10, MemoryKind::Device).unwrap().host, 0);
    assert_eq!(device.memory().unwrap().held, 20);
}

#[test]
fn an_array_too_large_for_the_address_space_is_out_of_memory() {
    let gpu = Simt::open(&settings(), SimtOptions::default()).unwrap();
    let len = usize::MAX / 4;
    let errors = [gpu.array::<u64>(len, "all").err(), gpu.pinned::<u64>(len, "all").err()];
    for error in errors {
        assert!(matches!(error, Some(Error::OutOfMemory { asked: u64::MAX, .. })), "{error:?}");
    }
}

#[test]
#[should_panic(expected = "arrays of one device")]
fn arrays_of_two_devices_cannot_be_copied_to_each_other() {
    let open = || Simt::open(&settings(), SimtOptions::default()).unwrap();
    let from = open().array_of(&[1u32], "from").unwrap();
    let mut to = open().array::<u32>(1, "to").unwrap();
    let _ = to.copy_from(&from);
}
