// Collectives of a warp. All lanes that a mask names must arrive with that mask and the same operation; the last one computes what
// all get. Groups of one warp whose masks are disjoint may be in different collectives.

namespace wg {

// Something is wrong with the mask that this lane came with.
static __attribute__((noinline)) void bad_mask(u32 op, u32 mask, u32 line) {
    report.at = here(op, line, mask);
    if (!(mask >> lane & 1)) return fail(NOT_IN_MASK);
    u32 gone = mask & ~warp->alive;
    if (gone) {
        report.lane = __builtin_ctz(gone);
        return fail(warp->lanes_there >> report.lane & 1 ? EXITED_IN_MASK : ABSENT_IN_MASK);
    }
    u32 met = mask & warp->waiting;
    if (!met) {
        // Nobody of this mask waits, but a mask that somebody waits with names a lane of it.
        for (u32 left = warp->waiting; left; left &= left - 1) {
            if (warp->lanes[__builtin_ctz(left)].mask & mask) met |= left & -left;
        }
    }
    u32 other = __builtin_ctz(met);
    report.other = describe(warp, other);
    if (report.other.mask == mask) return fail(OTHER_OP);
    fail(OTHER_MASK);
}

static __attribute__((noinline)) void shuffle_outside(u32 of, u32 from) {
    report.at = describe(warp, of);
    report.lane = from;
    fail(SHUFFLE_OUTSIDE);
}

// All of a mask are here: gives each what it gets.
static void complete(u32 op, u32 mask) {
    u32 votes = warp->votes & mask;
    u64 all = op == BALLOT ? votes : op == ANY ? votes != 0 : votes == mask;
    for (u32 left = mask; left; left &= left - 1) {
        u32 at = __builtin_ctz(left);
        Lane* of = &warp->lanes[at];
        if (op < SHUFFLE) {
            of->result = all;
            continue;
        }
        if (!(mask >> of->from & 1)) return shuffle_outside(at, of->from);
        of->result = warp->lanes[of->from].value;
    }
}

static __attribute__((noinline)) u64 collect(u32 op, u32 mask, u64 value, u32 from, u32 line) {
    Warp* w = warp;
    u32 bit = 1u << lane;
    Lane* me = &w->lanes[lane];
    if (!(mask & bit) || (mask & ~w->alive)) bad_mask(op, mask, line);
    if (mask & w->claimed) {
        u32 met = mask & w->waiting;
        Lane* other = &w->lanes[met ? __builtin_ctz(met) : 0];
        if (!met || other->mask != mask || other->op != op) bad_mask(op, mask, line);
    }
    me->value = value;
    me->mask = mask;
    me->from = from;
    me->op = op;
    me->line = line;
    w->votes = (w->votes & ~bit) | (u32)(value & 1) << lane;
    steps++;
    if ((mask & ~(w->waiting | bit)) == 0) {
        complete(op, mask);
        w->waiting &= ~mask;
        w->claimed &= ~mask;
        make_runnable(w, mask & ~bit);
    } else {
        w->claimed |= mask;
        w->waiting |= bit;
        wait();
    }
    return me->result;
}

}  // namespace wg
