// Push: every vertex of the frontier sends its message along its outgoing arcs.

struct Push {
    const ProgramArgs& args;
    Program program;

    struct Source {
        Value value;    // the value or change that the vertex sends
        Value message;  // the message itself, if it is the same along all arcs
    };
    DEVICE Source enter(u32 u) const {
        Source source;
        source.value = load_now(static_cast<const Value*>(args.spoken) + u);
        if (MESSAGE_OF_SOURCE) source.message = message(source.value, u, u, 0);
        return source;
    }
    DEVICE Value message(Value value, u32 u, u32 v, Offset arc) const {
        const Weight weight = READS_WEIGHT ? weight_at<Weight>(args.weights, arc & args.weight_mask) : Weight();
        return program.message(value, weight, VertexSight{args, u}, VertexSight{args, v});
    }
    DEVICE bool edge(const Source& source, u32 u, u32 v, Offset arc) const {
        const Value x = MESSAGE_OF_SOURCE ? source.message : message(source.value, u, v, arc);
        const bool is_update = Combine::deliver(static_cast<Gathered*>(args.into) + v, cast<Gathered>(x));
        count_work(args, is_update);
        return is_update && joins(args, v);
    }
};

EXPANSION(program_push, ProgramArgs) { advance(args.along, args, Push{args, Program{args.params}}); }
