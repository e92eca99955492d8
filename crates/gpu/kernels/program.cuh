// The vertices and messages of a program. The module begins with its types and arguments.

// The properties of a vertex that a program may read. It loads only those that the program reads.
struct VertexSight {
    const ProgramArgs& args;
    u32 v;
    DEVICE u32 id() const { return args.originals ? args.originals[v] : v; }
    DEVICE u32 degree() const {
        const Offset* offsets = static_cast<const Offset*>(args.out_offsets);
        return static_cast<u32>(offsets[v + 1] - offsets[v]);
    }
    DEVICE Column column(u32 i) const { return static_cast<const Column*>(args.columns)[i * args.vertices + v]; }
};
