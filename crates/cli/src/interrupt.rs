//! Signals. The first Ctrl-C cancels the work, so that no half-written file remains; the second ends the program at once.
//! A file beyond the size limit (`ulimit -f`) is an error of the write, not the end of the program.

use warpgraph::Control;

/// Makes Ctrl-C (and SIGTERM) cancel `control`.
pub(crate) fn cancels(control: &Control) {
    let control = control.clone();
    // If the handler cannot be set, Ctrl-C ends the program at once.
    let _ = ctrlc::set_handler(move || {
        if control.is_cancelled() {
            std::process::exit(130);
        }
        control.cancel();
    });
}

/// Makes a write beyond the limit on the size of files an error, which is reported like a full disk.
pub(crate) fn ignore_size_limit() {
    #[cfg(unix)]
    // SAFETY: `SIG_IGN` is a valid action for this signal, and no code of this program handles it.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}
