// Pull: every vertex gathers the messages of its in-neighbours that are in the frontier.

struct Pull {
    const ProgramArgs& args;
    Program program;

    typedef Gathered Part;
    DEVICE Part start() const { return Combine::identity<Part>(); }
    // A program that changes a vertex once has no message for one that has already changed.
    DEVICE bool wants(u32 v) const { return !(args.flags & ONCE) || args.stamps[v] == 0; }
    DEVICE bool edge(Part& part, u32 v, u32 u, Offset arc) const {
        if (args.bitmap && !has_bit(args.bitmap, u)) return false;
        const Value value = load_now(static_cast<const Value*>(args.spoken) + u);
        const Weight weight = READS_WEIGHT ? weight_at<Weight>(args.weights, arc & args.weight_mask) : Weight();
        const Value x = program.message(value, weight, VertexSight{args, u}, VertexSight{args, v});
        count_work(args, Combine::improves(part, cast<Part>(x)));
        part = Combine::join(part, cast<Part>(x));
        return args.flags & ONCE;
    }
    DEVICE void join(Part& part, Part other) const { part = Combine::join(part, other); }
    DEVICE bool settle(u32 v, Part part) const {
        const bool changed = Combine::deliver(static_cast<Gathered*>(args.into) + v, part);
        return changed && args.along.next && claim(args.stamps, v, args.round);
    }
};

EXPANSION(program_pull, ProgramArgs) { gather(args.along, args, Pull{args, Program{args.params}}); }
