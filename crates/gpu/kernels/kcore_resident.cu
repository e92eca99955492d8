// Peeling of all levels by one grid that runs at once. All blocks go from phase to phase together: a look at those that are left, which takes
// who has the degree of the next level, or a wave, which takes away the arcs of those that go. Short waves are left to the first
// block, which goes on alone until a wave is empty or long.
#include "frontier.cuh"
#include "rows.cuh"
#include "grid.cuh"

// What a phase counts. A slot is written in one phase, read after its barrier, and cleared in the next but one, when nobody reads it.
struct Phase {
    u64 joined;  // behind the end of the queue
    u64 kept;
    u64 least;   // degree of those left, as its distance from NO_DEGREE: 0 is nobody's
    u64 done;    // waves of one block: how many of the queue are peeled, and how many waves that took
    u64 waves;
    u64 stop;
};

// Rows that a block shares.
struct Hubs {
    Offset begin[HUBS], end[HUBS];
    const u32* targets[HUBS];
    u32 count;
};

// What threads of a block share.
struct Block {
    Hubs hubs;
    Phase last;
    u32 least;
    u64 wave_end;
};

struct Peeler {
    const ResidentArgs& args;
    Block& block;
    Grid grid;
    u32 phase;
    u32 level;

    DEVICE Phase* slot(u32 ahead) const { return reinterpret_cast<Phase*>(args.phases) + (phase + ahead) % 3; }

    // Ends a phase; what it counted is in block.last.
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

    // Phases take microseconds, the way over the bus another.
    DEVICE bool is_time_to_look() const { return phase % 16 == 0; }
    DEVICE void look_for_stop(bool is_time) const {
        if (is_time && thread_in_grid() == 0 && is_cancelled(args.cancel)) store_now(&slot(0)->stop, static_cast<u64>(1));
    }

    // Arcs of every vertex, loops left out; the greatest that has no room in u32 is noted in `least`.
    DEVICE void count_degrees() {
        const Offset* out = static_cast<const Offset*>(args.offsets);
        const Offset* in = static_cast<const Offset*>(args.in_offsets);
        for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) {
            const u32 v = static_cast<u32>(i);
            const u64 loops = args.has_loops ? copies_in(args.targets, out[v], out[v + 1], v) : 0;
            u64 degree = out[v + 1] - out[v] - loops;
            if (in) degree += in[v + 1] - in[v] - loops;
            if (degree >= NO_DEGREE) atomic_max(&slot(0)->least, degree);
            args.degrees[v] = static_cast<u32>(degree);
        }
    }

    // Takes who has the degree of the level, to the queue from `end` on, and notes the least degree of the others, who are kept in a list if one
    // is given. `left` has all that are above the level and some that went; null: it is all vertices.
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

    // One arc less for v, if `is`; as in kcore.cu. Every lane of the warp must call.
    DEVICE void peel(bool is, const u32* target, const Queue& next) const {
        bool goes = false;
        u32 v = 0;
        if (is) {
            v = *target;
            u32* degree = args.degrees + v;
            if (load_now(degree) > level) {
                const u32 before = atomic_add(degree, 0xffffffffu);
                if (before <= level) atomic_add(degree, 1u);
                goes = before == level + 1;
            }
        }
        append(next, goes, v);
    }

    // Rows of up to 32 of the wave, one a lane: those of 32 arcs and more by the warp one after the other, shorter ones in one line.
    DEVICE void peel_rows(Offset begin, Offset end, const u32* targets, const Queue& next) const {
        u32 left = warp_ballot(FULL_WARP, end - begin >= 32);
        while (left != 0) {
            const u32 lane = trailing_zeros(left);
            left &= left - 1;
            const Offset from = warp_shuffle(FULL_WARP, begin, lane), to = warp_shuffle(FULL_WARP, end, lane);
            if (to - from >= args.hub && note_hub(from, to, targets)) continue;
            for (Offset base = from; base < to; base += 32) {
                const Offset arc = base + lane_in_warp();
                peel(arc < to, targets + arc, next);
            }
        }
        const u32 len = end - begin < 32 ? static_cast<u32>(end - begin) : 0;
        const u32 upto = warp_scan(len), all = warp_shuffle(FULL_WARP, upto, 31);
        for (u32 base = 0; base < all; base += 32) {
            const u32 place = base + lane_in_warp();
            // The first lane whose row ends behind the place.
            u32 owner = 0;
            for (u32 by = 16; by > 0; by /= 2) {
                if (warp_shuffle(FULL_WARP, upto, owner + by - 1) <= place) owner += by;
            }
            const Offset from = warp_shuffle(FULL_WARP, begin, owner);
            const u32 before = warp_shuffle(FULL_WARP, upto - len, owner);
            peel(place < all, targets + from + (place - before), next);
        }
    }

    // Leaves a row to the block, if there is room for one more.
    DEVICE bool note_hub(Offset begin, Offset end, const u32* targets) const {
        u32 place = lane_in_warp() == 0 ? atomic_add(&block.hubs.count, 1u) : 0;
        place = warp_shuffle(FULL_WARP, place, 0);
        if (place >= HUBS) return false;
        if (lane_in_warp() == 0) {
            block.hubs.begin[place] = begin;
            block.hubs.end[place] = end;
            block.hubs.targets[place] = targets;
        }
        return true;
    }

    // The wave that the queue has from `from` to `to`, by this warp of so many, all of whose block call.
    DEVICE void wave(u64 from, u64 to, u64 warp, u64 warps, const Queue& next) {
        const u64 share = (to - from + warps - 1) / warps, turn = share < 32 ? share : 32;
        if (thread_in_block() == 0) block.hubs.count = 0;
        block_sync();
        for (u64 base = from + warp * turn; base < to; base += warps * turn) {
            const u64 i = base + lane_in_warp();
            const bool is = lane_in_warp() < turn && i < to;
            const u32 u = is ? load_now(args.queue + i) : 0;
            const Offset* out = static_cast<const Offset*>(args.offsets);
            peel_rows(is ? out[u] : 0, is ? out[u + 1] : 0, args.targets, next);
            const Offset* in = static_cast<const Offset*>(args.in_offsets);
            if (in) peel_rows(is ? in[u] : 0, is ? in[u + 1] : 0, args.in_targets, next);
        }
        block_sync();
        const u32 hubs = block.hubs.count < HUBS ? block.hubs.count : HUBS;
        for (u32 h = 0; h < hubs; ++h) {
            const Offset end = block.hubs.end[h];
            for (Offset base = block.hubs.begin[h]; base < end; base += block_threads()) {
                const Offset arc = base + thread_in_block();
                peel(arc < end, block.hubs.targets[h] + arc, next);
            }
        }
    }

    // Is a wave of so many too short for the grid? Each has more arcs than the level.
    DEVICE bool is_short(u64 many) const { return many * (level + 8ull) <= args.alone; }

    // Waves by the first block, while they are short.
    DEVICE void waves_alone(u64 from, u64 to) {
        const Queue next = Queue{args.queue + to, &slot(0)->joined};
        const u64 first = to;
        u64 waves = 0;
        while (from < to && is_short(to - from)) {
            wave(from, to, warp_in_block(), block_threads() / 32, next);
            look_for_stop(++waves % 64 == 0);
            block_sync();
            if (thread_in_block() == 0) block.wave_end = first + load_now(&slot(0)->joined);
            if (block_any(thread_in_block() == 0 && load_now(&slot(0)->stop) != 0)) break;
            from = to;
            to = block.wave_end;
        }
        if (thread_in_block() == 0) {
            store_now(&slot(0)->done, from);
            store_now(&slot(0)->waves, waves);
        }
    }

    // All waves of a level, from those the queue has between `from` and `to`; gives the end of the queue then. 0: who runs it wants to stop.
    DEVICE u64 waves(u64 from, u64 to, u64& many) {
        const u64 warp = static_cast<u64>(warp_in_block()) * grid_blocks() + block_in_grid();
        while (from < to) {
            const bool alone = is_short(to - from);
            if (!alone) wave(from, to, warp, grid_threads() / 32, Queue{args.queue + to, &slot(0)->joined});
            else if (block_in_grid() == 0) waves_alone(from, to);
            look_for_stop(is_time_to_look());
            end_phase();
            if (block.last.stop) return 0;
            from = alone ? block.last.done : to;
            to += block.last.joined;
            many += alone ? block.last.waves : 1;
        }
        return to;
    }

    // Notes a level: its number and its waves, and how many went.
    DEVICE void note(u64 levels, u64 waves, u64 gone) const {
        if (thread_in_grid() != 0) return;
        args.log[2 * levels] = waves << 32 | level;
        args.log[2 * levels + 1] = gone;
        *args.levels = levels + 1;
    }

    DEVICE void run() {
        count_degrees();
        end_phase();
        if (thread_in_grid() == 0) *args.too_great = block.last.least;
        if (block.last.least > 0) return;
        const u32* left = nullptr;
        u32 *kept = args.left, *spare = args.spare;
        u64 count = args.vertices, gone = 0, levels = 0;
        level = 0;
        while (gone < args.vertices) {
            // A list is made anew when a part of it has gone.
            const bool keep = count - (args.vertices - gone) >= count / 4;
            look(left, count, keep ? kept : nullptr, gone);
            look_for_stop(is_time_to_look());
            end_phase();
            if (block.last.stop) return;
            if (keep) {
                left = kept;
                count = block.last.kept;
                u32* const swap = kept;
                kept = spare, spare = swap;
            }
            const u64 joined = block.last.joined;
            const u32 least = NO_DEGREE - static_cast<u32>(block.last.least);
            if (joined == 0) {
                level = least;
                continue;
            }
            u64 many = 0;
            const u64 end = waves(gone, gone + joined, many);
            if (end == 0) return;
            note(levels++, many, end - gone);
            gone = end;
            ++level;
        }
    }
};

KERNEL_OF(kcore_resident, ResidentArgs, RESIDENT_THREADS, RESIDENT_BLOCKS) {
    SHARED(Block, block);
    Peeler peeler = Peeler{args, block, Grid{args.arrived, 0}, 0, 0};
    peeler.run();
}
