typedef u32 Value;
typedef u32 Weight;
typedef u32 Column;
typedef Min Combine;
#define COLUMNS 0
#define READS_WEIGHT 1
#define MESSAGE_OF_SOURCE 0
#define PLAIN 1

struct Program {
    const u64* params;

    DEVICE Value init(const VertexSight& v) const {
        const u32 t0 = v.id();
        const u32 t1 = Scalar<u32>::of_bits(params[0]); // "source"
        const bool t2 = t0 == t1;
        const u32 t3 = 0u;
        const u32 t4 = 4294967295u;
        const u32 t5 = t2 ? t3 : t4;
        return t5;
    }

    DEVICE Value start(const VertexSight& v) const {
        const u32 t0 = v.id();
        const u32 t1 = Scalar<u32>::of_bits(params[0]); // "source"
        const bool t2 = t0 == t1;
        const u32 t3 = 0u;
        const u32 t4 = 4294967295u;
        const u32 t5 = t2 ? t3 : t4;
        return t5;
    }

    DEVICE Value message(Value value, Weight weight, const VertexSight& source, const VertexSight& target) const {
        const u32 t0 = value;
        const u32 t1 = weight;
        const u32 t2 = plus(t0, t1);
        const bool t3 = t2 < t0;
        const u32 t4 = 4294967295u;
        const u32 t5 = t3 ? t4 : t2;
        return t5;
    }

    DEVICE Value apply(const VertexSight& v, Value value, Value arrived) const {
        const u32 t0 = value;
        const u32 t1 = arrived;
        const u32 t2 = least(t0, t1);
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
