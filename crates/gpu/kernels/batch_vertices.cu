// The kernels over vertices between the levels of a batch of searches.

// Places every source on its own vertex, and puts these vertices at the beginning of the queue. All sets must be empty
// before.
KERNEL(batch_begin, BatchArgs) {
    for (u64 s = thread_in_grid(); s < args.batch; s += grid_threads()) {
        const u32 v = args.sources[s];
        const u64 at = static_cast<u64>(v) * WORDS + s / 64, bit = 1ull << s % 64;
        args.seen[at] = bit;
        args.front[at] = bit;
        args.items[s] = v;
    }
}

// Transposes the 32 x 32 bits of a warp: bit b of lane l becomes bit l of lane b.
DEVICE u32 transpose(u32 x) {
    u32 mask = 0x0000ffffu;
    for (u32 by = 16; by > 0; by /= 2, mask ^= mask << by) {
        const u32 other = warp_shuffle_xor(FULL_WARP, x, by);
        x = lane_in_warp() & by ? (x & ~mask) | (other & ~mask) >> by : (x & mask) | (other & mask) << by;
    }
    return x;
}

// Adds sources that reach v on this level to the sums of v, which one thread per level adds to.
DEVICE void add_to_sums(const BatchArgs& args, u32 v, const Set& set) {
    u32 count = 0;
    for (u32 w = 0; w < WORDS; ++w) {
        count += count_ones(static_cast<u32>(set.words[w])) + count_ones(static_cast<u32>(set.words[w] >> 32));
    }
    args.reached[v] += count;
    args.total[v] += static_cast<u64>(args.level) * count;
    args.harmonic[v] += static_cast<f64>(count) / static_cast<f64>(args.level);
    if (args.farthest[v] < args.level) args.farthest[v] = args.level;
}

// Ends a level. Clears the front. The vertices found become the next front: adds their `next` sets to `seen`, counts
// these sets by source in args.tally, writes them to args.listed unless that is null, and adds them to the sums of the
// vertices unless there are none. Also counts their arcs, the
// arcs of the longest row, and the arcs into vertices that all sources have now seen.
KERNEL(batch_settle, BatchArgs) {
    SHARED(u64, warps[32]);
    SHARED(u64, tally[64 * WORDS]);
    for (u64 i = thread_in_grid(); i < args.count; i += grid_threads()) {
        const u64 v = args.items[i];
        for (u32 w = 0; w < WORDS; ++w) args.front[v * WORDS + w] = 0;
    }
    for (u32 s = thread_in_block(); s < 64 * WORDS; s += block_threads()) tally[s] = 0;
    block_sync();
    const Offset* ahead = static_cast<const Offset*>(args.ahead);
    const Offset* behind = static_cast<const Offset*>(args.behind);
    u64 arcs = 0, longest = 0, finished = 0, counts[2 * WORDS] = {};
    const u64 found = *args.found_size;
    for (u64 base = thread_in_grid() - lane_in_warp(); base < found; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        Set set = Set();
        if (i < found) {
            const u32 v = args.found[i];
            set = set_of(args.next, v);
            for (u32 w = 0; w < WORDS; ++w) args.seen[static_cast<u64>(v) * WORDS + w] |= set.words[w];
            for (u32 w = 0; args.listed != nullptr && w < WORDS; ++w) args.listed[i * WORDS + w] = set.words[w];
            if (args.reached != nullptr) add_to_sums(args, v, set);
            const u64 own = ahead[v + 1] - ahead[v];
            arcs += own;
            longest = own > longest ? own : longest;
            if (!is_missed(args, v, Set())) finished += behind[v + 1] - behind[v];
        }
        for (u32 w = 0; w < WORDS; ++w) {
            counts[2 * w] += count_ones(transpose(static_cast<u32>(set.words[w])));
            counts[2 * w + 1] += count_ones(transpose(static_cast<u32>(set.words[w] >> 32)));
        }
    }
    for (u32 h = 0; h < 2 * WORDS; ++h) {
        if (counts[h] > 0) atomic_add(tally + 32 * h + lane_in_warp(), counts[h]);
    }
    arcs = block_sum(arcs, warps);
    block_sync();
    finished = block_sum(finished, warps);
    block_sync();
    longest = block_max(longest, warps);
    if (thread_in_block() == 0 && longest > 0) atomic_max(args.counters + LONGEST, longest);
    if (thread_in_block() == 0 && arcs > 0) atomic_add(args.counters + ARCS, arcs);
    if (thread_in_block() == 0 && finished > 0) atomic_add(args.counters + FINISHED, finished);
    for (u32 s = thread_in_block(); s < 64 * WORDS; s += block_threads()) {
        if (tally[s] > 0) atomic_add(args.tally + s, tally[s]);
    }
}
