// bc_walk.cu for more paths than f64 can count: factor * 2^exponent. The factors are in `counts`, the exponents in
// `shares`, and `sums` has the dependencies. Every arc of the graph goes both ways, so a vertex finds its predecessors in its
// own row. One warp has all of a row: it adds up factors at the largest exponent that it has met.
#include "powers.cuh"

// A number of paths on its way: at least 1 times 2^exponent, or 0.
struct Scaled {
    f64 sum;
    u32 exponent;

    DEVICE void add(f64 more, u32 its) {
        if (more == 0) return;
        const u32 greatest = sum > 0 && exponent > its ? exponent : its;
        sum = plus(times(sum, two_to_minus(greatest - (sum > 0 ? exponent : greatest))), times(more, two_to_minus(greatest - its)));
        exponent = greatest;
    }
};

DEVICE u32* exponents(const BcWalkArgs& args) { return reinterpret_cast<u32*>(args.shares); }

// Counts the paths to a vertex over its predecessors.
struct CountRow {
    typedef Scaled Part;
    const BcWalkArgs& args;
    u32 depth;

    DEVICE Part start() const { return Scaled{0, 0}; }
    DEVICE void edge(Part& part, u32, u32 u) const {
        if (args.distances[u] == depth) part.add(args.counts[u], exponents(args)[u]);
    }
    DEVICE void join(Part& part, u32 by) const {
        const f64 more = warp_shuffle_xor(FULL_WARP, part.sum, by);
        part.add(more, warp_shuffle_xor(FULL_WARP, part.exponent, by));
    }
    DEVICE void settle(u32 v, Part part) const {
        args.counts[v] = factor_of(part.sum);
        exponents(args)[v] = part.exponent + exponent_of(part.sum);
    }
};

// Gathers the dependency of a vertex over its successors.
struct DependRow {
    typedef f64 Part;
    const BcWalkArgs& args;
    u32 depth;

    DEVICE Part start() const { return 0; }
    DEVICE void edge(Part& sum, u32 u, u32 v) const {
        if (args.distances[v] != depth) return;
        const f64 share = over(plus(1.0, args.sums[v]), args.counts[v]);
        sum = plus(sum, times(share, two_to_minus(exponents(args)[v] - exponents(args)[u])));
    }
    DEVICE void join(Part& sum, u32 by) const { sum = plus(sum, warp_shuffle_xor(FULL_WARP, sum, by)); }
    DEVICE void settle(u32 u, Part sum) const { args.sums[u] = times(sum, args.counts[u]); }
};

template <class F>
DEVICE void gather_by(const BcWalkArgs& args, u32 level, const Crew& crew, const F& f) {
    const Level here = level_at(args, level);
    gather_rows(args.targets, here.lists, here.tally, here.has_long, crew, f);
}

KERNEL_OF(bc_walk_scaled, BcWalkArgs, WALK_BLOCK, 1) {
    const u64 n = args.vertices;
    u64 *control = args.control, *ended = control + SCALED_ENDED;
    Grid grid = {reinterpret_cast<u32*>(control + SCALED_ARRIVED), 0};
    const u32 levels = static_cast<u32>(load_now(control + LEVELS));
    for (u64 v = thread_in_grid(); v < n; v += grid_threads()) {
        args.counts[v] = 1;
        args.sums[v] = 0;
        exponents(args)[v] = 0;
    }
    u32 step = 0;
    grid_sync(grid);
    for (u32 level = 1; level < levels;) {
        const u32 alone = tiny_levels(args, level, levels, false);
        const auto count = [&](u32 at, const Crew& crew) { gather_by(args, at, crew, CountRow{args, at - 1}); };
        look_at_cancel(args, ended, ++step);
        if (alone == 0) {
            count(level, whole_grid());
        } else if (block_in_grid() == 0) {
            const auto tally_of = [&](u32 i) { return args.levels[2 * (level + i)]; };
            walk_alone(args, ended, step, alone, tally_of, [&](u32 i, const Crew& crew) { count(level + i, crew); });
        }
        level += alone > 0 ? alone : 1;
        grid_sync(grid);
        if (has_ended(ended, step)) return;
    }
    for (u32 level = levels; level > 1;) {
        const u32 alone = tiny_levels(args, level - 1, 0, true);
        const auto depend = [&](u32 at, const Crew& crew) { gather_by(args, at, crew, DependRow{args, at + 1}); };
        look_at_cancel(args, ended, ++step);
        if (alone == 0) {
            depend(level - 1, whole_grid());
        } else if (block_in_grid() == 0) {
            const auto tally_of = [&](u32 i) { return args.levels[2 * (level - 1 - i)]; };
            walk_alone(args, ended, step, alone, tally_of, [&](u32 i, const Crew& crew) { depend(level - 1 - i, crew); });
        }
        level -= alone > 0 ? alone : 1;
        grid_sync(grid);
        if (has_ended(ended, step)) return;
    }
    for (u64 v = thread_in_grid(); v < n; v += grid_threads()) {
        if (v != args.source && args.distances[v] != 0xffffffffu) args.scores[v] = plus(args.scores[v], args.sums[v]);
    }
    add_arcs(args, levels);
}
