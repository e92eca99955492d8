//! What Timely sends over a connection, checked before Timely reads it.
//!
//! A *frame* is a header of six big-endian words (channel, sender, first receiver, end of receivers, length, number in
//! the sequence) and as many bytes as the length says. A frame of length zero ends the connection. Two channels carry
//! something:
//!
//! - parcels: sender, number in the sequence, round (little-endian words), then the [parcel](super::parcel);
//! - progress: sender, number in the sequence, how many changes, the changes, how many of them are sorted; padded to
//!   words. A change has an operator (a word), input or output (four bytes), its number, a round and a difference.
//!
//! Timely trusts these bytes: a wrong length is an allocation, a wrong target an index out of bounds, a malformed change
//! a panic. So all of them are checked here, against what an honest process of this run can send.

use super::parcel::{Parcel, WORD};

/// Bytes of a header.
pub(super) const HEADER: usize = 48;
/// Bytes of a frame with a parcel before its bytes: sender, number, round, word.
pub(super) const LABEL: usize = 24 + WORD;
/// The channel of parcels. Timely numbers what it makes: the dataflow, its input, its sink, the sink's channel, and the
/// channel of progress.
pub(super) const PARCELS: usize = 3;
/// The channel of progress.
pub(super) const PROGRESS: usize = 4;
/// The longest parcel. Four fill one buffer of Timely.
pub(super) const PARCEL: usize = (1 << 18) - HEADER - LABEL;
/// The longest message of progress.
const CHANGES: usize = 1 << 16;
/// Bytes of one change.
const CHANGE: usize = 36;
/// Operators and ports beyond these do not exist.
const OPERATORS: u64 = 4;
const PORTS: u64 = 2;

/// Who sends on a connection, and the rounds in which the own part is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expected {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) parts: usize,
    /// The rounds up to this one have ended here.
    pub(super) ended: u64,
    /// No process can be beyond this round.
    pub(super) now: u64,
}

/// What a header announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// The other process ends its connection.
    End,
    /// A parcel, with its label, of so many bytes.
    Parcel(usize),
    /// A message of progress of so many bytes.
    Progress(usize),
}

fn word(bytes: &[u8], place: usize) -> u64 {
    bytes.get(8 * place..).and_then(<[u8]>::first_chunk).copied().map_or(u64::MAX, u64::from_le_bytes)
}

/// Reads a header.
pub(super) fn header(bytes: &[u8; HEADER], expected: &Expected) -> Result<Frame, String> {
    let [channel, from, first, end, length, _] =
        std::array::from_fn(|place| word(bytes, place).swap_bytes() as usize);
    if length == 0 {
        return if bytes.iter().all(|byte| *byte == 0) {
            Ok(Frame::End)
        } else {
            Err("a frame without bytes".to_owned())
        };
    }
    if from != expected.from {
        return Err(format!("a frame of part {from}"));
    }
    let Expected { to, parts, .. } = *expected;
    let frame = match channel {
        PARCELS if (first, end) == (to, to + 1) && (LABEL..=LABEL + PARCEL).contains(&length) => {
            Frame::Parcel(length)
        }
        // Progress goes to all parts of the process, which has one.
        PROGRESS if (first, end) == (to, to + 1) && length <= CHANGES && length % 8 == 0 => {
            Frame::Progress(length)
        }
        PARCELS | PROGRESS => {
            return Err(format!(
                "a frame of {length} bytes for parts {first} to {end} of {parts} on channel {channel}"
            ));
        }
        _ => return Err(format!("a frame on channel {channel}, which does not exist")),
    };
    Ok(frame)
}

/// Checks what comes before the bytes of a parcel. Returns its round.
pub(super) fn label(bytes: &[u8; LABEL], expected: &Expected) -> Result<u64, String> {
    let (from, round) = (word(bytes, 0) as usize, word(bytes, 2));
    let Some((sender, _)) = Parcel::label(word(bytes, 3)) else {
        return Err("a parcel of an unknown kind".to_owned());
    };
    if from != expected.from || sender != from {
        return Err(format!("a parcel of parts {from} and {sender}"));
    }
    if round < expected.ended || round > expected.now {
        return Err(format!(
            "a parcel of round {round}, but rounds {} to {} are open",
            expected.ended, expected.now
        ));
    }
    Ok(round)
}

/// Checks a message of progress.
pub(super) fn progress(bytes: &[u8], expected: &Expected) -> Result<(), String> {
    let (from, count) = (word(bytes, 0) as usize, word(bytes, 2));
    let wanted = count
        .checked_mul(CHANGE as u64)
        .and_then(|size| (size + 32).checked_next_multiple_of(8))
        .filter(|size| *size == bytes.len() as u64);
    if from != expected.from || wanted.is_none() {
        return Err(format!("{count} changes of part {from} in {} bytes", bytes.len()));
    }
    let changes = &bytes[24..24 + count as usize * CHANGE];
    changes.chunks_exact(CHANGE).try_for_each(|bytes| change(bytes, expected))?;
    let sorted = word(&bytes[24 + changes.len()..], 0);
    if sorted > count { Err(format!("{sorted} sorted changes of {count}")) } else { Ok(()) }
}

/// Checks one change of progress.
fn change(bytes: &[u8], expected: &Expected) -> Result<(), String> {
    let (operator, rest) = (word(bytes, 0), &bytes[8..]);
    let side = rest.first_chunk().copied().map_or(u32::MAX, u32::from_le_bytes);
    let (port, round, difference) = (word(&rest[4..], 0), word(&rest[4..], 1), word(&rest[4..], 2) as i64);
    let exists = operator < OPERATORS && side < 2 && port < PORTS;
    // The round after the present one is where an input goes next; an input that is closed leaves all rounds.
    let open = round <= expected.now + 1;
    // A round has fewer parcels than this.
    let small = difference.unsigned_abs() < 1 << 40;
    if exists && open && small {
        Ok(())
    } else {
        Err(format!(
            "progress of {difference} in round {round} at port {port} of operator {operator}, but round {} is open",
            expected.now
        ))
    }
}
