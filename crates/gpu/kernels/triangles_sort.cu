// Sorts every list of at most args.sorted entries: a warp sorts up to 32 entries in registers, a block sorts more in
// shared memory. Both sorts are bitonic; entries greater than all others pad a list to a power of two.

DEVICE void sort_by_warp(u32* list, u32 len) {
    const u32 lane = lane_in_warp();
    u32 x = lane < len ? list[lane] : NOBODY;
    for (u32 run = 2; run < 2 * len; run *= 2) {
        for (u32 by = run / 2; by > 0; by /= 2) {
            const u32 other = warp_shuffle_xor(FULL_WARP, x, by);
            const bool takes_less = ((lane & by) == 0) == ((lane & run) == 0);
            x = (other < x) == takes_less ? other : x;
        }
    }
    if (lane < len) list[lane] = x;
}

DEVICE void sort_by_block(u32* list, u32 len, u32* shared) {
    u32 size = 64;
    while (size < len) size *= 2;
    for (u32 i = thread_in_block(); i < size; i += block_threads()) shared[i] = i < len ? list[i] : NOBODY;
    block_sync();
    for (u32 run = 2; run <= size; run *= 2) {
        for (u32 by = run / 2; by > 0; by /= 2) {
            for (u32 t = thread_in_block(); t < size / 2; t += block_threads()) {
                const u32 i = 2 * t - (t & (by - 1));
                const u32 a = shared[i], b = shared[i + by];
                if ((a > b) == ((i & run) == 0)) shared[i] = b, shared[i + by] = a;
            }
            block_sync();
        }
    }
    for (u32 i = thread_in_block(); i < len; i += block_threads()) list[i] = shared[i];
    block_sync();
}

KERNEL(triangles_sort, TrianglesArgs) {
    SHARED(u32, entries[SORTED]);
    SHARED(u32, longer[BLOCK_WARPS * 32]);
    SHARED(u32, count);
    const Offset* first = first_of(args);
    u32 looked = 0;
    for (u64 base = static_cast<u64>(block_in_grid()) * block_threads(); base < args.vertices; base += grid_threads()) {
        if (thread_in_block() == 0) count = 0;
        block_sync();
        if (++looked % PATIENCE == 0 && block_any(thread_in_block() == 0 && is_cancelled(args.cancel))) return;
        const u64 v = base + thread_in_block();
        const Offset begin = v < args.vertices ? first[v] : 0;
        const Offset len = v < args.vertices ? first[v + 1] - begin : 0;
        if (len > 32 && len <= args.sorted) longer[atomic_add(&count, 1u)] = static_cast<u32>(v);
        u32 left = warp_ballot(FULL_WARP, len > 1 && len <= 32);
        while (left != 0) {
            const u32 lane = trailing_zeros(left);
            left &= left - 1;
            sort_by_warp(args.list + warp_shuffle(FULL_WARP, begin, lane), static_cast<u32>(warp_shuffle(FULL_WARP, len, lane)));
        }
        block_sync();
        const u32 many = count;
        for (u32 i = 0; i < many; ++i) {
            const u32 u = longer[i];
            sort_by_block(args.list + first[u], static_cast<u32>(first[u + 1] - first[u]), entries);
        }
        block_sync();
    }
}
