// Betweenness from one source by a persistent kernel, along the frontiers that the search listed. Forward, it counts
// paths level by level; backward, it gathers dependencies. Atomics add counts and sums; a warp first adds up the sums
// of a row. If a frontier is short, one warp has all of a row, and sets its sum.
//
// With g(w) = (1 + d(w)) / s(w), for counts s and dependencies d, the dependency of v is s(v) times the sum of g over
// its successors.
#define OUTBOX 32u
#include "gather.cuh"
#include "thin.cuh"

// The most levels that a block walks alone before the grid meets again.
#define MOST_ALONE 4096u

// 2^900. Counts above this need exponents.
#define MOST_PATHS f64_of(0x7830000000000000ull)

// Ends the walk after this step. Three words take turns, since some block may still read that of the step before.
DEVICE void end_after(u64* ended, u32 step) { store_now(ended + step % 3, static_cast<u64>(step)); }

// Returns true if the walk ends, after the barrier of a step. Every thread gets the same answer.
DEVICE bool has_ended(const u64* ended, u32 step) { return load_now(ended + step % 3) == step; }

DEVICE void look_at_cancel(const BcWalkArgs& args, u64* ended, u32 step) {
    if (thread_in_grid() == 0 && step % LEVELS_A_LOOK == 0 && is_cancelled(args.cancel)) end_after(ended, step);
}

// The frontier of a level, as the search has listed it.
struct Level {
    u64 tally;
    Lists lists;
    bool has_long;
};

DEVICE Level level_at(const BcWalkArgs& args, u32 level) {
    const u64 begin = args.levels[2 * level + 1];
    return Level{args.levels[2 * level], from_entry(Lists{args.items, args.before, args.begins}, begin >> 1), (begin & 1) != 0};
}

// Returns how many levels from one on, downwards or upwards and without `end`, have tiny frontiers. Every thread gets the
// same answer.
DEVICE u32 tiny_levels(const BcWalkArgs& args, u32 level, u32 end, bool down) {
    u32 count = 0;
    for (; count < MOST_ALONE && level != end && is_tiny(args.levels[2 * level], args.levels[2 * level + 1] & 1); ++count) {
        level = down ? level - 1 : level + 1;
    }
    return count;
}

// Calls each(i, crew) for so many levels in this block alone; tally_of(i) is that of their frontiers, whose rows are short.
// The first warp alone walks levels of few arcs.
template <class T, class E>
DEVICE void walk_alone(const BcWalkArgs& args, u64* ended, u32 step, u32 count, const T& tally_of, const E& each) {
    for (u32 i = 0; i < count;) {
        const u32 from = i;
        while (i < count && i - from < LEVELS_A_LOOK && is_few(tally_of(i), false)) ++i;
        if (i == from) {
            each(i++, own_block());
        } else if (warp_in_block() == 0) {
            for (u32 k = from; k < i; ++k) {
                each(k, Crew{0, 1});
                warp_sync(FULL_WARP);
            }
        }
        const bool looks = i / LEVELS_A_LOOK != from / LEVELS_A_LOOK;
        if (looks && thread_in_block() == 0 && is_cancelled(args.cancel)) end_after(ended, step);
        block_sync();
        if (!looks) continue;
        const bool ends = has_ended(ended, step);
        // Before any thread may end the walk at the next level.
        block_sync();
        if (ends) break;
    }
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

// Tells the host the arcs of all levels.
DEVICE void add_arcs(const BcWalkArgs& args, u32 levels) {
    u64 arcs = 0;
    for (u64 level = thread_in_grid(); level < levels; level += grid_threads()) arcs += arcs_of(args.levels[2 * level]);
    if (arcs > 0) atomic_add(args.control + ARCS_WALKED, arcs);
}

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

// The same for rows that are gathered by one warp each: no atomics, and each vertex gets its own share at once.
struct GatherRow {
    typedef f64 Part;
    const BcWalkArgs& args;
    u32 depth;

    DEVICE Part start() const { return 0; }
    DEVICE void edge(Part& sum, u32, u32 v) const {
        if (args.distances[v] == depth) sum = plus(sum, args.shares[v]);
    }
    DEVICE void join(Part& sum, u32 by) const { sum = plus(sum, warp_shuffle_xor(FULL_WARP, sum, by)); }
    DEVICE void settle(u32 u, Part sum) const {
        args.sums[u] = sum;
        args.shares[u] = plus(args.shares[u], sum);
    }
};

// Counts the paths that lead from a level to the next, by the warps that walk alone if there are some. Ends the walk if there
// are too many.
DEVICE void count_level(const BcWalkArgs& args, u64* ended, u32 step, u32 level, const Crew* alone) {
    const Level here = level_at(args, level);
    Count count = {args, level + 1, false};
    if (alone) {
        walk_rows(args.targets, here.lists, here.tally, *alone, count);
    } else {
        walk(args.targets, here.lists, here.tally, here.has_long, count);
    }
    if (!count.many) return;
    store_now(args.control + MANY_PATHS, 1ull);
    end_after(ended, step);
}

// Gathers dependencies of a level by rows.
DEVICE void gather_level(const BcWalkArgs& args, u32 level, const Crew& crew) {
    const Level here = level_at(args, level);
    gather_rows(args.targets, here.lists, here.tally, here.has_long, crew, GatherRow{args, level + 1});
}

KERNEL_OF(bc_walk, BcWalkArgs, WALK_BLOCK, 1) {
    const u64 n = args.vertices;
    u64 *control = args.control, *ended = control + ENDED;
    Grid grid = {reinterpret_cast<u32*>(control + OWN), 0};
    const u32 levels = static_cast<u32>(load_now(control + LEVELS));
    for (u64 v = thread_in_grid(); v < n; v += grid_threads()) {
        args.counts[v] = v == args.source;
        args.sums[v] = 0;
    }
    u32 step = 0;
    grid_sync(grid);
    for (u32 level = 0; level < levels;) {
        const u32 alone = tiny_levels(args, level, levels, false);
        look_at_cancel(args, ended, ++step);
        if (alone == 0) {
            count_level(args, ended, step, level, nullptr);
        } else if (block_in_grid() == 0) {
            const auto tally_of = [&](u32 i) { return args.levels[2 * (level + i)]; };
            walk_alone(args, ended, step, alone, tally_of, [&](u32 i, const Crew& crew) {
                count_level(args, ended, step, level + i, &crew);
            });
        }
        level += alone > 0 ? alone : 1;
        grid_sync(grid);
        if (has_ended(ended, step)) return;
    }
    for (u64 v = thread_in_grid(); v < n; v += grid_threads()) {
        const f64 paths = args.counts[v];
        args.shares[v] = paths > 0 ? over(1.0, paths) : 0;
    }
    grid_sync(grid);
    // On a directed graph the last frontier may have successors without arcs, which were not listed. The dependency of
    // the source is not needed.
    for (u32 level = levels; level-- > 1;) {
        const Level here = level_at(args, level);
        const u32 alone = tiny_levels(args, level, 0, true);
        look_at_cancel(args, ended, ++step);
        if (alone > 0) {
            if (block_in_grid() == 0) {
                const auto tally_of = [&](u32 i) { return args.levels[2 * (level - i)]; };
                walk_alone(args, ended, step, alone, tally_of, [&](u32 i, const Crew& crew) {
                    gather_level(args, level - i, crew);
                });
            }
            level -= alone - 1;
        } else if (!EDGES_FAR && has_lanes_for_rows(here.tally, here.has_long)) {
            gather_level(args, level, whole_grid());
        } else {
            Gather gather = {args, level + 1};
            walk(args.targets, here.lists, here.tally, here.has_long, gather);
            grid_sync(grid);
            for (u64 i = thread_in_grid(); i < length_of(here.tally); i += grid_threads()) {
                const u32 v = here.lists.items[i];
                args.shares[v] = plus(args.shares[v], args.sums[v]);
            }
        }
        grid_sync(grid);
        if (has_ended(ended, step)) return;
    }
    for (u64 v = thread_in_grid(); v < n; v += grid_threads()) {
        if (v != args.source && args.sums[v] > 0) args.scores[v] = plus(args.scores[v], times(args.counts[v], args.sums[v]));
    }
    add_arcs(args, levels);
}
