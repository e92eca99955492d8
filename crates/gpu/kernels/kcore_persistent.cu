// Peeling by a persistent kernel. All blocks go from phase to phase together. A phase is either a look at the remaining
// vertices, which takes those with the degree of the next level, or a wave, which removes the arcs of the vertices
// taken. The first block alone runs short waves, until a wave is empty or long, or until it has run args.news of them.
// After args.phases_at_most phases the grid ends, and the host launches it again to continue.
#include "frontier.cuh"
#include "rows.cuh"
#include "grid.cuh"

// The counters of a phase. A slot is written in one phase, read after its barrier, and cleared in the next phase but
// one, when no block reads it.
struct Phase {
    u64 joined;  // vertices appended to the queue
    u64 kept;
    u64 least;   // least degree of the remaining vertices, counted down from NO_DEGREE; 0 if there are none
    u64 done;    // short waves of one block: the end of the peeled part of the queue, and the number of waves
    u64 waves;
    u64 stop;
};

// The state of the grid between two phases, and between two launches; zero at first.
struct Progress {
    u64 started;    // 1 if degrees are counted
    u64 too_great;  // a degree that does not fit into u32
    u64 gone;       // vertices removed before this level
    u64 from, to;   // the wave, in the queue; if it is empty, a look is next
    u64 waves;      // waves of this level
    u64 level;
    u64 levels;     // levels done
    u64 count;      // length of the list of remaining vertices
    u64 lists;      // lists built; 0 if all vertices remain
};

// Rows that a block shares.
struct Hubs {
    Offset begin[HUBS], end[HUBS];
    // True if the row is of incoming arcs.
    bool incoming[HUBS];
    u32 count;
};

// State that the threads of a block share.
struct Block {
    Hubs hubs;
    Phase last;
    u32 least;
    u64 wave_end;
};

struct Peeler {
    const PersistentArgs& args;
    Block& block;
    Grid grid;
    u32 phase;
    u32 level;

    DEVICE Phase* slot(u32 ahead) const { return reinterpret_cast<Phase*>(args.phases) + (phase + ahead) % 3; }

    // Ends a phase; block.last receives its counters.
    DEVICE void end_phase() {
        if (thread_in_grid() == 0) *slot(1) = Phase();
        grid_sync(grid);
        if (thread_in_block() == 0) {
            const Phase* now = slot(0);
            block.last.joined = load_now(&now->joined);
            block.last.kept = load_now(&now->kept);
            block.last.least = load_now(&now->least);
            block.last.done = load_now(&now->done);
            block.last.waves = load_now(&now->waves);
            block.last.stop = load_now(&now->stop);
        }
        ++phase;
        block_sync();
    }

    // Checks the cancel word, but not in each phase: a phase takes microseconds, and so does a read across the bus.
    DEVICE void look_for_stop() const {
        if (phase % 16 == 0 && thread_in_grid() == 0 && is_cancelled(args.cancel)) store_now(&slot(0)->stop, static_cast<u64>(1));
    }

    // Counts the arcs of every vertex, without loops. Notes in `least` the greatest degree that does not fit into u32.
    DEVICE void count_degrees() {
        const Offset* out = static_cast<const Offset*>(args.offsets);
        const Offset* in = static_cast<const Offset*>(args.in_offsets);
        for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) {
            const u32 v = static_cast<u32>(i);
            const u64 loops = loops_of(args.targets, args.loops, out[v], out[v + 1], v);
            u64 degree = out[v + 1] - out[v] - loops;
            if (in) degree += in[v + 1] - in[v] - loops;
            if (degree >= NO_DEGREE) atomic_max(&slot(0)->least, degree);
            args.degrees[v] = static_cast<u32>(degree);
        }
    }

    // Takes the vertices with the degree of the level to the queue, from `end` on. Notes the least degree of the
    // vertices above the level, and appends these to `kept` unless it is null. `left` has all vertices above the level
    // and some removed ones; null stands for all vertices.
    DEVICE void look(const u32* left, u64 count, u32* kept, u64 end) {
        const Queue taken = Queue{args.queue + end, &slot(0)->joined}, others = Queue{kept, &slot(0)->kept};
        u32 least = 0;
        if (thread_in_block() == 0) block.least = 0;
        block_sync();
        for (u64 base = thread_in_grid() - lane_in_warp(); base < count; base += grid_threads()) {
            const u64 i = base + lane_in_warp();
            u32 v = 0, degree = 0;
            if (i < count) {
                v = left ? load_now(left + i) : static_cast<u32>(i);
                degree = load_now(args.degrees + v);
            }
            const bool is_above = i < count && degree > level;
            if (is_above && NO_DEGREE - degree > least) least = NO_DEGREE - degree;
            append(taken, i < count && degree == level, v);
            if (kept) append(others, is_above, v);
        }
        for (u32 by = 16; by > 0; by /= 2) {
            const u32 other = warp_shuffle_down(FULL_WARP, least, by);
            if (other > least) least = other;
        }
        if (lane_in_warp() == 0 && least > 0) atomic_max(&block.least, least);
        block_sync();
        if (thread_in_block() == 0 && block.least > 0) atomic_max(&slot(0)->least, static_cast<u64>(block.least));
    }

    // Takes one arc from the targets of some arcs, as in kcore.cu: bit k of `is` says whether this lane has an arc[k].
    // Every step is begun for all windows before any is completed, since each waits for memory. Every lane of the warp
    // must call.
    DEVICE void peel(u32 is, const Offset (&arc)[WINDOWS], bool incoming, const Queue& next) const {
        const Edges& targets = incoming ? args.in_targets : args.targets;
        u32 v[WINDOWS], degree[WINDOWS], votes[WINDOWS];
        for (u32 k = 0; k < WINDOWS; ++k) v[k] = is >> k & 1 ? target_at(targets, arc[k]) : 0;
        for (u32 k = 0; k < WINDOWS; ++k) degree[k] = is >> k & 1 ? load_now(args.degrees + v[k]) : 0;
        u32 takes = 0, all = 0;
        for (u32 k = 0; k < WINDOWS; ++k) takes |= (degree[k] > level ? 1u : 0u) << k;
        for (u32 k = 0; k < WINDOWS; ++k) {
            if (takes >> k & 1) degree[k] = atomic_add(args.degrees + v[k], 0xffffffffu);
        }
        for (u32 k = 0; k < WINDOWS; ++k) {
            const bool took = takes >> k & 1;
            if (took && degree[k] <= level) atomic_add(args.degrees + v[k], 1u);
            votes[k] = warp_ballot(FULL_WARP, took && degree[k] == level + 1);
            all += count_ones(votes[k]);
        }
        if (all == 0) return;
        u64 place = lane_in_warp() == 0 ? atomic_add(next.size, static_cast<u64>(all)) : 0;
        place = warp_shuffle(FULL_WARP, place, 0);
        for (u32 k = 0; k < WINDOWS; ++k) {
            if (votes[k] >> lane_in_warp() & 1) next.items[place + count_ones(votes[k] & lanes_before())] = v[k];
            place += count_ones(votes[k]);
        }
    }

    // Peels arcs [from, to) of a row, as warp `part` of `parts`.
    DEVICE void peel_row(Offset from, Offset to, u64 part, u64 parts, bool incoming, const Queue& next) const {
        const u32 turn = 32 * WINDOWS;
        for (u64 base = from + part * turn; base < to; base += parts * turn) {
            Offset arc[WINDOWS];
            u32 is = 0;
            for (u32 k = 0; k < WINDOWS; ++k) {
                arc[k] = static_cast<Offset>(base) + 32 * k + lane_in_warp();
                is |= (base + 32 * k + lane_in_warp() < to ? 1u : 0u) << k;
            }
            peel(is, arc, incoming, next);
        }
    }

    // Peels the rows of up to 32 vertices of the wave, one per lane: the warp takes rows of at least 32 arcs one by
    // one, and all shorter rows together.
    DEVICE void peel_rows(Offset begin, Offset end, bool incoming, const Queue& next) const {
        u32 left = warp_ballot(FULL_WARP, end - begin >= 32);
        while (left != 0) {
            const u32 lane = trailing_zeros(left);
            left &= left - 1;
            const Offset from = warp_shuffle(FULL_WARP, begin, lane), to = warp_shuffle(FULL_WARP, end, lane);
            if (to - from >= args.hub && note_hub(from, to, incoming)) continue;
            peel_row(from, to, 0, 1, incoming, next);
        }
        const u32 len = end - begin < 32 ? static_cast<u32>(end - begin) : 0;
        const u32 upto = warp_scan(len), all = warp_shuffle(FULL_WARP, upto, 31);
        for (u32 base = 0; base < all; base += 32 * WINDOWS) {
            Offset arc[WINDOWS];
            u32 is = 0;
            for (u32 k = 0; k < WINDOWS; ++k) {
                const u32 place = base + 32 * k + lane_in_warp();
                // Find the first lane whose row ends behind the place.
                u32 owner = 0;
                for (u32 by = 16; by > 0; by /= 2) {
                    if (warp_shuffle(FULL_WARP, upto, owner + by - 1) <= place) owner += by;
                }
                const Offset from = warp_shuffle(FULL_WARP, begin, owner);
                arc[k] = from + (place - warp_shuffle(FULL_WARP, upto - len, owner));
                is |= (place < all ? 1u : 0u) << k;
            }
            peel(is, arc, incoming, next);
        }
    }

    // Leaves a row to the block. Returns false if there is no room for one more.
    DEVICE bool note_hub(Offset begin, Offset end, bool incoming) const {
        u32 place = lane_in_warp() == 0 ? atomic_add(&block.hubs.count, 1u) : 0;
        place = warp_shuffle(FULL_WARP, place, 0);
        if (place >= HUBS) return false;
        if (lane_in_warp() == 0) {
            block.hubs.begin[place] = begin;
            block.hubs.end[place] = end;
            block.hubs.incoming[place] = incoming;
        }
        return true;
    }

    // Runs a wave of at most half as many vertices as warps: several warps take the row of each.
    DEVICE void wave_by_parts(u64 from, u64 to, u64 warp, u64 warps, const Queue& next) const {
        if (from == to) return;
        const u64 parts = warps / (to - from), i = from + warp / parts;
        if (i >= to) return;
        const u32 u = load_now(args.queue + i);
        const Offset* out = static_cast<const Offset*>(args.offsets);
        peel_row(out[u], out[u + 1], warp % parts, parts, false, next);
        const Offset* in = static_cast<const Offset*>(args.in_offsets);
        if (in) peel_row(in[u], in[u + 1], warp % parts, parts, true, next);
    }

    // Runs the wave in entries [from, to) of the queue, as warp `warp` of `warps`. All warps of the block must call.
    DEVICE void wave(u64 from, u64 to, u64 warp, u64 warps, const Queue& next) {
        if (2 * (to - from) <= warps) return wave_by_parts(from, to, warp, warps, next);
        const u64 share = (to - from + warps - 1) / warps, turn = share < 32 ? share : 32;
        if (thread_in_block() == 0) block.hubs.count = 0;
        block_sync();
        for (u64 base = from + warp * turn; base < to; base += warps * turn) {
            const u64 i = base + lane_in_warp();
            const bool is = lane_in_warp() < turn && i < to;
            const u32 u = is ? load_now(args.queue + i) : 0;
            const Offset* out = static_cast<const Offset*>(args.offsets);
            peel_rows(is ? out[u] : 0, is ? out[u + 1] : 0, false, next);
            const Offset* in = static_cast<const Offset*>(args.in_offsets);
            if (in) peel_rows(is ? in[u] : 0, is ? in[u + 1] : 0, true, next);
        }
        block_sync();
        const u32 hubs = block.hubs.count < HUBS ? block.hubs.count : HUBS;
        for (u32 h = 0; h < hubs; ++h) {
            peel_row(block.hubs.begin[h], block.hubs.end[h], warp_in_block(), block_threads() / 32, block.hubs.incoming[h], next);
        }
    }

    // Returns true if a wave of this many vertices is too short for the grid. Each vertex has more arcs than the level.
    DEVICE bool is_short(u64 many) const { return many * (level + 8ull) <= args.alone; }

    // Runs waves by the first block, while they are short.
    DEVICE void waves_alone(u64 from, u64 to) {
        const Queue next = Queue{args.queue + to, &slot(0)->joined};
        const u64 first = to;
        u64 waves = 0;
        while (from < to && is_short(to - from) && waves < args.news) {
            wave(from, to, warp_in_block(), block_threads() / 32, next);
            ++waves;
            block_sync();
            if (thread_in_block() == 0) block.wave_end = first + load_now(&slot(0)->joined);
            block_sync();
            from = to;
            to = block.wave_end;
        }
        if (thread_in_block() == 0) {
            store_now(&slot(0)->done, from);
            store_now(&slot(0)->waves, waves);
        }
    }

    // Takes the vertices of the next level.
    DEVICE void look_phase(Progress& now) {
        const u64 count = now.lists ? now.count : args.vertices;
        const u32* left = now.lists == 0 ? nullptr : now.lists % 2 ? args.left : args.spare;
        // Rebuild the list when a quarter of its vertices are gone.
        const bool keep = count - (args.vertices - now.gone) >= count / 4;
        look(left, count, !keep ? nullptr : now.lists % 2 ? args.spare : args.left, now.gone);
        look_for_stop();
        end_phase();
        if (keep) {
            now.count = block.last.kept;
            ++now.lists;
        }
        now.from = now.gone;
        now.to = now.gone + block.last.joined;
        now.waves = 0;
        if (block.last.joined == 0) now.level = NO_DEGREE - block.last.least;
    }

    // Runs a wave, or several short ones; this may end the level.
    DEVICE void wave_phase(Progress& now) {
        const u64 warp = static_cast<u64>(warp_in_block()) * grid_blocks() + block_in_grid();
        const bool alone = is_short(now.to - now.from);
        if (!alone) wave(now.from, now.to, warp, grid_threads() / 32, Queue{args.queue + now.to, &slot(0)->joined});
        else if (block_in_grid() == 0) waves_alone(now.from, now.to);
        look_for_stop();
        end_phase();
        now.from = alone ? block.last.done : now.to;
        now.to += block.last.joined;
        now.waves += alone ? block.last.waves : 1;
        if (now.from < now.to) return;
        note(now);
        now.gone = now.to;
        ++now.level;
        ++now.levels;
    }

    // Logs a level: its number, its waves, and the vertices removed.
    DEVICE void note(const Progress& now) const {
        if (thread_in_grid() != 0) return;
        args.log[2 * now.levels] = now.waves << 32 | now.level;
        args.log[2 * now.levels + 1] = now.to - now.gone;
    }

    DEVICE void run() {
        Progress* const at = reinterpret_cast<Progress*>(args.progress);
        Progress now = *at;
        bool stop = false;
        if (!now.started) {
            count_degrees();
            end_phase();
            now.started = 1;
            now.too_great = block.last.least;
        }
        while (phase < args.phases_at_most && now.gone < args.vertices && !now.too_great && !stop) {
            level = static_cast<u32>(now.level);
            if (now.from == now.to) look_phase(now); else wave_phase(now);
            stop = block.last.stop != 0;
        }
        // Every block has read it: there was a barrier since.
        if (thread_in_grid() == 0) *at = now;
    }
};

KERNEL_OF(kcore_persistent, PersistentArgs, PERSISTENT_THREADS, PERSISTENT_BLOCKS) {
    SHARED(Block, block);
    Peeler peeler = Peeler{args, block, Grid{args.arrived, 0}, 0, 0};
    peeler.run();
}
