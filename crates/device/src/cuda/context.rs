//! The primary context of a GPU. Every driver call goes through here: the context is made current for the calling
//! thread, and the driver's answer becomes an [`Error`].

use super::driver::answer;
use crate::{Error, Result};
use cudarc::driver::{
    result::{self, DriverError},
    sys::{self, CUresult},
};
use std::sync::{Arc, Mutex, PoisonError};

/// The context. Dropping it releases it.
#[derive(Debug)]
pub(super) struct Context {
    device: sys::CUdevice,
    raw: sys::CUcontext,
    label: String,
    /// The kernel that was launched last, which is the most likely cause of a failure.
    launched: Mutex<Option<Arc<str>>>,
    /// Whether to leave the context to the end of the process.
    abandoned: bool,
}

// SAFETY: several threads may use a context at the same time, if each makes it current first, and every call here does
// so.
unsafe impl Send for Context {}
// SAFETY: as for Send.
unsafe impl Sync for Context {}

impl Context {
    /// Retains the primary context of a device, which all code of this process that uses the device shares.
    ///
    /// # Errors
    /// [`Error::NoDevice`] if another process uses the device exclusively.
    pub(super) fn retain(device: sys::CUdevice, label: &str) -> Result<Self> {
        // SAFETY: the driver gave this device.
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

    /// Returns the name by which a user selects the device.
    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// Returns the driver's number of the device.
    pub(super) fn device(&self) -> sys::CUdevice {
        self.device
    }

    /// Refuses managed memory on a device where the host must not touch it while a kernel runs.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub(super) fn check_managed(&self) -> Result<()> {
        let concurrent = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS;
        // SAFETY: the driver gave this device.
        let told = self.call("cuDeviceGetAttribute", || unsafe {
            result::device::get_attribute(self.device, concurrent)
        });
        if told? != 0 {
            return Ok(());
        }
        let (label, call) = (self.label.clone(), "allocating managed memory".to_owned());
        let what = "host and device cannot use it at the same time (no concurrent managed access)".to_owned();
        Err(Error::Call { label, call, what })
    }

    /// Makes the context current for this thread and calls the driver.
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

    /// Like [`Context::call`], but returns the driver's own error, for callers that handle it.
    ///
    /// # Errors
    /// The driver's.
    pub(super) fn ask<T>(
        &self,
        ask: impl FnOnce() -> std::result::Result<T, DriverError>,
    ) -> std::result::Result<T, DriverError> {
        // SAFETY: the context is retained, and released only when this is dropped.
        unsafe { result::ctx::set_current(self.raw) }?;
        ask()
    }

    /// Remembers a kernel as the last one that was launched.
    pub(super) fn remember(&self, kernel: &Arc<str>) {
        *self.launched.lock().unwrap_or_else(PoisonError::into_inner) = Some(kernel.clone());
    }

    /// Turns an error of the driver into an [`Error`].
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

    /// Leaves the context to the end of the process, because a kernel in it does not end.
    pub(super) fn abandon(&mut self) {
        self.abandoned = true;
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if !self.abandoned {
            // SAFETY: retained once, released once. Its answer no longer matters.
            let _ = unsafe { result::primary_ctx::release(self.device) };
        }
    }
}

/// Returns whether every later call in the context fails after this error: the driver documents it as leaving the
/// process in an inconsistent state, or the device itself is gone.
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
