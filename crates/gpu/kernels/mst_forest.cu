// The edges of a complete forest, each held by the vertex that was hooked along it.

// Lists the vertices that are not roots: each of them holds an edge, except for copies.
KERNEL(mst_list, MstArgs) {
    const Queue queue = Queue{args.slots, args.counters + LISTED};
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.vertices; base += grid_threads()) {
        const u64 v = base + lane_in_warp();
        const bool holds = v < args.vertices && args.roots[v] != v && !is_idle(args.copies, static_cast<u32>(v));
        append(queue, holds, static_cast<u32>(v));
    }
}

KERNEL(mst_pair, MstArgs) {
    for (u64 i = thread_in_grid(); i < args.count; i += grid_threads()) args.sorted[i] = args.ends[args.slots[i]];
}

DEVICE u32 weight_of(u32 key, u32) { return key; }
DEVICE i32 weight_of(i32 key, i32) { return key; }
// `order` is its own inverse on the bits of negative numbers.
DEVICE f32 weight_of(i32 key, f32) { return f32_of(static_cast<u32>(key) ^ static_cast<u32>(key >> 31) >> 1); }
DEVICE f64 weight_of(i64 key, f64) { return f64_of(static_cast<u64>(key) ^ static_cast<u64>(key >> 63) >> 1); }

// Writes the columns of the answer, from edges sorted by their ends.
KERNEL(mst_columns, MstArgs) {
    for (u64 i = thread_in_grid(); i < args.count; i += grid_threads()) {
        args.sources[i] = hi(args.sorted[i]);
        args.others[i] = lo(args.sorted[i]);
        if (args.weights.near) {
            static_cast<Weight*>(args.column)[i] = weight_of(keys_of(args)[args.slots[i]], Weight());
        }
    }
}
