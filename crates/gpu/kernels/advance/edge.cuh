// `edge`: the worklist holds arcs, dealt out in turn to as many threads as run at a time, so that neighbouring threads read
// neighbouring arcs [1]. `own.sources` has one entry per arc: the vertex at which it begins.
//
// `own.arcs` is the worklist; null if the frontier is all vertices, whose worklist is all arcs.
//
// [1] As in node.cuh: edge-based task distribution.
#include "frontier.cuh"

DEVICE Offset arc_at(const Own& own, u64 i) {
    return own.arcs ? static_cast<const Offset*>(own.arcs)[i] : static_cast<Offset>(i);
}

template <class F> DEVICE void advance(const Along& along, const Own& own, const F& f) {
    u32 looked = 0;
    const u64 count = count_of(own.size, own.count);
    for (u64 base = thread_in_grid() - lane_in_warp(); base < count; base += grid_threads()) {
        if (++looked % PATIENCE == 0 && warp_any(FULL_WARP, is_cancelled(along))) return;
        const u64 i = base + lane_in_warp();
        bool take = false;
        u32 v = 0;
        if (i < count) {
            const Offset arc = arc_at(own, i);
            const u32 u = own.sources[arc];
            v = target_at(along.targets, arc);
            take = f.edge(f.enter(u), u, v, arc);
        }
        append(next_of(along), take, v);
    }
}

// A row is settled once per arc; a row without arcs is not settled at all.
template <class F> DEVICE void gather(const Along& along, const Own& own, const F& f) {
    u32 looked = 0;
    const u64 count = count_of(own.size, own.count);
    for (u64 base = thread_in_grid() - lane_in_warp(); base < count; base += grid_threads()) {
        if (++looked % PATIENCE == 0 && warp_any(FULL_WARP, is_cancelled(along))) return;
        const u64 i = base + lane_in_warp();
        bool take = false;
        u32 v = 0;
        if (i < count) {
            const Offset arc = arc_at(own, i);
            v = own.sources[arc];
            if (f.wants(v)) {
                typename F::Part sum = f.start();
                f.edge(sum, v, target_at(along.targets, arc), arc);
                take = f.settle(v, sum);
            }
        }
        append(next_of(along), take, v);
    }
}
