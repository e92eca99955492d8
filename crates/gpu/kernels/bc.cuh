// Betweenness by Brandes' algorithm from several sources at once: as many copies of the graph as there are sources, of
// which one is stored. Vertex v of copy c has the number c * vertices + v; all arrays have an entry for each. The
// module defines `Distance` and `Weight`, and `HOPS` as 1 if every arc counts as one hop.
//
// An arc u -> v is tight if it lies on a shortest path: dist[u] + w == dist[v]. Tight arcs form no cycle, since weights
// are positive.

DEVICE bool is_reached(Distance x) { return x != Scalar<Distance>::greatest(); }

struct Tight {
    const BcArgs& args;
    DEVICE Distance* distances() const { return static_cast<Distance*>(args.distances); }
    // Returns the distance one arc farther.
    DEVICE Distance longer(Distance from, Offset arc) const {
#if HOPS
        return plus(from, 1u);
#else
        return plus(from, cast<Distance>(weight_at<Weight>(args.weights, arc)));
#endif
    }
    // Returns true if the arc is tight. A sum of decimals that overflows equals the distance of an unreached vertex, so
    // both ends must be reached.
    DEVICE bool holds(u32 u, u32 v, Offset arc) const {
        const Distance near = distances()[u], far = distances()[v];
        return u != v && is_reached(near) && is_reached(far) && longer(near, arc) == far;
    }
};

// 2^900. Counts above this may overflow f64 on the layer after the next, whatever the degrees.
#define MANY_PATHS f64_of(0x7830000000000000ull)

// Tells the host if a count is that large.
DEVICE void look_at_count(const BcArgs& args, u32 u) {
    if (args.counts[u] > MANY_PATHS) atomic_max(args.counters + MANY, static_cast<u64>(1));
}
