//! Managed memory, and a relay, through the driver's calls.

use crate::{assert_nothing_is_alive, calls, open, settings, test};
use warpgraph_device::{Advice, Error, Relay, Settings};

test!(managed_memory_is_filled_advised_and_moved, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let values: Vec<u32> = (0..5 << 20).collect();
    let managed = gpu.managed_of(&values, Advice::ReadMostly, "values").unwrap();
    // SAFETY: the stand-in's device addresses are those of the host.
    let filled = unsafe { std::slice::from_raw_parts(managed.address().raw() as *const u32, values.len()) };
    assert!(filled == values);
    assert_eq!(calls("cuMemAdvise"), 1);
    managed.prefetch(100..200).unwrap();
    managed.evict().unwrap();
    assert_eq!(
        (calls("cuMemAdvise"), calls("cuMemPrefetchAsync")),
        (3, 2),
        "advice is taken back and given again"
    );
    let plain = gpu.managed_of(&[1_u8], Advice::None, "a byte").unwrap();
    plain.evict().unwrap();
    assert_eq!(calls("cuMemAdvise"), 3);
    drop((managed, plain, gpu));
    assert_nothing_is_alive();
});

test!(advice_that_is_refused_is_ignored, ["STAND_IN_NO_ADVICE" = "1"], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let managed = gpu.managed_of(&[1_u32], Advice::ReadMostly, "values").unwrap();
    managed.evict().unwrap();
});

test!(a_move_that_is_refused_is_an_error, ["STAND_IN_NO_PREFETCH" = "1"], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let managed = gpu.managed_of(&[1_u32], Advice::ReadMostly, "values").unwrap();
    for result in [managed.prefetch(0..4), managed.evict()] {
        assert!(matches!(result, Err(Error::Call { .. })), "{result:?}");
    }
    assert!(gpu.lost().is_none());
});

test!(a_gpu_without_concurrent_access_has_no_managed_memory, ["STAND_IN_CONCURRENT" = "0"], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let error = gpu.managed_of(&[1_u32], Advice::None, "values").unwrap_err();
    assert!(error.to_string().contains("no concurrent managed access"), "{error}");
    assert_eq!(calls("cuMemAllocManaged"), 0);
});

test!(oversubscribed_memory_leaves_the_budget_to_other_memory, [], {
    let (_folder, settings) = settings();
    let budget = Settings { memory_budget: Some(1_000_000), ..settings };
    let gpu = open(&budget);
    let error = gpu.managed_of(&vec![0_u8; 1_000_001], Advice::None, "values").unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { asked: 1_000_001, free: 1_000_000, .. }), "{error:?}");
    let gpu = open(&Settings { oversubscribe: true, ..budget });
    let managed = gpu.managed_of(&vec![0_u8; 3_000_000], Advice::None, "values").unwrap();
    let all = gpu.array::<u8>(1_000_000, "all").unwrap();
    assert!(matches!(gpu.array::<u8>(1, "one more"), Err(Error::OutOfMemory { free: 0, .. })));
    let info = gpu.memory().unwrap();
    assert_eq!((info.held, info.free, info.peak), (4_000_000, 0, 4_000_000));
    drop((managed, all));
    let info = gpu.memory().unwrap();
    assert_eq!((info.held, info.free), (0, 1_000_000));
});

test!(a_relay_uses_few_events_and_leaves_nothing_behind, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let mut relay = Relay::new(&gpu, 1000, 2, "slots").unwrap();
    for round in 0..100_u8 {
        let fill = |buffer: &mut [u8]| {
            buffer.fill(round);
            (buffer.len(), ())
        };
        let (at, ()) = relay.send(fill).unwrap();
        // SAFETY: the stand-in's device addresses are those of the host, and its copies happen at once.
        let sent = unsafe { std::slice::from_raw_parts(at.raw() as *const u8, 1000) };
        assert!(sent.iter().all(|&byte| byte == round));
        relay.used().unwrap();
    }
    assert_eq!((relay.moved(), calls("cuStreamSynchronize")), (100_000, 0));
    assert!(calls("cuEventCreate") <= 8, "{} events", calls("cuEventCreate"));
    drop((relay, gpu));
    assert_nothing_is_alive();
});
