// The kernels over vertices between expansions: compute first values, apply messages, settle changes.

DEVICE Value* values_of(void* array) { return static_cast<Value*>(array); }

// Returns the messages joined at v, and resets them to the identity.
DEVICE Value take_arrived(const ProgramArgs& args, u32 v) {
    Gathered* arrived = static_cast<Gathered*>(args.into) + v;
    const Value x = cast<Value>(*arrived);
    *arrived = Combine::identity<Gathered>();
    return x;
}

// Computes the first values by init or start. If the program sends changes, the first value is a pending change and the
// value is the identity. Sets the joined messages to the identity. Notes the first NaN by its vertex counted down from
// the greatest u64; 0 means none. A hole gets the identity.
KERNEL(program_init, ProgramArgs) {
    const Program program = {args.params};
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) {
        const u32 v = static_cast<u32>(i);
        const VertexSight sight = {args, v};
        Value x = Combine::identity<Value>();
        if (!is_hole(args, v)) x = args.flags & FROM_START ? program.start(sight) : program.init(sight);
        values_of(args.spoken)[v] = x;
        if (args.spoken != args.values) values_of(args.values)[v] = Combine::identity<Value>();
        if (args.into != args.values) static_cast<Gathered*>(args.into)[v] = Combine::identity<Gathered>();
        if (!is_number(x)) atomic_max(args.not_a_number, 0xffffffffffffffffull - i);
    }
}

// Every vertex that received a message applies it, and joins the next frontier if that made it active.
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

// For a sum that distributes: adds changes that have been sent to the values. So a value plus its pending change is
// always what a sweep would compute from the values, and the pending changes are the residual.
KERNEL(program_commit, ProgramArgs) {
    const u64 count = count_of(args.along);
    for (u64 i = thread_in_grid(); i < count; i += grid_threads()) {
        const u32 v = item(args.along, i);
        values_of(args.values)[v] = Combine::join(values_of(args.values)[v], values_of(args.spoken)[v]);
        values_of(args.spoken)[v] = Combine::identity<Value>();
    }
}

// Makes the joined messages the next pending changes. Adds up the changes in args.sums, one number per block.
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
            v = item(args.along, i);
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

// Ends a sweep of a sum: writes the new value of every vertex to `other`. Adds up the changes in args.sums, one number
// per block. Copies and holes get the identity; copies take the values of their masters afterwards.
KERNEL(program_sweep, ProgramArgs) {
    SHARED(f64, warps[32]);
    const Program program = {args.params};
    f64 change = 0;
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) {
        const u32 v = static_cast<u32>(i);
        if (is_idle(args, v)) {
            values_of(args.other)[v] = Combine::identity<Value>();
            continue;
        }
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
