//! A carrier: kernels read what was copied for them, copies leave alone what kernels still read, and errors are kept.

use crate::common::{Bench, Io, blocks, body};
use std::sync::Arc;
use warpgraph_device::{
    Address, Carrier, Channel, Error, bytemuck,
    simt::{Faults, SimtOptions},
};

const WORDS: usize = 64;
const PARTS: usize = 12;
/// Adds the words of a place to the output.
const ADD: &str = "for (u32 i = thread_in_block(); i < args.count; i += 32)
    args.output[i] = args.output[i] * 31 + args.input[i];";

fn bench(faults: Faults) -> Bench {
    Bench::with(&body(ADD), SimtOptions { faults, ..SimtOptions::default() })
}

/// Returns a channel from some parts of words to this many places.
fn channel(bench: &Bench, places: usize) -> Arc<Channel> {
    let words: Vec<u32> = (0..(PARTS * WORDS) as u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let shared = bench.gpu.share_copied::<u8>(bytemuck::cast_slice(&words), "parts").unwrap();
    Arc::new(Channel::new(shared, bench.gpu.array(places * WORDS, "places").unwrap()))
}

fn part(number: usize) -> std::ops::Range<usize> {
    4 * number * WORDS..4 * (number + 1) * WORDS
}

#[test]
fn kernels_read_the_part_that_was_copied_for_them() {
    for places in [1, 2, 5] {
        let bench = bench(Faults::default());
        let (channel, output) = (channel(&bench, places), bench.zeros(WORDS).unwrap());
        let mut carrier = Carrier::new(&bench.gpu);
        let mut expected = vec![0_u32; WORDS];
        for turn in 0..40 {
            let (from, place) = (turn * 7 % PARTS, turn % places);
            carrier.after_kernels().unwrap();
            // SAFETY: kernels that read the place were launched before, or are launched after the copy has landed.
            unsafe { carrier.carry(&channel, part(from), 4 * place * WORDS) }.unwrap();
            carrier.landing().unwrap().before_kernels().unwrap();
            let input = Address::new(channel.target().address().raw() + 4 * (place * WORDS) as u64);
            bench.launch(blocks(1, 32), Io { input, ..bench.io(&output, &output) }, false).unwrap();
            for (i, entry) in expected.iter_mut().enumerate() {
                let word = ((from * WORDS + i) as u32).wrapping_mul(0x9e37_79b9);
                *entry = entry.wrapping_mul(31).wrapping_add(word);
            }
        }
        assert_eq!(carrier.moved(), 40 * 4 * WORDS as u64);
        drop(carrier);
        assert_eq!(output.to_vec().unwrap(), expected, "{places} places");
    }
}

#[test]
fn a_copy_that_fails_is_the_error_of_every_later_call_and_the_device_answers() {
    let bench = bench(Faults { no_copy_stream: true, ..Faults::default() });
    let channel = channel(&bench, 1);
    let mut carrier = Carrier::new(&bench.gpu);
    for _ in 0..2 {
        // SAFETY: no kernel is launched.
        let error = unsafe { carrier.carry(&channel, part(0), 0) }.unwrap_err();
        assert!(matches!(error, Error::Call { .. }), "{error:?}");
    }
    assert!(carrier.landing().is_err() && carrier.after_kernels().is_err());
    drop((carrier, channel));
    assert_eq!(bench.run(blocks(1, 32), &[5; WORDS], WORDS, false).unwrap(), [5; WORDS]);
    assert_eq!(bench.gpu.memory().unwrap().held, 0);
}

#[test]
fn a_copy_that_fails_amid_others_leaves_those_before_it_and_the_next_carrier_copies() {
    let bench = bench(Faults { copy: Some(3), ..Faults::default() });
    let channel = channel(&bench, 2);
    let landed = |place: usize, expected: usize| {
        let input = Address::new(channel.target().address().raw() + 4 * (place * WORDS) as u64);
        let output = bench.zeros(WORDS).unwrap();
        bench.launch(blocks(1, 32), Io { input, ..bench.io(&output, &output) }, false).unwrap();
        let word = |i| ((expected * WORDS + i) as u32).wrapping_mul(0x9e37_79b9);
        assert_eq!(output.to_vec().unwrap(), (0..WORDS).map(word).collect::<Vec<_>>(), "place {place}");
    };
    let mut carrier = Carrier::new(&bench.gpu);
    // SAFETY: no kernel is launched before the carrier has waited for its copies.
    unsafe {
        carrier.carry(&channel, part(4), 0).unwrap();
        carrier.carry(&channel, part(5), 4 * WORDS).unwrap();
        assert!(matches!(carrier.carry(&channel, part(6), 0), Err(Error::Call { .. })));
    }
    assert!(carrier.landing().is_err());
    drop(carrier);
    landed(0, 4);
    landed(1, 5);
    let mut next = Carrier::new(&bench.gpu);
    // SAFETY: every kernel has ended, and the next one is launched after the copy.
    unsafe { next.carry(&channel, part(6), 0) }.unwrap();
    next.landing().unwrap().before_kernels().unwrap();
    landed(0, 6);
}

#[test]
fn dropping_a_carrier_waits_for_its_copies() {
    let bench = bench(Faults::default());
    let channel = channel(&bench, 3);
    let mut carrier = Carrier::new(&bench.gpu);
    // SAFETY: no kernel is launched.
    unsafe { carrier.carry(&channel, part(3), 0) }.unwrap();
    let weak = Arc::downgrade(&channel);
    drop(channel);
    assert!(weak.upgrade().is_some(), "a copy may be using it");
    drop(carrier);
    assert!(weak.upgrade().is_none());
    assert_eq!(bench.gpu.memory().unwrap().held, 0);
}

#[test]
#[should_panic(expected = "bytes 3072..3328 of 3072")]
fn no_bytes_beyond_the_source_are_copied() {
    let bench = bench(Faults::default());
    let channel = channel(&bench, 1);
    // SAFETY: the call panics.
    let _ = unsafe { Carrier::new(&bench.gpu).carry(&channel, part(PARTS), 0) };
}
