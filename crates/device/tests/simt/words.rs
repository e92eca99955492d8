//! Every function of the prelude compiles and does what its name says.

use crate::common::{block, run};

#[test]
fn words_of_bits_count_them() {
    let text = "u32* out = args.output;
        out[0] = count_ones(0xf0f0u); out[1] = count_ones(0xffff0000ffffull);
        out[2] = leading_zeros(1u); out[3] = leading_zeros(0u); out[4] = trailing_zeros(8u);
        out[5] = trailing_zeros(0u); out[6] = bits_of(1.5f); out[7] = bits_of(-2.5) >> 32;
        out[8] = f32_of(bits_of(3.25f)) == 3.25f; out[9] = f64_of(bits_of(1e300)) == 1e300;";
    let expected = [8, 32, 31, 32, 3, 32, 1.5f32.to_bits(), ((-2.5f64).to_bits() >> 32) as u32, 1, 1];
    assert_eq!(run(text, block(1), &[0], 10).unwrap(), expected);
}

#[test]
fn words_of_places_add_up() {
    let text = "u32 i = thread_in_grid();
        args.output[i] = warp_in_block() * 32 + lane_in_warp() == thread_in_block()
            && block_in_grid() * block_threads() + thread_in_block() == i
            && grid_blocks() * block_threads() == grid_threads()
            && count_ones(lanes_before()) == lane_in_warp()
            && load_const(args.input) == 9 && !is_cancelled(args.cancel);";
    let shape = crate::common::blocks(3, 70);
    assert_eq!(run(text, shape, &[9], 210).unwrap(), [1; 210]);
}

#[test]
fn atomics_return_the_old_value_and_store_the_new_one() {
    let text = "u32 u = 10; i32 i = -10; u64 w = 1ull << 40; i64 j = -(1ll << 40); f32 f = 0.5f; f64 d = 0.25;
        bool right = true;
        right &= atomic_add(&u, 5u) == 10 && u == 15;
        right &= atomic_add(&i, 5) == -10 && i == -5;
        right &= atomic_add(&w, (u64)5) == 1ull << 40 && w == (1ull << 40) + 5;
        right &= atomic_add(&f, 1.0f) == 0.5f && f == 1.5f;
        right &= atomic_add(&d, 1.0) == 0.25 && d == 1.25;
        right &= atomic_min(&u, 3u) == 15 && u == 3 && atomic_max(&u, 9u) == 3 && u == 9;
        right &= atomic_min(&i, -7) == -5 && i == -7 && atomic_max(&i, 4) == -7 && i == 4;
        right &= atomic_min(&w, (u64)7) == (1ull << 40) + 5 && w == 7 && atomic_max(&w, ~0ull) == 7 && w == ~0ull;
        right &= atomic_max(&j, (i64)-1) == -(1ll << 40) && j == -1 && atomic_min(&j, (i64)-2) == -1 && j == -2;
        right &= atomic_or(&u, 6u) == 9 && u == 15 && atomic_and(&u, 3u) == 15 && u == 3;
        right &= atomic_or(&i, 3) == 4 && i == 7;
        w = 1; right &= atomic_or(&w, (u64)2) == 1 && w == 3;
        right &= atomic_exchange(&u, 8u) == 3 && u == 8 && atomic_exchange(&w, (u64)4) == 3 && w == 4;
        right &= atomic_compare_exchange(&u, 8u, 1u) == 8 && u == 1;
        right &= atomic_compare_exchange(&u, 8u, 2u) == 1 && u == 1;
        right &= atomic_compare_exchange(&w, (u64)4, (u64)5) == 4 && w == 5;
        fence_device(); fence_system();
        args.output[0] = right;";
    assert_eq!(run(text, block(1), &[0], 1).unwrap(), [1]);
}

/// The same bits as Rust's, which are IEEE's: nothing is fused or kept wider.
#[test]
fn arithmetic_has_the_bits_of_rust() {
    const N: usize = 2000;
    let mut x = 12345u64;
    let mut random = || {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        x
    };
    // Any bits: numbers of all sizes, subnormal numbers, infinities and NaN.
    let words: Vec<u32> = (0..4 * N).map(|_| (random() >> 32) as u32).collect();
    let text = "u32* out = args.output;
        const f32* in32 = (const f32*)args.input;
        const f64* in64 = (const f64*)args.input;
        for (u32 i = thread_in_block(); i < 2000; i += block_threads()) {
            f32 a = in32[2 * i], b = in32[2 * i + 1];
            f32 r32[5] = {plus(a, b), times(a, b), over(a, b), root(a), a * b + a};
            f64 c = in64[2 * i % 4000], d = in64[(2 * i + 1) % 4000];
            f64 r64[5] = {plus(c, d), times(c, d), over(c, d), root(c), c * d + c};
            for (u32 k = 0; k < 5; k++) {
                out[15 * i + k] = bits_of(r32[k]);
                u64 bits = bits_of(r64[k]);
                out[15 * i + 5 + 2 * k] = (u32)bits;
                out[15 * i + 6 + 2 * k] = (u32)(bits >> 32);
            }
        }";
    let out = run(text, block(64), &words, 15 * N).unwrap();
    let real32 = |i: usize| f32::from_bits(words[i]);
    let real64 = |i: usize| f64::from_bits(u64::from(words[2 * i + 1]) << 32 | u64::from(words[2 * i]));
    for (i, out) in out.chunks(15).enumerate() {
        let (a, b) = (real32(2 * i), real32(2 * i + 1));
        for (k, x) in [a + b, a * b, a / b, a.sqrt(), a * b + a].into_iter().enumerate() {
            let got = f32::from_bits(out[k]);
            assert!(
                got.to_bits() == x.to_bits() || got.is_nan() && x.is_nan(),
                "{k}: {a} {b}: {got} not {x}"
            );
        }
        let (c, d) = (real64(2 * i % 4000), real64((2 * i + 1) % 4000));
        for (k, x) in [c + d, c * d, c / d, c.sqrt(), c * d + c].into_iter().enumerate() {
            let got = f64::from_bits(u64::from(out[6 + 2 * k]) << 32 | u64::from(out[5 + 2 * k]));
            assert!(
                got.to_bits() == x.to_bits() || got.is_nan() && x.is_nan(),
                "{k}: {c} {d}: {got} not {x}"
            );
        }
    }
}

#[test]
fn functors_with_member_functions_and_templates_compile() {
    let source = crate::common::module(
        "struct Add { u32 by; DEVICE u32 operator()(u32 x) const { return x + by; } };
        template <class F> DEVICE u32 twice(F f, u32 x) { return f(f(x)); }
        template <u32 N> struct Times { DEVICE static u32 of(u32 x) { return N * x; } };
        KERNEL(k, Io) { args.output[thread_in_block()] = Times<3>::of(twice(Add{args.other + 2}, args.input[0])); }",
        vec!["k"],
    );
    assert_eq!(crate::common::Bench::new(&source).run(block(2), &[10], 2, false).unwrap(), [42, 42]);
}
