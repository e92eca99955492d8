//! Checks kernels that read memory which is not the device's own: host memory in place, managed memory, and bytes that
//! are sent ahead. Each sums values and reports how fast the kernel read them.

use crate::{
    checks::{Seen, expect, shape, words},
    kernels::{Reduce, kernel},
};
use std::{ops::Deref, sync::Arc};
use warpgraph_device::{Address, Advice, Gpu, Relay, Result, bytemuck};

/// Part of some values, which starts and ends inside of pages.
#[derive(Clone)]
struct Part {
    whole: Arc<Vec<u64>>,
    from: usize,
    len: usize,
}

impl Deref for Part {
    type Target = [u64];
    fn deref(&self) -> &[u64] {
        &self.whole[self.from..self.from + self.len]
    }
}

fn values(count: usize) -> Vec<u64> {
    (0..count as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
}

fn sum(values: &[u64]) -> u64 {
    values.iter().copied().fold(0, u64::wrapping_add)
}

/// Returns how many values to use: 256 MiB, or less on a small device.
fn count(gpu: &Gpu) -> usize {
    (256 << 20).min(gpu.properties().memory / 16) as usize / 8
}

/// Launches a kernel that adds values to a total.
///
/// # Safety
/// There are that many values, and they and the total stay there until the kernel ends.
unsafe fn add(gpu: &Gpu, values: Address<u64>, count: usize, total: Address<u64>) -> Result<()> {
    let arguments = Reduce { values, total, count: count as u32, unused: 0 };
    let grid = 4 * gpu.properties().multiprocessors;
    // SAFETY: the caller's promise.
    unsafe { gpu.launch(&kernel(gpu, "reduce")?, shape(grid, 256), &arguments) }
}

/// Returns the sum of values as a kernel finds it, and the gigabytes per second at which it read them.
///
/// # Safety
/// There are that many values.
unsafe fn read(gpu: &Gpu, values: Address<u64>, count: usize) -> Result<(u64, f64)> {
    let total = gpu.array_of(&[0_u64], "total")?;
    // SAFETY: the caller's promise; the total outlives the wait of `timed`.
    let seconds = gpu.timed(|| unsafe { add(gpu, values, count, total.address()) })?;
    Ok((total.to_vec()?[0], (8 * count) as f64 / seconds / 1e9))
}

/// Reads plain memory in place, and a mapped file if the system has them.
pub(crate) fn in_place(gpu: &Gpu) -> Seen {
    let whole = Arc::new(values(count(gpu)));
    let part = Part { from: 3, len: whole.len() - 5, whole };
    let mut seen = vec![share(gpu, "plain memory", part.clone())?];
    #[cfg(target_os = "linux")]
    seen.push(share(gpu, "a mapped file", file::Mapped::of(&part).map_err(|error| error.to_string())?)?);
    expect(gpu.shared_bytes() == 0, || format!("{} bytes are still shared", gpu.shared_bytes()))?;
    Ok(seen.join(", "))
}

fn share(gpu: &Gpu, what: &str, owner: impl Deref<Target = [u64]> + Send + Sync + 'static) -> Seen {
    let (expected, len) = (sum(&owner), owner.len());
    let shared = gpu.share(owner, what).map_err(words)?;
    // SAFETY: all of the shared values.
    let (found, speed) = unsafe { read(gpu, shared.address(), len) }.map_err(words)?;
    expect(found == expected, || format!("{what}: the sum is {found} and should be {expected}"))?;
    Ok(format!("{what} {}at {speed:.1} GB/s", if shared.is_copy() { "(copied) " } else { "" }))
}

/// Shares arrays that lie in one page, and copies memory of which a part is shared.
pub(crate) fn pages(gpu: &Gpu) -> Seen {
    let whole = Arc::new(values(100_000));
    let part = |from, len| Part { whole: whole.clone(), from, len };
    let run = || {
        let parts = [part(1000, 30_000), part(31_000, 40_000), part(71_000, 5), part(1000, 30_000)];
        let shared = parts.clone().map(|part| gpu.share(part, "part"));
        let mut copies = 0;
        for (part, shared) in parts.iter().zip(shared) {
            let shared = shared?;
            copies += u32::from(shared.is_copy());
            // SAFETY: all of the shared values.
            let (found, _) = unsafe { read(gpu, shared.address(), part.len()) }?;
            let sent = gpu.array_of(&part.whole[500..99_000], "sent")?.to_vec()?;
            if found != sum(part) || sent != part.whole[500..99_000] {
                return Ok(Err("values differ".to_owned()));
            }
        }
        Ok(Ok(format!("4 arrays in shared pages, {copies} of them copied")))
    };
    run().map_err(words)?
}

/// Reads managed memory: cold, after a move to the device, and again.
pub(crate) fn managed(gpu: &Gpu) -> Seen {
    let values = values(count(gpu));
    let expected = sum(&values);
    let mut seen = Vec::new();
    for advice in [Advice::None, Advice::ReadMostly] {
        let run = || {
            let managed = gpu.managed_of(&values, advice, "values")?;
            // SAFETY: all of the values.
            let read = || unsafe { read(gpu, managed.address(), values.len()) };
            let (first, again) = (read()?, read()?);
            managed.evict()?;
            let cold = read()?;
            managed.evict()?;
            managed.prefetch(0..managed.bytes() as usize)?;
            gpu.finish()?;
            Ok([first, again, cold, read()?])
        };
        let found = run().map_err(words)?;
        expect(found.iter().all(|(sum, _)| *sum == expected), || format!("{found:?}, not {expected}"))?;
        let [first, again, cold, moved] = found.map(|(_, speed)| speed);
        seen.push(format!("{advice:?} {first:.1} first, {again:.1} again, {cold:.1} cold, {moved:.1} moved"));
    }
    Ok(format!("GB/s: {}", seen.join("; ")))
}

/// Sends values ahead of the kernels that read them.
pub(crate) fn relay(gpu: &Gpu) -> Seen {
    let values = values(count(gpu));
    let each = values.len().div_ceil(40);
    let run = || {
        let total = gpu.array_of(&[0_u64], "total")?;
        let mut relay = Relay::new(gpu, 8 * each, 3, "slots")?;
        let seconds = gpu.timed(|| {
            values.chunks(each).try_for_each(|piece| {
                let bytes: &[u8] = bytemuck::cast_slice(piece);
                let (at, ()) = relay.send(|buffer| {
                    buffer[..bytes.len()].copy_from_slice(bytes);
                    (bytes.len(), ())
                })?;
                // SAFETY: that many values are in the slot, which is not sent again before the kernel has ended.
                unsafe { add(gpu, at.cast(), piece.len(), total.address()) }?;
                relay.used()
            })
        })?;
        Ok((total.to_vec()?[0], relay.moved(), seconds))
    };
    let (found, moved, seconds) = run().map_err(words)?;
    let expected = sum(&values);
    expect(found == expected, || format!("the sum is {found} and should be {expected}"))?;
    Ok(format!("{} MiB at {:.1} GB/s, filled by one thread", moved >> 20, moved as f64 / seconds / 1e9))
}

#[cfg(target_os = "linux")]
mod file {
    use std::{io, io::Write, ops::Deref, os::fd::AsRawFd};
    use warpgraph_device::bytemuck;

    /// Values in a file that is mapped and cannot be written.
    pub(super) struct Mapped {
        at: *const u64,
        len: usize,
    }

    // SAFETY: nothing writes to the mapped memory.
    unsafe impl Send for Mapped {}
    // SAFETY: as above.
    unsafe impl Sync for Mapped {}

    impl Mapped {
        /// Writes values to a new file and maps it.
        pub(super) fn of(values: &[u64]) -> io::Result<Self> {
            let mut file = tempfile::tempfile()?;
            file.write_all(bytemuck::cast_slice(values))?;
            let (read, shared) = (libc::PROT_READ, libc::MAP_SHARED);
            // SAFETY: a new mapping of a whole file, at an address that the system chooses.
            let at = unsafe {
                libc::mmap(std::ptr::null_mut(), size_of_val(values), read, shared, file.as_raw_fd(), 0)
            };
            if at == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            Ok(Self { at: at.cast(), len: values.len() })
        }
    }

    impl Deref for Mapped {
        type Target = [u64];
        fn deref(&self) -> &[u64] {
            // SAFETY: mapped with that many values, until this is dropped; only this process has the file.
            unsafe { std::slice::from_raw_parts(self.at, self.len) }
        }
    }

    impl Drop for Mapped {
        fn drop(&mut self) {
            // SAFETY: mapped in `of` with this size.
            unsafe { libc::munmap(self.at.cast_mut().cast(), 8 * self.len) };
        }
    }
}
