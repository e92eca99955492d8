// How a row is cut into tiles: a head up to a multiple of `align` arcs, a body of tiles of at least `least` arcs, and a
// tail too short for a tile.
#include "prelude.cuh"

struct Cutting {
    Offset body, length;  // the tiles cover arcs [body, body + length)
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

// Returns where the tile of a size below a block begins within the body: larger tiles come first.
DEVICE Offset tile_begin(Offset length, u32 size) { return length & ~(2 * static_cast<Offset>(size) - 1); }
