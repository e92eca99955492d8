//! Allocating, copying, counting and freeing.

use crate::{ONE, alive, assert_nothing_is_alive, calls, launch, open, settings, test};
use warpgraph_device::{CopyKind, Error, EventId, MemoryKind, Settings, Stream, cuda};

test!(a_dropped_gpu_leaves_nothing_behind, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let mut array = gpu.array_of(&[1_u32, 2, 3], "values").unwrap();
    let pinned = gpu.pinned::<u32>(3, "words").unwrap();
    launch(&gpu, "count_up", ONE, array.address()).unwrap();
    assert_eq!(gpu.timed(|| array.fill_bytes(0)).unwrap(), 1.5);
    gpu.finish().unwrap();
    assert!(alive("device") == 1 && alive("module") == 1 && alive("event") > 0);
    drop((array, pinned));
    assert_eq!(alive("device"), 1, "it lies idle");
    drop(gpu);
    assert_nothing_is_alive();
});

test!(values_go_to_the_device_and_back_and_kernels_reach_them, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let array = gpu.array_of(&[40_u32, 7], "values").unwrap();
    for _ in 0..2 {
        launch(&gpu, "count_up", ONE, array.address()).unwrap();
    }
    assert_eq!(array.to_vec().unwrap(), [42, 7]);
    let mut fetched = gpu.pinned::<u32>(2, "words").unwrap();
    let waits = calls("cuStreamSynchronize");
    fetched.fetch(&array).unwrap();
    assert_eq!(calls("cuStreamSynchronize"), waits, "pinned memory is not waited for");
    assert_eq!((fetched.get(0), fetched.get(1)), (42, 7));
    array.to_vec().unwrap();
    assert_eq!(calls("cuStreamSynchronize"), waits + 1, "other memory is");
});

test!(calls_come_from_any_thread, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let array = gpu.array_of(&[0_u32], "word").unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| launch(&gpu, "count_up", ONE, array.address()).unwrap()).join().unwrap();
        }
    });
    assert_eq!(std::thread::spawn(move || array.to_vec().unwrap()).join().unwrap(), [4]);
    std::thread::spawn(move || drop(gpu)).join().unwrap();
    assert_nothing_is_alive();
});

test!(freed_memory_is_used_again, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    for round in 0..20_usize {
        let array = gpu.array::<u32>(1000 + round % 3, "values").unwrap();
        let pinned = gpu.pinned::<u32>(10, "words").unwrap();
        assert_eq!(gpu.memory().unwrap().held, array.bytes());
        assert_eq!(pinned.get(9), 0, "zeroed though it was used before");
    }
    assert_eq!((calls("cuMemAlloc_v2"), calls("cuMemFree_v2")), (1, 0));
    assert_eq!(calls("cuMemHostAlloc"), 2, "the cancel word and the words");
    let info = gpu.memory().unwrap();
    assert_eq!((info.held, info.peak), (0, 4 * 1002));
    assert_eq!((info.free, info.total), (64 << 20, 64 << 20), "what lies idle is free");
});

test!(at_most_a_quarter_of_the_memory_is_idle, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let arrays: Vec<_> = (0..12).map(|_| gpu.array::<u8>(4 << 20, "values").unwrap()).collect();
    drop(arrays);
    assert_eq!(alive("device"), 4);
});

test!(idle_memory_goes_back_before_there_is_no_room, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    drop(gpu.array::<u8>(10 << 20, "values").unwrap());
    let large = gpu.array::<u8>(60 << 20, "values").unwrap();
    assert_eq!((alive("device"), calls("cuMemAlloc_v2")), (1, 3));
    let error = gpu.array::<u8>(5 << 20, "the frontier").unwrap_err();
    let Error::OutOfMemory { label, what, asked, free, total } = error else { panic!("{error:?}") };
    assert_eq!((label.as_str(), what.as_str(), asked), ("cuda:0", "the frontier", 5 << 20));
    assert_eq!((free, total), (4 << 20, 64 << 20));
    drop(large);
    gpu.array::<u8>(5 << 20, "the frontier").unwrap();
});

test!(more_than_could_ever_be_is_no_room_and_nothing_else, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    for bytes in [1 << 50, usize::MAX >> 1] {
        let error = gpu.array::<u8>(bytes, "everything").unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { free: 0x400_0000, .. }), "{error:?}");
        let error = gpu.pinned::<u8>(bytes, "everything").unwrap_err();
        assert!(error.to_string().starts_with("the host has no room for everything"), "{error}");
    }
    assert_eq!((calls("cuMemAlloc_v2"), calls("cuMemHostAlloc")), (0, 1));
    assert!(gpu.lost().is_none());
});

test!(a_budget_is_kept_to_the_byte, [], {
    let (_folder, settings) = settings();
    let gpu = open(&Settings { memory_budget: Some(1_000_000), ..settings });
    let most = gpu.array::<u8>(999_000, "most").unwrap();
    let rest = gpu.array::<u8>(1000, "the rest").unwrap();
    let error = gpu.array::<u8>(1, "one more").unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { asked: 1, free: 0, total: 1_000_000, .. }), "{error:?}");
    drop(rest);
    let info = gpu.memory().unwrap();
    assert_eq!((info.free, info.total, info.held, info.peak), (1000, 1_000_000, 999_000, 1_000_000));
    drop(most);
    let all = gpu.array::<u8>(1_000_000, "all").unwrap();
    assert_eq!(alive("device"), 2, "the idle piece of its class is used again");
    drop(all);
    let _half = gpu.array::<u8>(500_000, "half").unwrap();
    assert_eq!(alive("device"), 1, "what lay idle went back for it");
});

test!(managed_memory_is_no_more_than_is_free_and_goes_back_at_once, [], {
    let (_folder, settings) = settings();
    let device = cuda::device(0, &settings).unwrap();
    let managed = device.alloc(40 << 20, MemoryKind::Managed).unwrap();
    assert_eq!((managed.host, device.memory().unwrap().held), (managed.device, 40 << 20));
    let error = device.alloc(30 << 20, MemoryKind::Managed).unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { free: 0x180_0000, .. }), "{error:?}");
    assert_eq!(calls("cuMemAllocManaged"), 1, "the driver, which would give it, is not asked");
    // SAFETY: allocated above, and not in use.
    unsafe { device.free(managed) };
    assert_eq!((alive("managed"), device.memory().unwrap().held), (0, 0));
});

test!(part_of_a_pinned_array_is_pinned_and_what_follows_it_is_not, [], {
    let (_folder, settings) = settings();
    let device = cuda::device(0, &settings).unwrap();
    let [to, pinned] = [MemoryKind::Device, MemoryKind::Pinned].map(|kind| device.alloc(1000, kind).unwrap());
    // SAFETY: both ranges are valid: a class of 1,000 bytes has 1,024.
    let copy = |from, bytes| unsafe { device.copy(Stream::Copy, CopyKind::ToDevice, to.device, from, bytes) };
    copy(pinned.host + 990, 10).unwrap();
    assert_eq!(calls("cuStreamSynchronize"), 0);
    copy(pinned.host + 990, 11).unwrap();
    assert_eq!(calls("cuStreamSynchronize"), 1);
});

test!(events_are_used_again_and_unknown_ones_are_errors, [], {
    let (_folder, settings) = settings();
    let device = cuda::device(0, &settings).unwrap();
    for _ in 0..10 {
        let [a, b] = [Stream::Compute, Stream::Copy].map(|stream| device.record(stream).unwrap());
        assert_ne!(a, b);
        device.wait_for(Stream::Copy, a).unwrap();
        assert!(device.is_done(a).unwrap() && device.seconds_between(a, b).unwrap() == 1.5);
        device.forget(a);
        device.forget(a);
        device.forget(b);
        assert!(matches!(device.is_done(a), Err(Error::Call { .. })));
    }
    assert_eq!(alive("event"), 2);
    assert!(device.is_done(EventId(u64::MAX)).is_err());
    device.forget(EventId(7));
});

test!(large_arrays_travel_through_registered_memory_that_is_kept, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let sent: Vec<u32> = (0..5 << 20).collect();
    let waits = calls("cuStreamSynchronize");
    for _ in 0..3 {
        let array = gpu.array_of(&sent, "values").unwrap();
        assert!(array.to_vec().unwrap() == sent);
    }
    let lanes = calls("cuMemHostRegister_v2");
    assert!((1..=5).contains(&lanes), "a lane per processor, and no more than buffers are needed: {lanes}");
    assert_eq!((alive("registered"), calls("cuStreamSynchronize")), (lanes, waits));
    drop(gpu);
    assert_nothing_is_alive();
});

test!(memory_that_cannot_be_registered_is_copied_by_the_driver, ["STAND_IN_NO_PINNING" = "1"], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let sent: Vec<u32> = (0..5 << 20).collect();
    let array = gpu.array_of(&sent, "values").unwrap();
    assert!(array.to_vec().unwrap() == sent && alive("registered") == 0);
});
