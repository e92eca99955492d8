// Searches in sorted rows. The module defines `Offset`.
#include "edges.cuh"

// Returns the first position in a sorted part of a list whose entry is not less than x.
template <class L> DEVICE Offset lower_bound(const L& list, Offset low, Offset high, u32 x) {
    while (low < high) {
        const Offset middle = low + (high - low) / 2;
        if (entry_at(list, middle) < x) low = middle + 1; else high = middle;
    }
    return low;
}

template <class L> DEVICE bool is_in(const L& list, Offset low, Offset high, u32 x) {
    const Offset at = lower_bound(list, low, high, x);
    return at < high && entry_at(list, at) == x;
}

// How often a vertex has an arc to itself: it never has; its row tells; or the edges are streamed, and `targets` is a table
// of the loops of each vertex.
#define LOOPS_NONE 0u
#define LOOPS_IN_ROWS 1u
#define LOOPS_IN_TABLE 2u

// Returns how often v occurs in a sorted part of a list. No vertex has the greatest number, so v + 1 does not overflow.
template <class L> DEVICE Offset copies_in(const L& list, Offset low, Offset high, u32 v) {
    const Offset first = lower_bound(list, low, high, v);
    return lower_bound(list, first, high, v + 1) - first;
}

// Returns the number of arcs from v to itself.
DEVICE u64 loops_of(const Edges& targets, u64 are, Offset begin, Offset end, u32 v) {
    if (are == LOOPS_NONE) return 0;
    return are == LOOPS_IN_TABLE ? plain_at<u32>(targets, v) : copies_in(targets, begin, end, v);
}
