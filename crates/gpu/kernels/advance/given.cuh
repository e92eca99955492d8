// What a kernel that expands a frontier is given: the arguments of its functor, and behind them `Own`, those that only its
// balance has. The module prints `Own` and OWN_BYTES, its size; a balance without arguments has an empty one.
template <class Args> struct Given : Args, Own {};

// A kernel that calls `advance(args.along, args, functor)` or `gather(...)`: `args` is both its functor's struct and the `Own`.
#define EXPANSION(name, Args) \
    static_assert(sizeof(Given<Args>) == sizeof(Args) + OWN_BYTES, "no padding between " #Args " and Own"); \
    KERNEL(name, Given<Args>)
