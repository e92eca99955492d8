// Chooses the thread that runs next: a random runnable lane of the same warp, else one of another warp of the block,
// else one of another co-resident block. Once in a while it leaves a warp although the warp has runnable lanes.

namespace wg {

enum { QUANTUM = 512, IDLE_ROUNDS = 64 };

static void poison(u8* at, u64 bytes) { __builtin_memset(at, POISON, bytes); }

static u64 static_shared() { return (u64)(__stop_wg_shared - __start_wg_shared); }

// Puts the static shared memory of a block in place.
static void enter(const Block* block) {
    if (block->slot == in_section) return;
    if (static_shared()) {
        __builtin_memcpy(launch.saved[in_section], __start_wg_shared, static_shared());
        __builtin_memcpy(__start_wg_shared, launch.saved[block->slot], static_shared());
    }
    in_section = block->slot;
}

// Begins a new block in a slot, with poisoned shared memory.
static void begin_block(u32 slot, u32 index) {
    Block* block = &blocks[slot];
    if (slot == in_section) poison(__start_wg_shared, static_shared());
    else poison(launch.saved[slot], static_shared());
    if (launch.shared) poison(launch.dynamic[slot], launch.shared);
    block->index = index;
    block->slot = slot;
    block->alive = launch.block;
    block->arrived = 0;
    block->any = false;
    block->ready = launch.warps == WARPS ? ~0u : (1u << launch.warps) - 1;
    for (u32 i = 0; i < launch.warps; i++) {
        Warp* w = &block->warps[i];
        u32 left = launch.block - i * LANES;
        w->lanes_there = w->runnable = w->alive = left >= LANES ? ~0u : (1u << left) - 1;
        w->waiting = w->polling = w->barred = w->started = w->group_count = 0;
        w->index = i;
        w->block = block;
    }
}

static u32 block_at(u64 turn) { return (u32)((launch.first + turn * launch.step) % launch.grid); }

// Lists the threads that wait, and where. Includes runnable threads, which only poll again when this is called.
static void list_waiting() {
    report.count = report.listed = 0;
    for (u32 b = 0; b < block_slots; b++) {
        for (u32 i = 0; i < launch.warps; i++) {
            const Warp* w = &blocks[b].warps[i];
            u32 stuck = w->waiting | w->polling | w->barred | (w->runnable & w->started);
            for (; stuck; stuck &= stuck - 1) {
                report.count++;
                if (report.listed < LISTED) report.list[report.listed++] = describe(w, __builtin_ctz(stuck));
            }
        }
    }
}

// Lets every polling thread poll again. Returns whether there were any.
static bool wake_polling() {
    bool any = false;
    for (u32 b = 0; b < block_slots; b++) {
        for (u32 i = 0; i < launch.warps; i++) {
            Warp* w = &blocks[b].warps[i];
            if (!w->polling) continue;
            any = true;
            w->runnable |= w->polling;
            w->polling = 0;
            blocks[b].ready |= 1u << i;
        }
    }
    return any;
}

// Returns a random co-resident block with runnable threads, or none.
static Block* ready_block() {
    u32 ready = 0;
    for (u32 b = 0; b < block_slots; b++) ready |= (u32)(blocks[b].ready != 0) << b;
    return ready ? &blocks[one_of(ready)] : nullptr;
}

// Called when no thread can run: all have exited, or all wait. Returns a block that can run now, or none if the host
// continues.
static Block* when_none_is_ready() {
    u32 alive = 0;
    for (u32 b = 0; b < block_slots; b++) alive += blocks[b].alive;
    if (!alive) {
        if (blocks_begun == launch.grid) {
            status = DONE;
            return nullptr;
        }
        begin_block(0, block_at(blocks_begun++));
        return &blocks[0];
    }
    if (wake_polling()) {
        idle_rounds = steps == steps_before ? idle_rounds + 1 : 0;
        steps_before = steps;
        if (idle_rounds < IDLE_ROUNDS) return ready_block();
        idle_rounds = 0;
        status = IDLE;
        return nullptr;
    }
    list_waiting();
    report.failure = DEADLOCK;
    status = FAILED;
    return nullptr;
}

// Returns the next warp to run when this one cannot, or has used up its quantum; none if the host continues.
static __attribute__((noinline)) Warp* other_warp() {
    Block* block = warp->block->ready ? warp->block : ready_block();
    if (quantum <= 0) {
        quantum = 1 + (i32)(random() % QUANTUM);
        budget -= QUANTUM / 2;
        if (budget <= 0) {
            status = RUNNING;
            return nullptr;
        }
        wake_polling();
        block = ready_block();
    }
    if (!block) block = when_none_is_ready();
    if (!block) return nullptr;
    return &block->warps[one_of(block->ready)];
}

// Switches to another thread. Returns when the scheduler chooses the thread whose context is in `save` again.
static __attribute__((noinline)) void go_on(void** save) {
    Warp* next = warp;
    if (--quantum <= 0 || !next->runnable) {
        next = other_warp();
        if (!next) {
            if (save != &host_sp) wg_switch(save, host_sp);
            return;
        }
        enter(next->block);
        block_index = next->block->index;
        warp = next;
    }
    u32 chosen = one_of(next->runnable), bit = 1u << chosen;
    next->runnable &= ~bit;
    if (!next->runnable) next->block->ready &= ~(1u << next->index);
    lane = chosen;
    thread = next->index * LANES + chosen;
    Lane* to = &next->lanes[chosen];
    if (next->started & bit) {
        if (save != &to->sp) wg_switch(save, to->sp);
        return;
    }
    next->started |= bit;
    to->stack = take_stack();
    wg_begin(save, stack_top(to->stack));
}

static inline void make_runnable(Warp* w, u32 lanes) {
    w->runnable |= lanes;
    if (lanes) w->block->ready |= 1u << w->index;
}

static inline void wait() { go_on(&warp->lanes[lane].sp); }

static __attribute__((noinline)) void poll(u32 line) {
    Lane* me = &warp->lanes[lane];
    me->op = WAIT_UNTIL;
    me->line = line;
    me->mask = 0;
    warp->polling |= 1u << lane;
    wait();
}

}  // namespace wg
