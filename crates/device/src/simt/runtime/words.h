// The functions of prelude.cuh that a GPU's compiler has built in.

#define KERNEL(name, Struct) \
    static void wg_body_##name(const Struct& args); \
    extern "C" __attribute__((visibility("default"))) const u64 wg_size_##name; \
    const u64 wg_size_##name = sizeof(Struct); \
    extern "C" __attribute__((visibility("default"))) void wg_kernel_##name(const void* args) { \
        wg_body_##name(*static_cast<const Struct*>(args)); \
    } \
    static void wg_body_##name(const Struct& args)
#define KERNEL_OF(name, Struct, threads, blocks) KERNEL(name, Struct)
#define SHARED(type, name) __attribute__((section("wg_shared"), used)) static type name
#define DYNAMIC_SHARED(type, name) type* name = reinterpret_cast<type*>(wg::dynamic_shared(__builtin_LINE()))

DEVICE u32 thread_in_block() { return wg::thread; }
DEVICE u32 block_threads() { return wg::launch.block; }
DEVICE u32 block_in_grid() { return wg::block_index; }
DEVICE u32 grid_blocks() { return wg::launch.grid; }

DEVICE void block_sync(u32 line = __builtin_LINE()) { wg::barrier(wg::BLOCK_SYNC, false, line); }
DEVICE bool block_any(bool x, u32 line = __builtin_LINE()) { return wg::barrier(wg::BLOCK_ANY, x, line); }
DEVICE void warp_sync(u32 mask, u32 line = __builtin_LINE()) { wg::collect(wg::SYNC, mask, 0, 0, line); }
DEVICE u32 warp_ballot(u32 mask, bool x, u32 line = __builtin_LINE()) {
    return (u32)wg::collect(wg::BALLOT, mask, x, 0, line);
}
DEVICE bool warp_any(u32 mask, bool x, u32 line = __builtin_LINE()) {
    return wg::collect(wg::ANY, mask, x, 0, line) != 0;
}
DEVICE bool warp_all(u32 mask, bool x, u32 line = __builtin_LINE()) {
    return wg::collect(wg::ALL, mask, x, 0, line) != 0;
}

namespace wg {
// A lane that reads from beyond the warp gets its own value.
template <class T> static inline T shuffle(u32 op, u32 mask, T x, u32 from, u32 line) {
    static_assert(sizeof(T) <= 8 && __is_trivially_copyable(T), "shuffles carry plain values of up to 8 bytes");
    u64 value = 0;
    __builtin_memcpy(&value, &x, sizeof(T));
    value = collect(op, mask, value, from < LANES ? from : lane, line);
    __builtin_memcpy(&x, &value, sizeof(T));
    return x;
}
}  // namespace wg
template <class T> DEVICE T warp_shuffle(u32 mask, T x, u32 from, u32 line = __builtin_LINE()) {
    return wg::shuffle(wg::SHUFFLE, mask, x, from & 31, line);
}
template <class T> DEVICE T warp_shuffle_up(u32 mask, T x, u32 by, u32 line = __builtin_LINE()) {
    return wg::shuffle(wg::SHUFFLE_UP, mask, x, wg::lane - by, line);
}
template <class T> DEVICE T warp_shuffle_down(u32 mask, T x, u32 by, u32 line = __builtin_LINE()) {
    return wg::shuffle(wg::SHUFFLE_DOWN, mask, x, by < 32 ? wg::lane + by : 32, line);
}
template <class T> DEVICE T warp_shuffle_xor(u32 mask, T x, u32 by, u32 line = __builtin_LINE()) {
    return wg::shuffle(wg::SHUFFLE_XOR, mask, x, wg::lane ^ by, line);
}
DEVICE u32 warp_or(u32 x) {
    for (u32 by = 16; by > 0; by /= 2) x |= warp_shuffle_xor(0xffffffffu, x, by);
    return x;
}

DEVICE u32 count_ones(u32 x) { return __builtin_popcount(x); }
DEVICE u32 count_ones(u64 x) { return __builtin_popcountll(x); }
DEVICE u32 leading_zeros(u32 x) { return x ? __builtin_clz(x) : 32; }
DEVICE u32 trailing_zeros(u32 x) { return x ? __builtin_ctz(x) : 32; }

namespace wg {
template <class To, class From> static inline To bits_as(From from) {
    static_assert(sizeof(To) == sizeof(From), "the same bits");
    To to;
    __builtin_memcpy(&to, &from, sizeof(To));
    return to;
}
}  // namespace wg
DEVICE u32 bits_of(f32 x) { return wg::bits_as<u32>(x); }
DEVICE u64 bits_of(f64 x) { return wg::bits_as<u64>(x); }
DEVICE f32 f32_of(u32 bits) { return wg::bits_as<f32>(bits); }
DEVICE f64 f64_of(u64 bits) { return wg::bits_as<f64>(bits); }
// SSE2 rounds each operation to its type, and -ffp-contract=off fuses nothing.
DEVICE f32 plus(f32 a, f32 b) { return a + b; }
DEVICE f64 plus(f64 a, f64 b) { return a + b; }
DEVICE f32 times(f32 a, f32 b) { return a * b; }
DEVICE f64 times(f64 a, f64 b) { return a * b; }
DEVICE f32 over(f32 a, f32 b) { return a / b; }
DEVICE f64 over(f64 a, f64 b) { return a / b; }
DEVICE f32 root(f32 a) { return __builtin_sqrtf(a); }
DEVICE f64 root(f64 a) { return __builtin_sqrt(a); }

// Fibers do not pre-empt each other, so plain code is atomic.
namespace wg {
template <class T> static inline T exchange(T* at, T x) {
    T old = *at;
    *at = x;
    return old;
}
}  // namespace wg
#define WG_ATOMIC(type, name, next) \
    DEVICE type name(type* at, type x) { return wg::exchange<type>(at, next); }
WG_ATOMIC(u32, atomic_add, *at + x)
WG_ATOMIC(i32, atomic_add, (i32)((u32)*at + (u32)x))
WG_ATOMIC(u64, atomic_add, *at + x)
WG_ATOMIC(f32, atomic_add, *at + x)
WG_ATOMIC(f64, atomic_add, *at + x)
WG_ATOMIC(u32, atomic_min, x < *at ? x : *at)
WG_ATOMIC(i32, atomic_min, x < *at ? x : *at)
WG_ATOMIC(u64, atomic_min, x < *at ? x : *at)
WG_ATOMIC(i64, atomic_min, x < *at ? x : *at)
WG_ATOMIC(u32, atomic_max, x > *at ? x : *at)
WG_ATOMIC(i32, atomic_max, x > *at ? x : *at)
WG_ATOMIC(u64, atomic_max, x > *at ? x : *at)
WG_ATOMIC(i64, atomic_max, x > *at ? x : *at)
WG_ATOMIC(u32, atomic_or, *at | x)
WG_ATOMIC(i32, atomic_or, *at | x)
WG_ATOMIC(u64, atomic_or, *at | x)
WG_ATOMIC(u32, atomic_and, *at & x)
WG_ATOMIC(u32, atomic_exchange, x)
WG_ATOMIC(u64, atomic_exchange, x)
#undef WG_ATOMIC
DEVICE u32 atomic_compare_exchange(u32* at, u32 old, u32 x) { return wg::exchange<u32>(at, *at == old ? x : *at); }
DEVICE u64 atomic_compare_exchange(u64* at, u64 old, u64 x) { return wg::exchange<u64>(at, *at == old ? x : *at); }

DEVICE void fence_device() { asm volatile("" ::: "memory"); }
DEVICE void fence_system() { asm volatile("" ::: "memory"); }
template <class T> DEVICE T load_now(const T* at) { return *const_cast<const volatile T*>(at); }
template <class T> DEVICE void store_now(T* at, T x) { *const_cast<volatile T*>(at) = x; }
DEVICE void arrive(u32* at) { atomic_add(at, 1u); }
DEVICE u32 arrivals(const u32* at) { return load_now(at); }
DEVICE void arrive(u64* at, u64 x) { atomic_add(at, x); }
DEVICE u64 arrivals(const u64* at) { return load_now(at); }
DEVICE void fetch_ahead(const void*) {}
template <class T> DEVICE T load_const(const T* at) { return *at; }
template <class T> DEVICE void keep(T) {}

// Ticks of the processor: roughly nanoseconds.
DEVICE u64 nanoseconds() { return __builtin_ia32_rdtsc(); }

DEVICE void trap(u32 line = __builtin_LINE()) {
    wg::report.at = wg::here(0, line, 0);
    wg::fail(wg::TRAP);
}
template <class Condition> DEVICE void wait_until(Condition condition, u32 line = __builtin_LINE()) {
    if (condition()) return;
    do wg::poll(line);
    while (!condition());
    wg::steps++;
}
