// Orders vertices by decreasing out-degree, and follows them there. The *place* of a vertex is its number in this order.
#include "frontier.cuh"
#include "edges.cuh"

DEVICE Offset degree_of(const ByDegreeArgs& args, u64 v) {
    const Offset* offsets = static_cast<const Offset*>(args.offsets);
    return offsets[v + 1] - offsets[v];
}

// Writes the keys that vertices are sorted by: how far their degree is below the greatest.
KERNEL(degree_keys, ByDegreeArgs) {
    for (u64 v = thread_in_grid(); v < args.vertices; v += grid_threads()) {
        args.keys[v] = args.most - degree_of(args, v);
        args.order[v] = static_cast<u32>(v);
    }
}

KERNEL(degree_places, ByDegreeArgs) {
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) args.places[args.order[i]] = static_cast<u32>(i);
}

// Counts the arcs of the first `count` vertices of the order.
KERNEL(degree_arcs, ByDegreeArgs) {
    SHARED(u64, warps[32]);
    u64 arcs = 0;
    for (u64 i = thread_in_grid(); i < args.count; i += grid_threads()) arcs += degree_of(args, args.order[i]);
    const u64 sum = block_sum(arcs, warps);
    if (thread_in_block() == 0 && sum > 0) atomic_add(args.sum, sum);
}

// Writes, in the order, where rows of any kind begin and end, and the out-degrees.
KERNEL(degree_rows, ByDegreeArgs) {
    const Offset* rows = static_cast<const Offset*>(args.rows);
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) {
        const u32 v = args.order[i];
        static_cast<Offset*>(args.begins)[i] = rows[v];
        static_cast<Offset*>(args.ends)[i] = rows[v + 1];
        args.degrees[i] = static_cast<u32>(degree_of(args, v));
    }
}

// Writes the places of the targets of all arcs.
KERNEL(degree_targets, ByDegreeArgs) {
    for (u64 arc = thread_in_grid(); arc < args.arcs; arc += grid_threads()) args.targets_out[arc] = args.places[target_at(args.targets, arc)];
}
