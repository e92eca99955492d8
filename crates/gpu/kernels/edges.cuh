// The edge arrays, wherever they are stored: the targets of all arcs, and weights. The module prints `Edges` and may
// define EDGES_ARE, which says how targets are found; weights are never coded.
//
// PLAIN: one array at `near`, in device, managed or host memory. PAGED: pages of PAGE_ARCS arcs; `slots` has the place of
// each page in the pool at `near`, or FAR if kernels read it at `far`, in host memory. CODED: blocks of 32 arcs; `slots`
// has an entry of 64 bits per block, with the place of its words at `near` or `far`, and `shift` is that of its bases.
#include "prelude.cuh"
#include "coded.cuh"

#define EDGES_PLAIN 0
#define EDGES_PAGED 1
#define EDGES_CODED 2
#ifndef EDGES_ARE
#define EDGES_ARE EDGES_PLAIN
#endif

// EDGES_FAR: some edges lie in host or managed memory.
#ifndef EDGES_FAR
#define EDGES_FAR 0
#endif

#define PAGE_BITS 10
#define PAGE_ARCS (1u << PAGE_BITS)
#define FAR_PAGE 0xffffffffu

// With EDGES_COUNTED, kernels count what crosses the bus, in units of that many bytes: sectors of host memory, or pages.
// `counts` has EDGE_COUNTERS counters of units, as many of bytes that were asked for, and a table. Of sectors, the table has
// those that were read last: a sector that is in its place does not cross again. Of pages, it has all, as a hash table:
// each counts once, unless the table is nearly full.
#define EDGE_COUNTERS 64u
#define SECTOR_BYTES 32
#define PAGE_PROBES 32u

#ifdef EDGES_COUNTED
// Returns true if a unit counts, and notes it in the table of a length, a power of two, less one.
DEVICE bool counts_now(u64* table, u64 mask, u64 unit) {
#if EDGES_COUNTED > SECTOR_BYTES
    u64 at = unit * 0x9e3779b97f4a7c15ull >> 32;
    for (u32 probe = 0; probe < PAGE_PROBES; ++probe, ++at) {
        u64* tag = table + (at & mask);
        u64 known = load_now(tag);
        if (known == 0) known = atomic_compare_exchange(tag, static_cast<u64>(0), unit);
        if (known == 0) return true;
        if (known == unit) return false;
    }
    return true;
#else
    u64* tag = table + (unit & mask);
    return load_now(tag) != unit && atomic_exchange(tag, unit) != unit;
#endif
}
#endif

DEVICE void note_far(const Edges& edges, const void* at, u32 bytes) {
#ifdef EDGES_COUNTED
    // Arrays on the device have no counters.
    if (!edges.counts) return;
    const u64 unit = reinterpret_cast<u64>(at) / EDGES_COUNTED;
    const u32 counter = static_cast<u32>(unit) % EDGE_COUNTERS;
    // The length of the table less one; then the table.
    u64* table = edges.counts + 2 * EDGE_COUNTERS;
    if (counts_now(table + 1, table[0], unit)) atomic_add(edges.counts + counter, 1ull);
    atomic_add(edges.counts + EDGE_COUNTERS + counter, static_cast<u64>(bytes));
#endif
}

template <class T> DEVICE T plain_at(const Edges& edges, u64 arc) {
    const T* at = static_cast<const T*>(edges.near) + arc;
    note_far(edges, at, sizeof(T));
    return load_const(at);
}

template <class T> DEVICE T paged_at(const Edges& edges, u64 arc) {
    const u32 slot = load_const(edges.slots + (arc >> PAGE_BITS));
    const T* far = static_cast<const T*>(edges.far) + arc;
    const T* near = static_cast<const T*>(edges.near) + (static_cast<u64>(slot) << PAGE_BITS | (arc & (PAGE_ARCS - 1)));
#ifdef EDGES_COUNTED
    if (slot == FAR_PAGE) note_far(edges, far, sizeof(T));
#endif
    // One load for both, without a branch, so that a thread can have several in flight.
    return load_const(slot == FAR_PAGE ? far : near);
}

// Returns the weight of an arc.
template <class T> DEVICE T weight_at(const Edges& edges, u64 arc) {
#if EDGES_ARE == EDGES_PLAIN
    return plain_at<T>(edges, arc);
#else
    return edges.slots ? paged_at<T>(edges, arc) : plain_at<T>(edges, arc);
#endif
}

// Returns the target of an arc.
DEVICE u32 target_at(const Edges& edges, u64 arc) {
#if EDGES_ARE == EDGES_PLAIN
    return plain_at<u32>(edges, arc);
#elif EDGES_ARE == EDGES_PAGED
    return paged_at<u32>(edges, arc);
#else
    const u64* entries = reinterpret_cast<const u64*>(edges.slots);
    const u32* far = static_cast<const u32*>(edges.far);
#ifdef EDGES_COUNTED
    const u64 entry = load_const(entries + arc / 32);
    const u32* words = far + coded_position(entry);
    if (!coded_is_near(entry)) {
        // Where the numbers of the block begin is near enough: a block has two sectors at most.
        note_far(edges, words, 0);
        note_far(edges, words + 2 + arc % 32 / 2, 4);
    }
#endif
    return coded_at(entries, static_cast<const u32*>(edges.near), far, static_cast<u32>(edges.shift), arc);
#endif
}

// Prefetches the target of an arc that will be read soon.
DEVICE void fetch_target_ahead(const Edges& edges, u64 arc) {
#if EDGES_ARE == EDGES_PLAIN && !defined(EDGES_COUNTED)
    fetch_ahead(static_cast<const u32*>(edges.near) + arc);
#endif
}

// An entry of a list: of targets, or of an array in device memory.
DEVICE u32 entry_at(const Edges& edges, u64 at) { return target_at(edges, at); }
DEVICE u32 entry_at(const u32* list, u64 at) { return list[at]; }
// The end of the functions that read edges.
