// A one-to-one shuffle of all u32 (the last steps of MurmurHash3), and its inverse.
DEVICE u32 mixed(u32 x) {
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}
DEVICE u32 unmixed(u32 x) {
    x = (x ^ x >> 16) * 0x7ed1b41du;
    x = (x ^ x >> 13 ^ x >> 26) * 0xa5cb9243u;
    return x ^ x >> 16;
}
