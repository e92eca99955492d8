// How a warp handles a chunk under Min, Max or Or: mirrors improve in place, and what improved is sent on.
//
// `seen` has the value that the vertex of each slot had when it was last sent in all directions, at first the value of `init`. So a row is
// fresh if its master is better, or, when the chunk is first handled, if its vertex is a seed. Messages may repeat.

// Shared memory of a warp, in values.
#define PATH_SHARED SLOTS

struct ImprovedLane {
    PathLane lane;
    Program program;
    Value* mirrors;
    // Rows that have something to send to the row below (ahead) and above (behind), and rows that improved.
    u32 ahead, behind, changed;

    DEVICE Value& mirror(u32 row) { return mirrors[row * LANES + lane_in_warp()]; }

    DEVICE void load(bool is_first) {
        const PathArgs& args = lane.args;
        const Value* seen = static_cast<const Value*>(args.seen);
        const Value* masters = static_cast<const Value*>(args.program.values);
        u32 fresh = 0;
#pragma unroll 8
        for (u32 row = 0; row < ROWS; ++row) {
            if (!lane.holds(row)) continue;
            const u32 v = lane.vertex(row);
            const Value x = load_now(masters + v);
            mirror(row) = x;
            const bool is_seed = is_first && (!args.seeds || has_bit(args.seeds, v));
            if (is_seed || Combine::improves(load_now(seen + lane.slot(row)), x)) fresh |= 1u << row;
        }
        changed = 0;
        ahead = fresh & lane.joined;
        behind = args.backward ? fresh & lane.joined << 1 : 0;
    }

    // Sends from one row to a neighbour.
    DEVICE void send(u32 from, u32 to, u32 upper, PathCounts& counts) {
        ++counts.edges;
        const Value x = lane.message(program, mirror(from), from, to, upper);
        if (!Combine::improves(mirror(to), x)) return;
        mirror(to) = Combine::join(mirror(to), x);
        ++counts.updates;
        changed |= 1u << to;
        ahead |= 1u << to & lane.joined;
        if (lane.args.backward) behind |= 1u << to & lane.joined << 1;
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
            if (lane.holds(row) && !((ahead | behind) >> row & 1)) seen[lane.slot(row)] = mirror(row);
            if (!warp_any(FULL_WARP, is_changed)) continue;
            const u32 v = is_changed ? lane.vertex(row) : 0;
            const bool is_better = is_changed && Combine::deliver(masters + v, mirror(row));
            counts.merges += is_better;
            wake_homes(args, is_better, v, lane.chunk);
        }
        return has_more();
    }
};

typedef ImprovedLane HandledLane;

DEVICE HandledLane handled(const PathLane& lane, void* shared) {
    return ImprovedLane{lane, Program{lane.args.program.params}, static_cast<Value*>(shared), 0, 0, 0};
}
