typedef f64 Value;
typedef u32 Weight;
typedef u32 Column;
typedef Sum Combine;
#define COLUMNS 0
#define READS_WEIGHT 0
#define MESSAGE_OF_SOURCE 1
#define PLAIN 1

struct Program {
    const u64* params;

    DEVICE Value init(const VertexSight& v) const {
        const f64 t0 = Scalar<f64>::of_bits(params[0]); // "base"
        return t0;
    }

    DEVICE Value start(const VertexSight& v) const {
        const u32 t0 = v.degree();
        const f64 t1 = cast<f64>(t0);
        const f64 t2 = Scalar<f64>::of_bits(params[0]); // "base"
        const f64 t3 = Scalar<f64>::of_bits(params[1]); // "per-arc"
        const f64 t4 = times(t3, t1);
        const f64 t5 = plus(t2, t4);
        return t5;
    }

    DEVICE Value message(Value value, Weight weight, const VertexSight& source, const VertexSight& target) const {
        const f64 t0 = value;
        const u32 t1 = source.degree();
        const f64 t2 = Scalar<f64>::of_bits(params[2]); // "damping"
        const f64 t3 = cast<f64>(t1);
        const f64 t4 = over(t2, t3);
        const f64 t5 = times(t0, t4);
        return t5;
    }

    DEVICE Value apply(const VertexSight& v, Value value, Value arrived) const {
        const f64 t0 = value;
        const f64 t1 = arrived;
        const f64 t2 = plus(t0, t1);
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
