// Uses every word of the prelude, each overload once.
#include "prelude.cuh"
#include "arguments.cuh"

template <class T> DEVICE void add_min_max(T* at, T x) {
    atomic_min(at, x);
    atomic_max(at, x);
}

template <class T> DEVICE T shuffles(T x) {
    x = warp_shuffle(FULL_WARP, x, 0u);
    x = warp_shuffle_up(FULL_WARP, x, 1u);
    x = warp_shuffle_down(FULL_WARP, x, 1u);
    return warp_shuffle_xor(FULL_WARP, x, 1u);
}

template <class T> DEVICE void copy(T* to, const T* from, u32 i) {
    to[i] = load_const(from + i);
    store_now(to + i, load_now(from + i));
}

KERNEL(threads_and_warps, Everything) {
    SHARED(u32, sum);
    DYNAMIC_SHARED(u64, dynamic);
    u32 i = thread_in_grid();
    if (thread_in_block() == 0) sum = 0;
    dynamic[thread_in_block()] = i;
    block_sync();
    u32 ballot = warp_ballot(FULL_WARP, i < args.count);
    warp_sync(FULL_WARP);
    if (warp_any(FULL_WARP, i == 3) && !warp_all(FULL_WARP, i == 3)) atomic_add(&sum, count_ones(ballot & lanes_before()));
    bool some = block_any(sum != 0);
    u32 where = block_in_grid() * block_threads() + warp_in_block() * 32 + lane_in_warp();
    if (where < args.count && some) args.u32s[where] = sum + shuffles(i) + leading_zeros(i) + trailing_zeros(ballot);
    if (where < args.count) args.u64s[where] = shuffles(dynamic[thread_in_block()]) + count_ones((u64)i) + grid_threads() + grid_blocks();
    if (where < args.count) args.f64s[where] = shuffles(args.f64s[where]);
    if (where < args.count) args.f32s[where] = shuffles(args.f32s[where]);
    if (where < args.count) args.i32s[where] = shuffles(args.i32s[where]);
}

KERNEL(numbers, Everything) {
    u32 i = thread_in_grid();
    if (i >= args.count) return;
    f32 x = args.f32s[i];
    f64 y = args.f64s[i];
    args.f32s[i] = root(over(times(plus(x, args.by), x), f32_of(bits_of(x) ^ 1u)));
    args.f64s[i] = root(over(times(plus(y, y), y), f64_of(bits_of(y) ^ 1ull)));
}

KERNEL(atomics, Everything) {
    u32 i = thread_in_grid();
    if (i >= args.count) trap();
    i64* i64s = reinterpret_cast<i64*>(args.u64s);
    atomic_add(args.u32s, i);
    atomic_add(args.i32s, (i32)i);
    atomic_add(args.u64s, (u64)i);
    atomic_add(args.f32s, (f32)i);
    atomic_add(args.f64s, (f64)i);
    add_min_max(args.u32s, i);
    add_min_max(args.i32s, (i32)i);
    add_min_max(args.u64s, (u64)i);
    add_min_max(i64s, (i64)i);
    atomic_or(args.u32s, i);
    atomic_or(args.i32s, (i32)i);
    atomic_or(args.u64s, (u64)i);
    atomic_and(args.u32s, i);
    u32 old = atomic_exchange(args.u32s + 1, i);
    u64 wide = atomic_exchange(args.u64s + 1, (u64)i);
    atomic_compare_exchange(args.u32s + 2, old, i);
    atomic_compare_exchange(args.u64s + 2, wide, (u64)i);
}

KERNEL(memory, Everything) {
    u32 i = thread_in_grid();
    copy(args.bytes + args.count, args.bytes, i);
    copy(args.u32s + args.count, args.u32s, i);
    copy(args.i32s + args.count, args.i32s, i);
    copy(args.u64s + args.count, args.u64s, i);
    copy((i64*)args.u64s + args.count, (const i64*)args.u64s, i);
    copy(args.f32s + args.count, args.f32s, i);
    copy(args.f64s + args.count, args.f64s, i);
    fence_device();
    fence_system();
    const u32* cancel = args.cancel;
    wait_until([&] { return is_cancelled(cancel); });
    fetch_ahead(args.u32s + i);
    keep(args.u32s[i]);
    keep(args.i32s[i]);
    keep(args.u64s[i]);
    keep(args.f32s[i]);
    keep(args.f64s[i]);
}

// Blocks of a size of their own, that wait for each other.
KERNEL_OF(together, Everything, 256, 1) {
    u32* arrived = args.u32s;
    args.u64s[thread_in_grid()] = nanoseconds();
    if (warp_or(thread_in_grid()) == 0) return;
    arrive(arrived);
    const u32 blocks = grid_blocks();
    wait_until([&] { return arrivals(arrived) >= blocks; });
}
