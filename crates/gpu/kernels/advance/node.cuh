// `node`: a thread a row, the baseline of the literature [1]. Rows of very different length leave most of a warp idle.
//
// [1] A. Raval, R. Nasre, V. Kumar, R. Vasudevan, S. Vadhiyar, K. Pingali, Dynamic load balancing strategies for graph applications on
//     GPUs, 2017: node-based task distribution.
#include "frontier.cuh"

// Calls f.edge(source, u, v, arc) for every arc u -> v of the front; where it says so, v joins the next frontier.
template <class F> DEVICE void advance(const Rows& rows, const Front& front, const F& f, const Queue& next) {
    u32 looked = 0;
    for (u64 base = thread_in_grid() - lane_in_warp(); base < front.count; base += grid_threads()) {
        if (++looked % PATIENCE == 0 && warp_any(FULL_WARP, is_cancelled(front.cancel))) return;
        const u64 i = base + lane_in_warp();
        const bool mine = i < front.count;
        const u32 u = mine ? front.item(i) : 0;
        Offset arc = mine ? rows.offsets[u] : 0;
        const Offset end = mine ? rows.offsets[u + 1] : 0;
        typename F::Source source = typename F::Source();
        if (arc < end) source = f.enter(u);
        while (warp_any(FULL_WARP, arc < end)) {
            bool take = false;
            u32 v = 0;
            if (arc < end) {
                v = rows.targets[arc];
                take = f.edge(source, u, v, arc);
                ++arc;
            }
            append(next, take, v);
        }
    }
}

// Joins what f.edge(part, v, u, arc) adds over the row of every v of the front that f.wants(v), until it says that is enough;
// then f.settle(v, part), once a row. Where that says so, v joins the next frontier.
template <class F> DEVICE void gather(const Rows& rows, const Front& front, const F& f, const Queue& next) {
    u32 looked = 0;
    for (u64 base = thread_in_grid() - lane_in_warp(); base < front.count; base += grid_threads()) {
        if (++looked % PATIENCE == 0 && warp_any(FULL_WARP, is_cancelled(front.cancel))) return;
        const u64 i = base + lane_in_warp();
        bool take = false;
        u32 v = 0;
        if (i < front.count) {
            v = front.item(i);
            if (f.wants(v)) {
                typename F::Part part = f.start();
                const Offset end = rows.offsets[v + 1];
                for (Offset arc = rows.offsets[v]; arc < end; ++arc) {
                    if (f.edge(part, v, rows.targets[arc], arc)) break;
                }
                take = f.settle(v, part);
            }
        }
        append(next, take, v);
    }
}
