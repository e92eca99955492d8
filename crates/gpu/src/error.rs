//! A device's errors as those of a run.

use warpgraph_core::Error;
use warpgraph_device::Error as DeviceError;
use warpgraph_graph::Control;

/// What a device says, as the error of a run.
pub fn lift(error: DeviceError) -> Error {
    let kind = error.kind().as_str();
    Error::Device { kind, what: error.to_string(), help: error.help() }
}

/// [`lift`], but a run that was stopped gets the error of what stopped it.
pub(crate) fn ended(error: DeviceError, control: &Control, during: &str) -> Error {
    match (&error, control.check(during)) {
        (DeviceError::Stopped { .. }, Err(why)) => why.into(),
        _ => lift(error),
    }
}
