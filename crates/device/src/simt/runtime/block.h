// Barriers of a block, and the end of a thread.

namespace wg {

static void open_barrier(Block* block) {
    block->any_result = block->any;
    block->any = false;
    block->arrived = 0;
    for (u32 i = 0; i < launch.warps; i++) {
        Warp* w = &block->warps[i];
        make_runnable(w, w->barred);
        w->barred = 0;
    }
}

static __attribute__((noinline)) bool barrier(u32 op, bool value, u32 line) {
    Block* block = warp->block;
    Lane* me = &warp->lanes[lane];
    if (block->arrived && (block->barrier_line != line || block->barrier_op != op)) {
        report.at = here(op, line, 0);
        report.other = Waiting{block->index, block->barrier_thread, block->barrier_op, block->barrier_line, 0};
        fail(TWO_BARRIERS);
    }
    if (!block->arrived) {
        block->barrier_op = op;
        block->barrier_line = line;
        block->barrier_thread = thread;
    }
    steps++;
    block->any |= value;
    block->arrived++;
    me->op = op;
    me->line = line;
    me->mask = 0;
    warp->barred |= 1u << lane;
    if (block->arrived == block->alive) open_barrier(block);
    wait();
    return block->any_result;
}

static u8* dynamic_shared(u32 line) {
    if (!launch.shared) {
        report.at = here(0, line, 0);
        fail(NO_DYNAMIC_SHARED);
    }
    return launch.dynamic[warp->block->slot];
}

// Ends the running thread. It is an error if other threads wait for it in a collective.
static void leave() {
    Warp* w = warp;
    u32 bit = 1u << lane;
    w->alive &= ~bit;
    for (u32 i = 0; i < w->group_count; i++) {
        if (!(w->groups[i].mask & bit)) continue;
        report.at = describe(w, __builtin_ctz(w->groups[i].arrived));
        report.lane = lane;
        fail(EXITED_IN_MASK);
    }
    steps++;
    Block* block = w->block;
    block->alive--;
    if (block->arrived && block->arrived == block->alive) open_barrier(block);
    free_stacks[free_stack_count++] = w->lanes[lane].stack;
    go_on(&nowhere);
}

}  // namespace wg

extern "C" __attribute__((visibility("hidden"), used)) void wg_thread_main() {
    wg::launch.kernel(wg::launch.args);
    wg::leave();
}
