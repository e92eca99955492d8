// Forward by weights: distances first, by who gets nearer telling its neighbours until nobody does. Then an order that meets a vertex after
// all its predecessors: it is on the layer after that of the last of them.

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

// How many tight arcs lead to each vertex. One whose weight vanishes beside the distance could close a cycle: of the first copy where one
// does that is noted, counted down from the number of copies: 0 is none.
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

// A vertex is taken with the last of the arcs that were expected.
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

EXPANSION(bc_relax, BcArgs) { advance(args.along, args, Relax{{args}}); }
EXPANSION(bc_expect, BcArgs) { advance(args.along, args, Expect{{args}}); }
EXPANSION(bc_forward, BcArgs) { advance(args.along, args, Forward{{args}}); }
