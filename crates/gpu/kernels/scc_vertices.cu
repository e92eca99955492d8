// The kernels over vertices for strong components, between searches.

// Returns a vertex's own colour in this round; `root_of` maps a colour back to its vertex. The colours of vertices with
// adjacent numbers are practically random, so chains of components come apart in the middle.
DEVICE u32 own_colour(const SccArgs& args, u32 v) { return mixed(v ^ args.seed); }
DEVICE u32 root_of(const SccArgs& args, u32 v) {
    return args.one_root ? args.pivot : unmixed(args.colours[v]) ^ args.seed;
}

// Counts the arcs of both sides, without loops. A vertex with no arcs on one side is done. The arcs of copies count at
// their masters; an arc from a copy to its own master counts as an arc to another vertex, which only delays trimming. A copy
// that has arcs waits for its master, and one that has none is done, like a hole.
KERNEL(scc_begin, SccArgs) {
    const Offset* out = static_cast<const Offset*>(args.out);
    const Offset* in = static_cast<const Offset*>(args.incoming);
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.vertices; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        const u32 v = static_cast<u32>(i);
        bool done = false;
        if (i < args.vertices) {
            const Offset loops = static_cast<Offset>(loops_of(args.targets, args.loops, out[v], out[v + 1], v));
            const Offset* all = args.copies.degrees ? static_cast<const Offset*>(args.copies.degrees) : out;
            const Offset after = all[v + 1] - all[v] - loops, before = in[v + 1] - in[v] - loops;
            args.out_left[v] = after < MANY ? static_cast<u32>(after) : MANY;
            args.in_left[v] = before < MANY ? static_cast<u32>(before) : MANY;
            args.colours[v] = 0;
            args.stamps[v] = 0;
            done = after == 0 || before == 0;
            if (is_idle(args.copies, v)) {
                args.out_left[v] = 0;
                done = out[v + 1] == out[v];
            }
            args.components[v] = done ? v : NOBODY;
        }
        append(Queue{args.next, args.next_size}, done, v);
    }
}

// Finds the vertex with the most pairs of an incoming and an outgoing arc, the smallest one on ties. It lies in the
// giant component of nearly every graph that has one. The key has the bits of the product, which have its order, above
// the vertex counted down; it is 0 if no vertex is left.
KERNEL(scc_pivot, SccArgs) {
    u64 best = 0;
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) {
        if (args.components[i] != NOBODY || is_idle(args.copies, i)) continue;
        const f32 pairs = static_cast<f32>(args.in_left[i]) * static_cast<f32>(args.out_left[i]);
        const u64 key = static_cast<u64>(bits_of(pairs)) << 32 | (NOBODY - static_cast<u32>(i));
        if (key > best) best = key;
    }
    for (u32 by = 16; by > 0; by /= 2) {
        const u64 other = warp_shuffle_down(FULL_WARP, best, by);
        if (other > best) best = other;
    }
    if (lane_in_warp() == 0 && best > 0) atomic_max(args.best, best);
}

// Begins a round. The colours of the last round become parts, and no component spans two parts. All vertices that are
// left get their own colours and join the frontier. In a round with one root, only the root has a colour. Copies get the
// colours of their masters when they are reflected.
KERNEL(scc_round, SccArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.vertices; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        const u32 v = static_cast<u32>(i);
        bool tells = false;
        if (i < args.vertices && args.components[v] == NOBODY) {
            const bool is_copy = is_idle(args.copies, v);
            tells = !is_copy && (!args.one_root || v == args.pivot);
            args.parts[v] = args.colours[v];
            args.colours[v] = is_copy ? 0 : args.one_root ? tells : own_colour(args, v);
        }
        append(Queue{args.next, args.next_size}, tells, v);
    }
}

// Finds the roots: vertices that kept their own colour, because no vertex of a greater colour reaches them.
KERNEL(scc_roots, SccArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.vertices; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        const u32 v = static_cast<u32>(i);
        bool found = false;
        if (i < args.vertices && args.components[v] == NOBODY && !is_idle(args.copies, v)) {
            found = args.one_root ? v == args.pivot : args.colours[v] == own_colour(args, v);
            if (found) args.components[v] = v;
        }
        append(Queue{args.next, args.next_size}, found, v);
    }
}

// Finds the smallest vertex of each component that was found, and stores it at the root.
KERNEL(scc_least, SccArgs) {
    for (u64 i = thread_in_grid(); i < args.count; i += grid_threads()) {
        const u32 v = args.items[i];
        if (is_idle(args.copies, v)) continue;
        u32* name = args.components + root_of(args, v);
        if (v < load_now(name)) atomic_min(name, v);
    }
}

// Copies this name to all vertices of the component.
KERNEL(scc_name, SccArgs) {
    for (u64 i = thread_in_grid(); i < args.count; i += grid_threads()) {
        const u32 v = args.items[i];
        args.components[v] = load_now(args.components + root_of(args, v));
    }
}

// Combines back: what copies found joins what their masters know. The arcs that a copy has lost are subtracted from those of
// its master, which is done if none is left; a master is found if a copy of it was.
KERNEL(scc_combine, SccArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.copies.pairs; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        bool found = false;
        u32 master = 0;
        if (i < args.copies.pairs) {
            const u32 copy = args.copies.copies[i];
            master = args.copies.masters[i];
            const bool was_found = args.components[copy] != NOBODY;
            const u32 lost = args.out_left[copy];
            bool ends = was_found;
            if (!was_found && lost > 0) {
                args.out_left[copy] = 0;
                const bool is_many = sizeof(Offset) > sizeof(u32) && load_now(args.out_left + master) == MANY;
                ends = !is_many && atomic_add(args.out_left + master, 0u - lost) == lost;
            }
            found = ends && load_now(args.components + master) == NOBODY &&
                    atomic_compare_exchange(args.components + master, NOBODY, master) == NOBODY;
        }
        append(Queue{args.next, args.next_size}, found, master);
    }
}

// Reflects: a copy is done when its master is, and until then takes over its colour. It joins the queue of its master.
KERNEL(scc_reflect, SccArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.copies.pairs; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        bool joins = false;
        u32 copy = 0;
        if (i < args.copies.pairs) {
            copy = args.copies.copies[i];
            const u32 master = args.copies.masters[i], component = args.components[master];
            const u32 colour = args.colours[master];
            if (args.components[copy] == NOBODY) {
                joins = component != NOBODY || args.colours[copy] != colour;
                args.components[copy] = component;
                args.colours[copy] = colour;
            }
        }
        append(Queue{args.next, args.next_size}, joins, copy);
    }
}
