// Chunks of paths, their queues, and how they are woken. The layout of chunks is that of `graph::paths`: row r of lane t is at
// slot 32 * r + t of its chunk, and bit r of the lane's word says that an edge joins rows r and r + 1.
//
// A chunk's word in `states`: AWAKE, it is in a queue, or will be once it is handled; BUSY, a warp handles it; MET, a warp has
// handled it. Who changes a vertex wakes the chunks in which it has mirrors:
//
//   changer: joins its value into the master, fence, sets AWAKE. If the chunk was neither AWAKE nor BUSY, queues it.
//   taker:   replaces the word by BUSY and MET, fence, reads the masters, ..., clears BUSY. If AWAKE was set meanwhile, queues it.
//
// No change is lost: if the changer finds AWAKE, the taker has yet to replace the word, and reads the master after that. If it
// finds BUSY alone, the taker finds AWAKE when it clears BUSY. And no two warps handle a chunk at a time.
//
// A queue is an array of places that are used once per launch. `tail` places are given out to those who push, `head` places
// to those who take; a warp that gets a place before a chunk is there keeps it, and looks at it again. Nobody waits for room:
// a chunk whose place is beyond the array stays AWAKE, the launch ends, and the next one collects it.
#include "frontier.cuh"
#include "program.cuh"

#define LANES 32u
#define ROWS 32u
#define SLOTS 1024u
#define EMPTY 0xffffffffu
#define REPEATED 0x80000000u

#define AWAKE 1u
#define BUSY 2u
#define MET 4u

// Indices of control words, in two queues: hub chunks and cold chunks.
struct PathQueue {
    u32* items;
    u64* head;
    u64* tail;
    u64 room;
};

DEVICE u64* control(const PathArgs& args, u32 which) { return args.control + which; }

DEVICE PathQueue queue_of(const PathArgs& args, bool hot) {
    PathQueue queue;
    queue.items = hot ? args.hot : args.cold;
    queue.head = control(args, hot ? HOT_HEAD : COLD_HEAD);
    queue.tail = control(args, hot ? HOT_TAIL : COLD_TAIL);
    queue.room = hot ? args.hot_room : args.cold_room;
    return queue;
}

// Puts a chunk that is AWAKE into its queue.
DEVICE void push_chunk(const PathArgs& args, u32 chunk) {
    const PathQueue queue = queue_of(args, chunk < args.hub_chunks);
    const u64 place = atomic_add(queue.tail, 1ull);
    if (place < queue.room) store_now(queue.items + place, chunk);
    else store_now(control(args, STOPPED), 1ull);
}

// Wakes a chunk, after a fence behind the change that it is woken for.
DEVICE void wake_chunk(const PathArgs& args, u32 chunk) {
    const u32 old = atomic_or(args.states + chunk, AWAKE);
    if (old & (AWAKE | BUSY)) return;
    atomic_add(control(args, PENDING), 1ull);
    push_chunk(args, chunk);
}

// The warp wakes the chunks of the vertices of all lanes in which `woken`, except the lanes' own chunk where the vertex has
// no other mirror. Every lane calls it.
DEVICE void wake_homes(const PathArgs& args, bool woken, u32 v, u32 own) {
    fence_device();
    u32 votes = warp_ballot(FULL_WARP, woken);
    while (votes) {
        const u32 lane = trailing_zeros(votes);
        votes &= votes - 1;
        const u32 vertex = warp_shuffle(FULL_WARP, v, lane);
        const u32 end = load_const(args.home_offsets + vertex + 1);
        for (u32 i = load_const(args.home_offsets + vertex) + lane_in_warp(); i < end; i += 32) {
            const u32 home = load_const(args.homes + i), chunk = home & ~REPEATED;
            if (chunk == own && !(home & REPEATED)) continue;
            // For tests: loses one of so many.
            if (args.lost && (atomic_add(control(args, WOKEN), 1ull) + 1) % args.lost == 0) continue;
            wake_chunk(args, chunk);
        }
    }
    warp_sync(FULL_WARP);
}

// What the lanes of a warp have counted.
struct PathCounts {
    u64 updates, merges, edges;
    // The sum of changes that were sent, for a sum.
    f64 sent;
};

// A chunk as a lane of its warp sees it.
struct PathLane {
    const PathArgs& args;
    u32 chunk;
    // Which of the rows are joined with the next one, which hold a vertex.
    u32 joined, rows;

    DEVICE u64 slot(u32 row) const { return static_cast<u64>(chunk) * SLOTS + row * LANES + lane_in_warp(); }
    DEVICE u32 vertex(u32 row) const { return load_const(args.vertices + slot(row)); }
    DEVICE bool holds(u32 row) const { return rows >> row & 1; }

    // Returns the message of `value` from one row to the row above or below; `upper` is the smaller row of both.
    DEVICE Value message(const Program& program, Value value, u32 from, u32 to, u32 upper) const {
        const Weight* weights = static_cast<const Weight*>(args.weights);
        const Weight weight = READS_WEIGHT ? load_const(weights + (slot(upper) & args.weight_mask)) : Weight();
        const VertexSight source = {args.program, vertex(from)}, target = {args.program, vertex(to)};
        return program.message(value, weight, source, target);
    }
};

DEVICE PathLane lane_of(const PathArgs& args, u32 chunk) {
    const u32 joined = load_const(args.joined + chunk * LANES + lane_in_warp());
    return PathLane{args, chunk, joined, joined | joined << 1};
}
