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
#include "walk.cuh"

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
        if (near.put(is_near, v)) near.send(line);
        if (far.put(is_far, v)) put_on(far, pile);
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

KERNEL_OF(sssp_walk, SsspArgs, WALK_BLOCK, 1) {
    SHARED(u32, boxes[2 * 32 * OUTBOX]);
    const Offset* offsets = static_cast<const Offset*>(args.offsets);
    Key* distances = static_cast<Key*>(args.distances);
    const u64 n = args.vertices;
    u64* control = args.control;
    Grid grid = {reinterpret_cast<u32*>(control + ARRIVED), 0};
    const Outbox near_box = {boxes + warp_in_block() * 2 * OUTBOX, 0};
    const Outbox far_box = {near_box.slots + OUTBOX, 0};
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
    const Lists lists = {args.items, args.before, args.begins};
    const u32 degree = offsets[args.source + 1] - offsets[args.source];
    u64 tally = degree > 0 ? static_cast<u64>(degree) << 32 | 1 : 0;
    u32 step = 0, epoch = 0, slot = 0;
    bool has_long = degree > SHORT_ROW;
    // The current delta; and of this epoch, its rounds and their arcs; and the arcs of all epochs before.
    f64 delta = args.delta;
    u64 rounds = 0, arcs = 0, walked = 0;
    Key threshold = raised(key_of(static_cast<Distance>(0)), delta);
    grid_sync(grid);
    while (true) {
        const u32 next = (slot + 1) % 3, stamp = step + 1;
        u64* piled = control + PILED + epoch % 3;
        const bool is_rest = length_of(tally) == 0;
        const u32 waiting = static_cast<u32>(load_now(piled));
        if (is_rest && waiting == 0) break;
        if (thread_in_grid() == 0) {
            control[TALLY + (slot + 2) % 3] = 0;
            if (step % LEVELS_A_LOOK == LEVELS_A_LOOK - 1 && is_cancelled(args.cancel)) store_now(control + STOPPED, 1ull);
            if (args.log && step < args.logged) {
                u64* entry = args.log + 3 * step;
                // The far pile is logged without arcs.
                entry[0] = is_rest ? waiting : tally;
                entry[1] = 0;
                entry[2] = nanoseconds();
            }
        }
        const u64 now = static_cast<u64>(step % 2) * n, then = static_cast<u64>((step + 1) % 2) * n;
        u32* long_word = reinterpret_cast<u32*>(control + LONG + next);
        const Line line = {offsets, args.targets, from_entry(lists, then), control + TALLY + next, long_word, step + 1};
        u32* here = args.far + static_cast<u64>(epoch % 2) * n;
        const bool marks = EDGES_FAR && (is_rest ? waiting > grid_threads() / 8 : arcs_of(tally) > grid_threads());
        if (!is_rest) {
            const Pile pile = {here, piled, epoch + 1};
            const bool is_short = arcs_of(tally) <= FEW_ARCS;
            Relax relax = {args, distances, threshold, is_short, near_box, far_box, line, pile, stamp, NOT_NEARER, marks};
            walk(args.targets, from_entry(lists, now), tally, has_long, relax);
            relax.near.send(line);
            put_on(relax.far, pile);
            note_nearest(control + NEAREST + epoch % 3, relax.nearest);
            ++rounds;
            arcs += arcs_of(tally);
        } else {
            const Key old = threshold, nearest = static_cast<Key>(~load_now(control + NEAREST + epoch % 3));
            walked += arcs;
            delta = arcs < rounds * FEW_ROUND_ARCS && walked > offsets[n] / 2 ? 2 * delta : args.delta;
            threshold = raised(nearest > old ? nearest : old, delta);
            rounds = arcs = 0;
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
        grid_sync(grid);
        if (marks) {
            Outbox box = near_box;
            collect_bits(args.marks, (n + 31) / 32, box, line);
            grid_sync(grid);
        }
        slot = next;
        tally = load_now(control + TALLY + slot);
        ++step;
        has_long = load_now(reinterpret_cast<u32*>(control + LONG + slot)) == step;
        if (step % LEVELS_A_LOOK == 0) {
            if (load_now(control + STOPPED) != 0) break;
            if (thread_in_grid() == 0) store_now(args.progress, step);
        }
    }
    if (thread_in_grid() == 0) {
        control[LEVELS] = step;
        if (args.log && step < args.logged) args.log[3 * step + 2] = nanoseconds();
    }
}
