// The kernels of the order `sampled` between samples, which halve intervals, and those that bring a graph into another
// order. The module defines SECTOR.
#include "words.cuh"

DEVICE const Offset* offsets_of(const RenumberArgs& args) { return static_cast<const Offset*>(args.offsets); }

// Each vertex takes the half of its interval that has more of its mates. On ties it takes the half that it is in, or
// else the left one. Halves are intervals of 2^shift sectors. Resets the votes to 0.
KERNEL(renumber_halve, RenumberArgs) {
    for (u64 v = thread_in_grid(); v < args.vertices; v += grid_threads()) {
        const i32 votes = args.gain[v];
        const u32 interval = args.candidates[v], own = static_cast<u32>(v) / SECTOR >> args.shift;
        const u32 tie = own >> 1 == interval ? own & 1 : 0;
        args.candidates[v] = 2 * interval + (votes > 0 ? 0 : votes < 0 ? 1 : tie);
        args.gain[v] = 0;
    }
}

// Gives each vertex the sector to sort by: its candidate if that has more mates, otherwise its own. The sort keeps the
// order within a sector.
KERNEL(renumber_keys, RenumberArgs) {
    u64 moved = 0;
    for (u64 v = thread_in_grid(); v < args.vertices; v += grid_threads()) {
        const bool moves = args.gain[v] > args.locality[v];
        args.keys[v] = moves ? args.candidates[v] : static_cast<u32>(v) / SECTOR;
        args.values[v] = static_cast<u32>(v);
        moved += moves;
    }
    for (u32 by = 16; by > 0; by /= 2) moved += warp_shuffle_down(FULL_WARP, moved, by);
    if (lane_in_warp() == 0 && moved > 0) atomic_add(args.moved, moved);
}

// Inverts `originals`, the vertices in their new order: args.masters receives the new number of each vertex.
KERNEL(renumber_masters, RenumberArgs) {
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) args.masters[args.originals[i]] = static_cast<u32>(i);
}

// Writes degrees in the new order; their prefix sums are the new offsets.
KERNEL(renumber_degrees, RenumberArgs) {
    for (u64 i = thread_in_grid(); i < args.vertices; i += grid_threads()) {
        const u32 v = args.originals[i];
        static_cast<Offset*>(args.offsets_out)[i] = offsets_of(args)[v + 1] - offsets_of(args)[v];
    }
}

// Writes every arc under its new names, with its old position.
struct Renamed {
    const RenumberArgs& args;
    DEVICE u32 word(u64, bool is, u32 u, u64 arc) const {
        if (is) {
            args.keys[arc] = static_cast<u64>(args.masters[u]) << 32 | args.masters[target_at(args.targets, arc)];
            args.values[arc] = static_cast<u32>(arc);
        }
        return 1;
    }
};

KERNEL(renumber_arcs, RenumberArgs) {
    Renamed renamed = Renamed{args};
    each_word(offsets_of(args), args.vertices, nullptr, 32, args.cancel, renamed);
}

// Writes every arc in the order of its new source: that source, with the new target as the key. Needs the new offsets.
struct Turned {
    const RenumberArgs& args;
    DEVICE u32 word(u64, bool is, u32 source, u64 arc) const {
        if (is) {
            const Offset nth = static_cast<Offset>(arc) - static_cast<const Offset*>(args.offsets_out)[source];
            const Offset old = offsets_of(args)[args.originals[source]] + nth;
            args.keys[arc] = args.masters[target_at(args.targets, old)];
            args.values[arc] = source;
        }
        return 1;
    }
};

KERNEL(renumber_turned, RenumberArgs) {
    Turned turned = Turned{args};
    each_word(static_cast<const Offset*>(args.offsets_out), args.vertices, nullptr, 32, args.cancel, turned);
}

// Writes the targets of sorted arcs.
KERNEL(renumber_targets, RenumberArgs) {
    for (u64 arc = thread_in_grid(); arc < args.arcs; arc += grid_threads()) args.targets_out[arc] = static_cast<u32>(args.keys[arc]);
}
