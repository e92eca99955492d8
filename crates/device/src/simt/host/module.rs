//! Modules: shared libraries, loaded from bytes, and their kernels.

use super::{launch::Launch, report::Report, symbols, wrong};
use crate::{Result, Source};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::{
    ffi::c_void,
    fs::File,
    io::Write as _,
    os::fd::{AsRawFd as _, FromRawFd as _},
};

/// A loaded module. Its functions are valid as long as it lives.
#[derive(Debug)]
pub(super) struct Module {
    pub(super) name: String,
    kernels: Vec<&'static str>,
    pub(super) start: unsafe extern "C" fn(*const Launch),
    pub(super) resume: unsafe extern "C" fn(u64) -> u32,
    pub(super) report: unsafe extern "C" fn() -> *const Report,
    pub(super) steps: unsafe extern "C" fn() -> u64,
    pub(super) list_waiting: unsafe extern "C" fn(),
    /// Bytes of static shared memory of all kernels together.
    pub(super) static_shared: usize,
    /// Bytes of static shared memory per kernel that has any.
    shared_by_kernel: Vec<(String, usize)>,
    library: Library,
    /// Open as long as the library is loaded. The loader identifies libraries by path: with the file closed, the next
    /// library would get the same number and be mistaken for this one.
    _file: File,
}

/// A kernel of a module.
#[derive(Debug, Clone, Copy)]
pub(super) struct Function {
    pub(super) module: usize,
    pub(super) name: &'static str,
    pub(super) entry: unsafe extern "C" fn(*const c_void),
    /// Bytes of its argument struct.
    pub(super) argument_bytes: usize,
    /// Bytes of its static shared memory.
    pub(super) static_shared: usize,
}

impl Module {
    /// Loads the library from its bytes.
    pub(super) fn load(source: &Source, bytes: &[u8]) -> Result<Self> {
        let name = &source.name;
        let failed = |what: String| wrong("load", format!("{name}: {what}"));
        // SAFETY: the name ends with NUL, and the flag is valid.
        let fd = unsafe { libc::memfd_create(c"warpgraph-simt".as_ptr(), libc::MFD_CLOEXEC) };
        if fd < 0 {
            return Err(failed(std::io::Error::last_os_error().to_string()));
        }
        // SAFETY: the descriptor is new, and this is its only owner.
        let mut file = unsafe { File::from_raw_fd(fd) };
        file.write_all(bytes).map_err(|error| failed(error.to_string()))?;
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        // SAFETY: the library is our runtime and the text of a module. Neither runs code when it is loaded.
        let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }
            .map_err(|error| failed(error.to_string()))?;
        // SAFETY: the runtime exports each with that type, and they are used only as long as the library is loaded.
        let (start, resume, report, steps, list_waiting) = unsafe {
            (
                symbol(&library, "wg_start").map_err(failed)?,
                symbol(&library, "wg_resume").map_err(failed)?,
                symbol(&library, "wg_report").map_err(failed)?,
                symbol(&library, "wg_steps").map_err(failed)?,
                symbol(&library, "wg_list_waiting").map_err(failed)?,
            )
        };
        // SAFETY: as above.
        let static_shared: unsafe extern "C" fn() -> u64 =
            unsafe { symbol(&library, "wg_static_shared") }.map_err(failed)?;
        Ok(Self {
            name: source.name.clone(),
            kernels: source.kernels.clone(),
            start,
            resume,
            report,
            steps,
            list_waiting,
            // SAFETY: the function subtracts two addresses.
            static_shared: unsafe { static_shared() } as usize,
            shared_by_kernel: symbols::shared_bytes(bytes),
            library,
            _file: file,
        })
    }

    /// Returns a kernel by its name; `module` is the index of this module.
    pub(super) fn function(&self, module: usize, name: &str) -> Result<Function> {
        let Some(&name) = self.kernels.iter().find(|&&known| known == name) else {
            let (module, known) = (&self.name, self.kernels.join(", "));
            return Err(wrong("function", format!("{module} has no kernel {name}; it has {known}")));
        };
        let undefined = |what| {
            wrong("function", format!("{} lists kernel {name} but does not define it: {what}", self.name))
        };
        // SAFETY: KERNEL exports an entry and a number of these types, used only as long as the library is loaded.
        let (entry, bytes) = unsafe {
            let bytes: *const u64 = symbol(&self.library, &format!("wg_size_{name}")).map_err(undefined)?;
            (symbol(&self.library, &format!("wg_kernel_{name}")).map_err(undefined)?, *bytes)
        };
        let static_shared =
            self.shared_by_kernel.iter().filter(|(of, _)| of == name).map(|(_, bytes)| bytes).sum();
        Ok(Function { module, name, entry, argument_bytes: bytes as usize, static_shared })
    }
}

/// Returns a symbol as a pointer of type `T`.
///
/// # Safety
/// `T` is a pointer of the symbol's type, and is not used after the library is unloaded.
unsafe fn symbol<T: Copy>(library: &Library, name: &str) -> std::result::Result<T, String> {
    // SAFETY: the caller's promise.
    unsafe { library.get::<T>(name.as_bytes()) }.map(|found| *found).map_err(|error| error.to_string())
}
