// `tiled`: one thread per row, which is cut into tiles as the thread meets it; see tiles.cuh [1].
//
// [1] As there: algorithm 2.
#include "advance/tiles.cuh"

struct Cut {
    static DEVICE u64 count(const Along& along, const Own&) { return count_of(along); }
    // The row of an entry, cut.
    static DEVICE Share at(const Along& along, const Own& own, u64 i) {
        const Stretch row = stretch_at(along, i);
        const Cutting cut = cut_row(row.begin, row.end, own.align, own.least);
        Share share;
        share.vertex = row.vertex;
        share.base = row.base;
        share.body = cut.body;
        share.length = share.skip = cut.length;
        share.head = cut.head;
        share.tail = cut.tail;
        return share;
    }
};

template <class F> DEVICE void advance(const Along& along, const Own& own, const F& f) { advance_tiles<Cut>(along, own, f); }

// Rows without arcs are not settled.
template <class F> DEVICE void gather(const Along& along, const Own& own, const F& f) { gather_tiles<Cut>(along, own, f); }
