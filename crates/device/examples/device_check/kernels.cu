// The kernels of device_check: small, with known answers.
#include "prelude.cuh"
#include "arguments.cuh"

KERNEL(add, Vectors) {
    for (u32 i = thread_in_grid(); i < args.count; i += grid_threads()) args.out[i] = args.a[i] + args.b[i];
}

// Per warp: the sum of its threads' numbers, a mask of those that are multiples of three, and the running sum at its last lane.
KERNEL(warps, Warps) {
    u32 i = thread_in_grid(), sum = i, running = i;
    for (u32 by = 16; by; by /= 2) sum += warp_shuffle_down(FULL_WARP, sum, by);
    for (u32 by = 1; by < 32; by *= 2) {
        u32 before = warp_shuffle_up(FULL_WARP, running, by);
        if (lane_in_warp() >= by) running += before;
    }
    u32 ballot = warp_ballot(FULL_WARP, i % 3 == 0);
    u32 last = warp_shuffle(FULL_WARP, running, 31u);
    if (lane_in_warp() != 0) return;
    args.sums[i / 32] = sum;
    args.ballots[i / 32] = ballot;
    args.last[i / 32] = last;
}

// The sum of all entries, one block at a time through shared memory.
KERNEL(reduce, Reduce) {
    SHARED(u64, partial[32]);
    u64 sum = 0;
    for (u32 i = thread_in_grid(); i < args.count; i += grid_threads()) sum += args.values[i];
    for (u32 by = 16; by; by /= 2) sum += warp_shuffle_down(FULL_WARP, sum, by);
    if (lane_in_warp() == 0) partial[warp_in_block()] = sum;
    block_sync();
    if (thread_in_block() != 0) return;
    for (u32 warp = 1; warp < block_threads() / 32; warp++) sum += partial[warp];
    atomic_add(args.total, sum);
}

// Reverses an array within each block, through more shared memory than a block has by default.
KERNEL(turn, Turn) {
    DYNAMIC_SHARED(u32, entries);
    u32 begin = block_in_grid() * args.each;
    for (u32 i = thread_in_block(); i < args.each; i += block_threads()) entries[i] = args.values[begin + i];
    block_sync();
    for (u32 i = thread_in_block(); i < args.each; i += block_threads()) args.values[begin + i] = entries[args.each - 1 - i];
}

DEVICE void grid_sync(u32* arrived, u32 target) {
    block_sync();
    if (thread_in_block() == 0) {
        fence_device();
        atomic_add(arrived, 1u);
        wait_until([&] { return load_now(arrived) >= target; });
        fence_device();
    }
    block_sync();
}

// All blocks at the same time: each writes its slot, waits for all, and must see its neighbour's value.
KERNEL(barrier, Barrier) {
    u32 blocks = grid_blocks(), barriers = 0;
    for (u32 round = 1; round <= args.rounds; round++) {
        if (thread_in_block() == 0) args.slots[block_in_grid()] = round;
        grid_sync(args.arrived, ++barriers * blocks);
        u32 seen = load_now(args.slots + (block_in_grid() + 1) % blocks);
        if (thread_in_block() == 0 && seen != round) atomic_add(args.wrong, 1u);
        grid_sync(args.arrived, ++barriers * blocks);
    }
}

// Runs until the cancel word is set.
KERNEL(endless, Endless) {
    const u32* cancel = args.cancel;
    wait_until([&] { return is_cancelled(cancel); });
    if (thread_in_grid() == 0) args.ended[0] = 1;
}

// Plain operators, which must give the same bits as on the host.
KERNEL(arithmetic, Numbers) {
    for (u32 i = thread_in_grid(); i < args.count; i += grid_threads()) {
        f32 x = args.x[i], y = args.y[i], z = args.z[i];
        args.fused[i] = x * y + z;
        args.divided[i] = over(x, y);
        args.rooted[i] = root(z);
        f64 a = x, b = y, c = z;
        args.wide[i] = a * b + over(c, b) - root(c);
    }
}

KERNEL(nothing, Word) {}

KERNEL(trap_here, Word) {
    store_now(args.word, 1u);
    trap();
}
