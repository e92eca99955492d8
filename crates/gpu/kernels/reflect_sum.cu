// Keeps copies equal to their masters in sums, as reflect.cu does in other programs.
#include "reflect.cuh"

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
