// Betweenness by sampled shortest paths. A block takes one sample after another: it draws a pair of vertices s and t,
// searches from both until the searches meet, draws one of the shortest paths from s to t, and counts its inner vertices.
// Blocks share nothing but the counts.
//
// **Searches.** The search with fewer arcs at its frontier goes on, by one level; that of t goes along incoming arcs. Levels
// a of s and b of t are done and have not met, so every path is longer than a + b. An arc from level a of s to level b of t
// *meets*: it is on a shortest path, of length a + b + 1, and every shortest path has exactly one of them. If a frontier has
// many arcs, the block first *looks* for arcs that meet, without claiming vertices: most searches end there. A row is then
// scanned, or searched for the vertices of the other frontier if these are few.
//
// **Drawing.** An arc that meets is drawn in proportion to the paths through it, and on the way back to s and to t each
// vertex before the last in proportion to the paths to it. Every candidate of weight w gets the number -ln(u) / w, for its
// own random number u in (0, 1); the candidate with the least one wins, and it is each with probability proportional to w.
// So threads may meet the candidates in any order.
//
// **Numbers of paths.** While a bound says that they fit, atomics add them up as whole numbers. From the first level on
// where they may not, each vertex that was claimed adds them up over its row, in wide numbers. So no sum depends on the order
// of threads: a sample depends on its number, the key of the run and the graph alone. The order of the graph does not
// matter either, except that it may change the last bits of wide numbers.
//
// **State of a block.** `marks[v]` is base + 2 * level + side for a vertex that this sample has reached, and less than
// base for all others. The next sample has a greater base, so marks are cleared only when numbers run out. `paths[v]` is the
// number of shortest paths to v, 0 if v is not reached. The queue has the vertices that the search from s has reached, in
// order, and from its end downwards those of t; levels are consecutive. STARTS levels per side are listed in shared memory.
#include "frontier.cuh"
#include "rows.cuh"
#include "bc_paths.cuh"

// Sides of a sample, and what a candidate is drawn for: a step back on a side, or the arc that meets.
#define FROM_S 0u
#define FROM_T 1u
#define MEETS 2u
#define NO_VERTEX 0xffffffffu
#define NO_LEVEL 0xffffffffu
// Marks are 0 at first, which is less.
#define FIRST_BASE 1u
#define INFINITE f64_of(0x7ff0000000000000ull)
// Longer rows are added up by a warp, others by a thread.
#define LONG_ROW 32u
// Steps between two reads of the cancel word, besides one per PATIENCE turns of a loop over arcs.
#define STEPS 64u

// The arcs of one direction.
struct Rows {
    const Offset* offsets;
    const Edges& targets;
};

// The search of one side.
struct Search {
    // The frontier, in the queue of the side. As many vertices as `end` are reached.
    u32 begin, end;
    u32 level;
    // Levels from this one on have wide numbers of paths.
    u32 wide_from;
    // Arcs of the frontier.
    u64 arcs;
    // No number of paths to the frontier has more bits.
    u32 bits;
};

// Consecutive vertices in the queue of a side.
struct List {
    u32 side, first, count;
};

// An arc that was drawn: from u, on the side that was expanded, to v. `key` is the logarithm of -ln(u) / w.
struct Best {
    f64 key;
    u32 u, v;

    DEVICE bool is_found() const { return v != NO_VERTEX; }
    DEVICE bool beats(const Best& other) const {
        return key < other.key || (key == other.key && pack(u, v) < pack(other.u, other.v));
    }
};

// State that the threads of a block share.
struct Block {
    Search searches[2];
    u32 starts[2][STARTS + 1];
    // One row per thread: the work up to it and with it, its vertex with its number of paths, and its arcs.
    u64 upto[PATHS_THREADS];
    u64 paths[PATHS_THREADS];
    Offset begins[PATHS_THREADS], ends[PATHS_THREADS];
    u32 vertices[PATHS_THREADS];
    u64 warps[32];
    Best bests[32];
    // What thread 0 tells all: the winner, the next sample, and whether the run was stopped.
    Best best;
    u64 sample;
    bool stopped;
    // Written by any thread: whether it saw the cancel word; the vertices that join a level, and their arcs.
    u32 stop;
    u32 joined;
    u64 arcs;
};

struct Sampler {
    const BcPathsArgs& args;
    Block& block;
    u32* marks;
    u64* paths;
    u32* queue;
    u32 base;
    // The random state of this sample.
    u64 state;
    // Of this block: steps since the kernel began, pairs with a path, and work in units of arcs.
    u32 steps;
    u64 connected;
    u64 work;

    DEVICE Rows rows_of(u32 side) const {
        if (side == FROM_S) return Rows{static_cast<const Offset*>(args.offsets), args.targets};
        return Rows{static_cast<const Offset*>(args.in_offsets), args.in_targets};
    }

    DEVICE u32* entry(u32 side, u64 at) const { return queue + (side == FROM_S ? at : args.vertices - 1 - at); }
    DEVICE u32 mark_of(u32 side, u32 level) const { return base + 2 * level + side; }
    DEVICE bool is_wide(u32 side, u32 level) const { return level >= block.searches[side].wide_from; }
    DEVICE u32 original(u32 v) const { return args.originals ? args.originals[v] : v; }

    // Returns the vertices of a level, or an empty list if the level is not listed.
    DEVICE List level_of(u32 side, u32 level) const {
        if (level >= STARTS) return List{side, 0, 0};
        const u32 first = block.starts[side][level];
        return List{side, first, block.starts[side][level + 1] - first};
    }

    // Returns true if the block searches a row for the entries of a list instead of scanning it.
    static DEVICE bool is_searched(u64 len, u64 listed) { return listed > 0 && listed * bits_in(len) < len; }

    // Each thread takes one row: that of vertex_at(i), or no row from `end` on. Returns the work for all rows: their arcs, or
    // the entries of a list that they are searched for. All threads must call; before the next call they must meet.
    template <class V> DEVICE u64 spread(const Rows& rows, u64 i, u64 end, const V& vertex_at, u64 listed) {
        const u32 own = thread_in_block(), warp = warp_in_block();
        u64 mine = 0;
        if (i < end) {
            const u32 u = vertex_at(i);
            const Offset begin = rows.offsets[u], stop = rows.offsets[u + 1];
            mine = is_searched(stop - begin, listed) ? listed : stop - begin;
            block.vertices[own] = u;
            block.paths[own] = load_now(paths + u);
            block.begins[own] = begin;
            block.ends[own] = stop;
        }
        const u64 upto = warp_scan(mine);
        if (lane_in_warp() == 31) block.warps[warp] = upto;
        block_sync();
        u64 before = 0, all = 0;
        for (u32 w = 0; w < block_threads() / 32; ++w) {
            if (w < warp) before += block.warps[w];
            all += block.warps[w];
        }
        block.upto[own] = before + upto;
        block_sync();
        work += all;
        return all;
    }

    // Returns the row that a unit of work is in.
    DEVICE u32 owner(u64 place) const {
        u32 row = 0;
        for (u32 by = block_threads() / 2; by > 0; by /= 2) {
            if (block.upto[row + by - 1] <= place) row += by;
        }
        return row;
    }

    // Returns how many units of work of the row come before this one.
    DEVICE u64 place_in(u32 row, u64 place) const { return row == 0 ? place : place - block.upto[row - 1]; }

    // Lets an arc from the vertex of a row take part in a draw, with a weight whose logarithm is given. Of parallel arcs,
    // each has a number.
    DEVICE void offer(Best& best, u32 role, f64 weight, u32 row, u32 v, u32 copy) const {
        const u32 u = block.vertices[row];
        const u64 x = mix(mix(state + role, pack(original(u), original(v))), copy);
        // From 2^-53 to 1 - 2^-53.
        const f64 unit = (static_cast<f64>(x >> 12) + 0.5) * f64_of(0x3cb0000000000000ull);
        const Best mine = Best{logarithm(-logarithm(unit)) - weight, u, v};
        if (mine.beats(best)) best = mine;
    }

    // Returns which of the parallel arcs in a row an arc is.
    static DEVICE u32 copy_of(const Rows& rows, Offset begin, Offset arc, u32 v) {
        u32 copy = 0;
        while (arc > begin && target_at(rows.targets, arc - 1) == v) {
            --arc;
            ++copy;
        }
        return copy;
    }

    // Draws an arc from one of the vertices vertex_at(0), vertex_at(1), ... of a side and level to a vertex of another side
    // and level. All threads must call, and get the same arc.
    template <class V>
    DEVICE Best look(const Rows& rows, u64 from, u64 end, const V& vertex_at, bool from_wide, u32 side, u32 level, u32 role) {
        const List list = level_of(side, level);
        const u32 wanted = mark_of(side, level);
        const bool to_wide = is_wide(side, level);
        Best best = Best{INFINITE, NO_VERTEX, NO_VERTEX};
        u32 turns = 0;
        for (u64 first = from; first < end && block.stop == 0; first += block_threads()) {
            const u64 all = spread(rows, first + thread_in_block(), end, vertex_at, list.count);
            for (u64 place = thread_in_block(); place < all; place += block_threads()) {
                if (++turns % PATIENCE == 0 && sees_stop()) break;
                const u32 row = owner(place);
                const u64 at = place_in(row, place);
                const Offset begin = block.begins[row], stop = block.ends[row];
                const bool searched = is_searched(stop - begin, list.count);
                const u32 v = searched ? *entry(list.side, list.first + at) : target_at(rows.targets, begin + at);
                Offset arc = searched ? lower_bound(rows.targets, begin, stop, v) : static_cast<Offset>(begin + at);
                if (searched ? arc >= stop || target_at(rows.targets, arc) != v : load_now(marks + v) != wanted) continue;
                const f64 weight = logarithm_of_paths(from_wide, block.paths[row]) + logarithm_of_paths(to_wide, load_now(paths + v));
                if (!searched) {
                    offer(best, role, weight, row, v, copy_of(rows, begin, arc, v));
                    continue;
                }
                for (u32 copy = 0; arc < stop && target_at(rows.targets, arc) == v; ++arc) offer(best, role, weight, row, v, copy++);
            }
            block_sync();
        }
        return best_of_block(best);
    }

    // Claims the vertices behind the frontier of a side and counts the paths to them: they are the next frontier. Draws one
    // of the arcs that meet. All threads must call, and get the same arc.
    DEVICE Best expand(u32 side) {
        const Search from = block.searches[side];
        const Rows rows = rows_of(side);
        const u32 bits = from.bits + bits_in(from.arcs < args.longest ? from.arcs : args.longest);
        const bool was_wide = is_wide(side, from.level), wide = was_wide || bits > args.narrow;
        Best best = Best{INFINITE, NO_VERTEX, NO_VERTEX};
        u64 arcs = 0;
        u32 turns = 0;
        for (u64 first = from.begin; first < from.end && block.stop == 0; first += block_threads()) {
            const auto member = [&](u64 i) { return *entry(side, i); };
            const u64 all = spread(rows, first + thread_in_block(), from.end, member, 0);
            for (u64 at = thread_in_block() - lane_in_warp(); at < all; at += block_threads()) {
                u32 v = 0;
                const bool joins = at + lane_in_warp() < all && reach(rows, at + lane_in_warp(), side, from.level, was_wide, wide, v, best);
                arcs += join(rows, side, from.end, joins, v);
                if (++turns % PATIENCE == 0 && warp_any(FULL_WARP, sees_stop())) break;
            }
            block_sync();
        }
        for (u32 by = 16; by > 0; by /= 2) arcs += warp_shuffle_xor(FULL_WARP, arcs, by);
        if (lane_in_warp() == 0 && arcs > 0) atomic_add(&block.arcs, arcs);
        best = best_of_block(best);
        if (wide && !best.is_found()) recount(side, from.level, was_wide, from.end);
        if (thread_in_block() == 0) advance(block.searches[side], side, bits, wide && !was_wide);
        block_sync();
        return best;
    }

    // Goes along an arc from the frontier. Returns true if this thread claims the vertex there.
    DEVICE bool reach(const Rows& rows, u64 place, u32 side, u32 level, bool was_wide, bool wide, u32& v, Best& best) {
        const u32 row = owner(place), fresh = mark_of(side, level + 1), other = block.searches[1 - side].level;
        const Offset begin = block.begins[row];
        const Offset arc = static_cast<Offset>(begin + place_in(row, place));
        v = target_at(rows.targets, arc);
        u32 mark = load_now(marks + v);
        bool joins = false;
        if (mark < base) {
            const u32 seen = atomic_compare_exchange(marks + v, mark, fresh);
            joins = seen == mark;
            mark = joins ? fresh : seen;
        }
        const u64 number = block.paths[row];
        if (mark == fresh && !wide) atomic_add(paths + v, number);
        if (mark == mark_of(1 - side, other)) {
            const f64 there = logarithm_of_paths(is_wide(1 - side, other), load_now(paths + v));
            offer(best, MEETS, logarithm_of_paths(was_wide, number) + there, row, v, copy_of(rows, begin, arc, v));
        }
        return joins;
    }

    // Counts the paths to the vertices that have joined the queue from an entry on, over those of a level.
    DEVICE void recount(u32 side, u32 level, bool was_wide, u64 first) {
        const Rows rows = rows_of(1 - side);
        const u64 end = first + block.joined;
        for (u64 base = first + thread_in_block() - lane_in_warp(); base < end; base += block_threads()) {
            const u64 i = base + lane_in_warp();
            const u32 v = i < end ? *entry(side, i) : 0;
            const Offset begin = i < end ? rows.offsets[v] : 0, stop = i < end ? rows.offsets[v + 1] : 0;
            const bool is_long = stop - begin > LONG_ROW;
            u64 sum = is_long ? 0 : sum_of_row(rows, begin, stop, 1, mark_of(side, level), was_wide);
            for (u32 left = warp_ballot(FULL_WARP, is_long); left != 0; left &= left - 1) {
                const u32 lane = trailing_zeros(left);
                const Offset from = warp_shuffle(FULL_WARP, begin, lane), to = warp_shuffle(FULL_WARP, stop, lane);
                u64 part = sum_of_row(rows, from + lane_in_warp(), to, 32, mark_of(side, level), was_wide);
                for (u32 by = 16; by > 0; by /= 2) part = sum_of_wide(part, warp_shuffle_xor(FULL_WARP, part, by));
                if (lane == lane_in_warp()) sum = part;
            }
            if (i < end) store_now(paths + v, sum);
        }
        block_sync();
    }

    // Returns the sum of the numbers of paths to the vertices of a row that have a mark, as a wide number.
    DEVICE u64 sum_of_row(const Rows& rows, u64 arc, u64 end, u32 step, u32 wanted, bool was_wide) const {
        u64 sum = 0;
        for (; arc < end; arc += step) {
            const u32 u = target_at(rows.targets, arc);
            if (load_now(marks + u) != wanted) continue;
            const u64 number = load_now(paths + u);
            sum = sum_of_wide(sum, was_wide ? number : wide_of(number));
        }
        return sum;
    }

    // Appends the claimed vertices of a warp to the queue. Returns the arcs of this lane's vertex.
    DEVICE u64 join(const Rows& rows, u32 side, u32 end, bool joins, u32 v) {
        const u32 votes = warp_ballot(FULL_WARP, joins);
        if (votes == 0) return 0;
        const u32 leader = trailing_zeros(votes);
        u32 place = lane_in_warp() == leader ? atomic_add(&block.joined, count_ones(votes)) : 0;
        place = warp_shuffle(FULL_WARP, place, leader) + count_ones(votes & lanes_before());
        if (!joins) return 0;
        *entry(side, static_cast<u64>(end) + place) = v;
        return rows.offsets[v + 1] - rows.offsets[v];
    }

    // Makes what has joined the frontier of a side.
    DEVICE void advance(Search& search, u32 side, u32 bits, bool widens) {
        ++search.level;
        if (search.level < STARTS) block.starts[side][search.level + 1] = search.end + block.joined;
        search.begin = search.end;
        search.end += block.joined;
        search.arcs = block.arcs;
        // Wide numbers have room for any sum.
        if (search.wide_from == NO_LEVEL) search.bits = bits;
        if (widens) search.wide_from = search.level;
        block.joined = 0;
        block.arcs = 0;
    }

    // Returns the best of all threads, in all threads. Also looks at the cancel word once in a while.
    DEVICE Best best_of_block(Best best) {
        for (u32 by = 16; by > 0; by /= 2) {
            const Best other = Best{warp_shuffle_xor(FULL_WARP, best.key, by), warp_shuffle_xor(FULL_WARP, best.u, by),
                                    warp_shuffle_xor(FULL_WARP, best.v, by)};
            if (other.beats(best)) best = other;
        }
        if (lane_in_warp() == 0) block.bests[warp_in_block()] = best;
        block_sync();
        if (thread_in_block() == 0) {
            for (u32 w = 1; w < block_threads() / 32; ++w) {
                if (block.bests[w].beats(best)) best = block.bests[w];
            }
            block.best = best;
            tell_stop();
        }
        block_sync();
        return block.best;
    }

    // Returns true if the run was stopped, and notes that for the block.
    DEVICE bool sees_stop() const {
        if (!is_cancelled(args.cancel)) return false;
        atomic_or(&block.stop, 1u);
        return true;
    }

    // Tells all threads whether the run was stopped. Thread 0 calls, and the block meets before and after.
    DEVICE void tell_stop() {
        if (++steps % STEPS == 0) sees_stop();
        block.stopped = block.stop != 0;
    }

    // Draws s and t. Returns false if one of them has no arcs on its side.
    DEVICE bool begin(u64 number) {
        Draws draws = Draws{mix(args.key, number)};
        state = draws.state;
        const u32 first = draws.below(args.vertices), second = draws.below(args.vertices - 1);
        const u32 ends[2] = {inner(first), inner(second + (second >= first))};
        bool reaches = true;
        for (u32 side = 0; side < 2; ++side) {
            const Offset* offsets = rows_of(side).offsets + ends[side];
            const u64 arcs = offsets[1] - offsets[0];
            reaches = reaches && arcs > 0;
            if (thread_in_block() != side) continue;
            block.searches[side] = Search{0, 1, 0, NO_LEVEL, arcs, 1};
            block.starts[side][0] = 0;
            block.starts[side][1] = 1;
        }
        if (!reaches) return false;
        if (thread_in_block() < 2) {
            const u32 side = thread_in_block(), v = ends[side];
            store_now(marks + v, mark_of(side, 0));
            store_now(paths + v, static_cast<u64>(1));
            *entry(side, 0) = v;
        }
        block_sync();
        return true;
    }

    DEVICE u32 inner(u32 v) const { return args.inners ? args.inners[v] : v; }

    // Counts a vertex and those before it on a shortest path to it, but not the end of the path.
    DEVICE void walk_back(u32 side, u32 v, u32 level) {
        for (; level > 0 && !block.stopped; --level) {
            if (thread_in_block() == 0) atomic_add(args.hits + v, 1ull);
            if (level == 1) return;
            const auto here = [&](u64) { return v; };
            v = look(rows_of(1 - side), 0, 1, here, is_wide(side, level), side, level - 1, side).v;
        }
    }

    // Draws a sample and counts it.
    DEVICE void sample(u64 number) {
        if (!begin(number)) return;
        Best best = Best{INFINITE, NO_VERTEX, NO_VERTEX};
        u32 side = 0, levels[2] = {0, 0};
        while (!best.is_found() && !block.stopped) {
            side = block.searches[FROM_T].arcs < block.searches[FROM_S].arcs ? FROM_T : FROM_S;
            const Search from = block.searches[side];
            if (from.arcs == 0) break;
            levels[FROM_S] = block.searches[FROM_S].level;
            levels[FROM_T] = block.searches[FROM_T].level;
            if (from.arcs > args.look_from) {
                const auto member = [&](u64 i) { return *entry(side, i); };
                best = look(rows_of(side), from.begin, from.end, member, is_wide(side, from.level), 1 - side, levels[1 - side], MEETS);
            }
            if (!best.is_found() && !block.stopped) best = expand(side);
        }
        if (best.is_found() && !block.stopped) {
            ++connected;
            for (u32 way = 0; way < 2; ++way) {
                walk_back(side, way == 0 ? best.u : best.v, levels[side]);
                side = 1 - side;
            }
        }
        clear();
    }

    // Forgets the vertices that were reached.
    DEVICE void clear() {
        block_sync();
        u32 deepest = 0;
        for (u32 side = 0; side < 2; ++side) {
            const Search search = block.searches[side];
            deepest = search.level > deepest ? search.level : deepest;
            for (u64 i = thread_in_block(); i < search.end; i += block_threads()) paths[*entry(side, i)] = 0;
        }
        base += 2 * (deepest + 1);
        block_sync();
    }

    // Makes room for the marks of one more sample.
    DEVICE void renew_marks() {
        const u64 most = 2 * (args.vertices + 2), room = most < 1ull << 31 ? most : 1ull << 31;
        if (base <= 0xffffffffull - room) return;
        for (u64 v = thread_in_block(); v < args.vertices; v += block_threads()) store_now(marks + v, 0u);
        base = FIRST_BASE;
        block_sync();
    }

    DEVICE void run() {
        while (true) {
            if (thread_in_block() == 0) {
                block.sample = atomic_add(args.counters + TAKEN, 1ull);
                tell_stop();
            }
            block_sync();
            const u64 number = block.sample;
            const bool ends = number >= args.samples || block.stopped;
            block_sync();
            if (ends) return;
            sample(args.first + number);
            renew_marks();
        }
    }
};

KERNEL_OF(bc_paths, BcPathsArgs, PATHS_THREADS, PATHS_BLOCKS) {
    SHARED(Block, block);
    const u64 n = args.vertices, own = block_in_grid();
    if (thread_in_block() == 0) {
        block.joined = 0;
        block.arcs = 0;
        block.stop = 0;
    }
    block_sync();
    const u32 base = args.bases[own] == 0 ? FIRST_BASE : args.bases[own];
    Sampler sampler = Sampler{args, block, args.marks + own * n, args.paths + own * n, args.queues + own * n, base, 0, 0, 0, 0};
    sampler.run();
    if (thread_in_block() != 0) return;
    args.bases[own] = sampler.base;
    atomic_add(args.counters + CONNECTED, sampler.connected);
    atomic_add(args.counters + WORK, sampler.work);
}
