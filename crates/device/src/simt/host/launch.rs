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

/// Blocks that run at the same time: two on each of two multiprocessors.
pub(super) const RESIDENT: usize = 4;
pub(super) const BLOCK_THREADS: u32 = 1024;
pub(super) const BLOCK_SHARED: u32 = 48 << 10;
const LANES: u32 = 32;

/// The same struct as `wg::Launch` of the runtime.
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

/// A launch that was queued.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) function: Function,
    pub(super) shape: Shape,
    pub(super) arguments: Vec<u8>,
    /// Whether all blocks run at the same time.
    pub(super) resident: bool,
    pub(super) seed: u64,
}

/// The state of a kernel after a slice.
#[derive(Debug)]
pub(super) enum Progress {
    /// The kernel has more work to do.
    Running,
    /// The kernel has not ended, but all its threads wait for a value to change.
    Idle,
    /// The kernel has ended.
    Done,
    /// The kernel failed, for this reason.
    Failed(String),
}

/// A kernel that has begun. It owns the buffers whose addresses the runtime holds.
#[derive(Debug)]
pub(super) struct Running {
    module: usize,
    place: Place,
    _arguments: Buffer,
    _shared: Vec<Buffer>,
    /// When its threads began to do nothing but poll, and the value of `steps` at that time.
    idle: Option<(Instant, u64)>,
    poll_limit: Duration,
}

impl Running {
    /// Begins a launch. No thread runs before `resume`.
    ///
    /// # Safety
    /// The kernel takes these arguments, and the addresses in them stay valid until it ends. No other kernel of the
    /// device is in progress.
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
        // SAFETY: the runtime copies the struct. All that it points to lives in `Self` and in `stacks`, which grow only
        // here, while no kernel is in progress.
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

    /// Returns the index of its module.
    pub(super) fn module(&self) -> usize {
        self.module
    }

    /// Runs for about `turns` switches between threads.
    ///
    /// # Safety
    /// `module` is the one that the kernel was started with, and the kernel has neither ended nor failed.
    pub(super) unsafe fn resume(&mut self, module: &Module, turns: u64) -> Progress {
        // SAFETY: by the caller's promise the kernel has started and not ended.
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

    /// Decides about a kernel whose threads all poll. The host may still change what they read, so this is an error
    /// only after `poll_limit`.
    ///
    /// # Safety
    /// As for `resume`.
    unsafe fn judge_idle(&mut self, module: &Module) -> Progress {
        // SAFETY: the function reads a number.
        let steps = unsafe { (module.steps)() };
        let since = match self.idle {
            Some((since, before)) if before == steps => since,
            _ => self.idle.insert((Instant::now(), steps)).0,
        };
        if since.elapsed() < self.poll_limit {
            return Progress::Idle;
        }
        // SAFETY: the kernel is in progress, so the runtime can list its threads.
        unsafe { (module.list_waiting)() };
        let (kernel, waiting) = (self.place.kernel, self.report(module).waiting(&self.place));
        let seconds = self.poll_limit.as_secs_f64();
        Progress::Failed(format!(
            "kernel {kernel} waits for ever, no thread made progress for {seconds} s: {waiting}"
        ))
    }

    fn report(&self, module: &Module) -> Report {
        // SAFETY: the function returns the address of a static of the module.
        unsafe { *(module.report)() }
    }
}

/// Mixes a seed (splitmix64), so that consecutive seeds give unrelated bits.
pub(super) fn mix(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Returns an order of blocks: the first block, and a step that reaches every block.
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
