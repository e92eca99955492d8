//! [`Parcel`]: what travels through Timely's channel: some bytes from one part to another.
//!
//! On the wire a parcel is one word, then its bytes. The word has the sender in its upper half and flags in its lower
//! one.

use std::{io::Write, sync::Arc};
use timely::{
    Accountable,
    bytes::arc::Bytes,
    communication::Push,
    dataflow::channels::{ContainerBytes, Message, pushers::exchange::Distributor},
};

/// Bytes before those of the parcel.
pub(super) const WORD: usize = 8;

/// What the bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The end of what one call of `send` was given.
    Last,
    /// A piece that others follow.
    Piece,
    /// The words of a reduction.
    Words,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Last, Self::Piece, Self::Words];

    fn number(self) -> u32 {
        match self {
            Self::Last => 0,
            Self::Piece => 1,
            Self::Words => 2,
        }
    }
}

/// Bytes from one part to another. The default is no parcel at all.
#[derive(Debug, Clone, Default)]
pub(super) struct Parcel(Option<Content>);

#[derive(Debug, Clone)]
struct Content {
    to: usize,
    from: u32,
    kind: Kind,
    body: Body,
}

/// Bytes that were given here, or that arrived.
#[derive(Clone)]
pub(super) enum Body {
    Given(Arc<Vec<u8>>, std::ops::Range<usize>),
    Arrived(Bytes),
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

impl std::ops::Deref for Body {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Given(bytes, range) => &bytes[range.clone()],
            Self::Arrived(bytes) => bytes,
        }
    }
}

impl Parcel {
    pub(super) fn new(from: usize, to: usize, kind: Kind, body: Body) -> Self {
        Self(Some(Content { to, from: from as u32, kind, body }))
    }

    /// Returns the sender, what the bytes are, and the bytes.
    pub(super) fn open(self) -> Option<(usize, Kind, Body)> {
        self.0.map(|content| (content.from as usize, content.kind, content.body))
    }

    /// Returns the sender and what the bytes are, from the first word of a parcel; `None` if it is none.
    pub(super) fn label(word: u64) -> Option<(usize, Kind)> {
        let kind = Kind::ALL.into_iter().find(|kind| kind.number() == word as u32)?;
        Some(((word >> 32) as usize, kind))
    }
}

impl Accountable for Parcel {
    fn record_count(&self) -> i64 {
        i64::from(self.0.is_some())
    }
}

impl ContainerBytes for Parcel {
    /// Only parcels that the guard has let through come here.
    fn from_bytes(mut bytes: Bytes) -> Self {
        let word = bytes.first_chunk::<WORD>().copied().map(u64::from_le_bytes);
        let Some((from, kind)) = word.and_then(Self::label) else { return Self(None) };
        let _ = bytes.extract_to(WORD);
        Self(Some(Content { to: 0, from: from as u32, kind, body: Body::Arrived(bytes) }))
    }

    fn length_in_bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |content| WORD + content.body.len())
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let Some(Content { from, kind, body, .. }) = &self.0 else { return };
        let word = u64::from(*from) << 32 | u64::from(kind.number());
        // Timely reserves as many bytes as the length says.
        let _ = writer.write_all(&word.to_le_bytes()).and_then(|()| writer.write_all(body));
    }
}

/// Hands each parcel to the channel of its part.
pub(super) struct Post;

impl Distributor<Parcel> for Post {
    fn partition<T: Clone, P: Push<Message<T, Parcel>>>(
        &mut self,
        parcel: &mut Parcel,
        time: &T,
        pushers: &mut [P],
    ) {
        if let Some(to) = parcel.0.as_ref().map(|content| content.to) {
            Message::push_at(parcel, time.clone(), &mut pushers[to]);
        }
    }

    fn flush<T: Clone, P: Push<Message<T, Parcel>>>(&mut self, _: &T, _: &mut [P]) {}
}
