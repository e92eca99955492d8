// Betweenness by Brandes' algorithm over distances that are known: filters along the arcs of shortest paths. An arc u -> v lies on one
// if dist[u] + w == dist[v]; these arcs form no cycle, since weights are positive, and are walked in an order that meets a vertex
// after all its predecessors: a vertex is taken when the last of its arcs is.

DEVICE bool is_reached(Distance x) { return x != Scalar<Distance>::greatest(); }

struct Tight {
    const BcArgs& args;
    DEVICE Distance distance(u32 v) const { return static_cast<const Distance*>(args.distances)[v]; }
    // Does an arc of this number lie on a shortest path from u to v?
    DEVICE bool holds(u32 u, u32 v, Offset arc) const {
        if (!is_reached(distance(u))) return false;
        const Weight weight = args.weights ? static_cast<const Weight*>(args.weights)[arc & args.weight_mask] : Weight(1);
        return plus(distance(u), cast<Distance>(weight)) == distance(v);
    }
};

// How many arcs of shortest paths lead to each vertex. An arc whose weight vanishes beside the distance could close a cycle: that is noted.
struct Expect {
    Tight tight;
    struct Source {};
    DEVICE Source enter(u32) const { return Source(); }
    DEVICE bool edge(const Source&, u32 u, u32 v, Offset arc) const {
        if (tight.holds(u, v, arc)) {
            atomic_add(tight.args.pending + v, 1u);
            if (tight.distance(u) == tight.distance(v)) atomic_max(tight.args.problems + VANISHED, static_cast<u64>(1));
        }
        return false;
    }
};

// A vertex is taken with the last of its arcs.
struct Forward {
    Tight tight;
    struct Source {};
    DEVICE Source enter(u32) const { return Source(); }
    DEVICE bool edge(const Source&, u32 u, u32 v, Offset arc) const {
        return tight.holds(u, v, arc) && atomic_add(tight.args.pending + v, 0xffffffffu) == 1;
    }
};

// Paths to v: those to its predecessors, over its incoming arcs.
struct Count {
    Tight tight;
    typedef f64 Part;
    DEVICE Part start() const { return 0; }
    DEVICE bool wants(u32) const { return true; }
    DEVICE bool edge(Part& part, u32 v, u32 u, Offset arc) const {
        if (tight.holds(u, v, arc)) part = plus(part, tight.args.counts[u]);
        return false;
    }
    DEVICE bool settle(u32 v, Part part) const {
        if (part > 0) atomic_add(tight.args.counts + v, part);
        return false;
    }
};

// What depends on u: over its successors, their paths' share that comes by u.
struct Backward {
    Tight tight;
    typedef f64 Part;
    DEVICE Part start() const { return 0; }
    DEVICE bool wants(u32) const { return true; }
    DEVICE bool edge(Part& part, u32 u, u32 v, Offset arc) const {
        const BcArgs& args = tight.args;
        if (tight.holds(u, v, arc)) part = plus(part, over(plus(1.0, args.dependencies[v]), args.counts[v]));
        return false;
    }
    DEVICE bool settle(u32 u, Part part) const {
        if (part > 0) atomic_add(tight.args.dependencies + u, times(part, tight.args.counts[u]));
        return false;
    }
};

KERNEL(bc_expect, BcArgs) { advance(args.along, Expect{{args}}); }
KERNEL(bc_forward, BcArgs) { advance(args.along, Forward{{args}}); }
KERNEL(bc_count, BcArgs) { gather(args.along, Count{{args}}); }
KERNEL(bc_backward, BcArgs) { gather(args.along, Backward{{args}}); }
