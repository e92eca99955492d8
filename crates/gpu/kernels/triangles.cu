// Triangles w < v < u in the order of ranks: for every v, the lists of all neighbours u behind it are looked up in a
// table of v's own list. A sorted list is only read up to v, since later entries are not in the table.

// An open-addressing table of up to half as many ranks as it has slots. Empty slots are NOBODY.
struct Slots {
    u32* at;
    u32 mask;

    DEVICE u32 slot_of(u32 w) const { return w * 2654435769u >> 15 & mask; }
    DEVICE void put(u32 w) const {
        u32 slot = slot_of(w);
        while (atomic_compare_exchange(at + slot, NOBODY, w) != NOBODY) slot = (slot + 1) & mask;
    }
    DEVICE bool has(u32 w) const {
        for (u32 slot = slot_of(w);; slot = (slot + 1) & mask) {
            const u32 x = at[slot];
            if (x == w || x == NOBODY) return x == w;
        }
    }
};

// One bit for each rank before `near`, where most lookups go, and slots for other ranks, if there are any.
struct Table {
    u32* bits;
    u32 near;
    bool is_far;
    Slots slots;

    // Adds w. Returns true if w went into slots.
    DEVICE bool put(u32 w) const {
        if (w >= near) return slots.put(w), true;
        atomic_or(bits + (w >> 5), 1u << (w & 31));
        return false;
    }
    DEVICE bool has(u32 w) const { return w < near ? bits[w >> 5] >> (w & 31) & 1 : is_far && slots.has(w); }
};

// A vertex, and its list.
struct Middle {
    u32 vertex;
    u32 rank;
    const u32* list;
    Offset len;
    u64 degree;
};

DEVICE Middle middle_of(const TrianglesArgs& args, u32 v) {
    const Offset* first = first_of(args);
    return Middle{v, args.rank[v], args.list + first[v], first[v + 1] - first[v], degree_of(args, v)};
}

// Two properties of a vertex: it has a list and neighbours behind it; it has so many of them that a block should take
// it.
DEVICE bool is_between(const Middle& v) { return v.len > 0 && v.degree > v.len; }
DEVICE bool is_heavy(const TrianglesArgs& args, const Middle& v) { return v.degree - v.len >= args.heavy; }

// Returns the neighbour at a position among the arcs of v, outgoing arcs first; NOBODY if it is before v or occurred
// already.
DEVICE u32 behind(const TrianglesArgs& args, const Middle& v, u64 place) {
    const Offset* out = offsets_of(args);
    const Offset begin = out[v.vertex], end = out[v.vertex + 1];
    const bool is_out = place < end - begin;
    const u64 nth = is_out ? place : place - (end - begin);
    const Edges& targets = is_out ? args.targets : args.other_targets;
    const u64 at = nth + (is_out ? begin : others_of(args)[v.vertex]);
    const u32 u = target_at(targets, at);
    if (nth > 0 && target_at(targets, at - 1) == u) return NOBODY;
    if (args.rank[u] <= v.rank) return NOBODY;
    return is_out || !is_in(args.targets, begin, end, u) ? u : NOBODY;
}

// Returns how many entries of a list before a rank are in a table. This lane looks at every 32nd entry, with two loads
// in flight.
template <class T>
DEVICE u32 met(const TrianglesArgs& args, const T& table, const u32* list, Offset len, u32 rank) {
    const bool in_order = len <= args.sorted;
    u32 many = 0;
    for (Offset base = 0; base < len; base += 64) {
        const Offset i = base + lane_in_warp();
        const u32 a = i < len ? load_const(list + i) : NOBODY;
        const u32 b = i + 32 < len ? load_const(list + i + 32) : NOBODY;
        const bool has_a = a < rank && table.has(a), has_b = b < rank && table.has(b);
        many += has_a + has_b;
        if (args.counts) {
            if (has_a) atomic_add(args.counts + args.order[a], static_cast<u64>(1));
            if (has_b) atomic_add(args.counts + args.order[b], static_cast<u64>(1));
        }
        if (in_order && warp_any(FULL_WARP, b >= rank)) break;
    }
    return many;
}

// Looks up the lists of 32 neighbours of v, from a position on, by a warp. Returns what this lane found.
template <class T>
DEVICE u64 look_up(const TrianglesArgs& args, const T& table, const Middle& v, u64 from, u64 to) {
    const Offset* first = first_of(args);
    const u64 place = from + lane_in_warp();
    const u32 u = place < to ? behind(args, v, place) : NOBODY;
    const Offset begin = u != NOBODY ? first[u] : 0;
    // v and at least one other.
    const Offset len = u != NOBODY ? first[u + 1] - begin : 0;
    u32 left = warp_ballot(FULL_WARP, len >= 2);
    u64 found = 0;
    while (left != 0) {
        const u32 lane = trailing_zeros(left);
        left &= left - 1;
        const Offset start = warp_shuffle(FULL_WARP, begin, lane);
        u32 many = met(args, table, args.list + start, warp_shuffle(FULL_WARP, len, lane), v.rank);
        found += many;
        if (!args.counts) continue;
        for (u32 by = 16; by > 0; by /= 2) many += warp_shuffle_xor(FULL_WARP, many, by);
        if (lane_in_warp() == lane && many > 0) atomic_add(args.counts + u, static_cast<u64>(many));
    }
    if (args.counts && found > 0) atomic_add(args.counts + v.vertex, found);
    return found;
}

// Counts a share of the arcs of v, by a block. If the list does not fit into the table, the table holds one piece at a
// time.
DEVICE u64 count_share(const TrianglesArgs& args, Table table, const Middle& v, u64 from, u64 to, u32* cursor) {
    Offset begin = 0, end = v.len;
    if (v.len > args.piece) {
        // In a sorted list, the ranks that have a bit come first.
        if (v.len <= args.sorted) begin = lower_bound(v.list, 0, v.len, table.near);
        end = v.len - begin < args.piece ? v.len : begin + args.piece;
        begin = 0;
    }
    u64 found = 0;
    while (true) {
        bool is_far = false;
        for (Offset i = begin + thread_in_block(); i < end; i += block_threads()) is_far |= table.put(v.list[i]);
        if (thread_in_block() == 0) *cursor = 0;
        table.is_far = block_any(is_far);
        while (true) {
            u32 taken = lane_in_warp() == 0 ? atomic_add(cursor, 32u) : 0;
            taken = warp_shuffle(FULL_WARP, taken, 0);
            if (taken >= to - from) break;
            found += look_up(args, table, v, from + taken, to);
        }
        block_sync();
        for (Offset i = begin + thread_in_block(); i < end; i += block_threads()) {
            if (v.list[i] < table.near) table.bits[v.list[i] >> 5] = 0;
        }
        if (table.is_far) {
            for (u32 i = thread_in_block(); i <= table.slots.mask; i += block_threads()) table.slots.at[i] = NOBODY;
        }
        block_sync();
        if (end == v.len) return found;
        begin = end;
        end = v.len - begin < args.piece ? v.len : begin + args.piece;
    }
}

// Counts all arcs of v, by a warp.
DEVICE u64 count_all(const TrianglesArgs& args, u32* at, const Middle& v) {
    const u32 most = args.piece < WARP_SLOTS / 2 ? args.piece : WARP_SLOTS / 2;
    u64 found = 0;
    for (Offset begin = 0; begin < v.len; begin += most) {
        const u32 len = v.len - begin < most ? static_cast<u32>(v.len - begin) : most;
        u32 size = 32;
        while (size < 2 * len) size *= 2;
        const Slots slots = Slots{at, size - 1};
        for (u32 i = lane_in_warp(); i < len; i += 32) slots.put(v.list[begin + i]);
        warp_sync(FULL_WARP);
        for (u64 place = 0; place < v.degree; place += 32) found += look_up(args, slots, v, place, v.degree);
        warp_sync(FULL_WARP);
        for (u32 i = lane_in_warp(); i < size; i += 32) at[i] = NOBODY;
        warp_sync(FULL_WARP);
    }
    return found;
}

// Lists shares of the arcs of all vertices with many neighbours behind them, roughly by decreasing degree: the vertex,
// and above it the number of the share.
KERNEL(triangles_shares, TrianglesArgs) {
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) {
        const Middle v = middle_of(args, args.order[i]);
        if (!is_between(v) || !is_heavy(args, v)) continue;
        const u64 many = (v.degree + args.share - 1) / args.share;
        const u64 at = atomic_add(args.shared, many);
        for (u64 k = 0; k < many; ++k) args.shares[at + k] = k << 32 | v.vertex;
    }
}

// Counts the vertices with many neighbours behind them: each block takes one share after the other.
KERNEL_OF(triangles_heavy, TrianglesArgs, BLOCK_WARPS * 32, HEAVY_BLOCKS) {
    SHARED(u32, bits[NEAR / 32]);
    SHARED(u32, slots[SLOTS]);
    SHARED(u64, warps[32]);
    SHARED(u64, next);
    SHARED(u32, cursor);
    for (u32 i = thread_in_block(); i < NEAR / 32; i += block_threads()) bits[i] = 0;
    for (u32 i = thread_in_block(); i < SLOTS; i += block_threads()) slots[i] = NOBODY;
    const Table table = Table{bits, args.near, false, Slots{slots, SLOTS - 1}};
    const u64 shares = *args.shared;
    u64 found = 0;
    while (true) {
        if (thread_in_block() == 0) next = draw_ticket(args.next, shares, args.cancel);
        block_sync();
        if (next >= shares) break;
        const u64 taken = args.shares[next];
        block_sync();
        const Middle v = middle_of(args, static_cast<u32>(taken));
        const u64 from = (taken >> 32) * args.share, to = v.degree - from < args.share ? v.degree : from + args.share;
        found += count_share(args, table, v, from, to, &cursor);
    }
    add_up(args, found, warps);
}

// Counts all other vertices, one warp per vertex: each warp takes 32 vertices after the other.
KERNEL(triangles_light, TrianglesArgs) {
    SHARED(u32, slots[BLOCK_WARPS * WARP_SLOTS]);
    SHARED(u64, warps[32]);
    for (u32 i = thread_in_block(); i < BLOCK_WARPS * WARP_SLOTS; i += block_threads()) slots[i] = NOBODY;
    block_sync();
    u32* own = slots + warp_in_block() * WARP_SLOTS;
    u64 found = 0;
    const u64 tickets = (args.vertices + 31) / 32;
    while (true) {
        const u64 ticket = draw_by_warp(args.next, tickets, args.cancel);
        if (ticket >= tickets) break;
        const u64 i = ticket * 32 + lane_in_warp();
        u32 vertex = NOBODY;
        if (i < args.vertices) {
            const Middle v = middle_of(args, args.order[i]);
            if (is_between(v) && !is_heavy(args, v)) vertex = v.vertex;
        }
        u32 left = warp_ballot(FULL_WARP, vertex != NOBODY);
        while (left != 0) {
            const u32 lane = trailing_zeros(left);
            left &= left - 1;
            found += count_all(args, own, middle_of(args, warp_shuffle(FULL_WARP, vertex, lane)));
        }
    }
    block_sync();
    add_up(args, found, warps);
}
