//! A kernel in progress.

use super::{
    buffer::Buffer,
    module::{Function, Module},
    report::{Place, Report},
    stacks::{STACK_BYTES, Stacks},
};
use crate::{Result, Shape};
use std::{
    ffi::c_void,
    time::{Duration, Instant},
};

/// Blocks that run at a time: two multiprocessors of two blocks.
pub(super) const RESIDENT: usize = 4;
pub(super) const BLOCK_THREADS: u32 = 1024;
pub(super) const BLOCK_SHARED: u32 = 48 << 10;
const LANES: u32 = 32;

/// As `wg::Launch`.
#[repr(C)]
pub(super) struct Launch {
    kernel: unsafe extern "C" fn(*const c_void),
    args: *const c_void,
    grid: u32,
    block: u32,
    shared: u32,
    resident: u32,
    seed: u64,
    first: u64,
    step: u64,
    stacks: *mut u8,
    stack_bytes: u64,
    stack_count: u32,
    warps: u32,
    dynamic: [*mut u8; RESIDENT],
    saved: [*mut u8; RESIDENT],
}

/// What is launched.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) function: Function,
    pub(super) shape: Shape,
    pub(super) arguments: Vec<u8>,
    /// All blocks at once.
    pub(super) resident: bool,
    pub(super) seed: u64,
}

/// What became of a kernel after a slice.
#[derive(Debug)]
pub(super) enum Progress {
    /// It goes on.
    Running,
    /// It goes on, but its threads only wait for something to change.
    Idle,
    /// It is done.
    Done,
    /// It is lost, with the reason.
    Failed(String),
}

/// A kernel that has begun. The buffers are what the runtime has the addresses of.
#[derive(Debug)]
pub(super) struct Running {
    module: usize,
    place: Place,
    _arguments: Buffer,
    _shared: Vec<Buffer>,
    /// Since when its threads only poll, and what had happened until then.
    idle: Option<(Instant, u64)>,
    poll_limit: Duration,
}

impl Running {
    /// Begins a launch. Nothing runs before `resume`.
    ///
    /// # Safety
    /// The kernel takes these arguments, and they are good until it is done; no other kernel of the device is in progress.
    pub(super) unsafe fn start(
        module: &Module,
        order: &Order,
        stacks: &mut Stacks,
        poll_limit: Duration,
    ) -> Result<Self> {
        let Order { function, shape, .. } = order;
        let slots = if order.resident { shape.grid as usize } else { 1 };
        let stack_count = slots * shape.block as usize;
        let arguments = Buffer::of(&order.arguments);
        let mut shared = Vec::new();
        let mut buffers = |bytes: usize| {
            let mut at = [std::ptr::null_mut(); RESIDENT];
            for at in &mut at[..slots] {
                let buffer = Buffer::new(bytes);
                *at = buffer.address();
                shared.push(buffer);
            }
            at
        };
        let (first, step) = block_order(order.seed, shape.grid);
        let launch = Launch {
            kernel: function.entry,
            args: arguments.address().cast(),
            grid: shape.grid,
            block: shape.block,
            shared: shape.shared,
            resident: u32::from(order.resident),
            seed: mix(order.seed),
            first,
            step,
            stacks: stacks.at_least(stack_count)?,
            stack_bytes: STACK_BYTES as u64,
            stack_count: stack_count as u32,
            warps: shape.block.div_ceil(LANES),
            dynamic: buffers(shape.shared as usize),
            saved: buffers(module.static_shared),
        };
        // SAFETY: the runtime copies the struct, and all it points to lives in `Self` and `stacks`, which grow only here, when
        // nothing is in progress.
        unsafe { (module.start)(&raw const launch) };
        let place = Place { kernel: function.name, file: format!("{}.cu", module.name) };
        Ok(Self {
            module: function.module,
            place,
            _arguments: arguments,
            _shared: shared,
            idle: None,
            poll_limit,
        })
    }

    /// The number of its module.
    pub(super) fn module(&self) -> usize {
        self.module
    }

    /// Runs about as many switches between threads as `turns` says.
    ///
    /// # Safety
    /// `module` is the one it was started with, and it is neither done nor failed.
    pub(super) unsafe fn resume(&mut self, module: &Module, turns: u64) -> Progress {
        // SAFETY: started, and not yet at its end, by the caller's promise.
        match unsafe { (module.resume)(turns) } {
            0 => {
                self.idle = None;
                Progress::Running
            }
            // SAFETY: as above.
            1 => unsafe { self.judge_idle(module) },
            2 => Progress::Done,
            _ => Progress::Failed(self.report(module).text(&self.place)),
        }
    }

    /// All its threads poll: that is fine for a while, since the host may change what they look at.
    ///
    /// # Safety
    /// As for `resume`.
    unsafe fn judge_idle(&mut self, module: &Module) -> Progress {
        // SAFETY: it reads a number.
        let steps = unsafe { (module.steps)() };
        let since = match self.idle {
            Some((since, before)) if before == steps => since,
            _ => self.idle.insert((Instant::now(), steps)).0,
        };
        if since.elapsed() < self.poll_limit {
            return Progress::Idle;
        }
        // SAFETY: the kernel is in progress, so its threads can be listed.
        unsafe { (module.list_waiting)() };
        let (kernel, waiting) = (self.place.kernel, self.report(module).waiting(&self.place));
        let seconds = self.poll_limit.as_secs_f64();
        Progress::Failed(format!(
            "kernel {kernel} waits for ever, nothing happened for {seconds} s: {waiting}"
        ))
    }

    fn report(&self, module: &Module) -> Report {
        // SAFETY: it gives the address of a static of the module.
        unsafe { *(module.report)() }
    }
}

/// A seed as bits that differ everywhere from those of the next seed (splitmix64).
pub(super) fn mix(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// An order of blocks: the first and a step that meets all of them.
fn block_order(seed: u64, grid: u32) -> (u64, u64) {
    let (grid, random) = (u64::from(grid.max(1)), mix(seed ^ 0x5bd1));
    let mut step = 1 + random % grid;
    while greatest_common_divisor(step, grid) != 1 {
        step += 1;
    }
    ((random >> 32) % grid, step)
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_of_blocks_has_each_once_and_depends_on_the_seed() {
        let order = |seed, grid: u32| -> Vec<u64> {
            let (first, step) = block_order(seed, grid);
            (0..u64::from(grid)).map(|i| (first + i * step) % u64::from(grid)).collect()
        };
        for grid in [1, 2, 12, 97, 360] {
            let mut blocks = order(7, grid);
            blocks.sort_unstable();
            assert!(blocks.into_iter().eq(0..u64::from(grid)));
        }
        assert_ne!(order(7, 97), order(8, 97));
    }
}
