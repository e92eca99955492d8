// Lists for triangles. Vertices are ordered by (arcs, number); the list of u has every neighbour above u once, in increasing
// number. It is the row of u with the other arcs left out, so all lists together are the arcs that a bitmap keeps: an arc's
// place is the number of arcs kept before it. Of a directed graph outgoing and incoming rows are listed apart, an incoming arc
// only if there is no outgoing one, and merged.
#include "words.cuh"

DEVICE const Offset* offsets_of(const TrianglesArgs& args) { return static_cast<const Offset*>(args.offsets); }
DEVICE const Offset* others_of(const TrianglesArgs& args) { return static_cast<const Offset*>(args.other_offsets); }

DEVICE u64 degree_of(const TrianglesArgs& args, u32 v) {
    const Offset *own = offsets_of(args), *other = others_of(args);
    const u64 degree = own[v + 1] - own[v];
    return other ? degree + (other[v + 1] - other[v]) : degree;
}

DEVICE bool is_below(const TrianglesArgs& args, u32 u, u32 v) {
    const u64 a = degree_of(args, u), b = degree_of(args, v);
    return a != b ? a < b : u < v;
}

struct Keep {
    const TrianglesArgs& args;
    DEVICE bool keeps(u32 u, u64 arc) const {
        const u32 v = args.targets[arc];
        // Parallel edges lie side by side.
        if (arc > offsets_of(args)[u] && args.targets[arc - 1] == v) return false;
        if (u == v || !is_below(args, u, v)) return false;
        return !args.unless_there || !is_in(args.other_targets, others_of(args)[u], others_of(args)[u + 1], v);
    }
    DEVICE u32 word(u64 word, bool is, u32 u, u64 arc) const {
        const u32 kept = warp_ballot(FULL_WARP, is && keeps(u, arc));
        if (lane_in_warp() == 0) {
            args.kept[word] = kept;
            static_cast<Offset*>(args.ranks)[word] = count_ones(kept);
        }
        return 1;
    }
};

KERNEL(triangles_keep, TrianglesArgs) {
    Keep keep = Keep{args};
    each_word(offsets_of(args), args.vertices, nullptr, 32, args.cancel, keep);
}

// How many arcs are kept before this one; args.ranks has been summed up.
DEVICE Offset rank_of(const TrianglesArgs& args, u64 arc) {
    const Offset before = static_cast<const Offset*>(args.ranks)[arc / 32];
    return arc % 32 == 0 ? before : before + count_ones(args.kept[arc / 32] & ((1u << arc % 32) - 1));
}

// Where lists begin, and how many entries they have in all.
KERNEL(triangles_first, TrianglesArgs) {
    for (u64 v = thread_in_grid(); v <= args.vertices; v += grid_threads()) {
        const Offset first = rank_of(args, offsets_of(args)[v]);
        static_cast<Offset*>(args.first)[v] = first;
        if (v == args.vertices) *args.total = first;
    }
}

KERNEL(triangles_list, TrianglesArgs) {
    const u64 arcs = offsets_of(args)[args.vertices];
    for (u64 arc = thread_in_grid(); arc < arcs; arc += grid_threads()) {
        if (args.kept[arc / 32] >> arc % 32 & 1) args.list[rank_of(args, arc)] = args.targets[arc];
    }
}

// Where merged lists begin.
KERNEL(triangles_add, TrianglesArgs) {
    for (u64 v = thread_in_grid(); v <= args.vertices; v += grid_threads()) {
        static_cast<Offset*>(args.first)[v] = offsets_of(args)[v] + others_of(args)[v];
    }
}

// Two lists of a vertex have no entry in common: one's place is its own, and as much further as there are lesser ones in the other.
struct Merge {
    const TrianglesArgs& args;
    DEVICE u32 word(u64, bool is, u32 u, u64 at) const {
        if (is) {
            const u32 v = args.targets[at];
            args.list[at + lower_bound(args.other_targets, others_of(args)[u], others_of(args)[u + 1], v)] = v;
        }
        return 1;
    }
};

KERNEL(triangles_merge, TrianglesArgs) {
    Merge merge = Merge{args};
    each_word(offsets_of(args), args.vertices, nullptr, 32, args.cancel, merge);
}
