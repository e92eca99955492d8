//! The bytes that parts send to one another: values for some places of a list that both sides know ([`Halo`](crate::halo)).
//!
//! A message has one of three forms, whichever is shortest. All numbers are little-endian.
//!
//! | form | bytes |
//! | --- | --- |
//! | 1, sparse | 4 for the form, 4 for the count, the values, then a 32-bit position in the list for each |
//! | 2, dense | 4 for the form, 4 for the count, a value for every entry of the list |
//! | 3, bitmap | 4 for the form, 4 for the count, a bit for every entry in words of 64, then a value for each bit |
//!
//! So a message takes at most 8 bytes, and 4 bytes beside the value for every value that it carries. No message is sent
//! where there is no value. In the dense form an entry without a value carries a filler, which means "nothing".
//!
//! [`unpack`] and [`unpack_all`] check everything that they read: lengths, the count, and that positions rise and lie in the list.

use bytemuck::Pod;
use warpgraph_graph::par;

const SPARSE: u32 = 1;
const DENSE: u32 = 2;
const BITMAP: u32 = 3;
/// Bytes before the values.
const HEAD: usize = 8;
/// Values that a thread packs or reads at a time.
const BATCH: usize = 1 << 14;

/// Returns a message with values for these positions, which must rise, of a list of length `len`; `None` if there is none.
/// `filler` stands for "nothing".
pub(crate) fn pack<T: Pod>(
    len: usize,
    positions: &[u32],
    filler: T,
    value: impl Fn(usize) -> T,
) -> Option<Vec<u8>> {
    let (count, size) = (positions.len(), size_of::<T>());
    let (sparse, dense, bitmap) = (count * (4 + size), len * size, 8 * len.div_ceil(64) + count * size);
    let (form, body) = match () {
        () if count == 0 => return None,
        () if size > 0 && dense <= sparse.min(bitmap) => (DENSE, dense),
        () if sparse <= bitmap => (SPARSE, sparse),
        () => (BITMAP, bitmap),
    };
    Some(written(form, body, len, positions, filler, value))
}

/// Returns a message as [`pack`] does that has values for these positions and for no others, not even fillers.
pub(crate) fn pack_only<T: Pod>(
    len: usize,
    positions: &[u32],
    value: impl Fn(usize) -> T,
) -> Option<Vec<u8>> {
    let (count, size) = (positions.len(), size_of::<T>());
    let (sparse, bitmap) = (count * (4 + size), 8 * len.div_ceil(64) + count * size);
    let (form, body) = match () {
        () if count == 0 => return None,
        () if size > 0 && count == len => (DENSE, len * size),
        () if sparse <= bitmap => (SPARSE, sparse),
        () => (BITMAP, bitmap),
    };
    Some(written(form, body, len, positions, T::zeroed(), value))
}

/// Writes a message in a form, whose body has so many bytes.
fn written<T: Pod>(
    form: u32,
    body: usize,
    len: usize,
    positions: &[u32],
    filler: T,
    value: impl Fn(usize) -> T,
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD + body);
    bytes.extend_from_slice(&form.to_le_bytes());
    bytes.extend_from_slice(&(positions.len() as u32).to_le_bytes());
    match form {
        SPARSE => {
            put(&mut bytes, positions.len(), positions.iter().map(|&at| value(at as usize)));
            put(&mut bytes, positions.len(), positions.iter().map(|&at| at.to_le()));
        }
        DENSE => {
            let mut values = vec![filler; len];
            positions.iter().for_each(|&at| values[at as usize] = value(at as usize));
            put(&mut bytes, len, values.into_iter());
        }
        _ => {
            let mut words = vec![0u64; len.div_ceil(64)];
            positions.iter().for_each(|&at| words[at as usize / 64] |= 1 << (at % 64));
            put(&mut bytes, words.len(), words.iter().copied());
            put(&mut bytes, positions.len(), positions.iter().map(|&at| value(at as usize)));
        }
    }
    bytes
}

/// Returns a message with a value for every entry of a list of length `len`.
pub(crate) fn pack_all<T: Pod>(len: usize, value: impl Fn(usize) -> T + Sync) -> Vec<u8> {
    let size = size_of::<T>();
    let mut bytes = vec![0; HEAD + len * size];
    bytes[..4].copy_from_slice(&DENSE.to_le_bytes());
    bytes[4..HEAD].copy_from_slice(&(len as u32).to_le_bytes());
    par::chunks_mut(&mut bytes[HEAD..], (BATCH * size).max(1), |batch, part| {
        write(part, (batch * BATCH..).map(&value));
    });
    bytes
}

/// Reads a message of [`pack_all`] for a list of length `len`: calls `take` with all positions and their values, on all
/// threads.
pub(crate) fn unpack_all<T: Pod>(
    bytes: &[u8],
    len: usize,
    take: impl Fn(usize, T) + Sync,
) -> Result<(), String> {
    let size = size_of::<T>();
    let head = [DENSE.to_le_bytes(), (len as u32).to_le_bytes()].concat();
    if bytes.get(..HEAD) != Some(&head) || bytes.len() != HEAD + len * size {
        return Err(format!("expected a value of {size} bytes for each of {len}, got {} bytes", bytes.len()));
    }
    par::ranges(len, BATCH, |range| {
        let values = bytes[HEAD + range.start * size..HEAD + range.end * size].chunks_exact(size.max(1));
        range.zip(values).for_each(|(at, value)| take(at, bytemuck::pod_read_unaligned(value)));
    });
    Ok(())
}

/// Appends `count` values.
fn put<T: Pod>(bytes: &mut Vec<u8>, count: usize, values: impl Iterator<Item = T>) {
    let from = bytes.len();
    bytes.resize(from + count * size_of::<T>(), 0);
    write(&mut bytes[from..], values);
}

/// Writes values to bytes, as many as these have room for. With a fixed number of bytes at a time, a value is one store.
fn write<T: Pod>(bytes: &mut [u8], values: impl Iterator<Item = T>) {
    let rooms = bytes.chunks_exact_mut(size_of::<T>().max(1));
    rooms.zip(values).for_each(|(room, value)| room.copy_from_slice(bytemuck::bytes_of(&value)));
}

/// Reads a message for a list of length `len`: calls `take` with positions, rising, and their values; it returns what is
/// wrong with a value. In the dense form
/// every position is one. A type without bytes stands for positions alone, and has no dense form.
pub(crate) fn unpack<T: Pod>(
    bytes: &[u8],
    len: usize,
    mut take: impl FnMut(usize, T) -> Result<(), String>,
) -> Result<(), String> {
    let size = size_of::<T>();
    let word =
        |at: usize| -> Option<u32> { Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?)) };
    let (Some(form), Some(count)) = (word(0), word(4)) else {
        return Err(format!("expected a message of values, got {} bytes", bytes.len()));
    };
    let (count, body) = (count as usize, &bytes[HEAD..]);
    let expect = |wanted: usize| match body.len() == wanted && count <= len {
        true => Ok(()),
        false => Err(format!(
            "expected at most {len} values, and {wanted} bytes for {count} of them in form {form}, got {}",
            body.len()
        )),
    };
    let values = |bytes: &[u8], at: usize| bytemuck::pod_read_unaligned(&bytes[at * size..(at + 1) * size]);
    match form {
        SPARSE => {
            expect(count.saturating_mul(4 + size))?;
            let (held, positions) = body.split_at(count * size);
            let mut least = 0;
            for (at, position) in positions.chunks_exact(4).enumerate() {
                let position =
                    u32::from_le_bytes([position[0], position[1], position[2], position[3]]) as usize;
                if position >= len || position < least {
                    return Err(format!(
                        "position {position} where one from {least} and below {len} was due"
                    ));
                }
                least = position + 1;
                take(position, values(held, at))?;
            }
        }
        DENSE if size > 0 => {
            expect(len.saturating_mul(size))?;
            let mut values = body.chunks_exact(size).map(bytemuck::pod_read_unaligned).enumerate();
            return values.try_for_each(|(at, value)| take(at, value));
        }
        BITMAP => {
            let words = 8 * len.div_ceil(64);
            expect(words.saturating_add(count.saturating_mul(size)))?;
            let (words, held) = body.split_at(words);
            let words = words.chunks_exact(8).map(bytemuck::pod_read_unaligned).collect();
            let bits = crate::bits::Bits::of_words(words, len).filter(|bits| bits.count() == count);
            let bits =
                bits.ok_or_else(|| format!("a bitmap that is not one of {count} among {len} entries"))?;
            return bits.iter().enumerate().try_for_each(|(at, position)| take(position, values(held, at)));
        }
        _ => return Err(format!("a message of form {form}, expected 1, 2 or 3")),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn positions(set: &[bool]) -> Vec<u32> {
        (0..set.len() as u32).filter(|&at| set[at as usize]).collect()
    }

    proptest! {
        #[test]
        fn values_arrive_where_they_belong_and_take_four_bytes_more_at_most(
            set in prop::collection::vec(any::<bool>(), 0..300), share in 0usize..40,
        ) {
            let set: Vec<bool> = set.iter().enumerate().map(|(i, b)| *b && (i * 7) % 40 >= share).collect();
            let positions = positions(&set);
            let Some(bytes) = pack(set.len(), &positions, u64::MAX, |at| at as u64 + 5) else {
                prop_assert!(positions.is_empty());
                return Ok(());
            };
            prop_assert!(bytes.len() <= 8 + 12 * positions.len());
            prop_assert!(bytes.len() <= 8 + 8 * set.len());
            let mut found = Vec::new();
            unpack(&bytes, set.len(), |at, value: u64| {
                if value != u64::MAX {
                    found.push((at, value));
                }
                Ok(())
            })
            .unwrap();
            let wanted: Vec<_> = positions.iter().map(|&at| (at as usize, u64::from(at) + 5)).collect();
            prop_assert_eq!(found, wanted);
        }

        #[test]
        fn any_bytes_are_read_or_refused_and_no_position_is_beyond_the_list(
            bytes in prop::collection::vec(any::<u8>(), 0..80), form in 0u8..5, count in 0u8..9, len in 0usize..100,
        ) {
            let mut bytes = bytes;
            if bytes.len() >= 8 {
                bytes[..8].copy_from_slice(&[form, 0, 0, 0, count, 0, 0, 0]);
            }
            let _ = unpack(&bytes, len, |at, _: u32| {
                assert!(at < len);
                Ok(())
            });
        }
    }

    #[test]
    fn each_form_is_used_where_it_is_shortest() {
        let form = |len: u32, step: usize| {
            let positions: Vec<u32> = (0..len).step_by(step).collect();
            pack(len as usize, &positions, 0u32, |_| 1u32).unwrap()[0]
        };
        assert_eq!((form(1000, 1), form(1000, 4), form(1000, 100)), (2, 3, 1));
    }

    #[test]
    fn a_message_of_all_values_is_read_whole_or_refused() {
        let len = 3 * BATCH + 5;
        let bytes = pack_all(len, |at| at as u32 + 1);
        assert_eq!(bytes.len(), HEAD + 4 * len);
        let mut read = vec![0u32; len];
        let cells = warpgraph_graph::atomics::atomics(&mut read);
        let take = |at: usize, value| cells[at].store(value, std::sync::atomic::Ordering::Relaxed);
        unpack_all(&bytes, len, take).unwrap();
        assert!(read.iter().copied().eq(1..=len as u32));
        let refused = |bytes: &[u8], len| unpack_all(bytes, len, |_, _: u32| unreachable!()).unwrap_err();
        assert!(refused(&bytes[..bytes.len() - 1], len).contains("for each of"));
        assert!(refused(&bytes, len - 1).contains("for each of"));
        assert!(refused(&[], len).contains("got 0 bytes"));
        let other = [&SPARSE.to_le_bytes(), &bytes[4..]].concat();
        assert!(refused(&other, len).contains("for each of"));
    }

    #[test]
    fn messages_that_lie_are_refused() {
        let good = pack(1000, &[3, 8], 0u32, |_| 1u32).unwrap();
        let changed = |at: usize, to: u8| {
            let mut bytes = good.clone();
            bytes[at] = to;
            unpack(&bytes, 1000, |_, _: u32| Ok(())).unwrap_err()
        };
        assert!(changed(0, 9).contains("form 9"));
        assert!(changed(4, 3).contains("24 bytes for 3"));
        assert!(changed(16, 8).contains("position 8 where one from 9"));
        assert!(changed(21, 200).contains("below 1000"));
        assert!(unpack(&good[..21], 1000, |_, _: u32| Ok(())).is_err());
        assert!(unpack(&good[..6], 1000, |_, _: u32| Ok(())).is_err());
    }
}
