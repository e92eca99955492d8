// `workload`: all arcs of the frontier in one line, of which every thread takes an equal, contiguous share; a thread searches the
// prefix sums of degrees, `own.first`, for where its share begins. Perfectly even, for the price of one scan per superstep, and
// of neighbouring threads that read far apart [1].
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
DEVICE Offset first_of(const Own& own, u64 i) { return static_cast<const Offset*>(own.first)[i]; }

DEVICE void enter_row(Share& share, const Along& along, const Own& own) {
    const Stretch row = stretch_at(along, share.item);
    share.vertex = row.vertex;
    share.base = row.base;
    share.row_end = first_of(own, share.item + 1);
    share.shift = row.begin - first_of(own, share.item);
}

DEVICE Share own_share(const Along& along, const Own& own) {
    Share share = Share();
    const u64 arcs = first_of(own, along.count);
    const u64 threads = grid_threads(), thread = thread_in_grid();
    // The first `arcs % threads` threads take one more.
    const u64 each = arcs / threads, more = arcs % threads;
    share.at = thread * each + (thread < more ? thread : more);
    share.end = share.at + each + (thread < more ? 1 : 0);
    if (share.at < share.end) {
        u64 low = 0, high = along.count;  // first[low] <= at < first[high]
        while (high - low > 1) {
            const u64 middle = low + (high - low) / 2;
            if (first_of(own, middle) <= share.at) low = middle; else high = middle;
        }
        share.item = low;
        enter_row(share, along, own);
    }
    return share;
}

// Goes on to the row that `at` lies in, over rows without arcs.
DEVICE bool next_row(Share& share, const Along& along, const Own& own) {
    if (share.at < share.row_end) return false;
    do ++share.item; while (first_of(own, share.item + 1) <= share.at);
    enter_row(share, along, own);
    return true;
}

template <class F> DEVICE void advance(const Along& along, const Own& own, const F& f) {
    Share share = own_share(along, own);
    typename F::Source source = typename F::Source();
    if (share.at < share.end) source = f.enter(share.vertex);
    u32 looked = 0;
    while (warp_any(FULL_WARP, share.at < share.end)) {
        if (++looked % PATIENCE == 0 && warp_any(FULL_WARP, is_cancelled(along))) return;
        bool take = false;
        u32 v = 0;
        if (share.at < share.end) {
            if (next_row(share, along, own)) source = f.enter(share.vertex);
            const Offset arc = static_cast<Offset>(share.at) + share.shift;
            v = share.base + target_at(along.targets, arc);
            take = f.edge(source, share.vertex, v, arc);
            ++share.at;
        }
        append(next_of(along), take, v);
    }
}

// A row that several threads share is settled by each of them with its part; a row without arcs is not settled at all.
template <class F> DEVICE void gather(const Along& along, const Own& own, const F& f) {
    Share share = own_share(along, own);
    typename F::Part sum = f.start();
    u32 looked = 0;
    while (warp_any(FULL_WARP, share.at < share.end)) {
        if (++looked % PATIENCE == 0 && warp_any(FULL_WARP, is_cancelled(along))) return;
        bool take = false;
        const u32 v = share.vertex;
        if (share.at < share.end) {
            const Offset arc = static_cast<Offset>(share.at) + share.shift;
            const bool enough = !f.wants(v) || f.edge(sum, v, share.base + target_at(along.targets, arc), arc);
            const u64 part_end = share.row_end < share.end ? share.row_end : share.end;
            share.at = enough ? part_end : share.at + 1;
            if (share.at == part_end) {
                take = f.wants(v) && f.settle(v, sum);
                sum = f.start();
                if (share.at < share.end) next_row(share, along, own);
            }
        }
        append(next_of(along), take, v);
    }
}
