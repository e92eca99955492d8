// Rounds of Boruvka: every tree finds its least edge and is hooked to the tree at the other end. Edges are compared by
// (weight, smaller end, larger end), with ends by their original numbers. So no two edges are equal, and hooks close no
// cycle except that of two trees that found the same edge. The module defines `Weight`, and `Key`, which has the order
// of weights.
//
// A graph may have copies of vertices and holes. A copy is in the tree of its master from the start, so the edges in its
// row are edges of that tree. It is never the root of a tree and never holds an edge.
#include "scalar.cuh"
#include "words.cuh"
#include "copies.cuh"

#define NO_EDGE 0xffffffffffffffffull

DEVICE const Offset* offsets_of(const MstArgs& args) { return static_cast<const Offset*>(args.offsets); }
DEVICE Key* keys_of(const MstArgs& args) { return static_cast<Key*>(args.keys); }

// Returns the greatest key.
DEVICE u32 last_key(u32) { return 0xffffffffu; }
DEVICE i32 last_key(i32) { return 0x7fffffff; }
DEVICE i64 last_key(i64) { return 0x7fffffffffffffffll; }

// Returns the key of an arc's weight. Adding 0 turns -0 into 0.
DEVICE Key key_of(const MstArgs& args, u64 arc) {
    return order(plus(weight_at<Weight>(args.weights, arc), Weight(0)));
}

DEVICE u64 ends_of(const MstArgs& args, u32 u, u32 v) {
    const u32 a = args.originals ? args.originals[u] : u, b = args.originals ? args.originals[v] : v;
    return a < b ? pack(a, b) : pack(b, a);
}

// Lowers *at to x. Usually *at is already lower, and no atomic is needed.
template <class T> DEVICE void lower(T* at, T x) {
    if (x < load_now(at)) atomic_min(at, x);
}

// Returns true if an edge that is in the rows of both ends counts in the row of u. The ends are copies or masters, whose
// original numbers tell them apart.
DEVICE bool counts_from(const MstArgs& args, u32 u, u32 v) {
    return args.copies.idle ? args.originals[u] < args.originals[v] : u < v;
}

// A live arc, and the trees at its ends.
struct Between {
    bool is;
    u32 a, b;
};

// Returns the trees at the ends of an arc. Of an undirected edge only the arc from the smaller number counts. Clears
// the bits of arcs within a tree.
DEVICE Between between(const MstArgs& args, u64 word, bool is, u32 u, u64 arc) {
    Between found = Between{false, 0, 0};
    if (is) {
        const u32 v = target_at(args.targets, arc);
        found.a = args.roots[u], found.b = args.roots[v];
        found.is = found.a != found.b && (!args.is_undirected || counts_from(args, u, v));
    }
    const u32 before = warp_ballot(FULL_WARP, is), after = warp_ballot(FULL_WARP, found.is);
    if (lane_in_warp() == 0 && before != after) args.alive[word] = after;
    return found;
}

// Finds the least weight of each tree's edges.
struct Weigh {
    const MstArgs& args;
    DEVICE u32 word(u64 word, bool is, u32 u, u64 arc) const {
        const Between found = between(args, word, is, u, arc);
        if (found.is) {
            const Key key = key_of(args, arc);
            lower(keys_of(args) + found.a, key);
            lower(keys_of(args) + found.b, key);
        }
        return 1;
    }
};

// Finds the least ends among edges of that weight; without weights, among all edges.
struct Choose {
    const MstArgs& args;
    DEVICE u32 word(u64 word, bool is, u32 u, u64 arc) const {
        const Between found = between(args, word, is, u, arc);
        if (!found.is) return 1;
        bool of_a = true, of_b = true;
        if (args.weights.near) {
            const Key key = key_of(args, arc);
            of_a = key == keys_of(args)[found.a], of_b = key == keys_of(args)[found.b];
        }
        if (of_a || of_b) {
            const u64 ends = ends_of(args, u, target_at(args.targets, arc));
            if (of_a) lower(args.ends + found.a, ends);
            if (of_b) lower(args.ends + found.b, ends);
        }
        return 1;
    }
};

KERNEL(mst_begin, MstArgs) {
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) {
        const u32 v = static_cast<u32>(i);
        args.roots[v] = v;
        args.ends[v] = NO_EDGE;
        if (args.weights.near) keys_of(args)[v] = last_key(Key());
        if (args.originals && !is_idle(args.copies, v)) args.inner[args.originals[v]] = v;
    }
}

// Puts every copy into the tree of its master.
KERNEL(mst_unite, MstArgs) {
    for (u64 i = thread_in_grid(); i < args.copies.pairs; i += grid_threads()) {
        args.roots[args.copies.copies[i]] = args.copies.masters[i];
    }
}

KERNEL(mst_weigh, MstArgs) {
    Weigh weigh = Weigh{args};
    each_word(offsets_of(args), args.vertices, args.alive, 32, args.cancel, weigh);
}

KERNEL(mst_choose, MstArgs) {
    Choose choose = Choose{args};
    each_word(offsets_of(args), args.vertices, args.alive, 32, args.cancel, choose);
}

// Finds the tree at the other end of each tree's edge. This is a separate kernel because hooking changes roots.
KERNEL(mst_find, MstArgs) {
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) {
        const u32 tree = static_cast<u32>(i);
        if (args.roots[tree] != tree || args.ends[tree] == NO_EDGE) continue;
        u32 u = hi(args.ends[tree]), v = lo(args.ends[tree]);
        if (args.originals) u = args.inner[u], v = args.inner[v];
        args.links[tree] = args.roots[u] == tree ? args.roots[v] : args.roots[u];
    }
}

// Hooks each tree to the other one. Of two trees that found the same edge, the one with the smaller root stays a root
// and drops the edge. So exactly one vertex holds each edge of the forest: the one that was a root until it was hooked
// along this edge.
KERNEL(mst_hook, MstArgs) {
    SHARED(u64, warps[32]);
    u64 hooked = 0;
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) {
        const u32 tree = static_cast<u32>(i);
        if (args.roots[tree] != tree || args.ends[tree] == NO_EDGE) continue;
        const u32 other = args.links[tree];
        if (tree < other && args.links[other] == tree) {
            args.ends[tree] = NO_EDGE;
            if (args.weights.near) keys_of(args)[tree] = last_key(Key());
        } else {
            args.roots[tree] = other;
            ++hooked;
        }
    }
    hooked = block_sum(hooked, warps);
    if (thread_in_block() == 0 && hooked > 0) atomic_add(args.counters + HOOKED, hooked);
}

// Points every vertex higher up its tree, at the root if that is near: each launch shortens the longest path by a
// factor of JUMPS.
KERNEL(mst_jump, MstArgs) {
    bool is_far = false;
    for (u64 v = thread_in_grid(); v < args.vertices; v += grid_threads()) {
        const u32 start = load_now(args.roots + v);
        u32 root = start, above = load_now(args.roots + root);
        for (u32 jump = 0; jump < JUMPS && above != root; ++jump) {
            root = above;
            above = load_now(args.roots + root);
        }
        if (root != start) store_now(args.roots + v, root);
        is_far |= above != root;
    }
    if (is_far) atomic_max(args.counters + FAR, static_cast<u64>(1));
}
