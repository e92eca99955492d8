// Copies pages of an edge array in host memory into a pool on the device, in the order of a list.
#include "prelude.cuh"

KERNEL(pages_copy, PagesArgs) {
    const u64 all = args.pages * args.words;
    for (u64 at = thread_in_grid(); at < all; at += grid_threads()) {
        const u64 from = args.list[at / args.words] * args.words + at % args.words;
        if (from < args.all_words) args.near[at] = load_const(args.far + from);
    }
}
