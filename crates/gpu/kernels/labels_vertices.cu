// The kernels over vertices for label propagation between expansions.

// Gives every vertex its own original number as its label.
KERNEL(labels_begin, LabelArgs) {
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) {
        const u32 label = args.originals ? args.originals[i] : static_cast<u32>(i);
        args.labels[i] = label;
        args.next[i] = label;
        args.best[i] = 0;
        args.stamps[i] = 0;
    }
}

// Adds up weights that round, in increasing order, so that the sums do not depend on the device: a warp takes a vertex,
// 32 arcs at a time in the order of their weights, and for each label among them its first lane adds the weights one
// after the other. Sums only grow, as counts do.
KERNEL(labels_weigh, LabelArgs) {
    const u32 lane = lane_in_warp();
    u32 looked = 0;
    for (u64 i = thread_in_grid() / 32; i < args.count; i += grid_threads() / 32) {
        const u32 v = args.items ? args.items[i] : static_cast<u32>(i);
        const Table table = table_of(args, v);
        const u64 first = around_of(args).first(v), arcs = around_of(args).arcs(v);
        f64 most = -1;
        u32 winner = NO_LABEL;
        for (u64 base = 0; base < arcs; base += 32) {
            if (++looked % PATIENCE == 0 && warp_any(FULL_WARP, is_cancelled(args.cancel))) return;
            const bool mine = base + lane < arcs;
            u32 label = NO_LABEL;
            f64 weight = 0;
            u64 at = 0;
            if (mine) {
                label = args.labels[args.neighbours[first + base + lane]];
                weight = args.ordered[first + base + lane];
                at = table.begin(label);
                while (args.places[table.first + at] != label) at = table.after(at);
            }
            for (u32 left = warp_ballot(FULL_WARP, mine); left != 0;) {
                const u32 leader = trailing_zeros(left);
                const u32 chosen = warp_shuffle(FULL_WARP, label, leader);
                const u32 same = warp_ballot(FULL_WARP, mine && label == chosen);
                f64* const sum = args.sums + table.first + at;
                f64 upto = lane == leader ? *sum : 0;
                for (u32 rest = same; rest != 0; rest &= rest - 1) {
                    upto = plus(upto, warp_shuffle(FULL_WARP, weight, trailing_zeros(rest)));
                }
                if (lane == leader) {
                    *sum = upto;
                    if (upto > most || (upto == most && label < winner)) {
                        most = upto;
                        winner = label;
                    }
                }
                left &= ~same;
            }
            // Another lane may continue this one's sums.
            warp_sync(FULL_WARP);
        }
        for (u32 by = 16; by > 0; by /= 2) {
            const f64 other = warp_shuffle_xor(FULL_WARP, most, by);
            const u32 label = warp_shuffle_xor(FULL_WARP, winner, by);
            if (other > most || (other == most && label < winner)) {
                most = other;
                winner = label;
            }
        }
        if (lane == 0 && arcs > 0) args.best[v] = ranked(1, winner);
    }
}

// Gives every vertex the label that won around it; vertices without a winner keep their own. `next` has the labels of
// the round before, and receives the new ones. Appends the vertices that changed, and counts those whose label differs
// from that of two rounds before.
KERNEL(labels_apply, LabelArgs) {
    SHARED(u64, warps[32]);
    u64 moved = 0;
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.vertices; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        bool changed = false;
        if (i < args.vertices) {
            const u64 best = args.best[i];
            const u32 old = args.labels[i], label = best ? label_of(best) : old;
            args.best[i] = 0;
            changed = label != old;
            moved += label != args.next[i];
            args.next[i] = label;
        }
        append(Queue{args.changed, args.changed_size}, changed, static_cast<u32>(i));
    }
    moved = block_sum(moved, warps);
    if (thread_in_block() == 0 && moved > 0) atomic_add(args.moved, moved);
}
