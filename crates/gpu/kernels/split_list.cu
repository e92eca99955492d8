// What `split` keeps of a graph, and the worklist it makes of a frontier. Both are runs of entries, one run per vertex.
#include "runs.cuh"

DEVICE Offset offset_of(const SplitListArgs& args, u64 i) { return static_cast<const Offset*>(args.offsets)[i]; }
DEVICE Offset child_of(const SplitListArgs& args, u64 i) { return static_cast<const Offset*>(args.children_of)[i]; }

// It keeps the parent and the first arc of every child. The children of a vertex share its arcs evenly.
struct Children {
    const SplitListArgs& args;
    DEVICE void write(u64 child, u64 u, u64 k) const {
        const u64 begin = offset_of(args, u), arcs = offset_of(args, u + 1) - begin;
        const u64 children = child_of(args, u + 1) - child_of(args, u);
        args.parents[child] = static_cast<u32>(u);
        static_cast<Offset*>(args.firsts)[child] = static_cast<Offset>(begin + k * arcs / children);
    }
};

KERNEL(split_children, SplitListArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.vertices; base += grid_threads()) {
        const u64 u = base + lane_in_warp();
        const Offset begin = u < args.vertices ? child_of(args, u) : 0;
        write_run(Children{args}, begin, u < args.vertices ? child_of(args, u + 1) - begin : 0, u);
    }
    if (thread_in_grid() == 0) static_cast<Offset*>(args.firsts)[args.children] = offset_of(args, args.vertices);
}

// The children of all items.
struct Entries {
    const SplitListArgs& args;
    DEVICE void write(u64 place, u64 child, u64 k) const { args.list[place] = static_cast<u32>(child + k); }
};

KERNEL(split_fill, SplitListArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.count; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        const u32 u = i < args.count ? args.items[i] : 0;
        const u32 row = row_of(u, args.vertices);
        const u64 begin = i < args.count ? child_of(args, row) : 0;
        const u64 children = i < args.count ? child_of(args, row + 1) - begin : 0;
        const u64 copy = u == row ? 0 : u / static_cast<u32>(args.vertices);
        write_run(Entries{args}, take_run(args.size, children), children, copy * args.children + begin);
    }
}
