// The record that `resident` keeps per tile of a row, and for the fragments that fill no tile. The module defines
// `Offset`.
#include "prelude.cuh"

// A tile has `size` arcs from `begin` on. Fragments are `head` arcs from `begin` on and, after skipping `skip` arcs,
// `size - head` more.
struct Record {
    Offset begin, skip;
    u32 vertex;
    u32 size_and_head;  // size << 8 | head for fragments, size << 8 | WHOLE for a tile
};
#define WHOLE 0xffu
