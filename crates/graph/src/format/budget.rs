//! Bounds the bytes that a file may take in memory while it is read from a pipe or unpacked.
//!
//! A [`Budget`] is 7/8 of the memory that is available when reading starts. The rest stays for the system. Every step
//! between two checks appends at most [`STEP`] bytes, so that a caller can stop the work soon, and a file without end
//! (`/dev/zero`, a compressed file of zeroes) is refused once it reaches the budget.

use crate::{
    control::Control,
    error::{Error, Result},
    memory::{self, Available, human_bytes},
};

/// The most bytes to append between two checks.
pub(super) const STEP: usize = 4 << 20;

/// The bytes that a file may take, and the handle that can stop the work.
#[derive(Debug)]
pub(super) struct Budget<'a> {
    file: &'a str,
    /// What the bytes come from, as in `reading it takes`.
    doing: &'static str,
    left: Option<Available>,
    most: u64,
    control: &'a Control,
}

impl<'a> Budget<'a> {
    /// Returns the budget for `doing` (`reading it`, `unpacking it`) with `file`.
    pub(super) fn new(file: &'a str, doing: &'static str, control: &'a Control) -> Self {
        Self::of(file, doing, memory::available(), control)
    }

    fn of(file: &'a str, doing: &'static str, left: Option<Available>, control: &'a Control) -> Self {
        let most = left.map_or(u64::MAX, |left| left.bytes - left.bytes / 8);
        Self { file, doing, left, most, control }
    }

    /// Returns the budget for at most `most` bytes, if that is less.
    pub(super) fn at_most(self, most: u64) -> Self {
        Self { most: self.most.min(most), ..self }
    }

    /// Returns the most bytes that the file may take.
    pub(super) fn most(&self) -> u64 {
        self.most
    }

    /// Returns the handle that can stop the work.
    pub(super) fn control(&self) -> &'a Control {
        self.control
    }

    /// Makes room for the next step in `out`, or returns an error if the work must stop or `out` exceeds the budget.
    pub(super) fn step(&self, out: &mut Vec<u8>) -> Result<()> {
        self.control.check("reading")?;
        self.control.report("reading", out.len() as u64, None);
        if out.len() as u64 > self.most {
            return Err(self.exceeded());
        }
        if out.capacity() - out.len() >= STEP {
            return Ok(());
        }
        // Growing by half keeps the number of copies low, but less will do if memory is short.
        let more = (out.len() / 2).max(STEP).min((self.most as usize - out.len()).saturating_add(STEP));
        memory::reserve(out, more).or_else(|_| memory::reserve(out, STEP)).map_err(|_| self.exceeded())
    }

    /// Returns the error for a file that takes more than the budget.
    pub(super) fn exceeded(&self) -> Error {
        let (file, doing) = (self.file, self.doing);
        Error::TooLarge {
            what: format!("{file}: {doing}"),
            needed: format!("more than {}", human_bytes(self.most)),
            limit: self.left.map_or_else(
                || "lower".to_owned(),
                |left| format!("7/8 of what is free ({left})"),
            ),
            help: "write the content to a file on disk, not compressed: such a file is mapped and takes no memory of its own"
                .to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Limit;

    #[test]
    fn a_file_may_take_seven_eighths_of_what_is_left_and_the_error_names_both() {
        let (left, control) =
            (Available { bytes: 64 << 20, limit: 128 << 20, by: Limit::ControlGroup }, Control::new());
        let budget = Budget::of("a.gz", "unpacking it", Some(left), &control);
        let mut out = vec![0; 56 << 20];
        budget.step(&mut out).unwrap();
        out.push(0);
        let error = budget.step(&mut out).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.gz: unpacking it needs more than 56.0 MiB, the limit is 7/8 of what is free \
             (64.0 MiB left of 128.0 MiB in this container (control group))"
        );
    }

    #[test]
    fn a_step_stops_with_its_control() {
        let control = Control::new();
        control.cancel();
        let error = Budget::of("a", "reading it", None, &control).step(&mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), "interrupted");
    }
}
