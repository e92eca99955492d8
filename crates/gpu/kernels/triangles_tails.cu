// Triangles u < v < w in the order of numbers, straight from the rows of an undirected graph. The *tail* of a vertex is
// the end of its row, its neighbours with greater numbers. For each edge (u, v), the entries of the tail of v, or those
// behind v in the tail of u, whichever are fewer, are looked up in the other by bisection.

// A tail packs into 64 bits: its length above its first position, which takes PLACE_BITS.
struct Tail {
    u64 begin;
    u32 len;
};

DEVICE Tail tail_at(const TrianglesArgs& args, u32 v) {
    const u64 tail = load_const(args.tails + v);
    return Tail{tail & ((static_cast<u64>(1) << PLACE_BITS) - 1), static_cast<u32>(tail >> PLACE_BITS)};
}

// Finds all tails. Adds up the pairs of entries of each, which bound the lookups; and finds the longest.
KERNEL(triangles_tails, TrianglesArgs) {
    SHARED(u64, warps[32]);
    const Offset* offsets = offsets_of(args);
    u64 pairs = 0, longest = 0;
    for (u64 v = thread_in_grid(); v < args.vertices; v += grid_threads()) {
        const Offset end = offsets[v + 1];
        const Offset begin = lower_bound(args.targets, offsets[v], end, static_cast<u32>(v) + 1);
        const u64 len = end - begin;
        // A tail that is too long to pack makes the host choose lists.
        args.tails[v] = len << PLACE_BITS | begin;
        pairs += len * (len - (len > 0)) / 2;
        longest = len > longest ? len : longest;
    }
    const u64 sum = block_sum(pairs, warps);
    block_sync();
    const u64 most = block_max(longest, warps);
    if (thread_in_block() != 0) return;
    if (sum > 0) atomic_add(args.pairs, sum);
    if (most > 0) atomic_max(args.longest, most);
}

// What an edge (u, v) asks for: entries [walk, walk + many) are looked up in [seek, seek + len).
struct Meeting {
    Offset walk, seek;
    u32 many, len;
};

// Returns the meeting of an edge, where the tail of u goes on behind v from `arc` to `end`.
DEVICE Meeting meeting_of(const TrianglesArgs& args, u32 v, Offset arc, Offset end) {
    const u32 rest = static_cast<u32>(end - arc - 1);
    const Tail tail = rest > 0 ? tail_at(args, v) : Tail{0, 0};
    const Offset begin = static_cast<Offset>(tail.begin);
    return tail.len < rest ? Meeting{begin, arc + 1, tail.len, rest} : Meeting{arc + 1, begin, rest, tail.len};
}

// Returns the lane that entry k of the meetings of all lanes belongs to: the first one whose entries end behind k.
// `upto` counts the entries up to and including those of a lane. Every lane must call.
DEVICE u32 lane_with(u32 upto, u32 k) {
    u32 lane = 0;
    for (u32 by = 16; by > 0; by /= 2) {
        if (warp_shuffle(FULL_WARP, upto, lane + by - 1) <= k) lane += by;
    }
    return lane;
}

// Adds a triangle to the counts of its vertices.
DEVICE void count_at(const TrianglesArgs& args, u32 u, u32 v, u32 w) {
    atomic_add(args.counts + u, static_cast<u64>(1));
    atomic_add(args.counts + v, static_cast<u64>(1));
    atomic_add(args.counts + w, static_cast<u64>(1));
}

// Walks the entries of the meetings of a warp, 32 at a time, whatever the lengths. Returns what this lane found. u and v
// are this lane's edge.
DEVICE u64 walk_meetings(const TrianglesArgs& args, const Meeting& own, u32 u, u32 v) {
    const u32 upto = warp_scan(own.many), total = warp_shuffle(FULL_WARP, upto, 31);
    const Offset walk = own.walk - (upto - own.many);
    u64 found = 0;
    for (u32 base = 0; base < total; base += 32) {
        const u32 k = base + lane_in_warp();
        const u32 lane = lane_with(upto, k);
        const Offset at = warp_shuffle(FULL_WARP, walk, lane) + k;
        const Offset begin = warp_shuffle(FULL_WARP, own.seek, lane);
        const u32 len = warp_shuffle(FULL_WARP, own.len, lane);
        const bool is_first = k == warp_shuffle(FULL_WARP, upto - own.many, lane);
        const u32 w = k < total ? target_at(args.targets, at) : NOBODY;
        u32 before = warp_shuffle_up(FULL_WARP, w, 1);
        if (lane_in_warp() == 0 && !is_first && k < total) before = target_at(args.targets, at - 1);
        // Parallel edges are adjacent.
        const bool met = k < total && (is_first || before != w) && is_in(args.targets, begin, begin + len, w);
        found += met;
        if (!args.counts) continue;
        const u32 from = warp_shuffle(FULL_WARP, u, lane), to = warp_shuffle(FULL_WARP, v, lane);
        if (met) count_at(args, from, to, w);
    }
    return found;
}

// Adds, for the lanes that ask, 1 to the degree of the row of each lane, with one atomic per row.
DEVICE void count_degrees(const TrianglesArgs& args, bool is, u32 row) {
    const u32 mine = warp_ballot(FULL_WARP, is);
    const u32 before = warp_shuffle_up(FULL_WARP, row, 1);
    const u32 heads = warp_ballot(FULL_WARP, lane_in_warp() == 0 || row != before);
    if (!(heads >> lane_in_warp() & 1)) return;
    const u32 later = heads & ~(lanes_before() | 1u << lane_in_warp());
    const u32 end = trailing_zeros(later);
    const u32 upto = end < 32 ? (1u << end) - 1 : FULL_WARP;
    const u32 many = count_ones(mine & upto & ~lanes_before());
    if (many > 0) atomic_add(args.degrees + row, many);
}

// Returns the row of an arc, found by all lanes of a warp.
DEVICE u32 row_by_warp(const Offset* offsets, u64 vertices, u64 arc) {
    u64 low = 0, high = vertices;  // offsets[low] <= arc < offsets[high]
    while (high - low > 1) {
        const u64 step = (high - low + 31) / 32, probe = low + step * (lane_in_warp() + 1);
        const u64 passed = count_ones(warp_ballot(FULL_WARP, probe < high && offsets[probe] <= arc));
        low += passed * step;
        high = low + step < high ? low + step : high;
    }
    return static_cast<u32>(low);
}

// Counts the triangles of 32 arcs, one per lane. `row` is the row of the first of them or one before it, and becomes that
// of the last.
DEVICE u64 count_word(const TrianglesArgs& args, u64 arc, u64 arcs, u32& row) {
    const Offset* offsets = offsets_of(args);
    const bool is = arc < arcs;
    const u32 u = is ? row_with(offsets, args.vertices, row, arc) : NOBODY;
    const u32 v = is ? target_at(args.targets, arc) : NOBODY;
    row = warp_shuffle(FULL_WARP, u, 31 - leading_zeros(warp_ballot(FULL_WARP, is) | 1));
    u32 before = warp_shuffle_up(FULL_WARP, v, 1);
    if (is && lane_in_warp() == 0 && arc > offsets[u]) before = target_at(args.targets, arc - 1);
    const bool is_new = is && (arc == offsets[u] || before != v);
    if (args.degrees) count_degrees(args, is_new && u != v, u);
    const Offset at = static_cast<Offset>(arc);
    const Meeting meeting = is_new && u < v ? meeting_of(args, v, at, offsets[u + 1]) : Meeting{0, 0, 0, 0};
    return walk_meetings(args, meeting, u, v);
}

// Counts the triangles of all edges: warps draw portions of WORDS_PER_TICKET times 32 arcs.
KERNEL(triangles_edges, TrianglesArgs) {
    SHARED(u64, warps[32]);
    const u64 arcs = offsets_of(args)[args.vertices], words = (arcs + 31) / 32;
    const u64 tickets = (words + WORDS_PER_TICKET - 1) / WORDS_PER_TICKET;
    u64 found = 0;
    while (true) {
        const u64 ticket = draw_by_warp(args.next, tickets, args.cancel);
        if (ticket >= tickets) break;
        u64 word = ticket * WORDS_PER_TICKET;
        const u64 end = word + WORDS_PER_TICKET < words ? word + WORDS_PER_TICKET : words;
        u32 row = row_by_warp(offsets_of(args), args.vertices, word * 32);
        for (; word < end; ++word) found += count_word(args, word * 32 + lane_in_warp(), arcs, row);
    }
    block_sync();
    add_up(args, found, warps);
}
