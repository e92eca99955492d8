// Frontiers: who is active, as a queue without duplicates, as a bitmap, or all vertices. `Offset` is typedef'd by the module.
#include "prelude.cuh"

// The arcs of a direction: the row of u is targets[offsets[u] .. offsets[u + 1]].
struct Rows {
    const Offset* offsets;
    const u32* targets;
};

// The rows a superstep works on.
struct Front {
    const u32* items;     // null: the vertices 0 .. count themselves
    u64 count;
    const Offset* first;  // where each item's arcs begin among all of the frontier's, count + 1 entries; `workload` only
    const u32* cancel;
    DEVICE u32 item(u64 i) const { return items ? items[i] : static_cast<u32>(i); }
};

// Where the next frontier is written.
struct Queue {
    u32* items;
    u64* size;
};

// Outer iterations between two looks at the cancel word, which lies behind the bus.
#define PATIENCE 1024

// Appends v for the lanes that take it, with one atomic a warp. Every lane of the warp must call.
DEVICE void append(const Queue& queue, bool take, u32 v) {
    const u32 votes = warp_ballot(FULL_WARP, take);
    if (votes == 0) return;
    const u32 leader = trailing_zeros(votes);
    u64 base = 0;
    if (lane_in_warp() == leader) base = atomic_add(queue.size, static_cast<u64>(count_ones(votes)));
    base = warp_shuffle(FULL_WARP, base, leader);
    if (take) queue.items[base + count_ones(votes & lanes_before())] = v;
}

// Is this the first to claim v in this round?
DEVICE bool claim(u32* stamps, u32 v, u32 round) { return atomic_exchange(stamps + v, round) != round; }

DEVICE bool has_bit(const u32* bitmap, u32 v) { return bitmap[v >> 5] >> (v & 31) & 1; }

// The sum of x over the block, in a fixed order; the result is thread 0's. `warps` is shared memory for 32 numbers.
template <class T> DEVICE T block_sum(T x, T* warps) {
    for (u32 by = 16; by > 0; by /= 2) x += warp_shuffle_down(FULL_WARP, x, by);
    if (lane_in_warp() == 0) warps[warp_in_block()] = x;
    block_sync();
    T sum = 0;
    if (thread_in_block() == 0) {
        for (u32 w = 0; w < block_threads() / 32; ++w) sum += warps[w];
    }
    return sum;
}
