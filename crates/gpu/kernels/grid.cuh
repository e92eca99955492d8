// A barrier over all blocks of a grid that runs at once.
#include "prelude.cuh"

// `arrived` lies in device memory and is 0 at the launch; every thread counts the barriers it has passed.
struct Grid {
    u32* arrived;
    u32 passed;
};

// Every thread of the grid must call. What was written before is seen after, but through load_const.
DEVICE void grid_sync(Grid& grid) {
    block_sync();
    if (thread_in_block() == 0) {
        const u32 all = (grid.passed + 1) * grid_blocks();
        u32* arrived = grid.arrived;
        arrive(arrived);
        // Numbers may wrap around.
        wait_until([&] { return static_cast<i32>(arrivals(arrived) - all) >= 0; });
    }
    ++grid.passed;
    block_sync();
}
