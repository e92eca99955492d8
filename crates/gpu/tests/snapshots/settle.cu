typedef f32 Value;
typedef i32 Weight;
typedef f64 Column;
typedef Sum Combine;
#define COLUMNS 2
#define READS_WEIGHT 1
#define MESSAGE_OF_SOURCE 0
#define PLAIN 0

struct Program {
    const u64* params;

    DEVICE Value init(const VertexSight& v) const {
        const f64 t0 = v.column(1u);
        const f64 t1 = Scalar<f64>::of_bits(params[0]); // "rate"
        const f64 t2 = times(t0, t1);
        const f32 t3 = cast<f32>(t2);
        return t3;
    }

    DEVICE Value start(const VertexSight& v) const {
        const f64 t0 = v.column(1u);
        const f64 t1 = Scalar<f64>::of_bits(params[0]); // "rate"
        const f64 t2 = times(t0, t1);
        const f32 t3 = cast<f32>(t2);
        return t3;
    }

    DEVICE Value message(Value value, Weight weight, const VertexSight& source, const VertexSight& target) const {
        const f32 t0 = value;
        const i32 t1 = weight;
        const u32 t2 = source.id();
        const u32 t3 = source.degree();
        const f64 t4 = source.column(0u);
        const u32 t5 = target.id();
        const i32 t6 = Scalar<i32>::of_bits(params[1]); // "limit"
        const bool t7 = t6 <= t1;
        const bool t8 = t5 == t2;
        const bool t9 = !t8;
        const bool t10 = t7 && t9;
        const f32 t11 = cast<f32>(t4);
        const f32 t12 = times(t11, t0);
        const f32 t13 = cast<f32>(t3);
        const f32 t14 = over(t12, t13);
        const i32 t15 = -2147483647 - 1;
        const i32 t16 = minus(t1, t15);
        const f32 t17 = cast<f32>(t16);
        const f32 t18 = magnitude(t17);
        const f32 t19 = t10 ? t14 : t18;
        return t19;
    }

    DEVICE Value apply(const VertexSight& v, Value value, Value arrived) const {
        const f32 t0 = value;
        const f32 t1 = arrived;
        const u32 t2 = v.degree();
        const f64 t3 = Scalar<f64>::of_bits(params[0]); // "rate"
        const f32 t4 = cast<f32>(t3);
        const f32 t5 = root(t1);
        const f32 t6 = minus(t5, t0);
        const f32 t7 = times(t4, t6);
        const f32 t8 = plus(t0, t7);
        const u32 t9 = 0u;
        const bool t10 = t2 == t9;
        const f32 t11 = f32_of(0x80000000u); // -0.0
        const f32 t12 = t10 ? t11 : t8;
        return t12;
    }

    DEVICE bool active(Value value, Value arrived) const {
        const f32 t0 = value;
        const f32 t1 = arrived;
        const f32 t2 = minus(t1, t0);
        const f32 t3 = magnitude(t2);
        const f32 t4 = Scalar<f32>::of_bits(params[2]); // "quiet"
        const bool t5 = t3 < t4;
        const bool t6 = !t5;
        return t6;
    }
};
