//! Reads pipes, devices and other streams in steps, so that a caller can stop the reading at any time, also while a
//! pipe sends nothing.

use super::budget::Budget;
use crate::{
    control::Control,
    error::{Error, Result},
};
use std::{
    fs::File,
    io::{self, ErrorKind, Read},
    path::Path,
};

/// The bytes to ask the system for at once; pipes hold 64 KiB.
const PIECE: usize = 256 << 10;

/// Opens a file for reading. A named pipe is open at once, although no other program writes to it yet.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
        if path.metadata()?.file_type().is_fifo() {
            options.custom_flags(libc::O_NONBLOCK);
        }
    }
    options.open(path)
}

/// Returns standard input as a file, without the buffer of the standard library.
pub(super) fn standard_input() -> io::Result<File> {
    #[cfg(unix)]
    let own = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned();
    #[cfg(windows)]
    let own = std::os::windows::io::AsHandle::as_handle(&io::stdin()).try_clone_to_owned();
    own.map(File::from)
}

/// Reads a stream to its end.
///
/// # Errors
/// [`Error::Io`] if it cannot be read, [`Error::TooLarge`] if it exceeds the available memory, and the error of
/// `control` if that stops the work.
pub(super) fn read(name: &str, mut stream: File, control: &Control) -> Result<Vec<u8>> {
    let budget = Budget::new(name, "reading it", control);
    let (mut out, mut piece) = (Vec::new(), vec![0; PIECE]);
    loop {
        budget.step(&mut out)?;
        wait(name, &stream, control)?;
        match stream.read(&mut piece) {
            Ok(0) => return Ok(out),
            Ok(len) => out.extend_from_slice(&piece[..len]),
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            Err(error) => return Err(Error::io(name, "read", error)),
        }
    }
}

/// Waits until the stream has bytes or has ended; looks at the control 20 times per second meanwhile.
#[cfg(unix)]
fn wait(name: &str, stream: &File, control: &Control) -> Result<()> {
    use std::os::fd::AsRawFd;
    const MILLISECONDS: i32 = 50;
    loop {
        control.check("reading")?;
        let mut asked = libc::pollfd { fd: stream.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: `asked` is one valid entry, and the count says one; `stream` keeps its descriptor open.
        match unsafe { libc::poll(&mut asked, 1, MILLISECONDS) } {
            0 => {}
            1.. => return Ok(()),
            _ => {
                let error = io::Error::last_os_error();
                if error.kind() != ErrorKind::Interrupted {
                    return Err(Error::io(name, "read", error));
                }
            }
        }
    }
}

#[cfg(not(unix))]
fn wait(_: &str, _: &File, control: &Control) -> Result<()> {
    control.check("reading")
}
