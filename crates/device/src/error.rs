//! The errors of devices. A missing, full or failing GPU is an error value, never a panic.

use std::path::PathBuf;

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can go wrong with a device.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no driver, or it does not work.
    #[error("no NVIDIA driver: {what}")]
    NoDriver {
        /// What the search found, or what the driver answered.
        what: String,
    },
    /// There is a driver, but no such device.
    #[error("there is no device {label}: {what}")]
    NoDevice {
        /// The device that was asked for.
        label: String,
        /// The devices that exist.
        what: String,
    },
    /// The compiler for kernels is missing.
    #[error("{compiler} was not found: {what}")]
    NoCompiler {
        /// `NVRTC` or `a C++ compiler`.
        compiler: &'static str,
        /// Where it was searched for.
        what: String,
        /// The command that installs it.
        install: String,
    },
    /// The device is too old, or the compiler no longer supports it.
    #[error("{name} has compute capability {}.{}, {what}", capability.0, capability.1)]
    Capability {
        /// Name of the device.
        name: String,
        /// Its compute capability.
        capability: (u32, u32),
        /// What is needed.
        what: String,
    },
    /// The memory of the device is full.
    #[error("{label} has no room for {what} of {asked} bytes: {free} of {total} bytes are free")]
    OutOfMemory {
        /// Label of the device.
        label: String,
        /// What the memory was for.
        what: String,
        /// Bytes asked for.
        asked: u64,
        /// Bytes free.
        free: u64,
        /// Bytes in total, or the budget.
        total: u64,
    },
    /// Kernels cannot read host memory in place: neither the caller's nor a copy of it can be locked and mapped.
    #[error("{label} cannot read {what} of {bytes} bytes in host memory: {why}")]
    NotShared {
        /// Label of the device.
        label: String,
        /// What the memory holds.
        what: String,
        /// Bytes to share.
        bytes: u64,
        /// Why the caller's memory and its copy were refused.
        why: String,
    },
    /// A kernel does not compile. This is a defect of the kernel, so the error shows the whole log.
    #[error("{name} does not compile for {target} with {compiler}:\n{log}")]
    Compile {
        /// Name of the module.
        name: String,
        /// The architecture: `sm_90`, `simt`.
        target: String,
        /// Name and version of the compiler.
        compiler: String,
        /// The compiler's log, followed by the lines that it names, with their numbers.
        log: String,
    },
    /// A kernel trapped or accessed invalid memory. Everything on the device is gone.
    #[error("{label} is lost: {what}")]
    Lost {
        /// Label of the device.
        label: String,
        /// The first failure.
        what: String,
    },
    /// A kernel did not end after it was asked to.
    #[error("{label}: a kernel did not end {seconds:.0} s after it was asked to")]
    Hung {
        /// Label of the device.
        label: String,
        /// How long the host waited after it asked.
        seconds: f64,
    },
    /// The caller stopped the work, and all kernels have ended.
    #[error("{label}: stopped")]
    Stopped {
        /// Label of the device.
        label: String,
    },
    /// A call of the driver failed.
    #[error("{label}: {call} failed: {what}")]
    Call {
        /// Label of the device.
        label: String,
        /// The call.
        call: String,
        /// The driver's answer.
        what: String,
    },
    /// A folder or file that the user named cannot be used.
    #[error("{}: {what}", path.display())]
    File {
        /// Path of the folder or file.
        path: PathBuf,
        /// Why it cannot be used.
        what: String,
    },
}

impl Error {
    /// Returns what the user can do next, in one line.
    pub fn help(&self) -> String {
        let text = match self {
            Self::NoDriver { .. } => {
                "install the NVIDIA driver (nvidia-smi must list the GPU), or use --device cpu"
            }
            Self::NoDevice { .. } => "warpgraph doctor lists the devices; --device cpu always works",
            Self::NoCompiler { install, .. } => return install.clone(),
            Self::Capability { .. } => "use --device cpu, or a newer GPU",
            Self::OutOfMemory { .. } => "free memory on the device, or use --device cpu",
            Self::NotShared { .. } => {
                "use residency streamed or device, or allow more locked memory (ulimit -l)"
            }
            Self::Compile { .. } => "--keep-kernels DIR keeps the text; please report it with this log",
            Self::Lost { .. } => {
                "start the process again; compute-sanitizer shows the invalid access; please report it"
            }
            Self::Hung { .. } => "end the process; nvidia-smi shows whether the GPU recovers",
            Self::Stopped { .. } => "",
            Self::Call { .. } => "warpgraph doctor checks driver and device",
            Self::File { .. } => "choose a folder that you own and can write to",
        };
        text.to_owned()
    }

    /// Returns whether the device can no longer be used.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Self::Lost { .. } | Self::Hung { .. })
    }
}
