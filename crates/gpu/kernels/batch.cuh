// Breadth-first search from many sources at once: every vertex has three sets of sources, one bit a source, `WORDS` words each: those that have
// `seen` it, those whose `front` it is on, and those that will be there `next`, which is empty before a level.

struct Set {
    u64 words[WORDS];
};

DEVICE Set set_of(const u64* sets, u32 v) {
    Set set;
    for (u32 w = 0; w < WORDS; ++w) set.words[w] = sets[static_cast<u64>(v) * WORDS + w];
    return set;
}

// Does some source of the batch miss v, but for those in a set?
DEVICE bool is_missed(const BatchArgs& args, u32 v, const Set& but) {
    const Set seen = set_of(args.seen, v);
    u64 missing = 0;
    for (u32 w = 0; w < WORDS; ++w) missing |= args.full[w] & ~seen.words[w] & ~but.words[w];
    return missing != 0;
}
