// Collectives of a warp. All lanes that a mask names must arrive with that mask and the same operation; the last one
// computes the result for all. Groups of one warp may be in different collectives, even if one group waits for lanes of
// another that arrive later. But two lanes that name each other in different masks never meet, which is an error.

namespace wg {

// Reports that the mask of this lane is wrong: it omits the lane, or names one that has exited or does not exist.
static __attribute__((noinline)) void bad_mask(u32 op, u32 mask, u32 line) {
    report.at = here(op, line, mask);
    if (!(mask >> lane & 1)) return fail(NOT_IN_MASK);
    report.lane = __builtin_ctz(mask & ~warp->alive);
    fail(warp->lanes_there >> report.lane & 1 ? EXITED_IN_MASK : ABSENT_IN_MASK);
}

// Reports a waiting lane that this lane can never meet.
static __attribute__((noinline)) void bad_meeting(u32 op, u32 mask, u32 line, u32 other) {
    report.at = here(op, line, mask);
    report.other = describe(warp, other);
    fail(report.other.mask == mask ? OTHER_OP : OTHER_MASK);
}

static __attribute__((noinline)) void shuffle_outside(u32 of, u32 from) {
    report.at = describe(warp, of);
    report.lane = from;
    fail(SHUFFLE_OUTSIDE);
}

// Adds this lane to the group of its mask and operation.
static inline Group* join(Warp* w, u32 op, u32 mask, u32 line) {
    u32 bit = 1u << lane;
    Group* found = nullptr;
    for (u32 i = 0; i < w->group_count; i++) {
        Group* group = &w->groups[i];
        if (group->mask == mask && group->op == op) {
            found = group;
            break;
        }
        u32 never = group->mask & bit ? group->arrived & mask : 0;
        if (never) bad_meeting(op, mask, line, __builtin_ctz(never));
    }
    if (!found) {
        found = &w->groups[w->group_count++];
        *found = Group{mask, op, 0, 0};
    }
    found->arrived |= bit;
    return found;
}

// Computes the results of a group whose lanes have all arrived.
static void complete(const Group* group) {
    u32 op = group->op, mask = group->mask, votes = group->votes;
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
    Group* group = join(w, op, mask, line);
    me->value = value;
    me->mask = mask;
    me->from = from;
    me->op = op;
    me->line = line;
    group->votes |= (u32)(value & 1) << lane;
    steps++;
    if (group->arrived == mask) {
        complete(group);
        *group = w->groups[--w->group_count];
        w->waiting &= ~mask;
        make_runnable(w, mask & ~bit);
    } else {
        w->waiting |= bit;
        wait();
    }
    return me->result;
}

}  // namespace wg
