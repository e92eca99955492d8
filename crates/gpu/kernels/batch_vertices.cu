// What vertices do between the levels of a batch of searches.

// Every source is on its own vertex, and they are the first of the queue. All sets are empty before.
KERNEL(batch_begin, BatchArgs) {
    for (u64 s = thread_in_grid(); s < args.batch; s += grid_threads()) {
        const u32 v = args.sources[s];
        const u64 at = static_cast<u64>(v) * WORDS + s / 64, bit = 1ull << s % 64;
        args.seen[at] = bit;
        args.front[at] = bit;
        args.items[s] = v;
    }
}

// Turns the words of a warp's lanes around: bit b of lane l becomes bit l of lane b.
DEVICE u32 transpose(u32 x) {
    u32 mask = 0x0000ffffu;
    for (u32 by = 16; by > 0; by /= 2, mask ^= mask << by) {
        const u32 other = warp_shuffle_xor(FULL_WARP, x, by);
        x = lane_in_warp() & by ? (x & ~mask) | (other & ~mask) >> by : (x & mask) | (other & mask) << by;
    }
    return x;
}

// Ends a level. Who was on the front is not any more. Those found have seen what comes next, which is counted by source in args.tally, and
// will be the front, and what comes next is listed if somebody wants it; in the counters, their arcs, the
// most of one, and the arcs to those that miss no source now.
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
