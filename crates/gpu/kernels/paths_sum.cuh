// How a warp handles a chunk under Sum: changes are sent, each along each edge exactly once.
//
// The master of a vertex has its total. `sent` has, for every slot and direction, the part of that total that has been sent
// that way; what remains is sent if it exceeds `least`. Values add up in `Gathered`, which is f64 for f32.

// Shared memory of a warp: totals when the chunk was loaded, and what was gained since.
#define PATH_SHARED (2 * SLOTS)

struct SummedLane {
    PathLane lane;
    Program program;
    Gathered* totals;
    Gathered* gains;
    // Rows whose total may have grown since it was sent to the row below (ahead) and above (behind).
    u32 ahead, behind;

    DEVICE u32 at(u32 row) const { return row * LANES + lane_in_warp(); }
    DEVICE Gathered total(u32 row) const { return plus(totals[at(row)], gains[at(row)]); }
    DEVICE Gathered* sent(bool back, u32 row) const {
        return static_cast<Gathered*>(back ? lane.args.sent_back : lane.args.seen) + lane.slot(row);
    }

    DEVICE void load(bool) {
        const Gathered* masters = static_cast<const Gathered*>(lane.args.program.into);
#pragma unroll 8
        for (u32 row = 0; row < ROWS; ++row) {
            if (!lane.holds(row)) continue;
            totals[at(row)] = load_now(masters + lane.vertex(row));
            gains[at(row)] = Sum::identity<Gathered>();
        }
        ahead = lane.joined;
        behind = lane.args.backward ? lane.joined << 1 : 0;
    }

    // Returns true if a row has something to send in a direction.
    DEVICE bool is_due(bool back, u32 row) const {
        return apart(total(row), load_now(sent(back, row))) > lane.args.least;
    }

    DEVICE void send(bool back, u32 from, u32 to, u32 upper, PathCounts& counts) {
        if (!is_due(back, from)) return;
        const Gathered before = load_now(sent(back, from));
        // The message has the type of values: what it leaves out by rounding counts as not sent.
        const Value change = cast<Value>(minus(total(from), before));
        *sent(back, from) = plus(before, cast<Gathered>(change));
        const Value x = lane.message(program, change, from, to, upper);
        ++counts.edges;
        counts.sent += apart(change, Sum::identity<Value>());
        if (!Sum::improves(x, x)) return;
        ++counts.updates;
        gains[at(to)] = plus(gains[at(to)], cast<Gathered>(x));
        ahead |= 1u << to & lane.joined;
        if (lane.args.backward) behind |= 1u << to & lane.joined << 1;
    }

    DEVICE void pass(PathCounts& counts) {
        for (u32 row = 0; row + 1 < ROWS; ++row) {
            if (!(ahead >> row & 1)) continue;
            ahead &= ~(1u << row);
            send(false, row, row + 1, row, counts);
        }
        if (!lane.args.backward) return;
        for (u32 row = ROWS - 1; row > 0; --row) {
            if (!(behind >> row & 1)) continue;
            behind &= ~(1u << row);
            // A loop was gone along already.
            if (lane.vertex(row) != lane.vertex(row - 1)) send(true, row, row - 1, row - 1, counts);
        }
    }

    DEVICE bool has_more() const {
        bool is_more = false;
        for (u32 row = 0; row < ROWS; ++row) {
            is_more |= ahead >> row & 1 && is_due(false, row);
            is_more |= behind >> row & 1 && row > 0 && lane.vertex(row) != lane.vertex(row - 1) && is_due(true, row);
        }
        return is_more;
    }

    // Adds gains to masters, and wakes the chunks of those that gained enough. Returns true if the lane has more to send.
    DEVICE bool merge(PathCounts& counts) {
        const bool is_more = has_more();
        Gathered* masters = static_cast<Gathered*>(lane.args.program.into);
        for (u32 row = 0; row < ROWS; ++row) {
            const Gathered gain = lane.holds(row) ? gains[at(row)] : Sum::identity<Gathered>();
            const bool is_changed = Sum::improves(gain, gain);
            if (!warp_any(FULL_WARP, is_changed)) continue;
            const u32 v = is_changed ? lane.vertex(row) : 0;
            if (is_changed) Sum::atomic(masters + v, gain);
            counts.merges += is_changed;
            wake_homes(lane.args, apart(gain, Sum::identity<Gathered>()) > lane.args.least, v, lane.chunk);
        }
        return is_more;
    }

    // Adds the messages that have not been sent to `rest`, and raises `largest` to the largest change behind them. Returns true
    // if one of them is due.
    DEVICE bool weigh(f64& rest, f64& largest) const {
        bool is_more = false;
        for (u32 row = 0; row + 1 < ROWS; ++row) {
            if (!(lane.joined >> row & 1)) continue;
            is_more |= unsent(false, row, row + 1, row, rest, largest);
            if (!lane.args.backward || lane.vertex(row) == lane.vertex(row + 1)) continue;
            is_more |= unsent(true, row + 1, row, row, rest, largest);
        }
        return is_more;
    }

    DEVICE bool unsent(bool back, u32 from, u32 to, u32 upper, f64& rest, f64& largest) const {
        const Value change = cast<Value>(minus(total(from), load_now(sent(back, from))));
        rest += apart(lane.message(program, change, from, to, upper), Sum::identity<Value>());
        const f64 size = apart(change, Sum::identity<Value>());
        if (size > largest) largest = size;
        return is_due(back, from);
    }
};

typedef SummedLane HandledLane;

DEVICE HandledLane handled(const PathLane& lane, void* shared) {
    Gathered* values = static_cast<Gathered*>(shared);
    return SummedLane{lane, Program{lane.args.program.params}, values, values + SLOTS, 0, 0};
}
