// `workload`: all arcs of the frontier in one line, an equal, contiguous share of it a thread; where a share begins is searched
// for in the prefix sums of degrees. Perfectly even, for the price of a scan a superstep, and of neighbouring threads
// reading far apart [1].
//
// [1] As in node.cuh: workload decomposition.
#include "frontier.cuh"

// The share of a thread, and where it stands in it.
struct Share {
    u64 at, end;      // in the line of all arcs
    u64 item;         // the row `at` lies in
    u64 row_end;      // where that row ends in the line
    u32 vertex, base;
    Offset shift;     // arc number = place in the line + shift, wrapping
};

// Where each row begins in the line.
DEVICE Offset first_of(const Along& along, u64 i) { return static_cast<const Offset*>(along.first)[i]; }

DEVICE void enter_row(Share& share, const Along& along) {
    const Stretch row = stretch_at(along, share.item);
    share.vertex = row.vertex;
    share.base = row.base;
    share.row_end = first_of(along, share.item + 1);
    share.shift = row.begin - first_of(along, share.item);
}

DEVICE Share own_share(const Along& along) {
    Share share = Share();
    const u64 arcs = first_of(along, along.count);
    const u64 threads = grid_threads(), thread = thread_in_grid();
    // The first `arcs % threads` threads take one more.
    const u64 each = arcs / threads, more = arcs % threads;
    share.at = thread * each + (thread < more ? thread : more);
    share.end = share.at + each + (thread < more ? 1 : 0);
    if (share.at < share.end) {
        u64 low = 0, high = along.count;  // first[low] <= at < first[high]
        while (high - low > 1) {
            const u64 middle = low + (high - low) / 2;
            if (first_of(along, middle) <= share.at) low = middle; else high = middle;
        }
        share.item = low;
        enter_row(share, along);
    }
    return share;
}

// Goes on to the row that `at` lies in, over rows without arcs.
DEVICE bool next_row(Share& share, const Along& along) {
    if (share.at < share.row_end) return false;
    do ++share.item; while (first_of(along, share.item + 1) <= share.at);
    enter_row(share, along);
    return true;
}

template <class F> DEVICE void advance(const Along& along, const F& f) {
    Share share = own_share(along);
    typename F::Source source = typename F::Source();
    if (share.at < share.end) source = f.enter(share.vertex);
    u32 looked = 0;
    while (warp_any(FULL_WARP, share.at < share.end)) {
        if (++looked % PATIENCE == 0 && warp_any(FULL_WARP, is_cancelled(along))) return;
        bool take = false;
        u32 v = 0;
        if (share.at < share.end) {
            if (next_row(share, along)) source = f.enter(share.vertex);
            const Offset arc = static_cast<Offset>(share.at) + share.shift;
            v = share.base + along.targets[arc];
            take = f.edge(source, share.vertex, v, arc);
            ++share.at;
        }
        append(next_of(along), take, v);
    }
}

// A row that several threads share is settled by each of them with its part; a row without arcs is not settled at all.
template <class F> DEVICE void gather(const Along& along, const F& f) {
    Share share = own_share(along);
    typename F::Part sum = f.start();
    u32 looked = 0;
    while (warp_any(FULL_WARP, share.at < share.end)) {
        if (++looked % PATIENCE == 0 && warp_any(FULL_WARP, is_cancelled(along))) return;
        bool take = false;
        const u32 v = share.vertex;
        if (share.at < share.end) {
            const Offset arc = static_cast<Offset>(share.at) + share.shift;
            const bool enough = !f.wants(v) || f.edge(sum, v, share.base + along.targets[arc], arc);
            const u64 part_end = share.row_end < share.end ? share.row_end : share.end;
            share.at = enough ? part_end : share.at + 1;
            if (share.at == part_end) {
                take = f.wants(v) && f.settle(v, sum);
                sum = f.start();
                if (share.at < share.end) next_row(share, along);
            }
        }
        append(next_of(along), take, v);
    }
}
