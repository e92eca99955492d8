//! The CUDA device over a stand-in for driver and NVRTC (`driver.c`, which the host's C compiler builds here):
//! allocating and freeing, errors, and what happens at the end. These tests do not show that a real GPU works.
//!
//! Each test starts itself again with the stand-in in the loader's path. Without a C compiler it prints a note and
//! passes.
#![allow(clippy::unwrap_used)]

mod ahead;
mod bundled;
mod code;
mod in_place;
mod managed;
mod memory;
mod opening;

use std::{
    ffi::{CString, c_char},
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};
use warpgraph_device::{Address, Error, Gpu, Kernel, Settings, Shape, Source, arguments, cuda};

const INSIDE: &str = "WARPGRAPH_TEST_STAND_IN";

/// The folder of the stand-in.
fn built() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stand-in");
        std::fs::create_dir_all(&folder).unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cuda_stand_in/driver.c");
        let unfinished = folder.join(format!("{}.tmp", std::process::id()));
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-pthread", "-Wall", "-Wextra", "-Werror", "-x", "c"]).arg(source);
        match compiler.arg("-o").arg(&unfinished).status() {
            Err(error) => {
                println!("skipped: no C compiler ({error})");
                None
            }
            Ok(status) => {
                assert!(status.success());
                std::fs::rename(unfinished, folder.join("libcuda.so")).unwrap();
                Some(folder)
            }
        }
    };
    FOLDER.get_or_init(build).as_deref()
}

/// Runs the body of a test in a process of its own that finds the stand-in, with these environment variables.
fn inside(module: &str, test: &str, settings: &[(&str, &str)], body: impl FnOnce()) {
    if std::env::var_os(INSIDE).is_some() {
        return body();
    }
    let Some(folder) = built() else { return };
    let (_crate, module) = module.split_once("::").unwrap();
    let mut again = Command::new(std::env::current_exe().unwrap());
    again
        .args(["--exact", &format!("{module}::{test}"), "--nocapture"])
        .env(INSIDE, "1")
        .env("LD_LIBRARY_PATH", folder)
        .env("STAND_IN", folder.join("libcuda.so"))
        .env("WARPGRAPH_NVRTC", folder.join("libcuda.so"))
        .envs(settings.iter().copied());
    let output = again.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    assert!(out.contains("1 passed"), "no test of that name ran: {out}");
}

macro_rules! in_a_process_of_its_own {
    ($name:ident, [$($key:literal = $value:literal),*], $body:expr) => {
        #[test]
        fn $name() {
            crate::inside(module_path!(), stringify!($name), &[$(($key, $value)),*], || $body)
        }
    };
}

use in_a_process_of_its_own as test;

/// Returns one of the stand-in's counts.
fn ask(function: &str, of: &str) -> u64 {
    // SAFETY: the library that the driver's calls go to.
    let library = unsafe { libloading::Library::new("libcuda.so") }.unwrap();
    let of = CString::new(of).unwrap();
    // SAFETY: both functions there are of this type.
    unsafe { library.get::<unsafe extern "C" fn(*const c_char) -> u64>(function).unwrap()(of.as_ptr()) }
}

fn calls(of: &str) -> u64 {
    ask("stand_in_calls", of)
}

fn alive(of: &str) -> u64 {
    ask("stand_in_alive", of)
}

/// Asserts that everything that was allocated or created was freed.
fn assert_nothing_is_alive() {
    for kind in
        ["context", "stream", "event", "module", "device", "pinned", "managed", "program", "registered"]
    {
        assert_eq!(alive(kind), 0, "{kind}");
    }
}

/// Settings with a cache of their own.
fn settings() -> (tempfile::TempDir, Settings) {
    let folder = tempfile::tempdir().unwrap();
    let cache = Some(folder.path().join("cache"));
    (folder, Settings { cache, ..Settings::default() })
}

fn open(settings: &Settings) -> Gpu {
    cuda::open(0, settings).unwrap_or_else(|error| panic!("{error}"))
}

arguments! {
    struct Word {
        word: Address<u32>,
    }
}

fn source() -> Source {
    let kernels = vec!["count_up", "trap", "endless", "deaf"];
    Source { name: "stand/in".to_owned(), text: "text".to_owned(), kernels }
}

fn kernel(gpu: &Gpu, name: &'static str) -> Kernel {
    gpu.compile(&source()).unwrap().kernel(name).unwrap()
}

const ONE: Shape = Shape { grid: 1, block: 1, shared: 0 };

fn launch(gpu: &Gpu, name: &'static str, shape: Shape, word: Address<u32>) -> Result<(), Error> {
    // SAFETY: the stand-in's kernels take one address of a word.
    unsafe { gpu.launch(&kernel(gpu, name), shape, &Word { word }) }
}
