// Numbers of bc_paths.cu: random numbers, logarithms, and numbers of paths.
#include "scalar.cuh"

// Mixes two numbers into one, as `hash::mix` of the graph crate does.
DEVICE u64 mix(u64 a, u64 b) {
    u64 x = a * 0x9e3779b97f4a7c15ull ^ ((b << 32 | b >> 32) + 0xd1b54a32d192ed03ull);
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdull;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ull;
    return x ^ x >> 33;
}

// The random numbers of a sample, those of `Draws` of the core crate: splitmix64.
struct Draws {
    u64 state;

    DEVICE u64 number() {
        state += 0x9e3779b97f4a7c15ull;
        u64 x = (state ^ state >> 30) * 0xbf58476d1ce4e5b9ull;
        x = (x ^ x >> 27) * 0x94d049bb133111ebull;
        return x ^ x >> 31;
    }

    // Returns a number below `end`, at most 2^32: the upper half of a product of 128 bits.
    DEVICE u32 below(u64 end) {
        const u64 x = number();
        return static_cast<u32>(((x >> 32) * end + ((x & 0xffffffffull) * end >> 32)) >> 32);
    }
};

// Returns the logarithm of a positive number to base 2, with the same bits on every device. For |f| < 0.172, the terms left
// out of ln((1 + f) / (1 - f)) = 2 f (1 + f^2 / 3 + f^4 / 5 + ...) are below 2^-55 of the sum.
DEVICE f64 logarithm(f64 x) {
    const u64 bits = bits_of(x);
    i32 exponent = static_cast<i32>(bits >> 52) - 1023;
    f64 mantissa = f64_of((bits & 0xfffffffffffffull) | 0x3ff0000000000000ull);
    if (mantissa > 1.4142135623730951) {
        mantissa *= 0.5;
        ++exponent;
    }
    const f64 f = (mantissa - 1.0) / (mantissa + 1.0), square = f * f;
    f64 sum = 0;
#pragma unroll
    for (u32 k = 12; k-- > 0;) sum = sum * square + 1.0 / (2.0 * k + 1.0);
    return exponent + f * sum * 2.8853900817779268;
}

// Returns how many bits a number has.
DEVICE u32 bits_in(u64 x) {
    const u32 high = static_cast<u32>(x >> 32);
    return high != 0 ? 64 - leading_zeros(high) : 32 - leading_zeros(static_cast<u32>(x));
}

// A number of paths is a u64, or *wide* where it may be too great for one: a mantissa in the lower bits and an exponent in the
// upper bits. A mantissa without its upper bit has exponent 0, so wide numbers compare as their words do.
#define MANTISSA_BITS 42u
#define GREATEST_WIDE 0xffffffffffffffffull

DEVICE u64 mantissa_of(u64 wide) { return wide & ((1ull << MANTISSA_BITS) - 1); }

// Returns a number as a wide one, rounded down.
DEVICE u64 wide_of(u64 x) {
    const u32 bits = bits_in(x);
    if (bits <= MANTISSA_BITS) return x;
    return static_cast<u64>(bits - MANTISSA_BITS) << MANTISSA_BITS | x >> (bits - MANTISSA_BITS);
}

// Returns the rounded sum of two wide numbers, or the greatest one if that is too small.
DEVICE u64 sum_of_wide(u64 a, u64 b) {
    const u64 more = a < b ? b : a, less = a < b ? a : b;
    u64 exponent = more >> MANTISSA_BITS;
    const u64 gap = exponent - (less >> MANTISSA_BITS);
    const u64 half = gap == 0 ? 0 : 1ull << (gap - 1 < MANTISSA_BITS ? gap - 1 : MANTISSA_BITS);
    u64 mantissa = mantissa_of(more) + (gap <= MANTISSA_BITS ? (mantissa_of(less) + half) >> gap : 0);
    if (mantissa >> MANTISSA_BITS != 0) {
        mantissa = (mantissa + 1) >> 1;
        ++exponent;
    }
    return exponent >> (64 - MANTISSA_BITS) != 0 ? GREATEST_WIDE : exponent << MANTISSA_BITS | mantissa;
}

// Returns the logarithm of a number of paths to base 2.
DEVICE f64 logarithm_of_paths(bool is_wide, u64 paths) {
    if (!is_wide) return logarithm(static_cast<f64>(paths));
    return static_cast<f64>(paths >> MANTISSA_BITS) + logarithm(static_cast<f64>(mantissa_of(paths)));
}
