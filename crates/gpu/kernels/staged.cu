// Partitions of edges in host memory, some of which are copied to a staging area on the device before a superstep.
//
// A row belongs to the partition in which it ends. Partitions are copied in increasing order, so what comes before its end has
// been copied when it is expanded, unless its end is there already or is read in place. Vertex v of copy c of the graph is entry
// `c * vertices + v` of a frontier; all copies have the same rows.
#include "prelude.cuh"

#define PAGE_ARCS (1u << PAGE_BITS)
#define LINE_ARCS 32u

DEVICE u64 warp_sum(u64 x) {
    for (u32 by = 16; by > 0; by /= 2) x += warp_shuffle_xor(FULL_WARP, x, by);
    return x;
}

// The row of an entry of the frontier.
struct Row {
    u32 entry;
    u64 begin, end;
    // The partition of its last arc; of an empty row, of the arc that would be next.
    u32 partition;
};

DEVICE Row row_at(const StagedArgs& args, u64 i) {
    const Offset* offsets = static_cast<const Offset*>(args.offsets);
    const u32 entry = args.items ? args.items[i] : static_cast<u32>(i);
    const u32 v = entry < args.vertices ? entry : entry % static_cast<u32>(args.vertices);
    const u64 begin = offsets[v], end = offsets[v + 1];
    const u64 last = end > begin ? end - 1 : begin < args.arcs ? begin : args.arcs - 1;
    return Row{entry, begin, end, static_cast<u32>(last >> args.shift)};
}

// Returns how many lines of host memory a part of a row takes: none of pages that stay on the device.
DEVICE u64 lines_of(const StagedArgs& args, u64 begin, u64 end) {
    if (begin >= end) return 0;
    const u64 lines = (end - 1) / LINE_ARCS - begin / LINE_ARCS + 1;
    const u64 far = args.far_before[((end - 1) >> PAGE_BITS) + 1] - args.far_before[begin >> PAGE_BITS];
    const u64 most = far * (PAGE_ARCS / LINE_ARCS);
    return lines < most ? lines : most;
}

// Counts, per partition, the lines that the frontier reads of it, the rows that end in it, and the arcs of these rows.
KERNEL(staged_count, StagedArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.count; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        const bool is_there = i < args.count;
        Row row = {};
        u64 lines = 0;
        if (is_there) {
            row = row_at(args, i);
            u64 begin = row.begin;
            for (u64 at = begin >> args.shift; at < row.partition; ++at) {
                const u64 end = (at + 1) << args.shift;
                const u64 passed = lines_of(args, begin, end);
                if (passed > 0) atomic_add(args.counts + 3 * at, passed);
                begin = end;
            }
            lines = lines_of(args, begin, row.end);
        }
        // Neighbouring entries mostly end in the same partition: one addition for all of them.
        const u32 first = warp_shuffle(FULL_WARP, row.partition, 0);
        if (warp_all(FULL_WARP, !is_there || row.partition == first)) {
            const u64 all = warp_sum(lines), rows = warp_sum(static_cast<u64>(is_there ? 1 : 0));
            const u64 arcs = warp_sum(row.end - row.begin);
            if (lane_in_warp() == 0) {
                if (all > 0) atomic_add(args.counts + 3 * static_cast<u64>(first), all);
                atomic_add(args.counts + 3 * static_cast<u64>(first) + 1, rows);
                if (arcs > 0) atomic_add(args.counts + 3 * static_cast<u64>(first) + 2, arcs);
            }
        } else if (is_there) {
            u64* counts = args.counts + 3 * static_cast<u64>(row.partition);
            if (lines > 0) atomic_add(counts, lines);
            atomic_add(counts + 1, static_cast<u64>(1));
            if (row.end > row.begin) atomic_add(counts + 2, row.end - row.begin);
        }
    }
}

// Lists the frontier by partitions: the rows of each stand from its cursor on.
KERNEL(staged_group, StagedArgs) {
    for (u64 base = thread_in_grid() - lane_in_warp(); base < args.count; base += grid_threads()) {
        const u64 i = base + lane_in_warp();
        const bool is_there = i < args.count;
        Row row = {};
        if (is_there) row = row_at(args, i);
        const u32 first = warp_shuffle(FULL_WARP, row.partition, 0);
        u64 place = 0;
        if (warp_all(FULL_WARP, !is_there || row.partition == first)) {
            const u64 rows = warp_sum(static_cast<u64>(is_there ? 1 : 0));
            if (lane_in_warp() == 0) place = atomic_add(args.cursors + first, rows);
            place = warp_shuffle(FULL_WARP, place, 0) + lane_in_warp();
        } else if (is_there) {
            place = atomic_add(args.cursors + row.partition, static_cast<u64>(1));
        }
        if (is_there) args.list[place] = row.entry;
    }
}

// Says where the pages of some partitions are from now on: in their places in the staging area, or in host memory. Pages that
// stay on the device stay there.
KERNEL(staged_map, StagedArgs) {
    const u64 per = static_cast<u64>(1) << (args.shift - PAGE_BITS);
    for (u64 i = thread_in_grid(); i < args.moves * per; i += grid_threads()) {
        const u64 move = args.moved[i / per];
        const u64 page = (move & 0xffffffffu) * per + i % per;
        if (page >= args.pages || args.fixed[page] != FAR_PAGE) continue;
        const u32 place = static_cast<u32>(move >> 32);
        args.table[page] = place == NO_PLACE ? FAR_PAGE : static_cast<u32>(args.first_place + place * per + i % per);
    }
}
