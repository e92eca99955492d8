// The functions and macros that kernels are written with. All built-ins of a GPU's compiler are used through them, so that the
// simulator can replace them, and so that a function that needs a newer architecture has another form for older ones.
//
// A kernel is `KERNEL(name, Struct) { ... args.field ... }`: it takes one struct and returns nothing; KERNEL_OF also bounds
// the size of its blocks. SHARED declares shared memory, in kernels only. Use `wait_until` for every wait for another thread.
#ifndef WARPGRAPH_SIMT

typedef unsigned char u8;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef float f32;
typedef double f64;

// NVRTC has the front end's own word for the offset of a field, not GCC's.
#define __builtin_offsetof(type, field) __INTADDR__(&((type*)0)->field)

#define DEVICE __device__ __forceinline__
#define KERNEL(name, Struct) extern "C" __global__ void name(const __grid_constant__ Struct args)
// A kernel for blocks of at most `threads` threads, at least `blocks` of which share a multiprocessor.
#define KERNEL_OF(name, Struct, threads, blocks) \
    extern "C" __global__ void __launch_bounds__(threads, blocks) name(const __grid_constant__ Struct args)
#define SHARED(type, name) __shared__ type name
#define DYNAMIC_SHARED(type, name) \
    extern __shared__ __align__(16) u8 warpgraph_dynamic[]; \
    type* name = reinterpret_cast<type*>(warpgraph_dynamic)

DEVICE u32 thread_in_block() { return threadIdx.x; }
DEVICE u32 block_threads() { return blockDim.x; }
DEVICE u32 block_in_grid() { return blockIdx.x; }
DEVICE u32 grid_blocks() { return gridDim.x; }

DEVICE void block_sync() { __syncthreads(); }
DEVICE bool block_any(bool x) { return __syncthreads_or(x); }
DEVICE void warp_sync(u32 mask) { __syncwarp(mask); }
DEVICE u32 warp_ballot(u32 mask, bool x) { return __ballot_sync(mask, x); }
DEVICE bool warp_any(u32 mask, bool x) { return __any_sync(mask, x); }
DEVICE bool warp_all(u32 mask, bool x) { return __all_sync(mask, x); }
template <class T> DEVICE T warp_shuffle(u32 mask, T x, u32 from) { return __shfl_sync(mask, x, from); }
template <class T> DEVICE T warp_shuffle_up(u32 mask, T x, u32 by) { return __shfl_up_sync(mask, x, by); }
template <class T> DEVICE T warp_shuffle_down(u32 mask, T x, u32 by) { return __shfl_down_sync(mask, x, by); }
template <class T> DEVICE T warp_shuffle_xor(u32 mask, T x, u32 by) { return __shfl_xor_sync(mask, x, by); }
// Returns the bitwise or of the values of all 32 lanes.
DEVICE u32 warp_or(u32 x) {
#if __CUDA_ARCH__ >= 800
    return __reduce_or_sync(0xffffffffu, x);
#else
    for (u32 by = 16; by > 0; by /= 2) x |= __shfl_xor_sync(0xffffffffu, x, by);
    return x;
#endif
}

DEVICE u32 count_ones(u32 x) { return __popc(x); }
DEVICE u32 count_ones(u64 x) { return __popcll(x); }
DEVICE u32 leading_zeros(u32 x) { return __clz(x); }
DEVICE u32 trailing_zeros(u32 x) { return x ? __ffs(x) - 1 : 32; }

DEVICE u32 bits_of(f32 x) { return __float_as_uint(x); }
DEVICE u64 bits_of(f64 x) { return __double_as_longlong(x); }
DEVICE f32 f32_of(u32 bits) { return __uint_as_float(bits); }
DEVICE f64 f64_of(u64 bits) { return __longlong_as_double(bits); }
// Never fused, whatever the options are.
DEVICE f32 plus(f32 a, f32 b) { return __fadd_rn(a, b); }
DEVICE f64 plus(f64 a, f64 b) { return __dadd_rn(a, b); }
DEVICE f32 times(f32 a, f32 b) { return __fmul_rn(a, b); }
DEVICE f64 times(f64 a, f64 b) { return __dmul_rn(a, b); }
DEVICE f32 over(f32 a, f32 b) { return __fdiv_rn(a, b); }
DEVICE f64 over(f64 a, f64 b) { return __ddiv_rn(a, b); }
DEVICE f32 root(f32 a) { return __fsqrt_rn(a); }
DEVICE f64 root(f64 a) { return __dsqrt_rn(a); }

// Relaxed atomics with device scope. Each returns the old value.
DEVICE u32 atomic_add(u32* at, u32 x) { return atomicAdd(at, x); }
DEVICE i32 atomic_add(i32* at, i32 x) { return atomicAdd(at, x); }
DEVICE u64 atomic_add(u64* at, u64 x) { return atomicAdd(at, x); }
DEVICE f32 atomic_add(f32* at, f32 x) { return atomicAdd(at, x); }
DEVICE f64 atomic_add(f64* at, f64 x) { return atomicAdd(at, x); }
DEVICE u32 atomic_min(u32* at, u32 x) { return atomicMin(at, x); }
DEVICE i32 atomic_min(i32* at, i32 x) { return atomicMin(at, x); }
DEVICE u64 atomic_min(u64* at, u64 x) { return atomicMin(at, x); }
DEVICE i64 atomic_min(i64* at, i64 x) { return atomicMin(at, x); }
DEVICE u32 atomic_max(u32* at, u32 x) { return atomicMax(at, x); }
DEVICE i32 atomic_max(i32* at, i32 x) { return atomicMax(at, x); }
DEVICE u64 atomic_max(u64* at, u64 x) { return atomicMax(at, x); }
DEVICE i64 atomic_max(i64* at, i64 x) { return atomicMax(at, x); }
DEVICE u32 atomic_or(u32* at, u32 x) { return atomicOr(at, x); }
DEVICE i32 atomic_or(i32* at, i32 x) { return atomicOr(at, x); }
DEVICE u64 atomic_or(u64* at, u64 x) { return atomicOr(at, x); }
DEVICE u32 atomic_and(u32* at, u32 x) { return atomicAnd(at, x); }
DEVICE u32 atomic_exchange(u32* at, u32 x) { return atomicExch(at, x); }
DEVICE u64 atomic_exchange(u64* at, u64 x) { return atomicExch(at, x); }
DEVICE u32 atomic_compare_exchange(u32* at, u32 old, u32 x) { return atomicCAS(at, old, x); }
DEVICE u64 atomic_compare_exchange(u64* at, u64 old, u64 x) { return atomicCAS(at, old, x); }

DEVICE void fence_device() { __threadfence(); }
DEVICE void fence_system() { __threadfence_system(); }
// Reads or writes one whole value now, in memory that other threads change meanwhile.
template <class T> DEVICE T load_now(const T* at) { return *const_cast<const volatile T*>(at); }
template <class T> DEVICE void store_now(T* at, T x) { *const_cast<volatile T*>(at) = x; }
// Counts one arrival. A thread that sees it by `arrivals` also sees all earlier writes of the threads in this thread's block_sync.
DEVICE void arrive(u32* at) { asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(at) : "memory"); }
DEVICE u32 arrivals(const u32* at) {
    u32 count;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(count) : "l"(at) : "memory");
    return count;
}
// The same with a word of 64 bits that adds `x`.
DEVICE void arrive(u64* at, u64 x) { asm volatile("red.release.gpu.global.add.u64 [%0], %1;" ::"l"(at), "l"(x) : "memory"); }
DEVICE u64 arrivals(const u64* at) {
    u64 count;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(count) : "l"(at) : "memory");
    return count;
}
// Prefetches an address that will be read soon.
DEVICE void fetch_ahead(const void* at) { asm volatile("prefetch.global.L2 [%0];" ::"l"(at)); }
// Reads memory that does not change while the kernel runs.
template <class T> DEVICE T load_const(const T* at) { return __ldg(at); }
// Makes the compiler compute a value here, in all lanes that come by, even if it is used in some of them only.
DEVICE void keep(u32 x) { asm volatile("" ::"r"(x)); }
DEVICE void keep(i32 x) { asm volatile("" ::"r"(x)); }
DEVICE void keep(f32 x) { asm volatile("" ::"f"(x)); }
DEVICE void keep(u64 x) { asm volatile("" ::"l"(x)); }
DEVICE void keep(f64 x) { asm volatile("" ::"d"(x)); }

// Returns the device's clock in nanoseconds; it may tick as rarely as once per microsecond.
DEVICE u64 nanoseconds() {
    u64 now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

DEVICE void trap() { __trap(); }
// The only way to wait for another thread.
template <class Condition> DEVICE void wait_until(Condition condition) {
    while (!condition()) __nanosleep(32);
}

#endif

#define FULL_WARP 0xffffffffu
DEVICE u32 lane_in_warp() { return thread_in_block() & 31; }
DEVICE u32 warp_in_block() { return thread_in_block() >> 5; }
DEVICE u32 thread_in_grid() { return block_in_grid() * block_threads() + thread_in_block(); }
DEVICE u32 grid_threads() { return grid_blocks() * block_threads(); }
DEVICE u32 lanes_before() { return (1u << lane_in_warp()) - 1; }
// Returns whether the host asked kernels to end. This reads over the bus: call it once in a while, not once per edge.
DEVICE bool is_cancelled(const u32* word) { return load_now(word) != 0; }
