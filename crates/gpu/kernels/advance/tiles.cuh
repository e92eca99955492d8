// What `tiled` and `resident` have in common: every thread of a block holds a *share*, and the block goes over all of them in tiles [1].
//
// A tile is threads that take neighbouring arcs of one row at once. The whole block takes what fills it, then each half of the block, and so
// on down to `own.least` threads. What fills no tile is a fragment; a scan lines up the fragments of a warp [2]. So a row of d arcs takes
// d / block tiles of the block and at most one of every smaller size: the bits of its length say which. One vote finds all leaders of a
// size, instead of one election per leader, and the parts of the block take tiles of several warps in turn.
//
// Tiles begin at sectors of 32 bytes (`own.align` arcs), in front of which lies a head of a few arcs, and behind them a tail.
//
// `S` is the work: all lanes of a warp call S::step(along, is, source, u, v, arc), where `is` says whether the lane has an arc, and lanes
// with the same u are of one row; S::Source is what S::enter(u) returns. A lane enters u when it comes to an arc of u: neighbouring lanes
// read the same word, and the value is as new as it can be, which saves supersteps where values travel several arcs in one.
//
// [1] M. Sha, Y. Li, K.-L. Tan, Self-adaptive graph traversal on GPUs, SIGMOD 2021: algorithms 2 and 3.
// [2] D. Merrill, M. Garland, A. Grimshaw, High-performance and scalable GPU graph traversal, TOPC 2015.
#include "frontier.cuh"
#include "cut.cuh"

// The most threads of a block.
#define MOST_THREADS 256
// Sizes of tiles of several warps: 256, 128 and 64.
#define WIDE_SIZES 3

// What a thread holds: arcs [body, body + length) for tiles, `head` arcs in front of `body`, and `tail` arcs from body + skip on.
struct Share {
    u32 vertex, base;
    Offset body, length, skip;
    u32 head, tail;
};

// Shares of a block that several warps take, and by which sizes. It lies in the shared memory that the launch asks for.
struct Board {
    u32 vertex[MOST_THREADS];
    u32 base[MOST_THREADS];
    Offset body[MOST_THREADS];
    Offset length[MOST_THREADS];
    u32 listed[WIDE_SIZES][MOST_THREADS];
    u32 count[WIDE_SIZES];
};
static_assert(sizeof(Board) <= BOARD_BYTES, "what launches ask for");

// A value of any type from another lane.
template <class T> DEVICE T shuffled(const T& x, u32 from) {
    static_assert(sizeof(T) % 4 == 0, "whole words");
    union Words {
        T value;
        u32 words[(sizeof(T) + 3) / 4];
        DEVICE Words() {}
    } words;
    words.value = x;
    for (u32 w = 0; w < sizeof(T) / 4; ++w) words.words[w] = warp_shuffle(FULL_WARP, words.words[w], from);
    return words.value;
}

DEVICE Share no_share() { return Share(); }

// Puts shares on the board that have tiles of several warps. True if there are any. Every thread of the block must call.
DEVICE bool post(Board& board, const Share& share) {
    const u32 block = block_threads();
    if (block <= 32 || !block_any(share.length >= 64)) return false;
    const u32 t = thread_in_block();
    if (t < WIDE_SIZES) board.count[t] = 0;
    board.vertex[t] = share.vertex;
    board.base[t] = share.base;
    board.body[t] = share.body;
    board.length[t] = share.length;
    block_sync();
    u32 nth = 0;
    for (u32 size = block; size > 32; size /= 2, ++nth) {
        const bool leads = size == block ? share.length >= block : (share.length & size) != 0;
        const u32 votes = warp_ballot(FULL_WARP, leads);
        if (votes == 0) continue;
        u32 first = 0;
        if (lane_in_warp() == 0) first = atomic_add(&board.count[nth], count_ones(votes));
        first = warp_shuffle(FULL_WARP, first, 0);
        if (leads) board.listed[nth][first + count_ones(votes & lanes_before())] = t;
    }
    block_sync();
    return true;
}

// What a size of several warps takes of a share: the block takes all that fill it, smaller parts one tile. A thread takes `tiles` arcs,
// from `arc` on, a size apart.
struct Wide {
    u32 vertex, base;
    Offset arc, tiles;
};

DEVICE Wide wide_at(const Board& board, u32 nth, u32 size, u32 k) {
    const u32 at = board.listed[nth][k], block = block_threads();
    const Offset length = board.length[at];
    Wide wide;
    wide.vertex = board.vertex[at];
    wide.base = board.base[at];
    wide.arc = board.body[at] + (size == block ? 0 : tile_begin(length, size)) + thread_in_block() % size;
    wide.tiles = size == block ? length / block : 1;
    return wide;
}

// Calls work(wide, size) for all on the board: each part of the block takes its turn of those of its size.
template <class W> DEVICE void each_wide(const Board& board, const W& work) {
    const u32 block = block_threads();
    u32 nth = 0;
    for (u32 size = block; size > 32; size /= 2, ++nth) {
        const u32 parts = block / size;
        for (u32 k = thread_in_block() / size; k < board.count[nth]; k += parts) work(wide_at(board, nth, size, k), size);
    }
}

// Tiles of several warps.
template <class S> DEVICE void wide_tiles(const Board& board, const Along& along, const Own& own, const S& s) {
    each_wide(board, [&](const Wide& wide, u32 size) {
        if (own.dry) return;
        Offset arc = wide.arc;
        for (Offset tile = 0; tile < wide.tiles; ++tile, arc += size) {
            s.step(along, true, s.enter(wide.vertex), wide.vertex, wide.base + target_at(along.targets, arc), arc);
        }
    });
}

// One arc of a lane, if it has one. Every lane of the warp must call.
template <class S> DEVICE void take_step(const Along& along, const S& s, bool is, u32 u, u32 base, Offset arc) {
    const typename S::Source source = is ? s.enter(u) : typename S::Source();
    s.step(along, is, source, u, is ? base + target_at(along.targets, arc) : 0, arc);
}

// A lane's arc of a tile of a warp or of a part of one, if its part has such a tile, and the lane that leads it.
struct Narrow {
    bool is;
    u32 leader, vertex, base;
    Offset arc;
};

// Calls work(narrow, size): each part of the warp takes the tiles of those of its lanes for which `takes` is true. Every lane of the warp
// must call; `takes` is asked once per size.
template <class T, class W> DEVICE void each_narrow(const Own& own, const Share& share, const T& takes, const W& work) {
    for (u32 size = 32; size >= own.least; size /= 2) {
        const u32 lane = lane_in_warp(), rank = lane % size;
        u32 votes = warp_ballot(FULL_WARP, takes() && (share.length & size) != 0);
        if (size < 32) votes &= ((1u << size) - 1) << (lane - rank);
        while (warp_any(FULL_WARP, votes != 0)) {
            Narrow narrow;
            narrow.is = votes != 0;
            narrow.leader = narrow.is ? trailing_zeros(votes) : lane;
            votes &= votes - 1;
            narrow.vertex = warp_shuffle(FULL_WARP, share.vertex, narrow.leader);
            narrow.base = warp_shuffle(FULL_WARP, share.base, narrow.leader);
            narrow.arc = warp_shuffle(FULL_WARP, share.body + tile_begin(share.length, size), narrow.leader) + rank;
            work(narrow, size);
        }
    }
}

// Tiles of a warp or of a part of one.
template <class S> DEVICE void narrow_tiles(const Along& along, const Own& own, const S& s, const Share& share) {
    each_narrow(own, share, [] { return true; }, [&](const Narrow& narrow, u32) {
        if (!own.dry) take_step(along, s, narrow.is, narrow.vertex, narrow.base, narrow.arc);
    });
}

// Heads and tails of a warp's shares, one after the other.
template <class S> DEVICE void fragments(const Along& along, const Own& own, const S& s, const Share& share) {
    const u32 left = share.head + share.tail;
    const u32 upto = warp_scan(left), all = warp_shuffle(FULL_WARP, upto, 31);
    for (u32 k = lane_in_warp(); k - lane_in_warp() < all; k += 32) {
        // The first lane whose sum is greater than k.
        u32 lane = 0;
        for (u32 by = 16; by > 0; by /= 2) {
            if (warp_shuffle(FULL_WARP, upto, lane + by - 1) <= k) lane += by;
        }
        const bool is = k < all;
        const u32 of = lane & 31;
        const u32 u = warp_shuffle(FULL_WARP, share.vertex, of), base = warp_shuffle(FULL_WARP, share.base, of);
        const u32 head = warp_shuffle(FULL_WARP, share.head, of);
        const u32 nth = k - warp_shuffle(FULL_WARP, upto - left, of);
        const Offset body = warp_shuffle(FULL_WARP, share.body, of), skip = warp_shuffle(FULL_WARP, share.skip, of);
        const Offset arc = body - head + nth + (nth < head ? 0 : skip);
        if (own.dry) continue;
        take_step(along, s, is, u, base, arc);
    }
}

// Goes over the shares of a block. Every thread of it must call.
template <class S> DEVICE void consume(Board& board, const Along& along, const Own& own, const S& s, const Share& share) {
    if (post(board, share)) {
        wide_tiles(board, along, own, s);
        // No thread writes on the board before all have read it.
        block_sync();
    }
    narrow_tiles(along, own, s, share);
    fragments(along, own, s, share);
}

// `advance`: f.edge(source, u, v, arc) for every arc; where it says so, v joins the next frontier.
template <class F> struct Each {
    const F& f;
    typedef typename F::Source Source;
    DEVICE Source enter(u32 u) const { return f.enter(u); }
    DEVICE void step(const Along& along, bool is, const Source& source, u32 u, u32 v, Offset arc) const {
        append(next_of(along), is && f.edge(source, u, v, arc), v);
    }
};

// All lanes of the first `size` from this one on put their parts together; the first has the result.
template <class F> DEVICE typename F::Part joined(const F& f, typename F::Part part, u32 size) {
    for (u32 by = size / 2; by > 0; by /= 2) {
        const typename F::Part other = shuffled(part, (lane_in_warp() + by) & 31);
        if (lane_in_warp() % size < by) f.join(part, other);
    }
    return part;
}

// `gather` over tiles of several warps: every warp settles its part.
template <class F> DEVICE void gather_wide(const Board& board, const Along& along, const Own& own, const F& f) {
    each_wide(board, [&](const Wide& wide, u32 size) {
        const u32 v = wide.vertex;
        // Others may settle v meanwhile: one answer for all lanes.
        if (own.dry || !warp_all(FULL_WARP, f.wants(v))) return;
        typename F::Part sum = f.start();
        bool enough = false;
        Offset arc = wide.arc;
        for (Offset tile = 0; tile < wide.tiles && !warp_any(FULL_WARP, enough); ++tile, arc += size) {
            enough = f.edge(sum, v, wide.base + target_at(along.targets, arc), arc);
        }
        sum = joined(f, sum, 32);
        append(next_of(along), lane_in_warp() == 0 && f.settle(v, sum), v);
    });
}

// What narrow tiles of a row come to is joined by the lane that holds it; is that enough?
template <class F>
DEVICE bool gather_narrow(const Along& along, const Own& own, const F& f, const Share& share, bool wants, typename F::Part& sum) {
    bool done = !wants;
    each_narrow(own, share, [&] { return !done; }, [&](const Narrow& narrow, u32 size) {
        if (own.dry) return;
        const u32 lane = lane_in_warp(), first = lane - lane % size;
        typename F::Part part = f.start();
        const bool enough = narrow.is && f.edge(part, narrow.vertex, narrow.base + target_at(along.targets, narrow.arc), narrow.arc);
        const u32 ended = warp_ballot(FULL_WARP, enough) >> first & (size < 32 ? (1u << size) - 1 : FULL_WARP);
        part = shuffled(joined(f, part, size), first);
        if (narrow.is && lane == narrow.leader) {
            f.join(sum, part);
            done |= ended != 0;
        }
    });
    return done;
}

// `gather` over the shares of a block: f.edge(sum, v, u, arc) over a row's arcs, then f.settle(v, sum), which says whether v joins the next
// frontier. Heads and tails are gone over by the thread that holds them. A row that has tiles of several warps is settled several times.
template <class F> DEVICE void collect(Board& board, const Along& along, const Own& own, const F& f, const Share& share) {
    if (post(board, share)) {
        gather_wide(board, along, own, f);
        block_sync();
    }
    const u32 v = share.vertex;
    const u32 left = share.head + share.tail;
    const bool has = left > 0 || (share.length & 63) >= own.least;
    const bool wants = has && (own.dry || f.wants(v));
    typename F::Part sum = f.start();
    bool done = gather_narrow(along, own, f, share, wants, sum);
    if (own.dry) return;
    for (u32 nth = 0; nth < left && !done; ++nth) {
        const Offset arc = share.body - share.head + nth + (nth < share.head ? 0 : share.skip);
        done = f.edge(sum, v, share.base + target_at(along.targets, arc), arc);
    }
    append(next_of(along), wants && f.settle(v, sum), v);
}

// Entries are dealt out so that all blocks have some, and within a block all warps: this many at a time, and which one a thread takes.
DEVICE u32 entries_a_block(u64 count) {
    const u64 each = (count + grid_blocks() - 1) / grid_blocks();
    return each < 1 ? 1 : each < block_threads() ? static_cast<u32>(each) : block_threads();
}
DEVICE u32 place_in_block() { return lane_in_warp() * (block_threads() / 32) + warp_in_block(); }

// Calls work(share) in all threads of a block until all entries are done; `H::count(along, own)` is their
// number, `H::at(along, own, i)` the share of the i-th.
template <class H, class W> DEVICE void each_share(const Along& along, const Own& own, const W& work) {
    const u64 count = H::count(along, own);
    const u32 entries = entries_a_block(count);
    u32 looked = 0;
    for (u64 base = static_cast<u64>(block_in_grid()) * entries; base < count; base += static_cast<u64>(grid_blocks()) * entries) {
        if (++looked % PATIENCE == 0 && block_any(thread_in_block() == 0 && is_cancelled(along))) return;
        const u64 i = base + place_in_block();
        work(place_in_block() < entries && i < count ? H::at(along, own, i) : no_share());
    }
}

template <class H, class F> DEVICE void advance_tiles(const Along& along, const Own& own, const F& f) {
    DYNAMIC_SHARED(Board, board);
    const Each<F> each = {f};
    each_share<H>(along, own, [&](const Share& share) { consume(*board, along, own, each, share); });
}

template <class H, class F> DEVICE void gather_tiles(const Along& along, const Own& own, const F& f) {
    DYNAMIC_SHARED(Board, board);
    each_share<H>(along, own, [&](const Share& share) { collect(*board, along, own, f, share); });
}
