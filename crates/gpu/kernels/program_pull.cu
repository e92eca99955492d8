// Pull: every vertex gathers the messages of those of its in-neighbours that speak.
#include "program.cuh"
#include "program.inc"
#include "balance.inc"

struct Pull {
    const ProgramArgs& args;
    Program program;

    typedef Gathered Sum;
    DEVICE Sum start() const { return Join::identity<Sum>(); }
    // A program that changes a vertex once has nothing to tell one that has changed.
    DEVICE bool wants(u32 v) const { return !(args.flags & ONCE) || args.stamps[v] == 0; }
    DEVICE bool edge(Sum& sum, u32 v, u32 u, Offset arc) const {
        if (args.bitmap && !has_bit(args.bitmap, u)) return false;
        const Value value = load_now(static_cast<const Value*>(args.spoken) + u);
        const Weight weight = READS_WEIGHT ? static_cast<const Weight*>(args.weights)[arc & args.weight_mask] : Weight();
        const Value x = program.message(value, weight, VertexSight{args, u}, VertexSight{args, v});
        sum = Join::join(sum, cast_to<Sum>(x));
        return args.flags & ONCE;
    }
    DEVICE bool settle(u32 v, Sum sum) const {
        const bool changed = Join::deliver(static_cast<Value*>(args.into) + v, cast_to<Value>(sum));
        return changed && args.next && claim(args.stamps, v, args.round);
    }
};

KERNEL(program_pull, ProgramArgs) {
    const Rows rows = {static_cast<const Offset*>(args.offsets), args.targets};
    const Front front = {args.items, args.count, static_cast<const Offset*>(args.first), args.cancel};
    gather(rows, front, Pull{args, Program{args.params}}, Queue{args.next, args.counters + NEXT_SIZE});
}
