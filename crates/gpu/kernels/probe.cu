// The functor that measures balances: per arc, it does about what a search does.

struct Probe {
    const ProbeArgs& args;
    struct Source {
        u32 value;
    };
    DEVICE Source enter(u32 u) const { return Source{load_now(args.values + u)}; }
    // A quarter of the arcs improve the value at their end; the first thread to do so claims the vertex.
    DEVICE bool edge(const Source& source, u32, u32 v, Offset) const {
        if (load_now(args.values + v) % 4 != source.value % 4) return false;
        return claim(args.stamps, v, args.round);
    }
};

KERNEL(probe, ProbeArgs) { advance(args.along, Probe{args}); }
