// What sorted rows are asked. `Offset` is typedef'd by the module.
#include "prelude.cuh"

// The first place in a sorted part of a list whose entry is not less than x.
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

// How often v stands in a sorted part of a list. No vertex has the greatest number, so there is one above v.
DEVICE Offset copies_in(const u32* list, Offset low, Offset high, u32 v) {
    const Offset first = lower_bound(list, low, high, v);
    return lower_bound(list, first, high, v + 1) - first;
}
