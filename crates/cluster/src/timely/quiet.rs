//! Keeps panics of Timely's threads off the terminal: they are caught and reported as errors.

use std::{panic, sync::Once, thread};

/// The name of the thread that runs Timely. Timely names its own threads with the same beginning.
pub(super) const NAME: &str = "timely:parts";

static ONCE: Once = Once::new();

/// Says nothing when a thread of Timely panics; other panics are reported as before.
pub(super) fn threads_of_timely() {
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !thread::current().name().is_some_and(|name| name.starts_with("timely:")) {
                before(info);
            }
        }));
    });
}
