// One thread per stretch of a row: what `node`, `split` and `hierarchical` have in common. `S::count(along, own)` is the number
// of entries and `S::at(along, own, i, is_there)` the stretch of the i-th one; every lane of a warp calls it, also the lanes
// beyond the last entry.
#include "frontier.cuh"

// Calls f.edge(source, u, v, arc) for every arc u -> v of a stretch; where it says so, v joins the next frontier. Every lane of the warp must call.
template <class F> DEVICE void walk(const Along& along, const F& f, const Stretch& stretch) {
    const u32 u = stretch.vertex;
    Offset arc = stretch.begin;
    typename F::Source source = typename F::Source();
    if (arc < stretch.end) source = f.enter(u);
    while (warp_any(FULL_WARP, arc < stretch.end)) {
        bool take = false;
        u32 v = 0;
        if (arc < stretch.end) {
            v = stretch.base + target_at(along.targets, arc);
            take = f.edge(source, u, v, arc);
            ++arc;
        }
        append(next_of(along), take, v);
    }
}

// Joins what f.edge(sum, v, u, arc) adds over a stretch if f.wants(v), until it says that is enough; then f.settle(v, sum), which says whether v
// joins the next frontier.
template <class F> DEVICE bool collect(const Along& along, const F& f, const Stretch& stretch) {
    const u32 v = stretch.vertex;
    if (!f.wants(v)) return false;
    typename F::Part sum = f.start();
    for (Offset arc = stretch.begin; arc < stretch.end; ++arc) {
        if (f.edge(sum, v, stretch.base + target_at(along.targets, arc), arc)) break;
    }
    return f.settle(v, sum);
}

template <class S, class F> DEVICE void advance_stretches(const Along& along, const Own& own, const F& f) {
    u32 looked = 0;
    const u64 count = S::count(along, own);
    for (u64 base = thread_in_grid() - lane_in_warp(); base < count; base += grid_threads()) {
        if (++looked % PATIENCE == 0 && warp_any(FULL_WARP, is_cancelled(along))) return;
        const u64 i = base + lane_in_warp();
        walk(along, f, S::at(along, own, i, i < count));
    }
}

// Every stretch is settled once.
template <class S, class F> DEVICE void gather_stretches(const Along& along, const Own& own, const F& f) {
    u32 looked = 0;
    const u64 count = S::count(along, own);
    for (u64 base = thread_in_grid() - lane_in_warp(); base < count; base += grid_threads()) {
        if (++looked % PATIENCE == 0 && warp_any(FULL_WARP, is_cancelled(along))) return;
        const u64 i = base + lane_in_warp();
        const Stretch stretch = S::at(along, own, i, i < count);
        const bool take = i < count && collect(along, f, stretch);
        append(next_of(along), take, stretch.vertex);
    }
}
