typedef f64 Value;
typedef f64 Weight;
typedef f64 Column;
typedef Sum Combine;
#define COLUMNS 2
#define READS_WEIGHT 1
#define MESSAGE_OF_SOURCE 0
#define PLAIN 1

struct Program {
    const u64* params;

    DEVICE Value init(const VertexSight& v) const {
        const f64 t0 = v.column(0u);
        return t0;
    }

    DEVICE Value start(const VertexSight& v) const {
        const f64 t0 = v.column(0u);
        return t0;
    }

    DEVICE Value message(Value value, Weight weight, const VertexSight& source, const VertexSight& target) const {
        const f64 t0 = value;
        const f64 t1 = weight;
        const f64 t2 = target.column(1u);
        const f64 t3 = times(t1, t2);
        const f64 t4 = times(t0, t3);
        return t4;
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
