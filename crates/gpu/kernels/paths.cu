// The model `paths`: persistent warps take chunks of paths from two queues and walk them, until no chunk is awake. Each thread
// walks the paths of one lane, forward and then backward, on mirrors in shared memory; mirrors then join their masters.
#include "paths.cuh"
#if IS_SUM
typedef Gathered Mirror;
#include "paths_sum.cuh"
#else
typedef Value Mirror;
#include "paths_improve.cuh"
#endif

// Returns the shared memory of this warp.
#define WARP_SHARED(name) \
    DYNAMIC_SHARED(Mirror, all_shared); \
    void* name = all_shared + warp_in_block() * PATH_SHARED

// Sets masters to their first values, and notes the first NaN as `program_init` does.
KERNEL(paths_begin, PathArgs) {
    const Program program = {args.program.params};
    for (u64 i = thread_in_grid(); i < args.program.vertices; i += grid_threads()) {
        const Value x = program.init(VertexSight{args.program, static_cast<u32>(i)});
#if IS_SUM
        static_cast<Gathered*>(args.program.into)[i] = cast<Gathered>(x);
#else
        static_cast<Value*>(args.program.values)[i] = x;
#endif
        if (!is_number(x)) atomic_max(args.program.not_a_number, 0xffffffffffffffffull - i);
    }
}

// Returns true if a vertex sends first.
DEVICE bool is_seed(const PathArgs& args, u32 v) { return !args.seeds || has_bit(args.seeds, v); }

// Sets what was sent to nothing: of a seed the identity, of another vertex its first value. Wakes the chunks of all seeds, but under Min
// and Max only those of seeds that start with the identity: `paths_await` wakes the others.
KERNEL(paths_line_up, PathArgs) {
    const Program program = {args.program.params};
    const u64 slots = args.chunks * SLOTS;
    for (u64 i = thread_in_grid(); i < slots; i += grid_threads()) {
        const u32 v = load_const(args.vertices + i);
        const bool sends = v != EMPTY && is_seed(args, v);
#if IS_SUM
        static_cast<Gathered*>(args.seen)[i] = Sum::identity<Gathered>();
        if (args.backward) static_cast<Gathered*>(args.sent_back)[i] = Sum::identity<Gathered>();
        if (sends) atomic_or(args.states + i / SLOTS, AWAKE);
#else
        if (v == EMPTY) continue;
        const Value first = program.init(VertexSight{args.program, v}), none = Combine::identity<Value>();
        static_cast<Value*>(args.seen)[i] = sends ? none : first;
        if (sends && (!IS_ORDERED || first == none)) atomic_or(args.states + i / SLOTS, AWAKE);
#endif
    }
}

// Puts all chunks that are awake into the queues.
KERNEL(paths_collect, PathArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.chunks; base += grid_threads()) {
        const u64 chunk = base + lane_in_warp();
        const bool is_awake = chunk < args.chunks && args.states[chunk] & AWAKE;
        const bool is_hot = chunk < args.hub_chunks;
        append(Queue{args.hot, control(args, HOT_TAIL)}, is_awake && is_hot, static_cast<u32>(chunk));
        append(Queue{args.cold, control(args, COLD_TAIL)}, is_awake && !is_hot, static_cast<u32>(chunk));
    }
}

// A warp's place in a queue; NONE if it has none.
#define NONE 0xffffffffffffffffull

struct PathWorker {
    const PathArgs& args;
    u64 places[2];
    bool prefers_hot;
    u64 stolen;

    // Returns the chunk in the place that this warp has in a queue, or gets now if a chunk may be there; EMPTY if there is none.
    // `always`: gets a place in any case.
    DEVICE u32 look(bool hot, bool always) {
        const PathQueue queue = queue_of(args, hot);
        u64& place = places[hot];
        if (place == NONE) {
            if (!always && load_now(queue.head) >= load_now(queue.tail)) return EMPTY;
            place = atomic_add(queue.head, 1ull);
        }
        if (place >= queue.room) return EMPTY;
        const u32 chunk = load_now(queue.items + place);
        if (chunk != EMPTY) place = NONE;
        return chunk;
    }

    DEVICE u32 take() {
        u32 chunk = look(prefers_hot, true);
        if (chunk == EMPTY) {
            chunk = look(!prefers_hot, false);
            stolen += chunk != EMPTY;
        }
        return chunk;
    }

    DEVICE bool is_over() const {
        return load_now(control(args, PENDING)) == 0 || load_now(control(args, STOPPED)) != 0;
    }

    // Waits for a chunk; returns EMPTY if there is nothing more to do.
    DEVICE u32 wait(u64& idle) {
        u32 chunk = take();
        if (chunk != EMPTY) return chunk;
        const u64 since = nanoseconds();
        u32 looks = 0;
        bool over = false;
        wait_until([&] {
            chunk = take();
            over = chunk == EMPTY && is_over();
            if (++looks % 1024 == 0 && is_cancelled(args.cancel)) over = true;
            return chunk != EMPTY || over;
        });
        idle += nanoseconds() - since;
        return chunk;
    }

    // Returns true if all chunks that were queued when this round began have been taken.
    DEVICE bool is_round_over() const {
        return load_now(control(args, HOT_HEAD)) >= load_now(control(args, HOT_MARK)) &&
               load_now(control(args, COLD_HEAD)) >= load_now(control(args, COLD_MARK));
    }

    // Begins a new round if this one is over. One warp at a time.
    DEVICE void turn() const {
        if (!is_round_over() || atomic_compare_exchange(control(args, TURNING), 0ull, 1ull)) return;
        const u64 hot = load_now(control(args, HOT_TAIL)), cold = load_now(control(args, COLD_TAIL));
        if (is_round_over() && load_now(control(args, STOPPED)) == 0) {
            store_now(control(args, HOT_MARK), hot);
            store_now(control(args, COLD_MARK), cold);
            const u64 round = load_now(control(args, ROUND)) + 1;
            store_now(control(args, ROUND), round);
            if (round >= args.until) store_now(control(args, STOPPED), 1ull);
        }
        fence_device();
        store_now(control(args, TURNING), 0ull);
    }
};

// Adds up a number over the warp, in all lanes.
template <class T> DEVICE T over_warp(T x) {
    for (u32 by = 16; by > 0; by /= 2) x += warp_shuffle_xor(FULL_WARP, x, by);
    return x;
}

// Adds what lanes counted to control words. Every lane of the warp calls it.
DEVICE void tell(const PathArgs& args, const PathCounts& counts) {
    const u64 updates = over_warp(counts.updates), merges = over_warp(counts.merges), edges = over_warp(counts.edges);
    const f64 sent = over_warp(counts.sent);
    if (lane_in_warp() != 0) return;
    atomic_add(control(args, UPDATES), updates);
    atomic_add(control(args, MERGES), merges);
    atomic_add(control(args, EDGES), edges);
    atomic_add(reinterpret_cast<f64*>(control(args, SENT)), sent);
}

// Adds what the lanes counted for one chunk to the log of its round.
DEVICE void log_chunk(const PathArgs& args, const PathCounts& before, const PathCounts& after) {
    const u64 updates = over_warp(after.updates - before.updates), edges = over_warp(after.edges - before.edges);
    const f64 sent = over_warp(after.sent - before.sent);
    if (lane_in_warp() != 0) return;
    const u64 round = load_now(control(args, ROUND));
    u64* entry = args.log + (round < LOGGED ? round : LOGGED - 1) * LOG_ENTRY;
    atomic_add(entry, 1ull);
    atomic_add(entry + 1, edges);
    atomic_add(entry + 2, updates);
    atomic_add(reinterpret_cast<f64*>(entry + 3), sent);
    atomic_max(entry + 4, nanoseconds());
}

// Walks a chunk that this warp has taken.
DEVICE void handle(const PathArgs& args, u32 chunk, void* shared, PathCounts& counts) {
    u32 old = 0;
    if (lane_in_warp() == 0) {
        old = atomic_exchange(args.states + chunk, BUSY | MET);
        fence_device();
    }
    warp_sync(FULL_WARP);
    old = warp_shuffle(FULL_WARP, old, 0u);
    const PathCounts before = counts;
    HandledLane lane = handled(lane_of(args, chunk), shared);
    lane.load(!(old & MET));
    const u32 passes = chunk < args.hub_chunks ? args.passes : 1;
    for (u32 nth = 0; nth < passes; ++nth) {
        lane.pass(counts);
        if (nth + 1 < passes && !warp_any(FULL_WARP, lane.has_more())) break;
    }
    const bool is_active = warp_any(FULL_WARP, lane.merge(counts));
    if (args.log) log_chunk(args, before, counts);
    // All that this handling changed, and woke, comes before.
    fence_device();
    warp_sync(FULL_WARP);
    if (lane_in_warp() != 0) return;
    if (is_active) atomic_or(args.states + chunk, AWAKE);
    if (atomic_and(args.states + chunk, ~BUSY) & AWAKE) push_chunk(args, chunk);
    else atomic_add(control(args, PENDING), ~0ull);
}

KERNEL_OF(paths_walk, PathArgs, PATH_BLOCK, 1) {
    WARP_SHARED(shared);
    const u32 worker = warp_in_block() * grid_blocks() + block_in_grid();
    PathWorker own = {args, {NONE, NONE}, worker < args.hub_workers, 0};
    PathCounts counts = {0, 0, 0, 0.0};
    u64 handled_chunks = 0, idle = 0;
    const u64 since = nanoseconds();
    // When the first launch began stands behind the log.
    if (args.log && thread_in_grid() == 0 && args.log[LOGGED * LOG_ENTRY] == 0) args.log[LOGGED * LOG_ENTRY] = since;
    for (;;) {
        u32 chunk = EMPTY;
        if (lane_in_warp() == 0 && load_now(control(args, STOPPED)) == 0) {
            if (handled_chunks % 64 == 63 && is_cancelled(args.cancel)) store_now(control(args, STOPPED), 1ull);
            chunk = own.wait(idle);
        }
        chunk = warp_shuffle(FULL_WARP, chunk, 0u);
        if (chunk == EMPTY) break;
        handle(args, chunk, shared, counts);
        ++handled_chunks;
        if (lane_in_warp() == 0) own.turn();
    }
    tell(args, counts);
    if (lane_in_warp() != 0) return;
    atomic_add(control(args, HANDLED), handled_chunks);
    atomic_add(control(args, STOLEN), own.stolen);
    atomic_add(control(args, IDLE), idle);
    atomic_add(control(args, SPENT), nanoseconds() - since);
}

#if IS_ORDERED
// Wakes the chunks in which a row is due. Notes the place of the best value that waits, so that a better one is a greater number.
KERNEL_OF(paths_await, PathArgs, PATH_BLOCK, 1) {
    WARP_SHARED(shared);
    f64 best = Min::identity<f64>();
    const u32 step = grid_threads() / 32;
    for (u64 chunk = thread_in_grid() / 32; chunk < args.chunks; chunk += step) {
        HandledLane lane = handled(lane_of(args, static_cast<u32>(chunk)), shared);
        lane.load(false);
        const bool is_due = warp_any(FULL_WARP, lane.await(best));
        if (is_due && lane_in_warp() == 0) args.states[chunk] |= AWAKE;
    }
    for (u32 by = 16; by > 0; by /= 2) best = least(best, warp_shuffle_xor(FULL_WARP, best, by));
    const u64 bits = bits_of(best);
    if (lane_in_warp() == 0 && best < Min::identity<f64>()) atomic_max(control(args, BEST), bits >> 63 ? bits : ~(bits | 1ull << 63));
}
#endif

#if IS_SUM
// Adds up the messages that have not been sent, in args.program.sums, one number per block, and finds the largest change that
// has not. Sets the chunks awake in which something is due.
KERNEL_OF(paths_weigh, PathArgs, PATH_BLOCK, 1) {
    SHARED(f64, warps[32]);
    WARP_SHARED(shared);
    f64 rest = 0, largest = 0;
    const u32 step = grid_threads() / 32;
    for (u64 chunk = thread_in_grid() / 32; chunk < args.chunks; chunk += step) {
        HandledLane lane = handled(lane_of(args, static_cast<u32>(chunk)), shared);
        lane.load(false);
        const bool is_due = warp_any(FULL_WARP, lane.weigh(rest, largest));
        if (is_due && lane_in_warp() == 0) args.states[chunk] |= AWAKE;
    }
    const f64 sum = block_sum(rest, warps);
    if (thread_in_block() == 0) args.program.sums[block_in_grid()] = sum;
    // The bits of numbers that are not negative have the order of the numbers.
    for (u32 by = 16; by > 0; by /= 2) {
        const f64 other = warp_shuffle_xor(FULL_WARP, largest, by);
        if (other > largest) largest = other;
    }
    if (lane_in_warp() == 0) atomic_max(control(args, LARGEST), bits_of(largest));
}

// Writes the totals as values.
KERNEL(paths_end, PathArgs) {
    const Gathered* totals = static_cast<const Gathered*>(args.program.into);
    for (u64 v = thread_in_grid(); v < args.program.vertices; v += grid_threads()) {
        static_cast<Value*>(args.program.values)[v] = cast<Value>(totals[v]);
    }
}
#endif
