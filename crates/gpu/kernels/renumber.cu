// The kernels of the order `sampled` between samples: they halve intervals, and bring the graph into the order that was
// found. The module defines SECTOR.
#include "runs.cuh"

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
    DEVICE void write(u64 arc, u64 source, u64) const {
        args.keys[arc] = source << 32 | args.masters[target_at(args.targets, arc)];
        args.values[arc] = static_cast<u32>(arc);
    }
};

KERNEL(renumber_arcs, RenumberArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.vertices; base += grid_threads()) {
        const u64 v = base + lane_in_warp();
        const bool is = v < args.vertices;
        const Offset begin = is ? offsets_of(args)[v] : 0;
        write_run(Renamed{args}, begin, is ? offsets_of(args)[v + 1] - begin : 0, is ? args.masters[v] : 0);
    }
}

// Writes the targets of sorted arcs.
KERNEL(renumber_targets, RenumberArgs) {
    for (u64 arc = thread_in_grid(); arc < args.arcs; arc += grid_threads()) args.targets_out[arc] = static_cast<u32>(args.keys[arc]);
}
