// Thin frontiers: few arcs, and no long row. A level of theirs is bound by latency: by the reads and atomics that wait for
// one another. So a lane takes up to THIN_ARCS arcs of a row at once; the row of a vertex is read while the atomic that
// claims the vertex is under way; and the barrier is counted in the tally, so that a block that sees all blocks arrive
// knows the next frontier. Frontiers of at most TINY_ARCS arcs are left to the first block, which needs no barrier of the
// grid: all others wait until it is done with them. Within that block, frontiers of at most FEW_LANES arcs are left to the
// first warp, which needs no barrier at all: its lanes hold the frontier.
#include "walk.cuh"

#define THIN_ARCS 2
// A thin frontier has fewer arcs than this, so the next one has fewer vertices.
#define THIN_MOST 0x10000u

// The tally that a level of a thin frontier fills: vertices (16 bits), blocks that have arrived (8 bits), blocks that have
// appended a long row (8 bits), arcs (32 bits).
#define THIN_ARRIVED 16
#define THIN_LONG 24
#define THIN_BLOCKS 255u

// One block walks frontiers of at most this many arcs faster than the grid does. Rows in host memory are read by the grid.
#define TINY_ARCS (EDGES_FAR ? 0u : 2048u)

// One warp walks frontiers of at most this many arcs faster than its block does: a lane per arc.
#define FEW_LANES 32u

// Words in which a block or a warp that has walked alone says where the walk is.
#define PLACE_WORDS 5

// Shared memory of a block on thin frontiers; `has_long` is 0 at first.
struct Thin {
    u64 tally;
    u32 has_long;
    u64 place[PLACE_WORDS];
    // Of a block that walks alone: the tallies of three frontiers in turn, and words for long rows of two in turn.
    u64 tallies[3];
    u32 longs[2];
};

DEVICE bool is_tiny(u64 tally, bool has_long) { return !has_long && tally != 0 && arcs_of(tally) <= TINY_ARCS; }

DEVICE bool is_few(u64 tally, bool has_long) { return !has_long && tally != 0 && arcs_of(tally) <= FEW_LANES; }

DEVICE bool is_thin(u64 tally, bool has_long) {
    return !has_long && tally != 0 && arcs_of(tally) < THIN_MOST && length_of(tally) < THIN_MOST && grid_blocks() <= THIN_BLOCKS;
}

// Ends a level of a thin frontier: waits until every block has called, and returns the tally that they filled. Writes
// before it are visible after it, except to load_const.
DEVICE u64 thin_sync(u64* word, Thin& shared, bool& has_long) {
    block_sync();
    if (thread_in_block() == 0) {
        arrive(word, 1ull << THIN_ARRIVED | static_cast<u64>(shared.has_long) << THIN_LONG);
        shared.has_long = 0;
        u64 now = 0;
        wait_until([&] {
            now = arrivals(word);
            return (now >> THIN_ARRIVED & THIN_BLOCKS) == grid_blocks();
        });
        shared.tally = now;
    }
    block_sync();
    const u64 now = shared.tally;
    has_long = (now >> THIN_LONG & THIN_BLOCKS) != 0;
    return now >> 32 << 32 | (now & (THIN_MOST - 1));
}

// A line of the block that walks alone at a level. All threads of the block have left the level before.
DEVICE Line line_alone(const Offset* offsets, const Edges& targets, const Lists& to, Thin& shared, u32 level) {
    if (thread_in_block() == 0) shared.tallies[(level + 1) % 3] = 0;
    return Line{offsets, targets, to, shared.tallies + level % 3, shared.longs + level % 2, level + 1};
}

// Makes the block ready to walk alone from a level on.
DEVICE void begin_alone(Thin& shared, u32 level) {
    if (thread_in_block() == 0) {
        shared.tallies[level % 3] = 0;
        shared.longs[0] = shared.longs[1] = 0;
    }
    block_sync();
}

// Ends a level of the block that walks alone: waits for its threads, and returns the tally that they filled.
DEVICE u64 sync_alone(Thin& shared, u32 level, bool& has_long) {
    block_sync();
    has_long = shared.longs[level % 2] == level + 1;
    return shared.tallies[level % 3];
}

// Vertices that a lane reached, with their rows.
struct Reached {
    u32 vertex[THIN_ARCS];
    Offset begin[THIN_ARCS];
    u32 degree[THIN_ARCS];
};

// Appends the vertices of all lanes that have arcs to a line, with one atomic. Every lane of the warp must call; `degree` is
// 0 for vertices that are not to be appended.
DEVICE void append_reached(const Line& line, const Reached& reached) {
    u32 place_in_warp = 0, all = 0, arcs = 0;
    bool is_long = false;
#pragma unroll
    for (u32 k = 0; k < THIN_ARCS; ++k) {
        const u32 have = warp_ballot(FULL_WARP, reached.degree[k] > 0);
        place_in_warp += count_ones(have & lanes_before());
        all += count_ones(have);
        arcs += reached.degree[k];
        is_long |= reached.degree[k] > SHORT_ROW;
    }
    if (all == 0) return;
    if (is_long) store_now(line.long_word, line.stamp);
    const u32 upto = warp_scan(arcs);
    u64 place = 0;
    if (lane_in_warp() == 31) place = atomic_add(line.tally, static_cast<u64>(upto) << 32 | all);
    place = warp_shuffle(FULL_WARP, place, 31u);
    u32 at = (length_of(place) & (THIN_MOST - 1)) + place_in_warp, before = arcs_of(place) + upto - arcs;
#pragma unroll
    for (u32 k = 0; k < THIN_ARCS; ++k) {
        if (reached.degree[k] == 0) continue;
        line.lists.items[at] = reached.vertex[k];
        line.lists.before[at] = before;
        line.lists.begins[at] = reached.begin[k];
        before += reached.degree[k];
        ++at;
    }
}

// Goes along all arcs of a thin frontier. Calls f.reach(is, u, v, arc) in all lanes, and appends v to the line where that
// returns true.
template <class F>
DEVICE void walk_thin(const Edges& targets, const Lists& lists, u64 tally, const Crew& crew, const Line& line, F& f) {
    const u32 count = length_of(tally), arcs = arcs_of(tally), group = group_of(tally, crew), per_warp = 32 / group;
    for (u32 first = crew.warp * per_warp; first < count; first += crew.warps * per_warp) {
        Share mine = share_of(lists, count, arcs, first + lane_in_warp() / group, group);
        for (; warp_any(FULL_WARP, mine.arc < mine.end); mine.arc += THIN_ARCS * group) {
            Reached reached;
            bool is[THIN_ARCS];
#pragma unroll
            for (u32 k = 0; k < THIN_ARCS; ++k) {
                is[k] = mine.arc < mine.end && k * group < mine.end - mine.arc;
                reached.vertex[k] = is[k] ? target_at(targets, mine.arc + k * group) : 0;
            }
#pragma unroll
            for (u32 k = 0; k < THIN_ARCS; ++k) {
                reached.begin[k] = load_const(line.offsets + reached.vertex[k]);
                reached.degree[k] = load_const(line.offsets + reached.vertex[k] + 1) - reached.begin[k];
            }
#pragma unroll
            for (u32 k = 0; k < THIN_ARCS; ++k) {
                if (!f.reach(is[k], mine.u, reached.vertex[k], mine.arc + k * group)) reached.degree[k] = 0;
            }
            append_reached(line, reached);
        }
    }
}

// A frontier that the lanes of a warp hold: each has one vertex, or a row of no arcs.
struct Held {
    u32 vertex, degree;
    Offset begin;
};

// Returns the frontier of a list with at most FEW_LANES arcs.
DEVICE Held held_of(const Lists& lists, u64 tally) {
    const u32 count = length_of(tally), lane = lane_in_warp();
    if (lane >= count) return Held{0, 0, 0};
    const u32 next = lane + 1 < count ? lists.before[lane + 1] : arcs_of(tally);
    return Held{lists.items[lane], next - lists.before[lane], lists.begins[lane]};
}

// Writes a frontier to the beginning of lists, and returns its tally. Sets `has_long` if one of its rows is long.
DEVICE u64 list_held(const Lists& lists, const Held& held, bool& has_long) {
    const u32 have = warp_ballot(FULL_WARP, held.degree > 0), upto = warp_scan(held.degree);
    if (held.degree > 0) {
        const u32 at = count_ones(have & lanes_before());
        lists.items[at] = held.vertex;
        lists.before[at] = upto - held.degree;
        lists.begins[at] = held.begin;
    }
    has_long = warp_any(FULL_WARP, held.degree > SHORT_ROW);
    return static_cast<u64>(warp_shuffle(FULL_WARP, upto, 31u)) << 32 | count_ones(have);
}

// Goes along all arcs of a frontier of at most FEW_LANES arcs, a lane per arc, and returns the vertices for which
// f.reach(is, u, v, arc) is true.
template <class F>
DEVICE Held walk_held(const Edges& targets, const Offset* offsets, const Held& held, F& f) {
    const u32 upto = warp_scan(held.degree), lane = lane_in_warp();
    // The row of this lane's arc belongs to the lane after all that have no arc beyond it.
    u32 owner = 0;
    for (u32 step = 16; step > 0; step /= 2) {
        if (warp_shuffle(FULL_WARP, upto, owner + step - 1) <= lane) owner += step;
    }
    const bool is = lane < warp_shuffle(FULL_WARP, upto, 31u);
    const u32 u = warp_shuffle(FULL_WARP, held.vertex, owner), before = warp_shuffle(FULL_WARP, upto - held.degree, owner);
    const Offset arc = warp_shuffle(FULL_WARP, held.begin, owner) + (lane - before);
    Held next = {is ? target_at(targets, arc) : 0, 0, 0};
    next.begin = load_const(offsets + next.vertex);
    next.degree = load_const(offsets + next.vertex + 1) - next.begin;
    if (!f.reach(is, u, next.vertex, arc)) next.degree = 0;
    // What the lanes have written is read by others at the next level.
    warp_sync(FULL_WARP);
    return next;
}
