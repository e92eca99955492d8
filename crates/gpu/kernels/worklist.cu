// The arrays that `edge` and `split` keep of a graph, and the worklists that they make of a frontier. Both consist of
// runs of entries, one run per vertex.
#include "runs.cuh"

DEVICE Offset offset_of(const WorklistArgs& args, u64 i) { return static_cast<const Offset*>(args.offsets)[i]; }
DEVICE Offset child_of(const WorklistArgs& args, u64 i) { return static_cast<const Offset*>(args.children_of)[i]; }

// `edge` keeps the source of every arc.
struct Sources {
    const WorklistArgs& args;
    DEVICE void write(u64 arc, u64 u, u64) const { args.sources[arc] = static_cast<u32>(u); }
};

KERNEL(edge_sources, WorklistArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.vertices; base += grid_threads()) {
        const u64 u = base + lane_in_warp();
        const Offset begin = u < args.vertices ? offset_of(args, u) : 0;
        write_run(Sources{args}, begin, u < args.vertices ? offset_of(args, u + 1) - begin : 0, u);
    }
}

// `split` keeps the parent and the first arc of every child. The children of a vertex share its arcs evenly.
struct Children {
    const WorklistArgs& args;
    DEVICE void write(u64 child, u64 u, u64 k) const {
        const u64 begin = offset_of(args, u), arcs = offset_of(args, u + 1) - begin;
        const u64 children = child_of(args, u + 1) - child_of(args, u);
        args.sources[child] = static_cast<u32>(u);
        static_cast<Offset*>(args.firsts)[child] = static_cast<Offset>(begin + k * arcs / children);
    }
};

KERNEL(split_children, WorklistArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.vertices; base += grid_threads()) {
        const u64 u = base + lane_in_warp();
        const Offset begin = u < args.vertices ? child_of(args, u) : 0;
        write_run(Children{args}, begin, u < args.vertices ? child_of(args, u + 1) - begin : 0, u);
    }
    if (thread_in_grid() == 0) static_cast<Offset*>(args.firsts)[args.children] = offset_of(args, args.vertices);
}

// `edge`: writes the arcs of all items. With chunking, one atomic takes the places of all arcs of a warp's vertices.
struct Arcs {
    const WorklistArgs& args;
    DEVICE void write(u64 place, u64 begin, u64 k) const {
        if (!args.chunking) place = atomic_add(args.work_size, static_cast<u64>(1));
        static_cast<Offset*>(args.work)[place] = static_cast<Offset>(begin + k);
    }
};

KERNEL(edge_fill, WorklistArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.count; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        const u32 u = i < args.count ? args.items[i] : 0;
        const Offset begin = i < args.count ? offset_of(args, u) : 0;
        const u64 arcs = i < args.count ? offset_of(args, u + 1) - begin : 0;
        write_run(Arcs{args}, args.chunking ? take_run(args.work_size, arcs) : 0, arcs, begin);
    }
}

// `split`: writes the children of all items.
struct Entries {
    const WorklistArgs& args;
    DEVICE void write(u64 place, u64 child, u64 k) const { static_cast<u32*>(args.work)[place] = static_cast<u32>(child + k); }
};

KERNEL(split_fill, WorklistArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.count; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        const u32 u = i < args.count ? args.items[i] : 0;
        const u32 row = row_of(u, args.vertices);
        const u64 begin = i < args.count ? child_of(args, row) : 0;
        const u64 children = i < args.count ? child_of(args, row + 1) - begin : 0;
        const u64 copy = u == row ? 0 : u / static_cast<u32>(args.vertices);
        write_run(Entries{args}, take_run(args.work_size, children), children, copy * args.children + begin);
    }
}
