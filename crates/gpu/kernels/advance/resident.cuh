// `resident`: one thread per tile, from a list of tiles that were cut when their rows were first met; a part of the block of
// exactly its size takes each [1]. `own.records` has all tiles that are kept. `own.tiles` lists those of the frontier, null if it
// is all of them; `own.bases` has what is added to their vertices, those being of another copy of the graph, null if nothing is.
//
// [1] As in tiles.cuh: algorithm 3.
#include "advance/tiles.cuh"
#include "record.cuh"

struct Kept {
    static DEVICE u64 count(const Along&, const Own& own) { return *own.size; }
    static DEVICE Share at(const Along&, const Own& own, u64 i) {
        const u64 nth = own.tiles ? own.tiles[i] : i;
        const Record record = static_cast<const Record*>(own.records)[nth];
        Share share;
        share.base = own.bases ? own.bases[i] : 0;
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

template <class F> DEVICE void advance(const Along& along, const Own& own, const F& f) { advance_tiles<Kept>(along, own, f); }

// A row is settled once per tile.
template <class F> DEVICE void gather(const Along& along, const Own& own, const F& f) { gather_tiles<Kept>(along, own, f); }
