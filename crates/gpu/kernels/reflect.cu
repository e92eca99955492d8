// Keeps copies equal to their masters, so that every answer is that of the graph in which they are merged. Each kernel
// goes over pairs of a copy and its master, in which every copy that has arcs occurs once. The module prints ReflectArgs
// and IS_SUM.

DEVICE Value& value_of(void* array, u32 v) { return static_cast<Value*>(array)[v]; }

#if IS_SUM

// After a sweep: every copy takes the new value of its master.
KERNEL(reflect_sweep, ReflectArgs) {
    void* values = args.program.other;
    for (u64 i = thread_in_grid(); i < args.pairs; i += grid_threads()) {
        value_of(values, args.copies[i]) = value_of(values, args.masters[i]);
    }
}

// After a superstep of pushed changes: every copy gets the pending change of its master, and sends it too. A change that
// is not pending was committed, so it is the identity at both.
KERNEL(reflect_changes, ReflectArgs) {
    void* changes = args.program.spoken;
    const Queue next = next_of(args.program.along);
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.pairs; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        bool take = false;
        u32 copy = 0;
        if (i < args.pairs) {
            copy = args.copies[i];
            const Value change = value_of(changes, args.masters[i]);
            value_of(changes, copy) = change;
            take = Combine::improves(Combine::identity<Value>(), change);
        }
        append(next, take, copy);
    }
}

#else

// Returns true in the first thread that puts v in the next frontier; always, if vertices may repeat there.
DEVICE bool joins(const ProgramArgs& args, u32 v) { return args.flags & REPEATS || claim(args.stamps, v, args.round); }

// After a superstep: every copy takes the value of its master, and joins the next frontier if the master did. Before the
// superstep the two were equal, so the copy still has the old value of its master.
KERNEL(reflect_values, ReflectArgs) {
    void* values = args.program.values;
    const Program program = {args.program.params};
    const Queue next = next_of(args.program.along);
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.pairs; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        bool take = false;
        u32 copy = 0;
        if (i < args.pairs) {
            copy = args.copies[i];
            const u32 master = args.masters[i];
            const Value old = value_of(values, copy), x = value_of(values, master);
#if PLAIN
            take = Combine::improves(old, x);
            if (take) value_of(values, copy) = x;
            take = take && joins(args.program, copy);
#else
            // Vertices that applied a message have the stamp of the round.
            if (args.program.stamps[master] == args.program.round) {
                value_of(values, copy) = x;
                take = program.active(old, x);
            }
#endif
        }
        append(next, take, copy);
    }
}

// Before that, if messages also went against the direction of arcs, and copies have received some: every copy joins its
// value into that of its master, which joins the next frontier if that improved it.
KERNEL(reflect_back, ReflectArgs) {
    void* values = args.program.values;
    const Queue next = next_of(args.program.along);
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.pairs; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        bool take = false;
        u32 master = 0;
        if (i < args.pairs) {
            master = args.masters[i];
            const Value x = value_of(values, args.copies[i]);
            take = Combine::deliver(&value_of(values, master), x) && joins(args.program, master);
        }
        append(next, take, master);
    }
}

#endif
