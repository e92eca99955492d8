//! `scalar.cuh` and `combine.cuh` against core's `Scalar` and `Combine`.

use crate::{draw, host::Host};
use std::fmt::Write as _;
use warpgraph_core::program::{Combine, Scalar, ScalarType};

/// Drawn numbers a type, three at a time.
const DRAWN: usize = 20_000;

/// What is computed of drawn numbers: the C++ text, the type of the result, and its bits by core.
struct Word {
    text: String,
    kind: ScalarType,
    bits: u64,
}

/// A number of `order`'s type, without its type.
trait Place {
    const KIND: ScalarType;
    fn place(self) -> u64;
}
macro_rules! place {
    ($($type:ty, $unsigned:ty, $kind:ident);*) => {$(
        impl Place for $type {
            const KIND: ScalarType = ScalarType::$kind;
            fn place(self) -> u64 {
                u64::from(self as $unsigned)
            }
        }
    )*};
}
place!(u32, u32, U32; i32, u32, I32; u64, u64, U64; i64, u64, U64);

/// Every word of a type, at drawn numbers.
fn words<T: Scalar<Order: Place>>([x, y, z]: [T; 3]) -> Vec<Word> {
    let mut words = Vec::new();
    let mut add =
        |text: &str, kind: ScalarType, bits: u64| words.push(Word { text: text.to_owned(), kind, bits });
    for (name, result) in [
        ("plus", x.plus(y)),
        ("minus", x.minus(y)),
        ("times", x.times(y)),
        ("over", x.over(y)),
        ("bits_or", x.or(y)),
        ("bits_and", x.and(y)),
        ("least", Combine::Min.join(x, y)),
        ("greatest", Combine::Max.join(x, y)),
    ] {
        add(&format!("{name}(x, y)"), T::TYPE, result.bits());
    }
    add("magnitude(x)", T::TYPE, x.magnitude().bits());
    add("root(x)", T::TYPE, x.root().bits());
    add("order(x)", T::Order::KIND, x.order().place());
    add("is_number(x)", ScalarType::Bool, u64::from(x.is_number()));
    add("Scalar<T>::zero()", T::TYPE, T::ZERO.bits());
    add("Scalar<T>::least()", T::TYPE, T::LEAST.bits());
    add("Scalar<T>::greatest()", T::TYPE, T::GREATEST.bits());
    add("cast<u32>(x)", ScalarType::U32, x.cast::<u32>().bits());
    add("cast<i32>(x)", ScalarType::I32, x.cast::<i32>().bits());
    add("cast<u64>(x)", ScalarType::U64, x.cast::<u64>().bits());
    add("cast<f32>(x)", ScalarType::F32, x.cast::<f32>().bits());
    add("cast<f64>(x)", ScalarType::F64, x.cast::<f64>().bits());
    if T::TYPE == ScalarType::U32 {
        let (upper, lower) = (x.bits(), y.bits());
        add("pack(x, y)", ScalarType::U64, upper << 32 | lower);
    }
    if T::TYPE == ScalarType::U64 {
        add("hi(x)", ScalarType::U32, x.bits() >> 32);
        add("lo(x)", ScalarType::U32, x.bits() & u64::from(u32::MAX));
    }
    for (monoid, how) in monoids(T::TYPE) {
        let (joined, improves) = (how.join(x, y), how.improves(x, y));
        let delivered = if improves { joined } else { x };
        add(&format!("{monoid}::identity<T>()"), T::TYPE, how.identity::<T>().bits());
        add(&format!("{monoid}::join(x, y)"), T::TYPE, joined.bits());
        add(&format!("{monoid}::improves(x, y)"), ScalarType::Bool, u64::from(improves));
        // The cell's old value, and what the cell holds after it.
        add(&format!("(cell = x, {monoid}::atomic(&cell, y))"), T::TYPE, x.bits());
        add("cell", T::TYPE, joined.bits());
        add(&format!("(cell = x, {monoid}::deliver(&cell, y))"), ScalarType::Bool, u64::from(improves));
        add("cell", T::TYPE, delivered.bits());
        if how.is_idempotent() {
            // The look sees x, and before anything else happens another thread has joined z.
            let there = how.join(x, z);
            let changes = improves && how.improves(there, y);
            let meanwhile = format!("cell = x, meanwhile(&cell, {monoid}::join(x, z))");
            add(&format!("({meanwhile}, {monoid}::deliver(&cell, y))"), ScalarType::Bool, u64::from(changes));
            add("cell", T::TYPE, if changes { how.join(there, y) } else { there }.bits());
        }
    }
    words
}

/// The monoids a type takes, by their names in C++.
fn monoids(kind: ScalarType) -> Vec<(&'static str, Combine)> {
    let mut all = vec![("Min", Combine::Min), ("Max", Combine::Max), ("Sum", Combine::Sum)];
    if !matches!(kind, ScalarType::F32 | ScalarType::F64) {
        all.push(("Or", Combine::Or));
    }
    all
}

/// Any NaN is as good as another.
pub(crate) fn same(kind: ScalarType, a: u64, b: u64) -> bool {
    let is_nan = |bits| match kind {
        ScalarType::F32 => <f32 as Scalar>::from_bits(bits).is_nan(),
        ScalarType::F64 => <f64 as Scalar>::from_bits(bits).is_nan(),
        _ => false,
    };
    a == b || (is_nan(a) && is_nan(b))
}

fn agree<T: Scalar<Order: Place>>() {
    let (name, sample) = (T::TYPE.name(), words([T::ZERO; 3]));
    let mut text = format!(
        "extern \"C\" void words(const u64* xs, const u64* ys, u64 count, u64* out) {{\n\
         typedef {name} T;\n\
         for (u64 i = 0; i < count; i++) {{\n\
         const T x = Scalar<T>::of_bits(xs[i]), y = Scalar<T>::of_bits(ys[i]);\n\
         const T z = Scalar<T>::of_bits(xs[count - 1 - i]);\nT cell;\n"
    );
    for word in &sample {
        let _ = writeln!(text, "*out++ = wide({});", word.text);
    }
    text += "}\n}\n";
    let draw =
        |salt: u64| -> Vec<u64> { (0..DRAWN as u64).map(|i| draw::bits(T::TYPE, i << 8 | salt)).collect() };
    let (xs, mut ys) = (draw(1), draw(2));
    // Ties are rare among drawn pairs, and matter to joins.
    (0..DRAWN).step_by(16).for_each(|i| ys[i] = xs[i]);
    let mut out = vec![0; DRAWN * sample.len()];
    Host::compile(&text).call("words", [&xs, &ys], DRAWN, &mut out);
    for (i, results) in out.chunks(sample.len()).enumerate() {
        let [x, y, z] = [xs[i], ys[i], xs[DRAWN - 1 - i]].map(T::from_bits);
        for (word, &got) in words([x, y, z]).iter().zip(results) {
            let Word { text, kind, bits } = word;
            assert!(
                same(*kind, got, *bits),
                "{name} {text}, x = {x:?}, y = {y:?}, z = {z:?}: {got:#x}, core has {bits:#x}"
            );
        }
    }
}

#[test]
fn words_of_u32_are_those_of_core() {
    agree::<u32>();
}

#[test]
fn words_of_i32_are_those_of_core() {
    agree::<i32>();
}

#[test]
fn words_of_u64_are_those_of_core() {
    agree::<u64>();
}

#[test]
fn words_of_f32_are_those_of_core() {
    agree::<f32>();
}

#[test]
fn words_of_f64_are_those_of_core() {
    agree::<f64>();
}
