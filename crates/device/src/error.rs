//! Why a device cannot be had or did not do what it was asked. A GPU that is missing, full or failing is a value.

use std::path::PathBuf;

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can go wrong with a device.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No driver, or one that does not work.
    #[error("no NVIDIA driver: {what}")]
    NoDriver {
        /// What was looked for or answered.
        what: String,
    },
    /// There is a driver, but no such device.
    #[error("there is no device {label}: {what}")]
    NoDevice {
        /// What was asked for.
        label: String,
        /// What there is.
        what: String,
    },
    /// The compiler that kernels need is not there.
    #[error("{compiler} was not found: {what}")]
    NoCompiler {
        /// `NVRTC` or `a C++ compiler`.
        compiler: &'static str,
        /// Where it was looked for.
        what: String,
        /// The command that installs it.
        install: String,
    },
    /// The device is too old, or the compiler too new for it.
    #[error("{name} has compute capability {}.{}, {what}", capability.0, capability.1)]
    Capability {
        /// The device.
        name: String,
        /// What it has.
        capability: (u32, u32),
        /// What is needed, by whom.
        what: String,
    },
    /// Its memory is full.
    #[error("{label} has no room for {what} of {asked} bytes: {free} of {total} bytes are free")]
    OutOfMemory {
        /// The device.
        label: String,
        /// What was to be allocated.
        what: String,
        /// Its bytes.
        asked: u64,
        /// Bytes free.
        free: u64,
        /// Bytes in all, or the budget.
        total: u64,
    },
    /// A kernel does not compile: a defect of its author, so all of it is shown.
    #[error("{name} does not compile for {target} with {compiler}:\n{log}")]
    Compile {
        /// The module.
        name: String,
        /// `sm_90`, `simt`.
        target: String,
        /// Which compiler.
        compiler: String,
        /// Its log, followed by the lines it speaks of, with their numbers.
        log: String,
    },
    /// A kernel trapped, or reached for memory that is not there: everything on the device is gone.
    #[error("{label} is lost: {what}")]
    Lost {
        /// The device.
        label: String,
        /// What happened first.
        what: String,
    },
    /// A kernel did not end when it was asked to.
    #[error("{label}: a kernel did not end {seconds:.0} s after it was asked to")]
    Hung {
        /// The device.
        label: String,
        /// How long it was waited for.
        seconds: f64,
    },
    /// Stopped because it was asked to, after all its kernels ended.
    #[error("{label}: stopped")]
    Stopped {
        /// The device.
        label: String,
    },
    /// A call to the driver failed.
    #[error("{label}: {call} failed: {what}")]
    Call {
        /// The device.
        label: String,
        /// The call.
        call: String,
        /// The driver's answer.
        what: String,
    },
    /// A folder or file that was asked for cannot be used.
    #[error("{}: {what}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        what: String,
    },
}

impl Error {
    /// What to do next, one line.
    pub fn help(&self) -> String {
        let text = match self {
            Self::NoDriver { .. } => {
                "install the NVIDIA driver (nvidia-smi must list the GPU), or use --device cpu"
            }
            Self::NoDevice { .. } => "warpgraph doctor lists the devices; --device cpu always works",
            Self::NoCompiler { install, .. } => return install.clone(),
            Self::Capability { .. } => "use --device cpu, or a newer GPU",
            Self::OutOfMemory { .. } => "free memory on the device, or use --device cpu",
            Self::Compile { .. } => "--keep-kernels DIR keeps the text; please report it with this log",
            Self::Lost { .. } => "start anew; compute-sanitizer names the access, please report it",
            Self::Hung { .. } => "end the process; nvidia-smi shows whether the GPU recovers",
            Self::Stopped { .. } => "",
            Self::Call { .. } => "warpgraph doctor checks driver and device",
            Self::File { .. } => "choose a folder that you own and can write to",
        };
        text.to_owned()
    }

    /// Is the device of no more use?
    pub fn is_fatal(&self) -> bool {
        matches!(self, Self::Lost { .. } | Self::Hung { .. })
    }
}
