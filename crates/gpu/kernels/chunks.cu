// Iterates chunks of vertices in shared memory: one block per chunk relaxes the arcs inside the chunk until nothing
// changes, or CHUNK_TURNS times. Whatever improved joins the next frontier, so arcs that lead out of the chunk, and those
// of a chunk that was left early, are relaxed in the superstep that follows. The module prints ChunkArgs.
#include "program.cuh"

#define NO_CHUNK 0xffffffffu
#define CHUNK_WORDS (CHUNK_MOST / 32)

// The place of a vertex in its chunk.
typedef unsigned short Place;

// Lists every chunk that has a member in the frontier, once.
KERNEL(chunks_list, ChunkArgs) {
    const Along& along = args.program.along;
    const Queue active = {args.active, args.active_size};
    const u64 count = count_of(along);
    for (u64 base = thread_in_grid() - lane_in_warp(); base < count; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        bool take = false;
        u32 chunk = 0;
        if (i < count) {
            chunk = args.chunk_of[item(along, i)];
            take = chunk != NO_CHUNK && claim(args.stamps, chunk, args.program.round);
        }
        append(active, take, chunk);
    }
}

// One chunk, whose values are in shared memory: those that members send in a turn, and the better ones that they get in
// it. So no thread reads what others change at the time. Every thread of the block must call each function but `relax`.
struct Chunk {
    const ProgramArgs& args;
    const ChunkArgs& arcs;
    Program program;
    Value* values;
    Value* better;
    // A bit for every member that sends in this turn, and in the next one.
    u32* front;
    u32* next_front;
    u32 first, size;

    DEVICE u32 member(u32 place) const { return arcs.members[first + place]; }

    // Loads the values; members of the frontier send first. Stamps do not tell which ones these are if vertices may repeat.
    DEVICE void load() const {
        for (u32 base = thread_in_block() - lane_in_warp(); base < CHUNK_MOST; base += block_threads()) {
            const u32 place = base + lane_in_warp();
            bool sends = false;
            if (place < size) {
                const u32 v = member(place);
                values[place] = better[place] = static_cast<const Value*>(args.values)[v];
                sends = args.flags & REPEATS || args.stamps[v] == args.round;
            }
            const u32 bits = warp_ballot(FULL_WARP, sends);
            if (lane_in_warp() == 0) {
                front[base / 32] = bits;
                next_front[base / 32] = 0;
            }
        }
        block_sync();
    }

    DEVICE void relax(u32 from, u64 arc) const {
        const u32 to = load_const(static_cast<const Place*>(arcs.targets) + arc);
        Weight weight = Weight();
        if (READS_WEIGHT) weight = load_const(static_cast<const Weight*>(arcs.weights) + (arc & arcs.weight_mask));
        const VertexSight source = {args, member(from)}, target = {args, member(to)};
        const Value x = program.message(values[from], weight, source, target);
        const bool is_update = Combine::improves(values[to], x) && Combine::improves(Combine::atomic(better + to, x), x);
        count_work(args, is_update);
        if (is_update) atomic_or(next_front + to / 32, 1u << to % 32);
    }

    // Sends the values of this turn, a warp per member. Returns true if anything improved.
    DEVICE bool turn() const {
        for (u32 from = warp_in_block(); from < size; from += block_threads() / 32) {
            if (!has_bit(front, from)) continue;
            const u64 end = arcs.rows[first + from + 1];
            for (u64 arc = arcs.rows[first + from] + lane_in_warp(); arc < end; arc += 32) relax(from, arc);
        }
        block_sync();
        for (u32 place = thread_in_block(); place < size; place += block_threads()) values[place] = better[place];
        const u32 word = thread_in_block();
        const u32 bits = word < CHUNK_WORDS ? next_front[word] : 0;
        if (word < CHUNK_WORDS) {
            front[word] = bits;
            next_front[word] = 0;
        }
        return block_any(bits != 0);
    }

    // Writes what improved, and appends it to the next frontier.
    DEVICE void store() const {
        for (u32 base = thread_in_block() - lane_in_warp(); base < size; base += block_threads()) {
            const u32 place = base + lane_in_warp();
            bool take = false;
            u32 v = 0;
            if (place < size) {
                v = member(place);
                take = Combine::deliver(static_cast<Value*>(args.values) + v, values[place]) && joins(args, v);
            }
            append(next_of(args.along), take, v);
        }
        block_sync();
    }
};

// Iterates the chunks that are listed.
KERNEL(chunks_iterate, ChunkArgs) {
    SHARED(Value, values[2 * CHUNK_MOST]);
    SHARED(u32, fronts[2 * CHUNK_WORDS]);
    const u64 count = *args.active_size;
    u32 looked = 0;
    for (u64 at = block_in_grid(); at < count; at += grid_blocks()) {
        if (++looked % 64 == 0 && block_any(thread_in_block() == 0 && is_cancelled(args.program.along))) return;
        const u32 number = args.active[at], first = args.starts[number], size = args.starts[number + 1] - first;
        const Chunk chunk = {args.program, args,   Program{args.program.params}, values, values + CHUNK_MOST,
                             fronts,       fronts + CHUNK_WORDS, first, size};
        chunk.load();
        for (u32 turns = 0; turns < CHUNK_TURNS && chunk.turn(); ++turns) {}
        chunk.store();
    }
}
