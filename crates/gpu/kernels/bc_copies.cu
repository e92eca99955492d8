// Copies of vertices in betweenness: each kernel goes over all pairs of a copy and its master, in every copy of the graph.
// The module prints BcArgs, whose `replicas` are the copies of vertices.

// The slots of a copy and of its master.
struct Pair {
    u64 copy, master;
};

DEVICE Pair pair_at(const BcArgs& args, u64 i) {
    const u64 base = i / args.replicas.pairs * args.vertices, p = i % args.replicas.pairs;
    return Pair{base + args.replicas.copies[p], base + args.replicas.masters[p]};
}

DEVICE u64 pairs_of(const BcArgs& args) { return args.copies * args.replicas.pairs; }

// Every copy takes over the distance of its master, and joins the queue if that is another one.
KERNEL(bc_wake, BcArgs) {
    Distance* distances = Tight{args}.distances();
    for (u64 base = thread_in_grid() - lane_in_warp(); base < pairs_of(args); base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        bool joins = false;
        u64 copy = 0;
        if (i < pairs_of(args)) {
            const Pair pair = pair_at(args, i);
            copy = pair.copy;
            const Distance near = distances[pair.master];
            joins = near != distances[copy];
            if (joins) distances[copy] = near;
        }
        append(Queue{args.queue, args.length}, joins, static_cast<u32>(copy));
    }
}

// By weights, before layers are built: a copy that is reached waits, like a vertex that one arc is still to reach.
KERNEL(bc_await, BcArgs) {
    for (u64 i = thread_in_grid(); i < pairs_of(args); i += grid_threads()) {
        const u64 copy = pair_at(args, i).copy;
        if (is_reached(Tight{args}.distances()[copy])) args.pending[copy] = 1;
    }
}

// Then every copy that waits joins the layer of its master, which no arc is to reach any more.
KERNEL(bc_place, BcArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < pairs_of(args); base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        bool joins = false;
        u64 copy = 0;
        if (i < pairs_of(args)) {
            const Pair pair = pair_at(args, i);
            copy = pair.copy;
            joins = is_reached(Tight{args}.distances()[copy]) && args.pending[copy] == 1 && args.pending[pair.master] == 0;
            if (joins) args.pending[copy] = 0;
        }
        append(Queue{args.queue, args.length}, joins, static_cast<u32>(copy));
    }
}

// Every copy on a layer takes over the number of paths to its master, and the exponent. A master that is on no layer yet has
// no paths.
KERNEL(bc_reflect, BcArgs) {
    for (u64 i = thread_in_grid(); i < pairs_of(args); i += grid_threads()) {
        const Pair pair = pair_at(args, i);
        const f64 count = args.counts[pair.master];
        if (count > 0) {
            args.counts[pair.copy] = count;
            args.pending[pair.copy] = args.pending[pair.master];
        }
    }
}

// On the way back: the dependencies that copies have gathered over their own arcs join those of their master, in the order
// of the copies. Pairs are in order of masters, and the first one of a master does it for all.
KERNEL(bc_combine, BcArgs) {
    for (u64 i = thread_in_grid(); i < pairs_of(args); i += grid_threads()) {
        const u64 master = pair_at(args, i).master;
        if (i > 0 && pair_at(args, i - 1).master == master) continue;
        f64 sum = 0;
        for (u64 j = i; j < pairs_of(args); ++j) {
            const Pair pair = pair_at(args, j);
            if (pair.master != master) break;
            sum = plus(sum, args.dependencies[pair.copy]);
            args.dependencies[pair.copy] = 0;
        }
        if (sum > 0) args.dependencies[master] = plus(args.dependencies[master], sum);
    }
}
