// Values that cross between the parts of a graph. The vertices of a part are places: its own vertices lie side by side from
// args.first on, and all other places are ghosts, which other parts own. The module prints PartsArgs.
#include "program.cuh"

DEVICE Value& value_at(void* array, u64 i) { return static_cast<Value*>(array)[i]; }

// Returns the place of an entry: that in the list, or that of a ghost by its number among all ghosts.
DEVICE u32 place_at(const PartsArgs& args, u64 i) {
    return args.places ? args.places[i] : static_cast<u32>(i < args.first ? i : i + args.own);
}

// Splits the queue of places that received messages into own vertices and ghosts.
KERNEL(parts_split, PartsArgs) {
    const Along& along = args.program.along;
    const Queue own = {args.mine, args.mine_size}, ghosts = {args.others, args.others_size};
    const u64 count = count_of(along);
    for (u64 base = thread_in_grid() - lane_in_warp(); base < count; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        const bool is_there = i < count;
        const u32 place = is_there ? item(along, i) : 0;
        const bool is_own = place - args.first < args.own;
        append(own, is_there && is_own, place);
        append(ghosts, is_there && !is_own, place);
    }
}

// Copies the values at some places, one after the other.
KERNEL(parts_read, PartsArgs) {
    for (u64 i = thread_in_grid(); i < args.count; i += grid_threads()) {
        value_at(args.packed, i) = value_at(args.array, place_at(args, i));
    }
}

// Sets the values at some places to the identity.
KERNEL(parts_reset, PartsArgs) {
    for (u64 i = thread_in_grid(); i < args.count; i += grid_threads()) {
        value_at(args.array, place_at(args, i)) = Combine::identity<Value>();
    }
}

// Copies the values at some places, and a bit for each: that it is in the frontier, or that it received a message in this round.
KERNEL(parts_tell, PartsArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.count; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        bool is_chosen = false;
        if (i < args.count) {
            const u32 place = place_at(args, i);
            is_chosen = args.program.bitmap ? has_bit(args.program.bitmap, place)
                                            : args.program.stamps[place] == args.program.round;
            if (is_chosen) value_at(args.packed, i) = value_at(args.array, place);
        }
        const u32 votes = warp_ballot(FULL_WARP, is_chosen);
        if (lane_in_warp() == 0) args.bits[base / 32] = votes;
    }
}

// Joins values from other parts into those of own vertices. A vertex that one improved joins the next frontier.
KERNEL(parts_take, PartsArgs) {
    const Queue next = next_of(args.program.along);
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.count; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        bool take = false;
        u32 place = 0;
        if (i < args.count) {
            place = place_at(args, i);
            take = Combine::deliver(&value_at(args.array, place), value_at(args.packed, i)) && joins(args.program, place);
        }
        append(next, take, place);
    }
}

// Gives ghosts the values of their owners, and puts them in the bitmap of the frontier, if there is one.
KERNEL(parts_learn, PartsArgs) {
    for (u64 i = thread_in_grid(); i < args.count; i += grid_threads()) {
        const u32 place = place_at(args, i);
        value_at(args.array, place) = value_at(args.packed, i);
        if (args.program.bitmap) atomic_or(args.program.bitmap + (place >> 5), 1u << (place & 31));
    }
}
