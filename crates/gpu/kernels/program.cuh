// The vertices and messages of a program. The module begins with its types and arguments.

#define NO_VERTEX 0xffffffffu

// The properties of a vertex that a program may read. It loads only those that the program reads.
struct VertexSight {
    const ProgramArgs& args;
    u32 v;
    DEVICE u32 id() const { return args.originals ? args.originals[v] : v; }
    DEVICE u32 degree() const {
        const Offset* offsets = static_cast<const Offset*>(args.out_offsets);
        return static_cast<u32>(offsets[v + 1] - offsets[v]);
    }
    DEVICE Column column(u32 i) const { return static_cast<const Column*>(args.columns)[i * args.vertices + v]; }
};

// Returns true if v is a copy or a hole: nothing is computed for it.
DEVICE bool is_idle(const ProgramArgs& args, u32 v) { return args.idle && has_bit(args.idle, v); }

// Returns true if v is a hole, which stands for no vertex: a graph with holes has original numbers.
DEVICE bool is_hole(const ProgramArgs& args, u32 v) { return is_idle(args, v) && args.originals[v] == NO_VERTEX; }

// Returns true in the first thread that puts v in the next frontier; always, if vertices may repeat there.
DEVICE bool joins(const ProgramArgs& args, u32 v) {
    if (args.flags & (REPEATS | JOINS_LATER)) return (args.flags & REPEATS) != 0;
    return claim(args.stamps, v, args.round);
}

// Counts a message, and whether it changed a value. Kernels of runs that count work are compiled with COUNT_WORK.
DEVICE void count_work(const ProgramArgs& args, bool is_update) {
#ifdef COUNT_WORK
    u64* counters = args.work + thread_in_grid() % COUNT_WORK * 2;
    if (is_update) atomic_add(counters, 1ull);
    atomic_add(counters + 1, 1ull);
#endif
}

// Returns how far two numbers are from each other.
DEVICE f64 apart(u32 a, u32 b) { return a < b ? b - a : a - b; }
DEVICE f64 apart(i32 a, i32 b) { return a < b ? (u32)b - (u32)a : (u32)a - (u32)b; }
DEVICE f64 apart(u64 a, u64 b) { return a < b ? b - a : a - b; }
DEVICE f64 apart(f32 a, f32 b) { return magnitude(minus(a, b)); }
DEVICE f64 apart(f64 a, f64 b) { return magnitude(minus(a, b)); }
