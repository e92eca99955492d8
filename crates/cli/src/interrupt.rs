//! Ctrl-C: the first one asks the work to end, so that nothing half-written is left; the second ends the program at once.

use warpgraph::Control;

/// Lets Ctrl-C (and a polite kill) cancel `control`.
pub(crate) fn cancels(control: &Control) {
    let control = control.clone();
    // Without a handler Ctrl-C still ends the program, only less tidily.
    let _ = ctrlc::set_handler(move || {
        if control.is_cancelled() {
            std::process::exit(130);
        }
        control.cancel();
    });
}
