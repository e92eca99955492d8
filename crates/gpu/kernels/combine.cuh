// The monoids of core's `Combine`, and the same operations on memory that many threads join into. Each function is a
// template over u32, i32, u64, f32 and f64; Or takes whole numbers only.
//
//   identity<T>()    the value that changes nothing, for "no message arrived"
//   join(old, x)     combines both; Min and Max ignore a NaN
//   improves(old, x) true if joining x changes old; NaN improves nothing; any x but 0 changes a Sum
//   atomic(at, x)    joins x into *at, and returns the value before
//   deliver(at, x)   joins x into *at if x improves it; returns true if it did. It reads first, so that a message that
//                    improves nothing, as most do, costs a load and no atomic. The read may see an outdated value:
//                    under Min, Max and Or, where values only improve, a message that does not improve an older value
//                    does not improve a newer one either.
//
// Decimals are stored as they are. Their bits, read as signed integers, have the order of `order` for numbers without a
// sign bit, and the reverse order below zero. So one integer atomic suffices, and the sign of x decides which.
//
// If the device adds f32 in memory, subnormal numbers count as 0; sums agree up to rounding anyway.
#include "scalar.cuh"

DEVICE f32 atomic_least(f32* at, f32 x) {
    const u32 bits = bits_of(x);
    return bits >> 31 ? f32_of(atomic_max((u32*)at, bits)) : f32_of((u32)atomic_min((i32*)at, (i32)bits));
}
DEVICE f64 atomic_least(f64* at, f64 x) {
    const u64 bits = bits_of(x);
    return bits >> 63 ? f64_of(atomic_max((u64*)at, bits)) : f64_of((u64)atomic_min((i64*)at, (i64)bits));
}
template <class Whole> DEVICE Whole atomic_least(Whole* at, Whole x) { return atomic_min(at, x); }

DEVICE f32 atomic_greatest(f32* at, f32 x) {
    const u32 bits = bits_of(x);
    return bits >> 31 ? f32_of(atomic_min((u32*)at, bits)) : f32_of((u32)atomic_max((i32*)at, (i32)bits));
}
DEVICE f64 atomic_greatest(f64* at, f64 x) {
    const u64 bits = bits_of(x);
    return bits >> 63 ? f64_of(atomic_min((u64*)at, bits)) : f64_of((u64)atomic_max((i64*)at, (i64)bits));
}
template <class Whole> DEVICE Whole atomic_greatest(Whole* at, Whole x) { return atomic_max(at, x); }

// Implements `deliver` of Min, Max and Or.
template <class Monoid, class T> DEVICE bool deliver_better(T* at, T x) {
    return Monoid::improves(load_now(at), x) && Monoid::improves(Monoid::atomic(at, x), x);
}

struct Min {
    template <class T> static DEVICE T identity() { return Scalar<T>::greatest(); }
    template <class T> static DEVICE T join(T old, T x) { return least(old, x); }
    template <class T> static DEVICE bool improves(T old, T x) { return is_less(old, x); }
    template <class T> static DEVICE T atomic(T* at, T x) {
        return is_number(x) ? atomic_least(at, x) : load_now(at);
    }
    template <class T> static DEVICE bool deliver(T* at, T x) { return deliver_better<Min>(at, x); }
};

struct Max {
    template <class T> static DEVICE T identity() { return Scalar<T>::least(); }
    template <class T> static DEVICE T join(T old, T x) { return greatest(old, x); }
    template <class T> static DEVICE bool improves(T old, T x) { return is_greater(old, x); }
    template <class T> static DEVICE T atomic(T* at, T x) {
        return is_number(x) ? atomic_greatest(at, x) : load_now(at);
    }
    template <class T> static DEVICE bool deliver(T* at, T x) { return deliver_better<Max>(at, x); }
};

struct Sum {
    template <class T> static DEVICE T identity() { return Scalar<T>::zero(); }
    template <class T> static DEVICE T join(T old, T x) { return plus(old, x); }
    template <class T> static DEVICE bool improves(T, T x) { return x != Scalar<T>::zero(); }
    template <class T> static DEVICE T atomic(T* at, T x) { return atomic_add(at, x); }
    template <class T> static DEVICE bool deliver(T* at, T x) {
        const bool changes = improves(x, x);
        if (changes) atomic(at, x);
        return changes;
    }
};

struct Or {
    template <class T> static DEVICE T identity() { return Scalar<T>::zero(); }
    template <class T> static DEVICE T join(T old, T x) { return bits_or(old, x); }
    template <class T> static DEVICE bool improves(T old, T x) { return bits_or(old, x) != old; }
    template <class T> static DEVICE T atomic(T* at, T x) { return atomic_or(at, x); }
    template <class T> static DEVICE bool deliver(T* at, T x) { return deliver_better<Or>(at, x); }
};
