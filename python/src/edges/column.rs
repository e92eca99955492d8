//! [`Column`]: values in the memory of another library, which is read in place.

use std::{any::Any, fmt, ops::Deref, sync::Arc};

/// A column in pieces, as tables come.
#[derive(Debug, Default)]
pub(crate) struct Column {
    pub(crate) pieces: Vec<Piece>,
}

/// A piece of a column.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) values: Values,
    pub(crate) length: usize,
}

/// The values of a piece.
#[derive(Debug)]
pub(crate) enum Values {
    Numbers(Numbers),
    Texts(Texts),
    /// Value `i` is `known[codes[i]]`.
    Coded {
        codes: Numbers,
        known: Texts,
    },
}

/// Numbers of one type.
#[derive(Debug)]
pub(crate) enum Numbers {
    U8(Shared<u8>),
    U16(Shared<u16>),
    U32(Shared<u32>),
    U64(Shared<u64>),
    I8(Shared<i8>),
    I16(Shared<i16>),
    I32(Shared<i32>),
    I64(Shared<i64>),
    F32(Shared<f32>),
    F64(Shared<f64>),
}

/// Evaluates `$body` with `$values` bound to the values as a slice, whatever their type is.
macro_rules! with_numbers {
    ($numbers:expr, |$values:ident| $body:expr) => {
        match $numbers {
            $crate::edges::Numbers::U8($values) => $body,
            $crate::edges::Numbers::U16($values) => $body,
            $crate::edges::Numbers::U32($values) => $body,
            $crate::edges::Numbers::U64($values) => $body,
            $crate::edges::Numbers::I8($values) => $body,
            $crate::edges::Numbers::I16($values) => $body,
            $crate::edges::Numbers::I32($values) => $body,
            $crate::edges::Numbers::I64($values) => $body,
            $crate::edges::Numbers::F32($values) => $body,
            $crate::edges::Numbers::F64($values) => $body,
        }
    };
}
pub(crate) use with_numbers;

/// Memory that its owner keeps and that no code changes while it is read.
pub(crate) struct Shared<T> {
    start: *const T,
    len: usize,
    _owner: Arc<dyn Any + Send + Sync>,
}

// SAFETY: only shared slices of plain numbers are handed out; the owner may be used by any thread.
unsafe impl<T: Sync> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// # Safety
    /// `start` is aligned and points to `len` valid values, or `len` is 0; they live as long as `owner`, and no code changes
    /// them until then.
    pub(crate) unsafe fn new(start: *const T, len: usize, owner: Arc<dyn Any + Send + Sync>) -> Self {
        Self { start, len, _owner: owner }
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self { start: self.start, len: self.len, _owner: self._owner.clone() }
    }
}

impl<T: Send + Sync + 'static> From<Vec<T>> for Shared<T> {
    fn from(values: Vec<T>) -> Self {
        let owner = Arc::new(values);
        Self { start: owner.as_ptr(), len: owner.len(), _owner: owner }
    }
}

impl<T> Deref for Shared<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the promise of `new`.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

impl<T> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values", self.len)
    }
}

/// Texts in one of the layouts of Arrow.
#[derive(Debug)]
pub(crate) enum Texts {
    /// Text `i` is `text[starts[i] .. starts[i + 1]]`.
    Narrow(Shared<i32>, Shared<u8>),
    Wide(Shared<i64>, Shared<u8>),
    /// A view has the length of its text, and either the text itself (up to 12 bytes) or four bytes of it and where it lies: the
    /// number of a buffer, and the first byte there.
    Views(Shared<[u8; 16]>, Vec<Shared<u8>>),
}

impl Default for Texts {
    fn default() -> Self {
        Self::Wide(vec![0].into(), Vec::new().into())
    }
}

impl Texts {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Narrow(starts, _) => starts.len() - 1,
            Self::Wide(starts, _) => starts.len() - 1,
            Self::Views(views, _) => views.len(),
        }
    }

    /// Returns a text; `None` if there is none, because the data is damaged or not UTF-8.
    pub(crate) fn get(&self, at: usize) -> Option<&str> {
        let bytes = match self {
            Self::Narrow(starts, text) => text.get(*starts.get(at)? as usize..*starts.get(at + 1)? as usize),
            Self::Wide(starts, text) => text.get(*starts.get(at)? as usize..*starts.get(at + 1)? as usize),
            Self::Views(views, buffers) => viewed(views.get(at)?, buffers),
        };
        std::str::from_utf8(bytes?).ok()
    }
}

fn viewed<'a>(view: &'a [u8; 16], buffers: &'a [Shared<u8>]) -> Option<&'a [u8]> {
    let word = |at: usize| i32::from_le_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]]) as usize;
    let length = word(0);
    if length <= 12 {
        return Some(&view[4..4 + length]);
    }
    let start = word(12);
    buffers.get(word(8))?.get(start..start.checked_add(length)?)
}

impl Column {
    /// Returns the number of values.
    pub(crate) fn len(&self) -> usize {
        self.pieces.iter().map(|piece| piece.length).sum()
    }

    /// Returns true if its values are texts.
    pub(crate) fn is_text(&self) -> bool {
        self.pieces.iter().any(|piece| !matches!(piece.values, Values::Numbers(_)))
    }
}
