//! A GPU's primary context: every call goes through here, made current for the thread it comes from, and every answer of the
//! driver becomes an [`Error`] here.

use super::driver::answer;
use crate::{Error, Result};
use cudarc::driver::{
    result::{self, DriverError},
    sys::{self, CUresult},
};
use std::sync::{Arc, Mutex, PoisonError};

/// The context, released when it is dropped.
#[derive(Debug)]
pub(super) struct Context {
    device: sys::CUdevice,
    raw: sys::CUcontext,
    label: String,
    /// The kernel that was launched last: the first to suspect.
    launched: Mutex<Option<Arc<str>>>,
    /// Is it to be left to the end of the process?
    abandoned: bool,
}

// SAFETY: a context may be used by any thread that makes it current, by several at once; every call here does so first.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Context {
    /// The primary context of a device, shared with whatever else in this process uses that device.
    ///
    /// # Errors
    /// [`Error::NoDevice`] when another process keeps it to itself.
    pub(super) fn retain(device: sys::CUdevice, label: &str) -> Result<Self> {
        // SAFETY: a device the driver gave.
        let raw = unsafe { result::primary_ctx::retain(device) }.map_err(|error| {
            let hint = match error.0 {
                CUresult::CUDA_ERROR_DEVICE_UNAVAILABLE => {
                    ": another process holds it alone (nvidia-smi shows which; compute mode Exclusive_Process)"
                }
                CUresult::CUDA_ERROR_OUT_OF_MEMORY => ": other processes hold its memory (nvidia-smi shows which)",
                _ => "",
            };
            let what = format!("it cannot be opened, {}{hint}", answer(error));
            Error::NoDevice { label: label.to_owned(), what }
        })?;
        Ok(Self { device, raw, label: label.to_owned(), launched: Mutex::new(None), abandoned: false })
    }

    /// How a user asks for its device.
    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// Makes the context current for this thread and asks the driver.
    ///
    /// # Errors
    /// The driver's.
    pub(super) fn call<T>(
        &self,
        call: &str,
        ask: impl FnOnce() -> std::result::Result<T, DriverError>,
    ) -> Result<T> {
        self.ask(ask).map_err(|error| self.error(call, error))
    }

    /// [`Context::call`] with the driver's own answer, for callers who make something of it.
    ///
    /// # Errors
    /// The driver's.
    pub(super) fn ask<T>(
        &self,
        ask: impl FnOnce() -> std::result::Result<T, DriverError>,
    ) -> std::result::Result<T, DriverError> {
        // SAFETY: retained, and not released before this is dropped.
        unsafe { result::ctx::set_current(self.raw) }?;
        ask()
    }

    /// Remembers a kernel as the last that was launched.
    pub(super) fn remember(&self, kernel: &Arc<str>) {
        *self.launched.lock().unwrap_or_else(PoisonError::into_inner) = Some(kernel.clone());
    }

    /// The error that an answer of the driver means.
    pub(super) fn error(&self, call: &str, error: DriverError) -> Error {
        let label = self.label.clone();
        if !ends_context(error.0) {
            return Error::Call { label, call: call.to_owned(), what: answer(error) };
        }
        let launched = self.launched.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let last = launched
            .map_or_else(|| "no kernel was launched".to_owned(), |name| format!("last launched: {name}"));
        Error::Lost { label, what: format!("{} in {call}; {last}", answer(error)) }
    }

    /// Leaves the context to the end of the process: something in it still runs and cannot be waited for.
    pub(super) fn abandon(&mut self) {
        self.abandoned = true;
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if !self.abandoned {
            // SAFETY: retained once, released once. What it answers changes nothing now.
            let _ = unsafe { result::primary_ctx::release(self.device) };
        }
    }
}

/// Does every later call in the context fail after this one? Those the driver documents as leaving the process in an inconsistent
/// state, and those after which the device itself is gone.
pub(super) fn ends_context(code: CUresult) -> bool {
    use CUresult as Code;
    matches!(
        code,
        Code::CUDA_ERROR_ILLEGAL_ADDRESS
            | Code::CUDA_ERROR_LAUNCH_TIMEOUT
            | Code::CUDA_ERROR_ASSERT
            | Code::CUDA_ERROR_HARDWARE_STACK_ERROR
            | Code::CUDA_ERROR_ILLEGAL_INSTRUCTION
            | Code::CUDA_ERROR_MISALIGNED_ADDRESS
            | Code::CUDA_ERROR_INVALID_ADDRESS_SPACE
            | Code::CUDA_ERROR_INVALID_PC
            | Code::CUDA_ERROR_LAUNCH_FAILED
            | Code::CUDA_ERROR_TENSOR_MEMORY_LEAK
            | Code::CUDA_ERROR_CONTEXT_IS_DESTROYED
            | Code::CUDA_ERROR_ECC_UNCORRECTABLE
            | Code::CUDA_ERROR_NVLINK_UNCORRECTABLE
            | Code::CUDA_ERROR_EXTERNAL_DEVICE
            | Code::CUDA_ERROR_MPS_RPC_FAILURE
            | Code::CUDA_ERROR_MPS_CLIENT_TERMINATED
            | Code::CUDA_ERROR_UNKNOWN
    )
}
