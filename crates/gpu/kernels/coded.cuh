// Reads targets in coded form, by the number of the arc. crates/graph/src/coded/block.rs describes the code, the bits of
// an entry, and why the code has at least 3 and at most 5 upper bits.
#include "prelude.cuh"

// Returns a number whose lower `bits` bits are set; 32 at most.
DEVICE u32 coded_mask(u32 bits) { return static_cast<u32>((1ull << bits) - 1); }

// Returns the position of set bit number i, counted from 0, of a 64-bit number in two halves. The bit must exist.
DEVICE u32 coded_select(u32 low, u32 high, u32 i) {
    u32 word = low, at = 0;
    const u32 lower = count_ones(low);
    if (i >= lower) {
        word = high;
        i -= lower;
        at = 32;
    }
#pragma unroll
    for (u32 half = 16; half > 0; half /= 2) {
        const u32 ones = count_ones(word & ((1u << half) - 1));
        const bool above = i >= ones;
        word = above ? word >> half : word;
        i -= above ? ones : 0;
        at += above ? half : 0;
    }
    return at;
}

// Returns the number at place i of a block, from its entry and its words.
template <class L> DEVICE u32 coded_from(u64 entry, const u32* words, u32 shift, u32 i, const L& load) {
    const u32 shape = static_cast<u32>(entry >> 36);
    const u32 base = (shape & 0x7ffff) << shift, width = shape >> 19 & 63, saved = shape >> 25 & 3;
    const u32 lower = saved ? width - 2 - saved : width;
    const u32* numbers = words + (saved ? 2 : 0) + i * lower / 32;
    const u32 skipped = i * lower % 32;
    const u32 low = load(numbers), high = skipped + lower > 32 ? load(numbers + 1) : 0;
    const u32 first = saved ? load(words) : 0, second = saved ? load(words + 1) : 0;
    u32 offset = static_cast<u32>((static_cast<u64>(high) << 32 | low) >> skipped) & coded_mask(lower);
    if (saved) offset |= (coded_select(first, second, i) - i) << lower;
    return base + (offset & coded_mask(width));
}

// Returns whether the words of an entry's block are near, and where they are.
DEVICE bool coded_is_near(u64 entry) { return entry >> 63 != 0; }
DEVICE u64 coded_position(u64 entry) { return entry & ((1ull << 36) - 1); }

// Returns the words of a block of so many arcs.
DEVICE u32 coded_words(u64 entry, u32 arcs) {
    const u32 shape = static_cast<u32>(entry >> 36), width = shape >> 19 & 63, saved = shape >> 25 & 3;
    return (saved ? 2 : 0) + ((saved ? width - 2 - saved : width) * arcs + 31) / 32;
}

// Returns the target of an arc. Entries say whether the words of their block lie in `near` or in `far`; each array has
// one word more than its blocks take. Bases of entries are shifted to the right by `shift` bits. After the entry, all
// loads are independent of each other, and none reads a word that the arc does not need, except for blocks without words.
DEVICE u32 coded_at(const u64* entries, const u32* near, const u32* far, u32 shift, u64 arc) {
    const u64 entry = load_const(entries + arc / 32);
    const u32* words = (coded_is_near(entry) ? near : far) + coded_position(entry);
    return coded_from(entry, words, shift, static_cast<u32>(arc) % 32, [](const u32* at) { return load_const(at); });
}
