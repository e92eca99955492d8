// Betweenness from one source by a persistent kernel, along the frontiers that the search listed. Forward, it counts
// paths level by level; backward, it gathers dependencies. Atomics add counts and sums; a warp first adds up the sums
// of a row.
//
// With g(w) = (1 + d(w)) / s(w), for counts s and dependencies d, the dependency of v is s(v) times the sum of g over
// its successors.
#define OUTBOX 32u
#include "walk.cuh"

// 2^900. Counts above this need exponents.
#define MOST_PATHS f64_of(0x7830000000000000ull)

// Ends the walk after this step. Three words take turns, since some block may still read that of the step before.
DEVICE void end_after(u64* control, u32 step) { store_now(control + ENDED + step % 3, static_cast<u64>(step)); }

// Returns true if the walk ends, after the barrier of a step. Every thread gets the same answer.
DEVICE bool has_ended(u64* control, u32 step) { return load_now(control + ENDED + step % 3) == step; }

DEVICE void look_at_cancel(const BcWalkArgs& args, u32 step) {
    if (thread_in_grid() == 0 && step % LEVELS_A_LOOK == 0 && is_cancelled(args.cancel)) end_after(args.control, step);
}

// Adds the paths of a vertex to all its successors on the next level.
struct Count {
    typedef bool Look;
    const BcWalkArgs& args;
    u32 depth;
    bool many;

    DEVICE u64 lines() const { return 0; }
    DEVICE Look look(bool is, u32, u32 v, Offset) const { return is && args.distances[v] == depth; }
    DEVICE void act(bool is, u32 u, u32 v, Look is_next) {
        if (!is || !is_next) return;
        const f64 paths = args.counts[u];
        if (plus(atomic_add(args.counts + v, paths), paths) > MOST_PATHS) many = true;
    }
};

// Gathers g over successors, into `sums`.
struct Gather {
    typedef f64 Look;
    const BcWalkArgs& args;
    u32 depth;

    DEVICE u64 lines() const { return 0; }
    DEVICE Look look(bool is, u32, u32 v, Offset) const { return is && args.distances[v] == depth ? args.shares[v] : 0; }
    // The lanes of a row are adjacent: the first of them adds up for all.
    DEVICE void act(bool is, u32 u, u32, Look share) {
        const u32 row = is ? u : 0xffffffffu;
        f64 sum = is ? share : 0;
        for (u32 by = 1; by < 32; by *= 2) {
            const f64 more = warp_shuffle_down(FULL_WARP, sum, by);
            const u32 other = warp_shuffle_down(FULL_WARP, row, by);
            if (lane_in_warp() + by < 32 && other == row) sum = plus(sum, more);
        }
        const u32 before = warp_shuffle_up(FULL_WARP, row, 1u);
        if (is && sum > 0 && (lane_in_warp() == 0 || before != row)) atomic_add(args.sums + u, sum);
    }
};

KERNEL_OF(bc_walk, BcWalkArgs, WALK_BLOCK, 1) {
    const Lists lists = {args.items, args.before, args.begins};
    const u64 n = args.vertices;
    u64* control = args.control;
    Grid grid = {reinterpret_cast<u32*>(control + OWN), 0};
    const u32 levels = static_cast<u32>(load_now(control + LEVELS));
    for (u64 v = thread_in_grid(); v < n; v += grid_threads()) {
        args.counts[v] = v == args.source;
        args.sums[v] = 0;
    }
    u32 step = 0;
    grid_sync(grid);
    for (u32 level = 0; level < levels; ++level) {
        const u64 tally = args.levels[2 * level], begin = args.levels[2 * level + 1];
        look_at_cancel(args, ++step);
        Count count = {args, level + 1, false};
        walk(args.targets, from_entry(lists, begin >> 1), tally, begin & 1, count);
        if (count.many) {
            store_now(control + MANY_PATHS, 1ull);
            end_after(control, step);
        }
        grid_sync(grid);
        if (has_ended(control, step)) return;
    }
    for (u64 v = thread_in_grid(); v < n; v += grid_threads()) {
        const f64 paths = args.counts[v];
        args.shares[v] = paths > 0 ? over(1.0, paths) : 0;
    }
    grid_sync(grid);
    // On a directed graph the last frontier may have successors without arcs, which were not listed. The dependency of
    // the source is not needed.
    u64 arcs = 0;
    for (u32 level = levels; level-- > 0;) {
        const u64 tally = args.levels[2 * level], begin = args.levels[2 * level + 1];
        arcs += arcs_of(tally);
        if (level == 0) break;
        look_at_cancel(args, ++step);
        Gather gather = {args, level + 1};
        walk(args.targets, from_entry(lists, begin >> 1), tally, begin & 1, gather);
        grid_sync(grid);
        for (u64 i = thread_in_grid(); i < length_of(tally); i += grid_threads()) {
            const u32 v = args.items[(begin >> 1) + i];
            args.shares[v] = plus(args.shares[v], args.sums[v]);
        }
        grid_sync(grid);
        if (has_ended(control, step)) return;
    }
    for (u64 v = thread_in_grid(); v < n; v += grid_threads()) {
        if (v != args.source && args.sums[v] > 0) args.scores[v] = plus(args.scores[v], times(args.counts[v], args.sums[v]));
    }
    if (thread_in_grid() == 0) control[ARCS_WALKED] = arcs;
}
