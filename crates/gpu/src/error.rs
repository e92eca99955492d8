//! A device's errors as those of a run.

use warpgraph_core::{DeviceTrouble, Error};
use warpgraph_device::Error as DeviceError;
use warpgraph_graph::Control;

/// What a device says, as the error of a run.
pub fn lift(error: DeviceError) -> Error {
    let kind = match &error {
        DeviceError::NoDriver { .. } => DeviceTrouble::NoDriver,
        DeviceError::NoDevice { .. } => DeviceTrouble::NoDevice,
        DeviceError::NoCompiler { .. } => DeviceTrouble::NoCompiler,
        DeviceError::Capability { .. } => DeviceTrouble::Capability,
        DeviceError::OutOfMemory { .. } => DeviceTrouble::Memory,
        DeviceError::Compile { .. } => DeviceTrouble::Compile,
        DeviceError::Lost { .. } => DeviceTrouble::Lost,
        DeviceError::Hung { .. } => DeviceTrouble::Hung,
        DeviceError::File { .. } => DeviceTrouble::File,
        _ => DeviceTrouble::Call,
    };
    Error::Device { kind, what: error.to_string(), help: error.help() }
}

/// [`lift`], but a run that was stopped gets the error of what stopped it.
pub(crate) fn ended(error: DeviceError, control: &Control, during: &str) -> Error {
    match (&error, control.check(during)) {
        (DeviceError::Stopped { .. }, Err(why)) => why.into(),
        _ => lift(error),
    }
}
