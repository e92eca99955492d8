// What `edge` keeps of a graph, and the worklist it makes of a frontier. Both are runs of entries, one run per vertex.
#include "runs.cuh"

DEVICE Offset offset_of(const EdgeListArgs& args, u64 i) { return static_cast<const Offset*>(args.offsets)[i]; }

// It keeps where every arc begins.
struct Sources {
    const EdgeListArgs& args;
    DEVICE void write(u64 arc, u64 u, u64) const { args.sources[arc] = static_cast<u32>(u); }
};

KERNEL(edge_sources, EdgeListArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.vertices; base += grid_threads()) {
        const u64 u = base + lane_in_warp();
        const Offset begin = u < args.vertices ? offset_of(args, u) : 0;
        write_run(Sources{args}, begin, u < args.vertices ? offset_of(args, u + 1) - begin : 0, u);
    }
}

// The arcs of all items. With chunking the arcs of a vertex take their places together; in fact those of all vertices of a warp do.
struct Arcs {
    const EdgeListArgs& args;
    DEVICE void write(u64 place, u64 begin, u64 k) const {
        if (!args.chunking) place = atomic_add(args.size, static_cast<u64>(1));
        static_cast<Offset*>(args.arcs)[place] = static_cast<Offset>(begin + k);
    }
};

KERNEL(edge_fill, EdgeListArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.count; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        const u32 u = i < args.count ? args.items[i] : 0;
        const Offset begin = i < args.count ? offset_of(args, u) : 0;
        const u64 arcs = i < args.count ? offset_of(args, u + 1) - begin : 0;
        write_run(Arcs{args}, args.chunking ? take_run(args.size, arcs) : 0, arcs, begin);
    }
}
