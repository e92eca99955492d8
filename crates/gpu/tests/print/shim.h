// What the prelude asks of a device, on the host, for functions that know nothing of threads.
#define WARPGRAPH_SIMT
#include <math.h>
#include <string.h>

typedef unsigned char u8;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef float f32;
typedef double f64;

#define DEVICE inline

template <class To, class From> To reinterpreted(From x) {
    static_assert(sizeof(To) == sizeof(From), "as many bits");
    To to;
    memcpy(&to, &x, sizeof to);
    return to;
}
DEVICE u32 bits_of(f32 x) { return reinterpreted<u32>(x); }
DEVICE u64 bits_of(f64 x) { return reinterpreted<u64>(x); }
DEVICE f32 f32_of(u32 bits) { return reinterpreted<f32>(bits); }
DEVICE f64 f64_of(u64 bits) { return reinterpreted<f64>(bits); }
DEVICE f32 plus(f32 a, f32 b) { return a + b; }
DEVICE f64 plus(f64 a, f64 b) { return a + b; }
DEVICE f32 times(f32 a, f32 b) { return a * b; }
DEVICE f64 times(f64 a, f64 b) { return a * b; }
DEVICE f32 over(f32 a, f32 b) { return a / b; }
DEVICE f64 over(f64 a, f64 b) { return a / b; }
DEVICE f32 root(f32 a) { return sqrtf(a); }
DEVICE f64 root(f64 a) { return sqrt(a); }

// What another thread writes right after the next look at memory.
template <class T> struct Meanwhile {
    static inline T* at = nullptr;
    static inline T value;
};
template <class T> void meanwhile(T* at, T value) {
    Meanwhile<T>::at = at;
    Meanwhile<T>::value = value;
}
template <class T> T load_now(const T* at) {
    const T seen = *const_cast<const volatile T*>(at);
    if (Meanwhile<T>::at) *Meanwhile<T>::at = Meanwhile<T>::value;
    Meanwhile<T>::at = nullptr;
    return seen;
}

// Puts `change` of what is there in its place, and gives what was there. There is one thread.
template <class T, class Change> T atomic_change(T* at, Change change) {
    const T old = *at;
    *at = change(old);
    return old;
}
#define ATOMICS(T, Unsigned) \
    DEVICE T atomic_add(T* at, T x) { return atomic_change(at, [=](T old) { return (T)((Unsigned)old + (Unsigned)x); }); } \
    DEVICE T atomic_min(T* at, T x) { return atomic_change(at, [=](T old) { return x < old ? x : old; }); } \
    DEVICE T atomic_max(T* at, T x) { return atomic_change(at, [=](T old) { return x > old ? x : old; }); } \
    DEVICE T atomic_or(T* at, T x) { return atomic_change(at, [=](T old) { return old | x; }); }
ATOMICS(u32, u32)
ATOMICS(i32, u32)
ATOMICS(u64, u64)
ATOMICS(i64, u64)
DEVICE f32 atomic_add(f32* at, f32 x) { return atomic_change(at, [=](f32 old) { return old + x; }); }
DEVICE f64 atomic_add(f64* at, f64 x) { return atomic_change(at, [=](f64 old) { return old + x; }); }

DEVICE u32 thread_in_block() { return 0; }
DEVICE u32 block_threads() { return 1; }
DEVICE u32 block_in_grid() { return 0; }
DEVICE u32 grid_blocks() { return 1; }

// Results as bits, widened.
DEVICE u64 wide(bool x) { return x; }
DEVICE u64 wide(u32 x) { return x; }
DEVICE u64 wide(i32 x) { return (u32)x; }
DEVICE u64 wide(u64 x) { return x; }
DEVICE u64 wide(i64 x) { return (u64)x; }
DEVICE u64 wide(f32 x) { return bits_of(x); }
DEVICE u64 wide(f64 x) { return bits_of(x); }
