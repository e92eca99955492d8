// `edge`: the worklist holds arcs, dealt out in turn to as many threads as run at a time, so that neighbouring threads read neighbouring arcs [1].
// Where an arc begins is read from `along.sources`, an entry an arc.
//
// `along.work` is the list; null: all arcs.
//
// [1] As in node.cuh: edge-based task distribution.
#include "frontier.cuh"

DEVICE Offset arc_at(const Along& along, u64 i) {
    return along.work ? static_cast<const Offset*>(along.work)[i] : static_cast<Offset>(i);
}

template <class F> DEVICE void advance(const Along& along, const F& f) {
    u32 looked = 0;
    const u64 count = count_of(along);
    for (u64 base = thread_in_grid() - lane_in_warp(); base < count; base += grid_threads()) {
        if (++looked % PATIENCE == 0 && warp_any(FULL_WARP, is_cancelled(along))) return;
        const u64 i = base + lane_in_warp();
        bool take = false;
        u32 v = 0;
        if (i < count) {
            const Offset arc = arc_at(along, i);
            const u32 u = along.sources[arc];
            v = along.targets[arc];
            take = f.edge(f.enter(u), u, v, arc);
        }
        append(next_of(along), take, v);
    }
}

// A row is settled once an arc; one without arcs is not settled at all.
template <class F> DEVICE void gather(const Along& along, const F& f) {
    u32 looked = 0;
    const u64 count = count_of(along);
    for (u64 base = thread_in_grid() - lane_in_warp(); base < count; base += grid_threads()) {
        if (++looked % PATIENCE == 0 && warp_any(FULL_WARP, is_cancelled(along))) return;
        const u64 i = base + lane_in_warp();
        bool take = false;
        u32 v = 0;
        if (i < count) {
            const Offset arc = arc_at(along, i);
            v = along.sources[arc];
            if (f.wants(v)) {
                typename F::Part sum = f.start();
                f.edge(sum, v, along.targets[arc], arc);
                take = f.settle(v, sum);
            }
        }
        append(next_of(along), take, v);
    }
}
