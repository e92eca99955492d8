//! What all members compute together: sums, extremes, lists.

use crate::{Exchange, Reduce, Result, exchange::ExchangeError};
use warpgraph_core::program::Scalar;

/// Returns the sum of a number of every member.
pub(crate) fn sum(exchange: &mut dyn Exchange, number: u64) -> Result<u64> {
    let mut words = [number];
    exchange.all_reduce(&mut words, Reduce::Sum)?;
    Ok(words[0])
}

/// Returns the sums of numbers of every member.
pub(crate) fn sums<const N: usize>(exchange: &mut dyn Exchange, mut words: [u64; N]) -> Result<[u64; N]> {
    exchange.all_reduce(&mut words, Reduce::Sum)?;
    Ok(words)
}

/// Returns the sums of decimals of every member, added in the order of the parts.
pub(crate) fn sums_f64<const N: usize>(exchange: &mut dyn Exchange, numbers: [f64; N]) -> Result<[f64; N]> {
    let mut words = numbers.map(f64::to_bits);
    exchange.all_reduce(&mut words, Reduce::SumF64)?;
    Ok(words.map(f64::from_bits))
}

/// Returns the smallest of the numbers that members have.
pub(crate) fn least<T: Scalar>(exchange: &mut dyn Exchange, number: Option<T>) -> Result<Option<T>> {
    // A reserved word for "none" would be a value of some type; so a second word says whether there is one.
    let mut words = [number.map_or(u64::MAX, key), u64::from(number.is_none())];
    exchange.all_reduce(&mut words, Reduce::Min)?;
    Ok((words[1] == 0).then(|| value(words[0])))
}

/// Returns the largest of the numbers that members have.
pub(crate) fn greatest<T: Scalar>(exchange: &mut dyn Exchange, number: Option<T>) -> Result<Option<T>> {
    let mut words = [number.map_or(0, key), u64::from(number.is_some())];
    exchange.all_reduce(&mut words, Reduce::Max)?;
    Ok((words[1] == 1).then(|| value(words[0])))
}

/// Returns a word whose order is that of the numbers.
fn key<T: Scalar>(number: T) -> u64 {
    let bits = number.bits();
    let sign = 1u64 << (8 * size_of::<T>() - 1);
    let all = sign | (sign - 1);
    match T::LEAST < T::ZERO {
        // Integers without a sign.
        false => bits,
        // Decimals: the order of negative ones is that of their bits, reversed. Whole numbers: only the sign is flipped.
        true if bits & sign != 0 && is_decimal::<T>() => !bits & all,
        true => bits ^ sign,
    }
}

fn value<T: Scalar>(key: u64) -> T {
    let sign = 1u64 << (8 * size_of::<T>() - 1);
    let all = sign | (sign - 1);
    T::from_bits(match T::LEAST < T::ZERO {
        false => key,
        true if key & sign == 0 && is_decimal::<T>() => !key & all,
        true => key ^ sign,
    })
}

fn is_decimal<T: Scalar>() -> bool {
    T::ONE.over(T::ONE.plus(T::ONE)) != T::ZERO
}

/// Returns the bytes of all members, in the order of the parts. For a few bytes per member only.
pub(crate) fn gather(exchange: &mut dyn Exchange, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
    let parts = exchange.parts();
    // The length goes ahead, so that bytes that are cut off or added are seen.
    let framed = [&(bytes.len() as u64).to_le_bytes()[..], bytes].concat();
    for to in 0..parts {
        exchange.send(to, framed.clone())?;
    }
    let mut all: Vec<Option<Vec<u8>>> = vec![None; parts];
    exchange.flush(&mut |from, bytes| {
        let (head, body) = bytes.split_at_checked(8).ok_or("a message without its length")?;
        if head != (body.len() as u64).to_le_bytes() {
            return Err(format!("{} bytes, and another length ahead of them", body.len()));
        }
        match all[from].replace(body.to_vec()) {
            None => Ok(()),
            Some(_) => Err("two messages where one was due".to_owned()),
        }
    })?;
    all.into_iter()
        .enumerate()
        .map(|(part, bytes)| {
            let what = "nothing, where a message was due".to_owned();
            bytes.ok_or_else(|| ExchangeError::Invalid { part, name: String::new(), what }.into())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_order_of_their_numbers_and_lead_back() {
        fn check<T: Scalar>(rising: &[T]) {
            assert!(rising.windows(2).all(|pair| key(pair[0]) < key(pair[1])), "{rising:?}");
            assert!(
                rising.iter().all(|&number| value::<T>(key(number)).bits() == number.bits()),
                "{rising:?}"
            );
        }
        check(&[0u32, 1, u32::MAX]);
        check(&[0u64, 1, u64::MAX]);
        check(&[i32::MIN, -1, 0, 1, i32::MAX]);
        check(&[f32::NEG_INFINITY, -1.5, -0.0, 0.0, 1e-30, 2.0, f32::INFINITY]);
        check(&[f64::NEG_INFINITY, -1.5, -0.0, 0.0, 1e-300, 2.0, f64::INFINITY]);
    }
}
