// `split`: vertices of many arcs are worked on as several children, each with an even share of the arcs, at most the threshold
// [1]. Children are entries of the worklist over the unchanged rows and read what their parent holds. The paper makes them
// vertices of their own, and every change of a parent has to be copied to them by atomics; here there is nothing to copy.
//
// `own.list` holds children, null if it is all of them; `own.parents` has the parent of each child, `own.firsts` its first arc.
// The children of a vertex are consecutive, so a child ends where the next one begins.
//
// [1] As in node.cuh: node splitting.
#include "advance/stretch.cuh"

struct Child {
    static DEVICE u64 count(const Along&, const Own& own) { return count_of(own.size, own.count); }
    static DEVICE Stretch at(const Along& along, const Own& own, u64 i, bool is_there) {
        if (!is_there) return no_stretch();
        const u32 child = own.list ? own.list[i] : static_cast<u32>(i);
        const u32 first = row_of(child, own.children);
        const Offset* firsts = static_cast<const Offset*>(own.firsts);
        Stretch stretch;
        stretch.base = child == first ? 0 : child / static_cast<u32>(own.children) * static_cast<u32>(along.vertices);
        stretch.vertex = stretch.base + own.parents[first];
        stretch.begin = firsts[first];
        stretch.end = firsts[first + 1];
        return stretch;
    }
};

template <class F> DEVICE void advance(const Along& along, const Own& own, const F& f) {
    advance_stretches<Child>(along, own, f);
}

// A row is settled once per child; a row without arcs has none.
template <class F> DEVICE void gather(const Along& along, const Own& own, const F& f) {
    gather_stretches<Child>(along, own, f);
}
