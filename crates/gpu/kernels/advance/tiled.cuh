// `tiled`: a thread a row, which is cut into tiles as it is met; see tiles.cuh [1].
//
// [1] As there: algorithm 2.
#include "advance/tiles.cuh"

struct Cut {
    static DEVICE Share at(const Along& along, u64 i) { return cut(along, stretch_at(along, i)); }
};

template <class F> DEVICE void advance(const Along& along, const F& f) { advance_tiles<Cut>(along, f); }

// Rows without arcs are not settled.
template <class F> DEVICE void gather(const Along& along, const F& f) { gather_tiles<Cut>(along, f); }
