// Work that warps or blocks draw in portions, one ticket per portion, so that none waits for another.
#include "prelude.cuh"

// Reading the cancel word seems to take about 1 us over the bus, during which no other thread reads it. So only the
// thread that draws a ticket with a number divisible by this one reads it; if it is set, all later tickets are beyond
// the last.
#define TICKETS_PER_LOOK 1024u

// Draws a ticket in one thread: the number of a portion, or a number that is not below `count`.
DEVICE u64 draw_ticket(u64* next, u64 count, const u32* cancel) {
    const u64 ticket = atomic_add(next, static_cast<u64>(1));
    if (ticket % TICKETS_PER_LOOK == TICKETS_PER_LOOK - 1 && is_cancelled(cancel)) {
        atomic_max(next, static_cast<u64>(1) << 62);
        return count;
    }
    return ticket;
}

// Draws a ticket for a warp. Every lane must call.
DEVICE u64 draw_by_warp(u64* next, u64 count, const u32* cancel) {
    const u64 ticket = lane_in_warp() == 0 ? draw_ticket(next, count, cancel) : 0;
    return warp_shuffle(FULL_WARP, ticket, 0);
}
