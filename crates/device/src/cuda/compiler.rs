//! Turns the text of a module into a cubin: from the cache, or by NVRTC.

use crate::{
    Cache, Error, Result, Settings, Source, Stage, Tell, TellStage, nvrtc, nvrtc::Nvrtc, stage::staged,
};
use std::{cell::Cell, fs, path::PathBuf};

/// Makes cubins for one device.
#[derive(Clone)]
pub(super) struct Compiler {
    nvrtc: Nvrtc,
    /// The architecture to compile for: 90 for `sm_90`.
    sm: u32,
    cache: Cache,
    keep: Option<PathBuf>,
    tell: Option<Tell>,
    stages: Option<TellStage>,
    /// The driver's CUDA version, for the message if the driver refuses a cubin of a later NVRTC.
    driver: (u32, u32),
}

impl std::fmt::Debug for Compiler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Compiler").field("nvrtc", &self.nvrtc).field("sm", &self.sm).finish_non_exhaustive()
    }
}

impl Compiler {
    /// Creates a compiler for this architecture and for a driver of this CUDA version.
    pub(super) fn new(nvrtc: Nvrtc, sm: u32, driver: (u32, u32), settings: &Settings) -> Self {
        let (keep, tell) = (settings.keep_kernels.clone(), settings.compiling.clone());
        let (cache, stages) = (Cache::open(settings.cache.clone()), settings.stages.clone());
        Self { nvrtc, sm, cache, keep, tell, stages, driver }
    }

    /// Returns the cache of cubins.
    pub(super) fn cache(&self) -> &Cache {
        &self.cache
    }

    /// Returns the cubin of a text, and whether it was compiled just now. `anew` ignores what the cache has.
    pub(super) fn cubin(&self, source: &Source, anew: bool) -> Result<(Vec<u8>, bool)> {
        self.keep(source, "cu", source.text.as_bytes())?;
        let (options, target, compiler) = (nvrtc::OPTIONS.join(" "), self.target(), self.nvrtc.name());
        let parts = [source.text.as_str(), &options, &target, &compiler];
        let is_fresh = Cell::new(false);
        let make = || {
            is_fresh.set(true);
            if let Some(tell) = &self.tell {
                tell(&source.name);
            }
            staged(self.stages.as_ref(), Stage::Compile, Some(&source.name), || {
                self.nvrtc.compile(source, self.sm, nvrtc::OPTIONS)
            })
        };
        let cubin =
            if anew { self.cache.make_anew(&parts, make)? } else { self.cache.get_or_make(&parts, make)? };
        self.keep(source, &format!("{target}.cubin"), &cubin)?;
        Ok((cubin, is_fresh.get()))
    }

    /// Says which compiler made a cubin that the driver refused, and what might help.
    pub(super) fn blame(&self) -> String {
        let (made, target, (major, minor)) = (self.nvrtc.name(), self.target(), self.driver);
        if self.nvrtc.version() <= self.driver {
            return format!("{made} made it for {target}");
        }
        format!(
            "{made} made it for {target}; an NVRTC of CUDA {major}.{minor} or earlier would suit the driver"
        )
    }

    fn target(&self) -> String {
        format!("sm_{}", self.sm)
    }

    /// Writes a file to the folder of `keep_kernels`, if set.
    fn keep(&self, source: &Source, end: &str, bytes: &[u8]) -> Result<()> {
        let Some(folder) = &self.keep else { return Ok(()) };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let name: String = source.name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        let path = folder.join(format!("{name}.{end}"));
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, bytes));
        written.map_err(|error| Error::File { path, what: error.to_string() })
    }
}
