//! The driver, before any GPU is opened: whether there is one, which GPUs it sees, and their properties.

use crate::{Error, Properties, Result, nvrtc::Nvrtc, nvrtc::Places};
use cudarc::driver::{
    result::{self, DriverError},
    sys::{self, CUdevice_attribute as Attribute, CUresult},
};

/// The oldest CUDA whose driver has every function that this crate calls. A missing function would end the process.
const OLDEST: (u32, u32) = (12, 0);
/// The oldest GPU with independent thread scheduling and cooperative launches.
const OLDEST_CAPABILITY: (u32, u32) = (7, 0);

/// A driver that works.
#[derive(Debug, Clone, Copy)]
pub(super) struct Driver {
    /// The CUDA version that it implements.
    pub(super) version: (u32, u32),
    /// The number of GPUs that this process can see.
    pub(super) count: u32,
}

impl Driver {
    /// Finds and initialises the driver.
    ///
    /// # Errors
    /// [`Error::NoDriver`].
    pub(super) fn start() -> Result<Self> {
        let missing = |what: String| Error::NoDriver { what };
        // SAFETY: opens the driver's library and closes it. Without the library, any other call would panic.
        if !unsafe { sys::is_culib_present() } {
            return Err(missing("there is no libcuda.so.1 in the loader's path".to_owned()));
        }
        let mut version = 0;
        // SAFETY: one integer to write to. The call is allowed before `cuInit`.
        let told = unsafe { sys::cuDriverGetVersion(&raw mut version) }.result();
        told.map_err(|error| missing(format!("cuDriverGetVersion gives {}", answer(error))))?;
        let version = (version as u32 / 1000, version as u32 % 1000 / 10);
        if version < OLDEST {
            return Err(missing(format!(
                "it is of CUDA {}.{}, and {}.{} or later is needed",
                version.0, version.1, OLDEST.0, OLDEST.1
            )));
        }
        let count = match result::init() {
            Ok(()) => result::device::get_count().map_err(|error| missing(answer(error)))?,
            Err(DriverError(CUresult::CUDA_ERROR_NO_DEVICE)) => 0,
            Err(error) => return Err(missing(format!("cuInit gives {}", answer(error)))),
        };
        Ok(Self { version, count: u32::try_from(count).unwrap_or(0) })
    }

    /// Returns a GPU and its properties, except for its compiler.
    ///
    /// # Errors
    /// [`Error::NoDevice`] if there is no GPU of this number.
    pub(super) fn device(self, index: u32) -> Result<(sys::CUdevice, Properties)> {
        let label = format!("cuda:{index}");
        if index >= self.count {
            let what = match self.count {
                0 => "the driver sees no GPU (CUDA_VISIBLE_DEVICES may hide them)".to_owned(),
                1 => "cuda:0 is the only one".to_owned(),
                count => format!("there are cuda:0 to cuda:{}", count - 1),
            };
            return Err(Error::NoDevice { label, what });
        }
        let fails = |call: &str, error| Error::Call {
            label: label.clone(),
            call: call.to_owned(),
            what: answer(error),
        };
        let device = result::device::get(index as i32).map_err(|error| fails("cuDeviceGet", error))?;
        let name = result::device::get_name(device).map_err(|error| fails("cuDeviceGetName", error))?;
        // SAFETY: the driver just gave this device.
        let memory = unsafe { result::device::total_mem(device) };
        let memory = memory.map_err(|error| fails("cuDeviceTotalMem", error))?;
        let attribute = |attribute| {
            // SAFETY: as above.
            let value = unsafe { result::device::get_attribute(device, attribute) };
            let value = value.map_err(|error| fails("cuDeviceGetAttribute", error))?;
            Ok::<_, Error>(u32::try_from(value).unwrap_or(0))
        };
        let properties = Properties {
            label: label.clone(),
            name,
            capability: (
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
            ),
            multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            memory: memory as u64,
            driver: self.name(),
            compiler: String::new(),
        };
        Ok((device, properties))
    }

    /// Refuses a GPU that is too old for this crate.
    ///
    /// # Errors
    /// [`Error::Capability`].
    pub(super) fn check(gpu: &Properties) -> Result<()> {
        let (name, capability) = (gpu.name.clone(), gpu.capability);
        if capability < OLDEST_CAPABILITY {
            let what = format!("and {}.{} or later is needed", OLDEST_CAPABILITY.0, OLDEST_CAPABILITY.1);
            return Err(Error::Capability { name, capability, what });
        }
        Ok(())
    }

    /// Returns the compiler for a GPU, and the architecture to compile for. Loads the compiler.
    ///
    /// # Errors
    /// [`Error::Capability`] if the GPU is too old for this crate or for every NVRTC that was found;
    /// [`Error::NoCompiler`].
    pub(super) fn compiler_for(self, gpu: &Properties, places: &Places) -> Result<(Nvrtc, u32)> {
        Self::check(gpu)?;
        let (name, capability) = (gpu.name.clone(), gpu.capability);
        let sm = capability.0 * 10 + capability.1;
        let nvrtc = Nvrtc::find_for(places, sm, self.version.0).map_err(|error| match error {
            Error::Capability { what, .. } => Error::Capability { name, capability, what },
            other => other,
        })?;
        let target = nvrtc.target_for(sm).unwrap_or(sm);
        Ok((nvrtc, target))
    }

    /// Returns `580.95.05 (CUDA 13.0)`, or only the part in parentheses if the kernel does not tell the driver's
    /// version.
    fn name(self) -> String {
        let cuda = format!("CUDA {}.{}", self.version.0, self.version.1);
        let kernel = std::fs::read_to_string("/proc/driver/nvidia/version").unwrap_or_default();
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let number =
            kernel.split_whitespace().find(|word| word.contains('.') && word.split('.').all(is_number));
        number.map_or(cuda.clone(), |number| format!("{number} ({cuda})"))
    }
}

/// Returns the driver's answer as text: `CUDA_ERROR_INVALID_VALUE (invalid argument)`.
pub(super) fn answer(error: DriverError) -> String {
    match error.error_string() {
        Ok(text) => format!("{:?} ({})", error.0, text.to_string_lossy()),
        Err(_) => format!("{:?}", error.0),
    }
}
