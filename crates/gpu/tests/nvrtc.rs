//! Every module of the table compiles for every architecture that is supported: sm_70 by CUDA 12.9, the last to know it, sm_80 and
//! sm_90 by CUDA 13.0. Those with wide offsets do for sm_90 only: nothing that depends on the architecture depends on the width. No GPU
//! is needed. The libraries are named by `WARPGRAPH_NVRTC_12` and `WARPGRAPH_NVRTC_13`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};
use warpgraph_device::nvrtc::{Nvrtc, OPTIONS};
use warpgraph_gpu::variants;

/// The library that an environment variable names; `None`, said aloud, if it is not set.
fn library(variable: &str) -> Option<Nvrtc> {
    let Some(path) = std::env::var_os(variable) else {
        println!("skipped: {variable} is not set");
        return None;
    };
    Some(Nvrtc::open(&PathBuf::from(path)).unwrap())
}

#[test]
fn every_variant_compiles_for_every_architecture() {
    let start = Instant::now();
    let all = variants::all().unwrap();
    let names: BTreeSet<&str> = all.iter().map(|source| &*source.name).collect();
    assert_eq!(names.len(), all.len(), "no module is listed twice");
    let (old, new) = (library("WARPGRAPH_NVRTC_12"), library("WARPGRAPH_NVRTC_13"));
    let jobs: Vec<_> = [(&old, 70), (&new, 80), (&new, 90)]
        .into_iter()
        .filter_map(|(nvrtc, sm)| Some((nvrtc.as_ref()?, sm)))
        .flat_map(|(nvrtc, sm)| all.iter().map(move |source| (nvrtc, sm, source)))
        .filter(|(_, sm, source)| *sm == 90 || source.name.contains("-32-"))
        .collect();
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |threads| threads.get()) {
            scope.spawn(|| {
                while let Some((nvrtc, sm, source)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match nvrtc.compile(source, *sm, OPTIONS) {
                        Ok(cubin) => assert!(cubin.starts_with(b"\x7fELF"), "{} is no cubin", source.name),
                        Err(error) => failures.lock().unwrap().push(format!("{error}")),
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} of {} do not compile:\n{}", failures.len(), jobs.len(), failures[0]);
    println!("{} modules compiled in {:.0} s", jobs.len(), start.elapsed().as_secs_f64());
}
