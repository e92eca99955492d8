// Fibers: a thread of a block is a stack and the point at which it continues. Both functions are opaque to the
// compiler, which must assume that they change every static.

// wg_switch(void** save, void* to): stores the current context in *save and continues another context. wg_begin(void**
// save, void* top): stores the current context and begins wg_thread_main on the stack that ends at top. That may be the
// stack of a thread that just exited and is the caller: nothing is written above its frames before it is left. All
// threads of a warp switch in the same place, so that the processor predicts where a return leads.
asm(R"(
    .text
    .p2align 4
    .hidden wg_switch
    .globl wg_switch
    .type wg_switch, @function
wg_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size wg_switch, .-wg_switch

    .p2align 4
    .hidden wg_begin
    .globl wg_begin
    .type wg_begin, @function
wg_begin:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    xorl %ebp, %ebp
    call wg_thread_main
    ud2
    .size wg_begin, .-wg_begin
)");
extern "C" __attribute__((visibility("hidden"))) void wg_switch(void** save, void* to);
extern "C" __attribute__((visibility("hidden"))) void wg_begin(void** save, void* top);

namespace wg {

// Returns the high end of a stack. Stacks are a whole number of pages apart; without the stagger the 32 stacks of a
// warp would compete for the same few cache lines.
static inline void* stack_top(u32 stack) {
    u8* end = launch.stacks + (stack + 1) * launch.stack_bytes;
    return end - 128 - (stack % LANES) * 128;
}

static inline u32 take_stack() {
    u32 stack = free_stacks[--free_stack_count];
    if (__asan_unpoison_memory_region) {
        u8* end = launch.stacks + (stack + 1) * launch.stack_bytes;
        __asan_unpoison_memory_region(end - launch.stack_bytes, launch.stack_bytes);
    }
    return stack;
}

// Ends the kernel: switches to the host, which does not switch back.
static __attribute__((noinline)) void fail(Failure failure) {
    report.failure = failure;
    status = FAILED;
    wg_switch(&nowhere, host_sp);
}

static inline Waiting describe(const Warp* of, u32 at) {
    const Lane* l = &of->lanes[at];
    return Waiting{of->block->index, of->index * LANES + at, l->op, l->line, l->mask};
}

static inline Waiting here(u32 op, u32 line, u32 mask) { return Waiting{block_index, thread, op, line, mask}; }

}  // namespace wg
