// What `resident` keeps of a row: its tiles, and what fills none. `Offset` is typedef'd by the module.
#include "prelude.cuh"

// A tile: `size` arcs from `begin` on. Fragments: `head` arcs from `begin` on, and `size - head` more after leaving out `skip`.
struct Record {
    Offset begin, skip;
    u32 vertex;
    u32 size_and_head;  // size << 8 | head for fragments, size << 8 | WHOLE for a tile
};
#define WHOLE 0xffu
