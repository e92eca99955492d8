// `split`: vertices of many arcs are worked on as several children, each with an even share of the arcs, at most the threshold [1]. Children
// are entries of the worklist over the unchanged rows and read what their parent holds. The paper makes them vertices of their own, and every change of
// a parent has to be copied to them by atomics; here there is nothing to copy.
//
// `along.items` are children; `sources` has the parent of each, `firsts` its first arc: those of a vertex are consecutive, so a child ends
// where the next one begins.
//
// [1] As in node.cuh: node splitting.
#include "advance/stretch.cuh"

struct Child {
    static DEVICE Stretch at(const Along& along, u64 i, bool is_there) {
        if (!is_there) return no_stretch();
        const u32 child = item(along, i);
        const u32 own = row_of(child, along.children);
        const Offset* firsts = static_cast<const Offset*>(along.firsts);
        Stretch stretch;
        stretch.base = child == own ? 0 : child / static_cast<u32>(along.children) * static_cast<u32>(along.vertices);
        stretch.vertex = stretch.base + along.sources[own];
        stretch.begin = firsts[own];
        stretch.end = firsts[own + 1];
        return stretch;
    }
};

template <class F> DEVICE void advance(const Along& along, const F& f) { advance_stretches<Child>(along, f); }

// A row is settled once a child; one without arcs has none.
template <class F> DEVICE void gather(const Along& along, const F& f) { gather_stretches<Child>(along, f); }
