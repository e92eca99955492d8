//! Turns the text of a module into a cubin: from the user's cache, from the bundle of the release, or by NVRTC.
//!
//! NVRTC is a library of 100 MB, so it is loaded when the first module must be compiled, and not before. The key of a
//! cache entry therefore has no version of NVRTC in it: the entry itself begins with the version that made it. A driver
//! loads cubins of every NVRTC whose CUDA major version is not later than its own.

use super::driver::Driver;
use crate::{
    Cache, Error, Properties, Result, Settings, Source, Stage,
    bundle::Bundle,
    cache::key_of,
    nvrtc::{self, Nvrtc, Places},
};
use std::{fs, sync::OnceLock};

/// Bytes before the cubin in a cache entry: major and minor version of the NVRTC that made it.
const MADE_BY: usize = 8;

/// Makes cubins for one device.
pub(super) struct Compiler {
    driver: Driver,
    gpu: Properties,
    /// The compiler and the architecture to compile for (90 for `sm_90`), or why there is none.
    nvrtc: OnceLock<Result<(Nvrtc, u32)>>,
    cache: Cache,
    /// Opened when the cache first lacks a module.
    bundle: OnceLock<Bundle>,
    settings: Settings,
}

/// Machine code for one device.
#[derive(Debug)]
pub(crate) struct Cubin {
    pub(super) bytes: Vec<u8>,
    /// Whether this process compiled it.
    pub(super) is_fresh: bool,
}

impl std::fmt::Debug for Compiler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Compiler").field("nvrtc", &self.nvrtc.get()).finish_non_exhaustive()
    }
}

impl Compiler {
    /// Creates a compiler for this GPU and its driver. Does not look for NVRTC.
    pub(super) fn new(driver: Driver, gpu: &Properties, settings: &Settings) -> Self {
        Self {
            driver,
            gpu: gpu.clone(),
            nvrtc: OnceLock::new(),
            cache: Cache::open(settings.cache.clone()),
            bundle: OnceLock::new(),
            settings: settings.clone(),
        }
    }

    /// Returns the cache of cubins.
    pub(super) fn cache(&self) -> &Cache {
        &self.cache
    }

    /// Returns name and version of NVRTC; the first call loads it. Empty if there is none that fits.
    pub(super) fn name(&self) -> String {
        self.nvrtc().map_or_else(|_| String::new(), |(nvrtc, _)| nvrtc.name())
    }

    /// Makes the cubin of a text ahead of the call of [`Compiler::cubin`] that asks for it, unless one was made already.
    ///
    /// # Errors
    /// As [`Compiler::cubin`].
    pub(super) fn make_ahead(&self, source: &Source) -> Result<()> {
        self.settings.cubins.0.with(self.key(source), |slot| {
            if slot.is_none() {
                *slot = Some(self.make(source, false)?);
            }
            Ok(())
        })
    }

    /// Returns the cubin of a text: the one that was made ahead, from cache or bundle, or compiled. If a thread makes it
    /// now, waits for that. If `anew`, compiles it whatever there is.
    ///
    /// # Errors
    /// [`Error::NoCompiler`] or [`Error::Capability`] if it must be compiled and no NVRTC fits; [`Error::Compile`].
    pub(super) fn cubin(&self, source: &Source, anew: bool) -> Result<Cubin> {
        if anew {
            return self.make(source, true);
        }
        // The GPU that asks keeps the module, so the cubin can go.
        self.settings.cubins.0.with(self.key(source), |slot| match slot.take() {
            Some(cubin) => Ok(cubin),
            None => self.make(source, false),
        })
    }

    /// Returns the key of a cubin among those that are made ahead.
    fn key(&self, source: &Source) -> u128 {
        key_of(&[&source.text, &self.target()])
    }

    fn make(&self, source: &Source, anew: bool) -> Result<Cubin> {
        self.keep(source, "cu", source.text.as_bytes())?;
        let options = nvrtc::OPTIONS.join(" ");
        let parts = [source.text.as_str(), &options, &self.target()];
        let find = || self.cached(&parts).or_else(|| self.bundled(source));
        let found = if anew { None } else { find() };
        let cubin = match found {
            Some(bytes) => Cubin { bytes, is_fresh: false },
            None => Cubin { bytes: self.compile(source, &parts)?, is_fresh: true },
        };
        self.keep(source, &format!("{}.cubin", self.target()), &cubin.bytes)?;
        Ok(cubin)
    }

    /// Returns the cache's cubin, unless a later NVRTC made it than the driver and the NVRTC that is there go with.
    fn cached(&self, parts: &[&str]) -> Option<Vec<u8>> {
        let mut entry = self.cache.get(parts)?;
        let (major, minor) = made_by(&entry)?;
        let is_here = || self.nvrtc().is_ok_and(|(nvrtc, _)| nvrtc.version() == (major, minor));
        if major > self.driver.version.0 && !is_here() {
            return None;
        }
        entry.drain(..MADE_BY);
        Some(entry)
    }

    /// Returns the bundle's cubin, unless a later NVRTC made it than the driver goes with.
    fn bundled(&self, source: &Source) -> Option<Vec<u8>> {
        let bundle = self.bundle.get_or_init(|| Bundle::find(self.settings.bundle.as_deref()));
        let (major, _) = bundle.nvrtc()?;
        if major > self.driver.version.0 {
            return None;
        }
        bundle.get(&source.text, self.gpu.capability.0 * 10 + self.gpu.capability.1)
    }

    /// Compiles a text, and keeps the cubin in the cache.
    fn compile(&self, source: &Source, parts: &[&str]) -> Result<Vec<u8>> {
        let (nvrtc, sm) = self.nvrtc()?;
        if let Some(tell) = &self.settings.compiling {
            tell(&source.name);
        }
        let bytes = self
            .settings
            .staged(Stage::Compile, Some(&source.name), || nvrtc.compile(source, *sm, nvrtc::OPTIONS))?;
        let (major, minor) = nvrtc.version();
        self.cache.put(parts, &[&major.to_le_bytes(), &minor.to_le_bytes(), &bytes[..]].concat());
        Ok(bytes)
    }

    /// Returns NVRTC; the first call finds and loads it.
    fn nvrtc(&self) -> Result<&(Nvrtc, u32)> {
        let find = || {
            self.settings.staged(Stage::Compiler, None, || {
                self.driver.compiler_for(&self.gpu, &Places::of_this_process())
            })
        };
        self.nvrtc.get_or_init(find).as_ref().map_err(Clone::clone)
    }

    /// Says which compiler made a cubin that the driver refused, and what might help.
    pub(super) fn blame(&self) -> String {
        let (made, target, (major, minor)) = (self.name(), self.target(), self.driver.version);
        if self.nvrtc().is_ok_and(|(nvrtc, _)| nvrtc.version() <= self.driver.version) {
            return format!("{made} made it for {target}");
        }
        format!(
            "{made} made it for {target}; an NVRTC of CUDA {major}.{minor} or earlier would suit the driver"
        )
    }

    /// Returns the architecture of the GPU. Code for an earlier one of its generation runs there too, so an NVRTC that
    /// does not know this one compiles for that.
    fn target(&self) -> String {
        format!("sm_{}{}", self.gpu.capability.0, self.gpu.capability.1)
    }

    /// Writes a file to the folder of `keep_kernels`, if set.
    fn keep(&self, source: &Source, end: &str, bytes: &[u8]) -> Result<()> {
        let Some(folder) = &self.settings.keep_kernels else { return Ok(()) };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let name: String = source.name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        let path = folder.join(format!("{name}.{end}"));
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, bytes));
        written.map_err(|error| Error::File { path, what: error.to_string() })
    }
}

/// Returns the version of the NVRTC that made a cache entry.
fn made_by(entry: &[u8]) -> Option<(u32, u32)> {
    let (version, _) = entry.split_first_chunk::<MADE_BY>()?;
    let number =
        |at: usize| u32::from_le_bytes([version[at], version[at + 1], version[at + 2], version[at + 3]]);
    Some((number(0), number(4)))
}
