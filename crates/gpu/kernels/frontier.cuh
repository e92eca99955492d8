// Frontiers: the active vertices as a queue, as a bitmap, or all vertices. The module defines `Offset` and prints
// `Along`.
#include "prelude.cuh"

// Outer iterations between two reads of the cancel word, which lies in host memory. A read seems to take about 1 us over
// the bus, during which no other warp reads it. With as many iterations, kernels of a few milliseconds do not look at all.
#define PATIENCE 16384

// Returns the row of a vertex. Vertices may belong to several copies of the graph, of which one is stored: v of copy c
// is c * vertices + v.
DEVICE u32 row_of(u32 v, u64 vertices) { return v < vertices ? v : v % static_cast<u32>(vertices); }

// A stretch of a row: arcs [begin, end) of a vertex, and the number to add to their targets, which are in the same
// copy.
struct Stretch {
    u32 vertex;
    u32 base;
    Offset begin, end;
};

// Returns an empty stretch.
DEVICE Stretch no_stretch() { return Stretch(); }

// The entries of a list: as many as a counter says, or `count`.
DEVICE u64 count_of(const u64* size, u64 count) { return size ? *size : count; }
DEVICE u64 count_of(const Along& along) { return count_of(along.size, along.count); }

// Returns the vertex of an entry of the frontier.
DEVICE u32 item(const Along& along, u64 i) { return along.items ? along.items[i] : static_cast<u32>(i); }

// Returns the row of an entry, or the unexpanded part of it.
DEVICE Stretch stretch_at(const Along& along, u64 i) {
    const Offset* offsets = static_cast<const Offset*>(along.offsets);
    Stretch stretch;
    stretch.vertex = item(along, i);
    const u32 row = row_of(stretch.vertex, along.vertices);
    stretch.base = stretch.vertex - row;
    if (along.firsts) {
        stretch.begin = static_cast<const Offset*>(along.firsts)[i];
        stretch.end = static_cast<const Offset*>(along.firsts)[i + 1];
        return stretch;
    }
    stretch.begin = along.starts ? static_cast<const Offset*>(along.starts)[i] : offsets[row];
    stretch.end = offsets[row + 1];
    return stretch;
}

DEVICE bool is_cancelled(const Along& along) { return is_cancelled(along.cancel); }

// A queue that vertices are appended to.
struct Queue {
    u32* items;
    u64* size;
};

DEVICE Queue next_of(const Along& along) { return Queue{along.next, along.next_size}; }

// Returns places at the end of a list for the lanes that take one, with one atomic per warp. Every lane of the warp
// must call.
DEVICE u64 take_place(u64* size, bool take) {
    const u32 votes = warp_ballot(FULL_WARP, take);
    if (votes == 0) return 0;
    const u32 leader = trailing_zeros(votes);
    u64 base = 0;
    if (lane_in_warp() == leader) base = atomic_add(size, static_cast<u64>(count_ones(votes)));
    return warp_shuffle(FULL_WARP, base, leader) + count_ones(votes & lanes_before());
}

// Appends v for the lanes that take it. Every lane of the warp must call.
DEVICE void append(const Queue& queue, bool take, u32 v) {
    const u64 place = take_place(queue.size, take);
    if (take) queue.items[place] = v;
}

// Returns true in the first thread that claims v in this round.
DEVICE bool claim(u32* stamps, u32 v, u32 round) { return atomic_exchange(stamps + v, round) != round; }

DEVICE bool has_bit(const u32* bitmap, u32 v) { return bitmap[v >> 5] >> (v & 31) & 1; }

// Returns the sum of x over the lanes up to and including this one.
template <class T> DEVICE T warp_scan(T x) {
    for (u32 by = 1; by < 32; by *= 2) {
        const T before = warp_shuffle_up(FULL_WARP, x, by);
        if (lane_in_warp() >= by) x += before;
    }
    return x;
}

// Returns in thread 0 the sum of x over the block, added in a fixed order. `warps` is shared memory for 32 numbers.
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

// Returns in thread 0 the greatest x of the block; otherwise as block_sum.
template <class T> DEVICE T block_max(T x, T* warps) {
    for (u32 by = 16; by > 0; by /= 2) {
        const T other = warp_shuffle_down(FULL_WARP, x, by);
        x = other > x ? other : x;
    }
    if (lane_in_warp() == 0) warps[warp_in_block()] = x;
    block_sync();
    if (thread_in_block() == 0) {
        for (u32 w = 1; w < block_threads() / 32; ++w) x = warps[w] > x ? warps[w] : x;
    }
    return x;
}
