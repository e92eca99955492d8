// Peeling: an `advance` over the vertices that are removed takes away their arcs.

struct Peel {
    const KcoreArgs& args;
    struct Source {};
    DEVICE Source enter(u32) const { return Source(); }
    // Takes one arc from v, unless v's degree is at the level or below. v is removed too if its degree falls to the
    // level. The degrees of vertices removed on earlier levels are below this level, and those of vertices removed now,
    // including the source of the arc, are at it, so loops change nothing. If other threads brought the degree to the
    // level first, this thread gives its arc back. So a removed vertex keeps the degree at which it was removed.
    DEVICE bool edge(const Source&, u32, u32 v, Offset) const {
        u32* degree = args.degrees + v;
        if (load_now(degree) <= args.level) return false;
        const u32 before = atomic_add(degree, 0xffffffffu);
        if (before <= args.level) atomic_add(degree, 1u);
        return before == args.level + 1;
    }
};

KERNEL(kcore_peel, KcoreArgs) { advance(args.along, Peel{args}); }
