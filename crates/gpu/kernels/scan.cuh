// Prefix sums by a block. `warps` is shared memory for 32 numbers, free again on return; every thread of the block must
// call.
#include "frontier.cuh"

// Returns the sum of x over the threads of the block before this one; `total` receives the sum over all.
template <class T> DEVICE T block_before(T x, T* warps, T& total) {
    const T upto = warp_scan(x);
    if (lane_in_warp() == 31) warps[warp_in_block()] = upto;
    block_sync();
    T base = 0;
    total = 0;
    for (u32 w = 0; w < block_threads() / 32; ++w) {
        if (w == warp_in_block()) base = total;
        total += warps[w];
    }
    block_sync();
    return base + upto - x;
}

// Sets into[i] to the sum of all numbers.at(k) with k < i, by one block, and returns the sum of all. Both may lie in
// the same array.
template <class T, class N> DEVICE T scan_by_block(const N& numbers, u64 count, T* into, T* warps) {
    T carry = 0;
    for (u64 base = 0; base < count; base += block_threads()) {
        const u64 i = base + thread_in_block();
        T total;
        const T before = block_before(i < count ? numbers.at(i) : T(0), warps, total);
        if (i < count) into[i] = carry + before;
        carry += total;
    }
    return carry;
}

// Numbers that lie in an array.
template <class T> struct Listed {
    const T* list;
    DEVICE T at(u64 i) const { return list[i]; }
};
