// A kernel of nothing, and one of barriers over a grid that runs at once: the barrier is that of the engine's own kernels.
#include "prelude.cuh"
#include "arguments.cuh"

KERNEL(nothing, Word) {}

// Two blocks of 1024 threads share a multiprocessor.
KERNEL_OF(barriers, Barriers, 1024, 2) {
    for (u32 passed = 0; passed < args.count; passed++) {
        block_sync();
        if (thread_in_block() == 0) {
            const u32 all = (passed + 1) * grid_blocks();
            fence_device();
            atomic_add(args.arrived, 1u);
            u32* arrived = args.arrived;
            wait_until([&] { return static_cast<i32>(load_now(arrived) - all) >= 0; });
            fence_device();
        }
        block_sync();
    }
}
