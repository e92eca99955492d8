// `hierarchical`: one sub-iteration, with one thread per row and at most `own.most` of the row's arcs [1]. What is left of a row
// joins the list of the next sub-iteration, which the host starts, until that list is short; then `workload` does the rest.
//
// [1] As in node.cuh: hierarchical processing.
#include "advance/stretch.cuh"

struct Piece {
    static DEVICE u64 count(const Along& along, const Own&) { return count_of(along); }
    // Every lane of the warp must call: the lists grow with one atomic per warp.
    static DEVICE Stretch at(const Along& along, const Own& own, u64 i, bool is_there) {
        Stretch stretch = is_there ? stretch_at(along, i) : no_stretch();
        const bool more = stretch.end - stretch.begin > own.most;
        const u64 place = take_place(own.rest_size, more);
        if (more) {
            stretch.end = stretch.begin + static_cast<Offset>(own.most);
            own.rest[place] = stretch.vertex;
            static_cast<Offset*>(own.rest_starts)[place] = stretch.end;
        }
        return stretch;
    }
};

template <class F> DEVICE void advance(const Along& along, const Own& own, const F& f) {
    advance_stretches<Piece>(along, own, f);
}

// A row is settled once per sub-iteration.
template <class F> DEVICE void gather(const Along& along, const Own& own, const F& f) {
    gather_stretches<Piece>(along, own, f);
}
