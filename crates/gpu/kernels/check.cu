// The checks of a graph that was copied from a file: nothing about its arrays is known. They have the lengths that the
// arguments state, and that is all. So no kernel here follows an offset or a target without a bound.
//
// Besides, they count what a graph is asked for first: loops, sinks, isolated vertices, the largest degree, and the range
// of the weights.

DEVICE const Offset* offsets_of(const CheckArgs& args) { return static_cast<const Offset*>(args.offsets); }

// Adds up a number of every lane and adds the sum to a word.
DEVICE void add_up(u64* word, u64 x) {
    for (u32 by = 16; by > 0; by /= 2) x += warp_shuffle_down(FULL_WARP, x, by);
    if (lane_in_warp() == 0 && x != 0) atomic_add(word, x);
}

// Offsets must rise from 0 to the number of arcs. On the way, finds sinks and the largest degree: a key of the degree, and of
// the vertex so that the smaller one wins.
KERNEL(check_offsets, CheckArgs) {
    const Offset* offsets = offsets_of(args);
    u64 wrong = 0, sinks = 0, isolated = 0, largest = 0;
    for (u64 v = thread_in_grid(); v < args.vertices; v += grid_threads()) {
        const Offset begin = offsets[v], end = offsets[v + 1];
        wrong += end < begin || (v == 0 && begin != 0) || (v + 1 == args.vertices && end != args.arcs);
        sinks += begin == end;
        isolated += begin == end && (args.pointed_at == 0 || (args.pointed_at[v / 32] >> (v % 32) & 1) == 0);
        const u64 degree = end - begin;
        const u64 key = degree > 0xffffffffull ? ~0ull : degree << 32 | (0xffffffffull - v);
        largest = key > largest ? key : largest;
    }
    add_up(args.found + WRONG, wrong);
    add_up(args.found + SINKS, sinks);
    add_up(args.found + ISOLATED, isolated);
    for (u32 by = 16; by > 0; by /= 2) {
        const u64 other = warp_shuffle_down(FULL_WARP, largest, by);
        largest = other > largest ? other : largest;
    }
    if (lane_in_warp() == 0) atomic_max(args.found + LARGEST, largest);
}

// Returns the last row in [low, high] that begins at or before the arc. The offset of `low` does, unless offsets do not rise.
DEVICE u64 row_of(const Offset* offsets, u64 arc, u64 low, u64 high) {
    while (low < high) {
        const u64 middle = (low + high + 1) / 2;
        if (offsets[middle] <= arc) low = middle;
        else high = middle - 1;
    }
    return low;
}

// The bits of a weight that the two directions of an edge must share: as on the processor, i32 keeps its sign.
DEVICE u64 weight_bits(const CheckArgs& args, u64 arc) {
    switch (args.weights_are) {
        case WEIGHTS_U32: case WEIGHTS_F32: return static_cast<const u32*>(args.weights)[arc];
        case WEIGHTS_I32: return static_cast<u64>(static_cast<i64>(static_cast<const i32*>(args.weights)[arc]));
        case WEIGHTS_F64: return static_cast<const u64*>(args.weights)[arc];
    }
    return 0;
}

// Mixes the bits of a half of the hash of an edge.
DEVICE u32 mixed(u32 x, u32 by) {
    x = (x ^ x >> 15) * by;
    return x ^ x >> 13;
}

// Adds the hash of an edge to two sums if its arc goes up, and subtracts it if the arc goes down: `Mirror` of
// crates/graph/src/hash.rs does the same.
DEVICE void add_edge(u32 u, u32 v, u64 bits, u32& x_sum, u32& y_sum) {
    const u32 low = u < v ? u : v, high = u < v ? v : u, light = static_cast<u32>(bits), heavy = static_cast<u32>(bits >> 32);
    const u32 x = mixed(low * 0x9e3779b1u + high * 0x85ebca77u + light * 0xc2b2ae3du + heavy * 0x27d4eb2fu, 0x85ebca6bu);
    const u32 y = mixed(low * 0x165667b1u + high * 0xd3a2646cu + light * 0xfd7046c5u + heavy * 0xb55a4f09u, 0xc2b2ae35u);
    x_sum += v == u ? 0 : v < u ? 0 - x : x;
    y_sum += v == u ? 0 : v < u ? 0 - y : y;
}

// Every target must be a vertex, targets of a row must rise, and the hashes of arcs up and down must add up to 0 modulo 2^32
// if the graph is undirected. A thread takes RUN consecutive arcs; the rows of its block are searched once.
//
// Lanes that read a target each would touch 32 lines of memory at a time. So a thread reads four at once.
struct alignas(16) Four {
    u32 at[4];
};

DEVICE Four four_targets(const CheckArgs& args, u64 arc, u64 end) {
    if (arc + 4 <= end) return *reinterpret_cast<const Four*>(args.targets + arc);
    Four four = {};
    for (u64 i = arc; i < end; i++) four.at[i - arc] = args.targets[i];
    return four;
}

KERNEL(check_arcs, CheckArgs) {
    SHARED(u64, rows[2]);
    const Offset* offsets = offsets_of(args);
    const u64 most = args.vertices - 1, share = u64(block_threads()) * RUN;
    u64 wrong = 0, loops = 0;
    u32 x_sum = 0, y_sum = 0;
    for (u64 first = block_in_grid() * share; first < args.arcs; first += grid_blocks() * share) {
        const u64 last = first + share < args.arcs ? first + share : args.arcs;
        if (thread_in_block() < 2) rows[thread_in_block()] = row_of(offsets, thread_in_block() ? last - 1 : first, 0, most);
        block_sync();
        const u64 begin = first + u64(thread_in_block()) * RUN, end = begin + RUN < last ? begin + RUN : last;
        const u64 most_here = rows[1] < rows[0] ? rows[0] : rows[1];
        u64 u = begin < end ? row_of(offsets, begin, rows[0], most_here) : 0;
        u64 row_begin = offsets[u], row_end = offsets[u + 1];
        u32 before = begin > 0 && begin < end ? args.targets[begin - 1] : 0;
        // RUN is a multiple of 4, and so is every `begin`.
        for (u64 next = begin; next < end; next += 4) {
            const Four four = four_targets(args, next, end);
            for (u32 i = 0; i < 4; i++) {
                const u64 arc = next + i;
                if (arc >= end) break;
                if (u < most_here && row_end <= arc) {
                    u++;
                    // Any number of empty rows may follow.
                    if (u < most_here && offsets[u + 1] <= arc) u = row_of(offsets, arc, u + 1, most_here);
                    row_begin = offsets[u];
                    row_end = offsets[u + 1];
                }
                const u32 v = four.at[i];
                wrong += v > most || (row_begin < arc && v < before);
                loops += v == u;
                if (args.undirected) add_edge(static_cast<u32>(u), v, weight_bits(args, arc), x_sum, y_sum);
                if (args.pointed_at != 0 && v <= most) {
                    u32* word = args.pointed_at + v / 32;
                    if ((load_now(word) >> (v % 32) & 1) == 0) atomic_or(word, 1u << (v % 32));
                }
                before = v;
            }
        }
        block_sync();
    }
    add_up(args.found + WRONG, wrong);
    add_up(args.found + LOOPS, loops);
    add_up(args.found + X_SUM, x_sum);
    add_up(args.found + Y_SUM, y_sum);
}

// A key that orders decimals as numbers.
DEVICE u64 ordered(f64 x) {
    const u64 bits = bits_of(x);
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

DEVICE f64 weight_of(const CheckArgs& args, u64 arc) {
    switch (args.weights_are) {
        case WEIGHTS_U32: return static_cast<const u32*>(args.weights)[arc];
        case WEIGHTS_I32: return static_cast<const i32*>(args.weights)[arc];
        case WEIGHTS_F32: return static_cast<const f32*>(args.weights)[arc];
    }
    return static_cast<const f64*>(args.weights)[arc];
}

// Weights must be finite. Finds the least and the greatest.
KERNEL(check_weights, CheckArgs) {
    u64 wrong = 0, least = ~0ull, greatest = 0;
    for (u64 arc = thread_in_grid(); arc < args.arcs; arc += grid_threads()) {
        const f64 weight = weight_of(args, arc);
        const u64 key = ordered(weight);
        wrong += (bits_of(weight) >> 52 & 0x7ff) == 0x7ff;
        least = key < least ? key : least;
        greatest = key > greatest ? key : greatest;
    }
    add_up(args.found + WRONG, wrong);
    for (u32 by = 16; by > 0; by /= 2) {
        const u64 low = warp_shuffle_down(FULL_WARP, least, by), high = warp_shuffle_down(FULL_WARP, greatest, by);
        least = low < least ? low : least;
        greatest = high > greatest ? high : greatest;
    }
    if (lane_in_warp() == 0) {
        atomic_min(args.found + LEAST, least);
        atomic_max(args.found + GREATEST, greatest);
    }
}
