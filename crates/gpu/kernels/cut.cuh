// How a row is cut into tiles: a head up to a sector of `align` arcs, tiles of at least `least` arcs in all, and a tail that fills none.
#include "prelude.cuh"

struct Cutting {
    Offset body, length;  // arcs [body, body + length) are those of tiles
    u32 head, tail;
};

DEVICE Cutting cut_row(Offset begin, Offset end, u32 align, u32 least) {
    const Offset arcs = end - begin, head = (align - begin % align) % align;
    Cutting cut;
    cut.head = static_cast<u32>(head < arcs ? head : arcs);
    cut.body = begin + cut.head;
    cut.tail = static_cast<u32>((arcs - cut.head) & (least - 1));
    cut.length = arcs - cut.head - cut.tail;
    return cut;
}

// Where among the arcs of tiles that of a size below a block begins: larger ones come first.
DEVICE Offset tile_begin(Offset length, u32 size) { return length & ~(2 * static_cast<Offset>(size) - 1); }
