//! Every module of the table compiles for every architecture that is supported. No GPU is needed.
//!
//! For sm_90, CUDA 13.0 compiles every module. The text of modules depends on the architecture in one place of the prelude only, so for
//! sm_70 (by CUDA 12.9, the last to know it) and sm_80 a choice of modules is compiled in which every line of every module occurs.
//!
//! What compiled once is not compiled again: `target/tmp` keeps a mark for each text, architecture and version of NVRTC.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};
use warpgraph_device::{
    Source,
    nvrtc::{Nvrtc, OPTIONS},
};
use warpgraph_gpu::variants;
use warpgraph_testing::{Suite, needs, tests};
use xxhash_rust::xxh3::xxh3_128;

fn main() -> ExitCode {
    Suite::default()
        .tests(tests![no_module_is_listed_twice])
        .needing(&needs::nvrtc(12), tests![every_line_compiles_for_sm_70, coded_edges_compile_for_sm_70])
        .needing(
            &needs::nvrtc(13),
            tests![
                every_line_compiles_for_sm_80,
                every_module_compiles_for_sm_90,
                every_line_compiles_for_every_residency
            ],
        )
        .run()
}

fn no_module_is_listed_twice() {
    let all = variants::all().unwrap();
    let names: BTreeSet<&str> = all.iter().map(|source| &*source.name).collect();
    assert_eq!(names.len(), all.len());
}

fn every_line_compiles_for_sm_70() {
    compile_all(12, 70, &with_every_line(variants::all().unwrap()));
}

fn coded_edges_compile_for_sm_70() {
    let adapted = variants::adapted().unwrap();
    let (_, modules) = adapted.into_iter().find(|(name, _)| name == "zero-copy(code=ef), counting").unwrap();
    compile_all(12, 70, &with_every_line(modules));
}

fn every_line_compiles_for_sm_80() {
    compile_all(13, 80, &with_every_line(variants::all().unwrap()));
}

fn every_module_compiles_for_sm_90() {
    compile_all(13, 90, &variants::all().unwrap());
}

fn every_line_compiles_for_every_residency() {
    for (residency, modules) in variants::adapted().unwrap() {
        assert!(modules.len() > 100, "{residency}");
        compile_all(13, 90, &with_every_line(modules));
    }
}

/// Returns modules in which every line of all of them occurs: each has a line that none before it has.
fn with_every_line(all: Vec<Arc<Source>>) -> Vec<Arc<Source>> {
    let mut seen = BTreeSet::new();
    let mut is_new = |source: &Arc<Source>| {
        let before = seen.len();
        seen.extend(source.text.lines().map(|line| xxh3_128(line.as_bytes())));
        seen.len() > before
    };
    all.into_iter().filter(|source| is_new(source)).collect()
}

/// Compiles modules by the NVRTC of a CUDA, on all cores.
fn compile_all(cuda: u32, sm: u32, jobs: &[Arc<Source>]) {
    let library = std::env::var_os(format!("WARPGRAPH_NVRTC_{cuda}")).expect("the need of this test");
    let nvrtc = Nvrtc::open(&PathBuf::from(library)).unwrap();
    assert!(!jobs.is_empty(), "sm_{sm}");
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |threads| threads.get()) {
            scope.spawn(|| {
                while let Some(source) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    compile(&nvrtc, source, sm).unwrap_or_else(|error| failures.lock().unwrap().push(error));
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} of {} do not compile:\n{}", failures.len(), jobs.len(), failures[0]);
}

/// Compiles a module, if it was not compiled before.
fn compile(nvrtc: &Nvrtc, source: &Source, sm: u32) -> Result<(), String> {
    let mark = mark(&format!("{} {sm} {OPTIONS:?} {}", nvrtc.name(), source.text));
    if mark.is_file() {
        return Ok(());
    }
    let cubin = nvrtc.compile(source, sm, OPTIONS).map_err(|error| error.to_string())?;
    assert!(cubin.starts_with(b"\x7fELF"), "{} is no cubin", source.name);
    fs::write(mark, "").map_err(|error| error.to_string())
}

/// The file that says that something compiled.
fn mark(what: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nvrtc");
    fs::create_dir_all(&folder).unwrap();
    folder.join(format!("{:032x}", xxh3_128(what.as_bytes())))
}
