// The tiles that `resident` keeps for every row that was met, and the list of the tiles of a frontier [1].
//
// `args.rows` has, per row, the number of its first record plus one in the upper half, and the number of its records in
// the lower half; 0 if the row was never met. Rows for which there is no room, or which another thread is cutting at
// this moment, go to a separate list and are cut when they are expanded.
//
// [1] As in advance/tiles.cuh: algorithm 3.
#include "runs.cuh"
#include "record.cuh"
#include "cut.cuh"

#define CUTTING 0xffffffff00000000ull

DEVICE Cutting cut_of(const TilesArgs& args, u32 row) {
    const Offset* offsets = static_cast<const Offset*>(args.offsets);
    return cut_row(offsets[row], offsets[row + 1], static_cast<u32>(args.align), args.least);
}

// Returns the number of records of a row: tiles of a block, at most one of each smaller size, and one record for head
// and tail.
DEVICE u32 records_of(const TilesArgs& args, const Cutting& cut) {
    const u32 narrow = count_ones(static_cast<u32>(cut.length) & (args.block - 1));
    return static_cast<u32>(cut.length / args.block) + narrow + (cut.head + cut.tail > 0 ? 1 : 0);
}

struct Cuts {
    const TilesArgs& args;
    DEVICE void write(u64 place, u64 row, u64 k) const {
        const Cutting cut = cut_of(args, static_cast<u32>(row));
        const Offset whole = cut.length / args.block;
        Record record = Record();
        record.vertex = static_cast<u32>(row);
        u32 size = args.block;
        if (k < whole) {
            record.begin = cut.body + static_cast<Offset>(k) * args.block;
        } else {
            // The sizes below a block that the row has, the largest first.
            u32 left = static_cast<u32>(cut.length) & (args.block - 1);
            for (u64 at = whole; at < k && left != 0; ++at) left &= ~(0x80000000u >> leading_zeros(left));
            size = left != 0 ? 0x80000000u >> leading_zeros(left) : 0;
            record.begin = cut.body + tile_begin(cut.length, size);
        }
        if (size > 0) {
            record.size_and_head = size << 8 | WHOLE;
        } else {
            record.begin = cut.body - cut.head;
            record.skip = cut.length;
            record.size_and_head = (cut.head + cut.tail) << 8 | cut.head;
        }
        static_cast<Record*>(args.records)[place] = record;
    }
};

// Writes the numbers of a row's records to the list.
struct Numbers {
    const TilesArgs& args;
    DEVICE void write(u64 place, u64 first_and_copy, u64 k) const {
        args.list[place] = static_cast<u32>(first_and_copy) + static_cast<u32>(k);
        if (args.bases) args.bases[place] = static_cast<u32>(first_and_copy >> 32) * static_cast<u32>(args.vertices);
    }
};

// Lists the tiles of all items, and cuts the rows that were never met.
KERNEL(tiles_list, TilesArgs) {
    u64 made = 0, reused = 0;
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.count; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        const bool is = i < args.count;
        const u32 v = is ? (args.items ? args.items[i] : static_cast<u32>(i)) : 0;
        const u32 row = row_of(v, args.vertices);
        u64 known = is ? load_now(args.rows + row) : CUTTING;
        const bool cuts = is && known == 0 && atomic_compare_exchange(args.rows + row, static_cast<u64>(0), CUTTING) == 0;
        const u32 records = cuts ? records_of(args, cut_of(args, row)) : 0;
        // A row that does not fit into the remaining room leaves it to shorter rows.
        const bool may = cuts && load_now(args.used) + records <= args.capacity;
        const u64 place = take_run(args.used, may ? records : 0);
        const bool fits = may && place + records <= args.capacity;
        write_run(Cuts{args}, place, fits ? records : 0, row);
        if (fits) {
            known = (place + 1) << 32 | records;
            store_now(args.rows + row, known);
        }
        const bool has = is && known != 0 && known != CUTTING;
        const u32 tiles = has ? static_cast<u32>(known) : 0;
        const u64 copy = v == row ? 0 : v / static_cast<u32>(args.vertices);
        write_run(Numbers{args}, take_run(args.list_size, tiles), tiles, copy << 32 | static_cast<u32>((known >> 32) - 1));
        append(Queue{args.loose, args.loose_size}, is && !has, v);
        if (fits) made += tiles; else reused += tiles;
    }
    for (u32 by = 16; by > 0; by /= 2) {
        made += warp_shuffle_down(FULL_WARP, made, by);
        reused += warp_shuffle_down(FULL_WARP, reused, by);
    }
    if (lane_in_warp() == 0 && made > 0) atomic_add(args.made, made);
    if (lane_in_warp() == 0 && reused > 0) atomic_add(args.reused, reused);
}
