// Tables of labels: every vertex has one, of two places for each arc around it, in which labels lie by their hash. So the table of a
// vertex is found by its offsets, and one that holds every label around has half its places free at least.

#define NO_LABEL 0xffffffffu
#define FREE 0xffffffffffffffffull

// Of a directed graph arcs both ways are around a vertex: first those that go out.
struct Around {
    const Offset* out;
    const Offset* in;  // null: the arcs are the same both ways
    DEVICE u64 first(u32 v) const { return static_cast<u64>(out[v]) + (in ? in[v] : 0); }
    DEVICE u64 arcs(u32 v) const { return first(v + 1) - first(v); }
};

DEVICE Around around_of(const LabelArgs& args) {
    return Around{static_cast<const Offset*>(args.out), static_cast<const Offset*>(args.incoming)};
}

// The places of a vertex, and the one it begins to look for a label at. No more labels than NO_LABEL can be told apart, so no more
// places are needed.
struct Table {
    u64 first, size;
    DEVICE u64 begin(u32 label) const { return mixed(label) * size >> 32; }
    DEVICE u64 after(u64 at) const { return at + 1 < size ? at + 1 : 0; }
};

DEVICE Table table_of(const LabelArgs& args, u32 v) {
    const Around around = around_of(args);
    const u64 places = 2 * around.arcs(v);
    return Table{2 * around.first(v), places < NO_LABEL ? places : NO_LABEL};
}

// A count and its label as one number that is greater for a greater count, or the same of a smaller label; never 0.
DEVICE u64 ranked(u32 count, u32 label) { return static_cast<u64>(count) << 32 | (NO_LABEL - label); }
DEVICE u32 label_of(u64 ranked) { return NO_LABEL - static_cast<u32>(ranked); }
