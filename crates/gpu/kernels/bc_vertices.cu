// What vertices do for betweenness.

// Before a source: nothing is counted.
KERNEL(bc_clear, BcArgs) {
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) {
        args.pending[i] = 0;
        args.counts[i] = 0;
        args.dependencies[i] = 0;
    }
}

// One path leads to the source, which is the first of the queue.
KERNEL(bc_begin, BcArgs) {
    if (thread_in_grid() == 0) {
        args.counts[args.source] = 1;
        args.along.next[0] = args.source;
        *args.along.next_size = 1;
    }
}

// After a source: what depends on everyone reached is added to its score. With endpoints a path counts for its two ends too: once for
// each vertex reached, and for the source as often as vertices were reached.
KERNEL(bc_score, BcArgs) {
    for (u64 i = thread_in_grid(); i < args.along.count; i += grid_threads()) {
        const u32 v = args.along.items[i];
        const bool ends = args.flags & ENDPOINTS;
        f64 more = args.dependencies[v];
        if (v == args.source) more = ends ? static_cast<f64>(args.along.count - 1) : 0;
        else if (ends) more = plus(more, 1.0);
        args.scores[v] = plus(args.scores[v], more);
    }
}

// Did a count leave the range of f64?
KERNEL(bc_check, BcArgs) {
    for (u64 i = thread_in_grid(); i < args.along.count; i += grid_threads()) {
        if (args.counts[args.along.items[i]] == Scalar<f64>::greatest()) atomic_max(args.problems + OVERFLOWED, static_cast<u64>(1));
    }
}
