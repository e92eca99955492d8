// The common part of the sweeps of PageRank. The module defines `Offset` and `Share`.
//
// The share of a vertex is its rank over its outgoing arcs. A sink's share is its rank itself, which no vertex gathers.
// Sums over all vertices are sums of whole numbers, so their bits do not depend on the order of additions.
#include "frontier.cuh"

// Ranks as whole numbers: 2^62 stands for 1.
#define ONE 4611686018427387904.0

DEVICE u64 whole(f64 x) { return static_cast<u64>(x * ONE + 0.5); }
DEVICE f64 decimal(u64 x) { return static_cast<f64>(x) / ONE; }
DEVICE f64 distance(f64 a, f64 b) { return a < b ? b - a : a - b; }

DEVICE const Share* from_of(const PullArgs& args) { return static_cast<const Share*>(args.from); }
DEVICE Share* into_of(const PullArgs& args) { return static_cast<Share*>(args.into); }

// Vertices are numbered by their places, if args.order has the vertices in that order. Only teleports and ranks are in the
// order of the graph in any case.
DEVICE u64 vertex_at(const PullArgs& args, u64 v) { return args.order ? load_const(args.order + v) : v; }

// Returns where the row of v begins and ends.
DEVICE Offset row_begin(const PullArgs& args, u64 v) { return static_cast<const Offset*>(args.offsets)[v]; }
DEVICE Offset row_end(const PullArgs& args, u64 v) {
    return args.ends ? static_cast<const Offset*>(args.ends)[v] : static_cast<const Offset*>(args.offsets)[v + 1];
}

// Returns v's part of the teleports.
DEVICE f64 teleport(const PullArgs& args, u64 v) { return args.teleport ? args.teleport[vertex_at(args, v)] : args.uniform; }

DEVICE u64 out_degree(const PullArgs& args, u64 v) {
    if (args.out_degrees) return args.out_degrees[v];
    const Offset* offsets = static_cast<const Offset*>(args.out_offsets);
    return offsets[v + 1] - offsets[v];
}

// Returns the number that a share is multiplied by to give the rank.
DEVICE f64 shares_of(u64 degree) { return degree != 0 ? static_cast<f64>(degree) : 1.0; }

// Divides a rank into shares. A 32-bit share needs a precision of only 2^-45: a 32-bit reciprocal and one Newton step.
DEVICE f64 divided(f64 rank, f64 shares, f64) { return over(rank, shares); }
DEVICE f32 divided(f64 rank, f64 shares, f32) {
    const f64 near = over(1.0f, static_cast<f32>(shares));
    return static_cast<f32>(rank * (near * (2.0 - shares * near)));
}

// The sums of a thread, as whole numbers: ranks of vertices with outgoing arcs, ranks of sinks, and changes.
struct Sums {
    u64 kept, sunk, changed;
};

// Stores the share of a vertex with this rank.
DEVICE void store_rank(const PullArgs& args, Sums& sums, u64 v, u64 degree, f64 rank) {
    const f64 shares = shares_of(degree);
    const Share share = divided(rank, shares, Share(0));
    into_of(args)[v] = share;
    const u64 mass = whole(static_cast<f64>(share) * shares);
    sums.kept += degree != 0 ? mass : 0;
    sums.sunk += degree != 0 ? 0 : mass;
}

// Ends a sweep: only the first thread of the last block calls.
//
// With x what the shares stood for and F(x) the result of the sweep, the change is |F(x) - x|. The new shares stand for
// F(x), up to their rounding and, since they no longer sum to 1, a scale. The next sweep changes that by at most d
// (change + |sum before - 1|) + (1 + d) (rounding + |sum now - 1|). The residual, which is compared with the tolerance,
// is this bound without the factor d of the change.
DEVICE void draw_line(const PullArgs& args, bool is_sweep) {
    u64* words = args.words;
    const f64 kept = decimal(load_now(words + KEPT)), sunk = decimal(load_now(words + SUNK));
    const f64 change = decimal(load_now(words + CHANGED)), d = args.damping;
    const f64 off_before = distance(f64_of(words[MASS]), 1.0), off_now = distance(kept + sunk, 1.0);
    const f64 noise = ROUNDING == 0 ? 0 : d * off_before + (1 + d) * (ROUNDING + off_now);
    words[BASE] = bits_of(1 - d * kept);
    words[MASS] = bits_of(kept + sunk);
    words[KEPT] = words[SUNK] = words[CHANGED] = words[NEXT] = words[ENDED] = 0;
    if (!is_sweep) return;
    const f64 residual = change + noise;
    words[HISTORY + words[SWEEPS] % BATCH] = bits_of(residual);
    words[SWEEPS] += 1;
    words[DONE] = residual < args.tolerance || residual == 0;
}

// Adds up the sums of all threads of the grid; every thread must call.
DEVICE void add_sums(const PullArgs& args, const Sums& sums, u64* kept_warps, u64* sunk_warps, u64* changed_warps) {
    const u64 kept = block_sum(sums.kept, kept_warps), sunk = block_sum(sums.sunk, sunk_warps);
    const u64 changed = block_sum(sums.changed, changed_warps);
    if (thread_in_block() != 0) return;
    atomic_add(args.words + KEPT, kept);
    atomic_add(args.words + SUNK, sunk);
    atomic_add(args.words + CHANGED, changed);
}

// Does the same, once per sweep. The last block then ends the sweep.
DEVICE void add_up(const PullArgs& args, const Sums& sums, u64* kept_warps, u64* sunk_warps, u64* changed_warps, bool is_sweep) {
    add_sums(args, sums, kept_warps, sunk_warps, changed_warps);
    if (thread_in_block() != 0) return;
    fence_device();
    if (atomic_add(args.words + ENDED, static_cast<u64>(1)) + 1 != grid_blocks()) return;
    fence_device();
    draw_line(args, is_sweep);
}
