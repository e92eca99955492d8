// Afforest: trees of vertices, hooked along arcs, each named by its smallest vertex.
//
// components[v] is not greater than v and in v's tree at all times: values only move towards the root. So plain loads
// suffice, although a cache may return an outdated value; a hook learns the current value from its
// compare-and-exchange.
#include "frontier.cuh"
#include "mixed.cuh"

// No vertex.
#define NOBODY 0xffffffffu

DEVICE const Offset* offsets_of(const WccArgs& args) { return static_cast<const Offset*>(args.offsets); }

// Joins the trees of two vertices, and returns a vertex of the joined tree. The greater of the two moves up until both
// are equal, or until it is a root and is hooked. A root that is greater than a vertex is not the root of that vertex.
DEVICE u32 link(u32* components, u32 a, u32 b) {
    while (a != b) {
        const u32 high = a > b ? a : b, low = a > b ? b : a;
        u32 parent = components[high];
        if (parent == high) {
            parent = atomic_compare_exchange(components + high, high, low);
            if (parent == high) return low;
        }
        a = parent;
        b = low;
    }
    return a;
}

// Points every vertex to its first neighbour if that is smaller, and notes another neighbour.
KERNEL(wcc_begin, WccArgs) {
    const Offset* offsets = offsets_of(args);
    if (thread_in_grid() == 0) {
        args.counters[GIANT] = NOBODY;
        args.counters[CHUNKS] = args.counters[NEXT_CHUNKS] = 0;
    }
    for (u64 at = thread_in_grid(); at < args.vertices; at += grid_threads()) {
        const u32 v = static_cast<u32>(at);
#if HEADS
        // Rows of fewer arcs than heads are filled up with the vertex itself.
        const u32 first = args.heads[at * HEADS], second = args.heads[at * HEADS + 1];
#else
        const Offset begin = offsets[at], end = offsets[at + 1];
        const u32 first = begin < end ? target_at(args.targets, begin) : v;
        const u32 second = end - begin > 1 ? target_at(args.targets, begin + 1) : v;
#endif
        args.components[v] = first < v ? first : v;
        args.others[v] = first > v ? first : second;
    }
}

// Points every vertex to its root. It stores every step, so that chains also get shorter for other threads.
KERNEL(wcc_compress, WccArgs) {
    u32* components = args.components;
    for (u64 at = thread_in_grid(); at < args.vertices; at += grid_threads()) {
        u32 parent = components[at];
        for (u32 above = components[parent]; above != parent; above = components[parent]) {
            components[at] = above;
            parent = above;
        }
    }
}

// Hooks along the arcs that were noted.
KERNEL(wcc_second, WccArgs) {
    for (u64 at = thread_in_grid(); at < args.vertices; at += grid_threads()) {
        const u32 other = args.others[at];
        if (other != at) link(args.components, args.components[at], args.components[other]);
    }
}

// Finds the tree of most vertices in a sample, by one block.
KERNEL(wcc_sample, WccArgs) {
    SHARED(u32, names[SLOTS]);
    SHARED(u32, counts[SLOTS]);
    SHARED(u64, best);
    for (u32 slot = thread_in_block(); slot < SLOTS; slot += block_threads()) {
        names[slot] = NOBODY;
        counts[slot] = 0;
    }
    if (thread_in_block() == 0) best = 0;
    block_sync();
    for (u32 i = thread_in_block(); i < SAMPLES; i += block_threads()) {
        u32 name = static_cast<u32>(mixed(i + 1) % args.vertices);
        for (u32 above = args.components[name]; above != name; above = args.components[name]) name = above;
        u32 slot = mixed(name) % SLOTS;
        for (;; slot = (slot + 1) % SLOTS) {
            const u32 there = atomic_compare_exchange(names + slot, NOBODY, name);
            if (there == NOBODY || there == name) break;
        }
        atomic_add(counts + slot, 1u);
    }
    block_sync();
    u64 mine = 0;
    for (u32 slot = thread_in_block(); slot < SLOTS; slot += block_threads()) {
        const u64 found = static_cast<u64>(counts[slot]) << 32 | names[slot];
        if (counts[slot] != 0 && found > mine) mine = found;
    }
    if (mine != 0) atomic_max(&best, mine);
    block_sync();
    if (thread_in_block() == 0) args.counters[GIANT] = static_cast<u32>(best);
}

// Points v closer to its root. Returns true if v is in the giant's tree, whose root may have been hooked meanwhile.
DEVICE bool is_inside(u32* components, u32 v, u32 giant) {
    const u32 parent = components[v];
    u32 top = parent;
    while (top != giant) {
        const u32 above = components[top];
        if (above == top) break;
        top = above;
    }
    // v has a parent, so it is not a root, and no other thread stores to it.
    if (top != parent) components[v] = top;
    return top == giant;
}

// Hooks along arcs [begin, end) of a row, by the lanes of a warp.
DEVICE void link_row(const WccArgs& args, u32 v, Offset begin, Offset end) {
    u32 tree = args.components[v];
    for (Offset i = begin + lane_in_warp(); i < end; i += 32) {
        tree = link(args.components, tree, args.components[target_at(args.targets, i)]);
    }
}

// Cuts a row into chunks and lists them.
DEVICE void list_row(const WccArgs& args, u32 v, Offset length) {
    const u32 count = static_cast<u32>((length + CHUNK - 1) / CHUNK);
    u64 base = 0;
    if (lane_in_warp() == 0) base = atomic_add(args.counters + args.count, static_cast<u64>(count));
    base = warp_shuffle(FULL_WARP, base, 0);
    for (u32 i = lane_in_warp(); i < count; i += 32) args.chunks[base + i] = static_cast<u64>(v) << 32 | i;
}

// The part of a vertex's row that is not hooked along yet.
struct Rest {
    Offset begin, end;
};

DEVICE Rest rest_of(const WccArgs& args, u32 v) {
    const Offset* offsets = offsets_of(args);
    const Offset begin = offsets[v], end = offsets[v + 1], skip = args.skip;
    return Rest{end - begin < skip ? end : begin + skip, end};
}

#if HEADS
// Hooks a vertex along its heads. Returns true if its row need not be read: it joined the giant, or has no other arcs.
DEVICE bool joins_by_heads(const WccArgs& args, u32 v, u32 giant) {
    u32 tree = args.components[v];
    for (u32 i = 0; i < HEADS; ++i) tree = link(args.components, tree, args.components[args.heads[static_cast<u64>(v) * HEADS + i]]);
    const Offset* offsets = offsets_of(args);
    return offsets[v + 1] - offsets[v] <= HEADS || is_inside(args.components, v, giant);
}
#endif

// Hooks every vertex outside the giant along the rest of its row: by a thread, by a warp, or, for the listed chunks, by
// a later kernel.
KERNEL(wcc_rest, WccArgs) {
    const u32 giant = static_cast<u32>(args.counters[GIANT]);
    const u64 words = (args.vertices + 31) / 32, warps = grid_threads() / 32;
    u32 looked = 0;
    for (u64 word = thread_in_grid() / 32; word < words; word += warps) {
        const u64 at = word * 32 + lane_in_warp();
        const u32 v = static_cast<u32>(at);
        Rest rest = Rest{0, 0};
        if (at < args.vertices && !is_inside(args.components, v, giant)) rest = rest_of(args, v);
#if HEADS
        if (rest.begin < rest.end && args.by_heads && joins_by_heads(args, v, giant)) rest = Rest{0, 0};
#endif
        const bool is_long = rest.end - rest.begin > SHORT;
        if (!is_long && rest.begin < rest.end) {
            u32 tree = args.components[v];
            for (Offset i = rest.begin; i < rest.end && tree != giant; ++i) {
                tree = link(args.components, tree, args.components[target_at(args.targets, i)]);
            }
        }
        for (u32 left = warp_ballot(FULL_WARP, is_long); left != 0; left &= left - 1) {
            const u32 lane = trailing_zeros(left);
            const u32 row = static_cast<u32>(word * 32) + lane;
            const Offset begin = warp_shuffle(FULL_WARP, rest.begin, lane);
            const Offset end = warp_shuffle(FULL_WARP, rest.end, lane);
            if (end - begin > CHUNK) list_row(args, row, end - begin); else link_row(args, row, begin, end);
            ++looked;
        }
        if (++looked >= PATIENCE) {
            looked = 0;
            if (warp_any(FULL_WARP, is_cancelled(args.cancel))) return;
        }
    }
}

// Hooks along the listed chunks, one warp per chunk.
KERNEL(wcc_chunks, WccArgs) {
    const u64 count = args.counters[args.count], warps = grid_threads() / 32;
    u32 looked = 0;
    for (u64 i = thread_in_grid() / 32; i < count; i += warps) {
        const u64 chunk = args.chunks[i];
        const u32 v = static_cast<u32>(chunk >> 32);
        const Rest rest = rest_of(args, v);
        const Offset begin = rest.begin + static_cast<Offset>(static_cast<u32>(chunk)) * CHUNK;
        link_row(args, v, begin, rest.end - begin < CHUNK ? rest.end : begin + CHUNK);
        if (++looked >= PATIENCE / 16) {
            looked = 0;
            if (warp_any(FULL_WARP, is_cancelled(args.cancel))) return;
        }
    }
}
