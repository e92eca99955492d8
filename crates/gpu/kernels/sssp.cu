// Shortest paths by a persistent kernel: near-far [1]. The module defines `Distance`, `Weight` and `Key`; GREATEST is
// the key of an unreached vertex. No weight is negative, so distances have the order of their bits, and `distances`
// holds bits.
//
// A vertex whose distance falls below the threshold is relaxed in the next round; all others wait on the far pile. When
// no near vertex is left, the threshold rises past the nearest vertex of the pile, and the kernel goes through the
// pile: vertices below the new threshold become near, and vertices that were relaxed since they were put there are
// dropped. Stamps ensure that no vertex is appended twice per round, or twice to the pile of an epoch.
//
// [1] A. Davidson, S. Baxter, M. Garland, J. Owens, Work-efficient parallel GPU methods for single-source shortest
// paths, IPDPS 2014.
#define OUTBOX 160u
#include "thin.cuh"

// Control words of this algorithm: the lengths of piles, and the nearest key on them (as ~key, so that 0 means none),
// for three epochs in turn.
#define PILED (OWN)
#define NEAREST (OWN + 3)
// After m/2 relaxations, delta doubles after each epoch whose rounds average fewer arcs than this: there, rounds cost
// more than relaxing arcs twice. Earlier, a larger delta would make the large rounds to come relax all their arcs
// twice.
#define FEW_ROUND_ARCS 4096u
#define NOT_NEARER (~static_cast<Key>(0))
// If edges are far, a frontier that follows one with more arcs than the grid has threads is put in order before it is walked
// along: its vertices are marked in a bitmap first.

DEVICE u32 key_of(u32 x) { return x; }
DEVICE u64 key_of(u64 x) { return x; }
DEVICE u32 key_of(f32 x) { return bits_of(x); }
DEVICE u64 key_of(f64 x) { return bits_of(x); }
DEVICE void from_key(u32 key, u32& x) { x = key; }
DEVICE void from_key(u64 key, u64& x) { x = key; }
DEVICE void from_key(u32 key, f32& x) { x = f32_of(key); }
DEVICE void from_key(u64 key, f64& x) { x = f64_of(key); }

DEVICE Distance distance_of(Key key) {
    Distance x;
    from_key(key, x);
    return x;
}

// Returns the threshold above a distance: higher by delta, at least by one key, and at most GREATEST.
DEVICE Key raised(Key from, f64 delta) {
    const f64 sum = static_cast<f64>(distance_of(from)) + delta;
    const f64 most = static_cast<f64>(distance_of(GREATEST));
    if (!(sum < most)) return GREATEST;
    const Key key = key_of(static_cast<Distance>(sum));
    return key > from ? key : from + 1;
}

// The far pile of an epoch.
struct Pile {
    u32* items;
    u64* length;
    u32 stamp;
};

// Moves the vertices of an outbox to a pile.
DEVICE void put_on(Outbox& box, const Pile& pile) {
    warp_sync(FULL_WARP);
    u64 place = 0;
    if (box.filled > 0 && lane_in_warp() == 0) place = atomic_add(pile.length, static_cast<u64>(box.filled));
    place = warp_shuffle(FULL_WARP, place, 0u);
    for (u32 i = lane_in_warp(); i < box.filled; i += 32) pile.items[place + i] = box.slots[i];
    box.filled = 0;
    warp_sync(FULL_WARP);
}

// Marks a vertex of the next frontier.
DEVICE void mark(const SsspArgs& args, u32 v) {
    const u32 bit = 1u << (v & 31);
    u32* word = args.marks + (v >> 5);
    if ((load_now(word) & bit) == 0) atomic_or(word, bit);
}

struct Relax {
    typedef Key Look;
    const SsspArgs& args;
    Key* distances;
    Key threshold;
    bool is_short;
    Outbox near, far;
    Line line;
    Pile pile;
    u32 stamp;
    // The nearest key that was put on the pile.
    Key nearest;
    // Marks near vertices in the bitmap instead of listing them.
    bool marks;

    DEVICE u64 lines() const { return static_cast<const Offset*>(args.offsets)[args.vertices] / 32; }
    DEVICE Look look(bool is, u32 u, u32 v, Offset arc) const {
#if EDGES_FAR
        // No weight is negative: an arc to a nearer vertex cannot shorten a path, whatever its weight. Weights cross the bus as
        // a line, or not at all if no lane needs its own.
        const bool may = is && (is_short || distances[u] < distances[v]);
        if (!warp_any(FULL_WARP, may)) return NOT_NEARER;
        const Weight weight = is ? weight_at<Weight>(args.weights, arc & args.weight_mask) : Weight();
        keep(weight);
        if (!may) return NOT_NEARER;
#else
        if (!is) return NOT_NEARER;
        const Weight weight = weight_at<Weight>(args.weights, arc & args.weight_mask);
#endif
        const Key key = key_of(static_cast<Distance>(distance_of(distances[u]) + static_cast<Distance>(weight)));
        return is_short || key < distances[v] ? key : NOT_NEARER;
    }
    DEVICE void act(bool is, u32, u32 v, Look key) {
        if (near.put(relaxes(is, v, key), v)) near.send(line);
    }
    DEVICE bool reach(bool is, u32 u, u32 v, Offset arc) { return relaxes(is, v, look(is, u, v, arc)); }
    // Shortens the distance of a vertex, and puts it on the pile if it is far. Returns true in the lane that is to list it.
    DEVICE bool relaxes(bool is, u32 v, Key key) {
        bool is_near = false, is_far = false;
        if (is && key != NOT_NEARER && key < atomic_min(distances + v, key)) {
            if (key < threshold) {
                if (EDGES_FAR && marks) {
                    mark(args, v);
                } else {
                    is_near = claim(args.stamps, v, stamp);
                }
            } else {
                is_far = claim(args.far_stamps, v, pile.stamp);
                if (key < nearest) nearest = key;
            }
        }
        if (far.put(is_far, v)) put_on(far, pile);
        return is_near;
    }
};

// Notes the nearest key of all threads for a pile. Every thread must call.
DEVICE void note_nearest(u64* word, Key nearest) {
    for (u32 by = 16; by > 0; by /= 2) {
        const Key other = warp_shuffle_xor(FULL_WARP, nearest, by);
        if (other < nearest) nearest = other;
    }
    if (lane_in_warp() == 0 && nearest != NOT_NEARER) atomic_max(word, ~static_cast<u64>(nearest));
}

// Where the walk is: the next step, the tally of its frontier; and of this epoch, its rounds and their arcs.
struct Place {
    u32 step;
    u64 tally, rounds, arcs;
    bool has_long;

    // Ends a round.
    DEVICE void go_on(u64 next_tally, bool has_long_row) {
        ++rounds;
        arcs += arcs_of(tally);
        next(next_tally, has_long_row);
    }
    DEVICE void next(u64 next_tally, bool has_long_row) {
        tally = next_tally;
        has_long = has_long_row;
        ++step;
    }
    // Returns the lists of the frontier of a step.
    DEVICE Lists lists_of(const SsspArgs& args, u32 which) const {
        return from_entry(Lists{args.items, args.before, args.begins}, static_cast<u64>(which % 2) * args.vertices);
    }
};

// Writes what is known of a step before it is taken. The far pile is logged without arcs.
DEVICE void note_step(const SsspArgs& args, u32 step, u64 tally) {
    if (step % LEVELS_A_LOOK == LEVELS_A_LOOK - 1 && is_cancelled(args.cancel)) store_now(args.control + STOPPED, 1ull);
    if (!args.log || step >= args.logged) return;
    u64* entry = args.log + 3 * step;
    entry[0] = tally;
    entry[1] = 0;
    entry[2] = nanoseconds();
}

// Writes where the walk is, and reads it.
DEVICE void write_place(u64* words, const Place& at) {
    const u64 values[] = {at.step, at.tally, at.rounds, at.arcs, at.has_long};
    for (u32 k = 0; k < PLACE_WORDS; ++k) store_now(words + k, values[k]);
}
DEVICE Place read_place(const u64* words) {
    u64 values[PLACE_WORDS];
    for (u32 k = 0; k < PLACE_WORDS; ++k) values[k] = load_now(words + k);
    return Place{static_cast<u32>(values[0]), values[1], values[2], values[3], values[4] != 0};
}

// Reads now and then whether the walk is to stop, and tells the host the step.
DEVICE bool looks_stopped(const SsspArgs& args, u32 step, bool tells) {
    if (step % LEVELS_A_LOOK != 0) return false;
    if (tells) store_now(args.progress, step);
    return load_now(args.control + STOPPED) != 0;
}

// Relaxes frontiers in this warp alone while they have few arcs. Returns where the walk is then.
DEVICE Place relax_few(const SsspArgs& args, Relax& relax, Place at) {
    const Offset* offsets = static_cast<const Offset*>(args.offsets);
    Held held = held_of(at.lists_of(args, at.step), at.tally);
    bool is_stopped = false;
    relax.is_short = true;
    while (is_few(at.tally, at.has_long) && !is_stopped) {
        if (lane_in_warp() == 0) note_step(args, at.step, at.tally);
        relax.stamp = at.step + 1;
        held = walk_held(args.targets, offsets, held, relax);
        bool has_long = false;
        const u64 tally = list_held(at.lists_of(args, at.step + 1), held, has_long);
        at.go_on(tally, has_long);
        is_stopped = looks_stopped(args, at.step, lane_in_warp() == 0);
    }
    return at;
}

// Relaxes frontiers in this block alone while they are tiny, and tells the grid where the walk is then.
DEVICE void relax_alone(const SsspArgs& args, Relax& relax, Thin& shared, Place at) {
    const Offset* offsets = static_cast<const Offset*>(args.offsets);
    begin_alone(shared, at.step);
    bool is_stopped = false;
    Outbox far = relax.far;
    Key nearest = relax.nearest;
    while (is_tiny(at.tally, at.has_long) && !is_stopped) {
        const Line line = line_alone(offsets, args.targets, at.lists_of(args, at.step + 1), shared, at.step);
        Relax round = {args, relax.distances, relax.threshold, true, relax.near, far, line, relax.pile, at.step + 1, nearest, false};
        if (is_few(at.tally, at.has_long)) {
            if (warp_in_block() == 0) {
                at = relax_few(args, round, at);
                if (lane_in_warp() == 0) write_place(shared.place, at);
            }
            block_sync();
            at = read_place(shared.place);
            is_stopped = load_now(args.control + STOPPED) != 0;
            begin_alone(shared, at.step);
        } else {
            if (thread_in_block() == 0) note_step(args, at.step, at.tally);
            walk_thin(args.targets, at.lists_of(args, at.step), at.tally, own_block(), line, round);
            bool has_long = false;
            const u64 tally = sync_alone(shared, at.step, has_long);
            at.go_on(tally, has_long);
            is_stopped = looks_stopped(args, at.step, thread_in_block() == 0);
        }
        far = round.far;
        nearest = round.nearest;
    }
    relax.far = far;
    relax.nearest = nearest;
    if (thread_in_block() == 0) write_place(args.control + ALONE, at);
}

KERNEL_OF(sssp_walk, SsspArgs, WALK_BLOCK, 1) {
    SHARED(u32, boxes[2 * 32 * OUTBOX]);
    SHARED(Thin, shared);
    const Offset* offsets = static_cast<const Offset*>(args.offsets);
    Key* distances = static_cast<Key*>(args.distances);
    const u64 n = args.vertices;
    u64* control = args.control;
    Grid grid = {reinterpret_cast<u32*>(control + ARRIVED), 0};
    const Outbox near_box = {boxes + warp_in_block() * 2 * OUTBOX, 0};
    const Outbox far_box = {near_box.slots + OUTBOX, 0};
    if (thread_in_block() == 0) shared.has_long = 0;
    for (u64 v = thread_in_grid(); v < n; v += grid_threads()) {
        distances[v] = v == args.source ? key_of(static_cast<Distance>(0)) : GREATEST;
        args.stamps[v] = 0;
        args.far_stamps[v] = 0;
    }
#if EDGES_FAR
    for (u64 word = thread_in_grid(); word < (n + 31) / 32; word += grid_threads()) args.marks[word] = 0;
#endif
    if (thread_in_grid() == 0) {
        args.items[0] = args.source;
        args.before[0] = 0;
        args.begins[0] = offsets[args.source];
    }
    const u32 degree = offsets[args.source + 1] - offsets[args.source];
    Place at = {0, degree > 0 ? static_cast<u64>(degree) << 32 | 1 : 0, 0, 0, degree > SHORT_ROW};
    u32 epoch = 0, slot = 0;
    // The current delta, and the arcs of all epochs before this one.
    f64 delta = args.delta;
    u64 walked = 0;
    Key threshold = raised(key_of(static_cast<Distance>(0)), delta);
    grid_sync(grid);
    while (true) {
        const u32 next = (slot + 1) % 3, step = at.step;
        u64* piled = control + PILED + epoch % 3;
        const bool is_rest = length_of(at.tally) == 0;
        const u32 waiting = static_cast<u32>(load_now(piled));
        if (is_rest && waiting == 0) break;
        const bool thin = !is_rest && is_thin(at.tally, at.has_long);
        u64* const filled = control + TALLY + next;
        u32* const long_word = thin ? &shared.has_long : reinterpret_cast<u32*>(control + LONG + next);
        const Line line = {offsets, args.targets, at.lists_of(args, step + 1), filled, long_word, thin ? 1 : step + 1};
        u32* here = args.far + static_cast<u64>(epoch % 2) * n;
        const bool marks = EDGES_FAR && !thin && (is_rest ? waiting > grid_threads() / 8 : arcs_of(at.tally) > grid_threads());
        const Pile old_pile = {here, piled, epoch + 1};
        const bool is_short = arcs_of(at.tally) <= FEW_ARCS;
        Relax relax = {args, distances, threshold, is_short, near_box, far_box, line, old_pile, step + 1, NOT_NEARER, marks};
        if (is_tiny(at.tally, at.has_long)) {
            if (block_in_grid() == 0) relax_alone(args, relax, shared, at);
            put_on(relax.far, old_pile);
            note_nearest(control + NEAREST + epoch % 3, relax.nearest);
            grid_sync(grid);
            at = read_place(control + ALONE);
            if (load_now(control + STOPPED) != 0) break;
            continue;
        }
        if (thread_in_grid() == 0) {
            control[TALLY + (slot + 2) % 3] = 0;
            note_step(args, step, is_rest ? waiting : at.tally);
        }
        if (!is_rest) {
            if (thin) {
                walk_thin(args.targets, at.lists_of(args, step), at.tally, whole_grid(), line, relax);
            } else {
                walk(args.targets, at.lists_of(args, step), at.tally, at.has_long, relax);
                relax.near.send(line);
            }
            put_on(relax.far, old_pile);
            note_nearest(control + NEAREST + epoch % 3, relax.nearest);
        } else {
            const Key old = threshold, nearest = static_cast<Key>(~load_now(control + NEAREST + epoch % 3));
            walked += at.arcs;
            delta = at.arcs < at.rounds * FEW_ROUND_ARCS && walked > offsets[n] / 2 ? 2 * delta : args.delta;
            threshold = raised(nearest > old ? nearest : old, delta);
            ++epoch;
            if (thread_in_grid() == 0) {
                control[PILED + (epoch + 1) % 3] = 0;
                control[NEAREST + (epoch + 1) % 3] = 0;
            }
            const Pile pile = {args.far + static_cast<u64>(epoch % 2) * n, control + PILED + epoch % 3, epoch + 1};
            Outbox near = near_box, far = far_box;
            Key least = NOT_NEARER;
            for (u64 base = thread_in_grid() - lane_in_warp(); base < waiting; base += grid_threads()) {
                const u64 i = base + lane_in_warp();
                bool is_near = false, is_far = false;
                u32 v = 0;
                if (i < waiting) {
                    v = here[i];
                    const Key key = distances[v];
                    is_near = key >= old && key < threshold;
                    is_far = key >= threshold;
                    if (is_far) {
                        args.far_stamps[v] = pile.stamp;
                        if (key < least) least = key;
                    }
                }
                if (marks) {
                    if (is_near) mark(args, v);
                    is_near = false;
                }
                if (near.put(is_near, v)) near.send(line);
                if (far.put(is_far, v)) put_on(far, pile);
            }
            near.send(line);
            put_on(far, pile);
            note_nearest(pile.length + (NEAREST - PILED), least);
        }
        u64 tally = 0;
        bool has_long = false;
        if (thin) {
            tally = thin_sync(filled, shared, has_long);
        } else {
            grid_sync(grid);
            if (marks) {
                Outbox box = near_box;
                collect_bits(args.marks, (n + 31) / 32, box, line);
                grid_sync(grid);
            }
            tally = load_now(filled);
            has_long = load_now(long_word) == step + 1;
        }
        if (is_rest) {
            at.rounds = at.arcs = 0;
            at.next(tally, has_long);
        } else {
            at.go_on(tally, has_long);
        }
        slot = next;
        if (looks_stopped(args, at.step, thread_in_grid() == 0)) break;
    }
    if (thread_in_grid() == 0) {
        control[LEVELS] = at.step;
        if (args.log && at.step < args.logged) args.log[3 * at.step + 2] = nanoseconds();
    }
}
