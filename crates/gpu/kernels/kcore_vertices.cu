// The kernels over vertices for core numbers between two waves of peeling.

// Counts the degree of every vertex: both directions in a directed graph, without loops. Notes in `least` a degree that
// does not fit into u32.
KERNEL(kcore_degrees, KcoreArgs) {
    const Offset* out = static_cast<const Offset*>(args.out);
    const Offset* in = static_cast<const Offset*>(args.incoming);
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) {
        const u32 v = static_cast<u32>(i);
        const u64 loops = loops_of(args.targets, args.loops, out[v], out[v + 1], v);
        u64 degree = out[v + 1] - out[v] - loops;
        if (in) degree += in[v + 1] - in[v] - loops;
        if (degree >= NO_DEGREE) atomic_max(args.least, degree);
        args.degrees[v] = static_cast<u32>(degree);
    }
}

// Keeps the vertices of degree `level` and more, and notes the least degree among them, counted down from NO_DEGREE; 0
// if there are none.
KERNEL(kcore_look, KcoreArgs) {
    const Queue kept = {args.kept, args.kept_size};
    u64 least = 0;
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.count; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        bool stays = false;
        u32 v = 0;
        if (i < args.count) {
            v = args.left ? args.left[i] : static_cast<u32>(i);
            const u32 degree = args.degrees[v];
            stays = degree >= args.level;
            if (stays && NO_DEGREE - degree > least) least = NO_DEGREE - degree;
        }
        append(kept, stays, v);
    }
    for (u32 by = 16; by > 0; by /= 2) {
        const u64 other = warp_shuffle_down(FULL_WARP, least, by);
        if (other > least) least = other;
    }
    if (lane_in_warp() == 0 && least > 0) atomic_max(args.least, least);
}

// Takes the vertices of the least degree among those that were kept.
KERNEL(kcore_take, KcoreArgs) {
    const Queue taken = {args.taken, args.taken_size};
    const u64 count = *args.kept_size;
    const u32 level = NO_DEGREE - static_cast<u32>(*args.least);
    for (u64 base = thread_in_grid() - lane_in_warp(); base < count; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        const u32 v = i < count ? args.kept[i] : 0;
        append(taken, i < count && args.degrees[v] == level, v);
    }
}
