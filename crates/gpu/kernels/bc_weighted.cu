// Forward by weights. First, distances: vertices whose distance falls relax their neighbours, until no distance falls.
// Then an order that visits a vertex after all its predecessors: it is on the layer after that of the last of them.

struct Relax {
    Tight tight;
    struct Source { Distance value; };
    DEVICE Source enter(u32 u) const {
        Source source;
        source.value = load_now(tight.distances() + u);
        return source;
    }
    DEVICE bool edge(const Source& source, u32, u32 v, Offset arc) const {
        const Distance x = tight.longer(source.value, arc);
        return Min::deliver(tight.distances() + v, x) && claim(tight.args.pending, v, tight.args.round);
    }
};

// Counts the tight arcs that lead to each vertex. A tight arc whose weight vanishes beside the distance could close a
// cycle. The kernel notes the first copy that has one, counted down from the number of copies, so 0 means none.
struct Expect {
    Tight tight;
    struct Source {};
    DEVICE Source enter(u32) const { return Source(); }
    DEVICE bool edge(const Source&, u32 u, u32 v, Offset arc) const {
        const BcArgs& args = tight.args;
        if (tight.holds(u, v, arc)) {
            atomic_add(args.pending + v, 1u);
            const bool vanished = tight.distances()[u] == tight.distances()[v];
            if (vanished) atomic_max(args.counters + VANISHED, args.copies - u / args.vertices);
        }
        return false;
    }
};

// Appends a vertex to its layer with the last of the tight arcs that were counted.
struct Forward {
    Tight tight;
    struct Source {};
    DEVICE Source enter(u32 u) const {
        look_at_count(tight.args, u);
        return Source();
    }
    DEVICE bool edge(const Source&, u32 u, u32 v, Offset arc) const {
        return tight.holds(u, v, arc) && atomic_add(tight.args.pending + v, 0xffffffffu) == 1;
    }
};

KERNEL(bc_relax, BcArgs) { advance(args.along, Relax{{args}}); }
KERNEL(bc_expect, BcArgs) { advance(args.along, Expect{{args}}); }
KERNEL(bc_forward, BcArgs) { advance(args.along, Forward{{args}}); }
