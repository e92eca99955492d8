// Forward by hops: a vertex is on the layer after that of the vertex that finds it first.

struct Discover {
    const BcArgs& args;
    struct Source {};
    DEVICE Source enter(u32 u) const {
        look_at_count(args, u);
        return Source();
    }
    DEVICE bool edge(const Source&, u32, u32 v, Offset) const {
        u32* at = Tight{args}.distances() + v;
        const u32 far = Scalar<u32>::greatest();
        return load_now(at) == far && atomic_compare_exchange(at, far, args.round) == far;
    }
};

KERNEL(bc_forward, BcArgs) { advance(args.along, Discover{args}); }
