// Memory in order: copied in pieces of 16 bytes, read in words of 4.
#include "prelude.cuh"
#include "arguments.cuh"

// What a thread has under way at a time: with 1024 threads a multiprocessor more than memory can bring.
#define IN_FLIGHT 4

struct alignas(16) Piece {
    u32 words[4];
};

KERNEL_OF(copy, Streamed, 256, 4) {
    const Piece* from = reinterpret_cast<const Piece*>(args.from);
    Piece* to = reinterpret_cast<Piece*>(args.to);
    const u64 count = args.words / 4, step = grid_threads();
    u64 i = thread_in_grid();
    for (; i + (IN_FLIGHT - 1) * step < count; i += IN_FLIGHT * step) {
        Piece pieces[IN_FLIGHT];
        for (u32 k = 0; k < IN_FLIGHT; k++) pieces[k] = from[i + k * step];
        for (u32 k = 0; k < IN_FLIGHT; k++) to[i + k * step] = pieces[k];
    }
    for (; i < count; i += step) to[i] = from[i];
}

// A sum that nobody asks for, unless it is the one that the host says it cannot be.
KERNEL_OF(read, Streamed, 256, 4) {
    const u64 step = grid_threads();
    u64 i = thread_in_grid();
    u32 sum = 0;
    for (; i + (2 * IN_FLIGHT - 1) * step < args.words; i += 2 * IN_FLIGHT * step) {
        for (u32 k = 0; k < 2 * IN_FLIGHT; k++) sum += args.from[i + k * step];
    }
    for (; i < args.words; i += step) sum += args.from[i];
    if (sum == args.never) args.sink[0] = sum;
}
