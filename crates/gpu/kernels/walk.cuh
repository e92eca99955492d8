// The persistent walker: one coresident grid goes along the arcs of frontier after frontier, with a barrier between
// two, without the host. As for `advance`, a functor says what to do with an arc.
//
// A frontier is a list of vertices that have arcs. Each entry also has the number of arcs of all entries before it: the
// warps that append vertices add up degrees on the way, so no scan is needed. The *tally* of a frontier packs its
// length (low half) and its arc count (high half). Offsets are 32 bits wide here.
#include "grid.cuh"
#include "frontier.cuh"

// The including file defines OUTBOX: the entries of a warp's outbox, a multiple of 32. The warp sends the outbox when
// it might not have room for 32 more. All warps add to one tally, and atomics on one address are serialised, so larger
// outboxes need fewer of them. SHORT_ROW: rows of at most this many arcs are short. If all rows of a frontier are
// short, each group of lanes takes one row.
#define SHORT_ROW 64u
// The fewest lanes per group; longer frontiers of short rows are distributed by arcs.
#define LEAST_GROUP 2u
// Windows of 32 arcs that a warp has in flight.
#define WINDOWS 4
// Lines that a warp takes in a row, if edges are far: a multiple of WINDOWS.
#define FAR_LINES 16u
// A frontier with less than one in so many of all lines is sparse.
#define SPARSE_LINES 4u
// Frontiers of at most this many arcs are bound by latency, not by throughput: functors skip the read before an atomic.
#define FEW_ARCS 32768u

// Per entry: the vertex, the number of arcs before it, and where its row begins.
struct Lists {
    u32* items;
    u32* before;
    Offset* begins;
};

// A line that vertices are appended to: lists, their tally, and a word that receives `stamp` if a long row is among
// them.
struct Line {
    const Offset* offsets;
    const Edges& targets;
    Lists lists;
    u64* tally;
    u32* long_word;
    u32 stamp;
};

// Returns the lists from an entry on.
DEVICE Lists from_entry(const Lists& lists, u64 at) { return Lists{lists.items + at, lists.before + at, lists.begins + at}; }

DEVICE u32 length_of(u64 tally) { return static_cast<u32>(tally); }
DEVICE u32 arcs_of(u64 tally) { return static_cast<u32>(tally >> 32); }

// Vertices on their way to a line, in shared memory, one outbox per warp. Every lane of the warp must make every call.
struct Outbox {
    u32* slots;
    u32 filled;

    DEVICE bool put(bool take, u32 v) {
        const u32 votes = warp_ballot(FULL_WARP, take);
        if (take) slots[filled + count_ones(votes & lanes_before())] = v;
        filled += count_ones(votes);
        return filled > OUTBOX - 32;
    }

    // Appends the vertices in the outbox that have arcs to a line, with one atomic.
    DEVICE void send(const Line& line) {
        if (filled == 0) return;
        warp_sync(FULL_WARP);
        u32 v = 0, degree = 0, arcs = 0, count = 0;
        Offset begin = 0;
        for (u32 first = 0; first < filled; first += 32) {
            load(line, first, v, begin, degree);
            fetch_target_ahead(line.targets, begin);
            arcs += degree;
            count += count_ones(warp_ballot(FULL_WARP, degree > 0));
        }
        const bool has_long = warp_any(FULL_WARP, arcs > SHORT_ROW);
        for (u32 by = 16; by > 0; by /= 2) arcs += warp_shuffle_xor(FULL_WARP, arcs, by);
        u64 place = 0;
        if (lane_in_warp() == 0) {
            place = atomic_add(line.tally, static_cast<u64>(arcs) << 32 | count);
            if (has_long) store_now(line.long_word, line.stamp);
        }
        place = warp_shuffle(FULL_WARP, place, 0u);
        for (u32 first = 0; first < filled; first += 32) {
            if (filled > 32) load(line, first, v, begin, degree);
            const u32 have = warp_ballot(FULL_WARP, degree > 0), upto = warp_scan(degree);
            if (degree > 0) {
                const u32 at = length_of(place) + count_ones(have & lanes_before());
                line.lists.items[at] = v;
                line.lists.before[at] = arcs_of(place) + upto - degree;
                line.lists.begins[at] = begin;
            }
            place += static_cast<u64>(warp_shuffle(FULL_WARP, upto, 31u)) << 32 | count_ones(have);
        }
        filled = 0;
        warp_sync(FULL_WARP);
    }

    // Loads the entry of this lane, counted from `first`, with its row.
    DEVICE void load(const Line& line, u32 first, u32& v, Offset& begin, u32& degree) const {
        const u32 i = first + lane_in_warp();
        v = i < filled ? slots[i] : 0;
        begin = load_const(line.offsets + v);
        degree = i < filled ? load_const(line.offsets + v + 1) - begin : 0;
    }
};

// Returns the last entry that has at most `arc` arcs before it. The warp looks at 32 entries at a time.
DEVICE u32 entry_with(const u32* before, u32 count, u32 arc) {
    u32 low = 0, high = count;
    while (high - low > 1) {
        const u32 step = (high - low + 31) / 32;
        const u32 at = low + lane_in_warp() * step;
        const u32 votes = warp_ballot(FULL_WARP, at < high && before[at] <= arc);
        low += (count_ones(votes) - 1) * step;
        if (high - low > step) high = low + step;
    }
    return low;
}

// Appends the vertices whose bits are set to a line, in about increasing order, and clears the bits.
DEVICE void collect_bits(u32* bitmap, u64 words, Outbox& box, const Line& line) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < words; base += grid_threads()) {
        const u64 word = base + lane_in_warp();
        u32 bits = word < words ? bitmap[word] : 0;
        if (bits != 0) bitmap[word] = 0;
        // One word after the other, so that the vertices of a warp stay in order.
        u32 left = warp_ballot(FULL_WARP, bits != 0);
        while (left != 0) {
            const u32 lane = trailing_zeros(left);
            left &= left - 1;
            const u32 its = warp_shuffle(FULL_WARP, bits, lane);
            const u32 first = static_cast<u32>(base + lane) * 32;
            if (box.put(its >> lane_in_warp() & 1, first + lane_in_warp())) box.send(line);
        }
    }
    box.send(line);
}

// For every arc of a frontier, calls f.look(is, u, v, arc), then f.act(is, u, v, look), both in all lanes; `is` is true in
// those that have an arc. Warps take equal shares of the arcs.
template <class F>
DEVICE void walk_arcs(const Edges& targets, const Lists& lists, u32 count, u32 arcs, F& f) {
    const u32 warps = grid_threads() / 32, windows = arcs / 32 + (arcs % 32 != 0);
    const u32 each = (windows + warps - 1) / warps;
    u32 window = (warp_in_block() * grid_blocks() + block_in_grid()) * each;
    if (window >= windows) return;
    const u32 last = windows - window < each ? windows : window + each;
    u32 at = entry_with(lists.before, count, window * 32);
    for (; window < last; window += WINDOWS) {
        u32 from[WINDOWS], to[WINDOWS];
        Offset arc[WINDOWS];
        bool is[WINDOWS];
        typename F::Look look[WINDOWS];
#pragma unroll
        for (u32 k = 0; k < WINDOWS; ++k) {
            is[k] = false;
            from[k] = to[k] = 0;
            arc[k] = 0;
            if (window + k >= last) continue;
            const u32 base = (window + k) * 32, mine = base + lane_in_warp();
            // The starts of the following rows that lie in the window.
            const u32 next = at + 1 + lane_in_warp();
            const u32 start = next < count ? lists.before[next] : 0xffffffffu;
            const u32 starts = warp_or(start - base < 32 ? 1u << (start - base) : 0u);
            const u32 row = at + count_ones(starts & (lanes_before() << 1 | 1));
            at += count_ones(starts);
            is[k] = mine < arcs && mine >= base;
            if (!is[k]) continue;
            from[k] = lists.items[row];
            arc[k] = lists.begins[row] + (mine - lists.before[row]);
        }
#pragma unroll
        for (u32 k = 0; k < WINDOWS; ++k) {
            if (is[k]) to[k] = target_at(targets, arc[k]);
        }
#pragma unroll
        for (u32 k = 0; k < WINDOWS; ++k) {
            look[k] = f.look(is[k], from[k], to[k], arc[k]);
        }
#pragma unroll
        for (u32 k = 0; k < WINDOWS; ++k) f.act(is[k], from[k], to[k], look[k]);
    }
}

#if EDGES_FAR
// The lines of 128 bytes that a frontier's rows lie in, one after the other. Each row has room for two lines more than 32
// arcs of it fill, which is enough wherever it begins; lines beyond its end are skipped.
DEVICE u64 first_line(const Lists& lists, u64 i) { return lists.before[i] / 32 + 2 * i; }

// Returns the last entry whose lines begin at or before a line. The warp looks at 32 entries at a time.
DEVICE u32 entry_of_line(const Lists& lists, u32 count, u64 line) {
    u32 low = 0, high = count;
    while (high - low > 1) {
        const u32 step = (high - low + 31) / 32;
        const u32 at = low + lane_in_warp() * step;
        const u32 votes = warp_ballot(FULL_WARP, at < high && first_line(lists, at) <= line);
        low += (count_ones(votes) - 1) * step;
        if (high - low > step) high = low + step;
    }
    return low;
}

// Does the same if edges are in host memory. The bus carries so many requests per second, whatever their size, and fewer if
// they are strewn. So every request is a whole line, and all warps together go along the frontier from one end to the
// other.
template <class F>
DEVICE void walk_lines(const Edges& targets, const Lists& lists, u32 count, u32 arcs, u64 all_lines, F& f) {
    const u64 warps = grid_threads() / 32, lines = static_cast<u64>(arcs / 32) + 2 * static_cast<u64>(count);
    const u64 warp = warp_in_block() * grid_blocks() + block_in_grid();
    // The sparser a frontier, the farther its lines are strewn: then warps stay close together.
    const u64 each = lines < all_lines / SPARSE_LINES || lines / warps < FAR_LINES ? WINDOWS : FAR_LINES;
    for (u64 turn = warp * each; turn < lines; turn += warps * each) {
        u32 at = entry_of_line(lists, count, turn);
        u64 next = at + 1 < count ? first_line(lists, at + 1) : lines;
        for (u64 line = turn; line < turn + each; line += WINDOWS) {
            u32 from[WINDOWS], to[WINDOWS];
            Offset arc[WINDOWS];
            bool is[WINDOWS];
            typename F::Look look[WINDOWS];
#pragma unroll
            for (u32 k = 0; k < WINDOWS; ++k) {
                const u64 here = line + k;
                if (here >= next && at + 1 < count) {
                    ++at;
                    next = at + 1 < count ? first_line(lists, at + 1) : lines;
                }
                const Offset begin = lists.begins[at];
                const u32 upto = at + 1 < count ? lists.before[at + 1] : arcs;
                const Offset end = begin + (upto - lists.before[at]);
                arc[k] = (begin & ~static_cast<Offset>(31)) + static_cast<Offset>(here - first_line(lists, at)) * 32 + lane_in_warp();
                is[k] = here < lines && arc[k] >= begin && arc[k] < end;
                from[k] = lists.items[at];
            }
#pragma unroll
            for (u32 k = 0; k < WINDOWS; ++k) {
                to[k] = is[k] ? target_at(targets, arc[k]) : 0;
            }
#pragma unroll
            for (u32 k = 0; k < WINDOWS; ++k) look[k] = f.look(is[k], from[k], to[k], arc[k]);
#pragma unroll
            for (u32 k = 0; k < WINDOWS; ++k) f.act(is[k], from[k], to[k], look[k]);
        }
    }
}
#endif

// Warps that walk together: the number of this one among so many.
struct Crew {
    u32 warp, warps;
};

DEVICE Crew whole_grid() { return Crew{warp_in_block() * grid_blocks() + block_in_grid(), grid_threads() / 32}; }
DEVICE Crew own_block() { return Crew{warp_in_block(), block_threads() / 32}; }

// Returns true if each row of a frontier gets lanes of its own at once, and none is long.
DEVICE bool has_lanes_for_rows(u64 tally, bool has_long) {
    return !has_long && static_cast<u64>(length_of(tally)) * LEAST_GROUP <= grid_threads();
}

// Returns the lanes per row, if each row of a frontier gets lanes of its own.
DEVICE u32 group_of(u64 tally, const Crew& crew) {
    const u32 count = length_of(tally), arcs = arcs_of(tally);
    u32 group = LEAST_GROUP;
    while (group < 32 && group * count < arcs && static_cast<u64>(count) * group * 2 <= static_cast<u64>(crew.warps) * 32) group *= 2;
    return group;
}

// The arcs of a row that a lane takes, from `arc` on, and the vertex where they start. No arcs if there is no such row.
struct Share {
    u32 u;
    Offset arc, end;
};

DEVICE Share share_of(const Lists& lists, u32 count, u32 arcs, u64 i, u32 group) {
    if (i >= count) return Share{0, 0, 0};
    const Offset begin = lists.begins[i];
    const u32 next = i + 1 < count ? lists.before[i + 1] : arcs;
    return Share{lists.items[i], begin + lane_in_warp() % group, begin + (next - lists.before[i])};
}

// Does the same for short rows: a group of lanes takes a row.
template <class F>
DEVICE void walk_rows(const Edges& targets, const Lists& lists, u64 tally, const Crew& crew, F& f) {
    const u32 count = length_of(tally), arcs = arcs_of(tally), group = group_of(tally, crew), per_warp = 32 / group;
    for (u64 first = static_cast<u64>(crew.warp) * per_warp; first < count; first += static_cast<u64>(crew.warps) * per_warp) {
        Share mine = share_of(lists, count, arcs, first + lane_in_warp() / group, group);
        for (; warp_any(FULL_WARP, mine.arc < mine.end); mine.arc += group) {
            const bool is = mine.arc < mine.end;
            u32 v = 0;
            typename F::Look look;
            if (is) v = target_at(targets, mine.arc);
            look = f.look(is, mine.u, v, mine.arc);
            f.act(is, mine.u, v, look);
        }
    }
}

// Goes along all arcs of a frontier that is not empty.
template <class F>
DEVICE void walk(const Edges& targets, const Lists& lists, u64 tally, bool has_long, F& f) {
    const u32 count = length_of(tally), arcs = arcs_of(tally);
    if (has_lanes_for_rows(tally, has_long)) return walk_rows(targets, lists, tally, whole_grid(), f);
#if EDGES_FAR
    walk_lines(targets, lists, count, arcs, f.lines(), f);
#else
    walk_arcs(targets, lists, count, arcs, f);
#endif
}
