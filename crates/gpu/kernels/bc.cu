// Kernels along tight arcs, layer by layer: count paths on the way out, gather dependencies on the way back.

// Adds up the paths to v: those to its predecessors, over its incoming arcs.
struct Count {
    Tight tight;
    typedef f64 Part;
    DEVICE Part start() const { return 0; }
    DEVICE bool wants(u32) const { return true; }
    DEVICE bool edge(Part& part, u32 v, u32 u, Offset arc) const {
        if (tight.holds(u, v, arc)) part = plus(part, tight.args.counts[u]);
        return false;
    }
    DEVICE void join(Part& part, Part other) const { part = plus(part, other); }
    DEVICE bool settle(u32 v, Part part) const {
        if (part > 0) atomic_add(tight.args.counts + v, part);
        return false;
    }
};

// Adds up the dependency of u over its successors: the share of their paths that passes u.
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
    DEVICE void join(Part& part, Part other) const { part = plus(part, other); }
    DEVICE bool settle(u32 u, Part part) const {
        if (part > 0) atomic_add(tight.args.dependencies + u, times(part, tight.args.counts[u]));
        return false;
    }
};

KERNEL(bc_count, BcArgs) { gather(args.along, Count{{args}}); }
KERNEL(bc_backward, BcArgs) { gather(args.along, Backward{{args}}); }
