// The kernels before and after sweeps: sort rows into classes by their lengths, compute first shares, and compute ranks
// at the end.
#include "pagerank.cuh"
#include "scan.cuh"

// Consecutive vertices per thread, so that lists keep the order of vertices, except for the order of blocks.
#define RUN 4

// The classes of rows: for one thread, for a few lanes, for a warp.
DEVICE bool is_threads(Offset length) { return length <= SHORT; }
DEVICE bool is_groups(Offset length) { return length > SHORT && length <= MEDIUM; }
DEVICE bool is_warps(Offset length) { return length > MEDIUM && length <= CHUNK; }

// Lists the chunks of a long row.
DEVICE void list_chunks(const PullArgs& args, u32 v, Offset length) {
    const u32 count = static_cast<u32>((length + CHUNK - 1) / CHUNK);
    const u64 row = atomic_add(args.words + HUGE_ROWS, static_cast<u64>(1));
    const u64 base = atomic_add(args.words + CHUNKS, static_cast<u64>(count));
    args.huge[row] = v;
    args.gathered[row] = 0;
    args.missing[row] = count;
    for (u32 i = 0; i < count; ++i) args.chunks[base + i] = row << 32 | i;
}

// Sorts rows into classes and computes the first guess: a multiple of the teleports, an amount per vertex with outgoing
// arcs, and an amount per outgoing arc.
KERNEL(pagerank_begin, PullArgs) {
    SHARED(u64, kept_warps[32]);
    SHARED(u64, sunk_warps[32]);
    SHARED(u64, changed_warps[32]);
    SHARED(u64, scanned[32]);
    SHARED(u64, bases[3]);
    const u64 n = args.vertices, tile = static_cast<u64>(block_threads()) * RUN;
    Sums sums = Sums{0, 0, 0};
    for (u64 base = block_in_grid() * tile; base < n; base += grid_blocks() * tile) {
        const u64 first = base + static_cast<u64>(thread_in_block()) * RUN;
        Offset lengths[RUN];
        // Three counts of 21 bits: no block has more vertices.
        u64 counts = 0;
        for (u32 k = 0; k < RUN; ++k) {
            const u64 v = first + k;
            lengths[k] = 0;
            if (v >= n) continue;
            lengths[k] = row_end(args, v) - row_begin(args, v);
            const u64 degree = out_degree(args, v);
            store_rank(args, sums, v, degree, args.guess * teleport(args, v) + (degree > 0 ? args.guess_with_arcs : 0) + args.guess_an_arc * static_cast<f64>(degree));
            if (is_threads(lengths[k])) counts += 1;
            else if (is_groups(lengths[k])) counts += 1ull << 21;
            else if (is_warps(lengths[k])) counts += 1ull << 42;
            else list_chunks(args, static_cast<u32>(v), lengths[k]);
        }
        u64 total;
        const u64 before = block_before(counts, scanned, total);
        if (thread_in_block() < 3) {
            const u64 count = total >> 21 * thread_in_block() & 0x1fffff;
            bases[thread_in_block()] = count ? atomic_add(args.words + THREAD_ROWS + thread_in_block(), count) : 0;
        }
        block_sync();
        u64 threads = bases[0] + (before & 0x1fffff), groups = bases[1] + (before >> 21 & 0x1fffff);
        u64 warps = bases[2] + (before >> 42);
        for (u32 k = 0; k < RUN; ++k) {
            const u32 v = static_cast<u32>(first + k);
            if (first + k >= n) continue;
            if (is_threads(lengths[k])) args.rows[threads++] = v;
            else if (is_groups(lengths[k])) args.rows[n - 1 - groups++] = v;
            else if (is_warps(lengths[k])) args.warp_rows[warps++] = v;
        }
        block_sync();
    }
    add_up(args, sums, kept_warps, sunk_warps, changed_warps, false);
}

// Converts the shares to another type; sweeps continue from them.
KERNEL(pagerank_widen, PullArgs) {
    const f32* narrow = static_cast<const f32*>(args.from);
    for (u64 v = thread_in_grid(); v < args.vertices; v += grid_threads()) into_of(args)[v] = narrow[v];
    if (thread_in_grid() == 0) args.words[DONE] = 0;
}

// Computes ranks with sum 1. They may overwrite 64-bit shares in place, unless these are in the order of places.
KERNEL(pagerank_ranks, PullArgs) {
    const f64 scale = 1 / f64_of(args.words[MASS]);
    for (u64 v = thread_in_grid(); v < args.vertices; v += grid_threads()) {
        args.ranks[vertex_at(args, v)] = static_cast<f64>(from_of(args)[v]) * shares_of(out_degree(args, v)) * scale;
    }
}
