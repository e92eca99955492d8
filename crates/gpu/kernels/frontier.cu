// Kernels on frontiers that do not depend on the algorithm.
#include "scan.cuh"

DEVICE u64 count_of(const FrontierArgs& args) { return args.size ? *args.size : args.count; }
DEVICE u32 item(const FrontierArgs& args, u64 i) { return args.items ? args.items[i] : static_cast<u32>(i); }

// Returns the arcs of an item, or the unexpanded part of them.
DEVICE Offset degree(const FrontierArgs& args, const Offset* offsets, u64 i) {
    const u32 row = row_of(item(args, i), args.vertices);
    return offsets[row + 1] - (args.starts ? static_cast<const Offset*>(args.starts)[i] : offsets[row]);
}

// Adds the arcs of all items to a counter, and raises `longest` to the arcs of the longest row. Every thread of the
// block must call.
DEVICE void count_rows(const FrontierArgs& args, const Offset* offsets, u64* arcs_of_all, u64* longest_of_all, u64* warps) {
    const u64 count = count_of(args);
    u64 sum = 0, longest = 0;
    for (u64 i = thread_in_grid(); i < count; i += grid_threads()) {
        const u64 arcs = degree(args, offsets, i);
        sum += arcs;
        longest = arcs > longest ? arcs : longest;
    }
    sum = block_sum(sum, warps);
    if (thread_in_block() == 0 && sum > 0) atomic_add(arcs_of_all, sum);
    if (!longest_of_all) return;
    block_sync();
    longest = block_max(longest, warps);
    if (thread_in_block() == 0 && longest > 0) atomic_max(longest_of_all, longest);
}

// The last block of the grid tells all counters to the host, and resets them if asked. Every thread of the block must
// call, once, after thread 0 has made the block's updates of the counters.
DEVICE void tell_counters(const Telling& tell, u64* is_last) {
    if (!tell.told) return;
    u64* done = tell.counters + tell.len;
    if (thread_in_block() == 0) {
        fence_device();
        *is_last = atomic_add(done, static_cast<u64>(1)) + 1 == grid_blocks();
        fence_device();
    }
    block_sync();
    if (!*is_last) return;
    for (u64 i = thread_in_block(); i < tell.len; i += block_threads()) {
        store_now(tell.told + i, load_now(tell.counters + i));
        if (tell.clears) tell.counters[i] = 0;
    }
    block_sync();
    if (thread_in_block() != 0) return;
    *done = 0;
    // All counters are in host memory before the number that says so.
    fence_system();
    store_now(tell.told + tell.len, tell.number);
}

// Counts the arcs of all items, and those of the other direction if `behind` is given.
KERNEL(frontier_arcs, FrontierArgs) {
    SHARED(u64, warps[32]);
    SHARED(u64, is_last);
    count_rows(args, static_cast<const Offset*>(args.offsets), args.arcs, args.longest, warps);
    if (args.behind) {
        block_sync();
        u64* const longest = args.longest ? args.longest + 1 : args.longest;
        count_rows(args, static_cast<const Offset*>(args.behind), args.arcs + 1, longest, warps);
    }
    tell_counters(args.tell, &is_last);
}

// Sets the bit of every item.
KERNEL(frontier_bitmap, FrontierArgs) {
    const u64 count = count_of(args);
    for (u64 i = thread_in_grid(); i < count; i += grid_threads()) {
        const u32 v = item(args, i);
        atomic_or(args.bitmap + (v >> 5), 1u << (v & 31));
    }
}

// Lists the vertices whose bits are set, in about increasing order, where the items are; *args.arcs counts them.
KERNEL(frontier_order, FrontierArgs) {
    const u64 words = (args.vertices + 31) / 32;
    for (u64 base = thread_in_grid() - lane_in_warp(); base < words; base += grid_threads()) {
        const u64 word = base + lane_in_warp();
        u32 bits = word < words ? args.bitmap[word] : 0;
        const u32 mine = count_ones(bits), upto = warp_scan(mine);
        const u32 all = warp_shuffle(FULL_WARP, upto, 31);
        if (all == 0) continue;
        u64 place = 0;
        if (lane_in_warp() == 0) place = atomic_add(args.arcs, static_cast<u64>(all));
        place = warp_shuffle(FULL_WARP, place, 0) + upto - mine;
        for (; bits != 0; bits &= bits - 1) args.items[place++] = static_cast<u32>(word * 32) + trailing_zeros(bits);
    }
}

// Stamps every item as claimed in this round.
KERNEL(frontier_stamp, FrontierArgs) {
    const u64 count = count_of(args);
    for (u64 i = thread_in_grid(); i < count; i += grid_threads()) args.stamps[item(args, i)] = args.round;
}

// Returns what the scan adds up: arcs, or the children of at most args.most arcs that a row is cut into.
DEVICE Offset portion(const FrontierArgs& args, u64 i) {
    const Offset arcs = degree(args, static_cast<const Offset*>(args.offsets), i);
    if (args.most == 0) return arcs;
    const Offset most = static_cast<Offset>(args.most);
    return arcs / most + (arcs % most > 0 ? 1 : 0);
}

// Prefix sums of portions in three steps: within tiles of a block's size, over the sums of tiles, and both together.
// args.first receives count + 1 entries, args.sums one per tile.
KERNEL(scan_tiles, FrontierArgs) {
    SHARED(Offset, warps[32]);
    const u64 tiles = (args.count + block_threads() - 1) / block_threads();
    for (u64 tile = block_in_grid(); tile < tiles; tile += grid_blocks()) {
        const u64 i = tile * block_threads() + thread_in_block();
        Offset total;
        const Offset before = block_before(i < args.count ? portion(args, i) : Offset(0), warps, total);
        if (i < args.count) static_cast<Offset*>(args.first)[i] = before;
        if (thread_in_block() == 0) static_cast<Offset*>(args.sums)[tile] = total;
    }
}

struct Portions {
    const FrontierArgs& args;
    DEVICE Offset at(u64 i) const { return portion(args, i); }
};

// Writes the total behind the last entry of args.first, and to args.arcs.
DEVICE void close_scan(const FrontierArgs& args, Offset total) {
    if (thread_in_block() != 0) return;
    static_cast<Offset*>(args.first)[args.count] = total;
    *args.arcs = total;
}

// Computes the prefix sums of args.sums in place, by one block.
KERNEL(scan_sums, FrontierArgs) {
    SHARED(Offset, warps[32]);
    const u64 tiles = (args.count + args.tile - 1) / args.tile;
    Offset* sums = static_cast<Offset*>(args.sums);
    close_scan(args, scan_by_block(Listed<Offset>{sums}, tiles, sums, warps));
}

// Does all three steps at once by one block, for short frontiers.
KERNEL(scan_short, FrontierArgs) {
    SHARED(Offset, warps[32]);
    close_scan(args, scan_by_block(Portions{args}, args.count, static_cast<Offset*>(args.first), warps));
}

KERNEL(scan_add, FrontierArgs) {
    Offset* first = static_cast<Offset*>(args.first);
    const Offset* sums = static_cast<const Offset*>(args.sums);
    for (u64 i = thread_in_grid(); i < args.count; i += grid_threads()) first[i] += sums[i / args.tile];
}
