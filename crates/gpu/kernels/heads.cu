// The heads of rows: the targets of the HEADS arcs of every row that lead to the vertices of the highest degrees, highest
// first; shorter rows are filled up with the vertex itself. Only the first HEADS_FROM arcs of a row are looked at.
#include "edges.cuh"

// A lane's best arcs so far: degree + 1 in the upper half, target in the lower half, in decreasing order; 0 is none.
struct Best {
    u64 keys[HEADS];

    DEVICE void take(u64 key) {
#pragma unroll
        for (u32 i = 0; i < HEADS; ++i) {
            const u64 here = keys[i];
            if (key > here) {
                keys[i] = key;
                key = here;
            }
        }
    }

    DEVICE void drop_first() {
#pragma unroll
        for (u32 i = 0; i + 1 < HEADS; ++i) keys[i] = keys[i + 1];
        keys[HEADS - 1] = 0;
    }
};

KERNEL(heads_make, HeadsArgs) {
    const Offset* offsets = static_cast<const Offset*>(args.offsets);
    const u64 warps = grid_threads() / 32;
    for (u64 v = thread_in_grid() / 32; v < args.vertices; v += warps) {
        const Offset begin = offsets[v];
        Offset end = offsets[v + 1];
        if (end - begin > HEADS_FROM) end = begin + HEADS_FROM;
        Best best = Best();
        for (Offset arc = begin + lane_in_warp(); arc < end; arc += 32) {
            const u32 u = target_at(args.targets, arc);
            const u64 degree = offsets[u + 1] - offsets[u];
            best.take((degree < 0xfffffffeull ? degree + 1 : 0xffffffffull) << 32 | u);
        }
        for (u32 i = 0; i < HEADS; ++i) {
            u64 most = best.keys[0];
            for (u32 by = 16; by > 0; by /= 2) {
                const u64 other = warp_shuffle_xor(FULL_WARP, most, by);
                if (other > most) most = other;
            }
            const u32 have = warp_ballot(FULL_WARP, most != 0 && best.keys[0] == most);
            if (have != 0 && lane_in_warp() == trailing_zeros(have)) best.drop_first();
            if (lane_in_warp() == 0) args.heads[v * HEADS + i] = most != 0 ? static_cast<u32>(most) : static_cast<u32>(v);
        }
    }
}
