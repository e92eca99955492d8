// Breadth-first search from many sources at once. Every vertex has three sets of sources, with one bit per source and
// `WORDS` words per set: the sources that have `seen` it, the sources whose `front` it is on, and the sources whose
// front it will be on `next`. The last set is empty before a level.

struct Set {
    u64 words[WORDS];
};

DEVICE Set set_of(const u64* sets, u32 v) {
    Set set;
    for (u32 w = 0; w < WORDS; ++w) set.words[w] = sets[static_cast<u64>(v) * WORDS + w];
    return set;
}

// Returns true if some source of the batch, not counting those of a set, has not seen v.
DEVICE bool is_missed(const BatchArgs& args, u32 v, const Set& but) {
    const Set seen = set_of(args.seen, v);
    u64 missing = 0;
    for (u32 w = 0; w < WORDS; ++w) missing |= args.full[w] & ~seen.words[w] & ~but.words[w];
    return missing != 0;
}
