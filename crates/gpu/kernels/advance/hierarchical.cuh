// `hierarchical`: one sub-iteration: a thread a row, at most `along.most` of its arcs [1]. What is left of a row joins the list of the next
// sub-iteration, which the host starts, until that list is short; then `workload` does the rest.
//
// [1] As in node.cuh: hierarchical processing.
#include "advance/stretch.cuh"

struct Piece {
    // Every lane of the warp must call: the lists grow with one atomic a warp.
    static DEVICE Stretch at(const Along& along, u64 i, bool is_there) {
        Stretch stretch = is_there ? stretch_at(along, i) : no_stretch();
        const bool more = stretch.end - stretch.begin > along.most;
        const u64 place = take_place(along.rest_size, more);
        if (more) {
            stretch.end = stretch.begin + static_cast<Offset>(along.most);
            along.rest[place] = stretch.vertex;
            static_cast<Offset*>(along.rest_starts)[place] = stretch.end;
        }
        return stretch;
    }
};

template <class F> DEVICE void advance(const Along& along, const F& f) { advance_stretches<Piece>(along, f); }

// A row is settled once a sub-iteration.
template <class F> DEVICE void gather(const Along& along, const F& f) { gather_stretches<Piece>(along, f); }
