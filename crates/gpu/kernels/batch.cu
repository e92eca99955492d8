// One level of a batch of searches: push along the arcs that the searches follow, from the front, or pull against them,
// into every vertex that some source has not seen.

// Adds the sources of a set that have not seen v to v's `next` set. Returns true in the first thread that adds any on
// this level.
DEVICE bool bring(const BatchArgs& args, u32 v, const Set& set) {
    const Set seen = set_of(args.seen, v);
    bool brought = false;
    for (u32 w = 0; w < WORDS; ++w) {
        u64* next = args.next + static_cast<u64>(v) * WORDS + w;
        const u64 more = set.words[w] & ~seen.words[w];
        // Read first: most of these sources were already added.
        if ((more & ~load_now(next)) != 0) brought |= (more & ~atomic_or(next, more)) != 0;
    }
    return brought && load_now(args.stamps + v) != args.level && claim(args.stamps, v, args.level);
}

struct Push {
    const BatchArgs& args;
    typedef Set Source;
    DEVICE Source enter(u32 u) const { return set_of(args.front, u); }
    DEVICE bool edge(const Source& source, u32, u32 v, Offset) const { return bring(args, v, source); }
};

struct Pull {
    const BatchArgs& args;
    typedef Set Part;
    DEVICE Part start() const { return Set(); }
    DEVICE bool wants(u32 v) const { return is_missed(args, v, Set()); }
    DEVICE bool edge(Part& part, u32 v, u32 u, Offset) const {
        const Set front = set_of(args.front, u);
        u64 more = 0;
        for (u32 w = 0; w < WORDS; ++w) {
            more |= front.words[w] & ~part.words[w];
            part.words[w] |= front.words[w];
        }
        return more != 0 && !is_missed(args, v, part);
    }
    DEVICE void join(Part& part, const Part& other) const {
        for (u32 w = 0; w < WORDS; ++w) part.words[w] |= other.words[w];
    }
    DEVICE bool settle(u32 v, const Part& part) const { return bring(args, v, part); }
};

KERNEL(batch_push, BatchArgs) { advance(args.along, Push{args}); }
KERNEL(batch_pull, BatchArgs) { gather(args.along, Pull{args}); }
