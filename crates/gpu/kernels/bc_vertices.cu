// The kernels over vertices for betweenness.
#include "powers.cuh"

// Before a batch: no vertex is reached, and all counts are 0.
KERNEL(bc_clear, BcArgs) {
    Distance* distances = Tight{args}.distances();
    for (u64 i = thread_in_grid(); i < args.copies * args.vertices; i += grid_threads()) {
        distances[i] = Scalar<Distance>::greatest();
        args.pending[i] = 0;
        args.counts[i] = 0;
        args.dependencies[i] = 0;
    }
}

// Starts one path at each source in its own copy, and puts the sources at the beginning of the queue.
KERNEL(bc_begin, BcArgs) {
    for (u64 c = thread_in_grid(); c < args.copies; c += grid_threads()) {
        const u32 source = static_cast<u32>(c * args.vertices) + args.sources[c];
        Tight{args}.distances()[source] = 0;
        args.counts[source] = 1;
        args.queue[c] = source;
    }
    if (thread_in_grid() == 0) *args.length = args.copies;
}

// Appends all reached vertices to the queue.
KERNEL(bc_collect, BcArgs) {
    const Distance* distances = Tight{args}.distances();
    const u64 count = args.copies * args.vertices;
    for (u64 base = thread_in_grid() - lane_in_warp(); base < count; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        append(Queue{args.queue, args.length}, i < count && is_reached(distances[i]), static_cast<u32>(i));
    }
}

// Counts the arcs of the queue from an entry on.
KERNEL(bc_arcs, BcArgs) {
    SHARED(u64, warps[32]);
    const Offset* offsets = static_cast<const Offset*>(args.offsets);
    const u64 end = *args.length;
    u64 sum = 0;
    for (u64 i = args.from + thread_in_grid(); i < end; i += grid_threads()) {
        const u64 v = args.queue[i] % args.vertices;
        sum += offsets[v + 1] - offsets[v];
    }
    sum = block_sum(sum, warps);
    if (thread_in_block() == 0 && sum > 0) atomic_add(args.counters + ARCS, sum);
}

// Scales the counts of a part of the queue into [1, 2).
KERNEL(bc_normalise, BcArgs) {
    for (u64 i = args.from + thread_in_grid(); i < args.upto; i += grid_threads()) {
        const u32 v = args.queue[i];
        args.pending[v] += exponent_of(args.counts[v]);
        args.counts[v] = factor_of(args.counts[v]);
    }
}

// Counts the vertices that each copy of the graph reached. Copies of vertices are none of them.
KERNEL(bc_ends, BcArgs) {
    const Distance* distances = Tight{args}.distances();
    const u64 count = args.copies * args.vertices;
    for (u64 base = thread_in_grid() - lane_in_warp(); base < count; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        const bool reached = i < count && is_reached(distances[i]) && !is_idle(args.replicas, i % args.vertices);
        // Nearly always all lanes of a warp are in one copy.
        const u32 first = static_cast<u32>(base / args.vertices), copy = static_cast<u32>(i / args.vertices);
        const u32 votes = warp_ballot(FULL_WARP, reached && copy == first);
        if (lane_in_warp() == 0 && votes != 0) atomic_add(args.reached + first, count_ones(votes));
        if (reached && copy != first) atomic_add(args.reached + copy, 1u);
    }
}

// After a batch: adds the dependencies of every vertex to its score, source by source. With endpoints a path also
// counts for its two ends: once for each vertex reached, and for the source once per other vertex reached.
KERNEL(bc_score, BcArgs) {
    const Distance* distances = Tight{args}.distances();
    for (u64 v = thread_in_grid(); v < args.vertices; v += grid_threads()) {
        f64 score = args.scores[v];
        for (u64 c = 0; c < args.copies; ++c) {
            const u64 i = c * args.vertices + v;
            f64 more = args.dependencies[i];
            if (args.reached && is_reached(distances[i])) {
                more = args.sources[c] == v ? static_cast<f64>(args.reached[c] - 1) : plus(more, 1.0);
            }
            score = plus(score, more);
        }
        args.scores[v] = score;
    }
}
