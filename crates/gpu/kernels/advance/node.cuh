// `node`: one thread per row, the baseline of the literature [1]. Rows of very different length leave most of a warp idle.
//
// [1] A. Raval, R. Nasre, V. Kumar, R. Vasudevan, S. Vadhiyar, K. Pingali, Dynamic load balancing strategies for graph applications on
//     GPUs, 2017: node-based task distribution.
#include "advance/stretch.cuh"

struct Whole {
    static DEVICE u64 count(const Along& along, const Own&) { return count_of(along); }
    static DEVICE Stretch at(const Along& along, const Own&, u64 i, bool is_there) {
        return is_there ? stretch_at(along, i) : no_stretch();
    }
};

template <class F> DEVICE void advance(const Along& along, const Own& own, const F& f) {
    advance_stretches<Whole>(along, own, f);
}

// A row is settled once, also one without arcs.
template <class F> DEVICE void gather(const Along& along, const Own& own, const F& f) {
    gather_stretches<Whole>(along, own, f);
}
