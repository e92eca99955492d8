// Accesses at random places: the place is a hash of the number of the access, so that nothing but the access costs memory.
#include "prelude.cuh"
#include "arguments.cuh"

// Accesses that a thread has under way at a time.
#define IN_FLIGHT 8

// The finalizer of MurmurHash3.
DEVICE u32 mix(u32 x) {
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    return x ^ (x >> 16);
}

// `args.rounds` times IN_FLIGHT accesses a thread; `access` is given a place and an own number.
template <class Access> DEVICE void at_random(const Random& args, Access access) {
    u32 number = thread_in_grid();
    for (u32 round = 0; round < args.rounds; round++) {
        for (u32 k = 0; k < IN_FLIGHT; k++, number += grid_threads()) access(mix(number) & args.mask, k);
    }
}

KERNEL_OF(gather, Random, 256, 8) {
    u32 sums[IN_FLIGHT] = {};
    at_random(args, [&](u32 place, u32 k) { sums[k] += args.cells[place]; });
    u32 sum = 0;
    for (u32 k = 0; k < IN_FLIGHT; k++) sum += sums[k];
    if (sum == args.never) args.sink[0] = sum;
}

KERNEL_OF(add, Random, 256, 8) {
    at_random(args, [&](u32 place, u32) { atomic_add(args.cells + place, 1u); });
}

KERNEL_OF(least, Random, 256, 8) {
    u32 sums[IN_FLIGHT] = {};
    at_random(args, [&](u32 place, u32 k) { sums[k] += atomic_min(args.cells + place, place); });
    u32 sum = 0;
    for (u32 k = 0; k < IN_FLIGHT; k++) sum += sums[k];
    if (sum == args.never) args.sink[0] = sum;
}

KERNEL_OF(add_f64, Random, 256, 8) {
    f64* cells = reinterpret_cast<f64*>(args.cells);
    at_random(args, [&](u32 place, u32) { atomic_add(cells + place, 1.0); });
}
