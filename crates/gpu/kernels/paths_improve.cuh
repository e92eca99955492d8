// How a warp handles a chunk under Min, Max or Or: mirrors improve in place, and what improved is sent on.
//
// `seen` has the value that the vertex of each slot had when it was last sent in all directions: at first the identity for a seed, and
// the value of `init` for all others. So a row is fresh if its master is better. A seed that starts with the identity is fresh when its
// chunk is first handled. Messages may repeat.
//
// The best values go first: a fresh row is *due* if its value is at most `least` (Min; under Max, if its negative is). All others wait
// until the host raises `least`, and are then sent once instead of once per correction. Under Or there is no order: all are due.

// Shared memory of a warp, in values.
#define PATH_SHARED SLOTS

// The place of a value in the order in which values are sent. Rounding keeps the order.
DEVICE f64 place_of(Value x) { return IS_MAX ? -cast<f64>(x) : cast<f64>(x); }

struct ImprovedLane {
    PathLane lane;
    Program program;
    Value* mirrors;
    // Rows that have something to send to the row below (ahead) and above (behind), rows that improved, and fresh rows that wait.
    u32 ahead, behind, changed, later;

    DEVICE Value& mirror(u32 row) { return mirrors[row * LANES + lane_in_warp()]; }

    // The identity improves nothing that would be sent later: it never waits.
    DEVICE bool is_due(Value x) const {
        return !IS_ORDERED || place_of(x) <= lane.args.least || x == Combine::identity<Value>();
    }

    // Marks a row whose value is to be sent in all directions, now or later.
    DEVICE void mark(u32 row) {
        const u32 bit = 1u << row, below = bit & lane.joined, above = lane.args.backward ? bit & lane.joined << 1 : 0;
        later &= ~bit;
        if (!is_due(mirror(row))) {
            if (below | above) later |= bit;
            return;
        }
        ahead |= below;
        behind |= above;
    }

    DEVICE void load(bool is_first) {
        const PathArgs& args = lane.args;
        const Value* seen = static_cast<const Value*>(args.seen);
        const Value* masters = static_cast<const Value*>(args.program.values);
        ahead = behind = changed = later = 0;
#pragma unroll 8
        for (u32 row = 0; row < ROWS; ++row) {
            if (!lane.holds(row)) continue;
            const u32 v = lane.vertex(row);
            const Value x = load_now(masters + v);
            mirror(row) = x;
            const bool is_seed = is_first && (!args.seeds || has_bit(args.seeds, v));
            if (is_seed || Combine::improves(load_now(seen + lane.slot(row)), x)) mark(row);
        }
    }

    // Sends from one row to a neighbour.
    DEVICE void send(u32 from, u32 to, u32 upper, PathCounts& counts) {
        ++counts.edges;
        const Value x = lane.message(program, mirror(from), from, to, upper);
        if (!Combine::improves(mirror(to), x)) return;
        mirror(to) = Combine::join(mirror(to), x);
        ++counts.updates;
        changed |= 1u << to;
        mark(to);
    }

    DEVICE void pass(PathCounts& counts) {
        for (u32 row = 0; row + 1 < ROWS; ++row) {
            if (!(ahead >> row & 1)) continue;
            ahead &= ~(1u << row);
            send(row, row + 1, row, counts);
        }
        if (!lane.args.backward) return;
        for (u32 row = ROWS - 1; row > 0; --row) {
            if (!(behind >> row & 1)) continue;
            behind &= ~(1u << row);
            // A loop was gone along already.
            if (lane.vertex(row) != lane.vertex(row - 1)) send(row, row - 1, row - 1, counts);
        }
    }

    DEVICE bool has_more() const { return ahead | behind; }

    // Joins mirrors into masters, and wakes the chunks of those that improved. Returns true if the lane has more to send.
    DEVICE bool merge(PathCounts& counts) {
        const PathArgs& args = lane.args;
        Value* seen = static_cast<Value*>(args.seen);
        Value* masters = static_cast<Value*>(args.program.values);
        for (u32 row = 0; row < ROWS; ++row) {
            const bool is_changed = changed >> row & 1;
            if (lane.holds(row) && !((ahead | behind | later) >> row & 1)) seen[lane.slot(row)] = mirror(row);
            if (!warp_any(FULL_WARP, is_changed)) continue;
            const u32 v = is_changed ? lane.vertex(row) : 0;
            const bool is_better = is_changed && Combine::deliver(masters + v, mirror(row));
            counts.merges += is_better;
            wake_homes(args, is_better && is_due(mirror(row)), v, lane.chunk);
        }
        return has_more();
    }

    // Lowers `best` to the place of the best value that waits. Returns true if a row is due.
    DEVICE bool await(f64& best) {
        for (u32 row = 0; row < ROWS; ++row) {
            if (later >> row & 1) best = least(best, place_of(mirror(row)));
        }
        return has_more();
    }
};

typedef ImprovedLane HandledLane;

DEVICE HandledLane handled(const PathLane& lane, void* shared) {
    return ImprovedLane{lane, Program{lane.args.program.params}, static_cast<Value*>(shared), 0, 0, 0, 0};
}
