// Keeps copies equal to their masters under Min, Max and Or, so that answers are those of the graph in which they are merged.
#include "reflect.cuh"

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
            if (PLAIN) {
                take = Combine::improves(old, x);
                if (take) value_of(values, copy) = x;
                take = take && joins(args.program, copy);
            } else if (args.program.stamps[master] == args.program.round) {
                // Its master has applied a message.
                value_of(values, copy) = x;
                take = program.active(old, x);
            }
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
