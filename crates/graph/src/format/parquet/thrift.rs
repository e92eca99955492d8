//! Walks through the compact protocol of Thrift, in which Parquet files store their metadata.

/// Greatest nesting depth of structs and lists.
pub(super) const MAX_DEPTH: usize = 64;
/// Type codes of a 32-bit integer and of a list.
pub(super) const I32: u8 = 5;
pub(super) const LIST: u8 = 9;

/// The bytes that have not been read yet.
pub(super) struct Thrift<'a>(pub(super) &'a [u8]);

impl Thrift<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    /// Reads a varint: seven bits per byte, the lowest first. Parquet's own encodings use it too.
    pub(super) fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    pub(super) fn zigzag(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    pub(super) fn bytes(&mut self, count: u64) -> Option<()> {
        self.0 = self.0.get(usize::try_from(count).ok()?..)?;
        Some(())
    }

    /// Reads the head of a list and returns the type and the number of its elements, or `None` if there are more
    /// elements than bytes left.
    pub(super) fn list(&mut self) -> Option<(u8, u64)> {
        let head = self.byte()?;
        let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
        (count <= self.0.len() as u64).then_some((head & 15, count))
    }

    /// Calls `visit` with the number and the type of each field of a struct; `visit` reads or skips the field.
    pub(super) fn fields(
        &mut self,
        depth: usize,
        mut visit: impl FnMut(&mut Self, i64, u8) -> Option<()>,
    ) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        let mut id = 0i64;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(());
            }
            id = if head >> 4 == 0 { self.zigzag()? } else { id.wrapping_add(i64::from(head >> 4)) };
            visit(self, id, head & 15)?;
        }
    }

    pub(super) fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            // The type of a boolean field is its value, so the field has no further bytes.
            1 | 2 => Some(()),
            3 => self.bytes(1),
            4..=6 => self.varint().map(drop),
            7 => self.bytes(8),
            8 => {
                let len = self.varint()?;
                self.bytes(len)
            }
            9 | 10 => {
                let (kind, count) = self.list()?;
                // In a list, a boolean takes one byte.
                let kind = if matches!(kind, 1 | 2) { 3 } else { kind };
                (0..count).try_for_each(|_| self.nested(kind, depth))
            }
            11 => {
                let count = self.varint()?;
                if count == 0 {
                    return Some(());
                }
                let kinds = self.byte()?;
                (0..count.min(self.0.len() as u64)).try_for_each(|_| {
                    self.nested(kinds >> 4, depth)?;
                    self.nested(kinds & 15, depth)
                })
            }
            12 => self.fields(depth + 1, |thrift, _, kind| thrift.skip(kind, depth + 1)),
            _ => None,
        }
    }

    fn nested(&mut self, kind: u8, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH { None } else { self.skip(kind, depth + 1) }
    }
}
