// Exclusive prefix sums in place, in three steps: within tiles of a block's size, over the sums of tiles, and both
// together. The total is written behind the last entry.
#include "scan.cuh"

DEVICE Offset* values_of(const ScanArgs& args) { return static_cast<Offset*>(args.values); }
DEVICE Offset* sums_of(const ScanArgs& args) { return static_cast<Offset*>(args.sums); }

KERNEL(scan_tiles, ScanArgs) {
    SHARED(Offset, warps[32]);
    const u64 tiles = (args.count + args.tile - 1) / args.tile;
    for (u64 tile = block_in_grid(); tile < tiles; tile += grid_blocks()) {
        const u64 i = tile * args.tile + thread_in_block();
        Offset total;
        const Offset before = block_before(i < args.count ? values_of(args)[i] : Offset(0), warps, total);
        if (i < args.count) values_of(args)[i] = before;
        if (thread_in_block() == 0) sums_of(args)[tile] = total;
    }
}

// Computes the prefix sums of the sums of tiles, by one block.
KERNEL(scan_sums, ScanArgs) {
    SHARED(Offset, warps[32]);
    const u64 tiles = (args.count + args.tile - 1) / args.tile;
    const Offset total = scan_by_block(Listed<Offset>{sums_of(args)}, tiles, sums_of(args), warps);
    if (thread_in_block() == 0) values_of(args)[args.count] = total;
}

// Does all three steps at once by one block, for few numbers.
KERNEL(scan_short, ScanArgs) {
    SHARED(Offset, warps[32]);
    const Offset total = scan_by_block(Listed<Offset>{values_of(args)}, args.count, values_of(args), warps);
    if (thread_in_block() == 0) values_of(args)[args.count] = total;
}

KERNEL(scan_add, ScanArgs) {
    for (u64 i = thread_in_grid(); i < args.count; i += grid_threads()) values_of(args)[i] += sums_of(args)[i / args.tile];
}
