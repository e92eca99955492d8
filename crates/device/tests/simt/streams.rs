//! Streams: work runs only when it is needed, and in order where order is required.

use crate::common::{Bench, Io, block, body, settings};
use warpgraph_device::{
    CopyKind, Device, MemoryKind, Stream, bytemuck,
    simt::{Simt, SimtOptions},
};

struct Words {
    device: Box<dyn Device>,
    /// A word of device memory and one of pinned memory.
    there: u64,
    here: *mut u32,
}

impl Words {
    fn new() -> Self {
        let device = Simt::device(&settings(), SimtOptions::default()).unwrap();
        let there = device.alloc(4, MemoryKind::Device).unwrap().device;
        let here = device.alloc(4, MemoryKind::Pinned).unwrap().host as *mut u32;
        Self { device, there, here }
    }

    fn set(&self, value: u32) {
        // SAFETY: pinned memory, and nothing of the device runs meanwhile.
        unsafe { *self.here = value };
    }

    fn copy(&self, stream: Stream) {
        // SAFETY: both have 4 bytes and live as long as the device.
        unsafe { self.device.copy(stream, CopyKind::ToDevice, self.there, self.here as u64, 4) }.unwrap();
    }

    fn fill(&self, stream: Stream, byte: u8) {
        // SAFETY: a word of its own.
        unsafe { self.device.fill(stream, self.there, byte, 4) }.unwrap();
    }

    /// Returns the word of device memory after all work in the compute stream.
    fn get(&self) -> u32 {
        let mut word = 0u32;
        let to = (&raw mut word) as u64;
        // SAFETY: both have 4 bytes. The host memory is not pinned, so the copy has finished when this returns.
        unsafe { self.device.copy(Stream::Compute, CopyKind::ToHost, to, self.there, 4) }.unwrap();
        word
    }

    fn wait(&self, stream: Stream) {
        let event = self.device.record(stream).unwrap();
        while !self.device.is_done(event).unwrap() {}
        self.device.forget(event);
    }
}

#[test]
fn commands_of_a_stream_run_in_order() {
    let words = Words::new();
    words.set(5);
    words.copy(Stream::Compute);
    words.fill(Stream::Compute, 1);
    assert_eq!(words.get(), 0x0101_0101);
    words.copy(Stream::Compute);
    assert_eq!(words.get(), 5);
}

#[test]
fn a_copy_of_the_other_stream_happens_at_the_last_moment() {
    let words = Words::new();
    words.set(1);
    words.copy(Stream::Copy);
    // No call waited for it, so it has not run yet. When it runs, it copies the value of that time.
    assert_eq!(words.get(), 0xcdcd_cdcd);
    words.set(2);
    words.wait(Stream::Copy);
    assert_eq!(words.get(), 2);
}

#[test]
fn a_stream_waits_for_an_event_of_the_other_one() {
    let words = Words::new();
    words.set(1);
    words.copy(Stream::Copy);
    let event = words.device.record(Stream::Copy).unwrap();
    words.device.wait_for(Stream::Compute, event).unwrap();
    words.device.forget(event);
    // After the event, so the stream does not wait for it.
    words.fill(Stream::Copy, 9);
    assert_eq!(words.get(), 1);
    words.wait(Stream::Copy);
    assert_eq!(words.get(), 0x0909_0909);
}

#[test]
fn events_of_both_streams_may_wait_for_each_other_in_turn() {
    let words = Words::new();
    let mut streams = [Stream::Compute, Stream::Copy];
    for byte in 1..=6 {
        words.fill(streams[0], byte);
        let event = words.device.record(streams[0]).unwrap();
        words.device.wait_for(streams[1], event).unwrap();
        streams.swap(0, 1);
    }
    words.wait(Stream::Compute);
    assert_eq!(words.get(), 0x0606_0606);
}

#[test]
fn nothing_runs_when_it_is_launched() {
    let bench = Bench::new(&body("args.output[0] = args.input[0];"));
    let mut input = bench.gpu.pinned::<u32>(1, "input").unwrap();
    let output = bench.zeros(1).unwrap();
    let io = Io { input: input.address(), ..bench.io(&output, &output) };
    bench.launch(block(1), io, false).unwrap();
    input.set(0, 7);
    bench.gpu.finish().unwrap();
    assert_eq!(output.to_vec().unwrap(), [7]);
}

#[test]
fn a_long_kernel_runs_in_slices_and_its_time_is_measured() {
    let source = body("for (u32 i = 0; i < 20000; i++) warp_sync(FULL_WARP);");
    let device = Simt::device(&settings(), SimtOptions::default()).unwrap();
    let module = device.compile(&source).unwrap();
    let kernel = device.function(module, "k").unwrap();
    let from = device.record(Stream::Compute).unwrap();
    let io: Io = bytemuck::Zeroable::zeroed();
    // SAFETY: the kernel takes an Io and touches nothing.
    unsafe { device.launch(Stream::Compute, kernel, block(64), bytemuck::bytes_of(&io)) }.unwrap();
    let to = device.record(Stream::Compute).unwrap();
    assert!(device.seconds_between(from, to).is_err());
    let mut slices = 1;
    while !device.is_done(to).unwrap() {
        slices += 1;
    }
    // 1.28 M switches, 0.2 M per slice.
    assert!((4..=12).contains(&slices), "{slices} slices");
    let seconds = device.seconds_between(from, to).unwrap();
    assert!(seconds > 0.0 && seconds < 10.0, "{seconds} s");
}

#[test]
fn a_kernel_is_resumed_from_another_thread() {
    let text = "u32 x = 0; for (u32 i = 0; i < 20000; i++) x += warp_ballot(FULL_WARP, i % 2) & 1;
        args.output[thread_in_block()] = x;";
    let bench = Bench::new(&body(text));
    let output = bench.zeros(64).unwrap();
    bench.launch(block(64), bench.io(&output, &output), false).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| bench.gpu.finish().unwrap());
        }
    });
    assert_eq!(output.to_vec().unwrap(), [10000; 64]);
}
