// Searches in sorted rows. The module defines `Offset`.
#include "prelude.cuh"

// Returns the first position in a sorted part of a list whose entry is not less than x.
DEVICE Offset lower_bound(const u32* list, Offset low, Offset high, u32 x) {
    while (low < high) {
        const Offset middle = low + (high - low) / 2;
        if (list[middle] < x) low = middle + 1; else high = middle;
    }
    return low;
}

DEVICE bool is_in(const u32* list, Offset low, Offset high, u32 x) {
    const Offset at = lower_bound(list, low, high, x);
    return at < high && list[at] == x;
}

// Returns how often v occurs in a sorted part of a list. No vertex has the greatest number, so v + 1 does not overflow.
DEVICE Offset copies_in(const u32* list, Offset low, Offset high, u32 v) {
    const Offset first = lower_bound(list, low, high, v);
    return lower_bound(list, first, high, v + 1) - first;
}
