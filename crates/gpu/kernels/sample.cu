// The sampling kernel of the order `sampled` [1]. It goes along the same tiles as the kernel of a run, observes which
// vertices are read together, and changes nothing that the run sees. SHARES is the scheme's type of what a thread
// holds, SECTOR the number of vertices whose values share a sector.
//
// An access is what those lanes of a warp that are in one row read at once. These vertices are *mates*. A tile of
// several warps is several accesses, since the memory serves one warp at a time. A run that gathers reads heads and
// tails of rows one by one; here they count as if it advanced along them.
//
// [1] M. Sha, Y. Li, K.-L. Tan, Self-adaptive graph traversal on GPUs, SIGMOD 2021: section 6 and algorithm 4.

struct Sample {
    const SampleArgs& args;
    // Of this thread: the accesses whose first lane it was, and the sectors in them.
    u64& accesses;
    u64& sectors;

    struct Source {};
    DEVICE Source enter(u32) const { return Source(); }

    // Returns the vote of a mate for v: 1 in the sector or left half that v considers, -1 in the right half of its
    // interval, otherwise 0.
    DEVICE i32 worth(u32 sector, u32 wanted) const {
        if (!args.halves) return sector == wanted ? 1 : 0;
        const u32 half = sector >> args.shift;
        return half >> 1 != wanted ? 0 : half & 1 ? -1 : 1;
    }

    DEVICE void step(const Along&, bool is, const Source&, u32 u, u32 v, Offset) const {
        const u32 own = lane_in_warp(), sector = v / SECTOR;
        const u32 wanted = is && args.candidates ? args.candidates[v] : sector;
        i32 sum = 0;
        bool first_of_row = is, first_of_sector = is;
        for (u32 left = warp_ballot(FULL_WARP, is); left != 0; left &= left - 1) {
            const u32 lane = trailing_zeros(left);
            const u32 row = warp_shuffle(FULL_WARP, u, lane), other = warp_shuffle(FULL_WARP, sector, lane);
            const bool is_mate = is && row == u && lane != own;
            if (is_mate) sum += worth(other, wanted);
            if (is_mate && lane < own) {
                first_of_row = false;
                first_of_sector = first_of_sector && other != sector;
            }
        }
        if (sum != 0) atomic_add(args.tally + v, sum);
        accesses += first_of_row;
        sectors += first_of_sector;
    }
};

KERNEL(sample_tiles, SampleArgs) {
    SHARED(u64, warps[32]);
    DYNAMIC_SHARED(Board, board);
    u64 accesses = 0, sectors = 0;
    const Sample sample = {args, accesses, sectors};
    each_share<SHARES>(args.along, [&](const Share& share) { consume(*board, args.along, sample, share); });
    const u64 all_accesses = block_sum(accesses, warps);
    block_sync();
    const u64 all_sectors = block_sum(sectors, warps);
    if (thread_in_block() == 0 && args.counters && all_accesses > 0) {
        atomic_add(args.counters, all_accesses);
        atomic_add(args.counters + 1, all_sectors);
    }
}
