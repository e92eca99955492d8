typedef f64 Value;
typedef f64 Weight;
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
        const f64 t3 = f64_of(0x0000000000000000ull); // 0.0
        const f64 t4 = f64_of(0x7ff0000000000000ull); // inf
        const f64 t5 = t2 ? t3 : t4;
        return t5;
    }

    DEVICE Value start(const VertexSight& v) const {
        const u32 t0 = v.id();
        const u32 t1 = Scalar<u32>::of_bits(params[0]); // "source"
        const bool t2 = t0 == t1;
        const f64 t3 = f64_of(0x0000000000000000ull); // 0.0
        const f64 t4 = f64_of(0x7ff0000000000000ull); // inf
        const f64 t5 = t2 ? t3 : t4;
        return t5;
    }

    DEVICE Value message(Value value, Weight weight, const VertexSight& source, const VertexSight& target) const {
        const f64 t0 = value;
        const f64 t1 = weight;
        const f64 t2 = plus(t0, t1);
        const bool t3 = t2 < t0;
        const f64 t4 = f64_of(0x7ff0000000000000ull); // inf
        const f64 t5 = t3 ? t4 : t2;
        return t5;
    }

    DEVICE Value apply(const VertexSight& v, Value value, Value arrived) const {
        const f64 t0 = value;
        const f64 t1 = arrived;
        const f64 t2 = least(t0, t1);
        return t2;
    }

    DEVICE bool active(Value value, Value arrived) const {
        const f64 t0 = value;
        const f64 t1 = arrived;
        const bool t2 = t0 == t1;
        const bool t3 = !t2;
        return t3;
    }
};
