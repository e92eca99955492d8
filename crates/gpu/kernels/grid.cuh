// A barrier over all blocks of a coresident grid.
#include "prelude.cuh"

// `arrived` lies in device memory and is 0 at the launch; every thread counts the barriers that it has passed.
struct Grid {
    u32* arrived;
    u32 passed;
};

// Waits until every thread of the grid has called. Writes before it are visible after it, except to load_const.
DEVICE void grid_sync(Grid& grid) {
    block_sync();
    if (thread_in_block() == 0) {
        const u32 all = (grid.passed + 1) * grid_blocks();
        u32* arrived = grid.arrived;
        arrive(arrived);
        // The count may wrap around.
        wait_until([&] { return static_cast<i32>(arrivals(arrived) - all) >= 0; });
    }
    ++grid.passed;
    block_sync();
}
