//! The last resort when memory runs out: the program ends with an error instead of an abort.
//!
//! Large arrays are refused before they are allocated, and the libraries return such refusals as errors. What remains
//! are the many small allocations of Rust's collections, whose failure would abort the program. [`Allocator`] is the
//! global allocator: it passes every call to the system, and if the system refuses one that the caller does not handle
//! ([`is_handled`]), it prints the error in the form of all others and ends the program with exit code 2.
//!
//! Nothing on that path allocates, and no destructor runs. A temporary file may stay behind; the next run that writes
//! the same file removes it.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    fmt::Write as _,
    sync::atomic::{AtomicBool, Ordering},
};
use warpgraph::graph::memory::is_handled;

/// The system's allocator, with an error for memory that it does not have.
pub(crate) struct Allocator;

// SAFETY: every method passes its arguments, which fulfil the same contract, to the system's allocator, and returns
// what that returns; or it does not return.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfils the contract of `alloc`.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfils the contract of `alloc_zeroed`.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller fulfils the contract of `realloc`.
        checked(unsafe { System.realloc(block, layout, size) }, size)
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller fulfils the contract of `dealloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

#[inline(always)]
fn checked(block: *mut u8, size: usize) -> *mut u8 {
    if block.is_null() { refused(size) } else { block }
}

/// True if errors are printed as JSON.
static AS_JSON: AtomicBool = AtomicBool::new(false);

/// Makes the error appear as JSON on standard output.
pub(crate) fn report_as_json() {
    AS_JSON.store(true, Ordering::Relaxed);
}

const HELP: &str = "use a smaller graph, fewer threads or a machine with more memory, or raise the limit of this \
                    process (ulimit -v) or container; warpgraph estimate says how much a run takes";

/// Returns null if the caller handles it; otherwise prints the error and ends the program.
#[cold]
#[inline(never)]
fn refused(size: usize) -> *mut u8 {
    if is_handled() {
        return std::ptr::null_mut();
    }
    // Only one thread prints.
    static REPORTED: AtomicBool = AtomicBool::new(false);
    if !REPORTED.swap(true, Ordering::Relaxed) {
        let (mut text, as_json) = (Text::default(), AS_JSON.load(Ordering::Relaxed));
        // The text has room for both forms.
        let _ = write_error(&mut text, size, as_json);
        put(text.bytes(), as_json);
    }
    end()
}

/// Writes the error as the rest of the program does.
fn write_error(to: &mut Text, size: usize, as_json: bool) -> std::fmt::Result {
    let kib = size.div_ceil(1024);
    let (number, unit) = if kib < 10 << 10 { (kib, "KiB") } else { (kib >> 10, "MiB") };
    let message = format_args!("memory ran out: the system refused {number} {unit} more");
    match as_json {
        true => writeln!(
            to,
            r#"{{"schema":1,"error":{{"kind":"too-large","message":"{message}","where":null,"help":"{HELP}"}}}}"#
        ),
        false => write!(to, "warpgraph: {message}\nhelp: {HELP}\n"),
    }
}

/// Text on the stack.
struct Text {
    bytes: [u8; 1024],
    len: usize,
}

impl Default for Text {
    fn default() -> Self {
        Self { bytes: [0; 1024], len: 0 }
    }
}

impl Text {
    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl std::fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let room = self.bytes.get_mut(self.len..self.len + text.len()).ok_or(std::fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.len += text.len();
        Ok(())
    }
}

/// Writes to standard output or standard error, past the locks and buffers of the standard library.
#[cfg(unix)]
fn put(text: &[u8], to_output: bool) {
    let stream = if to_output { libc::STDOUT_FILENO } else { libc::STDERR_FILENO };
    // SAFETY: the pointer and the length are those of a slice. If the stream is closed, nothing is written.
    unsafe { libc::write(stream, text.as_ptr().cast(), text.len()) };
}

#[cfg(not(unix))]
fn put(text: &[u8], to_output: bool) {
    use std::io::Write as _;
    let _ = if to_output { std::io::stdout().write_all(text) } else { std::io::stderr().write_all(text) };
}

/// Ends the program at once, with the exit code of errors.
#[cfg(unix)]
fn end() -> ! {
    // SAFETY: `_exit` takes any number and does not return; it runs nothing that could allocate.
    unsafe { libc::_exit(2) }
}

#[cfg(not(unix))]
fn end() -> ! {
    std::process::exit(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(size: usize, as_json: bool) -> String {
        let mut text = Text::default();
        write_error(&mut text, size, as_json).unwrap();
        String::from_utf8(text.bytes().to_vec()).unwrap()
    }

    #[test]
    fn the_error_has_the_form_of_all_errors() {
        let start =
            "warpgraph: memory ran out: the system refused 3687 KiB more\nhelp: use a smaller graph, ";
        assert!(text(3_775_000, false).starts_with(start), "{}", text(3_775_000, false));
        let value: serde_json::Value = serde_json::from_str(&text(usize::MAX, true)).unwrap();
        assert_eq!(value["error"]["kind"], "too-large");
        assert_eq!(value["error"]["help"], HELP);
    }
}
