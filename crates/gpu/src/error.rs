//! Converts the errors of a device into the errors of a run.

use warpgraph_core::{DeviceTrouble, Error};
use warpgraph_device::Error as DeviceError;
use warpgraph_graph::Control;

/// Converts the error of a device into the error of a run.
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

/// Converts an error as [`lift`] does, but gives a stopped run the error that says what stopped it.
pub(crate) fn ended(error: DeviceError, control: &Control, during: &str) -> Error {
    match (&error, control.check(during)) {
        (DeviceError::Stopped { .. }, Err(why)) => why.into(),
        _ => lift(error),
    }
}

#[cfg(test)]
mod tests {
    use super::{DeviceError as Error, *};
    use std::path::PathBuf;

    #[test]
    fn every_error_has_the_stable_word_of_its_kind() {
        let (label, name, what) = (String::new, String::new, String::new);
        let errors = [
            (Error::NoDriver { what: what() }, "no-driver"),
            (Error::NoDevice { label: label(), what: what() }, "no-device"),
            (Error::NoCompiler { compiler: "NVRTC", what: what(), install: String::new() }, "no-compiler"),
            (Error::Capability { name: name(), capability: (6, 1), what: what() }, "capability"),
            (
                Error::OutOfMemory { label: label(), what: what(), asked: 2, free: 1, total: 1 },
                "device-memory",
            ),
            (Error::Compile { name: name(), target: what(), compiler: name(), log: what() }, "compile"),
            (Error::Lost { label: label(), what: what() }, "device-lost"),
            (Error::Hung { label: label(), seconds: 1.0 }, "device-hung"),
            (Error::Stopped { label: label() }, "device"),
            (Error::Call { label: label(), call: what(), what: what() }, "device"),
            (Error::File { path: PathBuf::new(), what: what() }, "file"),
        ];
        for (error, word) in errors {
            assert_eq!(lift(error).kind(), word);
        }
    }
}
