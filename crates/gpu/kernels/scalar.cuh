// The numbers that programs compute with: u32, i32, u64, f32 and f64, with the same bits as core's `Scalar`.
//
// - Whole numbers wrap around. Division by zero gives 0; the least i32 divided by -1 wraps.
// - Decimals follow IEEE 754; nothing is fused or reordered.
// - A cast rounds to the nearest decimal, and towards zero for whole numbers, and saturates at the range of its type;
//   NaN becomes 0. A wide whole number loses its upper bits in a narrow one.
// - `order` is a total order: -0 is less than +0. NaN improves nothing. What improves NaN depends on its sign, and the
//   sign of a computed NaN depends on the machine: only there two machines may differ.
//
// The prelude already has `plus`, `times`, `over` and `root` for decimals. Comparisons, and `!`, `&&` and `||` of truth
// values, are those of the language. Operations that could overflow an i32 are computed as u32, since signed overflow
// is undefined.
#include "prelude.cuh"

// The properties of a type: the ends of its range, conversion from bits, and casts from all five types.
template <class T> struct Scalar;

template <> struct Scalar<u32> {
    static DEVICE u32 zero() { return 0u; }
    static DEVICE u32 least() { return 0u; }
    static DEVICE u32 greatest() { return 0xffffffffu; }
    static DEVICE u32 of_bits(u64 bits) { return (u32)bits; }
    template <class Whole> static DEVICE u32 of(Whole x) { return (u32)x; }
    static DEVICE u32 of(f32 x) { return x >= 4294967296.0f ? greatest() : x > 0.0f ? (u32)x : 0u; }
    static DEVICE u32 of(f64 x) { return x >= 4294967296.0 ? greatest() : x > 0.0 ? (u32)x : 0u; }
};

template <> struct Scalar<i32> {
    static DEVICE i32 zero() { return 0; }
    static DEVICE i32 least() { return -2147483647 - 1; }
    static DEVICE i32 greatest() { return 2147483647; }
    static DEVICE i32 of_bits(u64 bits) { return (i32)(u32)bits; }
    template <class Whole> static DEVICE i32 of(Whole x) { return (i32)(u32)x; }
    static DEVICE i32 of(f32 x) {
        return x >= 2147483648.0f ? greatest() : x >= -2147483648.0f ? (i32)x : x < 0.0f ? least() : 0;
    }
    static DEVICE i32 of(f64 x) {
        return x >= 2147483648.0 ? greatest() : x >= -2147483648.0 ? (i32)x : x < 0.0 ? least() : 0;
    }
};

template <> struct Scalar<u64> {
    static DEVICE u64 zero() { return 0ull; }
    static DEVICE u64 least() { return 0ull; }
    static DEVICE u64 greatest() { return 0xffffffffffffffffull; }
    static DEVICE u64 of_bits(u64 bits) { return bits; }
    template <class Whole> static DEVICE u64 of(Whole x) { return (u64)x; }
    static DEVICE u64 of(f32 x) { return x >= 18446744073709551616.0f ? greatest() : x > 0.0f ? (u64)x : 0ull; }
    static DEVICE u64 of(f64 x) { return x >= 18446744073709551616.0 ? greatest() : x > 0.0 ? (u64)x : 0ull; }
};

template <> struct Scalar<f32> {
    static DEVICE f32 zero() { return 0.0f; }
    static DEVICE f32 least() { return f32_of(0xff800000u); }
    static DEVICE f32 greatest() { return f32_of(0x7f800000u); }
    static DEVICE f32 of_bits(u64 bits) { return f32_of((u32)bits); }
    template <class Number> static DEVICE f32 of(Number x) { return (f32)x; }
};

template <> struct Scalar<f64> {
    static DEVICE f64 zero() { return 0.0; }
    static DEVICE f64 least() { return f64_of(0xfff0000000000000ull); }
    static DEVICE f64 greatest() { return f64_of(0x7ff0000000000000ull); }
    static DEVICE f64 of_bits(u64 bits) { return f64_of(bits); }
    template <class Number> static DEVICE f64 of(Number x) { return (f64)x; }
};

template <class To, class From> DEVICE To cast(From x) { return Scalar<To>::of(x); }

DEVICE u32 plus(u32 a, u32 b) { return a + b; }
DEVICE i32 plus(i32 a, i32 b) { return (i32)((u32)a + (u32)b); }
DEVICE u64 plus(u64 a, u64 b) { return a + b; }

DEVICE u32 minus(u32 a, u32 b) { return a - b; }
DEVICE i32 minus(i32 a, i32 b) { return (i32)((u32)a - (u32)b); }
DEVICE u64 minus(u64 a, u64 b) { return a - b; }
DEVICE f32 minus(f32 a, f32 b) { return plus(a, -b); }
DEVICE f64 minus(f64 a, f64 b) { return plus(a, -b); }

DEVICE u32 times(u32 a, u32 b) { return a * b; }
DEVICE i32 times(i32 a, i32 b) { return (i32)((u32)a * (u32)b); }
DEVICE u64 times(u64 a, u64 b) { return a * b; }

DEVICE u32 over(u32 a, u32 b) { return b == 0 ? 0 : a / b; }
DEVICE i32 over(i32 a, i32 b) { return b == 0 ? 0 : b == -1 ? minus(0, a) : a / b; }
DEVICE u64 over(u64 a, u64 b) { return b == 0 ? 0 : a / b; }

DEVICE u32 root(u32 a) { return cast<u32>(root((f64)a)); }
DEVICE i32 root(i32 a) { return cast<i32>(root((f64)a)); }
DEVICE u64 root(u64 a) { return cast<u64>(root((f64)a)); }

DEVICE u32 magnitude(u32 a) { return a; }
DEVICE i32 magnitude(i32 a) { return a < 0 ? minus(0, a) : a; }
DEVICE u64 magnitude(u64 a) { return a; }
DEVICE f32 magnitude(f32 a) { return f32_of(bits_of(a) & 0x7fffffffu); }
DEVICE f64 magnitude(f64 a) { return f64_of(bits_of(a) & 0x7fffffffffffffffull); }

DEVICE u32 order(u32 x) { return x; }
DEVICE i32 order(i32 x) { return x; }
DEVICE u64 order(u64 x) { return x; }
// Negative numbers have the reverse order: flip all their bits except the sign.
DEVICE i32 order(f32 x) {
    const i32 bits = (i32)bits_of(x);
    return bits ^ (i32)((u32)(bits >> 31) >> 1);
}
DEVICE i64 order(f64 x) {
    const i64 bits = (i64)bits_of(x);
    return bits ^ (i64)((u64)(bits >> 63) >> 1);
}

DEVICE bool is_number(u32) { return true; }
DEVICE bool is_number(i32) { return true; }
DEVICE bool is_number(u64) { return true; }
DEVICE bool is_number(f32 x) { return x == x; }
DEVICE bool is_number(f64 x) { return x == x; }

template <class T> DEVICE bool is_less(T old, T x) { return order(x) < order(old) && is_number(x); }
template <class T> DEVICE bool is_greater(T old, T x) { return order(x) > order(old) && is_number(x); }
// The joins of Min and Max.
template <class T> DEVICE T least(T old, T x) { return is_less(old, x) ? x : old; }
template <class T> DEVICE T greatest(T old, T x) { return is_greater(old, x) ? x : old; }

DEVICE u32 bits_and(u32 a, u32 b) { return a & b; }
DEVICE i32 bits_and(i32 a, i32 b) { return a & b; }
DEVICE u64 bits_and(u64 a, u64 b) { return a & b; }
DEVICE f32 bits_and(f32 a, f32 b) { return least(a, b); }
DEVICE f64 bits_and(f64 a, f64 b) { return least(a, b); }

DEVICE u32 bits_or(u32 a, u32 b) { return a | b; }
DEVICE i32 bits_or(i32 a, i32 b) { return a | b; }
DEVICE u64 bits_or(u64 a, u64 b) { return a | b; }
DEVICE f32 bits_or(f32 a, f32 b) { return greatest(a, b); }
DEVICE f64 bits_or(f64 a, f64 b) { return greatest(a, b); }

DEVICE u64 pack(u32 upper, u32 lower) { return (u64)upper << 32 | lower; }
DEVICE u32 hi(u64 x) { return (u32)(x >> 32); }
DEVICE u32 lo(u64 x) { return (u32)x; }
