// Triangles u < v < w in the order of the lists: for every entry v of u's list, the w that are in both lists. The shorter one is looked
// up in the longer one, by the thread that has the entry if it is short, else by the whole warp.

// Entries that one thread looks up.
#define SHORT 32u

struct Intersect {
    const TrianglesArgs& args;
    u64 found;

    DEVICE bool meets(u32 w, Offset low, Offset high) const {
        if (!is_in(args.targets, low, high, w)) return false;
        if (args.counts) atomic_add(args.counts + w, static_cast<u64>(1));
        return true;
    }

    // So many triangles have this edge.
    DEVICE void note(u32 u, u32 v, u64 many) const {
        if (!args.counts || many == 0) return;
        atomic_add(args.counts + u, many);
        atomic_add(args.counts + v, many);
    }

    DEVICE u32 word(u64, bool is, u32 u, u64 at) {
        const Offset* offsets = offsets_of(args);
        u32 v = 0;
        Offset begin = 0, end = 0, low = 0, high = 0;  // the shorter list, the longer one
        if (is) {
            v = args.targets[at];
            const bool swap = offsets[u + 1] - offsets[u] > offsets[v + 1] - offsets[v];
            const u32 a = swap ? v : u, b = swap ? u : v;
            begin = offsets[a], end = offsets[a + 1], low = offsets[b], high = offsets[b + 1];
            if (args.degrees) {
                atomic_add(args.degrees + u, 1u);
                atomic_add(args.degrees + v, 1u);
            }
        }
        const bool is_long = end - begin > SHORT;
        if (!is_long) {
            u64 many = 0;
            for (Offset i = begin; i < end; ++i) many += meets(args.targets[i], low, high);
            note(u, v, many);
            found += many;
        }
        u32 steps = 1;
        u32 left = warp_ballot(FULL_WARP, is_long);
        while (left != 0) {
            const u32 lane = trailing_zeros(left);
            left &= left - 1;
            const Offset from = warp_shuffle(FULL_WARP, begin, lane), to = warp_shuffle(FULL_WARP, end, lane);
            const Offset other_from = warp_shuffle(FULL_WARP, low, lane), other_to = warp_shuffle(FULL_WARP, high, lane);
            u64 many = 0;
            for (Offset i = from + lane_in_warp(); i < to; i += 32) many += meets(args.targets[i], other_from, other_to);
            found += many;
            for (u32 by = 16; by > 0; by /= 2) many += warp_shuffle_xor(FULL_WARP, many, by);
            if (lane_in_warp() == lane) note(u, v, many);
            steps += static_cast<u32>((to - from) / 32);
        }
        return steps;
    }
};

KERNEL(triangles_intersect, TrianglesArgs) {
    SHARED(u64, warps[32]);
    Intersect intersect = Intersect{args, 0};
    each_word(offsets_of(args), args.vertices, nullptr, 4, args.cancel, intersect);
    const u64 sum = block_sum(intersect.found, warps);
    if (thread_in_block() == 0 && sum > 0) atomic_add(args.total, sum);
}
