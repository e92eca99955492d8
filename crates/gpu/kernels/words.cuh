// Goes over all arcs of all rows, whatever the lengths of rows: one warp per word of 32 arcs, one lane per arc.
// Adjacent lanes read adjacent arcs, and one bit per arc makes one u32 per word. The module defines `Offset`.
#include "frontier.cuh"
#include "rows.cuh"

// Returns the row that an arc lies in, which is `from` or a later one: by doubling steps, then by bisection.
DEVICE u32 row_with(const Offset* offsets, u64 vertices, u32 from, u64 arc) {
    u64 low = from, step = 1;  // offsets[low] <= arc
    while (low + step < vertices && offsets[low + step] <= arc) {
        low += step;
        step *= 2;
    }
    u64 high = low + step < vertices ? low + step : vertices;  // offsets[high] > arc
    while (high - low > 1) {
        const u64 middle = low + (high - low) / 2;
        if (offsets[middle] <= arc) low = middle; else high = middle;
    }
    return static_cast<u32>(low);
}

// Calls f.word(word, is, u, arc) in all lanes for every word that has an arc with its bit set in `alive` (null if all
// are set). A warp takes `turn` words at a time, at most 32. If `is`, this lane's arc has its bit set, and u is its
// row. The call returns, the same in all lanes, how much work it did, in units of about 32 arcs; this decides when to
// read the cancel word.
template <class F>
DEVICE void each_word(const Offset* offsets, u64 vertices, const u32* alive, u32 turn, const u32* cancel, F& f) {
    const u64 arcs = offsets[vertices], words = (arcs + 31) / 32;
    const u64 warps = grid_threads() / 32;
    u64 looked = 0;
    for (u64 first = thread_in_grid() / 32 * turn; first < words; first += warps * turn) {
        const bool mine = lane_in_warp() < turn && first + lane_in_warp() < words;
        const u32 own = !mine ? 0 : alive ? alive[first + lane_in_warp()] : FULL_WARP;
        u32 left = warp_ballot(FULL_WARP, own != 0);
        u32 row = 0;
        while (left != 0) {
            const u32 at = trailing_zeros(left);
            left &= left - 1;
            const u32 bits = warp_shuffle(FULL_WARP, own, at);
            const u64 word = first + at, arc = word * 32 + lane_in_warp();
            const bool is = arc < arcs && (bits >> lane_in_warp() & 1);
            if (is) row = row_with(offsets, vertices, row, arc);
            looked += f.word(word, is, row, arc);
            // The next word begins in the row of the last of these arcs, or after it.
            const u32 last = 31 - leading_zeros(warp_ballot(FULL_WARP, is) | 1);
            row = warp_shuffle(FULL_WARP, row, last);
            if (looked >= PATIENCE) {
                looked = 0;
                if (warp_any(FULL_WARP, is_cancelled(cancel))) return;
            }
        }
    }
}
