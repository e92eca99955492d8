// bc.cu for more paths than f64 can count: count * 2^exponent, with the count in [1, 2). The exponent lies in
// `pending`, which the search no longer needs after it has put the vertex on a layer. The kernels add the paths to a
// vertex at the largest exponent of its predecessors, so a first kernel finds that exponent. Multiplying by powers of
// two is exact, so the results have the bits of bc.cu wherever its range suffices.
#include "powers.cuh"

struct Exponent {
    Tight tight;
    typedef u32 Part;
    DEVICE Part start() const { return 0; }
    DEVICE bool wants(u32) const { return true; }
    DEVICE bool edge(Part& part, u32 v, u32 u, Offset arc) const {
        if (tight.holds(u, v, arc)) part = greatest(part, tight.args.pending[u]);
        return false;
    }
    DEVICE void join(Part& part, Part other) const { part = greatest(part, other); }
    DEVICE bool settle(u32 v, Part part) const {
        if (part > 0) atomic_max(tight.args.pending + v, part);
        return false;
    }
};

struct ScaledCount {
    Tight tight;
    typedef f64 Part;
    DEVICE Part start() const { return 0; }
    DEVICE bool wants(u32) const { return true; }
    DEVICE bool edge(Part& part, u32 v, u32 u, Offset arc) const {
        const BcArgs& args = tight.args;
        if (tight.holds(u, v, arc)) {
            part = plus(part, times(args.counts[u], two_to_minus(args.pending[v] - args.pending[u])));
        }
        return false;
    }
    DEVICE void join(Part& part, Part other) const { part = plus(part, other); }
    DEVICE bool settle(u32 v, Part part) const {
        if (part > 0) atomic_add(tight.args.counts + v, part);
        return false;
    }
};

struct ScaledBackward {
    Tight tight;
    typedef f64 Part;
    DEVICE Part start() const { return 0; }
    DEVICE bool wants(u32) const { return true; }
    DEVICE bool edge(Part& part, u32 u, u32 v, Offset arc) const {
        const BcArgs& args = tight.args;
        if (tight.holds(u, v, arc)) {
            const f64 share = over(plus(1.0, args.dependencies[v]), args.counts[v]);
            part = plus(part, times(share, two_to_minus(args.pending[v] - args.pending[u])));
        }
        return false;
    }
    DEVICE void join(Part& part, Part other) const { part = plus(part, other); }
    DEVICE bool settle(u32 u, Part part) const {
        if (part > 0) atomic_add(tight.args.dependencies + u, times(part, tight.args.counts[u]));
        return false;
    }
};

EXPANSION(bc_exponent, BcArgs) { gather(args.along, args, Exponent{{args}}); }
EXPANSION(bc_scaled_count, BcArgs) { gather(args.along, args, ScaledCount{{args}}); }
EXPANSION(bc_scaled_backward, BcArgs) { gather(args.along, args, ScaledBackward{{args}}); }
