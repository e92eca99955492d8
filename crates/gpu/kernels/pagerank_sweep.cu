// A sweep: every row gathers the shares of its in-neighbours. How lanes share a row depends on its length alone, so its
// sum has the same bits whichever warp takes it. Warps take tickets, each for rows or chunks with a few thousand arcs;
// short rows are distributed evenly.
#include "pagerank.cuh"

// The shares before the sweep. If HOT, the first ones lie in shared memory.
struct Shares {
    const Share* all;
    const Share* hot;
    u32 near;
    DEVICE Share at(u32 u) const {
#if HOT
        if (u < near) return hot[u];
#endif
        return load_const(all + u);
    }
};

// The state of a sweep in a thread.
struct Sweep {
    const PullArgs& args;
    Shares shares;
    f64 base;
    Sums sums;
};

// Returns the sum of every LANES-th share from an arc on, with several loads at a time.
template <u32 LANES> DEVICE f64 gather(const Shares& shares, const Edges& targets, Offset arc, Offset end) {
    f64 sum = 0;
    for (; arc < end; arc += UNROLL * LANES) {
        const Offset left = end - arc;
        u32 from[UNROLL];
        Share got[UNROLL];
        for (u32 k = 0; k < UNROLL; ++k) from[k] = k * LANES < left ? target_at(targets, arc + k * LANES) : 0;
        for (u32 k = 0; k < UNROLL; ++k) got[k] = k * LANES < left ? shares.at(from[k]) : Share(0);
        for (u32 k = 0; k < UNROLL; ++k) sum += got[k];
    }
    return sum;
}

// Does [`gather`] over LANES adjacent lanes; all of them get the sum. Every lane of the warp must call.
template <u32 LANES> DEVICE f64 gather_together(const Shares& shares, const Edges& targets, Offset begin, Offset end) {
    f64 sum = gather<LANES>(shares, targets, begin + lane_in_warp() % LANES, end);
    for (u32 by = LANES / 2; by > 0; by /= 2) sum += warp_shuffle_xor(FULL_WARP, sum, by);
    return sum;
}

// Computes the new rank of a vertex from its gathered sum.
DEVICE void settle(Sweep& sweep, u32 v, Offset length, f64 gathered) {
    const PullArgs& args = sweep.args;
    const u64 degree = args.out_offsets == args.offsets ? length : out_degree(args, v);
    const f64 before = static_cast<f64>(sweep.shares.all[v]) * shares_of(degree);
    const f64 rank = args.damping * gathered + sweep.base * teleport(args, v);
    sweep.sums.changed += whole(distance(rank, before));
    store_rank(args, sweep.sums, v, degree, rank);
}

// Gathers up to 32 rows, with LANES lanes per row; then every lane settles one row. Every lane of the warp must call.
template <u32 LANES> DEVICE void take_rows(Sweep& sweep, bool is, u32 v) {
    const PullArgs& args = sweep.args;
    const u32 at_once = 32 / LANES, lane = lane_in_warp();
    const Offset begin = is ? row_begin(args, v) : 0, end = is ? row_end(args, v) : 0;
    const u32 rows = 32 - leading_zeros(warp_ballot(FULL_WARP, is));
    f64 mine = 0;
    for (u32 first = 0; first < rows; first += at_once) {
        const u32 row = first + lane / LANES;
        const Offset from = warp_shuffle(FULL_WARP, begin, row), upto = warp_shuffle(FULL_WARP, end, row);
        const f64 sum = gather_together<LANES>(sweep.shares, args.targets, from, upto);
        const f64 given = warp_shuffle(FULL_WARP, sum, (lane - first) * LANES);
        if (lane >= first && lane - first < at_once) mine = given;
    }
    if (is) settle(sweep, v, end - begin, mine);
}

// Gathers a part of a long row. Parts are added up as whole numbers. The warp that brings the last part settles the row
// and resets it for the next sweep.
DEVICE void take_chunk(Sweep& sweep, u64 chunk) {
    const PullArgs& args = sweep.args;
    const u64 row = chunk >> 32;
    const u32 v = args.huge[row];
    const Offset begin = row_begin(args, v), length = row_end(args, v) - begin;
    const Offset done = static_cast<Offset>(static_cast<u32>(chunk)) * CHUNK;
    const Offset from = begin + done, upto = from + (length - done < CHUNK ? length - done : CHUNK);
    const f64 sum = gather_together<32>(sweep.shares, args.targets, from, upto);
    if (lane_in_warp() != 0) return;
    atomic_add(args.gathered + row, whole(sum));
    fence_device();
    if (atomic_add(args.missing + row, 0xffffffffu) != 1) return;
    fence_device();
    settle(sweep, v, length, decimal(load_now(args.gathered + row)));
    args.gathered[row] = 0;
    args.missing[row] = static_cast<u32>((length + CHUNK - 1) / CHUNK);
}

// The number of rows or chunks in each class.
struct Classes {
    u64 chunks, warps, groups, threads;
};

DEVICE Classes classes_of(const PullArgs& args) {
    const u64* words = args.words;
    return Classes{words[CHUNKS], words[WARP_ROWS], words[GROUP_ROWS], words[THREAD_ROWS]};
}

// Returns the number of items of a ticket, at most `most`, and sets `first` to the first of them.
DEVICE u64 part(u64 ticket, u64 count, u64 most, u64& first) {
    first = ticket * most;
    return count - first < most ? count - first : most;
}

DEVICE u64 tickets(u64 count, u64 most) { return (count + most - 1) / most; }

// Does the work of a ticket: chunks come first, then rows of a warp, then rows of a few lanes. Returns false if there
// is no more work.
DEVICE bool take_ticket(Sweep& sweep, const Classes& classes, u64 ticket) {
    const PullArgs& args = sweep.args;
    const u32 lane = lane_in_warp();
    u64 first, count = tickets(classes.chunks, CHUNKS_A_TICKET);
    if (ticket < count) {
        const u64 part_size = part(ticket, classes.chunks, CHUNKS_A_TICKET, first);
        for (u64 i = 0; i < part_size; ++i) take_chunk(sweep, args.chunks[first + i]);
        return true;
    }
    ticket -= count, count = tickets(classes.warps, WARP_ROWS_A_TICKET);
    if (ticket < count) {
        const bool is = lane < part(ticket, classes.warps, WARP_ROWS_A_TICKET, first);
        take_rows<32>(sweep, is, is ? args.warp_rows[first + lane] : 0);
        return true;
    }
    ticket -= count, count = tickets(classes.groups, GROUP_ROWS_A_TICKET);
    if (ticket < count) {
        const u64 part_size = part(ticket, classes.groups, GROUP_ROWS_A_TICKET, first);
        for (u64 i = 0; i < part_size; i += 32) {
            const bool is = i + lane < part_size;
            take_rows<LANES_A_GROUP>(sweep, is, is ? args.rows[args.vertices - 1 - (first + i + lane)] : 0);
        }
        return true;
    }
    return false;
}

// Gathers the rows of one thread each: every warp takes an equal share of them, with adjacent rows in adjacent lanes.
DEVICE void take_short_rows(Sweep& sweep, u64 count) {
    const PullArgs& args = sweep.args;
    // If all rows are short, the list is 0, 1, 2, ... in some order, so any order will do.
    const bool is_all = count == args.vertices;
    const u64 words = (count + 31) / 32, warps = grid_threads() / 32;
    u32 looked = 0;
    for (u64 word = thread_in_grid() / 32; word < words; word += warps) {
        const u64 at = word * 32 + lane_in_warp();
        const bool is = at < count;
        take_rows<1>(sweep, is, !is ? 0 : is_all ? static_cast<u32>(at) : args.rows[at]);
        if (++looked % PATIENCE == 0 && warp_any(FULL_WARP, is_cancelled(args.cancel))) return;
    }
}

// Returns the next ticket of a warp; its first ticket is its own number.
DEVICE u64 next_ticket(const PullArgs& args) {
    u64 ticket = 0;
    if (lane_in_warp() == 0) ticket = atomic_add(args.words + NEXT, static_cast<u64>(1));
    return grid_threads() / 32 + warp_shuffle(FULL_WARP, ticket, 0);
}

KERNEL_OF(pagerank_sweep, PullArgs, SWEEP_BLOCK, SWEEP_BLOCKS) {
    SHARED(u64, kept_warps[32]);
    SHARED(u64, sunk_warps[32]);
    SHARED(u64, changed_warps[32]);
    if (args.words[DONE] != 0) return;
    Sweep sweep = Sweep{args, Shares{from_of(args), nullptr, 0}, f64_of(args.words[BASE]), Sums{0, 0, 0}};
#if HOT
    DYNAMIC_SHARED(Share, hot);
    for (u32 u = thread_in_block(); u < args.hot; u += block_threads()) hot[u] = load_const(sweep.shares.all + u);
    sweep.shares.hot = hot;
    sweep.shares.near = static_cast<u32>(args.hot);
    block_sync();
#endif
    const Classes classes = classes_of(args);
    u32 looked = 0;
    for (u64 ticket = thread_in_grid() / 32; take_ticket(sweep, classes, ticket); ticket = next_ticket(args)) {
        if (++looked % (PATIENCE / 16) == 0 && warp_any(FULL_WARP, is_cancelled(args.cancel))) break;
    }
    take_short_rows(sweep, classes.threads);
    add_up(args, sweep.sums, kept_warps, sunk_warps, changed_warps, true);
}
