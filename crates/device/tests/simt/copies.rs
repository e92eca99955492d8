//! Large arrays travel through the ring of pinned buffers, small ones do not; both arrive.

use crate::common::{Bench, Io, block, body, settings};
use std::sync::Mutex;
use warpgraph_device::{
    Error, Gpu,
    simt::{Faults, Simt, SimtOptions},
};

const CHUNK: usize = 4 << 20;

fn gpu(faults: Faults) -> Gpu {
    Simt::open(&settings(), SimtOptions { faults, ..SimtOptions::default() }).unwrap()
}

fn values(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect()
}

#[test]
fn arrays_of_every_size_come_back_as_they_went() {
    for no_pinning in [false, true] {
        let gpu = gpu(Faults { no_pinning, ..Faults::default() });
        for bytes in [4, CHUNK, 2 * CHUNK - 4, 2 * CHUNK, 2 * CHUNK + 4, 5 * CHUNK + 12, 40 * CHUNK] {
            let sent = values(bytes / 4);
            let array = gpu.array_of(&sent, "values").unwrap();
            let mut back = vec![0; sent.len()];
            array.read(&mut back).unwrap();
            assert!(sent == back, "{bytes} bytes");
        }
    }
}

#[test]
fn every_byte_is_looked_at_once_before_it_travels() {
    for no_pinning in [false, true] {
        let gpu = gpu(Faults { no_pinning, ..Faults::default() });
        let parts = [values(7 * CHUNK / 4 + 3), values(5), values(0), values(3 * CHUNK / 4)];
        let mut arrays: Vec<_> =
            parts.iter().map(|part| gpu.array::<u32>(part.len(), "part").unwrap()).collect();
        let parcels: Vec<_> = arrays.iter_mut().zip(&parts).map(|(array, part)| array.parcel(part)).collect();
        let seen = Mutex::new(Vec::new());
        gpu.send(&parcels, |number, at, bytes| {
            let whole: &[u8] = bytemuck::cast_slice(&parts[number]);
            assert_eq!(bytes, &whole[at..at + bytes.len()]);
            seen.lock().unwrap().push((number, at, bytes.len()));
            true
        })
        .unwrap();
        let mut seen = seen.into_inner().unwrap();
        seen.sort_unstable();
        for (number, part) in parts.iter().enumerate() {
            let mut end = 0;
            for &(_, at, len) in seen.iter().filter(|(of, ..)| *of == number) {
                assert!(at == end && at % (1 << 20) == 0 && (1..=CHUNK).contains(&len), "{at} {len}");
                end = at + len;
            }
            assert_eq!(end, 4 * part.len(), "part {number}");
        }
        for (array, part) in arrays.iter().zip(&parts) {
            assert!(array.to_vec().unwrap() == *part);
        }
    }
}

#[test]
fn a_look_can_stop_the_copy_and_the_ring_works_on() {
    let gpu = gpu(Faults::default());
    let sent = values(20 * CHUNK / 4);
    let mut array = gpu.array::<u32>(sent.len(), "values").unwrap();
    let stopped = gpu.send(&[array.parcel(&sent)], |_, at, _| at < 10 * CHUNK);
    assert!(matches!(stopped, Err(Error::Stopped { .. })), "{stopped:?}");
    array.write(&sent).unwrap();
    assert!(array.to_vec().unwrap() == sent);
}

#[test]
fn a_look_that_panics_leaves_the_ring_usable() {
    let gpu = gpu(Faults::default());
    let sent = values(20 * CHUNK / 4);
    let mut array = gpu.array::<u32>(sent.len(), "values").unwrap();
    let sending = std::panic::AssertUnwindSafe(|| {
        gpu.send(&[array.parcel(&sent)], |_, at, _| {
            assert!(at < 10 * CHUNK, "on purpose");
            true
        })
    });
    assert!(std::panic::catch_unwind(sending).is_err());
    array.write(&sent).unwrap();
    assert!(array.to_vec().unwrap() == sent);
}

#[test]
fn a_copy_waits_for_the_kernels_before_it() {
    let bench = Bench::new(&body("args.output[thread_in_block()] = args.other;"));
    let sent = values(3 * CHUNK / 4);
    let mut array = bench.gpu.array_of(&vec![7; sent.len()], "values").unwrap();
    let io = Io { other: 9, ..bench.io(&array, &array) };
    bench.launch(block(32), io, false).unwrap();
    let mut back = vec![0; sent.len()];
    array.read(&mut back).unwrap();
    assert!(back[..32] == [9; 32] && back[32] == 7, "the kernel ran before the array was read");
    bench.launch(block(32), io, false).unwrap();
    array.write(&sent).unwrap();
    assert!(array.to_vec().unwrap() == sent, "the kernel ran before the array was written");
}
