//! The C functions of NVRTC, with the types of `nvrtc.h`, and one compilation with them.

use libloading::{Error, Library};
use std::{
    ffi::{CString, c_char, c_int, c_void},
    path::Path,
    ptr,
};

type Program = *mut c_void;
/// The return value of every function: 0 on success.
pub(super) type Code = c_int;

/// Opens a library and keeps it loaded until the process ends. Unloading is not safe: the compiler has threads and
/// state of its own.
pub(super) fn load_for_good(path: &Path) -> Result<&'static Library, Error> {
    // SAFETY: the library is what the user installed as NVRTC. Its initialisers run, as they would for a linked
    // library.
    let library = unsafe { Library::new(path) }?;
    Ok(Box::leak(Box::new(library)))
}

/// The C functions of the library, which stays loaded until the process ends.
#[derive(Clone, Copy)]
pub(super) struct Functions {
    version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> Code,
    architecture_count: unsafe extern "C" fn(*mut c_int) -> Code,
    architectures: unsafe extern "C" fn(*mut c_int) -> Code,
    create: unsafe extern "C" fn(
        *mut Program,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> Code,
    compile: unsafe extern "C" fn(Program, c_int, *const *const c_char) -> Code,
    cubin_size: unsafe extern "C" fn(Program, *mut usize) -> Code,
    cubin: unsafe extern "C" fn(Program, *mut c_char) -> Code,
    log_size: unsafe extern "C" fn(Program, *mut usize) -> Code,
    log: unsafe extern "C" fn(Program, *mut c_char) -> Code,
    destroy: unsafe extern "C" fn(*mut Program) -> Code,
}

impl Functions {
    /// Loads the functions of the library in a file.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let library = load_for_good(path)?;
        // SAFETY: the types are those of nvrtc.h, and the library stays loaded.
        unsafe {
            Ok(Self {
                version: *library.get(c"nvrtcVersion")?,
                architecture_count: *library.get(c"nvrtcGetNumSupportedArchs")?,
                architectures: *library.get(c"nvrtcGetSupportedArchs")?,
                create: *library.get(c"nvrtcCreateProgram")?,
                compile: *library.get(c"nvrtcCompileProgram")?,
                cubin_size: *library.get(c"nvrtcGetCUBINSize")?,
                cubin: *library.get(c"nvrtcGetCUBIN")?,
                log_size: *library.get(c"nvrtcGetProgramLogSize")?,
                log: *library.get(c"nvrtcGetProgramLog")?,
                destroy: *library.get(c"nvrtcDestroyProgram")?,
            })
        }
    }

    /// Returns major and minor version.
    pub(super) fn version(&self) -> Option<(u32, u32)> {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: two integers to write to.
        let code = unsafe { (self.version)(&raw mut major, &raw mut minor) };
        if code == 0 { Some((u32::try_from(major).ok()?, u32::try_from(minor).ok()?)) } else { None }
    }

    /// Returns the architectures that it compiles for: 90 for `sm_90`.
    pub(super) fn architectures(&self) -> Option<Vec<u32>> {
        let mut count = 0;
        // SAFETY: one integer to write to.
        let counted = unsafe { (self.architecture_count)(&raw mut count) };
        if counted != 0 {
            return None;
        }
        let mut known = vec![0; usize::try_from(count).ok()?];
        // SAFETY: room for as many integers as the library counted.
        let listed = unsafe { (self.architectures)(known.as_mut_ptr()) };
        if listed != 0 {
            return None;
        }
        known.into_iter().map(|sm| u32::try_from(sm).ok()).collect()
    }
}

/// One program of the compiler.
pub(super) struct Compilation {
    functions: Functions,
    program: Program,
}

impl Compilation {
    /// Creates a program from a text and its name.
    pub(super) fn new(functions: Functions, text: &CString, name: &CString) -> Result<Self, Code> {
        let mut program = ptr::null_mut();
        // SAFETY: two strings that end in NUL and are copied, no headers.
        let code = unsafe {
            (functions.create)(&raw mut program, text.as_ptr(), name.as_ptr(), 0, ptr::null(), ptr::null())
        };
        if code == 0 { Ok(Self { functions, program }) } else { Err(code) }
    }

    /// Compiles the program.
    pub(super) fn compile(&self, options: &[CString]) -> Result<(), Code> {
        let pointers: Vec<_> = options.iter().map(|option| option.as_ptr()).collect();
        // SAFETY: a live program and that many strings that end in NUL.
        let code =
            unsafe { (self.functions.compile)(self.program, pointers.len() as c_int, pointers.as_ptr()) };
        if code == 0 { Ok(()) } else { Err(code) }
    }

    /// Returns the cubin.
    pub(super) fn cubin(&self) -> Result<Vec<u8>, Code> {
        let mut size = 0;
        // SAFETY: a live program and one size to write to.
        let code = unsafe { (self.functions.cubin_size)(self.program, &raw mut size) };
        if code != 0 {
            return Err(code);
        }
        let mut bytes = vec![0; size];
        // SAFETY: a live program, and as many bytes as it asked for.
        let code = unsafe { (self.functions.cubin)(self.program, bytes.as_mut_ptr().cast()) };
        if code == 0 { Ok(bytes) } else { Err(code) }
    }

    /// Returns the compiler's log, unchanged.
    pub(super) fn log(&self) -> String {
        let mut size = 0;
        // SAFETY: a live program and one size to write to.
        let code = unsafe { (self.functions.log_size)(self.program, &raw mut size) };
        let mut bytes = vec![0; if code == 0 { size } else { 0 }];
        if !bytes.is_empty() {
            // SAFETY: a live program, and as many bytes as it asked for.
            unsafe { (self.functions.log)(self.program, bytes.as_mut_ptr().cast()) };
        }
        String::from_utf8_lossy(&bytes).trim_end_matches(['\0', '\n']).to_owned()
    }
}

impl Drop for Compilation {
    fn drop(&mut self) {
        // SAFETY: a live program, destroyed once.
        unsafe { (self.functions.destroy)(&raw mut self.program) };
    }
}
