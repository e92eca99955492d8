// The state of the simulator while a kernel runs. Everything is a static of the module: one kernel of a module runs at
// a time, and any host thread can resume it.
//
// No header is included, so that a kernel may have any name and compiling is fast.
#define WARPGRAPH_SIMT 1

typedef unsigned char u8;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef float f32;
typedef double f64;

// Not static: functors have member functions.
#define DEVICE inline __attribute__((unused))

namespace wg {

enum { LANES = 32, WARPS = 32, BLOCKS = 4, LISTED = 10, POISON = 0xCD };

// The function that a thread waits in. The host has the names.
enum Op : u32 {
    SYNC, BALLOT, ANY, ALL, SHUFFLE, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR, BLOCK_SYNC, BLOCK_ANY, WAIT_UNTIL
};
enum Status : u32 { RUNNING, IDLE, DONE, FAILED };
enum Failure : u32 {
    TRAP, NOT_IN_MASK, EXITED_IN_MASK, ABSENT_IN_MASK, OTHER_OP, OTHER_MASK, SHUFFLE_OUTSIDE, TWO_BARRIERS,
    NO_DYNAMIC_SHARED, DEADLOCK
};

struct Lane {
    void* sp;      // stack pointer at which it continues, once it has started
    u64 value;     // its input to a collective
    u64 result;    // its result of the collective
    u32 mask;
    u32 from;      // the lane that it shuffles from
    u32 op;
    u32 line;
    u32 stack;     // the stack that it runs on
};

// The lanes that wait in one collective.
struct Group { u32 mask, op, arrived, votes; };

// Sets of lanes. A lane that has not exited is running, or in exactly one of runnable, waiting, polling, barred.
struct Warp {
    u32 runnable, waiting, polling, barred;
    u32 alive, started;
    u32 index;     // in its block
    u32 lanes_there;
    struct Block* block;
    u32 group_count;
    Group groups[LANES];
    Lane lanes[LANES];
};

struct Block {
    u32 index;     // in the grid
    u32 slot;      // among the co-resident blocks
    u32 ready;     // warps of the block that have runnable lanes
    u32 alive;     // threads of the block that have not exited
    u32 arrived;   // threads of these that wait at the barrier
    u32 barrier_op, barrier_line, barrier_thread;
    bool any, any_result;
    Warp warps[WARPS];
};

struct Waiting { u32 block, thread, op, line, mask; };

// Describes a failure, for the host to turn into text.
struct Report {
    u32 failure;
    u32 lane;          // the lane that a mask must not name or a shuffle must not read
    Waiting at;        // the thread that found the failure
    Waiting other;     // the thread that it conflicts with
    u32 count;         // number of threads that wait
    u32 listed;
    Waiting list[LISTED];
};

struct Launch {
    void (*kernel)(const void*);
    const void* args;
    u32 grid, block, shared, resident;   // resident: all blocks run at the same time
    u64 seed;
    u64 first, step;                     // the i-th block to run is (first + i * step) % grid
    u8* stacks;                          // the stacks, each with its guard page at its low end
    u64 stack_bytes;
    u32 stack_count, warps;
    u8* dynamic[BLOCKS];                 // dynamic shared memory of the co-resident blocks
    u8* saved[BLOCKS];                   // static shared memory of the blocks that are not running
};

static Launch launch;
static Report report;
static Block blocks[BLOCKS];
static u32 block_slots;        // number of slots in use
static u64 blocks_begun;
static u32 in_section;         // the slot whose static shared memory is in place
static u64 random_state;
static void* host_sp;
static void* nowhere;          // receives the context of a thread that never continues
static u32 status;
static i64 budget;             // switches until the host continues
static i32 quantum;            // switches until another warp runs
static u64 steps;              // steps that threads made so far; polling is not a step
static u64 steps_before;       // the value of steps when all threads polled last
static u32 idle_rounds;
static u32 free_stacks[BLOCKS * WARPS * LANES];
static u32 free_stack_count;

// The running thread.
static Warp* warp;
static u32 lane;
static u32 thread;
static u32 block_index;

// The section of SHARED variables; absent in a module without any.
extern "C" u8 __start_wg_shared[] __attribute__((weak, visibility("hidden")));
extern "C" u8 __stop_wg_shared[] __attribute__((weak, visibility("hidden")));
extern "C" void __asan_unpoison_memory_region(const volatile void*, unsigned long) __attribute__((weak));

static inline u64 random() {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x2545F4914F6CDD1Dull >> 32;
}

// Returns a random member of a set that is not empty.
static inline u32 one_of(u32 set) {
    u32 turn = (u32)random() & 31;
    u32 turned = set >> turn | set << (-turn & 31);
    return (__builtin_ctz(turned) + turn) & 31;
}

}  // namespace wg
