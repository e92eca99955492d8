// Direction-optimising breadth-first search by a persistent kernel: all levels, both directions, one barrier per level.
//
// `visited` is a bitmap, kept twice. A push claims bits in place. A pull reads one bitmap and writes the other: every
// unvisited vertex looks for a visited neighbour, which must be in the frontier, because a neighbour of an earlier
// level would have visited it already. So frontiers need no bitmap of their own. They are listed only before a push
// that follows a pull, or if the caller wants all levels. The bitmap that a pull reads does not change meanwhile, so no
// vertex runs a level ahead.
#define OUTBOX 256u
#include "thin.cuh"

// Arcs that a lane tries at a time, and how often it tries alone before its warp helps.
#define PROBES 4
#define OWN_TRIES (HEADS == 0 ? 6 : 0)
// Words of the bitmap that a warp has in flight.
// HEADS: the in-arcs of every row that lie in `args.heads`, those from vertices of high degree first. A vertex looks there
// first. Few vertices then read their row, which may lie in host memory: a warp reads it together, in aligned lines.
#define PULLED_WORDS 2

// Claims unvisited vertices.
struct Discover {
    typedef bool Look;
    const BfsArgs& args;
    u32* visited;
    u32 depth;
    bool is_short;
    Outbox box;
    Line line;

    DEVICE u64 lines() const { return args.arcs / 32; }
    DEVICE Look look(bool is, u32, u32 v, Offset) const { return is && (is_short || !has_bit(visited, v)); }
    DEVICE void act(bool is, u32 u, u32 v, Look open) {
        if (box.put(claim(u, v, is && open), v)) box.send(line);
    }
    DEVICE bool reach(bool is, u32 u, u32 v, Offset arc) { return claim(u, v, look(is, u, v, arc)); }
    // Returns true in the lane that visits an open vertex first.
    DEVICE bool claim(u32 u, u32 v, bool open) {
        const u32 bit = 1u << (v & 31);
        if (!open || (atomic_or(visited + (v >> 5), bit) & bit) != 0) return false;
        args.distances[v] = depth;
        if (args.parents) args.parents[v] = u;
        return true;
    }
};

// The search of one unvisited vertex through its row.
struct Looking {
    u32 v, parent;
    Offset at, end;
    bool found;
};

#if HEADS
// Heads that are read together: four, or two if they come in another number.
#define HEADS_TOGETHER (HEADS % 4 == 0 ? 4 : 2)
struct alignas(4 * HEADS_TOGETHER) Together {
    u32 at[HEADS_TOGETHER];
};

// Looks for a visited neighbour among the heads of a row. A row that has no more arcs than heads is then done.
DEVICE void look_at_heads(const BfsArgs& args, const u32* visited, Looking& l) {
    if (l.at >= l.end) return;
    const u32 parts = HEADS / HEADS_TOGETHER;
    const Together* heads = reinterpret_cast<const Together*>(args.heads) + static_cast<u64>(l.v) * parts;
    for (u32 i = 0; i < parts && !l.found; ++i) {
        const Together some = heads[i];
#pragma unroll
        for (u32 p = 0; p < HEADS_TOGETHER; ++p) {
            // The vertex itself is unvisited, and fills slots beyond the end of its row.
            if (has_bit(visited, some.at[p]) && !l.found) {
                l.parent = some.at[p];
                l.found = true;
            }
        }
    }
    if (l.end - l.at <= HEADS) l.at = l.end;
}
#endif

// Every unvisited vertex looks for a visited neighbour, and stops at the first. Returns the tally of the vertices that
// found one.
DEVICE u64 pull(const BfsArgs& args, const u32* visited, u32* next, u32 depth) {
    const Offset* offsets = static_cast<const Offset*>(args.in_offsets);
    const Offset* out = static_cast<const Offset*>(args.out_offsets);
    const u64 words = (args.vertices + 31) / 32, warps = grid_threads() / 32;
    u64 tally = 0;
    for (u64 first = thread_in_grid() / 32; first < words; first += warps * PULLED_WORDS) {
        Looking looking[PULLED_WORDS];
        u32 old[PULLED_WORDS];
#pragma unroll
        for (u32 k = 0; k < PULLED_WORDS; ++k) {
            const u64 word = first + k * warps;
            old[k] = word < words ? visited[word] : FULL_WARP;
        }
#pragma unroll
        for (u32 k = 0; k < PULLED_WORDS; ++k) {
            Looking& l = looking[k];
            const u64 v = (first + k * warps) * 32 + lane_in_warp();
            const bool is = v < args.vertices && !(old[k] >> lane_in_warp() & 1);
            l.v = static_cast<u32>(v);
            l.found = false;
            l.at = is ? offsets[v] : 0;
            l.end = is ? offsets[v + 1] : 0;
        }
#if HEADS
#pragma unroll
        for (u32 k = 0; k < PULLED_WORDS; ++k) look_at_heads(args, visited, looking[k]);
#endif
        for (u32 own = 0; own < OWN_TRIES; ++own) {
            bool more = false;
#pragma unroll
            for (u32 k = 0; k < PULLED_WORDS; ++k) {
                Looking& l = looking[k];
                if (l.found || l.at >= l.end) continue;
                u32 tried[PROBES];
#pragma unroll
                for (u32 p = 0; p < PROBES; ++p) tried[p] = l.at + p < l.end ? target_at(args.in_targets, l.at + p) : l.v;
#pragma unroll
                for (u32 p = 0; p < PROBES; ++p) {
                    // The vertex itself is unvisited, and fills slots beyond the end of its row.
                    if (has_bit(visited, tried[p]) && !l.found) {
                        l.parent = tried[p];
                        l.found = true;
                    }
                }
                l.at += PROBES;
                more |= !l.found && l.at < l.end;
            }
            if (!warp_any(FULL_WARP, more)) break;
        }
#pragma unroll
        for (u32 k = 0; k < PULLED_WORDS; ++k) {
            Looking& l = looking[k];
            u32 left = warp_ballot(FULL_WARP, !l.found && l.at < l.end);
            while (left != 0) {
                const u32 lane = trailing_zeros(left);
                left &= left - 1;
                const Offset end = warp_shuffle(FULL_WARP, l.end, lane), begin = warp_shuffle(FULL_WARP, l.at, lane);
                Offset at = (HEADS == 0 ? begin : begin & ~static_cast<Offset>(31)) + lane_in_warp();
                for (bool more = true; more;) {
                    u32 u = 0;
                    bool hit = false;
                    if (at < end && at >= begin) {
                        u = target_at(args.in_targets, at);
                        hit = has_bit(visited, u);
                    }
                    const u32 hits = warp_ballot(FULL_WARP, hit);
                    if (hits != 0) {
                        u = warp_shuffle(FULL_WARP, u, trailing_zeros(hits));
                        if (lane_in_warp() == lane) {
                            l.parent = u;
                            l.found = true;
                        }
                        break;
                    }
                    at += 32;
                    more = warp_any(FULL_WARP, at < end);
                }
            }
        }
#pragma unroll
        for (u32 k = 0; k < PULLED_WORDS; ++k) {
            const Looking& l = looking[k];
            const u64 word = first + k * warps;
            const u32 found = warp_ballot(FULL_WARP, l.found);
            if (word < words && lane_in_warp() == 0) next[word] = old[k] | found;
            if (!l.found) continue;
            args.distances[l.v] = depth;
            if (args.parents) args.parents[l.v] = l.parent;
            const u32 degree = out[l.v + 1] - out[l.v];
            if (degree > 0) tally += static_cast<u64>(degree) << 32 | 1;
        }
    }
    return tally;
}

// Appends the vertices that are in `after` and not in `before` to a line.
DEVICE void collect(const BfsArgs& args, const u32* before, const u32* after, Outbox& box, const Line& line) {
    const u64 words = (args.vertices + 31) / 32;
    for (u64 base = thread_in_grid() - lane_in_warp(); base < words; base += grid_threads()) {
        const u64 word = base + lane_in_warp();
        u32 bits = word < words ? after[word] & ~before[word] : 0;
        while (warp_any(FULL_WARP, bits != 0)) {
            const bool take = bits != 0;
            if (box.put(take, static_cast<u32>(word * 32) + trailing_zeros(bits))) box.send(line);
            bits &= bits - 1;
        }
    }
    box.send(line);
}

// Writes what is known of a level before it is walked, and clears the tally of the level after the next one.
DEVICE void note_level(const BfsArgs& args, u32 level, u32 slot, u64 tally, u32 base, bool has_long, bool pulling) {
    u64* control = args.control;
    control[TALLY + (slot + 2) % 3] = 0;
    if (level % LEVELS_A_LOOK == LEVELS_A_LOOK - 1 && is_cancelled(args.cancel)) store_now(control + STOPPED, 1ull);
    if (args.log && level < args.logged) {
        u64* entry = args.log + 3 * level;
        entry[0] = tally;
        entry[1] = pulling;
        entry[2] = nanoseconds();
    }
    if (args.levels) {
        args.levels[2 * level] = tally;
        args.levels[2 * level + 1] = static_cast<u64>(base) << 1 | has_long;
    }
}

// Where a search is: the next level, the first entry of its frontier in the lists, its tally, and the arcs of vertices that
// no search has reached, or more.
struct Place {
    u32 level, base;
    u64 tally, unexplored;
    bool has_long;

    DEVICE void go_on(u64 next_tally, bool has_long_row) {
        const u64 arcs = arcs_of(tally);
        unexplored -= arcs < unexplored ? arcs : unexplored;
        base += length_of(tally);
        tally = next_tally;
        has_long = has_long_row;
        ++level;
    }
};

// Writes where a search is, and reads it.
DEVICE void write_place(u64* words, const Place& at) {
    const u64 values[] = {at.level, at.base, at.tally, at.unexplored, at.has_long};
    for (u32 k = 0; k < PLACE_WORDS; ++k) store_now(words + k, values[k]);
}
DEVICE Place read_place(const u64* words) {
    u64 values[PLACE_WORDS];
    for (u32 k = 0; k < PLACE_WORDS; ++k) values[k] = load_now(words + k);
    return Place{static_cast<u32>(values[0]), static_cast<u32>(values[1]), values[2], values[3], values[4] != 0};
}

// Reads now and then whether the search is to stop, and tells the host the level.
DEVICE bool looks_stopped(const BfsArgs& args, u32 level, bool tells) {
    if (level % LEVELS_A_LOOK != 0) return false;
    if (tells) store_now(args.progress, level);
    return load_now(args.control + STOPPED) != 0;
}

// Walks levels in this warp alone, by pushing, while their frontiers have few arcs. Returns where the search is then.
DEVICE Place walk_few(const BfsArgs& args, const Lists& lists, u32* visited, u32 slot, const Outbox& box, Place at) {
    const Offset* offsets = static_cast<const Offset*>(args.out_offsets);
    Held held = held_of(from_entry(lists, at.base), at.tally);
    bool is_stopped = false;
    while (is_few(at.tally, at.has_long) && at.level < args.limit && !is_stopped) {
        if (lane_in_warp() == 0) note_level(args, at.level, slot, at.tally, at.base, at.has_long, false);
        const Lists there = from_entry(lists, at.base + length_of(at.tally));
        const Line line = {offsets, args.out_targets, there, nullptr, nullptr, 0};
        Discover discover = {args, visited, at.level + 1, true, box, line};
        held = walk_held(args.out_targets, offsets, held, discover);
        bool has_long = false;
        const u64 tally = list_held(there, held, has_long);
        at.go_on(tally, has_long);
        is_stopped = looks_stopped(args, at.level, lane_in_warp() == 0);
    }
    return at;
}

// Walks levels in this block alone, by pushing, while their frontiers are tiny, and tells the grid where the search is then.
DEVICE void walk_alone(const BfsArgs& args, const Lists& lists, u32* visited, u32 slot, Outbox box, Thin& shared, Place at) {
    const Offset* offsets = static_cast<const Offset*>(args.out_offsets);
    begin_alone(shared, at.level);
    bool is_stopped = false;
    while (is_tiny(at.tally, at.has_long) && at.level < args.limit && !is_stopped) {
        if (is_few(at.tally, at.has_long)) {
            if (warp_in_block() == 0) {
                at = walk_few(args, lists, visited, slot, box, at);
                if (lane_in_warp() == 0) write_place(shared.place, at);
            }
            block_sync();
            at = read_place(shared.place);
            is_stopped = load_now(args.control + STOPPED) != 0;
            begin_alone(shared, at.level);
            continue;
        }
        if (thread_in_block() == 0) note_level(args, at.level, slot, at.tally, at.base, at.has_long, false);
        const Lists here = from_entry(lists, at.base), there = from_entry(here, length_of(at.tally));
        const Line line = line_alone(offsets, args.out_targets, there, shared, at.level);
        Discover discover = {args, visited, at.level + 1, true, box, line};
        walk_thin(args.out_targets, here, at.tally, own_block(), line, discover);
        bool has_long = false;
        const u64 tally = sync_alone(shared, at.level, has_long);
        at.go_on(tally, has_long);
        is_stopped = looks_stopped(args, at.level, thread_in_block() == 0);
    }
    if (thread_in_block() == 0) write_place(args.control + ALONE, at);
}

KERNEL_OF(bfs_walk, BfsArgs, WALK_BLOCK, 1) {
    SHARED(u32, boxes[32 * OUTBOX]);
    SHARED(u64, sums[32]);
    SHARED(Thin, thin);
    const Offset* offsets = static_cast<const Offset*>(args.out_offsets);
    const u64 n = args.vertices, words = (n + 31) / 32;
    u64* control = args.control;
    Grid grid = {reinterpret_cast<u32*>(control + ARRIVED), 0};
    Outbox box = {boxes + warp_in_block() * OUTBOX, 0};
    if (thread_in_block() == 0) thin.has_long = 0;
    for (u64 v = thread_in_grid(); v < n; v += grid_threads()) {
        args.distances[v] = v == args.source ? 0 : 0xffffffffu;
        if (args.parents) args.parents[v] = v == args.source ? args.source : 0xffffffffu;
    }
    for (u64 word = thread_in_grid(); word < words; word += grid_threads()) {
        args.visited[word] = word == args.source / 32 ? 1u << (args.source & 31) : 0;
    }
    if (thread_in_grid() == 0) {
        args.items[0] = args.source;
        args.before[0] = 0;
        args.begins[0] = offsets[args.source];
    }
    const Lists lists = {args.items, args.before, args.begins};
    const u32 degree = offsets[args.source + 1] - offsets[args.source];
    Place at = {0, 0, degree > 0 ? static_cast<u64>(degree) << 32 | 1 : 0, args.arcs, degree > SHORT_ROW};
    u32 slot = 0;
    bool pulling = false, is_listed = true, was_tiny = false;
    u32 *visited = args.visited, *other = args.visited + words;
    grid_sync(grid);
    while (length_of(at.tally) > 0 && at.level < args.limit) {
        const u32 count = length_of(at.tally), next = (slot + 1) % 3;
        if (args.in_offsets) {
            const u32 arcs = arcs_of(at.tally);
            pulling = pulling ? count > n / PUSH_SHARE : arcs > at.unexplored / PULL_SHARE && arcs > n / LEAST_SHARE;
        }
        if (!is_listed && (args.levels || !pulling)) {
            u32* long_word = reinterpret_cast<u32*>(control + LONG + 3);
            const Lists here = from_entry(lists, at.base);
            const Line line = {offsets, args.out_targets, here, control + COLLECTED, long_word, at.level + 1};
            collect(args, other, visited, box, line);
            grid_sync(grid);
            is_listed = true;
            at.has_long = load_now(long_word) == at.level + 1;
        }
        const bool tiny = !pulling && is_tiny(at.tally, at.has_long), stays_tiny = tiny && was_tiny;
        was_tiny = tiny;
        // Handing a single tiny level to a block costs more than walking it by the grid.
        if (stays_tiny) {
            if (block_in_grid() == 0) walk_alone(args, lists, visited, slot, box, thin, at);
            grid_sync(grid);
            at = read_place(control + ALONE);
            if (load_now(control + STOPPED) != 0) break;
            continue;
        }
        if (thread_in_grid() == 0) note_level(args, at.level, slot, at.tally, at.base, at.has_long, pulling);
        u64* const filled = control + TALLY + next;
        const Lists here = from_entry(lists, at.base), there = from_entry(here, count);
        if (!pulling && is_thin(at.tally, at.has_long)) {
            const Line line = {offsets, args.out_targets, there, filled, &thin.has_long, 1};
            Discover discover = {args, visited, at.level + 1, arcs_of(at.tally) <= FEW_ARCS, box, line};
            walk_thin(args.out_targets, here, at.tally, whole_grid(), line, discover);
            bool has_long = false;
            const u64 tally = thin_sync(filled, thin, has_long);
            at.go_on(tally, has_long);
        } else if (!pulling) {
            u32* long_word = reinterpret_cast<u32*>(control + LONG + next);
            const Line line = {offsets, args.out_targets, there, filled, long_word, at.level + 1};
            Discover discover = {args, visited, at.level + 1, arcs_of(at.tally) <= FEW_ARCS, box, line};
            walk(args.out_targets, here, at.tally, at.has_long, discover);
            discover.box.send(line);
            grid_sync(grid);
            at.go_on(load_now(filled), load_now(long_word) == at.level + 1);
        } else {
            const u32 listed = is_listed ? count : 0;
            is_listed = false;
            if (thread_in_grid() == 0) control[COLLECTED] = 0;
            const u64 sum = block_sum(pull(args, visited, other, at.level + 1), sums);
            if (thread_in_block() == 0 && sum > 0) atomic_add(filled, sum);
            u32* const old = visited;
            visited = other;
            other = old;
            grid_sync(grid);
            const u32 base = at.base + listed;
            at.go_on(load_now(filled), false);
            at.base = base;
        }
        slot = next;
        if (looks_stopped(args, at.level, thread_in_grid() == 0)) break;
    }
    if (thread_in_grid() == 0) {
        control[LEVELS] = at.level;
        if (args.log && at.level < args.logged) args.log[3 * at.level + 2] = nanoseconds();
    }
}
