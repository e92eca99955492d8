// Tables of labels: every vertex has one with two places per arc around it, in which labels lie by their hash. So the
// offsets of a vertex give the position of its table, and at least half of the places are free when all labels around
// the vertex are in it.

#define NO_LABEL 0xffffffffu
#define FREE 0xffffffffffffffffull

// The arcs around a vertex. In a directed graph these are the outgoing arcs, followed by the incoming ones.
struct Around {
    const Offset* out;
    const Offset* in;  // null if the graph is undirected
    DEVICE u64 first(u32 v) const { return static_cast<u64>(out[v]) + (in ? in[v] : 0); }
    DEVICE u64 arcs(u32 v) const { return first(v + 1) - first(v); }
};

DEVICE Around around_of(const LabelArgs& args) {
    return Around{static_cast<const Offset*>(args.out), static_cast<const Offset*>(args.incoming)};
}

// The places of a vertex, and the place where the search for a label begins. There are fewer than NO_LABEL labels, so
// no more places are needed.
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

// Packs a count and its label into a number that is greater for a greater count, and for a smaller label on ties; never
// 0.
DEVICE u64 ranked(u32 count, u32 label) { return static_cast<u64>(count) << 32 | (NO_LABEL - label); }
DEVICE u32 label_of(u64 ranked) { return NO_LABEL - static_cast<u32>(ranked); }
