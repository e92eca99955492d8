// The functions by which the host runs a kernel.

// Begins a launch. No thread runs yet.
extern "C" __attribute__((visibility("default"))) void wg_start(const wg::Launch* launch) {
    using namespace wg;
    wg::launch = *launch;
    random_state = launch->seed | 1;
    block_slots = launch->resident ? launch->grid : 1;
    blocks_begun = steps = steps_before = 0;
    in_section = idle_rounds = 0;
    quantum = 1;
    free_stack_count = launch->stack_count;
    for (u32 i = 0; i < launch->stack_count; i++) free_stacks[i] = launch->stack_count - 1 - i;
    for (u32 slot = 0; slot < block_slots; slot++) begin_block(slot, block_at(blocks_begun++));
    warp = &blocks[0].warps[0];
    block_index = blocks[0].index;
}

// Runs for about `turns` switches between threads.
extern "C" __attribute__((visibility("default"))) u32 wg_resume(u64 turns) {
    wg::budget = (i64)turns;
    wg::go_on(&wg::host_sp);
    return wg::status;
}

// Returns why the last launch failed.
extern "C" __attribute__((visibility("default"))) const wg::Report* wg_report() { return &wg::report; }

// Returns how many steps threads made so far. Polling is not a step.
extern "C" __attribute__((visibility("default"))) u64 wg_steps() { return wg::steps; }

// Puts the threads that wait now into the report.
extern "C" __attribute__((visibility("default"))) void wg_list_waiting() { wg::list_waiting(); }

extern "C" __attribute__((visibility("default"))) u64 wg_static_shared() { return wg::static_shared(); }
