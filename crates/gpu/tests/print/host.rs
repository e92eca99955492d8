//! CUDA C++ through the host's compiler, loaded as a library.

use libloading::{Library, Symbol};
use std::{fs, process::Command};
use warpgraph_device::{PRELUDE, Source};
use warpgraph_gpu::print::FILES;

/// A compiled text.
pub(crate) struct Host {
    library: Library,
}

impl Host {
    /// Compiles a text that follows `combine.cuh`.
    pub(crate) fn compile(text: &str) -> Self {
        let files: Vec<_> = [PRELUDE].into_iter().chain(FILES).collect();
        let root = format!("{}\n#include \"combine.cuh\"\n{text}", include_str!("shim.h"));
        // The shim's own includes are the compiler's.
        let source = Source::assemble("host", &root, &files, vec![]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (cpp, so) = (folder.path().join("host.cpp"), folder.path().join("host.so"));
        fs::write(&cpp, &source.text).unwrap();
        let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
        let output = Command::new(&compiler)
            .args(["-std=c++17", "-O2", "-ffp-contract=off", "-fno-strict-aliasing", "-shared", "-fPIC"])
            .args(["-Wall", "-Wextra", "-Werror", "-Wno-unused", "-Wno-tautological-compare", "-o"])
            .args([&so, &cpp])
            .output()
            .unwrap_or_else(|e| {
                panic!("these tests need a C++ compiler, and {compiler:?} does not start: {e}")
            });
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        // SAFETY: the library is made of functions and has nothing that runs when it is loaded.
        let library = unsafe { Library::new(&so) }.unwrap();
        Self { library }
    }

    /// Calls a function that fills `out` from numbers given by their bits.
    pub(crate) fn call(&self, name: &str, inputs: [&[u64]; 2], count: usize, out: &mut [u64]) {
        type Function = unsafe extern "C" fn(*const u64, *const u64, u64, *mut u64);
        // SAFETY: every function of these tests has this signature.
        let function: Symbol<'_, Function> = unsafe { self.library.get(name) }.unwrap();
        // SAFETY: the functions read and write as many entries as the tests size the arrays for, which is next to each.
        unsafe { function(inputs[0].as_ptr(), inputs[1].as_ptr(), count as u64, out.as_mut_ptr()) };
    }
}
