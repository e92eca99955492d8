// What a device does at best: memory in order, accesses at random places, launches, barriers.
#include "prelude.cuh"
#include "arguments.cuh"

// What a thread has under way at a time: with 1024 threads a multiprocessor more than memory can bring.
#define PIECES 4
#define ACCESSES 8

// 16 bytes, by which memory is copied; it is read by words of 4.
struct alignas(16) Piece {
    u32 words[4];
};

KERNEL_OF(copy, Given, 256, 4) {
    const Piece* from = reinterpret_cast<const Piece*>(args.cells);
    Piece* to = reinterpret_cast<Piece*>(args.to);
    const u64 count = args.count / 4, step = grid_threads();
    u64 i = thread_in_grid();
    for (; i + (PIECES - 1) * step < count; i += PIECES * step) {
        Piece pieces[PIECES];
        for (u32 k = 0; k < PIECES; k++) pieces[k] = from[i + k * step];
        for (u32 k = 0; k < PIECES; k++) to[i + k * step] = pieces[k];
    }
    for (; i < count; i += step) to[i] = from[i];
}

// Reads all cells. The kernel writes the sum only if it is a value that the host knows to be impossible, so that the
// compiler keeps the reads and the writes cost nothing.
KERNEL_OF(read, Given, 256, 4) {
    const u64 step = grid_threads();
    u64 i = thread_in_grid();
    u32 sum = 0;
    for (; i + (ACCESSES - 1) * step < args.count; i += ACCESSES * step) {
        for (u32 k = 0; k < ACCESSES; k++) sum += args.cells[i + k * step];
    }
    for (; i < args.count; i += step) sum += args.cells[i];
    if (sum == args.never) args.to[0] = sum;
}

// The finalizer of MurmurHash3.
DEVICE u32 mix(u32 x) {
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    return x ^ (x >> 16);
}

// `args.count` times ACCESSES accesses a thread; `access` is given a place and an own number. The place is a hash of the
// number of the access, so that nothing but the access costs memory.
template <class Access> DEVICE void at_random(const Given& args, Access access) {
    const u32 rounds = static_cast<u32>(args.count);
    u32 number = thread_in_grid();
    for (u32 round = 0; round < rounds; round++) {
        for (u32 k = 0; k < ACCESSES; k++, number += grid_threads()) access(mix(number) & args.mask, k);
    }
}

// As above, with the sum of what `access` returns.
template <class Access> DEVICE void summed_at_random(const Given& args, Access access) {
    u32 sums[ACCESSES] = {};
    at_random(args, [&](u32 place, u32 k) { sums[k] += access(place); });
    u32 sum = 0;
    for (u32 k = 0; k < ACCESSES; k++) sum += sums[k];
    if (sum == args.never) args.to[0] = sum;
}

KERNEL_OF(gather, Given, 256, 8) {
    summed_at_random(args, [&](u32 place) { return args.cells[place]; });
}

KERNEL_OF(add, Given, 256, 8) {
    at_random(args, [&](u32 place, u32) { atomic_add(args.cells + place, 1u); });
}

KERNEL_OF(least, Given, 256, 8) {
    summed_at_random(args, [&](u32 place) { return atomic_min(args.cells + place, place); });
}

KERNEL_OF(add_f64, Given, 256, 8) {
    f64* cells = reinterpret_cast<f64*>(args.cells);
    at_random(args, [&](u32 place, u32) { atomic_add(cells + place, 1.0); });
}

KERNEL(nothing, Given) {}

// Barriers over a grid that runs at once, as the engine's own kernels have them. Two blocks of 1024 threads share a
// multiprocessor.
KERNEL_OF(barriers, Given, 1024, 2) {
    u32* arrived = args.cells;
    for (u32 passed = 0; passed < args.count; passed++) {
        block_sync();
        if (thread_in_block() == 0) {
            const u32 all = (passed + 1) * grid_blocks();
            fence_device();
            atomic_add(arrived, 1u);
            wait_until([&] { return static_cast<i32>(load_now(arrived) - all) >= 0; });
            fence_device();
        }
        block_sync();
    }
}
