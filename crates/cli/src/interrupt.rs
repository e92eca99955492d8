//! Ctrl-C: the first cancels the work, so that no half-written file remains; the second ends the program at once.

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
