// What vertices do between expansions: start, apply what arrived, settle changes.

DEVICE Value* values_of(void* array) { return static_cast<Value*>(array); }

// What arrived at v, which is forgotten.
DEVICE Value take_arrived(const ProgramArgs& args, u32 v) {
    Gathered* arrived = static_cast<Gathered*>(args.into) + v;
    const Value x = cast<Value>(*arrived);
    *arrived = Combine::identity<Gathered>();
    return x;
}

DEVICE f64 apart(u32 a, u32 b) { return a < b ? b - a : a - b; }
DEVICE f64 apart(i32 a, i32 b) { return a < b ? (u32)b - (u32)a : (u32)a - (u32)b; }
DEVICE f64 apart(u64 a, u64 b) { return a < b ? b - a : a - b; }
DEVICE f64 apart(f32 a, f32 b) { return magnitude(minus(a, b)); }
DEVICE f64 apart(f64 a, f64 b) { return magnitude(minus(a, b)); }

// values = init, or start. Where changes are spoken of, all of it is a change yet to be told, and the value is the identity. What arrived is
// the identity. The first NaN is noted, as its number counted down from the greatest u64: 0 is none.
KERNEL(program_init, ProgramArgs) {
    const Program program = {args.params};
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) {
        const u32 v = static_cast<u32>(i);
        const VertexSight sight = {args, v};
        const Value x = args.flags & FROM_START ? program.start(sight) : program.init(sight);
        values_of(args.spoken)[v] = x;
        if (args.spoken != args.values) values_of(args.values)[v] = Combine::identity<Value>();
        if (args.into != args.values) static_cast<Gathered*>(args.into)[v] = Combine::identity<Gathered>();
        if (!is_number(x)) atomic_max(args.not_a_number, 0xffffffffffffffffull - i);
    }
}

// Who was told anything makes something of it, and speaks next if that woke it.
KERNEL(program_apply, ProgramArgs) {
    const Program program = {args.params};
    const Queue next = next_of(args.along);
    const u64 count = count_of(args.along);
    for (u64 base = thread_in_grid() - lane_in_warp(); base < count; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        bool take = false;
        u32 v = 0;
        if (i < count) {
            v = args.along.items[i];
            const Value old = values_of(args.values)[v];
            const Value x = program.apply(VertexSight{args, v}, old, take_arrived(args, v));
            values_of(args.values)[v] = x;
            take = program.active(old, x);
        }
        append(next, take, v);
    }
}

// A sum that distributes: a change that has been told becomes part of the value. So value and pending changes together are always what
// follows from the value, and the pending changes are its residual.
KERNEL(program_commit, ProgramArgs) {
    const u64 count = count_of(args.along);
    for (u64 i = thread_in_grid(); i < count; i += grid_threads()) {
        const u32 v = item(args.along, i);
        values_of(args.values)[v] = Combine::join(values_of(args.values)[v], values_of(args.spoken)[v]);
        values_of(args.spoken)[v] = Combine::identity<Value>();
    }
}

// What arrived is what is told next. The changes add up in sums, one a block.
KERNEL(program_settle, ProgramArgs) {
    SHARED(f64, warps[32]);
    const Queue next = next_of(args.along);
    const u64 count = count_of(args.along);
    f64 change = 0;
    for (u64 base = thread_in_grid() - lane_in_warp(); base < count; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        bool take = false;
        u32 v = 0;
        if (i < count) {
            v = args.along.items[i];
            const Value arrived = take_arrived(args, v);
            values_of(args.spoken)[v] = arrived;
            change += apart(arrived, Combine::identity<Value>());
            take = Combine::improves(Combine::identity<Value>(), arrived);
        }
        append(next, take, v);
    }
    const f64 sum = block_sum(change, warps);
    if (thread_in_block() == 0) args.sums[block_in_grid()] = sum;
}

// A sum after a sweep: what every vertex makes of all that arrived goes to `other`; the changes add up in sums, one a block.
KERNEL(program_sweep, ProgramArgs) {
    SHARED(f64, warps[32]);
    const Program program = {args.params};
    f64 change = 0;
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) {
        const u32 v = static_cast<u32>(i);
        const VertexSight sight = {args, v};
        const Value old = values_of(args.values)[v], arrived = take_arrived(args, v);
        const Value x = args.flags & ADDS_TO_INIT ? Combine::join(program.init(sight), arrived)
                                                  : program.apply(sight, old, arrived);
        values_of(args.other)[v] = x;
        change += apart(old, x);
    }
    const f64 sum = block_sum(change, warps);
    if (thread_in_block() == 0) args.sums[block_in_grid()] = sum;
}
