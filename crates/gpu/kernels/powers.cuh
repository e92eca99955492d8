// Decimals beyond the range of f64: a factor in [1, 2) and an exponent of 2. Multiplying by a power of two is exact.
#include "prelude.cuh"

// Returns 2^-less; 0 if that is not a normal number.
DEVICE f64 two_to_minus(u32 less) { return less < 1023 ? f64_of(static_cast<u64>(1023 - less) << 52) : 0.0; }

// Returns the exponent of a number that is at least 1.
DEVICE u32 exponent_of(f64 x) { return static_cast<u32>(bits_of(x) >> 52) - 1023; }

// Returns the factor of a number that is at least 1.
DEVICE f64 factor_of(f64 x) { return f64_of((bits_of(x) & 0xfffffffffffffull) | 1023ull << 52); }
