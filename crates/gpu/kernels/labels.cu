// Label propagation along arcs: counts labels around a vertex, and wakes the neighbours of a change. Many threads may
// share a row: they count in one table in memory.

// Counts the labels around v by whole weights, or each as 1. A place of the table holds a label in its upper half and
// its count in its lower half. Counts only rise, so the greatest count that any thread sees is that of the winner.
struct Count {
    const LabelArgs& args;
    typedef u64 Part;
    DEVICE Part start() const { return 0; }
    DEVICE bool wants(u32) const { return true; }
    DEVICE bool edge(Part& part, u32 v, u32 u, Offset arc) const {
        const u64 seen = count(v, args.labels[u], args.weights.near ? weight_at<u32>(args.weights, arc) : 1);
        if (seen > part) part = seen;
        return false;
    }
    DEVICE void join(Part& part, Part other) const { part = other > part ? other : part; }
    DEVICE bool settle(u32 v, Part part) const {
        if (part > load_now(args.best + v)) atomic_max(args.best + v, part);
        return false;
    }

    DEVICE u64 count(u32 v, u32 label, u32 weight) const {
        const Table table = table_of(args, v);
        for (u64 at = table.begin(label);; at = table.after(at)) {
            u64* place = args.counts + table.first + at;
            u64 held = load_now(place);
            if (held == FREE) {
                held = atomic_compare_exchange(place, FREE, static_cast<u64>(label) << 32 | weight);
                if (held == FREE) return ranked(weight, label);
            }
            if (held >> 32 != label) continue;
            if (weight > 0) held = atomic_add(place, static_cast<u64>(weight));
            return ranked(static_cast<u32>(held) + weight, label);
        }
    }
};

// Finds a place for every label around v; a later kernel adds up their weights.
struct Find {
    const LabelArgs& args;
    struct Source {
        Table table;
    };
    DEVICE Source enter(u32 v) const { return Source{table_of(args, v)}; }
    DEVICE bool edge(const Source& source, u32, u32 u, Offset) const {
        const u32 label = args.labels[u];
        for (u64 at = source.table.begin(label);; at = source.table.after(at)) {
            u32* place = args.places + source.table.first + at;
            u32 held = load_now(place);
            if (held == NO_LABEL) held = atomic_compare_exchange(place, NO_LABEL, label);
            if (held == NO_LABEL || held == label) return false;
        }
    }
};

// Wakes the neighbours of a vertex that changed, so that they count again.
struct Wake {
    const LabelArgs& args;
    struct Source {};
    DEVICE Source enter(u32) const { return Source(); }
    DEVICE bool edge(const Source&, u32, u32 v, Offset) const { return claim(args.stamps, v, args.round); }
};

// Empties the tables of some vertices: the two places of every arc.
struct Clear {
    const LabelArgs& args;
    struct Source {
        u64 before;  // arcs before this row in the tables, less the row's own offset
    };
    DEVICE Source enter(u32 v) const {
        const Around around = around_of(args);
        if (!around.in) return Source{0};
        return Source{static_cast<u64>(args.side == SIDE_OUT ? around.in[v] : around.out[v + 1])};
    }
    DEVICE bool edge(const Source& source, u32, u32, Offset arc) const {
        const u64 place = 2 * (source.before + arc);
        for (u64 at = place; at < place + 2; ++at) {
            if (args.counts) args.counts[at] = FREE;
            if (args.places) args.places[at] = NO_LABEL;
            if (args.sums) args.sums[at] = 0;
        }
        return false;
    }
};

EXPANSION(labels_count, LabelArgs) { gather(args.along, args, Count{args}); }
EXPANSION(labels_find, LabelArgs) { advance(args.along, args, Find{args}); }
EXPANSION(labels_wake, LabelArgs) { advance(args.along, args, Wake{args}); }
EXPANSION(labels_clear, LabelArgs) { advance(args.along, args, Clear{args}); }
