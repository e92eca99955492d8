// Copies of vertices, and holes. The module prints `CopyArgs`.
#include "frontier.cuh"

// Returns true if v is a copy or a hole.
DEVICE bool is_idle(const CopyArgs& copies, u64 v) {
    return copies.idle && has_bit(copies.idle, static_cast<u32>(v));
}
