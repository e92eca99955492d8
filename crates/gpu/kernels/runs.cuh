// Runs of entries, one per vertex, in lists that many threads append to.
#include "frontier.cuh"

// A warp writes longer runs, a thread all others.
#define LONG_RUN 16

// Calls w.write(place + k, tag, k) for every k below a lane's count. Every lane must call.
template <class W> DEVICE void write_run(const W& w, u64 place, u64 count, u64 tag) {
    u32 longs = warp_ballot(FULL_WARP, count > LONG_RUN);
    while (longs != 0) {
        const u32 lane = trailing_zeros(longs);
        longs &= longs - 1;
        const u64 at = warp_shuffle(FULL_WARP, place, lane), all = warp_shuffle(FULL_WARP, count, lane);
        const u64 of = warp_shuffle(FULL_WARP, tag, lane);
        for (u64 k = lane_in_warp(); k < all; k += 32) w.write(at + k, of, k);
    }
    if (count <= LONG_RUN) {
        for (u64 k = 0; k < count; ++k) w.write(place + k, tag, k);
    }
}

// Returns places for the runs of all lanes, one after the other, with one atomic per warp. Every lane must call.
DEVICE u64 take_run(u64* size, u64 count) {
    const u64 upto = warp_scan(count);
    u64 first = 0;
    if (lane_in_warp() == 31 && upto > 0) first = atomic_add(size, upto);
    return warp_shuffle(FULL_WARP, first, 31) + upto - count;
}
