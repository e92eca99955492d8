//! A relay: every kernel reads the bytes that were sent for it, whatever runs when.

use crate::common::{Bench, Io, block, blocks, body, settings};
use std::{
    cell::Cell,
    time::{Duration, Instant},
};
use warpgraph_device::{
    Error, Relay, Settings, bytemuck,
    simt::{Faults, Simt, SimtOptions},
};

const WORDS: usize = 100;
/// Adds the words of a slot to the output.
const ADD: &str = "for (u32 i = thread_in_block(); i < args.count; i += 32)
    args.output[i] = args.output[i] * 31 + args.input[i];";

fn bench(faults: Faults) -> Bench {
    Bench::with(&body(ADD), SimtOptions { faults, ..SimtOptions::default() })
}

fn word(round: u32, i: usize) -> u32 {
    (round * 1000 + i as u32).wrapping_mul(0x9e37_79b9)
}

/// Fills a buffer with the words of a round, and poisons the rest.
fn fill(buffer: &mut [u8], round: u32) -> usize {
    buffer.fill(0xee);
    let words: Vec<u32> = (0..WORDS).map(|i| word(round, i)).collect();
    buffer[..4 * WORDS].copy_from_slice(bytemuck::cast_slice(&words));
    4 * WORDS
}

#[test]
fn kernels_of_many_rounds_read_the_bytes_of_their_own_round() {
    for (slots, says_used) in [(1, true), (2, true), (3, true), (2, false)] {
        let bench = bench(Faults::default());
        let output = bench.zeros(WORDS).unwrap();
        let mut relay = Relay::new(&bench.gpu, 4 * WORDS + 8, slots, "slots").unwrap();
        let mut expected = vec![0_u32; WORDS];
        for round in 0..50 {
            let (at, told) = relay.send(|buffer| (fill(buffer, round), round)).unwrap();
            assert_eq!(told, round);
            let io = Io { input: at.cast(), ..bench.io(&output, &output) };
            bench.launch(block(32), io, false).unwrap();
            if says_used {
                relay.used().unwrap();
            }
            for (i, entry) in expected.iter_mut().enumerate() {
                *entry = entry.wrapping_mul(31).wrapping_add(word(round, i));
            }
        }
        assert_eq!(relay.moved(), 50 * 4 * WORDS as u64);
        assert_eq!(output.to_vec().unwrap(), expected, "{slots} slots");
    }
}

#[test]
fn the_host_runs_ahead_of_the_kernels() {
    let bench = bench(Faults { endless: Some(1), ..Faults::default() });
    let output = bench.zeros(WORDS).unwrap();
    let mut relay = Relay::new(&bench.gpu, 4 * WORDS, 2, "slots").unwrap();
    // The first kernel does not end, and the host still fills both slots twice: it waits for copies alone.
    for round in 0..3 {
        let (at, ()) = relay.send(|buffer| (fill(buffer, round), ())).unwrap();
        let io = Io { input: at.cast(), ..bench.io(&output, &output) };
        bench.launch(block(32), io, false).unwrap();
        relay.used().unwrap();
    }
    // The copy of the third round waits for the first kernel. A caller can stop the wait for it.
    relay.send(|buffer| (fill(buffer, 3), ())).unwrap();
    let start = Instant::now();
    let error = relay.ready(|| start.elapsed() > Duration::from_millis(20)).unwrap_err();
    assert!(matches!(error, Error::Stopped { .. }), "{error:?}");
    relay.ready(|| false).unwrap();
    relay.send(|buffer| (fill(buffer, 4), ())).unwrap();
}

#[test]
fn slots_count_against_the_budget_and_bytes_may_be_none() {
    let settings = Settings { memory_budget: Some(1000), ..settings() };
    let gpu = Simt::open(&settings, SimtOptions::default()).unwrap();
    let error = Relay::new(&gpu, 501, 2, "the slots").unwrap_err();
    assert!(matches!(&error, Error::OutOfMemory { what, .. } if what == "the slots"), "{error:?}");
    assert_eq!(gpu.memory().unwrap().held, 0);
    let mut relay = Relay::new(&gpu, 500, 2, "the slots").unwrap();
    assert_eq!(gpu.memory().unwrap().held, 1000);
    for _ in 0..5 {
        relay.send(|buffer| (0, buffer.len())).unwrap();
        relay.used().unwrap();
        relay.used().unwrap();
    }
    assert_eq!(relay.moved(), 0);
    drop(relay);
    assert_eq!(gpu.memory().unwrap().held, 0);
}

#[test]
fn a_copy_that_fails_is_an_error_for_good() {
    let bench = bench(Faults { no_copy_stream: true, ..Faults::default() });
    let mut relay = Relay::new(&bench.gpu, 4 * WORDS, 2, "slots").unwrap();
    let fills = Cell::new(0);
    for _ in 0..3 {
        let sent = relay.send(|buffer| {
            fills.set(fills.get() + 1);
            (fill(buffer, 0), ())
        });
        let error = sent.unwrap_err();
        assert!(matches!(&error, Error::Call { call, .. } if call == "copy"), "{error:?}");
        assert!(relay.used().is_err() && relay.ready(|| false).is_err());
    }
    assert_eq!((fills.get(), relay.moved()), (1, 0));
    drop(relay);
    assert_eq!(bench.gpu.memory().unwrap().held, 0, "the memory is free again");
}

#[test]
fn dropping_waits_for_copies_and_kernels() {
    let bench = bench(Faults::default());
    let output = bench.zeros(WORDS).unwrap();
    let mut relay = Relay::new(&bench.gpu, 4 * WORDS, 2, "slots").unwrap();
    let (at, ()) = relay.send(|buffer| (fill(buffer, 7), ())).unwrap();
    let io = Io { input: at.cast(), ..bench.io(&output, &output) };
    bench.launch(blocks(1, 32), io, false).unwrap();
    // A copy that no kernel reads.
    relay.send(|buffer| (fill(buffer, 8), ())).unwrap();
    drop(relay);
    assert!(bench.gpu.lost().is_none());
    assert_eq!(output.to_vec().unwrap()[5], word(7, 5));
}

#[test]
fn a_lost_device_ends_a_relay_without_freeing_what_it_may_use() {
    let bench = bench(Faults { trap: Some(1), ..Faults::default() });
    let output = bench.zeros(WORDS).unwrap();
    let mut relay = Relay::new(&bench.gpu, 4 * WORDS, 2, "slots").unwrap();
    let mut errors = 0;
    for round in 0..8 {
        let sent = relay.send(|buffer| (fill(buffer, round), ()));
        errors += u32::from(sent.is_err());
        if let Ok((at, ())) = sent {
            let io = Io { input: at.cast(), ..bench.io(&output, &output) };
            let _ = bench.launch(block(32), io, false);
        }
    }
    assert!(errors > 0);
    let error = relay.send(|buffer| (fill(buffer, 9), ())).unwrap_err();
    assert!(matches!(error, Error::Lost { .. }), "{error:?}");
}

#[test]
fn a_fill_that_panics_leaves_the_relay_usable() {
    let bench = bench(Faults::default());
    let output = bench.zeros(WORDS).unwrap();
    let mut relay = Relay::new(&bench.gpu, 4 * WORDS, 2, "slots").unwrap();
    relay.send(|buffer| (fill(buffer, 1), ())).unwrap();
    let sending = std::panic::AssertUnwindSafe(|| relay.send(|_| -> (usize, ()) { panic!("on purpose") }));
    assert!(std::panic::catch_unwind(sending).is_err());
    let (at, ()) = relay.send(|buffer| (fill(buffer, 2), ())).unwrap();
    let io = Io { input: at.cast(), ..bench.io(&output, &output) };
    bench.launch(block(32), io, false).unwrap();
    assert_eq!(output.to_vec().unwrap()[3], word(2, 3));
}

#[test]
#[should_panic(expected = "401 bytes for a slot of 400")]
fn no_more_is_sent_than_a_slot_has() {
    let gpu = Simt::open(&settings(), SimtOptions::default()).unwrap();
    let mut relay = Relay::new(&gpu, 400, 2, "slots").unwrap();
    let _ = relay.send(|_| (401, ()));
}
