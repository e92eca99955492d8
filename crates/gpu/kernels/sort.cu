// One stable pass of a radix sort of pairs, by one digit of the keys. A warp takes a tile of consecutive pairs. First
// it counts the digits. Prefix sums over the counts of all tiles, ordered by digit, then give the position of each
// tile's first pair of each digit. In a second kernel the warp goes over the tile again, in order, and writes the pairs
// there. The module defines DIGITS and BLOCK_WARPS.
#include "prelude.cuh"

DEVICE u32 digit_of(const SortArgs& args, u64 key) { return static_cast<u32>(key >> args.shift) % DIGITS; }
DEVICE u64 tiles_of(const SortArgs& args) { return (args.count + args.tile - 1) / args.tile; }
DEVICE u64 end_of(const SortArgs& args, u64 tile) {
    const u64 end = (tile + 1) * args.tile;
    return end < args.count ? end : args.count;
}

KERNEL(sort_count, SortArgs) {
    SHARED(u32, counts[BLOCK_WARPS * DIGITS]);
    u32* own = counts + warp_in_block() * DIGITS;
    const u64 tiles = tiles_of(args);
    for (u64 tile = thread_in_grid() / 32; tile < tiles; tile += grid_threads() / 32) {
        for (u32 digit = lane_in_warp(); digit < DIGITS; digit += 32) own[digit] = 0;
        warp_sync(FULL_WARP);
        const u64 end = end_of(args, tile);
        for (u64 i = tile * args.tile + lane_in_warp(); i < end; i += 32) atomic_add(own + digit_of(args, args.keys[i]), 1u);
        warp_sync(FULL_WARP);
        for (u32 digit = lane_in_warp(); digit < DIGITS; digit += 32) args.counts[digit * tiles + tile] = own[digit];
        warp_sync(FULL_WARP);
    }
}

KERNEL(sort_place, SortArgs) {
    SHARED(u32, places[BLOCK_WARPS * DIGITS]);
    u32* next = places + warp_in_block() * DIGITS;
    const u64 tiles = tiles_of(args);
    for (u64 tile = thread_in_grid() / 32; tile < tiles; tile += grid_threads() / 32) {
        for (u32 digit = lane_in_warp(); digit < DIGITS; digit += 32) next[digit] = args.counts[digit * tiles + tile];
        warp_sync(FULL_WARP);
        const u64 end = end_of(args, tile);
        u64 i = tile * args.tile + lane_in_warp();
        u64 next_key = i < end ? args.keys[i] : 0;
        u32 next_value = i < end ? args.values[i] : 0;
        for (u64 base = tile * args.tile; base < end; base += 32, i += 32) {
            const bool mine = i < end;
            const u64 key = next_key;
            const u32 value = next_value;
            // The next pair is on its way while this one is placed.
            if (i + 32 < end) {
                next_key = args.keys[i + 32];
                next_value = args.values[i + 32];
            }
            const u32 digit = digit_of(args, key);
            // Find the lanes with the same digit.
            u32 same = warp_ballot(FULL_WARP, mine);
            for (u32 bit = 1; bit < DIGITS; bit *= 2) {
                const u32 votes = warp_ballot(FULL_WARP, (digit & bit) != 0);
                same &= digit & bit ? votes : ~votes;
            }
            const u32 before = count_ones(same & lanes_before());
            const u32 at = next[digit] + before;
            warp_sync(FULL_WARP);
            if (mine && before == 0) next[digit] += count_ones(same);
            warp_sync(FULL_WARP);
            if (mine) {
                args.keys_out[at] = key;
                args.values_out[at] = value;
            }
        }
        warp_sync(FULL_WARP);
    }
}
