typedef u64 Value;
typedef u32 Weight;
typedef u32 Column;
typedef Min Combine;
#define COLUMNS 0
#define READS_WEIGHT 0
#define MESSAGE_OF_SOURCE 1
#define PLAIN 1

struct Program {
    const u64* params;

    DEVICE Value init(const VertexSight& v) const {
        const u32 t0 = v.id();
        const u32 t1 = Scalar<u32>::of_bits(params[0]); // "source"
        const bool t2 = t0 == t1;
        const u32 t3 = 0u;
        const u64 t4 = pack(t3, t0);
        const u64 t5 = 18446744073709551615ull;
        const u64 t6 = t2 ? t4 : t5;
        return t6;
    }

    DEVICE Value start(const VertexSight& v) const {
        const u32 t0 = v.id();
        const u32 t1 = Scalar<u32>::of_bits(params[0]); // "source"
        const bool t2 = t0 == t1;
        const u32 t3 = 0u;
        const u64 t4 = pack(t3, t0);
        const u64 t5 = 18446744073709551615ull;
        const u64 t6 = t2 ? t4 : t5;
        return t6;
    }

    DEVICE Value message(Value value, Weight weight, const VertexSight& source, const VertexSight& target) const {
        const u64 t0 = value;
        const u32 t1 = source.id();
        const u32 t2 = hi(t0);
        const u32 t3 = 1u;
        const u32 t4 = plus(t2, t3);
        const u64 t5 = pack(t4, t1);
        const u32 t6 = Scalar<u32>::of_bits(params[1]); // "limit"
        const bool t7 = t2 < t6;
        const u64 t8 = 18446744073709551615ull;
        const u64 t9 = t7 ? t5 : t8;
        return t9;
    }

    DEVICE Value apply(const VertexSight& v, Value value, Value arrived) const {
        const u64 t0 = value;
        const u64 t1 = arrived;
        const u64 t2 = least(t0, t1);
        return t2;
    }

    DEVICE bool active(Value value, Value arrived) const {
        const u64 t0 = value;
        const u64 t1 = arrived;
        const bool t2 = t0 == t1;
        const bool t3 = !t2;
        return t3;
    }
};
