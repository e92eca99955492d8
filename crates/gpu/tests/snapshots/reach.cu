typedef u32 Value;
typedef u32 Weight;
typedef u32 Column;
typedef Or Combine;
#define COLUMNS 1
#define READS_WEIGHT 0
#define MESSAGE_OF_SOURCE 1
#define PLAIN 1

struct Program {
    const u64* params;

    DEVICE Value init(const VertexSight& v) const {
        const u32 t0 = v.column(0u);
        return t0;
    }

    DEVICE Value start(const VertexSight& v) const {
        const u32 t0 = v.column(0u);
        return t0;
    }

    DEVICE Value message(Value value, Weight weight, const VertexSight& source, const VertexSight& target) const {
        const u32 t0 = value;
        return t0;
    }

    DEVICE Value apply(const VertexSight& v, Value value, Value arrived) const {
        const u32 t0 = value;
        const u32 t1 = arrived;
        const u32 t2 = bits_or(t0, t1);
        return t2;
    }

    DEVICE bool active(Value value, Value arrived) const {
        const u32 t0 = value;
        const u32 t1 = arrived;
        const bool t2 = t0 == t1;
        const bool t3 = !t2;
        return t3;
    }
};
