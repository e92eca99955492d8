// `resident`: a thread a tile, out of a list of tiles that were cut when their rows were first met; a part of the block of exactly its
// size takes each [1]. `along.records` has all tiles that are kept, `along.work` numbers those of the frontier, null: all; `along.sources`
// what is added to their vertices, those being of another copy of the graph, null: nothing.
//
// [1] As in tiles.cuh: algorithm 3.
#include "advance/tiles.cuh"
#include "record.cuh"

struct Kept {
    static DEVICE Share at(const Along& along, u64 i) {
        const u64 nth = along.work ? static_cast<const u32*>(along.work)[i] : i;
        const Record record = static_cast<const Record*>(along.records)[nth];
        Share share;
        share.base = along.sources ? along.sources[i] : 0;
        share.vertex = share.base + record.vertex;
        const u32 size = record.size_and_head >> 8, head = record.size_and_head & WHOLE;
        const bool is_tile = head == WHOLE;
        share.body = is_tile ? record.begin : record.begin + head;
        share.length = is_tile ? size : 0;
        share.skip = record.skip;
        share.head = is_tile ? 0 : head;
        share.tail = is_tile ? 0 : size - head;
        return share;
    }
};

template <class F> DEVICE void advance(const Along& along, const F& f) { advance_tiles<Kept>(along, f); }

// A row is settled once a tile.
template <class F> DEVICE void gather(const Along& along, const F& f) { gather_tiles<Kept>(along, f); }
