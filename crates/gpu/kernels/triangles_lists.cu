// Lists for triangles. The rank of a vertex is its position in the order of decreasing degrees; the list of u has the
// ranks of its neighbours before u, each once. It is the row of u without all other arcs, so all lists together are the
// arcs that a bitmap keeps: the position of an arc is the number of kept arcs before it. In a directed graph, incoming
// arcs are listed behind outgoing ones, unless the same neighbour also has an outgoing arc.
#include "words.cuh"
#include "tickets.cuh"

#define NOBODY 0xffffffffu

DEVICE const Offset* offsets_of(const TrianglesArgs& args) { return static_cast<const Offset*>(args.offsets); }
DEVICE const Offset* others_of(const TrianglesArgs& args) { return static_cast<const Offset*>(args.other_offsets); }
DEVICE const Offset* first_of(const TrianglesArgs& args) { return static_cast<const Offset*>(args.first); }

// Adds what all threads of a block found to the total.
DEVICE void add_up(const TrianglesArgs& args, u64 found, u64* warps) {
    const u64 sum = block_sum(found, warps);
    if (thread_in_block() == 0 && sum > 0) atomic_add(args.total, sum);
}

// Returns the arcs of both directions.
DEVICE u64 degree_of(const TrianglesArgs& args, u32 v) {
    const Offset *own = offsets_of(args), *other = others_of(args);
    const u64 degree = own[v + 1] - own[v];
    return other ? degree + (other[v + 1] - other[v]) : degree;
}

// Maps degrees to eight bits: their first four bits, and the number of bits that follow.
DEVICE u32 class_of(u64 degree) {
    if (degree < 16) return static_cast<u32>(degree);
    const u32 most = degree < 0xffffffffull ? static_cast<u32>(degree) : 0xffffffffu;
    const u32 bits = 31 - leading_zeros(most);
    return 16 + (bits - 4) * 8 + (most >> (bits - 3) & 7);
}

// Writes the keys that vertices are sorted by.
KERNEL(triangles_keys, TrianglesArgs) {
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) {
        const u32 v = static_cast<u32>(i);
        args.keys[v] = 255 - class_of(degree_of(args, v));
        args.order[v] = v;
    }
}

KERNEL(triangles_rank, TrianglesArgs) {
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) args.rank[args.order[i]] = static_cast<u32>(i);
}

struct Keep {
    const TrianglesArgs& args;
    DEVICE bool keeps(u32 u, u64 arc) const {
        const u32 v = target_at(args.targets, arc);
        // Parallel edges are adjacent.
        if (arc > offsets_of(args)[u] && target_at(args.targets, arc - 1) == v) return false;
        if (args.rank[v] >= args.rank[u]) return false;
        return !args.other_offsets || !is_in(args.other_targets, others_of(args)[u], others_of(args)[u + 1], v);
    }
    DEVICE u32 word(u64 word, bool is, u32 u, u64 arc) const {
        const u32 kept = warp_ballot(FULL_WARP, is && keeps(u, arc));
        if (lane_in_warp() == 0) {
            args.kept[word] = kept;
            static_cast<Offset*>(args.before)[word] = count_ones(kept);
        }
        return 1;
    }
};

KERNEL(triangles_keep, TrianglesArgs) {
    Keep keep = Keep{args};
    each_word(offsets_of(args), args.vertices, nullptr, 32, args.cancel, keep);
}

// Returns the number of kept arcs before this one; args.before must hold prefix sums.
DEVICE Offset kept_before(const TrianglesArgs& args, u64 arc) {
    const Offset before = static_cast<const Offset*>(args.before)[arc / 32];
    return arc % 32 == 0 ? before : before + count_ones(args.kept[arc / 32] & ((1u << arc % 32) - 1));
}

// Writes the starts of lists, and the number of all entries.
KERNEL(triangles_first, TrianglesArgs) {
    for (u64 v = thread_in_grid(); v <= args.vertices; v += grid_threads()) {
        const Offset first = kept_before(args, offsets_of(args)[v]);
        static_cast<Offset*>(args.first)[v] = first;
        if (v == args.vertices) *args.entries = first;
    }
}

KERNEL(triangles_list, TrianglesArgs) {
    const u64 arcs = offsets_of(args)[args.vertices];
    for (u64 arc = thread_in_grid(); arc < arcs; arc += grid_threads()) {
        if (args.kept[arc / 32] >> arc % 32 & 1) args.list[kept_before(args, arc)] = args.rank[target_at(args.targets, arc)];
    }
}

// Writes the starts of lists that combine both directions.
KERNEL(triangles_add, TrianglesArgs) {
    for (u64 v = thread_in_grid(); v <= args.vertices; v += grid_threads()) {
        const Offset first = offsets_of(args)[v] + others_of(args)[v];
        static_cast<Offset*>(args.first)[v] = first;
        if (v == args.vertices) *args.entries = first;
    }
}

// Writes one direction's part of the lists. Before an outgoing arc lie the incoming arcs of earlier rows; before an
// incoming arc also the outgoing arcs of its own row.
struct Part {
    const TrianglesArgs& args;
    DEVICE u32 word(u64, bool is, u32 u, u64 arc) const {
        if (is) args.list[kept_before(args, arc) + first_of(args)[u + args.behind]] = args.rank[target_at(args.targets, arc)];
        return 1;
    }
};

KERNEL(triangles_part, TrianglesArgs) {
    Part part = Part{args};
    each_word(offsets_of(args), args.vertices, args.kept, 32, args.cancel, part);
}

// Counts the neighbours of every vertex: those in its list, and those that have it in theirs.
KERNEL(triangles_degrees, TrianglesArgs) {
    const u64 entries = first_of(args)[args.vertices];
    for (u64 i = thread_in_grid(); i < entries; i += grid_threads()) atomic_add(args.degrees + args.order[args.list[i]], 1u);
    for (u64 v = thread_in_grid(); v < args.vertices; v += grid_threads()) {
        atomic_add(args.degrees + v, static_cast<u32>(first_of(args)[v + 1] - first_of(args)[v]));
    }
}
