//! The checks: each runs work with a known answer and reports what it found.

use crate::kernels::{Barrier, Endless, Numbers, Reduce, Turn, Vectors, Warps, Word, kernel};
use std::{
    cell::Cell,
    time::{Duration, Instant},
};
use warpgraph_device::{CopyKind, Device, Error, Gpu, MemoryKind, Shape, Stream};

/// What the check found, or why it failed.
pub(crate) type Seen = Result<String, String>;

pub(crate) fn words(error: Error) -> String {
    error.to_string()
}

pub(crate) fn expect(is_right: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if is_right { Ok(()) } else { Err(otherwise()) }
}

pub(crate) fn shape(grid: u32, block: u32) -> Shape {
    Shape { grid, block, shared: 0 }
}

/// Adds vectors of an odd length, with a grid that does not divide it.
pub(crate) fn vector_add(gpu: &Gpu) -> Seen {
    const COUNT: usize = 100_003;
    let a: Vec<f32> = (0..COUNT).map(|i| i as f32 * 0.5).collect();
    let b: Vec<f32> = (0..COUNT).map(|i| 7.0 - i as f32).collect();
    let run = || {
        let (a, b) = (gpu.array_of(&a, "a")?, gpu.array_of(&b, "b")?);
        let out = gpu.array::<f32>(COUNT, "out")?;
        let arguments =
            Vectors { a: a.address(), b: b.address(), out: out.address(), count: COUNT as u32, unused: 0 };
        // SAFETY: the kernel takes these arrays of this length, which outlive the read below.
        unsafe { gpu.launch(&kernel(gpu, "add")?, shape(7, 160), &arguments) }?;
        out.to_vec()
    };
    let out = run().map_err(words)?;
    match (0..COUNT).find(|&i| out[i] != a[i] + b[i]) {
        Some(i) => Err(format!("entry {i} is {} and should be {}", out[i], a[i] + b[i])),
        None => Ok(format!("{COUNT} entries")),
    }
}

/// Shuffles and ballots of full warps.
pub(crate) fn warps(gpu: &Gpu) -> Seen {
    const WARPS: u32 = 12;
    let run = || {
        let [sums, ballots, last] =
            ["sums", "ballots", "last"].map(|what| gpu.array::<u32>(WARPS as usize, what));
        let (sums, ballots, last) = (sums?, ballots?, last?);
        let arguments = Warps { sums: sums.address(), ballots: ballots.address(), last: last.address() };
        // SAFETY: the kernel writes one entry per warp, and the arrays have that many.
        unsafe { gpu.launch(&kernel(gpu, "warps")?, shape(3, 128), &arguments) }?;
        Ok([sums.to_vec()?, ballots.to_vec()?, last.to_vec()?])
    };
    let [sums, ballots, last] = run().map_err(words)?;
    for warp in 0..WARPS {
        let at = warp as usize;
        let sum: u32 = (warp * 32..warp * 32 + 32).sum();
        let ballot =
            (0..32).filter(|lane| (warp * 32 + lane) % 3 == 0).fold(0, |mask, lane| mask | 1 << lane);
        expect((sums[at], last[at], ballots[at]) == (sum, sum, ballot), || {
            format!("warp {warp}: {} {} {:#x}, not {sum} {sum} {ballot:#x}", sums[at], last[at], ballots[at])
        })?;
    }
    Ok(format!("{WARPS} warps: sums, running sums, ballots"))
}

/// Sums through shared memory and one atomic per block.
pub(crate) fn block_reduce(gpu: &Gpu) -> Seen {
    const COUNT: u64 = 65_537;
    let values: Vec<u64> = (0..COUNT).map(|i| i * i + 1).collect();
    let run = || {
        let (all, total) = (gpu.array_of(&values, "values")?, gpu.array_of(&[0_u64], "total")?);
        let arguments =
            Reduce { values: all.address(), total: total.address(), count: COUNT as u32, unused: 0 };
        // SAFETY: the kernel reads these entries and adds to one word.
        unsafe { gpu.launch(&kernel(gpu, "reduce")?, shape(5, 256), &arguments) }?;
        total.to_vec()
    };
    let (got, expected) = (run().map_err(words)?[0], values.iter().sum::<u64>());
    expect(got == expected, || format!("{got}, not {expected}"))?;
    Ok(format!("{COUNT} entries"))
}

/// Uses more dynamic shared memory than a block has by default.
pub(crate) fn shared_memory(gpu: &Gpu) -> Seen {
    const EACH: u32 = 60 * 1024 / 4;
    let values: Vec<u32> = (0..2 * EACH).collect();
    let run = || {
        let all = gpu.array_of(&values, "values")?;
        let arguments = Turn { values: all.address(), each: EACH, unused: 0 };
        let shape = Shape { grid: 2, block: 256, shared: EACH * 4 };
        // SAFETY: two blocks of `each` entries, with that much shared memory each.
        unsafe { gpu.launch(&kernel(gpu, "turn")?, shape, &arguments) }?;
        all.to_vec()
    };
    let got = run().map_err(words)?;
    let expected: Vec<u32> = (0..EACH).rev().chain((EACH..2 * EACH).rev()).collect();
    expect(got == expected, || "the entries are not turned around".to_owned())?;
    Ok(format!("{} bytes per block", EACH * 4))
}

/// All blocks of the device wait for each other, many times.
pub(crate) fn grid_barrier(gpu: &Gpu) -> Seen {
    const ROUNDS: u32 = 100;
    let run = || {
        let kernel = kernel(gpu, "barrier")?;
        let grid = gpu.coresident_blocks(&kernel, 128, 0)?;
        let slots = gpu.array_of(&vec![0_u32; grid as usize], "slots")?;
        let (arrived, wrong) = (gpu.array_of(&[0_u32], "arrived")?, gpu.array_of(&[0_u32], "wrong")?);
        let (slots_at, arrived_at, wrong_at) = (slots.address(), arrived.address(), wrong.address());
        let arguments =
            Barrier { slots: slots_at, arrived: arrived_at, wrong: wrong_at, rounds: ROUNDS, unused: 0 };
        // SAFETY: one slot per block; the arrays are read below.
        let seconds =
            gpu.timed(|| unsafe { gpu.launch_coresident(&kernel, shape(grid, 128), &arguments) })?;
        // SAFETY: the device refuses the launch.
        let refused = unsafe { gpu.launch_coresident(&kernel, shape(grid + 1, 128), &arguments) };
        Ok((grid, seconds, wrong.to_vec()?[0], arrived.to_vec()?[0], refused))
    };
    let (grid, seconds, wrong, arrived, refused) = run().map_err(words)?;
    expect(wrong == 0 && arrived == grid * ROUNDS * 2, || format!("{wrong} wrong, {arrived} arrived"))?;
    expect(matches!(refused, Err(Error::Call { .. })), || format!("a block too many gave {refused:?}"))?;
    Ok(format!("{grid} blocks, {:.2} us a barrier", seconds * 1e6 / f64::from(2 * ROUNDS)))
}

/// A kernel that polls ends when the wait asks it to stop, and the device keeps working.
pub(crate) fn cancel(gpu: &Gpu) -> Seen {
    let run = || {
        let ended = gpu.array_of(&[0_u32], "ended")?;
        let arguments = Endless { cancel: gpu.cancel_address(), ended: ended.address() };
        // SAFETY: the kernel reads the cancel word and writes one word.
        unsafe { gpu.launch(&kernel(gpu, "endless")?, shape(4, 64), &arguments) }?;
        let (start, asked) = (Instant::now(), Cell::new(None));
        let stopped = gpu.wait(|| {
            let is_time = start.elapsed() > Duration::from_millis(50);
            if is_time {
                asked.set(Some(Instant::now()));
            }
            is_time
        });
        let took = asked.get().map(|asked| asked.elapsed());
        Ok((stopped, took, ended.to_vec()?[0]))
    };
    let (stopped, took, ended) = run().map_err(words)?;
    expect(matches!(stopped, Err(Error::Stopped { .. })), || format!("the wait gave {stopped:?}"))?;
    expect(ended == 1, || "the kernel did not come to its end".to_owned())?;
    vector_add(gpu)?;
    Ok(format!("{:.0} us from asking to ended", took.unwrap_or_default().as_secs_f64() * 1e6))
}

/// Operators give the host's bits: nothing is fused or approximated.
pub(crate) fn arithmetic(gpu: &Gpu) -> Seen {
    const COUNT: usize = 20_001;
    let number = |i: usize, salt: u32| {
        let bits = (i as u32).wrapping_mul(2_654_435_761).wrapping_add(salt).wrapping_mul(2_246_822_519);
        (bits >> 8) as f32 / 4096.0 + 0.1
    };
    let [x, y, z] = [1, 2, 3].map(|salt| (0..COUNT).map(|i| number(i, salt)).collect::<Vec<f32>>());
    let run = || {
        let (x, y, z) = (gpu.array_of(&x, "x")?, gpu.array_of(&y, "y")?, gpu.array_of(&z, "z")?);
        let [fused, divided, rooted] =
            ["fused", "divided", "rooted"].map(|what| gpu.array::<f32>(COUNT, what));
        let (fused, divided, rooted, wide) = (fused?, divided?, rooted?, gpu.array::<f64>(COUNT, "wide")?);
        let arguments = Numbers {
            x: x.address(),
            y: y.address(),
            z: z.address(),
            fused: fused.address(),
            divided: divided.address(),
            rooted: rooted.address(),
            wide: wide.address(),
            count: COUNT as u32,
            unused: 0,
        };
        // SAFETY: all arrays have that many entries.
        unsafe { gpu.launch(&kernel(gpu, "arithmetic")?, shape(8, 128), &arguments) }?;
        Ok((fused.to_vec()?, divided.to_vec()?, rooted.to_vec()?, wide.to_vec()?))
    };
    let (fused, divided, rooted, wide) = run().map_err(words)?;
    let mut would_differ = 0;
    for i in 0..COUNT {
        let (a, b, c) = (f64::from(x[i]), f64::from(y[i]), f64::from(z[i]));
        let apart = x[i] * y[i] + z[i];
        would_differ += u32::from(apart != x[i].mul_add(y[i], z[i]));
        expect(fused[i].to_bits() == apart.to_bits(), || {
            format!("x y + z of entry {i}: {} not {apart}", fused[i])
        })?;
        expect(divided[i].to_bits() == (x[i] / y[i]).to_bits(), || format!("x / y of entry {i}"))?;
        expect(rooted[i].to_bits() == z[i].sqrt().to_bits(), || format!("the root of entry {i}"))?;
        expect(wide[i].to_bits() == (a * b + c / b - c.sqrt()).to_bits(), || format!("f64 of entry {i}"))?;
    }
    expect(would_differ > 0, || "no entry would tell".to_owned())?;
    Ok(format!("{COUNT} entries bit for bit, {would_differ} of which tell fused from not"))
}

/// Two streams with an event between them, and the three kinds of memory, on the bare device.
pub(crate) fn streams(device: &dyn Device) -> Seen {
    const BYTES: usize = 1 << 20;
    let run = || {
        let kinds = [MemoryKind::Pinned, MemoryKind::Device, MemoryKind::Device, MemoryKind::Managed];
        let [host, first, second, managed] = kinds.map(|kind| device.alloc(BYTES, kind));
        let (host, first, second, managed) = (host?, first?, second?, managed?);
        // SAFETY: pinned memory of that size, which nothing else uses yet.
        unsafe { std::ptr::write_bytes(host.host as *mut u8, 0x5a, BYTES) };
        // SAFETY: memory of that size and kind each, alive to the end; the second copy waits for the first by the
        // event.
        unsafe {
            device.copy(Stream::Copy, CopyKind::ToDevice, first.device, host.host, BYTES)?;
            let copied = device.record(Stream::Copy)?;
            device.wait_for(Stream::Compute, copied)?;
            device.copy(Stream::Compute, CopyKind::Within, second.device, first.device, BYTES)?;
            device.fill(Stream::Compute, managed.device, 0x11, BYTES)?;
            let mut back = vec![0_u8; BYTES];
            device.copy(Stream::Compute, CopyKind::ToHost, back.as_mut_ptr() as u64, second.device, BYTES)?;
            let done = device.record(Stream::Compute)?;
            while !device.is_done(done)? {}
            let shared = std::slice::from_raw_parts(managed.host as *const u8, BYTES).to_vec();
            let (free, seconds) = (device.memory()?.free, device.seconds_between(copied, done)?);
            for event in [copied, done] {
                device.forget(event);
            }
            for memory in [host, first, second, managed] {
                device.free(memory);
            }
            Ok((back, shared, free, device.memory()?, seconds))
        }
    };
    let (back, shared, before, info, seconds) = run().map_err(words)?;
    expect(back.iter().all(|&byte| byte == 0x5a), || "the bytes did not come back".to_owned())?;
    expect(shared.iter().all(|&byte| byte == 0x11), || "managed memory is not what was written".to_owned())?;
    expect(info.held == 0 && info.peak >= 3 * BYTES as u64 && info.free >= before, || format!("{info:?}"))?;
    expect(seconds >= 0.0, || format!("{seconds} s between the events"))?;
    Ok(format!("{BYTES} bytes through both, pinned, device and managed"))
}

/// Asks for more memory than any device has. The error must tell what is free.
pub(crate) fn no_room(gpu: &Gpu) -> Seen {
    for answer in
        [gpu.array::<u8>(1 << 50, "a pebibyte").map(drop), gpu.pinned::<u8>(1 << 50, "a pebibyte").map(drop)]
    {
        match answer {
            Err(Error::OutOfMemory { free, total, .. }) if 0 < free && free <= total => {}
            other => return Err(format!("{other:?}")),
        }
    }
    // The driver itself must refuse this: clearly more than the half that is left, including all idle memory.
    let info = gpu.memory().map_err(words)?;
    let half = gpu.array::<u8>(info.free as usize / 2, "half").map_err(words)?;
    let beside = (info.free - info.free / 2 + info.held + info.total / 8) as usize;
    let refused = gpu.array::<u8>(beside, "the other half and more").map(drop);
    expect(matches!(refused, Err(Error::OutOfMemory { .. })), || {
        format!("{beside} bytes beside half: {refused:?}")
    })?;
    drop(half);
    vector_add(gpu)?;
    Ok(format!("{} of {} MiB free", info.free >> 20, info.total >> 20))
}

/// A budget is kept, and freed memory counts as free again.
pub(crate) fn budget(gpu: &Gpu, budget: u64) -> Seen {
    let all = gpu.array::<u8>(budget as usize, "all of it").map_err(words)?;
    let refused = gpu.array::<u8>(1, "one more").map(drop);
    expect(matches!(refused, Err(Error::OutOfMemory { free: 0, .. })), || {
        format!("one more gave {refused:?}")
    })?;
    drop(all);
    let _again = gpu.array::<u8>(budget as usize, "all again").map_err(words)?;
    Ok(format!("{budget} bytes"))
}

/// A kernel that traps loses the device for good.
pub(crate) fn trap(gpu: &Gpu) -> Seen {
    let word = gpu.array_of(&[0_u32], "word").map_err(words)?;
    // SAFETY: the kernel writes one word.
    let launched = kernel(gpu, "trap_here")
        .and_then(|kernel| unsafe { gpu.launch(&kernel, shape(1, 32), &Word { word: word.address() }) });
    launched.map_err(words)?;
    let error = match gpu.finish() {
        Err(error @ Error::Lost { .. }) => error.to_string(),
        other => return Err(format!("waiting for it gave {other:?}")),
    };
    expect(error.contains("trap_here"), || format!("the kernel is not named: {error}"))?;
    for later in [gpu.memory().map(drop), word.to_vec().map(drop), gpu.array::<u8>(1, "more").map(drop)] {
        let later = later.err().map(|later| later.to_string());
        expect(later.as_ref() == Some(&error), || format!("later {later:?}, not {error:?}"))?;
    }
    Ok(error)
}
