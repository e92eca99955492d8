// Strong components: trimming, colours forward, components backward. Each is an `advance` over the vertices that
// changed.

// Removes the arcs of vertices that are done. If v loses its last arc of a side, no cycle leads through it, so it is a
// component of its own. `counts` has v's arcs of that side from or to vertices that were not done; a count that does
// not fit into u32 stays MANY. A copy only counts, for its master.
struct Trim {
    const SccArgs& args;
    struct Source {};
    DEVICE Source enter(u32) const { return Source(); }
    DEVICE bool edge(const Source&, u32, u32 v, Offset) const {
        if (load_now(args.components + v) != NOBODY) return false;
        if (is_idle(args.copies, v)) {
            atomic_add(args.counts + v, 1u);
            return false;
        }
        if (sizeof(Offset) > sizeof(u32) && load_now(args.counts + v) == MANY) return false;
        if (atomic_add(args.counts + v, 0xffffffffu) != 1) return false;
        return atomic_compare_exchange(args.components + v, NOBODY, v) == NOBODY;
    }
};

// Spreads colours among vertices of one part that are not done; the greatest colour that reaches a vertex wins.
struct Colour {
    const SccArgs& args;
    struct Source {
        u32 colour, part;
    };
    DEVICE Source enter(u32 u) const { return Source{load_now(args.colours + u), args.parts[u]}; }
    DEVICE bool edge(const Source& source, u32, u32 v, Offset) const {
        if (args.components[v] != NOBODY || args.parts[v] != source.part) return false;
        if (load_now(args.colours + v) >= source.colour) return false;
        return atomic_max(args.colours + v, source.colour) < source.colour && claim(args.stamps, v, args.round);
    }
};

// A vertex with the colour of a vertex that was found, and with an arc to it, is found too: its root reaches it, and it
// reaches the root.
struct Back {
    const SccArgs& args;
    struct Source {
        u32 colour;
    };
    DEVICE Source enter(u32 v) const { return Source{args.colours[v]}; }
    DEVICE bool edge(const Source& source, u32, u32 u, Offset) const {
        if (args.colours[u] != source.colour || load_now(args.components + u) != NOBODY) return false;
        return atomic_compare_exchange(args.components + u, NOBODY, u) == NOBODY;
    }
};

EXPANSION(scc_trim, SccArgs) { advance(args.along, args, Trim{args}); }
EXPANSION(scc_colour, SccArgs) { advance(args.along, args, Colour{args}); }
EXPANSION(scc_back, SccArgs) { advance(args.along, args, Back{args}); }
