//! NVRTC, NVIDIA's run-time compiler for CUDA C++: found on this machine and loaded at run time.
//!
//! Nothing of CUDA is needed to build: the library is loaded when a module must be compiled. It compiles a [`Source`] to a cubin
//! for exactly one architecture, never to PTX, which a driver older than the compiler refuses. [`Places`] lists where
//! it is searched for.

mod library;
mod log;
mod places;

pub use places::Places;

use crate::{Error, Result, Source};
use library::{Compilation, Functions};
use std::{
    ffi::CString,
    fmt,
    path::{Path, PathBuf},
};

/// The options of every compilation, besides the architecture. Nothing is fused (`--fmad=false`), so that the CPU, the
/// simulator and every GPU give the same bits. Line numbers cost nothing at run time and let tools name a line.
pub const OPTIONS: &[&str] = &["--std=c++17", "--fmad=false", "-lineinfo"];

/// The options of the cubins in a [bundle](crate::bundle): the same code without line numbers, which are 59 % of the
/// packed bytes.
pub const BUNDLED: &[&str] = &["--std=c++17", "--fmad=false"];

/// The name of the compiler in [`crate::Error::NoCompiler`].
const NAME: &str = "NVRTC";
/// How to install it.
const INSTALL: &str = "pip install nvidia-cuda-nvrtc, or set WARPGRAPH_NVRTC to the path of libnvrtc.so";

/// A CUDA C++ compiler that was found and loaded.
#[derive(Clone)]
pub struct Nvrtc {
    functions: Functions,
    version: (u32, u32),
    architectures: Vec<u32>,
    path: PathBuf,
}

impl fmt::Debug for Nvrtc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nvrtc").field("version", &self.version).field("path", &self.path).finish()
    }
}

impl Nvrtc {
    /// Returns the first compiler that is found.
    ///
    /// # Errors
    /// [`Error::NoCompiler`] with the places that were searched.
    pub fn find() -> Result<Self> {
        Self::find_in(&Places::of_this_process(), |_| true)
    }

    /// Returns the compiler to use for a GPU. It must support the GPU's architecture, and should not be of a later CUDA
    /// than the driver, which may refuse its cubins. Several may be installed, and the first need not be the right one.
    ///
    /// # Errors
    /// [`Error::NoCompiler`] if there is none; [`Error::Capability`] if none supports this architecture.
    pub fn find_for(places: &Places, sm: u32, driver_major: u32) -> Result<Self> {
        Self::find_in(places, |found| found.target_for(sm).is_some() && found.version.0 <= driver_major)
            .or_else(|_| Self::find_in(places, |found| found.target_for(sm).is_some()))
            .or_else(|_| Err(Self::find_in(places, |_| true)?.does_not_know(sm)))
    }

    /// Returns the first compiler in these places that `good` accepts.
    ///
    /// # Errors
    /// [`Error::NoCompiler`] with the places that were searched.
    pub fn find_in(places: &Places, good: impl Fn(&Self) -> bool) -> Result<Self> {
        let mut refused = None;
        for candidate in places.candidates() {
            match Self::open(&candidate) {
                Ok(found) if good(&found) => return Ok(found),
                Ok(_) => {}
                // A file that exists and does not load is worth a message. A plain name that the loader does not find
                // is not.
                Err(error) if candidate.is_absolute() || places.named.is_some() => {
                    refused.get_or_insert(error);
                }
                Err(_) => {}
            }
        }
        Err(refused.unwrap_or_else(|| not_found(places.to_string())))
    }

    /// Loads the compiler from a file; the system's loader resolves a plain file name. This runs the initialisers of
    /// the library, so the file must be one that the user trusts.
    ///
    /// # Errors
    /// [`Error::NoCompiler`] if it cannot be loaded or is not NVRTC.
    pub fn open(path: &Path) -> Result<Self> {
        let functions = Functions::open(path).map_err(|error| not_found(loaders_words(&error)))?;
        let (Some(version), Some(architectures)) = (functions.version(), functions.architectures()) else {
            return Err(not_found(format!(
                "{} does not return its version and architectures",
                path.display()
            )));
        };
        let path = places::mapped_file(path, version.0).unwrap_or_else(|| path.to_owned());
        load_builtins(&path, version);
        Ok(Self { functions, version, architectures, path })
    }

    /// Returns major and minor version.
    pub fn version(&self) -> (u32, u32) {
        self.version
    }

    /// Returns name and version: `NVRTC 13.0`.
    pub fn name(&self) -> String {
        format!("{NAME} {}.{}", self.version.0, self.version.1)
    }

    /// Returns the file that it was loaded from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the architecture to compile for so that the code runs on `sm`: the latest one of the same generation, up
    /// to `sm`, that this compiler supports.
    pub fn target_for(&self, sm: u32) -> Option<u32> {
        self.architectures.iter().copied().filter(|&known| known <= sm && known / 10 == sm / 10).max()
    }

    /// Compiles to machine code for one architecture (`sm` is 90 for `sm_90`), with these further options.
    ///
    /// # Errors
    /// [`Error::Compile`] with the log and the lines that it names; [`Error::Capability`] if the compiler does not
    /// support the architecture.
    pub fn compile(&self, source: &Source, sm: u32, options: &[&str]) -> Result<Vec<u8>> {
        if !self.architectures.contains(&sm) {
            return Err(self.does_not_know(sm));
        }
        let fails = |log: String| Error::Compile {
            name: source.name.clone(),
            target: format!("sm_{sm}"),
            compiler: self.name(),
            log,
        };
        let text = |text: &str| CString::new(text).map_err(|_| fails(format!("a NUL byte in {text:?}")));

        let program = Compilation::new(self.functions, &text(&source.text)?, &text(&log::file_name(source))?)
            .map_err(|code| fails(format!("nvrtcCreateProgram gives {code}")))?;
        let target = format!("--gpu-architecture=sm_{sm}");
        let options = std::iter::once(target.as_str())
            .chain(options.iter().copied())
            .map(text)
            .collect::<Result<Vec<_>>>()?;
        program.compile(&options).map_err(|code| {
            let said = program.log();
            let said = if said.is_empty() { format!("nvrtcCompileProgram gives {code}") } else { said };
            fails(log::with_lines(&said, source))
        })?;
        program.cubin().map_err(|code| fails(format!("nvrtcGetCUBIN gives {code}")))
    }

    fn does_not_know(&self, sm: u32) -> Error {
        let (oldest, newest) =
            (self.architectures.iter().min().unwrap_or(&0), self.architectures.iter().max().unwrap_or(&0));
        let next = if sm < *oldest {
            "install an older one that still does: pip install nvidia-cuda-nvrtc-cu12==12.9.86"
        } else {
            "install a newer one: pip install --upgrade nvidia-cuda-nvrtc"
        };
        Error::Capability {
            name: format!("a GPU of sm_{sm}"),
            capability: (sm / 10, sm % 10),
            what: format!(
                "and {} ({}) compiles for sm_{oldest} to sm_{newest}; {next}",
                self.name(),
                self.path.display()
            ),
        }
    }
}

fn not_found(what: String) -> Error {
    Error::NoCompiler { compiler: NAME, what, install: INSTALL.to_owned() }
}

/// Returns which file or symbol failed and why: the loader's own message is the source of the error.
fn loaders_words(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

/// Loads NVRTC's builtins. NVRTC opens them by name, which the loader resolves only if NVRTC carries a path to its own
/// folder (that of pip's CUDA 13.0 does not) or if they are already loaded.
fn load_builtins(nvrtc: &Path, (major, minor): (u32, u32)) {
    let name = format!("libnvrtc-builtins.so.{major}.{minor}");
    let real = std::fs::canonicalize(nvrtc).unwrap_or_else(|_| nvrtc.to_owned());
    for folder in [nvrtc.parent(), real.parent()].into_iter().flatten() {
        let file = folder.join(&name);
        if !file.is_file() {
            continue;
        }
        if library::load_for_good(&file).is_ok() {
            return;
        }
    }
}
