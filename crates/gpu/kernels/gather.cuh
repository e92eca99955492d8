// Gathers over the rows of a listed frontier, without atomics.
#include "walk.cuh"

// For every row of a frontier, f.edge(part, u, v) along its arcs, then f.settle(u, part). The lanes of a row are lanes of one
// warp, which put their parts together by f.join(part, by), so each row is settled once, and no other warp has a part of it.
template <class F>
DEVICE void gather_rows(const Edges& targets, const Lists& lists, u64 tally, bool has_long, const Crew& crew, const F& f) {
    const u32 count = length_of(tally), arcs = arcs_of(tally), group = has_long ? 32 : group_of(tally, crew), per_warp = 32 / group;
    for (u64 first = static_cast<u64>(crew.warp) * per_warp; first < count; first += static_cast<u64>(crew.warps) * per_warp) {
        const u64 i = first + lane_in_warp() / group;
        Share mine = share_of(lists, count, arcs, i, group);
        typename F::Part part = f.start();
        for (; warp_any(FULL_WARP, mine.arc < mine.end); mine.arc += group) {
            if (mine.arc < mine.end) f.edge(part, mine.u, target_at(targets, mine.arc));
        }
        for (u32 by = group / 2; by > 0; by /= 2) f.join(part, by);
        if (i < count && lane_in_warp() % group == 0) f.settle(mine.u, part);
    }
}
