// Peeling: who goes takes its arcs along, in an `advance` over those that go.

struct Peel {
    const KcoreArgs& args;
    struct Source {};
    DEVICE Source enter(u32) const { return Source(); }
    // One arc less for v, unless its degree is at the level or below; v goes too if that brings it there. Who went earlier is below the
    // level, who goes now is at it, itself included, so that loops change nothing. A degree that others brought to the level first gets
    // its arc back: so whoever goes keeps the degree it went at.
    DEVICE bool edge(const Source&, u32, u32 v, Offset) const {
        u32* degree = args.degrees + v;
        if (load_now(degree) <= args.level) return false;
        const u32 before = atomic_add(degree, 0xffffffffu);
        if (before <= args.level) atomic_add(degree, 1u);
        return before == args.level + 1;
    }
};

EXPANSION(kcore_peel, KcoreArgs) { advance(args.along, args, Peel{args}); }
